//! Retargeting: motion on a body with other proportions, rest pose or joints.
//!
//! A body with the same joints and bones gets the motion unchanged, and one with the same joints and other
//! proportions the same rotations (`same_joints.rs`). Otherwise joints are paired by their roles. Each joint
//! transfers its world rotation from the T-pose ([`t_pose`](crate::t_pose)) of its body, which depends neither on
//! the joint axes of a skeleton nor on the pose in which a file rests: an arm that points at something points
//! there again. Trunks with different numbers of joints are matched along their length. Then the legs are
//! solved again, so that feet stand where they stood, and the arms, so that hands touch what they touched.
//! Preserving foot plants while retargeting is Gleicher's idea (*Retargetting Motion to New Characters*, 1998);
//! that distances to the surface of the own and of other bodies describe an interaction is that of Ho, Komura and
//! Tai (*Spatial Relationship Preserving Character Motion Adaptation*, 2010). Here both are done frame by frame, in
//! closed form, with smooth corrections, rather than by one large optimisation.
//!
//! 1. Every joint gets its rotation (`joint_rotations.rs`, `trunk.rs`).
//! 2. The hips travel like those of the source, scaled by the ratio of the leg lengths (`TravelScale`).
//! 3. Feet in the air follow the ankles of the source; heels and balls in contact follow those of the source, at their scaled
//!    height over the floor (`feet.rs`, `foot_goals.rs`).
//! 4. Hips move down smoothly where a leg would not reach; legs are bent to place the ankles (`legs.rs`).
//! 5. Hands near a body, the floor or each other keep their distance to it (`hands.rs`, `hand_goals.rs`, `moment.rs`); arms are
//!    bent to place the wrists (`arms.rs`). Knees and elbows keep the direction in which they point; straight ones bend where
//!    the moving limb does (`poles.rs`).
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | s | `scale`: leg length of the target over that of the source | |
//! | D | world rotation of a joint from the T-pose | |
//!
//! Limits. Only hands and feet keep what they touch: a partner who is carried is not. Roles that only one body has
//! are ignored; such joints of the target keep their rest rotation relative to their parent. The floor is level.

mod arms;
mod feet;
mod figure;
mod foot_goals;
mod hand_goals;
mod hands;
mod joint_rotations;
mod legs;
mod live;
mod live_hands;
mod moment;
mod poles;
mod same_joints;
mod solver;
mod touch_body;
mod trunk;

use std::sync::Arc;

use figure::Figure;
use hands::{Hands, TouchingActor};
pub use live::LiveRetarget;
use marey_motion::{Clip, Observer, Role, Skeleton};
use same_joints::{Likeness, SameJoints};
use serde::{Deserialize, Serialize};
use solver::Solver;

use crate::t_pose::with_t_pose;
use crate::{OutOfRange, Result};

/// Travel distance of a body of another size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum TravelScale {
    /// In proportion to its legs: steps keep their relative length. Actors of one take travel in the mean proportion, so that they
    /// are as near to each other, for their size, as before. If one of them keeps its body, all keep their places.
    #[default]
    Scaled,
    /// The same as the source: feet stand on the same spots, for props.
    Kept,
}

/// Settings of retargeting.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RetargetSettings {
    /// Travel distance.
    pub travel: TravelScale,
    /// Whether the legs are solved so that feet stand like those of the source; default true. Otherwise only
    /// rotations are transferred.
    pub keep_feet: bool,
    /// Whether the arms are solved so that hands are as near to bodies, other hands and the floor as those of the
    /// source; default true.
    pub keep_hands: bool,
    /// Smallest fold of a knee, in radians; default 0.06; 0 to 0.5. A knee that locks snaps when it unlocks.
    pub min_knee_rad: f32,
    /// Time over which hips move down for a leg that would not reach, in seconds; default 0.15; 0.01 to 1.
    pub easing_secs: f64,
}

impl Default for RetargetSettings {
    fn default() -> Self {
        Self {
            travel: TravelScale::Scaled,
            keep_feet: true,
            keep_hands: true,
            min_knee_rad: 0.06,
            easing_secs: 0.15,
        }
    }
}

impl RetargetSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("min_knee_rad", self.min_knee_rad, 0.0..=0.5)?;
        OutOfRange::check("easing_secs", self.easing_secs, 0.01..=1.0)?;
        Ok(())
    }
}

