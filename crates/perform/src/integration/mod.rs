//! The pose that meets the simulated centre of mass and the contacts, as near as possible to the pose that was meant (section 7).
//!
//! Eq. 12: min ‖q − q̄‖² so that the centre of mass is at x, each holding end at its contact p, and nothing inside a solid. The
//! search runs in the directions of [`Basis`], the first few at first; more are added from one iteration to the next, until all are
//! there.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | q̄ | the pose that was meant | |
//! | z | coordinates of q away from q̄, in deviations of the basis | |
//! | J | how ends move against the centre of mass with z | m |
//! | e | from where ends are to where they should be | m |
//! | λ | how strongly each constraint acts | |
//! | c | coordinates of the likeliest pose, weighed against q̄ | |
//!
//! Each iteration takes z = c + Jᵀ λ, λ = (J Jᵀ + μ)⁻¹ (e + J (z − c)): the z nearest to c that meets the constraints as they are seen
//! from here.
//! Changed, with the reason:
//!
//! - distance is measured in deviations of the example, not in radians, and what was meant is weighed against what is likely: q̄ is
//!   taken for a pose that was seen, of which the example knows a little better ([`Likely`]); c is the likeliest pose between both;
//! - where the root goes is not searched for but put so that the centre of mass is exactly where it should be;
//! - what is inside a solid becomes a constraint when it is found there, and is none any more when its λ would pull it in;
//! - the search begins where the last frame's ended, so that one or two iterations do; the first directions do for nearly every pose, and
//!   what others were needed for is let go a little from frame to frame, so that poses do not jump from what many directions find to
//!   what few do; without an example, all directions are used at once;
//! - where no pose meets all of it, the centre of mass gives way, by a little as possible: limbs have a length, and the spring
//!   between a hold and the centre of mass lets through what no arm does.
//!
//! Limits: a local search; where holds contradict each other, the nearest is taken, and [`Solved`] says by how much it fails.

mod likely;
mod linear;
mod step;
mod touch;

use glam::{Mat3, Quat, Vec3};
use marey_motion::{LocalPose, WorldPose};

use crate::basis::Basis;
use crate::body::{Body, Fixed};
use crate::geometry::Geometry;
pub(crate) use likely::Likely;
pub(crate) use linear::{dot, solve_in_place};
use touch::{MOST_TOUCHES, Touch, Touches};

/// How a pose was found.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Solved {
    /// The largest distance of an end from its contact that is left, in metres.
    pub error_m: f32,
    /// How deep a point is inside a solid at most, in metres.
    pub depth_m: f32,
    /// How far the centre of mass had to give way, in metres.
    pub gave: Vec3,
    /// How many iterations it took.
    pub iterations: usize,
}

impl Solved {
    fn is_enough(&self) -> bool {
        self.error_m <= ENOUGH_M && self.depth_m <= SKIN_M
    }

    /// How far it is from enough, in metres.
    fn lack_m(&self) -> f32 {
        (self.error_m - ENOUGH_M).max(0.0) + (self.depth_m - SKIN_M).max(0.0)
    }
}

/// What an end is to be at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Target {
    /// Which end it is, among [`crate::Effector::ALL`].
    pub(crate) slot: usize,
    pub(crate) point: Fixed,
    pub(crate) place: Vec3,
}

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Problem<'a> {
    pub(crate) body: &'a Body,
    pub(crate) basis: &'a Basis,
    /// Which basis it is: what was found in another is of no use in this one.
    pub(crate) number: usize,
    pub(crate) likely: Option<Likely<'a>>,
    /// q̄.
    pub(crate) meant: &'a LocalPose,
    /// x.
    pub(crate) centre: Vec3,
    pub(crate) targets: &'a [Target],
    /// What is in the way, with numbers that stay.
    pub(crate) solids: &'a [(usize, Geometry)],
}

