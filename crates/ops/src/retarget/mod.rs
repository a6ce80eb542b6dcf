//! Retargeting: motion on a body with other proportions, rest pose or joints.
//!
//! Joints are paired by their roles. Each joint transfers its world rotation from rest, which does not depend
//! on the joint axes of a skeleton. If the two bodies rest with arms or legs in different directions (T-pose
//! and A-pose), the rotation between the two is applied first, so that an arm that points at something points
//! there again. Trunks with different numbers of joints are matched along their length. Then the legs are
//! solved again, so that feet stand where they stood. Preserving foot plants while retargeting is Gleicher's
//! idea (*Retargetting Motion to New Characters*, 1998); here it is done frame by frame, in closed form, with
//! smooth corrections, rather than by one large optimisation.
//!
//! 1. Every joint gets its rotation (`joint_rotations.rs`, `trunk.rs`).
//! 2. The hips travel like those of the source, scaled by the ratio of the leg lengths (`TravelScale`).
//! 3. Heel and ball of each foot get the positions of the source, at their scaled height over the floor; the
//!    foot is pitched to match both (`feet.rs`).
//! 4. Hips move down smoothly where a leg would not reach; legs are bent to place the ankles (`legs.rs`).
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | s | `scale`: leg length of the target over that of the source | |
//! | D | world rotation of a joint from its rest pose | |
//! | A | rotation from the rest direction of a bone of the target to that of the source | |
//!
//! Limits. Hands follow the arms: holds and contacts are not preserved. Roles that only one body has are
//! ignored; such joints of the target keep their rest rotation relative to their parent. The floor is level.

mod feet;
mod joint_rotations;
mod legs;
mod trunk;

use std::sync::Arc;

use feet::Feet;
use glam::{Quat, Vec3};
use joint_rotations::JointRotations;
use legs::Legs;
use marey_motion::{Clip, ClipParts, Role, Side, Skeleton, WorldPose};
use serde::{Deserialize, Serialize};

use crate::{OutOfRange, Result};

/// Travel distance of a body of another size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum TravelScale {
    /// In proportion to its legs: steps keep their relative length.
    #[default]
    Scaled,
    /// The same as the source: feet stand on the same spots, for partners and props.
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
    /// Smallest fold of a knee, in radians; default 0.06; 0 to 0.5. A knee that locks snaps when it unlocks.
    pub min_knee_rad: f32,
    /// Time over which hips move down for a leg that would not reach, in seconds; default 0.15; 0.01 to 1.
    pub easing_secs: f64,
}

impl Default for RetargetSettings {
    fn default() -> Self {
        Self { travel: TravelScale::Scaled, keep_feet: true, min_knee_rad: 0.06, easing_secs: 0.15 }
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
    joint_rotations: JointRotations,
    legs: Option<Legs>,
    /// The scale s.
    scale: f32,
    /// Height of the ankles of source and target over the soles, at rest.
    ankle_m: [f32; 2],
    /// The tracked hip points of source and target, in the frame of the hips.
    carried: [HipPoint; 2],
    settings: RetargetSettings,
}

/// The midpoint between the upper leg joints, because the position of the hip joint varies between skeletons.
#[derive(Debug, Clone, Copy)]
struct HipPoint {
    hips: usize,
    /// In the frame of the hips.
    offset: Vec3,
}

impl Retarget {
    /// Pairs the joints of two skeletons. Both need hips and must face +Z at rest.
    pub fn new(source: &Skeleton, target: Arc<Skeleton>, settings: &RetargetSettings) -> Result<Self> {
        settings.validate()?;
        let carried = [HipPoint::of(source)?, HipPoint::of(&target)?];
        let sizes = [size(source), size(&target)];
        let scale = (sizes[1].length_m / sizes[0].length_m).clamp(1e-3, 1e3);
        let legs = if settings.keep_feet { Legs::new(source, &target, settings) } else { None };
        let joint_rotations = JointRotations::new(source, &target)?;
        Ok(Self {
            joint_rotations,
            legs,
            scale,
            ankle_m: sizes.map(|size| size.ankle_m),
            carried,
            settings: *settings,
            target,
        })
    }

    /// Leg length of the target over that of the source: s.
    pub fn scale(&self) -> f32 {
        self.scale
    }

    /// Transfers a motion of the source.
    pub fn apply(&self, clip: &Clip) -> Result<Clip> {
        let floor_m = crate::floor::estimate(clip).height_m;
        let feet = match &self.legs {
            Some(legs) => Some(Feet::of(legs.soles(), clip, floor_m)?),
            None => None,
        };
        let place = Place {
            scale: self.scale,
            travel: self.travel_scale(),
            floor_m,
            ankle_m: feet.as_ref().map_or(self.ankle_m[0], |feet| feet.ankle_m),
            new_ankle_m: self.ankle_m[1],
        };
        let mut figures = self.rotated_frames(clip, place);
        if let (Some(legs), Some(feet)) = (&self.legs, &feet) {
            legs.stand(&mut figures, feet, place, clip.rate_hz());
        }
        let mut parts = ClipParts::default();
        for figure in &figures {
            figure.write(&self.target, &mut parts);
        }
        Ok(Clip::new(self.target.clone(), clip.rate_hz(), parts)?)
    }

    fn travel_scale(&self) -> f32 {
        match self.settings.travel {
            TravelScale::Scaled => self.scale,
            TravelScale::Kept => 1.0,
        }
    }

