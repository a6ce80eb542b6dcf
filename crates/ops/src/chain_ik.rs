//! Several ends of a figure put where they are wanted at once: damped least squares over chains.
//!
//! Wampler, *Manipulator Inverse Kinematic Solutions Based on Vector Formulations and Damped Least-Squares Methods* (1986):
//! the change of joint angles Δθ that makes up for an error e is Jᵀ (J Jᵀ + λ² 1)⁻¹ e, which stays small where the plain
//! inverse would run away, near straight limbs. Every joint of a chain turns about three axes; a joint in two chains serves
//! both. After each step, turns are brought back into the ranges that joints were seen in.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | e | error: from an end to its goal, or from where it looks to where it should | m, rad |
//! | J | how ends move with turns, one row a coordinate, three columns a joint | m/rad |
//! | λ | `damping` | m |
//! | Δθ | turns of a step, about the axes of the world | rad |
//!
//! Limits: a local search from the pose as it is; what is out of reach is approached, and the result says what is left.
//! Ranges are boxes of rotation vectors ([`crate::limit`]).

use marey_motion::{LocalPose, Quat, Skeleton, Vec3, WorldPose};
use nalgebra::{DMatrix, DVector};

use crate::limit::{Limit, Turns};
use crate::{OutOfRange, Result};

/// What an end is to do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Goal {
    /// Be at a place in the world, in metres.
    Reach(Vec3),
    /// Look at a place in the world: point the given direction, told in the joint's frame, towards it.
    Look {
        /// Where to look, in metres.
        at: Vec3,
        /// Which way the joint looks, in its own frame.
        along: Vec3,
    },
}

/// An end of a chain, and what it is to do.
#[derive(Debug, Clone, PartialEq)]
pub struct Chain {
    /// The joint that is to reach or look.
    pub end: usize,
    /// The joints that may turn for it: the end or above it, in any order.
    pub joints: Vec<usize>,
    /// What it is to do.
    pub goal: Goal,
}

/// How to search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// How many steps at most; default 24; 1 to 1000.
    pub steps: u16,
    /// Damping, in metres; default 0.05; above 0 up to 10. More is steadier and slower.
    pub damping: f64,
    /// The most that a joint turns in a step, in radians; default 0.3; above 0 up to 3.
    pub most_turn_rad: f32,
    /// An error below this is none, in metres or radians; default 0.001; 0 to 1.
    pub enough: f32,
}

impl Default for Settings {
    fn default() -> Self {
        Self { steps: 24, damping: 0.05, most_turn_rad: 0.3, enough: 1e-3 }
    }
}

impl Settings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("steps", self.steps, 1..=1000)?;
        OutOfRange::check("damping", self.damping, f64::MIN_POSITIVE..=10.0)?;
        OutOfRange::check("most_turn_rad", self.most_turn_rad, f32::MIN_POSITIVE..=3.0)?;
        OutOfRange::check("enough", self.enough, 0.0..=1.0)?;
        Ok(())
    }
}

/// Turns the joints of chains so that their ends do as they are to; the largest error that is left, in metres or radians.
///
/// ```
/// use std::sync::Arc;
/// use marey_motion::{Joint, LocalPose, Skeleton, Vec3, WorldPose};
/// use marey_ops::chain_ik::{Chain, Goal, Settings, solve};
/// // An arm of two bones of 1 m reaches for a place 1.4 m away and up.
/// let joints = vec![
///     Joint::new("shoulder", None, Vec3::ZERO),
///     Joint::new("elbow", Some(0), Vec3::X),
///     Joint::new("hand", Some(1), Vec3::X),
/// ];
/// let skeleton = Arc::new(Skeleton::new(joints, vec![])?);
/// let mut pose = LocalPose::rest(&skeleton);
/// let goal = Vec3::new(1.0, 1.0, 0.0);
/// let chains = [Chain { end: 2, joints: vec![0, 1], goal: Goal::Reach(goal) }];
/// let left = solve(&skeleton, &mut pose, &chains, &[], &Settings::default())?;
/// assert!(left < 0.01);
/// assert!(WorldPose::of(&skeleton, pose.view()).positions[2].distance(goal) < 0.01);
/// # Ok::<(), marey_ops::Error>(())
/// ```
pub fn solve(
    skeleton: &std::sync::Arc<Skeleton>,
    pose: &mut LocalPose,
    chains: &[Chain],
    limits: &[Limit],
    settings: &Settings,
) -> Result<f32> {
    settings.validate()?;
    check(skeleton, pose, chains, limits)?;
    let mut turning: Vec<usize> = chains.iter().flat_map(|chain| chain.joints.iter().copied()).collect();
    turning.sort_unstable();
    turning.dedup();
    let rest = Turns::of(skeleton);
    let mut world = WorldPose::of(skeleton, pose.view());
    let mut errors = errors(&world, chains);
    for _ in 0..settings.steps {
        if largest(&errors) <= settings.enough || turning.is_empty() {
            break;
        }
        let turns = step(&world, chains, &turning, &errors, settings.damping);
        let most = turns.iter().map(|turn| turn.length()).fold(0.0, f32::max);
        let share = if most > settings.most_turn_rad { settings.most_turn_rad / most } else { 1.0 };
        for (&joint, turn) in turning.iter().zip(&turns) {
            // About the axes of the world, so seen from the parent; parents' own turns are in the step's other columns.
            let parent = skeleton.joints()[joint].parent.map_or(Quat::IDENTITY, |p| world.rotations[p]);
            let local = parent.inverse() * Quat::from_scaled_axis(*turn * share) * parent;
            pose.rotations[joint] = (local * pose.rotations[joint]).normalize();
        }
        for limit in limits {
            pose.rotations[limit.joint] = rest.within(limit, pose.rotations[limit.joint]);
        }
        world.set(pose.view());
        errors = self::errors(&world, chains);
    }
    Ok(largest(&errors))
}

