//! Matching of trunks with different numbers of joints.
//!
//! A trunk is the chain from the hips to the head. Each joint rotates the bone above it, so it stands for the
//! middle of that bone: 0 is at the hips, 1 at the neck (if both have one), 2 at the head.

use marey_motion::{Role, Skeleton};

/// The position of a joint of the target along the trunk of the source.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Along {
    /// At a joint.
    At(usize),
    /// Between two joints: the fraction of the distance from the lower to the upper one.
    Between { lower: usize, upper: usize, share: f32 },
}

/// The chain from hips to head.
#[derive(Debug)]
pub(super) struct Trunk {
    /// Each joint, and the position of the middle of its bone.
    middles: Vec<(usize, f32)>,
}

impl Trunk {
    /// Each joint of the target's trunk between hips and head, with its position along the source's. Empty if
    /// one of the two has no trunk.
    pub(super) fn matched(source: &Skeleton, target: &Skeleton) -> Vec<(usize, Along)> {
        let has_neck = |skeleton: &Skeleton| chain(skeleton).is_some_and(|(_, neck)| neck.is_some());
        let by_neck = has_neck(source) && has_neck(target);
        let (Some(source), Some(target)) = (Trunk::of(source, by_neck), Trunk::of(target, by_neck)) else {
            return Vec::new();
        };
        let between = target.middles.get(1..target.middles.len() - 1).unwrap_or_default();
        between.iter().map(|&(joint, middle)| (joint, source.at(middle))).collect()
    }

    fn of(skeleton: &Skeleton, by_neck: bool) -> Option<Self> {
        let (joints, neck) = chain(skeleton)?;
        let at = skeleton.rest_positions();
        let mut heights = vec![0.0];
        for pair in joints.windows(2) {
            heights.push(heights[heights.len() - 1] + at[pair[0]].distance(at[pair[1]]));
        }
        let head = heights[heights.len() - 1];
        let neck = neck.filter(|_| by_neck).map(|neck| heights[neck]);
        let along = |height: f32| match neck {
            Some(neck) if height <= neck => height / neck.max(1e-6),
            Some(neck) => 1.0 + (height - neck) / (head - neck).max(1e-6),
            None => 2.0 * height / head.max(1e-6),
        };
        let middle = |i: usize| match heights.get(i + 1) {
            Some(&next) => along(0.5 * (heights[i] + next)),
            None => 2.25,
        };
        Some(Self { middles: joints.iter().enumerate().map(|(i, &joint)| (joint, middle(i))).collect() })
    }

    fn at(&self, middle: f32) -> Along {
        let above = self.middles.partition_point(|&(_, m)| m <= middle);
        let (Some(&(lower, low)), upper) =
            (self.middles.get(above.saturating_sub(1)), self.middles.get(above))
        else {
            return Along::At(0);
        };
        match upper {
            Some(&(upper, high)) if middle > low => {
                Along::Between { lower, upper, share: (middle - low) / (high - low) }
            }
            _ => Along::At(lower),
        }
    }
}

/// The joints from the hips to the head, and the index of the neck. `None` if the head is not below the hips.
fn chain(skeleton: &Skeleton) -> Option<(Vec<usize>, Option<usize>)> {
    let (hips, head) = (skeleton.joint_of(Role::Hips)?, skeleton.joint_of(Role::Head)?);
    if !skeleton.is_under(head, hips) {
        return None;
    }
    let mut joints = vec![head];
    while joints[joints.len() - 1] != hips {
        joints.push(skeleton.parents()[joints[joints.len() - 1]]);
    }
    joints.reverse();
    let neck = skeleton.joint_of(Role::Neck);
    let neck = joints.iter().position(|&joint| Some(joint) == neck);
    Some((joints, neck))
}

#[cfg(test)]
mod tests {
    use marey_motion::{Joint, Vec3};

    use super::*;

    /// A trunk with a number of bones of equal length below the neck.
    fn spine(bones: usize) -> Skeleton {
        let mut joints = vec![Joint::new("hips", None, Vec3::ZERO).with_role(Role::Hips)];
        for i in 1..=bones {
            let joint = Joint::new(format!("{i}"), Some(i - 1), Vec3::Y * (0.6 / bones as f32));
            joints.push(if i == bones { joint.with_role(Role::Neck) } else { joint });
        }
        joints.push(Joint::new("head", Some(bones), Vec3::Y * 0.1).with_role(Role::Head));
        Skeleton::new(joints, vec![]).unwrap()
    }

    #[test]
    fn a_trunk_is_matched_to_itself_joint_by_joint() {
        let matched = Trunk::matched(&spine(4), &spine(4));
        assert_eq!(matched, (1..=4).map(|joint| (joint, Along::At(joint))).collect::<Vec<_>>());
    }

    #[test]
    fn one_joint_between_hips_and_neck_is_matched_among_many() {
        // Bones of 0.3 m: the middle of the upper one is at 0.75. Of six bones, the middles are at 1/12, 3/12 … 9/12.
        let matched = Trunk::matched(&spine(6), &spine(2));
        let [(1, Along::At(joint) | Along::Between { lower: joint, share: ..1e-3, .. }), (2, Along::At(6))] =
            matched[..]
        else {
            panic!("{matched:?}")
        };
        assert!((3..=4).contains(&joint), "{matched:?}");
    }

    #[test]
    fn many_joints_are_spread_between_few() {
        let matched = Trunk::matched(&spine(2), &spine(6));
        // Middles of the target at 3/12 … 11/12; those of the source at 1/4 (hips), 3/4 (joint 1) and the neck's.
        assert_eq!(matched[0], (1, Along::At(0)));
        let (3, Along::Between { lower: 0, upper: 1, share }) = matched[2] else { panic!("{matched:?}") };
        assert!((share - 2.0 / 3.0).abs() < 1e-3);
        assert_eq!(matched.len(), 6);
    }
}