    /// The target with every joint rotated and its hips placed, frame by frame.
    fn rotated_frames(&self, clip: &Clip, place: Place) -> Vec<Figure> {
        let [from, to] = self.carried;
        let mut world = WorldPose::scratch(clip.skeleton());
        let frame = |pose| {
            world.set(pose);
            let rotations = self.joint_rotations.apply(&world.rotations);
            let at = place.of(world.positions[from.hips] + world.rotations[from.hips] * from.offset);
            let hips = at - rotations[to.hips] * to.offset;
            Figure { hips_joint: to.hips, hips, rotations }
        };
        clip.poses().map(frame).collect()
    }
}

impl HipPoint {
    fn of(skeleton: &Skeleton) -> Result<Self> {
        let hips = skeleton.require(Role::Hips)?;
        let at = skeleton.rest_positions();
        let legs = Side::BOTH.map(|side| skeleton.joint_of(Role::LeftUpperLeg.on(side)));
        let middle = match legs {
            [Some(left), Some(right)] => (at[left] + at[right]) * 0.5,
            _ => at[hips],
        };
        let offset = skeleton.rest_world_rotations()[hips].inverse() * (middle - at[hips]);
        Ok(Self { hips, offset })
    }
}

/// The size of a body.
#[derive(Debug, Clone, Copy)]
struct Size {
    /// Leg length from the upper joint to the ankle; without legs, the height of the body.
    length_m: f32,
    /// Height of the ankles over the lowest point; without legs, 0.
    ankle_m: f32,
}

fn size(skeleton: &Skeleton) -> Size {
    let at = skeleton.rest_positions();
    let (lowest, highest) = extent(skeleton);
    let leg = |side: Side| {
        let [top, knee, ankle] = [Role::LeftUpperLeg, Role::LeftLowerLeg, Role::LeftFoot]
            .map(|role| skeleton.joint_of(role.on(side)).map(|joint| at[joint]));
        let length_m = top?.distance(knee?) + knee?.distance(ankle?);
        Some(Size { length_m, ankle_m: ankle?.y - lowest }).filter(|size| size.length_m > 1e-4)
    };
    match Side::BOTH.map(leg) {
        [Some(left), Some(right)] => Size {
            length_m: 0.5 * (left.length_m + right.length_m),
            ankle_m: 0.5 * (left.ankle_m + right.ankle_m),
        },
        [Some(one), None] | [None, Some(one)] => one,
        [None, None] => Size { length_m: (highest - lowest).max(1e-4), ankle_m: 0.0 },
    }
}

/// The heights of the lowest and the highest point at rest.
fn extent(skeleton: &Skeleton) -> (f32, f32) {
    let (at, turns) = (skeleton.rest_positions(), skeleton.rest_world_rotations());
    let tips = skeleton.tips().iter().map(|tip| at[tip.parent] + turns[tip.parent] * tip.offset);
    let heights = at.iter().copied().chain(tips).map(|point| point.y);
    heights.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)))
}

/// The mapping from positions of the source to positions of the target.
#[derive(Debug, Clone, Copy)]
struct Place {
    scale: f32,
    /// The horizontal scale.
    travel: f32,
    floor_m: f32,
    /// Height of the ankles over the floor in source and target: heights above them are scaled, so that a
    /// straight leg stays straight.
    ankle_m: f32,
    new_ankle_m: f32,
}

impl Place {
    fn of(self, source: Vec3) -> Vec3 {
        let height = self.floor_m + self.new_ankle_m + self.scale * (source.y - self.floor_m - self.ankle_m);
        Vec3::new(self.travel * source.x, height, self.travel * source.z)
    }
}

/// The target in one frame: world rotations of all joints, and the position of the hips.
#[derive(Debug, Clone)]
struct Figure {
    hips_joint: usize,
    hips: Vec3,
    rotations: Vec<Quat>,
}

impl Figure {
    /// The position of a joint that hangs on the hips by joints without their own translation.
    fn position(&self, skeleton: &Skeleton, joint: usize) -> Vec3 {
        let mut at = Vec3::ZERO;
        let mut j = joint;
        while j != self.hips_joint && j != 0 {
            let parent = skeleton.parents()[j];
            at += self.rotations[parent] * skeleton.offsets()[j];
            j = parent;
        }
        self.hips + at
    }

    /// Appends the frame to the arrays of a clip.
    fn write(&self, skeleton: &Skeleton, parts: &mut ClipParts) {
        let parents = skeleton.parents();
        for (j, rotation) in self.rotations.iter().enumerate() {
            let local = if j == 0 { *rotation } else { self.rotations[parents[j]].inverse() * *rotation };
            parts.rotations.push(local.normalize());
        }
        // The nearest translating joint above the hips carries them; all others stay in place.
        let carrier = self.carrier(skeleton);
        for &mover in skeleton.movers() {
            let position = if mover == carrier {
                self.carrier_position(skeleton, carrier)
            } else {
                skeleton.offsets()[mover]
            };
            parts.positions.push(position);
        }
    }

    fn carrier(&self, skeleton: &Skeleton) -> usize {
        let mut j = self.hips_joint;
        while !skeleton.joints()[j].moves {
            j = skeleton.parents()[j];
        }
        j
    }

    /// The local position of the carrier that places the hips.
    fn carrier_position(&self, skeleton: &Skeleton, carrier: usize) -> Vec3 {
        let parents = skeleton.parents();
        let mut world = self.hips;
        let mut j = self.hips_joint;
        while j != carrier {
            world -= self.rotations[parents[j]] * skeleton.offsets()[j];
            j = parents[j];
        }
        if carrier == 0 {
            return world;
        }
        // Joints above it are at their rest positions, whatever their rotation.
        let mut above = Vec::new();
        let mut j = parents[carrier];
        while j != 0 {
            above.push(j);
            j = parents[j];
        }
        let start = skeleton.offsets()[0];
        let parent_at =
            above.iter().rev().fold(start, |at, &j| at + self.rotations[parents[j]] * skeleton.offsets()[j]);
        self.rotations[parents[carrier]].inverse() * (world - parent_at)
    }
}
