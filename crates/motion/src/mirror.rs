//! Mirroring: left and right exchanged.

use glam::{Quat, Vec3};

use crate::{Clip, ClipParts, Skeleton};

/// The mirror partner of each joint.
///
/// Partners come from roles, then from names that differ only in left and right; other joints are their own
/// partners.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MirrorMap {
    partner: Vec<usize>,
}

impl MirrorMap {
    /// Pairs the joints of a skeleton.
    pub fn of(skeleton: &Skeleton) -> Self {
        let joints = skeleton.joints();
        let mut partner: Vec<usize> = (0..joints.len()).collect();
        for (j, joint) in joints.iter().enumerate() {
            let by_role = joint.role.and_then(|role| skeleton.joint_of(role.mirrored()));
            let by_name = || {
                let twin = skeleton.joint_named(&swap_side_words(&joint.name)?)?;
                joints[twin].role.is_none().then_some(twin)
            };
            let found = if joint.role.is_some() { by_role } else { by_name() };
            // Partners must be of one kind: if only one of two joints translates, neither is mirrored.
            if let Some(twin) = found.filter(|&twin| joints[twin].moves == joint.moves) {
                partner[j] = twin;
            }
        }
        Self { partner }
    }

    /// Returns the joint on the other side, from which `joint` takes its motion.
    pub fn partner(&self, joint: usize) -> usize {
        self.partner[joint]
    }
}

/// The name with left and right exchanged, if it contains one of them: `LeftArm`, `arm_l`, `L_Arm`, `lArm`.
fn swap_side_words(name: &str) -> Option<String> {
    for (a, b) in [("Left", "Right"), ("left", "right"), ("LEFT", "RIGHT")] {
        for (from, to) in [(a, b), (b, a)] {
            if let Some(at) = name.find(from) {
                return Some(format!("{}{to}{}", &name[..at], &name[at + from.len()..]));
            }
        }
    }
    // A single letter counts if it stands alone or precedes a capital: `l_arm`, `arm.L`, `Bip01 L Arm`,
    // `lArm`.
    let bytes = name.as_bytes();
    for (i, &byte) in bytes.iter().enumerate() {
        let other = match byte {
            b'L' => 'R',
            b'R' => 'L',
            b'l' => 'r',
            b'r' => 'l',
            _ => continue,
        };
        let starts = i == 0 || !bytes[i - 1].is_ascii_alphanumeric();
        let ends = bytes.get(i + 1).is_none_or(|b| !b.is_ascii_alphanumeric());
        let leads = i == 0 && bytes.get(i + 1).is_some_and(u8::is_ascii_uppercase);
        if starts && (ends || leads) {
            return Some(format!("{}{other}{}", &name[..i], &name[i + 1..]));
        }
    }
    None
}

impl Clip {
    /// The motion mirrored in the plane x = 0 of the world.
    ///
    /// The skeleton stays the same: only motion changes sides, so an asymmetric body keeps its bones.
    /// Mirroring twice gives the original clip.
    pub fn mirrored(&self) -> Clip {
        let skeleton = self.skeleton();
        let map = MirrorMap::of(skeleton);
        let frames = Frames::of(skeleton);
        let mut parts = ClipParts::default();
        let mover_of_joint = |joint| skeleton.movers().binary_search(&joint).unwrap_or(0);
        for pose in self.poses() {
            for j in 0..skeleton.len() {
                let twin = map.partner(j);
                let turned = reflect_rotation(frames.body_turn(twin, pose.rotations[twin]));
                parts.rotations.push(frames.local_turn(j, turned));
            }
            for &j in skeleton.movers() {
                let twin = map.partner(j);
                parts.positions.push(frames.mirror_position(j, twin, pose.positions[mover_of_joint(twin)]));
            }
        }
        self.with_parts(parts)
    }
}

/// Rest rotations of each joint and its parent, in which left and right can be exchanged.
struct Frames {
    rest: Vec<Quat>,
    parent: Vec<Quat>,
}