/// Refuses joints that are not there, or not above their end.
fn check(skeleton: &Skeleton, pose: &LocalPose, chains: &[Chain], limits: &[Limit]) -> Result<()> {
    use marey_motion::Error;
    let wanted = skeleton.len();
    let there = |found: usize| match found < wanted {
        true => Ok(()),
        false => Err(Error::Length { what: "a joint of a chain", found, wanted }),
    };
    if pose.rotations.len() != wanted {
        return Err(Error::Length { what: "rotations", found: pose.rotations.len(), wanted }.into());
    }
    for chain in chains {
        there(chain.end)?;
        for &joint in &chain.joints {
            there(joint)?;
            if !skeleton.is_under(chain.end, joint) {
                let name = skeleton.joints()[joint].name.clone();
                return Err(
                    Error::Hierarchy { joint, name, problem: "is not above the end of its chain" }.into()
                );
            }
        }
        let numbers = match chain.goal {
            Goal::Reach(at) => at.is_finite(),
            Goal::Look { at, along } => at.is_finite() && along.is_finite(),
        };
        if !numbers {
            return Err(Error::NotFinite { what: "a goal", frame: 0, joint: chain.end }.into());
        }
    }
    for limit in limits {
        there(limit.joint)?;
        if !(limit.low_rad.is_finite() && limit.high_rad.is_finite()) {
            return Err(Error::NotFinite { what: "a limit", frame: 0, joint: limit.joint }.into());
        }
    }
    Ok(())
}

/// What each end is short of: a way in metres, or a turn in radians.
fn errors(world: &WorldPose, chains: &[Chain]) -> Vec<Vec3> {
    let error = |chain: &Chain| match chain.goal {
        Goal::Reach(at) => at - world.positions[chain.end],
        Goal::Look { at, along } => {
            let from = (world.rotations[chain.end] * along).normalize_or_zero();
            let to = (at - world.positions[chain.end]).normalize_or_zero();
            if from == Vec3::ZERO || to == Vec3::ZERO {
                return Vec3::ZERO;
            }
            let turn = Quat::from_rotation_arc(from, to);
            turn.to_scaled_axis()
        }
    };
    chains.iter().map(error).collect()
}

fn largest(errors: &[Vec3]) -> f32 {
    errors.iter().map(|error| error.length()).fold(0.0, f32::max)
}

