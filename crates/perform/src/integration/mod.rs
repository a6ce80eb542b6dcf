//! The pose that meets the simulated centre of mass and the contacts, as near as possible to the intended pose (section 7).
//!
//! Eq. 12: min ‖q − q̄‖² so that the centre of mass is at x, each holding end at its contact p, and nothing inside a solid. The
//! search runs in the directions of [`Basis`], the first few at first; more are added from one iteration to the next, until all are
//! there.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | q̄ | the intended pose | |
//! | z | coordinates of q relative to q̄, in standard deviations of the basis | |
//! | J | derivative of the limb ends, relative to the centre of mass, with respect to z | m |
//! | e | distance of the limb ends to their targets | m |
//! | λ | Lagrange multiplier of each constraint | |
//! | c | coordinates of the most likely pose, weighted against q̄ | |
//!
//! Each iteration sets z = c + Jᵀ λ, λ = (J Jᵀ + μ)⁻¹ (e + J (z − c)): the z nearest to c that meets the linearised constraints.
//!
//! Changes to the paper:
//!
//! - Distance is measured in standard deviations of the example, not in radians, and the intended pose is weighted against its
//!   likelihood: q̄ counts as a noisy measurement ([`Likely`]); c is the most likely pose given both.
//! - The root is not searched for: it is placed so that the centre of mass is exactly at its target.
//! - A point inside a solid becomes a constraint when it is detected, and is released when its λ would pull it in.
//! - The search starts from the last frame's result, so one or two iterations are enough. The first directions suffice for nearly every
//!   pose. The coordinates of the other directions decay from frame to frame, so that poses do not jump when they are no longer
//!   needed. Without an example, all directions are used from the start.
//! - If no pose meets all constraints, the centre of mass moves by as little as possible: limbs have a fixed length, and the spring
//!   between a hold and the centre of mass can stretch farther than an arm.
//!
//! Limits: a local search. If holds contradict each other, the result is the nearest pose, and [`PoseSolution`] has the error.

mod likely;
mod linear;
mod step;
mod touch;

use glam::{Mat3, Quat, Vec3};
use marey_motion::{LocalPose, WorldPose};

use crate::basis::Basis;
use crate::character_body::{CharacterBody, FixedPoint};
use crate::geometry::Geometry;
pub(crate) use likely::Likely;
pub(crate) use linear::{dot, solve_in_place};
use touch::{MOST_TOUCHES, Touch, Touches};

/// The quality of a solved pose.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PoseSolution {
    /// The largest distance of a limb end from its contact, in metres.
    pub error_m: f32,
    /// The largest depth of a point inside a solid, in metres.
    pub depth_m: f32,
    /// The shift of the centre of mass from its simulated position, in metres.
    pub gave: Vec3,
    /// The number of iterations.
    pub iterations: usize,
}

impl PoseSolution {
    fn is_enough(&self) -> bool {
        self.error_m <= ENOUGH_M && self.depth_m <= SKIN_M
    }

    /// The error beyond the tolerances, in metres.
    fn lack_m(&self) -> f32 {
        (self.error_m - ENOUGH_M).max(0.0) + (self.depth_m - SKIN_M).max(0.0)
    }
}

/// The target of a limb end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Target {
    /// The number of the limb end in [`crate::Effector::ALL`].
    pub(crate) slot: usize,
    pub(crate) point: FixedPoint,
    pub(crate) place: Vec3,
}

/// The problem to solve.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Problem<'a> {
    pub(crate) body: &'a CharacterBody,
    pub(crate) basis: &'a Basis,
    /// The number of the basis: coordinates of another basis cannot be reused.
    pub(crate) number: usize,
    pub(crate) likely: Option<Likely<'a>>,
    /// q̄.
    pub(crate) meant: &'a LocalPose,
    /// x.
    pub(crate) centre: Vec3,
    pub(crate) targets: &'a [Target],
    /// The solids within reach, with stable numbers.
    pub(crate) solids: &'a [(usize, Geometry)],
}

