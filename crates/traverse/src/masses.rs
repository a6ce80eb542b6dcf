//! A body as point masses, whatever it is.

use marey_motion::{Skeleton, Vec3, WorldPose};
use marey_ops::state::Masses;

/// A body as point masses: a human's by the tables of [`marey_ops::state`]; of another figure every bone weighs as much as it
/// is long, at its middle, and what has several bone ends on one joint is a plank with a mass at each of them.
#[derive(Debug, Clone)]
pub(crate) enum Body {
    Human(Masses),
    Bones(Vec<Bone>),
}

/// A mass on a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bone {
    share: f32,
    joint: usize,
    offset: Vec3,
}

impl Body {
    pub(crate) fn of(skeleton: &Skeleton) -> Self {
        if let Ok(masses) = Masses::of(skeleton) {
            return Body::Human(masses);
        }
        let inner = skeleton.parents().iter().zip(skeleton.offsets()).skip(1);
        let inner =
            inner.map(|(&joint, &offset)| Bone { share: offset.length(), joint, offset: 0.5 * offset });
        let tips = skeleton.tips();
        let tips = tips.iter().map(|tip| {
            let several = tips.iter().filter(|other| other.parent == tip.parent).count() > 1;
            let offset = if several { tip.offset } else { 0.5 * tip.offset };
            Bone { share: tip.offset.length(), joint: tip.parent, offset }
        });
        let mut bones: Vec<Bone> = inner.chain(tips).filter(|bone| bone.share > 0.0).collect();
        if bones.is_empty() {
            bones.push(Bone { share: 1.0, joint: 0, offset: Vec3::ZERO });
        }
        let sum: f32 = bones.iter().map(|bone| bone.share).sum();
        bones.iter_mut().for_each(|bone| bone.share /= sum);
        Body::Bones(bones)
    }

    /// The share of each mass; they add up to 1.
    pub(crate) fn shares(&self) -> Vec<f32> {
        match self {
            Body::Human(masses) => masses.shares(),
            Body::Bones(bones) => bones.iter().map(|bone| bone.share).collect(),
        }
    }

    /// Where each mass is in a pose.
    pub(crate) fn places(&self, pose: &WorldPose) -> Vec<Vec3> {
        match self {
            Body::Human(masses) => masses.places(pose),
            Body::Bones(bones) => {
                let place =
                    |bone: &Bone| pose.positions[bone.joint] + pose.rotations[bone.joint] * bone.offset;
                bones.iter().map(place).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use marey_motion::{Joint, LocalPose, Tip};

    use super::*;

    #[test]
    fn bones_weigh_as_much_as_they_are_long() {
        // A plank of 2 m with a mast of 3 m on it: ends of 1 m each, and the mast at its middle.
        let joints = vec![Joint::new("plank", None, Vec3::ZERO), Joint::new("mast", Some(0), Vec3::ZERO)];
        let tip = |parent, offset| Tip { parent, offset };
        let tips = vec![tip(0, Vec3::NEG_Z), tip(0, Vec3::Z), tip(1, Vec3::Y * 3.0)];
        let skeleton = Arc::new(Skeleton::new(joints, tips).unwrap());
        let body = Body::of(&skeleton);
        assert_eq!(body.shares(), [0.2, 0.2, 0.6]);
        let pose = WorldPose::of(&skeleton, LocalPose::rest(&skeleton).view());
        assert_eq!(body.places(&pose), [Vec3::NEG_Z, Vec3::Z, Vec3::Y * 1.5]);
    }
}
