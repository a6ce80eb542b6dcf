//! Solves for the pose with the simulated centre of mass and the given contacts that is nearest to the intended pose (section 7).
//!
//! Eq. 12: min ‖q − q̄‖², subject to: the centre of mass is at x, each hand or foot that holds is at its contact p, and no point is
//! inside a solid. The search runs in the directions of [`Basis`]. It starts with the first directions and adds more from one iteration
//! to the next, until it uses all of them.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | q̄ | the intended pose | |
//! | z | coordinates of q relative to q̄, in standard deviations of the basis | |
//! | J | derivative of the hands and feet, relative to the centre of mass, with respect to z | m |
//! | e | distance of the hands and feet to their targets | m |
//! | λ | Lagrange multiplier of each constraint | |
//! | c | coordinates of the most likely pose, given q̄ and the example | |
//!
//! Each iteration sets z = c + Jᵀ λ, λ = (J Jᵀ + μ)⁻¹ (e + J (z − c)): the z nearest to c that meets the linearised constraints.
//!
//! Changes to the paper:
//!
//! - Distance is measured in standard deviations of the example, not in radians. The intended pose q̄ counts as a noisy measurement of a
//!   pose of the example ([`PosePrior`]); c is the most likely pose given both.
//! - The root is not searched for: it is placed so that the centre of mass is exactly at its target.
//! - A point inside a solid becomes a constraint when it is detected, and is released when its λ would pull it in.
//! - The search starts from the last frame's result, so one or two iterations are enough. The first directions suffice for nearly every
//!   pose. The coordinates of the other directions decay from frame to frame, so that poses do not jump when they are no longer
//!   needed. Without an example, all directions are used from the start.
//! - If no pose meets all constraints, the centre of mass is shifted by as little as possible: limbs have a fixed length, but the spring
//!   between a hold and the centre of mass can stretch farther than an arm.
//!
//! Limits: the search is local. If holds contradict each other, the result is the nearest pose, and [`PoseSolution`] has the error.

mod linear;
mod pose_prior;
mod solid_contact;
mod step;

use glam::{Mat3, Quat, Vec3};
use marey_motion::{LocalPose, WorldPose};

use crate::basis::Basis;
use crate::character_body::{CharacterBody, FixedPoint};
use crate::geometry::Geometry;
pub(crate) use linear::{dot, solve_in_place};
pub(crate) use pose_prior::PosePrior;
use solid_contact::{MAX_CONTACTS, SolidContact, SolidContacts};

/// The quality of a solved pose.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PoseSolution {
    /// The largest distance of a hand or foot from its contact, in metres.
    pub error_m: f32,
    /// The largest depth of a point inside a solid, in metres.
    pub depth_m: f32,
    /// The shift of the centre of mass from its simulated position, in metres.
    pub centre_shift: Vec3,
    /// The number of iterations.
    pub iterations: usize,
}

impl PoseSolution {
    fn is_accepted(&self) -> bool {
        self.error_m <= TOLERANCE_M && self.depth_m <= DEPTH_TOLERANCE_M
    }

    /// The error beyond the tolerances, in metres.
    fn excess_m(&self) -> f32 {
        (self.error_m - TOLERANCE_M).max(0.0) + (self.depth_m - DEPTH_TOLERANCE_M).max(0.0)
    }
}

/// The target of a hand or foot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct LimbTarget {
    /// The index of the hand or foot in [`crate::Effector::ALL`].
    pub(crate) limb: usize,
    pub(crate) point: FixedPoint,
    pub(crate) position: Vec3,
}

/// The problem of eq. 12 in one frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PoseProblem<'a> {
    pub(crate) body: &'a CharacterBody,
    pub(crate) basis: &'a Basis,
    /// Identifies the basis: coordinates of another basis cannot be reused.
    pub(crate) basis_id: usize,
    pub(crate) prior: Option<PosePrior<'a>>,
    /// q̄.
    pub(crate) intended: &'a LocalPose,
    /// x.
    pub(crate) centre: Vec3,
    pub(crate) targets: &'a [LimbTarget],
    /// The solids within reach, with the indices of their features.
    pub(crate) solids: &'a [(usize, Geometry)],
}

