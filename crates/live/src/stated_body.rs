//! The body of a performer, as a stream states it by the positions of joints relative to their parents.
//!
//! The skeleton has the joints that the stream turns, and those that every human needs. A bone whose position is given and does not change
//! has that position at rest. Other bones have the proportions of the default body, in the size of the bones that are given.

use std::collections::BTreeMap;
use std::str::FromStr;
use std::sync::Arc;

use marey_body::RestSkeleton;
use marey_motion::{Joint, Place, Report, Role, Side, Skeleton, Tip, Vec3};

use crate::stream_conventions::StreamConventions;
use crate::{MarkerFrame, Result, codes};

/// A bone whose position changes by more than this, in metres or relative to its length, has no constant position.
const CONSTANT_M: f32 = 0.002;
const CONSTANT: f32 = 0.02;
/// A bone whose position changes by less than this, relative to its length, has the mean position.
const ROUGH: f32 = 0.35;
/// The length from which a limb has a length, and the largest plausible length of a bone, in metres.
const MIN_LENGTH_M: f32 = 1e-3;
const MAX_LENGTH_M: f32 = 2.0;
/// Bones that show the size.
const LIMBS: [Role; 4] = [Role::LeftLowerLeg, Role::LeftFoot, Role::LeftLowerArm, Role::LeftHand];
/// Joints that the default body does not have, from the hand outwards; with the parent, and how far to the side and ahead of it they
/// are on the left, relative to the height.
const EXTRA: [(Role, Role, f32, f32); 15] = [
    (Role::LeftThumbMetacarpal, Role::LeftHand, 0.015, 0.012),
    (Role::LeftThumbProximal, Role::LeftThumbMetacarpal, 0.02, 0.015),
    (Role::LeftThumbDistal, Role::LeftThumbProximal, 0.016, 0.01),
    (Role::LeftIndexProximal, Role::LeftHand, 0.05, 0.014),
    (Role::LeftIndexIntermediate, Role::LeftIndexProximal, 0.022, 0.0),
    (Role::LeftIndexDistal, Role::LeftIndexIntermediate, 0.014, 0.0),
    (Role::LeftMiddleProximal, Role::LeftHand, 0.05, 0.0),
    (Role::LeftMiddleIntermediate, Role::LeftMiddleProximal, 0.025, 0.0),
    (Role::LeftMiddleDistal, Role::LeftMiddleIntermediate, 0.016, 0.0),
    (Role::LeftRingProximal, Role::LeftHand, 0.048, -0.012),
    (Role::LeftRingIntermediate, Role::LeftRingProximal, 0.023, 0.0),
    (Role::LeftRingDistal, Role::LeftRingIntermediate, 0.015, 0.0),
    (Role::LeftLittleProximal, Role::LeftHand, 0.044, -0.023),
    (Role::LeftLittleIntermediate, Role::LeftLittleProximal, 0.018, 0.0),
    (Role::LeftLittleDistal, Role::LeftLittleIntermediate, 0.012, 0.0),
];
/// The height to which [`EXTRA`] is relative, in metres.
const HEIGHT_M: f32 = 1.72;

