//! Inverse kinematics for several end effectors at once, by damped least squares.
//!
//! Wampler, *Manipulator Inverse Kinematic Solutions Based on Vector Formulations and Damped Least-Squares
//! Methods* (1986): the change of joint angles Δθ for an error e is Jᵀ (J Jᵀ + λ² 1)⁻¹ e, which stays small
//! near singular poses such as straight limbs. Every joint of a chain rotates about three axes; a joint in
//! two chains serves both. After each step, rotations are clamped to the joint limits.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | e | error: from an end effector to its goal, or from its look direction to the wanted one | m, rad |
//! | J | Jacobian: one row per coordinate, three columns per joint | m/rad |
//! | λ | `damping` | m |
//! | Δθ | rotations of a step, about the world axes | rad |
//!
//! Limits: this is a local search from the given pose; unreachable goals are approached, and the result
//! states the remaining error. Joint limits are boxes of rotation vectors ([`crate::limit`]).

use marey_motion::{LocalPose, Quat, Skeleton, Vec3, WorldPose};
use nalgebra::{DMatrix, DVector};

use crate::limit::{JointLimit, Turns};
use crate::{OutOfRange, Result};

/// Goal of an end effector.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum IkGoal {
    /// Move to a position in the world, in metres.
    Reach(Vec3),
    /// Look at a position in the world: point `along`, a direction in the joint's frame, towards it.
    Look {
        /// The position to look at, in metres.
        at: Vec3,
        /// The look direction in the frame of the joint.
        along: Vec3,
    },
}

/// An end effector, the joints that may move for it, and its goal.
#[derive(Debug, Clone, PartialEq)]
pub struct IkChain {
    /// The joint that reaches or looks.
    pub end: usize,
    /// The joints that may rotate: the end effector or its ancestors, in any order.
    pub joints: Vec<usize>,
    /// Its goal.
    pub goal: IkGoal,
}

/// Settings of the search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChainIkSettings {
    /// Largest number of steps; default 24; 1 to 1000.
    pub steps: u16,
    /// Damping, in metres; default 0.05; above 0 up to 10. Larger values are more stable and slower.
    pub damping: f64,
    /// Largest rotation of a joint per step, in radians; default 0.3; above 0 up to 3.
    pub most_turn_rad: f32,
    /// Tolerance, in metres or radians; default 0.001; 0 to 1.
    pub enough: f32,
}

impl Default for ChainIkSettings {
    fn default() -> Self {
        Self { steps: 24, damping: 0.05, most_turn_rad: 0.3, enough: 1e-3 }
    }
}

impl ChainIkSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("steps", self.steps, 1..=1000)?;
        OutOfRange::check("damping", self.damping, f64::MIN_POSITIVE..=10.0)?;
        OutOfRange::check("most_turn_rad", self.most_turn_rad, f32::MIN_POSITIVE..=3.0)?;
        OutOfRange::check("enough", self.enough, 0.0..=1.0)?;
        Ok(())
    }
}

