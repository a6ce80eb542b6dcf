//! Root motion: on the hips, on a root bone as game engines expect it, or none.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use marey_motion::{Clip, ClipParts, Joint, Quat, Role, Skeleton, Tip, Vec3};
use serde::{Deserialize, Serialize};

use crate::Result;

/// Where the travel of a figure is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RootMotion {
    /// Where the motion has it, which is mostly the hips.
    #[default]
    Keep,
    /// Nowhere: every frame is shifted along the floor so that the hips, or the root of a figure without hips, stay above their first
    /// position. Heights and rotations are kept.
    InPlace,
    /// On a root bone on the floor under the hips.
    Bone,
}

impl RootMotion {
    /// Every kind.
    pub const ALL: [RootMotion; 3] = [RootMotion::Keep, RootMotion::InPlace, RootMotion::Bone];

    /// The name for command-line flags.
    pub fn name(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::InPlace => "in-place",
            Self::Bone => "bone",
        }
    }

    /// The motion with its travel there. A root bone that has to be made gets the name `bone`.
    pub fn apply(self, clip: Clip, bone: &str) -> Result<Clip> {
        match self {
            Self::Keep => Ok(clip),
            Self::InPlace => in_place(clip),
            Self::Bone => with_ground_root(&clip, bone),
        }
    }
}

impl fmt::Display for RootMotion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for RootMotion {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let known = Self::ALL.into_iter().find(|root| root.name() == text);
        known.ok_or_else(|| format!("{text:?} is not one of {}", Self::ALL.map(Self::name).join(", ")))
    }
}

/// The motion without travel.
fn in_place(clip: Clip) -> Result<Clip> {
    let skeleton = clip.skeleton().clone();
    let hips = skeleton.joint_of(Role::Hips).unwrap_or(0);
    let world = clip.world();
    let over_floor = |frame: usize| world.positions_at(frame)[hips].with_y(0.0);
    let (rate_hz, movers) = (clip.rate_hz(), skeleton.movers().len());
    let mut parts = clip.into_parts();
    for (frame, root) in parts.positions.iter_mut().step_by(movers).enumerate() {
        *root -= over_floor(frame) - over_floor(0);
    }
    Ok(Clip::new(skeleton, rate_hz, parts)?)
}

/// The same motion with its travel on a root joint: on the floor under the hips, with the heading of the character.
///
/// A joint above the hips becomes that root. Otherwise a joint with the given name is added; if the name is taken, underscores are
/// appended. The frames of the root are the [ground track](Clip::ground_track) of the clip; the joints below it keep their height, their
/// sway and all rotation except the heading. World positions of all other joints stay the same.
///
/// ```
/// use std::sync::Arc;
/// use marey_motion::{Clip, ClipParts, Joint, Quat, Role, Skeleton, Vec3};
/// use marey_ops::root::with_ground_root;
/// // Hips at a height of one metre that have moved 3 m forward and turned 90° to the left.
/// let hips = Joint::new("hips", None, Vec3::Y).with_role(Role::Hips);
/// let skeleton = Arc::new(Skeleton::new(vec![hips], vec![])?);
/// let rotations = vec![Quat::from_rotation_y(std::f32::consts::FRAC_PI_2)];
/// let clip = Clip::new(skeleton, 30.0, ClipParts { rotations, positions: vec![Vec3::new(0.0, 1.0, 3.0)] })?;
/// let rooted = with_ground_root(&clip, "root")?;
/// assert_eq!(rooted.skeleton().joints()[0].name, "root");
/// // The root has the travel, the hips have the height.
/// let pose = rooted.pose(0);
/// assert!(pose.positions[0].distance(Vec3::Z * 3.0) < 1e-6 && pose.positions[1].distance(Vec3::Y) < 1e-6);
/// assert!(pose.rotations[1].angle_between(Quat::IDENTITY) < 1e-3);
/// # Ok::<(), marey_ops::OpsError>(())
/// ```
pub fn with_ground_root(clip: &Clip, name: &str) -> Result<Clip> {
    if clip.skeleton().joint_of(Role::Hips).is_some_and(|hips| hips > 0) {
        return on_own_root(clip);
    }
    let track = clip.ground_track();
    let body = clip.without_ground(&track)?;
    let mut parts = ClipParts::default();
    for (pose, ground) in body.poses().zip(&track.frames) {
        parts.rotations.push(ground.rotation());
        parts.rotations.extend_from_slice(pose.rotations);
        parts.positions.push(ground.translation());
        parts.positions.extend_from_slice(pose.positions);
    }
    Ok(Clip::new(Arc::new(rooted(clip.skeleton(), name)?), clip.rate_hz(), parts)?)
}

