//! The height of a person, estimated from bone lengths.

use marey_motion::{Role, Side, Skeleton, Vec3};

use crate::TrunkFrame;

/// Segment lengths as fractions of the stature (Drillis and Contini 1966, in Winter, *Biomechanics and Motor Control of Human
/// Movement*): thigh and shank, upper and lower arm, hip to shoulder height.
const LEG_FRACTION: f32 = 0.491;
const ARM_FRACTION: f32 = 0.332;
const TRUNK_FRACTION: f32 = 0.288;

/// The distance from the shoulders to the crown as a fraction of the stature, from the same table.
pub const HEAD_FRACTION: f32 = 0.182;

/// The stature of a person whose limbs and trunk are as long as in a pose, in metres; `None` if a limb is incomplete.
///
/// Limbs count by the mean of both sides. The head does not count: many skeletons end at the eyes or ears.
pub fn stature_m(skeleton: &Skeleton, positions: &[Vec3]) -> Option<f32> {
    let at = |role: Role| positions.get(skeleton.joint_of(role)?).copied();
    let length_m = |[a, b, c]: [Role; 3]| {
        let [a, b, c] = [at(a)?, at(b)?, at(c)?];
        Some(a.distance(b) + b.distance(c))
    };
    let mut limbs_m = 0.0;
    for side in Side::BOTH {
        for chain in [
            [Role::LeftUpperLeg, Role::LeftLowerLeg, Role::LeftFoot],
            [Role::LeftUpperArm, Role::LeftLowerArm, Role::LeftHand],
        ] {
            limbs_m += length_m(chain.map(|role| role.on(side)))?;
        }
    }
    let trunk = TrunkFrame::of(skeleton, positions)?;
    let sum_m = 0.5 * limbs_m + trunk.pelvis.distance(trunk.shoulders);
    Some(sum_m / (LEG_FRACTION + ARM_FRACTION + TRUNK_FRACTION))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BodyProportions;

    #[test]
    fn a_body_has_the_stature_it_was_made_with() {
        for height_m in [1.4, 1.72, 1.9] {
            let skeleton = BodyProportions { height_m, ..Default::default() }.skeleton().unwrap();
            let found_m = stature_m(&skeleton, &skeleton.rest_positions()).unwrap();
            assert!((found_m / height_m - 1.0).abs() < 0.01, "{height_m}: {found_m}");
        }
    }

    #[test]
    fn an_incomplete_limb_has_no_stature() {
        let skeleton = BodyProportions::default().skeleton().unwrap();
        let mut roles: Vec<Option<Role>> = skeleton.joints().iter().map(|joint| joint.role).collect();
        roles[skeleton.joint_of(Role::RightFoot).unwrap()] = None;
        let incomplete = skeleton.with_roles(&roles).unwrap();
        assert_eq!(stature_m(&incomplete, &incomplete.rest_positions()), None);
    }
}
