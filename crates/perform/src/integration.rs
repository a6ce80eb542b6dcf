//! The pose that meets the simulated centre of mass and the contacts, as near as possible to the pose that was meant (section 7).
//!
//! Eq. 12: min ‖q − q̄‖² so that the centre of mass is at x, each holding end at its contact p, and nothing inside a solid. The
//! search runs in the directions of [`Basis`], the first few at first; more are added from one iteration to the next, so that the
//! pose stays like the example where it can.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | q̄ | the pose that was meant | |
//! | z | coordinates of q away from q̄, in deviations of the basis | |
//! | J | how ends move against the centre of mass with z | m |
//! | e | from where ends are to where they should be | m |
//!
//! Each iteration takes z = Jᵀ (J Jᵀ + μ)⁻¹ (e + J z): the smallest z that meets the constraints as they are seen from here.
//! Changed: distance is measured in deviations of the example, not in radians; where the root goes is not searched for but put so
//! that the centre of mass is exactly where it should be; what is inside a solid becomes a constraint when it is found there, one
//! point of each limb.
//!
//! Limits: a local search; where the constraints contradict each other, the nearest is taken, and `Solved` says by how much it fails.

use glam::{Quat, Vec3};
use marey_motion::{LocalPose, WorldPose};

use crate::basis::Basis;
use crate::body::{Body, Fixed};
use crate::geometry::Geometry;

/// How a pose was found.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Solved {
    /// The largest distance of an end from its contact that is left, in metres.
    pub error_m: f32,
    /// How deep a point is inside a solid at most, in metres.
    pub depth_m: f32,
    /// How many iterations it took.
    pub iterations: usize,
}

/// What an end is to be at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Target {
    pub(crate) point: Fixed,
    pub(crate) place: Vec3,
}

/// How many directions each iteration has; after these, all.
const EXPANSION: [usize; 6] = [4, 7, 10, 14, 20, 28];
/// As many iterations at most.
const MOST_ITERATIONS: usize = 24;
/// An end this near is there, in metres.
const ENOUGH_M: f32 = 4e-4;
/// Inside a solid by less than this is not inside, in metres.
const SKIN_M: f32 = 0.002;
/// μ, in m².
const DAMPING: f32 = 2e-6;
/// No joint turns farther in an iteration, in radians.
const MOST_TURN_RAD: f32 = 0.6;
/// Holds of four ends, three rows each, and a point of each limb and of the trunk in a solid.
const MOST_ROWS: usize = 4 * 3 + 5;

/// Room to solve in, for one body.
#[derive(Debug, Clone)]
pub(crate) struct Integrator {
    /// Of which limb each joint is: 0 to 3, or 4 for the trunk.
    limbs: Vec<usize>,
    world: WorldPose,
    pose: LocalPose,
    /// Σ of weights, and of weights times places, under each joint.
    carried: Vec<(f32, Vec3)>,
    rows: Vec<Row>,
    jacobian: Vec<f32>,
    reduced: Vec<f32>,
    square: Vec<f32>,
    rhs: Vec<f32>,
    z: Vec<f32>,
    deviation: Vec<f32>,
}

/// A direction in which a point must be somewhere.
#[derive(Debug, Clone, Copy)]
struct Row {
    joint: usize,
    place: Vec3,
    along: Vec3,
    error: f32,
}

impl Integrator {
    pub(crate) fn new(body: &Body) -> Self {
        let skeleton = body.skeleton();
        let joints = skeleton.len();
        let limb = |joint: usize| body.branches.iter().position(|limb| limb.contains(&joint)).unwrap_or(4);
        Self {
            limbs: (0..joints).map(limb).collect(),
            world: WorldPose::scratch(skeleton),
            pose: LocalPose::rest(skeleton),
            carried: vec![(0.0, Vec3::ZERO); joints],
            rows: Vec::with_capacity(MOST_ROWS),
            jacobian: vec![0.0; MOST_ROWS * 3 * joints],
            reduced: vec![0.0; MOST_ROWS * 3 * joints],
            square: vec![0.0; MOST_ROWS * MOST_ROWS],
            rhs: vec![0.0; MOST_ROWS],
            z: vec![0.0; 3 * joints],
            deviation: vec![0.0; 3 * joints],
        }
    }

