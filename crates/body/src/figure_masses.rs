//! Any figure as point masses.

use marey_motion::{Skeleton, Vec3, WorldPose};

use crate::Masses;

/// A figure as point masses, as shares of its mass.
///
/// A human's are [`Masses`]. In any other figure each bone weighs as much as it is long, with its mass at its middle. A joint with
/// several tips is a plank, with a mass at each tip.
#[derive(Debug, Clone, PartialEq)]
pub struct FigureMasses(Kind);

#[derive(Debug, Clone, PartialEq)]
enum Kind {
    Human(Masses),
    Bones(Vec<BoneMass>),
}

/// A share of the mass, at an offset in the frame of a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
struct BoneMass {
    share: f32,
    joint: usize,
    offset: Vec3,
}

impl BoneMass {
    fn place(&self, pose: &WorldPose) -> Vec3 {
        pose.positions[self.joint] + pose.rotations[self.joint] * self.offset
    }
}

impl FigureMasses {
    /// The masses of a skeleton.
    pub fn of(skeleton: &Skeleton) -> Self {
        if let Ok(masses) = Masses::of(skeleton) {
            return Self(Kind::Human(masses));
        }
        let inner = skeleton.parents().iter().zip(skeleton.offsets()).skip(1);
        let inner =
            inner.map(|(&joint, &offset)| BoneMass { share: offset.length(), joint, offset: 0.5 * offset });
        let tips = skeleton.tips();
        let tips = tips.iter().map(|tip| {
            let is_plank = tips.iter().filter(|other| other.parent == tip.parent).count() > 1;
            let offset = if is_plank { tip.offset } else { 0.5 * tip.offset };
            BoneMass { share: tip.offset.length(), joint: tip.parent, offset }
        });
        let mut bones: Vec<BoneMass> = inner.chain(tips).filter(|bone| bone.share > 0.0).collect();
        if bones.is_empty() {
            bones.push(BoneMass { share: 1.0, joint: 0, offset: Vec3::ZERO });
        }
        let sum: f32 = bones.iter().map(|bone| bone.share).sum();
        bones.iter_mut().for_each(|bone| bone.share /= sum);
        Self(Kind::Bones(bones))
    }

    /// The centre of mass in a pose. Allocates nothing.
    pub fn centre(&self, pose: &WorldPose) -> Vec3 {
        match &self.0 {
            Kind::Human(masses) => masses.centre(&pose.positions),
            Kind::Bones(bones) => bones.iter().map(|bone| bone.share * bone.place(pose)).sum(),
        }
    }

    /// The share of each mass; they add up to 1.
    pub fn shares(&self) -> Vec<f32> {
        match &self.0 {
            Kind::Human(masses) => masses.shares(),
            Kind::Bones(bones) => bones.iter().map(|bone| bone.share).collect(),
        }
    }

    /// The position of each mass in a pose.
    pub fn places(&self, pose: &WorldPose) -> Vec<Vec3> {
        match &self.0 {
            Kind::Human(masses) => masses.places(pose),
            Kind::Bones(bones) => bones.iter().map(|bone| bone.place(pose)).collect(),
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
        // A plank of 2 m with a mast of 3 m on it: a mass at each end of the plank, and one at the middle of the mast.
        let joints = vec![Joint::new("plank", None, Vec3::ZERO), Joint::new("mast", Some(0), Vec3::ZERO)];
        let tip = |parent, offset| Tip { parent, offset };
        let tips = vec![tip(0, Vec3::NEG_Z), tip(0, Vec3::Z), tip(1, Vec3::Y * 3.0)];
        let skeleton = Arc::new(Skeleton::new(joints, tips).unwrap());
        let masses = FigureMasses::of(&skeleton);
        assert_eq!(masses.shares(), [0.2, 0.2, 0.6]);
        let pose = WorldPose::of(&skeleton, LocalPose::rest(&skeleton).view());
        assert_eq!(masses.places(&pose), [Vec3::NEG_Z, Vec3::Z, Vec3::Y * 1.5]);
        assert!(masses.centre(&pose).distance(Vec3::Y * 0.9) < 1e-6);
    }
}