/// The number of directions in the first iterations, for a new search and for a continued one; after these, all directions.
const EXPANSION: [usize; 3] = [12, FEW, FEW];
const GOING_ON: [usize; 2] = [FEW, FEW];
/// The number of directions of an example that suffice for nearly every pose.
const FEW: usize = 20;
/// The share by which the coordinates of other directions decay from frame to frame.
const RELAX: f32 = 0.1;
/// If an iteration leaves more than this share of the error, the next step is shorter.
const PROGRESS: f32 = 0.7;
/// The number of iterations after which the centre of mass may move.
const GIVING: usize = 10;
/// The largest number of iterations.
const MOST_ITERATIONS: usize = 40;
/// The tolerance of limb ends, in metres.
const ENOUGH_M: f32 = 4e-4;
/// The tolerated depth inside a solid, in metres.
const SKIN_M: f32 = 0.002;
/// μ, in m².
const DAMPING: f32 = 1e-7;
/// The largest rotation of a pose in an iteration, in radians.
const MOST_TURN_RAD: f32 = 0.8;
/// The shift of the centre of mass that costs as much as one standard deviation of the pose, in metres.
const GIVE_M: f32 = 0.01;
/// The largest number of rows: four limb ends with three rows each, and points in solids.
const MOST_ROWS: usize = 4 * 3 + MOST_TOUCHES;

/// The solver for one body, with its buffers and the last result.
#[derive(Debug, Clone)]
pub(crate) struct Integrator {
    world: WorldPose,
    pose: LocalPose,
    /// Σ of weights, and of weights times places, under each joint.
    carried: Vec<(f32, Vec3)>,
    /// The rotation from the world to each joint.
    own_from_world: Vec<Mat3>,
    rows: Vec<Row>,
    touches: Touches,
    jacobian: Vec<f32>,
    reduced: Vec<f32>,
    square: Vec<f32>,
    lambda: Vec<f32>,
    /// The coordinates, and the shift of the centre of mass in units of [`GIVE_M`].
    z: Vec<f32>,
    gave: Vec3,
    /// c.
    likeliest: Vec<f32>,
    best: Vec<f32>,
    step: Vec<f32>,
    deviation: Vec<f32>,
    /// The number of the basis of `z`.
    number: Option<usize>,
    before: Before,
}

/// The start of the last search.
#[derive(Debug, Clone, Default)]
struct Before {
    z: Vec<f32>,
    touches: Touches,
    number: Option<usize>,
}

/// A constraint on the position of a point along a direction.
#[derive(Debug, Clone, Copy)]
struct Row {
    joint: usize,
    place: Vec3,
    along: Vec3,
    error: f32,
    /// The number of the touch, if the constraint only pushes.
    touch: Option<usize>,
}

impl Integrator {
    pub(crate) fn new(body: &CharacterBody) -> Self {
        let skeleton = body.skeleton();
        let dims = 3 * skeleton.len();
        Self {
            world: WorldPose::scratch(skeleton),
            pose: LocalPose::rest(skeleton),
            carried: vec![(0.0, Vec3::ZERO); skeleton.len()],
            own_from_world: vec![Mat3::IDENTITY; skeleton.len()],
            rows: Vec::with_capacity(MOST_ROWS),
            touches: Touches::new(body),
            jacobian: vec![0.0; MOST_ROWS * dims],
            reduced: vec![0.0; MOST_ROWS * (dims + 3)],
            square: vec![0.0; MOST_ROWS * MOST_ROWS],
            lambda: vec![0.0; MOST_ROWS],
            z: vec![0.0; dims],
            gave: Vec3::ZERO,
            likeliest: vec![0.0; dims],
            best: vec![0.0; dims],
            step: vec![0.0; dims + 3],
            deviation: vec![0.0; dims],
            number: None,
            before: Before { z: vec![0.0; dims], touches: Touches::new(body), number: None },
        }
    }

    /// Solves for the pose, which is then in [`Integrator::pose`] and [`Integrator::world`].
    pub(crate) fn solve(&mut self, problem: &Problem<'_>) -> PoseSolution {
        self.before.z.copy_from_slice(&self.z);
        self.before.touches.copy_from(&self.touches);
        self.before.number = self.number;
        self.search(problem)
    }

    /// Solves the last problem again from the same start.
    pub(crate) fn solve_again(&mut self, problem: &Problem<'_>) -> PoseSolution {
        self.z.copy_from_slice(&self.before.z);
        self.touches.copy_from(&self.before.touches);
        self.number = self.before.number;
        self.search(problem)
    }