/// A pair of bodies, ready to transfer motion.
///
/// ```
/// use std::sync::Arc;
/// use marey_motion::{Clip, ClipParts, Joint, Quat, Role, Skeleton, Vec3};
/// use marey_ops::retarget::{Retarget, RetargetSettings};
/// // An arm that rests stretched to the left, and one that rests hanging down. The first is raised by a quarter turn.
/// let arm = |ahead: Vec3| {
///     Skeleton::new(
///         vec![
///             Joint::new("hips", None, Vec3::ZERO).with_role(Role::Hips),
///             Joint::new("arm", Some(0), Vec3::Y).with_role(Role::LeftUpperArm),
///             Joint::new("elbow", Some(1), ahead).with_role(Role::LeftLowerArm),
///         ],
///         vec![],
///     )
/// };
/// let (out, down) = (Arc::new(arm(Vec3::X)?), Arc::new(arm(Vec3::NEG_Y)?));
/// let raised = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
/// let rotations = vec![Quat::IDENTITY, raised, Quat::IDENTITY];
/// let clip = Clip::new(out.clone(), 30.0, ClipParts { rotations, positions: vec![Vec3::ZERO] })?;
/// let moved = Retarget::new(&out, down, &RetargetSettings::default())?.apply(&clip)?;
/// // The elbow is above the shoulder here as well: half a turn from where it hangs.
/// assert!(moved.world().positions[2].distance(Vec3::Y * 2.0) < 1e-6);
/// # Ok::<(), marey_ops::OpsError>(())
/// ```
#[derive(Debug)]
pub struct Retarget {
    target: Arc<Skeleton>,
    transfer: Transfer,
    /// `None` if hands are not kept, or if a body has no hips.
    hands: Option<Hands>,
}

/// How motion reaches the target.
#[derive(Debug)]
enum Transfer {
    Copy(SameJoints),
    Solve(Box<Solver>),
}

/// Whether two skeletons are one body: the same joint names, hierarchy and bones. Rest poses, the order of joints, and
/// the offset of the root do not matter.
///
/// ```
/// use marey_motion::{Joint, Quat, Skeleton, Vec3};
/// use marey_ops::retarget::is_same_body;
/// let leg = |shin_m: f32, rest_rotation: Quat| {
///     let hip = Joint { rest_rotation, ..Joint::new("hip", None, Vec3::ZERO) };
///     Skeleton::new(vec![hip, Joint::new("knee", Some(0), Vec3::NEG_Y * shin_m)], vec![])
/// };
/// let body = leg(0.4, Quat::IDENTITY)?;
/// assert!(is_same_body(&body, &leg(0.4, Quat::from_rotation_x(0.3))?));
/// assert!(!is_same_body(&body, &leg(0.5, Quat::IDENTITY)?));
/// # Ok::<(), marey_motion::MotionError>(())
/// ```
pub fn is_same_body(one: &Skeleton, other: &Skeleton) -> bool {
    SameJoints::of(one, other).is_some_and(|same| same.likeness == Likeness::SameBody)
}

impl Retarget {
    /// Pairs the joints of two skeletons. Unless they are the same body, both need hips.
    pub fn new(source: &Skeleton, target: Arc<Skeleton>, settings: &RetargetSettings) -> Result<Self> {
        settings.validate()?;
        let (source_rest, target_rest) = (with_t_pose(source)?, with_t_pose(&target)?);
        let has_hips = |skeleton: &Skeleton| skeleton.joint_of(Role::Hips).is_some();
        let can_touch = settings.keep_hands && has_hips(source) && has_hips(&target);
        let hands = can_touch.then(|| Hands::new(&source_rest, &target_rest));
        let transfer = match SameJoints::of(source, &target) {
            Some(same) if same.likeness == Likeness::SameBody => Transfer::Copy(same),
            same => {
                Transfer::Solve(Box::new(Solver::new(&source_rest, &target_rest, same.as_ref(), settings)?))
            }
        };
        Ok(Self { target, transfer, hands })
    }

    /// Leg length of the target over that of the source: s.
    pub fn scale(&self) -> f32 {
        match &self.transfer {
            Transfer::Copy(_) => 1.0,
            Transfer::Solve(solver) => solver.scale,
        }
    }

