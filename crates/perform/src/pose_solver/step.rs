//! One iteration of the search: the derivatives of the constraints, and the smallest change that meets them.

use glam::{Mat3, Vec3};

use super::{DAMPING, PoseProblem, PoseSolver, SHIFT_UNIT_M, dot, solve_in_place};
use crate::basis::Basis;

impl PoseSolver {
    /// Computes J: the derivative of each constraint, relative to the centre of mass, with respect to rotations about each joint's axes.
    pub(super) fn differentiate(&mut self, problem: &PoseProblem<'_>) {
        let body = problem.body;
        let parents = self.world.skeleton().parents();
        for (subtree_mass, (weight, at)) in
            self.subtree_mass.iter_mut().zip(body.masses().joint_weights().iter().zip(&self.world.positions))
        {
            *subtree_mass = (*weight, *weight * *at);
        }
        for joint in (1..parents.len()).rev() {
            let (weight, moment) = self.subtree_mass[joint];
            let above = &mut self.subtree_mass[parents[joint]];
            *above = (above.0 + weight, above.1 + moment);
        }
        let joints = parents.len();
        for (joint_from_world, rotation) in self.joint_from_world.iter_mut().zip(&self.world.rotations) {
            *joint_from_world = Mat3::from_quat(rotation.inverse());
        }
        for (index, row) in self.rows.iter().enumerate() {
            let derivatives = self.jacobian[index * 3 * joints..][..3 * joints].as_chunks_mut::<3>().0;
            for (joint, derivative) in derivatives.iter_mut().enumerate() {
                let at = self.world.positions[joint];
                let (weight, moment) = self.subtree_mass[joint];
                let arm = if body.is_under(row.joint, joint) { row.position - at } else { Vec3::ZERO };
                // a × arm − a × (moment − weight at), along n: a · ((arm − …) × n).
                let lever = (arm - (moment - weight * at)).cross(row.along);
                *derivative = (self.joint_from_world[joint] * lever).to_array();
            }
        }
    }

    /// Projects J onto the first directions of the basis, and onto the axes of the centre of mass if it may be shifted.
    pub(super) fn reduce(&mut self, basis: &Basis, used: usize, may_shift: bool) {
        let width = used + if may_shift { 3 } else { 0 };
        for (index, row) in self.rows.iter().enumerate() {
            let derivatives = &self.jacobian[index * basis.dims..][..basis.dims];
            let reduced = &mut self.reduced[index * width..][..width];
            for (column, reduced) in reduced[..used].iter_mut().enumerate() {
                *reduced = dot(derivatives, basis.column(column));
            }
            reduced[used..]
                .iter_mut()
                .zip(row.along.to_array())
                .for_each(|(r, along)| *r = SHIFT_UNIT_M * along);
        }
    }

    /// Sets z = c + Jᵀ λ, λ = (J Jᵀ + μ)⁻¹ (e + J (z − c)), without constraints that would pull into a solid.
    pub(super) fn update(&mut self, basis: &Basis, used: usize, may_shift: bool, max_step_rad: f32) {
        let width = used + if may_shift { 3 } else { 0 };
        let from_preferred = &mut self.deviation[..used];
        let pairs = self.z.iter().zip(&self.preferred);
        from_preferred.iter_mut().zip(pairs).for_each(|(difference, (z, c))| *difference = z - c);
        for round in 0..3 {
            let rows = self.rows.len();
            let row = |index: usize| index * width..(index + 1) * width;
            for a in 0..rows {
                let row_a = &self.reduced[row(a)];
                let shifted = dot(&row_a[used..], &self.centre_shift.to_array()[..width - used]);
                self.lambda[a] = self.rows[a].error + dot(&row_a[..used], &self.deviation[..used]) + shifted;
                for b in 0..=a {
                    self.square[a * rows + b] =
                        dot(row_a, &self.reduced[row(b)]) + if a == b { DAMPING } else { 0.0 };
                }
            }
            if !solve_in_place(&mut self.square, &mut self.lambda, rows) {
                return;
            }
            if round == 2 {
                break;
            }
            // From last to first, so that the earlier indices stay valid.
            for index in (0..rows).rev() {
                if self.rows[index].contact.is_some() && self.lambda[index] < 0.0 {
                    self.drop_row(index, width);
                }
            }
            if self.rows.len() == rows {
                break;
            }
        }
        let step = &mut self.step[..width];
        step.fill(0.0);
        step[..used].copy_from_slice(&self.preferred[..used]);
        for (index, lambda) in self.lambda[..self.rows.len()].iter().enumerate() {
            for (step, value) in step.iter_mut().zip(&self.reduced[index * width..]) {
                *step += lambda * value;
            }
        }
        // The step is limited to the range in which the linearisation holds.
        step[..used].iter_mut().zip(&self.z).for_each(|(step, z)| *step -= z);
        let change_rad =
            step[..used].iter().zip(&basis.variances).map(|(s, v)| s * s * v).sum::<f32>().sqrt();
        let fraction = if change_rad > max_step_rad { max_step_rad / change_rad } else { 1.0 };
        self.z.iter_mut().zip(&step[..used]).for_each(|(z, step)| *z += fraction * *step);
        if let [x, y, z] = step[used..] {
            self.centre_shift = self.centre_shift.lerp(Vec3::new(x, y, z), fraction);
        }
    }

    fn drop_row(&mut self, index: usize, width: usize) {
        if let Some(contact) = self.rows.remove(index).contact {
            self.contacts.release(contact);
            self.rows.iter_mut().filter_map(|row| row.contact.as_mut()).for_each(|other| {
                *other -= usize::from(*other > contact);
            });
        }
        let rest = self.rows.len();
        self.reduced.copy_within((index + 1) * width..(rest + 1) * width, index * width);
    }
}
