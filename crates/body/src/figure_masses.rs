//! Any figure as point masses.

use marey_motion::{Skeleton, Vec3, WorldPose};

use crate::Masses;

/// A figure as point masses, each a fraction of the total mass.
///
/// A human figure uses [`Masses`]. In any other figure, the mass of each bone is proportional to its length and lies at its
/// middle. A joint with several tips is a plank, with a mass at each tip.
#[derive(Debug, Clone, PartialEq)]
pub struct FigureMasses(Kind);

#[derive(Debug, Clone, PartialEq)]
enum Kind {
    Human(Masses),
    Bones(Vec<BoneMass>),
}

/// A fraction of the mass, at an offset in the frame of a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
struct BoneMass {
    fraction: f32,
    joint: usize,
    offset: Vec3,
}

impl BoneMass {
    fn position(&self, pose: &WorldPose) -> Vec3 {
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
        let inner = inner.map(|(&joint, &offset)| BoneMass {
            fraction: offset.length(),
            joint,
            offset: 0.5 * offset,
        });
        let tips = skeleton.tips();
        let tips = tips.iter().map(|tip| {
            let is_plank = tips.iter().filter(|other| other.parent == tip.parent).count() > 1;
            let offset = if is_plank { tip.offset } else { 0.5 * tip.offset };
            BoneMass { fraction: tip.offset.length(), joint: tip.parent, offset }
        });
        let mut bones: Vec<BoneMass> = inner.chain(tips).filter(|bone| bone.fraction > 0.0).collect();
        if bones.is_empty() {
            bones.push(BoneMass { fraction: 1.0, joint: 0, offset: Vec3::ZERO });
        }
        let sum: f32 = bones.iter().map(|bone| bone.fraction).sum();
        bones.iter_mut().for_each(|bone| bone.fraction /= sum);
        Self(Kind::Bones(bones))
    }

    /// The centre of mass in a pose. Allocates nothing.
    pub fn centre(&self, pose: &WorldPose) -> Vec3 {
        match &self.0 {
            Kind::Human(masses) => masses.centre(&pose.positions),
            Kind::Bones(bones) => bones.iter().map(|bone| bone.fraction * bone.position(pose)).sum(),
        }
    }

    /// Each mass as a fraction of the total; they add up to 1.
    pub fn mass_fractions(&self) -> Vec<f32> {
        match &self.0 {
            Kind::Human(masses) => masses.mass_fractions(),
            Kind::Bones(bones) => bones.iter().map(|bone| bone.fraction).collect(),
        }
    }

    /// The position of each mass in a pose.
    pub fn positions(&self, pose: &WorldPose) -> Vec<Vec3> {
        match &self.0 {
            Kind::Human(masses) => masses.positions(pose),
            Kind::Bones(bones) => bones.iter().map(|bone| bone.position(pose)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use marey_motion::{Joint, LocalPose, Tip};

    use super::*;

    #[test]
    fn the_mass_of_a_bone_is_proportional_to_its_length() {
        // A plank of 2 m with a mast of 3 m on it: a mass at each end of the plank, and one at the middle of the mast.
        let joints = vec![Joint::new("plank", None, Vec3::ZERO), Joint::new("mast", Some(0), Vec3::ZERO)];
        let tip = |parent, offset| Tip { parent, offset };
        let tips = vec![tip(0, Vec3::NEG_Z), tip(0, Vec3::Z), tip(1, Vec3::Y * 3.0)];
        let skeleton = Arc::new(Skeleton::new(joints, tips).unwrap());
        let masses = FigureMasses::of(&skeleton);
        assert_eq!(masses.mass_fractions(), [0.2, 0.2, 0.6]);
        let pose = WorldPose::of(&skeleton, LocalPose::rest(&skeleton).view());
        assert_eq!(masses.positions(&pose), [Vec3::NEG_Z, Vec3::Z, Vec3::Y * 1.5]);
        assert!(masses.centre(&pose).distance(Vec3::Y * 0.9) < 1e-6);
    }
}