    /// Transfers a motion of the source. The same body gets it unchanged.
    pub fn apply(&self, clip: &Clip) -> Result<Clip> {
        let mut clips = Self::apply_together(&[(self, clip)], Observer::ignore())?;
        Ok(clips.swap_remove(0))
    }

    /// Transfers the motions of actors who interact: hands keep their distances to the other bodies as well.
    fn apply_together(actors: &[(&Retarget, &Clip)], observer: Observer<'_>) -> Result<Vec<Clip>> {
        let any_moves = actors.iter().any(|(to, _)| matches!(to.transfer, Transfer::Solve(_)));
        let travel = Self::common_travel(actors);
        let moved = |(to, clip): &(&Retarget, &Clip)| to.moved(clip, travel, any_moves, observer);
        let mut moved = actors.iter().map(moved).collect::<Result<Vec<_>>>()?;
        let (mut touching, mut sources): (Vec<TouchingActor<'_>>, Vec<&Clip>) = Default::default();
        for ((to, clip), moved) in actors.iter().zip(&mut moved) {
            let Some(hands) = &to.hands else { continue };
            sources.push(clip);
            touching.push(TouchingActor {
                hands,
                target: &to.target,
                can_move: matches!(to.transfer, Transfer::Solve(_)),
                floor_m: moved.floor_m,
                travel,
                figures: &mut moved.figures,
            });
        }
        hands::keep_touches(&mut touching, &sources, observer)?;
        let clip = |((to, clip), moved): (&(&Retarget, &Clip), Moved)| match moved.copy {
            Some(copy) => Ok(copy),
            None => Solver::clip(&moved.figures, &to.target, clip.rate_hz()),
        };
        actors.iter().zip(moved).map(clip).collect()
    }

    /// The horizontal scale of actors who interact: the mean of theirs, but 1 if one of them stays as it is.
    fn common_travel(actors: &[(&Retarget, &Clip)]) -> f32 {
        let scale = |(to, _): &(&Retarget, &Clip)| match &to.transfer {
            Transfer::Copy(_) => None,
            Transfer::Solve(solver) => Some(solver.travel_scale()),
        };
        let scales: Option<Vec<f32>> = actors.iter().map(scale).collect();
        scales.map_or(1.0, |scales| scales.iter().sum::<f32>() / scales.len().max(1) as f32)
    }

    /// The motion on the target, before hands are placed. `any_moves` tells whether hands of any actor are.
    fn moved(&self, clip: &Clip, travel: f32, any_moves: bool, observer: Observer<'_>) -> Result<Moved> {
        match &self.transfer {
            Transfer::Copy(same) => {
                let copy = same.copy(clip, &self.target)?;
                let is_touched = any_moves && self.hands.is_some();
                let figures = if is_touched { Figure::all(&copy)? } else { Vec::new() };
                Ok(Moved { figures, floor_m: 0.0, copy: Some(copy) })
            }
            Transfer::Solve(solver) => {
                let (figures, floor_m) = solver.figures(clip, travel, observer)?;
                Ok(Moved { figures, floor_m, copy: None })
            }
        }
    }
}

/// The motion of one actor on its target.
struct Moved {
    figures: Vec<Figure>,
    /// Height of the floor.
    floor_m: f32,
    /// The result, if the body is the same.
    copy: Option<Clip>,
}

/// Transfers the motions of actors who interact, each to its target. Hands keep their distances to all bodies.
pub fn retarget_clips(
    clips: &[&Clip],
    targets: &[Arc<Skeleton>],
    settings: &RetargetSettings,
) -> Result<Vec<Clip>> {
    retarget_clips_observed(clips, targets, settings, Observer::ignore())
}

/// [`retarget_clips`], which can be cancelled by an observer.
pub fn retarget_clips_observed(
    clips: &[&Clip],
    targets: &[Arc<Skeleton>],
    settings: &RetargetSettings,
    observer: Observer<'_>,
) -> Result<Vec<Clip>> {
    let retargets = clips.iter().zip(targets);
    let retargets = retargets.map(|(clip, target)| Retarget::new(clip.skeleton(), target.clone(), settings));
    let retargets = retargets.collect::<Result<Vec<_>>>()?;
    let actors: Vec<(&Retarget, &Clip)> = retargets.iter().zip(clips.iter().copied()).collect();
    Retarget::apply_together(&actors, observer)
}