/// The number of directions in the first iterations, for a new search and for a continued one; after these, all directions.
const NEW_DIRECTIONS: [usize; 3] = [12, FIRST_DIRECTIONS, FIRST_DIRECTIONS];
const CONTINUED_DIRECTIONS: [usize; 2] = [FIRST_DIRECTIONS, FIRST_DIRECTIONS];
/// The number of directions of an example that suffice for nearly every pose.
const FIRST_DIRECTIONS: usize = 20;
/// The fraction by which the coordinates of the other directions decay from frame to frame.
const DECAY: f32 = 0.1;
/// If an iteration leaves more than this fraction of the error, the next step is shorter.
const SLOW_PROGRESS: f32 = 0.7;
/// The number of iterations after which the centre of mass may be shifted.
const ITERATIONS_BEFORE_SHIFT: usize = 10;
/// The number of bisections of the way from the last pose to the solved one.
const APPROACH_STEPS: usize = 6;
/// The largest number of iterations.
const MAX_ITERATIONS: usize = 40;
/// The tolerated distance of a hand or foot from its target, in metres.
const TOLERANCE_M: f32 = 4e-4;
/// The tolerated depth inside a solid, in metres.
const DEPTH_TOLERANCE_M: f32 = 0.002;
/// μ, in m².
const DAMPING: f32 = 1e-7;
/// The largest change of a pose in an iteration, in radians.
const MAX_STEP_RAD: f32 = 0.8;
/// The shift of the centre of mass that costs as much as one standard deviation of the pose, in metres.
const SHIFT_UNIT_M: f32 = 0.01;
/// The largest number of rows: three for each hand and foot, and one for each point in a solid.
const MAX_ROWS: usize = 4 * 3 + MAX_CONTACTS;

/// Solves poses of one body. Keeps its buffers and the last result.
#[derive(Debug, Clone)]
pub(crate) struct PoseSolver {
    world: WorldPose,
    pose: LocalPose,
    /// For each joint, Σ of weights and Σ of weights times positions of the joint and its descendants.
    subtree_mass: Vec<(f32, Vec3)>,
    /// The rotation from the world to each joint.
    joint_from_world: Vec<Mat3>,
    rows: Vec<Row>,
    contacts: SolidContacts,
    jacobian: Vec<f32>,
    reduced: Vec<f32>,
    square: Vec<f32>,
    lambda: Vec<f32>,
    /// The coordinates, and the shift of the centre of mass in units of [`SHIFT_UNIT_M`].
    z: Vec<f32>,
    centre_shift: Vec3,
    /// c.
    preferred: Vec<f32>,
    best: Vec<f32>,
    step: Vec<f32>,
    deviation: Vec<f32>,
    /// The rotations of the solved pose while it is moved.
    solved: Vec<Quat>,
    /// The basis of `z`.
    basis_id: Option<usize>,
    last_start: SearchStart,
}

/// The state from which the last search started.
#[derive(Debug, Clone, Default)]
struct SearchStart {
    z: Vec<f32>,
    contacts: SolidContacts,
    basis_id: Option<usize>,
}

/// A constraint on the position of a point along a direction.
#[derive(Debug, Clone, Copy)]
struct Row {
    joint: usize,
    position: Vec3,
    along: Vec3,
    error: f32,
    /// The index of the contact with a solid, which can only push.
    contact: Option<usize>,
}