/// The skeleton below a new root at the origin.
fn rooted(skeleton: &Skeleton, name: &str) -> Result<Skeleton> {
    let mut name = name.to_owned();
    while skeleton.joint_named(&name).is_some() {
        name.push('_');
    }
    let mut joints = vec![Joint::new(name, None, Vec3::ZERO)];
    joints.extend(skeleton.joints().iter().map(|joint| Joint {
        parent: Some(joint.parent.map_or(0, |parent| parent + 1)),
        moves: joint.moves,
        ..joint.clone()
    }));
    let tips = skeleton.tips().iter().map(|tip| Tip { parent: tip.parent + 1, ..*tip });
    Ok(Skeleton::new(joints, tips.collect())?)
}

/// The same motion with its travel on the joint at the top of the skeleton, which moves to the floor.
fn on_own_root(clip: &Clip) -> Result<Clip> {
    let before = clip.skeleton();
    let skeleton = Arc::new(with_root_on_floor(before)?);
    let rest = skeleton.joints()[0].rest_rotation;
    let (world, track) = (clip.world(), clip.ground_track());
    let mut parts = ClipParts::default();
    for (frame, (pose, ground)) in clip.poses().zip(&track.frames).enumerate() {
        let (positions, rotations) = (world.positions_at(frame), world.rotations_at(frame));
        let (floor, turned) = (ground.translation(), ground.rotation() * rest);
        let is_below_root = |joint: usize| before.joints()[joint].parent == Some(0);
        parts.rotations.extend((0..before.len()).map(|joint| match joint {
            0 => turned,
            joint if is_below_root(joint) => (turned.inverse() * rotations[joint]).normalize(),
            joint => pose.rotations[joint],
        }));
        parts.positions.extend(skeleton.movers().iter().map(|&joint| match joint {
            0 => floor,
            joint if is_below_root(joint) => turned.inverse() * (positions[joint] - floor),
            joint => {
                let mover = before.movers().iter().position(|&mover| mover == joint);
                mover.map_or(before.offsets()[joint], |mover| pose.positions[mover])
            }
        }));
    }
    Ok(Clip::new(skeleton, clip.rate_hz(), parts)?)
}