    /// Solves a problem from the intended pose, without effect on the next search.
    pub(crate) fn solve_anew(&mut self, problem: &Problem<'_>) -> PoseSolution {
        let kept = (self.z.clone(), self.touches.clone(), self.number.take());
        let solved = self.search(problem);
        (self.z, self.touches, self.number) = kept;
        solved
    }

    /// Starts the next search from the intended pose, because it equals the last one.
    pub(crate) fn rest(&mut self) {
        self.z.fill(0.0);
    }

    fn search(&mut self, problem: &Problem<'_>) -> PoseSolution {
        let Problem { basis, centre, .. } = *problem;
        let anew = self.number != Some(problem.number);
        if anew {
            self.z.fill(0.0);
            self.touches.clear();
            self.number = Some(problem.number);
        }
        self.gave = Vec3::ZERO;
        self.weigh(problem);
        let expansion: &[usize] = match problem.likely {
            None => &[],
            Some(_) if anew => &EXPANSION,
            Some(_) => &GOING_ON,
        };
        if !expansion.is_empty() {
            let rest = self.z.iter_mut().zip(&self.likeliest).skip(FEW);
            rest.for_each(|(z, c)| *z += RELAX * (c - *z));
        }
        self.pose.positions.copy_from_slice(&problem.meant.positions);
        let (mut best, mut turn_rad) =
            (PoseSolution { error_m: f32::MAX, ..PoseSolution::default() }, MOST_TURN_RAD);
        let mut before = f32::MAX;
        for iteration in 0..=MOST_ITERATIONS {
            self.pose_at(problem, centre);
            let mut solved = self.gather(problem);
            solved.iterations = iteration;
            // Touches of the last frame are updated at least once.
            let is_fresh = iteration > 0 || anew || (self.rows.is_empty() && self.z == self.likeliest);
            if is_fresh && solved.lack_m() < best.lack_m() {
                best = PoseSolution { gave: self.gave * GIVE_M, ..solved };
                self.best.copy_from_slice(&self.z);
            }
            if is_fresh && solved.is_enough() || iteration == MOST_ITERATIONS {
                best.iterations = iteration;
                break;
            }
            if solved.lack_m() > PROGRESS * before {
                turn_rad = (0.7 * turn_rad).max(0.1);
            }
            before = solved.lack_m();
            let used = expansion.get(iteration).map_or(basis.len(), |first| basis.len().min(*first));
            self.differentiate(problem);
            self.reduce(basis, used, iteration >= GIVING);
            self.go_on(basis, used, iteration >= GIVING, turn_rad);
        }
        if !best.is_enough() {
            self.z.copy_from_slice(&self.best);
            self.gave = best.gave / GIVE_M;
            self.pose_at(problem, centre);
        }
        best
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
    fn pose_at(&mut self, problem: &Problem<'_>, centre: Vec3) {
        problem.basis.deviation_into(&self.z[..problem.basis.len()], &mut self.deviation);
        let deviations = self.deviation.as_chunks::<3>().0;
        let meant = &problem.meant.rotations;
        for ((rotation, meant), away) in self.pose.rotations.iter_mut().zip(meant).zip(deviations) {
            *rotation = (*meant * Quat::from_scaled_axis(Vec3::from_array(*away))).normalize();
        }
        self.world.set(self.pose.view());
        let shift = centre + self.gave * GIVE_M - problem.body.centre(&self.world.positions);
        self.pose.positions[0] += shift;
        self.world.positions.iter_mut().for_each(|at| *at += shift);
    }

    /// Collects the violated constraints.
    fn gather(&mut self, problem: &Problem<'_>) -> PoseSolution {
        self.rows.clear();
        let mut solved = PoseSolution::default();
        for target in problem.targets {
            let place = target.point.at(&self.world);
            let error = target.place - place;
            solved.error_m = solved.error_m.max(error.length());
            for along in Vec3::AXES {
                let joint = target.point.joint;
                self.rows.push(Row { joint, place, along, error: error.dot(along), touch: None });
            }
        }
        solved.depth_m = self.touches.find(&self.world, problem.solids);
        for (number, touch) in self.touches.all().iter().enumerate() {
            let Touch { joint, place, normal, depth_m, .. } = *touch;
            self.rows.push(Row { joint, place, along: normal, error: depth_m, touch: Some(number) });
        }
        solved
    }
}
