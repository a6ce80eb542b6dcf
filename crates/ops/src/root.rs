//! Root motion on a separate root bone, as game engines expect it.

use std::sync::Arc;

use marey_motion::{Clip, ClipParts, Joint, Skeleton, Tip, Vec3};

use crate::Result;

/// The same motion with a new root: a joint on the floor under the hips that carries the translation and
/// heading of the character. If the name is taken, underscores are appended.
///
/// The frames of the new root are the [ground track](Clip::ground_track) of the clip; the old root keeps its
/// height, its sway and all rotation except the heading. World positions of all joints stay the same.
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

#[cfg(test)]
mod tests {
    use marey_motion::{Quat, Role};

    use super::*;

    #[test]
    fn world_positions_and_unique_names_are_kept() {
        let joints = vec![
            Joint::new("root", None, Vec3::Y).with_role(Role::Hips),
            Joint::new("knee", Some(0), Vec3::new(0.1, -0.5, 0.0)),
        ];
        let tips = vec![Tip { parent: 1, offset: Vec3::NEG_Y * 0.5 }];
        let skeleton = Arc::new(Skeleton::new(joints, tips).unwrap());
        let mut parts = ClipParts::default();
        for f in 0..20 {
            let t = f as f32 * 0.3;
            parts.rotations.push(Quat::from_euler(glam::EulerRot::YXZ, t, 0.2 * t.sin(), 0.1));
            parts.rotations.push(Quat::from_rotation_x(t));
            parts.positions.push(Vec3::new(t, 1.0 + 0.1 * t.cos(), t * t));
        }
        let clip = Clip::new(skeleton, 30.0, parts).unwrap();
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
}