/// The body that frames state, with the proportions of a default body where they state nothing. `None` if the stream does not show the
/// body by rotations relative to the parent alone.
pub(crate) fn stated_body(
    default: &Skeleton,
    frames: &[MarkerFrame],
    conventions: &StreamConventions,
    report: &mut Report,
) -> Result<Option<Arc<Skeleton>>> {
    let turned = |role: Role| frames.iter().any(|frame| has(&frame.rotations, role));
    let is_measured = |frame: &MarkerFrame| frame.points.len() > usize::from(has(&frame.points, Role::Hips));
    if !conventions.is_relative || frames.iter().any(is_measured) || !turned(Role::Hips) {
        return Ok(None);
    }
    let stated = stated_offsets(frames, conventions, report);
    let rest = RestSkeleton::of(default);
    let scale = scale(default, &rest, &stated);
    let mut body = BodyParts { joints: Vec::new(), stated: &stated, scale };
    let mut kept: Vec<(usize, Vec3)> = Vec::with_capacity(default.len());
    for (joint, at) in default.joints().iter().zip(&rest.positions) {
        let above = joint.parent.and_then(|parent| kept.get(parent)).copied();
        let role = joint.role.filter(|role| Role::CORE.contains(role) || turned(*role));
        kept.push(match (role, above) {
            (Some(role), above) => {
                let offset = above.map_or(*at, |(_, above)| *at - above);
                (body.add(role, above.map(|(parent, _)| parent), offset), *at)
            }
            (None, above) => above.unwrap_or((0, *at)),
        });
    }
    for (left, parent, aside, ahead) in EXTRA {
        for (side, sign) in Side::BOTH.into_iter().zip([1.0, -1.0]) {
            let (role, offset) = (left.on(side), HEIGHT_M * Vec3::new(sign * aside, 0.0, ahead));
            let parent = body.joint_of(parent.on(side)).or_else(|| body.joint_of(Role::LeftHand.on(side)));
            if turned(role) && body.joint_of(role).is_none() {
                body.add(role, parent, offset);
            }
        }
    }
    let tips = default.tips().iter().filter_map(|tip| {
        let (parent, at) = *kept.get(tip.parent)?;
        let offset = *rest.positions.get(tip.parent)? + tip.offset - at;
        Some(Tip { parent, offset: scale * offset })
    });
    Ok(Some(Arc::new(on_floor(body.joints, tips.collect())?)))
}

/// The joints of the body so far.
struct BodyParts<'a> {
    joints: Vec<Joint>,
    stated: &'a BTreeMap<Role, Vec3>,
    scale: f32,
}

impl BodyParts<'_> {
    fn joint_of(&self, role: Role) -> Option<usize> {
        self.joints.iter().position(|joint| joint.role == Some(role))
    }

    /// Adds a joint at its stated position, or else at the default one. Returns its index.
    fn add(&mut self, role: Role, parent: Option<usize>, default: Vec3) -> usize {
        let offset = self.stated.get(&role).copied().unwrap_or(self.scale * default);
        self.joints.push(Joint::new(role.name(), parent, offset).with_role(role));
        self.joints.len() - 1
    }
}

/// The positions of joints relative to their parents, as far as they are constant. Those that change are reported.
fn stated_offsets(
    frames: &[MarkerFrame],
    conventions: &StreamConventions,
    report: &mut Report,
) -> BTreeMap<Role, Vec3> {
    let mut all: BTreeMap<&str, Vec<Vec3>> = BTreeMap::new();
    for (name, offset) in frames.iter().flat_map(|frame| &frame.offsets) {
        all.entry(name).or_default().push(conventions.position(*offset));
    }
    let (mut stated, mut changing) = (BTreeMap::new(), Vec::new());
    for (name, offsets) in all {
        let Ok(role) = Role::from_str(name) else { continue };
        let mean = offsets.iter().sum::<Vec3>() / offsets.len().max(1) as f32;
        let spread_m = offsets.iter().map(|offset| offset.distance(mean)).fold(0.0, f32::max);
        if spread_m > CONSTANT_M.max(CONSTANT * mean.length()) {
            changing.push(name);
        }
        // A joint between two bones that the stream leaves out moves the second one a little.
        if mean.length() < MAX_LENGTH_M && spread_m < (ROUGH * mean.length()).max(CONSTANT_M) {
            stated.insert(role, mean);
        }
    }
    let limbs = || LIMBS.into_iter().flat_map(|role| Side::BOTH.map(|side| role.on(side)));
    let has_length = |offset: &Vec3| offset.length() > MIN_LENGTH_M;
    if !limbs().all(|role| stated.get(&role).is_some_and(has_length)) {
        // A zero means that the position is not given.
        stated.retain(|_, offset| has_length(offset));
    }
    let message = format!("the positions of {} change relative to their parents", changing.join(", "));
    report.warn_many(&codes::BONE_LENGTH, Place::default(), changing.len(), message);
    stated
}

/// The median size of stated limbs over those of the default body; 1 if none is stated.
fn scale(default: &Skeleton, rest: &RestSkeleton<'_>, stated: &BTreeMap<Role, Vec3>) -> f32 {
    let of = |role: Role| {
        let joint = default.joint_of(role)?;
        let parent = default.joints().get(joint)?.parent?;
        let length_m = rest.positions.get(joint)?.distance(*rest.positions.get(parent)?);
        Some(stated.get(&role)?.length() / length_m.max(1e-3))
    };
    let both = LIMBS.into_iter().flat_map(|role| Side::BOTH.map(|side| role.on(side)));
    let mut scales: Vec<f32> = both.filter_map(of).collect();
    scales.sort_by(f32::total_cmp);
    scales.get(scales.len() / 2).copied().unwrap_or(1.0)
}

