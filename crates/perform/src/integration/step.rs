//! One iteration of the search: the derivatives of the constraints, and the smallest change that meets them.

use glam::{Mat3, Vec3};

use super::{DAMPING, GIVE_M, Integrator, Problem, dot, solve_in_place};
use crate::basis::Basis;

impl Integrator {
    /// J: the derivative of each constraint, relative to the centre of mass, with respect to rotations about each joint's axes.
    pub(super) fn differentiate(&mut self, problem: &Problem<'_>) {
        let body = problem.body;
        let parents = self.world.skeleton().parents();
        for (carried, (weight, at)) in
            self.carried.iter_mut().zip(body.masses().joint_weights().iter().zip(&self.world.positions))
        {
            *carried = (*weight, *weight * *at);
        }
        for joint in (1..parents.len()).rev() {
            let (weight, moment) = self.carried[joint];
            let above = &mut self.carried[parents[joint]];
            *above = (above.0 + weight, above.1 + moment);
        }
        let joints = parents.len();
        for (own, rotation) in self.own_from_world.iter_mut().zip(&self.world.rotations) {
            *own = Mat3::from_quat(rotation.inverse());
        }
        for (number, row) in self.rows.iter().enumerate() {
            let numbers = self.jacobian[number * 3 * joints..][..3 * joints].as_chunks_mut::<3>().0;
            for (joint, numbers) in numbers.iter_mut().enumerate() {
                let at = self.world.positions[joint];
                let (weight, moment) = self.carried[joint];
                let arm = if body.is_under(row.joint, joint) { row.place - at } else { Vec3::ZERO };
                // a × arm − a × (moment − weight at), along n: a · ((arm − …) × n).
                let lever = (arm - (moment - weight * at)).cross(row.along);
                *numbers = (self.own_from_world[joint] * lever).to_array();
            }
        }
    }

    /// J in the first directions of the basis, and in those of the centre of mass if it may move.
    pub(super) fn reduce(&mut self, basis: &Basis, used: usize, gives: bool) {
        let width = used + if gives { 3 } else { 0 };
        for (number, row) in self.rows.iter().enumerate() {
            let numbers = &self.jacobian[number * basis.dims..][..basis.dims];
            let reduced = &mut self.reduced[number * width..][..width];
            for (column, reduced) in reduced[..used].iter_mut().enumerate() {
                *reduced = dot(numbers, basis.column(column));
            }
            reduced[used..].iter_mut().zip(row.along.to_array()).for_each(|(r, along)| *r = GIVE_M * along);
        }
    }

    /// z = c + Jᵀ λ, λ = (J Jᵀ + μ)⁻¹ (e + J (z − c)), without constraints that would pull into a solid.
    pub(super) fn go_on(&mut self, basis: &Basis, used: usize, gives: bool, turn_rad: f32) {
        let width = used + if gives { 3 } else { 0 };
        let away = &mut self.deviation[..used];
        away.iter_mut().zip(self.z.iter().zip(&self.likeliest)).for_each(|(away, (z, c))| *away = z - c);
        for round in 0..3 {
            let rows = self.rows.len();
            let row = |number: usize| number * width..(number + 1) * width;
            for a in 0..rows {
                let own = &self.reduced[row(a)];
                let given = dot(&own[used..], &self.gave.to_array()[..width - used]);
                self.lambda[a] = self.rows[a].error + dot(&own[..used], &self.deviation[..used]) + given;
                for b in 0..=a {
                    self.square[a * rows + b] =
                        dot(own, &self.reduced[row(b)]) + if a == b { DAMPING } else { 0.0 };
                }
            }
            if !solve_in_place(&mut self.square, &mut self.lambda, rows) {
                return;
            }
            if round == 2 {
                break;
            }
            // From last to first, so that the earlier indices stay valid.
            for number in (0..rows).rev() {
                if self.rows[number].touch.is_some() && self.lambda[number] < 0.0 {
                    self.drop_row(number, width);
                }
            }
            if self.rows.len() == rows {
                break;
            }
        }
        let step = &mut self.step[..width];
        step.fill(0.0);
        step[..used].copy_from_slice(&self.likeliest[..used]);
        for (number, lambda) in self.lambda[..self.rows.len()].iter().enumerate() {
            for (step, value) in step.iter_mut().zip(&self.reduced[number * width..]) {
                *step += lambda * value;
            }
        }
        // The step is limited to the range in which the linearisation holds.
        step[..used].iter_mut().zip(&self.z).for_each(|(step, z)| *step -= z);
        let turn = step[..used].iter().zip(&basis.variances).map(|(s, v)| s * s * v).sum::<f32>().sqrt();
        let share = if turn > turn_rad { turn_rad / turn } else { 1.0 };
        self.z.iter_mut().zip(&step[..used]).for_each(|(z, step)| *z += share * *step);
        if let [x, y, z] = step[used..] {
            self.gave = self.gave.lerp(Vec3::new(x, y, z), share);
        }
    }

    fn drop_row(&mut self, number: usize, width: usize) {
        if let Some(touch) = self.rows.remove(number).touch {
            self.touches.leave(touch);
            self.rows.iter_mut().filter_map(|row| row.touch.as_mut()).for_each(|other| {
                *other -= usize::from(*other > touch);
            });
        }
        let rest = self.rows.len();
        self.reduced.copy_within((number + 1) * width..(rest + 1) * width, number * width);
    }
}