/// Δθ = Jᵀ (J Jᵀ + λ² 1)⁻¹ e: a turn for each turning joint.
fn step(world: &WorldPose, chains: &[Chain], turning: &[usize], errors: &[Vec3], damping: f64) -> Vec<Vec3> {
    let rows = 3 * chains.len();
    let mut j = DMatrix::<f64>::zeros(rows, 3 * turning.len());
    for (c, chain) in chains.iter().enumerate() {
        for (t, &joint) in turning.iter().enumerate() {
            if !chain.joints.contains(&joint) {
                continue;
            }
            let arm = world.positions[chain.end] - world.positions[joint];
            for (axis, way) in Vec3::AXES.into_iter().enumerate() {
                let moved = match chain.goal {
                    Goal::Reach(_) => way.cross(arm),
                    Goal::Look { .. } => way,
                };
                for (row, value) in moved.to_array().into_iter().enumerate() {
                    j[(3 * c + row, 3 * t + axis)] = f64::from(value);
                }
            }
        }
    }
    let e = DVector::from_iterator(rows, errors.iter().flat_map(|error| error.to_array()).map(f64::from));
    let square = &j * j.transpose() + DMatrix::<f64>::identity(rows, rows) * (damping * damping);
    let solved = square.cholesky().map_or_else(|| DVector::zeros(rows), |cholesky| cholesky.solve(&e));
    let turns = j.transpose() * solved;
    turns.as_slice().chunks_exact(3).map(|t| Vec3::new(t[0] as f32, t[1] as f32, t[2] as f32)).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use marey_motion::Joint;
    use proptest::prelude::*;

    use super::*;

    fn arm() -> Arc<Skeleton> {
        let joints = vec![
            Joint::new("spine", None, Vec3::ZERO),
            Joint::new("shoulder", Some(0), Vec3::new(0.2, 0.5, 0.0)),
            Joint::new("elbow", Some(1), Vec3::new(0.3, 0.0, 0.0)),
            Joint::new("hand", Some(2), Vec3::new(0.25, 0.0, 0.0)),
            Joint::new("head", Some(0), Vec3::new(0.0, 0.7, 0.0)),
        ];
        Arc::new(Skeleton::new(joints, vec![]).unwrap())
    }

    proptest! {
        #[test]
        fn what_is_within_reach_is_reached_and_nothing_else_turns(
            a in -1f32..1.0, b in -1f32..1.0, c in -1f32..1.0, d in 0.1f32..1.5,
        ) {
            let skeleton = arm();
            // A place where the hand can be: the hand of another pose.
            let mut other = LocalPose::rest(&skeleton);
            other.rotations[1] = Quat::from_scaled_axis(Vec3::new(a, b, c));
            other.rotations[2] = Quat::from_rotation_y(-d);
            let goal = WorldPose::of(&skeleton, other.view()).positions[3];
            let mut pose = LocalPose::rest(&skeleton);
            pose.rotations[2] = Quat::from_rotation_y(-0.3);
            let chains = [Chain { end: 3, joints: vec![1, 2], goal: Goal::Reach(goal) }];
            let settings = Settings { steps: 200, ..Settings::default() };
            let left = solve(&skeleton, &mut pose, &chains, &[], &settings).unwrap();
            prop_assert!(left < 5e-3, "{left}");
            prop_assert_eq!(pose.rotations[0], Quat::IDENTITY);
            prop_assert!(WorldPose::of(&skeleton, pose.view()).positions[3].distance(goal) < 5e-3);
        }

        #[test]
        fn limits_are_kept(x in -2f32..2.0, y in -2f32..2.0, z in -2f32..2.0) {
            let skeleton = arm();
            let mut pose = LocalPose::rest(&skeleton);
            let chains = [Chain { end: 3, joints: vec![1, 2], goal: Goal::Reach(Vec3::new(x, y, z)) }];
            let limit = Limit { joint: 2, low_rad: Vec3::new(-0.01, -1.0, -0.01), high_rad: Vec3::new(0.01, 0.2, 0.01) };
            solve(&skeleton, &mut pose, &chains, &[limit], &Settings::default()).unwrap();
            let turn = pose.rotations[2].to_scaled_axis();
            prop_assert!(turn.x.abs() < 0.011 && turn.z.abs() < 0.011 && (-1.001..0.201).contains(&turn.y), "{turn}");
        }
    }

    #[test]
    fn a_head_looks_while_a_hand_reaches() {
        let skeleton = arm();
        let mut pose = LocalPose::rest(&skeleton);
        let (goal, seen) = (Vec3::new(0.3, 0.6, 0.4), Vec3::new(1.0, 0.9, 2.0));
        let chains = [
            Chain { end: 3, joints: vec![0, 1, 2], goal: Goal::Reach(goal) },
            Chain { end: 4, joints: vec![4], goal: Goal::Look { at: seen, along: Vec3::Z } },
        ];
        let settings = Settings { steps: 200, ..Settings::default() };
        assert!(solve(&skeleton, &mut pose, &chains, &[], &settings).unwrap() < 5e-3);
        let world = WorldPose::of(&skeleton, pose.view());
        let looks = world.rotations[4] * Vec3::Z;
        assert!(looks.angle_between(seen - world.positions[4]) < 0.01);
        assert!(world.positions[3].distance(goal) < 5e-3);
    }

    #[test]
    fn what_makes_no_sense_is_refused_and_what_is_far_is_approached() {
        let skeleton = arm();
        let mut pose = LocalPose::rest(&skeleton);
        let chain = |end, joints: &[usize], goal| [Chain { end, joints: joints.to_vec(), goal }];
        let far = Goal::Reach(Vec3::new(9.0, 0.5, 0.0));
        let mut solve =
            |chains: &[Chain]| super::solve(&skeleton, &mut pose, chains, &[], &Settings::default());
        assert!(solve(&chain(9, &[0], far)).is_err() && solve(&chain(3, &[9], far)).is_err());
        assert!(solve(&chain(3, &[4], far)).is_err());
        assert!(solve(&chain(3, &[1], Goal::Reach(Vec3::NAN))).is_err());
        // 0.75 m of reach: 8.25 m are left.
        let left = solve(&chain(3, &[1, 2], far)).unwrap();
        assert!((left - 8.25).abs() < 0.05, "{left}");
    }
}