impl PoseSolver {
    pub(crate) fn new(body: &CharacterBody) -> Self {
        let skeleton = body.skeleton();
        let dims = 3 * skeleton.len();
        Self {
            world: WorldPose::scratch(skeleton),
            pose: LocalPose::rest(skeleton),
            subtree_mass: vec![(0.0, Vec3::ZERO); skeleton.len()],
            joint_from_world: vec![Mat3::IDENTITY; skeleton.len()],
            rows: Vec::with_capacity(MAX_ROWS),
            contacts: SolidContacts::new(body),
            jacobian: vec![0.0; MAX_ROWS * dims],
            reduced: vec![0.0; MAX_ROWS * (dims + 3)],
            square: vec![0.0; MAX_ROWS * MAX_ROWS],
            lambda: vec![0.0; MAX_ROWS],
            z: vec![0.0; dims],
            centre_shift: Vec3::ZERO,
            preferred: vec![0.0; dims],
            best: vec![0.0; dims],
            step: vec![0.0; dims + 3],
            deviation: vec![0.0; dims],
            solved: vec![Quat::IDENTITY; skeleton.len()],
            basis_id: None,
            last_start: SearchStart {
                z: vec![0.0; dims],
                contacts: SolidContacts::new(body),
                basis_id: None,
            },
        }
    }

    /// Solves for the pose, which is then in [`PoseSolver::pose`] and [`PoseSolver::world`].
    pub(crate) fn solve(&mut self, problem: &PoseProblem<'_>) -> PoseSolution {
        self.last_start.z.copy_from_slice(&self.z);
        self.last_start.contacts.copy_from(&self.contacts);
        self.last_start.basis_id = self.basis_id;
        self.search(problem)
    }

    /// Solves the last problem again from the same start.
    pub(crate) fn solve_again(&mut self, problem: &PoseProblem<'_>) -> PoseSolution {
        self.z.copy_from_slice(&self.last_start.z);
        self.contacts.copy_from(&self.last_start.contacts);
        self.basis_id = self.last_start.basis_id;
        self.search(problem)
    }

    /// Solves a problem from the intended pose, without effect on the next search.
    pub(crate) fn solve_from_intended(&mut self, problem: &PoseProblem<'_>) -> PoseSolution {
        let kept = (self.z.clone(), self.contacts.clone(), self.basis_id.take());
        let solved = self.search(problem);
        (self.z, self.contacts, self.basis_id) = kept;
        solved
    }

    /// Starts the next search from the intended pose. Call this when the intended pose equals the last solution.
    pub(crate) fn reset(&mut self) {
        self.z.fill(0.0);
    }

    fn search(&mut self, problem: &PoseProblem<'_>) -> PoseSolution {
        let PoseProblem { basis, centre, .. } = *problem;
        let is_new = self.basis_id != Some(problem.basis_id);
        if is_new {
            self.z.fill(0.0);
            self.contacts.clear();
            self.basis_id = Some(problem.basis_id);
        }
        self.centre_shift = Vec3::ZERO;
        self.set_preferred(problem);
        let schedule: &[usize] = match problem.prior {
            None => &[],
            Some(_) if is_new => &NEW_DIRECTIONS,
            Some(_) => &CONTINUED_DIRECTIONS,
        };
        if !schedule.is_empty() {
            let rest = self.z.iter_mut().zip(&self.preferred).skip(FIRST_DIRECTIONS);
            rest.for_each(|(z, c)| *z += DECAY * (c - *z));
        }
        self.pose.positions.copy_from_slice(&problem.intended.positions);
        let (mut best, mut max_step_rad) =
            (PoseSolution { error_m: f32::MAX, ..PoseSolution::default() }, MAX_STEP_RAD);
        let mut last_excess_m = f32::MAX;
        for iteration in 0..=MAX_ITERATIONS {
            self.pose_at(problem, centre);
            let mut solved = self.collect_constraints(problem);
            solved.iterations = iteration;
            // The contacts of the last frame are outdated until they are updated once.
            let is_current = iteration > 0 || is_new || (self.rows.is_empty() && self.z == self.preferred);
            if is_current && solved.excess_m() < best.excess_m() {
                best = PoseSolution { centre_shift: self.centre_shift * SHIFT_UNIT_M, ..solved };
                self.best.copy_from_slice(&self.z);
            }
            if is_current && solved.is_accepted() || iteration == MAX_ITERATIONS {
                best.iterations = iteration;
                break;
            }
            if solved.excess_m() > SLOW_PROGRESS * last_excess_m {
                max_step_rad = (0.7 * max_step_rad).max(0.1);
            }
            last_excess_m = solved.excess_m();
            let used = schedule.get(iteration).map_or(basis.len(), |first| basis.len().min(*first));
            self.differentiate(problem);
            self.reduce(basis, used, iteration >= ITERATIONS_BEFORE_SHIFT);
            self.update(basis, used, iteration >= ITERATIONS_BEFORE_SHIFT, max_step_rad);
        }
        if !best.is_accepted() {
            self.z.copy_from_slice(&self.best);
            self.centre_shift = best.centre_shift / SHIFT_UNIT_M;
            self.pose_at(problem, centre);
        }
        best
    }