/// The skeleton with its root at the origin. Joints below the root move, and everything rests where it did.
fn with_root_on_floor(skeleton: &Skeleton) -> Result<Skeleton> {
    let rest = skeleton.rest_positions();
    let mut joints = skeleton.joints().to_vec();
    let turned: Quat = joints[0].rest_rotation;
    joints[0].offset = Vec3::ZERO;
    for (joint, at) in joints.iter_mut().zip(&rest).filter(|(joint, _)| joint.parent == Some(0)) {
        joint.offset = turned.inverse() * *at;
        joint.moves = true;
    }
    let shift = turned.inverse() * rest[0];
    let tips = skeleton.tips().iter().map(|tip| match tip.parent {
        0 => Tip { offset: tip.offset + shift, ..*tip },
        _ => *tip,
    });
    Ok(Skeleton::new(joints, tips.collect())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A figure that travels, turns and sways, with an extra joint above its hips if asked for.
    fn figure(has_root: bool) -> Clip {
        let mut joints = vec![
            Joint::new("root", None, Vec3::Y).with_role(Role::Hips),
            Joint::new("knee", Some(0), Vec3::new(0.1, -0.5, 0.0)),
        ];
        if has_root {
            for joint in &mut joints {
                joint.parent = Some(joint.parent.map_or(0, |parent| parent + 1));
            }
            joints[0].name = "hips".into();
            joints[0].moves = false;
            let rest_rotation = Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2);
            joints[0].offset = Vec3::new(0.0, 0.1, 0.9);
            joints[0].rest_rotation = rest_rotation.inverse();
            joints.insert(0, Joint { rest_rotation, ..Joint::new("armature", None, Vec3::Y * 0.1) });
        }
        let tips = vec![Tip { parent: joints.len() - 1, offset: Vec3::NEG_Y * 0.5 }];
        let skeleton = Arc::new(Skeleton::new(joints, tips).unwrap());
        let mut parts = ClipParts::default();
        for f in 0..20 {
            let t = f as f32 * 0.3;
            if has_root {
                parts.rotations.push(Quat::from_euler(glam::EulerRot::YXZ, 0.5 * t, 0.1, 0.0));
            }
            parts.rotations.push(Quat::from_euler(glam::EulerRot::YXZ, t, 0.2 * t.sin(), 0.1));
            parts.rotations.push(Quat::from_rotation_x(t));
            parts.positions.push(Vec3::new(t, 1.0 + 0.1 * t.cos(), t * t));
        }
        Clip::new(skeleton, 30.0, parts).unwrap()
    }

    #[test]
    fn world_positions_and_unique_names_are_kept() {
        let clip = figure(false);
        let rooted = with_ground_root(&clip, "root").unwrap();
        assert_eq!(rooted.skeleton().joints()[0].name, "root_");
        let (before, after) = (clip.world(), rooted.world());
        for frame in 0..clip.frames() {
            let (before, after) = (before.positions_at(frame), after.positions_at(frame));
            assert_eq!(after[0].y, 0.0);
            for (a, b) in before.iter().zip(&after[1..]) {
                assert!(a.distance(*b) < 1e-5);
            }
        }
    }

    #[test]
    fn the_own_root_of_a_file_carries_the_travel() {
        let clip = figure(true);
        let rooted = with_ground_root(&clip, "root").unwrap();
        assert_eq!(rooted.skeleton().len(), 3);
        let (before, after) = (clip.world(), rooted.world());
        for frame in 0..clip.frames() {
            let (at, now) = (before.positions_at(frame), after.positions_at(frame));
            assert!(now[0].distance(at[1].with_y(0.0)) < 1e-5);
            assert!(at[1..].iter().zip(&now[1..]).all(|(a, b)| a.distance(*b) < 1e-5));
            let (at, now) = (before.rotations_at(frame), after.rotations_at(frame));
            assert!(at[1..].iter().zip(&now[1..]).all(|(a, b)| a.angle_between(*b) < 1e-3));
        }
        let (rest, rested) = (clip.skeleton().rest_positions(), rooted.skeleton().rest_positions());
        assert!(rest[1..].iter().zip(&rested[1..]).all(|(a, b)| a.distance(*b) < 1e-6));
        assert_eq!(rested[0], Vec3::ZERO);
        // Once more changes nothing.
        let again = with_ground_root(&rooted, "root").unwrap();
        assert!(again.positions().iter().zip(rooted.positions()).all(|(a, b)| a.distance(*b) < 1e-5));
    }

    #[test]
    fn hips_stay_in_place() {
        for clip in [figure(false), figure(true)] {
            let hips = clip.skeleton().joint_of(Role::Hips).unwrap();
            let placed = RootMotion::InPlace.apply(clip.clone(), "root").unwrap();
            let (before, after) = (clip.world(), placed.world());
            let start = before.positions_at(0)[hips];
            for frame in 0..clip.frames() {
                let at = after.positions_at(frame)[hips];
                assert!((at - start).with_y(0.0).length() < 1e-5);
                assert_eq!(at.y, before.positions_at(frame)[hips].y);
            }
        }
    }

    #[test]
    fn kinds_are_parsed_by_their_names() {
        for root in RootMotion::ALL {
            assert_eq!(root.to_string().parse(), Ok(root));
        }
        assert!("nowhere".parse::<RootMotion>().is_err());
    }
}