/// Rotates the joints of chains towards their goals. Returns the largest remaining error, in metres or
/// radians.
///
/// ```
/// use std::sync::Arc;
/// use marey_motion::{Joint, LocalPose, Skeleton, Vec3, WorldPose};
/// use marey_ops::chain_ik::{IkChain, IkGoal, ChainIkSettings, solve};
/// // An arm of two bones of 1 m reaches for a place 1.4 m away and up.
/// let joints = vec![
///     Joint::new("shoulder", None, Vec3::ZERO),
///     Joint::new("elbow", Some(0), Vec3::X),
///     Joint::new("hand", Some(1), Vec3::X),
/// ];
/// let skeleton = Arc::new(Skeleton::new(joints, vec![])?);
/// let mut pose = LocalPose::rest(&skeleton);
/// let goal = Vec3::new(1.0, 1.0, 0.0);
/// let chains = [IkChain { end: 2, joints: vec![0, 1], goal: IkGoal::Reach(goal) }];
/// let left = solve(&skeleton, &mut pose, &chains, &[], &ChainIkSettings::default())?;
/// assert!(left < 0.01);
/// assert!(WorldPose::of(&skeleton, pose.view()).positions[2].distance(goal) < 0.01);
/// # Ok::<(), marey_ops::OpsError>(())
/// ```
pub fn solve(
    skeleton: &std::sync::Arc<Skeleton>,
    pose: &mut LocalPose,
    chains: &[IkChain],
    limits: &[JointLimit],
    settings: &ChainIkSettings,
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
            // Rotations are about the world axes, so relative to the parent; the rotations of the ancestors
            // are in other columns.
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

/// Rejects joints that do not exist or are not ancestors of their end effector.
fn check(skeleton: &Skeleton, pose: &LocalPose, chains: &[IkChain], limits: &[JointLimit]) -> Result<()> {
    use marey_motion::MotionError;
    let wanted = skeleton.len();
    let there = |found: usize| match found < wanted {
        true => Ok(()),
        false => Err(MotionError::Length { what: "a joint of a chain", found, wanted }),
    };
    if pose.rotations.len() != wanted {
        return Err(MotionError::Length { what: "rotations", found: pose.rotations.len(), wanted }.into());
    }
    for chain in chains {
        there(chain.end)?;
        for &joint in &chain.joints {
            there(joint)?;
            if !skeleton.is_under(chain.end, joint) {
                let name = skeleton.joints()[joint].name.clone();
                return Err(MotionError::Hierarchy {
                    joint,
                    name,
                    problem: "is not above the end of its chain",
                }
                .into());
            }
        }
        let numbers = match chain.goal {
            IkGoal::Reach(at) => at.is_finite(),
            IkGoal::Look { at, along } => at.is_finite() && along.is_finite(),
        };
        if !numbers {
            return Err(MotionError::NotFinite { what: "a goal", frame: 0, joint: chain.end }.into());
        }
    }
    for limit in limits {
        there(limit.joint)?;
        if !(limit.low_rad.is_finite() && limit.high_rad.is_finite()) {
            return Err(MotionError::NotFinite { what: "a limit", frame: 0, joint: limit.joint }.into());
        }
    }
    Ok(())
}

/// The error of each end effector: a translation in metres or a rotation in radians.
fn errors(world: &WorldPose, chains: &[IkChain]) -> Vec<Vec3> {
    let error = |chain: &IkChain| match chain.goal {
        IkGoal::Reach(at) => at - world.positions[chain.end],
        IkGoal::Look { at, along } => {
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

/// Δθ = Jᵀ (J Jᵀ + λ² 1)⁻¹ e: one rotation per joint.
fn step(
    world: &WorldPose,
    chains: &[IkChain],
    turning: &[usize],
    errors: &[Vec3],
    damping: f64,
) -> Vec<Vec3> {
    let rows = 3 * chains.len();
    let mut j = DMatrix::<f64>::zeros(rows, 3 * turning.len());
    for (c, chain) in chains.iter().enumerate() {
        for (t, &joint) in turning.iter().enumerate() {
            if !chain.joints.contains(&joint) {
                continue;
            }
            let arm = world.positions[chain.end] - world.positions[joint];
            for (axis, axis_direction) in Vec3::AXES.into_iter().enumerate() {
                let moved = match chain.goal {
                    IkGoal::Reach(_) => axis_direction.cross(arm),
                    IkGoal::Look { .. } => axis_direction,
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
        fn reachable_goals_are_reached_and_other_joints_stay(
            a in -1f32..1.0, b in -1f32..1.0, c in -1f32..1.0, d in 0.1f32..1.5,
        ) {
            let skeleton = arm();
            // A reachable position: the hand of another pose.
            let mut other = LocalPose::rest(&skeleton);
            other.rotations[1] = Quat::from_scaled_axis(Vec3::new(a, b, c));
            other.rotations[2] = Quat::from_rotation_y(-d);
            let goal = WorldPose::of(&skeleton, other.view()).positions[3];
            let mut pose = LocalPose::rest(&skeleton);
            pose.rotations[2] = Quat::from_rotation_y(-0.3);
            let chains = [IkChain { end: 3, joints: vec![1, 2], goal: IkGoal::Reach(goal) }];
            let settings = ChainIkSettings { steps: 200, ..ChainIkSettings::default() };
            let left = solve(&skeleton, &mut pose, &chains, &[], &settings).unwrap();
            prop_assert!(left < 5e-3, "{left}");
            prop_assert_eq!(pose.rotations[0], Quat::IDENTITY);
            prop_assert!(WorldPose::of(&skeleton, pose.view()).positions[3].distance(goal) < 5e-3);
        }

        #[test]
        fn limits_are_kept(x in -2f32..2.0, y in -2f32..2.0, z in -2f32..2.0) {
            let skeleton = arm();
            let mut pose = LocalPose::rest(&skeleton);
            let chains = [IkChain { end: 3, joints: vec![1, 2], goal: IkGoal::Reach(Vec3::new(x, y, z)) }];
            let limit = JointLimit { joint: 2, low_rad: Vec3::new(-0.01, -1.0, -0.01), high_rad: Vec3::new(0.01, 0.2, 0.01) };
            solve(&skeleton, &mut pose, &chains, &[limit], &ChainIkSettings::default()).unwrap();
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
            IkChain { end: 3, joints: vec![0, 1, 2], goal: IkGoal::Reach(goal) },
            IkChain { end: 4, joints: vec![4], goal: IkGoal::Look { at: seen, along: Vec3::Z } },
        ];
        let settings = ChainIkSettings { steps: 200, ..ChainIkSettings::default() };
        assert!(solve(&skeleton, &mut pose, &chains, &[], &settings).unwrap() < 5e-3);
        let world = WorldPose::of(&skeleton, pose.view());
        let looks = world.rotations[4] * Vec3::Z;
        assert!(looks.angle_between(seen - world.positions[4]) < 0.01);
        assert!(world.positions[3].distance(goal) < 5e-3);
    }

    #[test]
    fn invalid_goals_are_rejected_and_distant_ones_approached() {
        let skeleton = arm();
        let mut pose = LocalPose::rest(&skeleton);
        let chain = |end, joints: &[usize], goal| [IkChain { end, joints: joints.to_vec(), goal }];
        let far = IkGoal::Reach(Vec3::new(9.0, 0.5, 0.0));
        let mut solve =
            |chains: &[IkChain]| super::solve(&skeleton, &mut pose, chains, &[], &ChainIkSettings::default());
        assert!(solve(&chain(9, &[0], far)).is_err() && solve(&chain(3, &[9], far)).is_err());
        assert!(solve(&chain(3, &[4], far)).is_err());
        assert!(solve(&chain(3, &[1], IkGoal::Reach(Vec3::NAN))).is_err());
        // The reach is 0.75 m, so 8.25 m remain.
        let left = solve(&chain(3, &[1, 2], far)).unwrap();
        assert!((left - 8.25).abs() < 0.05, "{left}");
    }
}