    /// Moves the solved pose towards the last one, until no joint is farther than `limit_m` from where it was. The centre of mass stays.
    pub(crate) fn approach(
        &mut self,
        problem: &PoseProblem<'_>,
        (rotations, positions): (&[Quat], &[Vec3]),
        limit_m: f32,
    ) -> PoseSolution {
        let centre = problem.body.centre(&self.world.positions);
        self.solved.copy_from_slice(&self.pose.rotations);
        let (mut low, mut high) = (0.0, 1.0);
        for step in 0..=APPROACH_STEPS {
            let t = if step == APPROACH_STEPS { low } else { 0.5 * (low + high) };
            for ((rotation, last), solved) in self.pose.rotations.iter_mut().zip(rotations).zip(&self.solved)
            {
                *rotation = last.slerp(*solved, t).normalize();
            }
            self.world.set(self.pose.view());
            let shift = centre - problem.body.centre(&self.world.positions);
            self.pose.positions[0] += shift;
            self.world.positions.iter_mut().for_each(|at| *at += shift);
            let moved = self.world.positions.iter().zip(positions).map(|(now, last)| now.distance(*last));
            *(if moved.fold(0.0, f32::max) <= limit_m { &mut low } else { &mut high }) = t;
        }
        self.collect_constraints(problem)
    }

    /// The solved pose.
    pub(crate) fn pose(&self) -> &LocalPose {
        &self.pose
    }

    /// The same pose in world coordinates.
    pub(crate) fn world(&self) -> &WorldPose {
        &self.world
    }

    /// Sets q from q̄ and z, with the centre of mass at its target.
    fn pose_at(&mut self, problem: &PoseProblem<'_>, centre: Vec3) {
        problem.basis.deviation_into(&self.z[..problem.basis.len()], &mut self.deviation);
        let deviations = self.deviation.as_chunks::<3>().0;
        let intended = &problem.intended.rotations;
        for ((rotation, intended), deviation) in self.pose.rotations.iter_mut().zip(intended).zip(deviations)
        {
            *rotation = (*intended * Quat::from_scaled_axis(Vec3::from_array(*deviation))).normalize();
        }
        self.world.set(self.pose.view());
        let shift = centre + self.centre_shift * SHIFT_UNIT_M - problem.body.centre(&self.world.positions);
        self.pose.positions[0] += shift;
        self.world.positions.iter_mut().for_each(|at| *at += shift);
    }

    /// Collects the constraints on the current pose, and measures its errors.
    fn collect_constraints(&mut self, problem: &PoseProblem<'_>) -> PoseSolution {
        self.rows.clear();
        let mut solved = PoseSolution::default();
        for target in problem.targets {
            let position = target.point.at(&self.world);
            let error = target.position - position;
            solved.error_m = solved.error_m.max(error.length());
            for along in Vec3::AXES {
                let joint = target.point.joint;
                self.rows.push(Row { joint, position, along, error: error.dot(along), contact: None });
            }
        }
        solved.depth_m = self.contacts.update(&self.world, problem.solids);
        for (index, contact) in self.contacts.all().iter().enumerate() {
            let SolidContact { joint, position, normal, depth_m, .. } = *contact;
            self.rows.push(Row { joint, position, along: normal, error: depth_m, contact: Some(index) });
        }
        solved
    }
}