/// A skeleton that stands on the floor at rest.
fn on_floor(mut joints: Vec<Joint>, tips: Vec<Tip>) -> Result<Skeleton> {
    let skeleton = Skeleton::new(joints.clone(), tips.clone())?;
    let rest = RestSkeleton::of(&skeleton);
    let tip = |tip: &Tip| Some(rest.positions.get(tip.parent)?.y + tip.offset.y);
    let heights = rest.positions.iter().map(|at| at.y).chain(skeleton.tips().iter().filter_map(tip));
    let lowest = heights.fold(f32::INFINITY, f32::min);
    if let Some(root) = joints.first_mut() {
        root.offset.y -= lowest;
    }
    Ok(Skeleton::new(joints, tips)?)
}

/// Whether there is a value of a role, by its name in any case.
fn has<T>(values: &BTreeMap<String, T>, role: Role) -> bool {
    values.keys().any(|name| name.eq_ignore_ascii_case(role.name()))
}

#[cfg(test)]
mod tests {
    use marey_body::BodyProportions;

    use super::*;
    use crate::vmc::VmcFrameBuilder;

    fn frame(roles: &[(Role, Vec3)]) -> MarkerFrame {
        MarkerFrame {
            offsets: roles.iter().map(|(role, at)| (role.name().to_owned(), at.to_array())).collect(),
            rotations: roles.iter().map(|(role, _)| (role.name().to_owned(), [0.0, 0.0, 0.0, 1.0])).collect(),
            ..MarkerFrame::default()
        }
    }

    fn body(frames: &[MarkerFrame]) -> (Arc<Skeleton>, Report) {
        let mut report = Report::default();
        let default = BodyProportions::default().skeleton().unwrap();
        let conventions = StreamConventions::settle(&VmcFrameBuilder::header(), frames, &mut report);
        (stated_body(&default, frames, &conventions, &mut report).unwrap().unwrap(), report)
    }

    const HIPS: (Role, Vec3) = (Role::Hips, Vec3::ZERO);

    #[test]
    fn stated_bones_are_kept_and_the_rest_has_their_size() {
        let thigh = Vec3::new(0.01, -0.211, 0.0);
        let thumb = Vec3::new(0.01, 0.0, 0.02);
        let given = [HIPS, (Role::LeftLowerLeg, thigh), (Role::LeftThumbProximal, thumb)];
        let (skeleton, report) = body(&[frame(&given), frame(&given)]);
        let offset = |role: Role| skeleton.joints()[skeleton.joint_of(role).unwrap()].offset;
        assert_eq!((offset(Role::LeftLowerLeg), offset(Role::LeftThumbProximal)), (thigh, thumb));
        // Half of the default thigh, half of the default forearm.
        let default = BodyProportions::default().skeleton().unwrap();
        let forearm = default.offsets()[default.joint_of(Role::LeftHand).unwrap()];
        assert!((offset(Role::LeftHand).length() - 0.5 * forearm.length()).abs() < 0.005);
        // Joints that the stream does not have and that nobody needs are left out.
        assert!(skeleton.joint_of(Role::Chest).is_none() && skeleton.joint_of(Role::RightHand).is_some());
        assert!(RestSkeleton::of(&skeleton).height_m() > 0.8 && report.is_empty());
    }

    #[test]
    fn bones_that_change_and_bones_that_are_zero_have_default_proportions() {
        let at = |x: f32| [HIPS, (Role::LeftHand, Vec3::X * x)];
        let (skeleton, report) = body(&[frame(&at(0.1)), frame(&at(0.3))]);
        let default = BodyProportions::default().skeleton().unwrap();
        let forearm = |skeleton: &Skeleton| skeleton.offsets()[skeleton.joint_of(Role::LeftHand).unwrap()];
        assert!(forearm(&skeleton).distance(forearm(&default)) < 1e-5);
        assert_eq!(report.codes(), ["live/bone-length"]);
        assert!((RestSkeleton::of(&skeleton).height_m() - 1.72).abs() < 0.02);
    }
}