impl Frames {
    fn of(skeleton: &Skeleton) -> Self {
        let world = skeleton.rest_world_rotations();
        let parent =
            skeleton.joints().iter().map(|j| j.parent.map_or(Quat::IDENTITY, |p| world[p])).collect();
        Self { rest: world, parent }
    }

    /// The rotation of a joint from rest, in the axes of the body.
    fn body_turn(&self, joint: usize, local: Quat) -> Quat {
        self.parent[joint] * local * self.rest[joint].inverse()
    }

    /// Undoes [`Frames::body_turn`].
    fn local_turn(&self, joint: usize, turn: Quat) -> Quat {
        self.parent[joint].inverse() * turn * self.rest[joint]
    }

    fn mirror_position(&self, joint: usize, twin: usize, position: Vec3) -> Vec3 {
        let p = self.parent[twin] * position;
        self.parent[joint].inverse() * Vec3::new(-p.x, p.y, p.z)
    }
}

/// A rotation mirrored in the plane x = 0.
fn reflect_rotation(q: Quat) -> Quat {
    Quat::from_xyzw(q.x, -q.y, -q.z, q.w)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;
    use crate::{Joint, Role};

    fn body(rest: Quat) -> Arc<Skeleton> {
        let mut left = Joint::new("l_arm", Some(0), Vec3::new(0.2, 0.5, 0.0)).with_role(Role::LeftUpperArm);
        let mut right =
            Joint::new("r_arm", Some(0), Vec3::new(-0.2, 0.5, 0.0)).with_role(Role::RightUpperArm);
        left.rest_rotation = rest;
        right.rest_rotation = reflect_rotation(rest);
        // The hands are at mirrored positions in mirrored frames.
        let hand = rest.inverse() * Vec3::new(0.6, 0.0, 0.1);
        let other = reflect_rotation(rest).inverse() * Vec3::new(-0.6, 0.0, 0.1);
        let joints = vec![
            Joint::new("root", None, Vec3::ZERO),
            left,
            right,
            Joint::new("LeftHand", Some(1), hand),
            Joint::new("RightHand", Some(2), other),
        ];
        Arc::new(Skeleton::new(joints, vec![]).unwrap())
    }

    proptest! {
        #[test]
        fn mirroring_reflects_positions_and_is_an_involution(
            rest in -1f32..1.0, a in -2f32..2.0, b in -2f32..2.0, c in -2f32..2.0, x in -3f32..3.0,
        ) {
            let skeleton = body(Quat::from_euler(glam::EulerRot::XYZ, rest, 0.5 * rest, -rest));
            let turn = |k: f32| Quat::from_euler(glam::EulerRot::ZYX, a * k, b, c - k);
            let rotations = (0..5).map(|j| turn(j as f32 * 0.3)).collect();
            let parts = ClipParts { rotations, positions: vec![Vec3::new(x, 1.0, 2.0)] };
            let clip = Clip::new(skeleton, 30.0, parts).unwrap();
            let (here, there) = (clip.world(), clip.mirrored().world());
            for (j, twin) in [(0, 0), (1, 2), (2, 1), (3, 4), (4, 3)] {
                let p = here.positions[twin];
                prop_assert!(there.positions[j].distance(Vec3::new(-p.x, p.y, p.z)) < 1e-4);
            }
            for (p, q) in clip.mirrored().mirrored().world().positions.iter().zip(&here.positions) {
                prop_assert!(p.distance(*q) < 1e-4);
            }
        }
    }

    #[test]
    fn names_pair_joints_without_roles() {
        for (name, twin) in [
            ("LeftArm", "RightArm"),
            ("mixamorig:RightHand", "mixamorig:LeftHand"),
            ("arm_l", "arm_r"),
            ("Bip01 L Thigh", "Bip01 R Thigh"),
            ("rShldr", "lShldr"),
            ("Foot.R", "Foot.L"),
        ] {
            assert_eq!(swap_side_words(name).as_deref(), Some(twin));
        }
        for name in ["Hips", "LowerBack", "lowerback", "root", "Neck1"] {
            assert_eq!(swap_side_words(name), None, "{name}");
        }
    }
}