/// How many directions the first iterations have, where a search begins anew and where it goes on; after these, all.
const EXPANSION: [usize; 3] = [12, FEW, FEW];
const GOING_ON: [usize; 2] = [FEW, FEW];
/// So many directions of an example do for nearly every pose.
const FEW: usize = 20;
/// How much of what other directions were needed for is let go from one frame to the next.
const RELAX: f32 = 0.1;
/// Where an iteration leaves more than this share of what was wrong, the next goes less far.
const PROGRESS: f32 = 0.7;
/// After so many iterations the centre of mass may give way.
const GIVING: usize = 10;
/// As many iterations at most.
const MOST_ITERATIONS: usize = 40;
/// An end this near is there, in metres.
const ENOUGH_M: f32 = 4e-4;
/// Inside a solid by less than this is not inside, in metres.
const SKIN_M: f32 = 0.002;
/// μ, in m².
const DAMPING: f32 = 1e-7;
/// No pose turns farther in an iteration, in radians.
const MOST_TURN_RAD: f32 = 0.8;
/// How far the centre of mass gives way as readily as a pose does by a deviation, in metres.
const GIVE_M: f32 = 0.01;
/// Holds of four ends, three rows each, and points in solids.
const MOST_ROWS: usize = 4 * 3 + MOST_TOUCHES;

/// Room to solve in, for one body; and what was found last.
#[derive(Debug, Clone)]
pub(crate) struct Integrator {
    world: WorldPose,
    pose: LocalPose,
    /// Σ of weights, and of weights times places, under each joint.
    carried: Vec<(f32, Vec3)>,
    /// From the world's axes to those of each joint.
    own_from_world: Vec<Mat3>,
    rows: Vec<Row>,
    touches: Touches,
    jacobian: Vec<f32>,
    reduced: Vec<f32>,
    square: Vec<f32>,
    lambda: Vec<f32>,
    /// Coordinates, and the way of the centre of mass over [`GIVE_M`].
    z: Vec<f32>,
    gave: Vec3,
    /// c.
    likeliest: Vec<f32>,
    best: Vec<f32>,
    step: Vec<f32>,
    deviation: Vec<f32>,
    /// The basis that `z` is of.
    number: Option<usize>,
    before: Before,
}

/// What the last search began with.
#[derive(Debug, Clone, Default)]
struct Before {
    z: Vec<f32>,
    touches: Touches,
    number: Option<usize>,
}

/// A direction in which a point must be somewhere.
#[derive(Debug, Clone, Copy)]
struct Row {
    joint: usize,
    place: Vec3,
    along: Vec3,
    error: f32,
    /// Whether it only pushes: which of the touches it is.
    touch: Option<usize>,
}

impl Integrator {
    pub(crate) fn new(body: &Body) -> Self {
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

    /// Finds the pose; it is then in [`Integrator::pose`] and [`Integrator::world`].
    pub(crate) fn solve(&mut self, problem: &Problem<'_>) -> Solved {
        self.before.z.copy_from_slice(&self.z);
        self.before.touches.copy_from(&self.touches);
        self.before.number = self.number;
        self.search(problem)
    }

    /// Solves the last problem once more, from where that began.
    pub(crate) fn solve_again(&mut self, problem: &Problem<'_>) -> Solved {
        self.z.copy_from_slice(&self.before.z);
        self.touches.copy_from(&self.before.touches);
        self.number = self.before.number;
        self.search(problem)
    }

    /// Solves a problem from the pose that is meant. What comes after does not begin from there.
    pub(crate) fn solve_anew(&mut self, problem: &Problem<'_>) -> Solved {
        let kept = (self.z.clone(), self.touches.clone(), self.number.take());
        let solved = self.search(problem);
        (self.z, self.touches, self.number) = kept;
        solved
    }

    /// The pose that is meant begins as the last one was: the next search begins from it.
    pub(crate) fn rest(&mut self) {
        self.z.fill(0.0);
    }

    fn search(&mut self, problem: &Problem<'_>) -> Solved {
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
        let (mut best, mut turn_rad) = (Solved { error_m: f32::MAX, ..Solved::default() }, MOST_TURN_RAD);
        let mut before = f32::MAX;
        for iteration in 0..=MOST_ITERATIONS {
            self.pose_at(problem, centre);
            let mut solved = self.gather(problem);
            solved.iterations = iteration;
            // What is there from the last frame is seen anew at least once.
            let is_fresh = iteration > 0 || anew || (self.rows.is_empty() && self.z == self.likeliest);
            if is_fresh && solved.lack_m() < best.lack_m() {
                best = Solved { gave: self.gave * GIVE_M, ..solved };
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

    /// The pose that was found.
    pub(crate) fn pose(&self) -> &LocalPose {
        &self.pose
    }

    /// The same, in the world.
    pub(crate) fn world(&self) -> &WorldPose {
        &self.world
    }

    /// q = q̄ away by z, the centre of mass where it should be.
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

    /// Collects what is still wrong.
    fn gather(&mut self, problem: &Problem<'_>) -> Solved {
        self.rows.clear();
        let mut solved = Solved::default();
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