    /// Finds the pose; it is then in [`Integrator::pose`] and [`Integrator::world`].
    pub(crate) fn solve(
        &mut self,
        body: &Body,
        basis: &Basis,
        meant: &LocalPose,
        centre: Vec3,
        targets: &[Target],
        solids: &[Geometry],
    ) -> Solved {
        self.solve_expanding(body, basis, meant, centre, targets, solids, &EXPANSION)
    }

    /// [`Integrator::solve`] with a choice of how directions are added.
    #[expect(clippy::too_many_arguments, reason = "the problem of eq. 12 has as many parts")]
    pub(crate) fn solve_expanding(
        &mut self,
        body: &Body,
        basis: &Basis,
        meant: &LocalPose,
        centre: Vec3,
        targets: &[Target],
        solids: &[Geometry],
        expansion: &[usize],
    ) -> Solved {
        self.z.fill(0.0);
        self.pose.positions.copy_from_slice(&meant.positions);
        let mut touched = [false; 5];
        let mut solved = Solved::default();
        for iteration in 0..=MOST_ITERATIONS {
            self.pose_at(body, basis, meant, centre);
            solved = self.gather(targets, solids, &mut touched);
            solved.iterations = iteration;
            if (solved.error_m <= ENOUGH_M && solved.depth_m <= SKIN_M) || iteration == MOST_ITERATIONS {
                break;
            }
            let used = expansion.get(iteration).copied().unwrap_or(basis.len()).min(basis.len());
            self.differentiate(body, centre);
            self.reduce(basis, used);
            self.go_on(basis, used);
        }
        solved
    }

    /// The pose that was found.
    pub(crate) fn pose(&self) -> &LocalPose {
        &self.pose
    }

    /// The same, in the world.
    pub(crate) fn world(&self) -> &WorldPose {
        &self.world
    }

    /// q = q̄ away by z, the centre of mass where it should be.
    fn pose_at(&mut self, body: &Body, basis: &Basis, meant: &LocalPose, centre: Vec3) {
        basis.deviation_into(&self.z, &mut self.deviation);
        let deviations = self.deviation.as_chunks::<3>().0;
        for ((rotation, meant), away) in self.pose.rotations.iter_mut().zip(&meant.rotations).zip(deviations)
        {
            *rotation = (*meant * Quat::from_scaled_axis(Vec3::from_array(*away))).normalize();
        }
        self.world.set(self.pose.view());
        let shift = centre - body.centre(&self.world.positions);
        self.pose.positions[0] += shift;
        self.world.positions.iter_mut().for_each(|at| *at += shift);
    }

    /// Collects what is still wrong.
    fn gather(&mut self, targets: &[Target], solids: &[Geometry], touched: &mut [bool; 5]) -> Solved {
        self.rows.clear();
        let mut solved = Solved::default();
        for target in targets {
            let place = target.point.at(&self.world);
            let error = target.place - place;
            solved.error_m = solved.error_m.max(error.length());
            for along in Vec3::AXES {
                self.rows.push(Row { joint: target.point.joint, place, along, error: error.dot(along) });
            }
        }
        let mut deepest: [Option<Row>; 5] = [None; 5];
        let tips = self.world.skeleton().tips().iter().map(|tip| tip.parent).zip(self.world.tips());
        for (joint, place) in self.world.positions.iter().copied().enumerate().chain(tips) {
            let limb = self.limbs[joint];
            for solid in solids {
                let near = solid.nearest(place);
                let depth = -near.distance_m;
                if depth > deepest[limb].map_or(-SKIN_M, |row| row.error) {
                    deepest[limb] = Some(Row { joint, place, along: near.normal, error: depth });
                }
            }
        }
        for (row, touched) in deepest.into_iter().zip(touched) {
            let Some(row) = row else { continue };
            solved.depth_m = solved.depth_m.max(row.error);
            // What was inside is held at the surface, so that it does not come in again.
            *touched |= row.error > SKIN_M;
            if *touched {
                self.rows.push(row);
            }
        }
        solved
    }

    /// J: how far each row's point moves along, against the centre of mass, with each joint's own axes.
    fn differentiate(&mut self, body: &Body, centre: Vec3) {
        let parents = self.world.skeleton().parents();
        for (carried, (weight, at)) in
            self.carried.iter_mut().zip(body.weights.iter().zip(&self.world.positions))
        {
            *carried = (*weight, *weight * *at);
        }
        for joint in (1..parents.len()).rev() {
            let (weight, moment) = self.carried[joint];
            let above = &mut self.carried[parents[joint]];
            *above = (above.0 + weight, above.1 + moment);
        }
        debug_assert!(self.carried[0].1.distance(centre) < 1e-2 * (1.0 + centre.length()));
        let joints = parents.len();
        for (number, row) in self.rows.iter().enumerate() {
            let numbers = self.jacobian[number * 3 * joints..][..3 * joints].as_chunks_mut::<3>().0;
            for (joint, numbers) in numbers.iter_mut().enumerate() {
                let at = self.world.positions[joint];
                let (weight, moment) = self.carried[joint];
                let arm = if body.is_under(row.joint, joint) { row.place - at } else { Vec3::ZERO };
                // a × arm − a × (moment − weight at), along n: a · ((arm − …) × n).
                let lever = (arm - (moment - weight * at)).cross(row.along);
                *numbers = (self.world.rotations[joint].inverse() * lever).to_array();
            }
        }
    }

    /// J in the first directions of the basis.
    fn reduce(&mut self, basis: &Basis, used: usize) {
        for (number, _) in self.rows.iter().enumerate() {
            let row = &self.jacobian[number * basis.dims..][..basis.dims];
            for column in 0..used {
                let dot: f32 = row.iter().zip(basis.column(column)).map(|(a, b)| a * b).sum();
                self.reduced[number * used + column] = dot;
            }
        }
    }

    /// z = Jᵀ (J Jᵀ + μ)⁻¹ (e + J z).
    fn go_on(&mut self, basis: &Basis, used: usize) {
        let rows = self.rows.len();
        let row = |number: usize| number * used..(number + 1) * used;
        for a in 0..rows {
            let own = &self.reduced[row(a)];
            self.rhs[a] = self.rows[a].error + dot(own, &self.z[..used]);
            for b in 0..=a {
                self.square[a * rows + b] =
                    dot(own, &self.reduced[row(b)]) + if a == b { DAMPING } else { 0.0 };
            }
        }
        if !solve_in_place(&mut self.square, &mut self.rhs, rows) {
            return;
        }
        let step = &mut self.deviation[..used];
        step.fill(0.0);
        for number in 0..rows {
            for (step, value) in step.iter_mut().zip(&self.reduced[row(number)]) {
                *step += self.rhs[number] * value;
            }
        }
        // Not farther than the constraints can be believed.
        step.iter_mut().zip(&self.z).for_each(|(step, z)| *step -= z);
        let turn =
            (0..used).map(|number| step[number] * step[number] * basis.variances[number]).sum::<f32>().sqrt();
        let share = if turn > MOST_TURN_RAD { MOST_TURN_RAD / turn } else { 1.0 };
        self.z.iter_mut().zip(step).for_each(|(z, step)| *z += share * *step);
    }
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Solves a positive definite system, of which the lower half is given, by Cholesky's decomposition; whether it could be.
pub(crate) fn solve_in_place(square: &mut [f32], rhs: &mut [f32], n: usize) -> bool {
    for i in 0..n {
        for j in 0..=i {
            let before: f32 = (0..j).map(|k| square[i * n + k] * square[j * n + k]).sum();
            let left = square[i * n + j] - before;
            if i == j {
                if left.is_nan() || left <= 0.0 {
                    return false;
                }
                square[i * n + i] = left.sqrt();
            } else {
                square[i * n + j] = left / square[j * n + j];
            }
        }
    }
    for i in 0..n {
        let before: f32 = (0..i).map(|k| square[i * n + k] * rhs[k]).sum();
        rhs[i] = (rhs[i] - before) / square[i * n + i];
    }
    for i in (0..n).rev() {
        let after: f32 = (i + 1..n).map(|k| square[k * n + i] * rhs[k]).sum();
        rhs[i] = (rhs[i] - after) / square[i * n + i];
    }
    true
}
