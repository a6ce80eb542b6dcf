//! Motion on another body: rotations, the path of the hips, then the legs.

use std::sync::Arc;

use glam::Vec3;
use marey_motion::{Clip, ClipParts, Observer, Role, Side, Skeleton, WorldPose};

use super::feet::Feet;
use super::figure::Figure;
use super::joint_rotations::JointRotations;
use super::legs::Legs;
use super::same_joints::SameJoints;
use super::{RetargetSettings, TravelScale};
use crate::Result;
use crate::error::check_cancelled;

/// A pair of different bodies.
#[derive(Debug)]
pub(super) struct Solver {
    joint_rotations: JointRotations,
    legs: Option<Legs>,
    /// The scale s.
    pub(super) scale: f32,
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

impl Solver {
    /// Pairs the joints of two skeletons: `same` if they have the same axes, else by their roles. Both rest
    /// in their T-poses.
    pub(super) fn new(
        source: &Skeleton,
        target: &Skeleton,
        same: Option<&SameJoints>,
        settings: &RetargetSettings,
    ) -> Result<Self> {
        let carried = [HipPoint::of(source)?, HipPoint::of(target)?];
        let sizes = [Size::of(source), Size::of(target)];
        Ok(Self {
            joint_rotations: match same {
                Some(same) => JointRotations::same(&same.joints, target),
                None => JointRotations::new(source, target)?,
            },
            legs: if settings.keep_feet { Legs::new(source, target, settings) } else { None },
            scale: (sizes[1].length_m / sizes[0].length_m).clamp(1e-3, 1e3),
            ankle_m: sizes.map(|size| size.ankle_m),
            carried,
            settings: *settings,
        })
    }

    /// The motion on the target with a horizontal scale, with feet on the floor; and the height of the floor.
    pub(super) fn figures(
        &self,
        clip: &Clip,
        travel: f32,
        observer: Observer<'_>,
    ) -> Result<(Vec<Figure>, f32)> {
        let look = |done: usize| check_cancelled(observer, "retargeting", done, 4);
        look(0)?;
        let floor_m = crate::floor::estimate(clip).height_m;
        let feet = match &self.legs {
            Some(legs) => Some(Feet::of(legs.soles(), clip, floor_m, observer)?),
            None => None,
        };
        let place = self.place(travel, floor_m, feet.as_ref().map(|feet| feet.ankle_m));
        look(2)?;
        let mut figures = self.rotated_frames(clip, place);
        look(3)?;
        if let (Some(legs), Some(feet)) = (&self.legs, &feet) {
            legs.stand(&mut figures, feet, place, clip.rate_hz());
        }
        Ok((figures, floor_m))
    }

    /// A clip of figures.
    pub(super) fn clip(figures: &[Figure], target: &Arc<Skeleton>, rate_hz: f64) -> Result<Clip> {
        let mut parts = ClipParts::default();
        for figure in figures {
            figure.write(target, &mut parts);
        }
        Ok(Clip::new(target.clone(), rate_hz, parts)?)
    }

    /// The mapping over a floor, from a source whose ankles stand at a height.
    fn place(&self, travel: f32, floor_m: f32, ankle_m: Option<f32>) -> Place {
        Place {
            scale: self.scale,
            travel,
            floor_m,
            ankle_m: ankle_m.unwrap_or(self.ankle_m[0]),
            new_ankle_m: self.legs.as_ref().map_or(self.ankle_m[1], Legs::ankle_m),
        }
    }

    /// The horizontal scale of an actor who is alone.
    pub(super) fn travel_scale(&self) -> f32 {
        match self.settings.travel {
            TravelScale::Scaled => self.scale,
            TravelScale::Kept => 1.0,
        }
    }

    /// The target with every joint rotated and its hips placed, frame by frame.
    fn rotated_frames(&self, clip: &Clip, place: Place) -> Vec<Figure> {
        let mut world = WorldPose::scratch(clip.skeleton());
        let frame = |pose| {
            world.set(pose);
            self.rotated(&world, place)
        };
        clip.poses().map(frame).collect()
    }

    /// The target with every joint rotated and its hips placed.
    fn rotated(&self, world: &WorldPose, place: Place) -> Figure {
        let [from, to] = self.carried;
        let rotations = self.joint_rotations.apply(&world.rotations);
        let middle = world.positions[from.hips] + world.rotations[from.hips] * from.offset;
        let hips = place.of(middle) - rotations[to.hips] * to.offset;
        Figure { hips_joint: to.hips, hips, rotations }
    }

    /// A single frame on the target, over a floor at height 0. What comes before and after is not known, so feet follow the soles
    /// of the source near the floor. Hands are not placed.
    pub(super) fn live_figure(&self, world: &WorldPose) -> Figure {
        let feet = self.legs.as_ref().map(|legs| Feet::at_rest_level(legs.soles(), world));
        let place = self.place(self.travel_scale(), 0.0, feet.as_ref().map(|feet| feet.ankle_m));
        let mut figure = self.rotated(world, place);
        if let (Some(legs), Some(feet)) = (&self.legs, &feet) {
            legs.stand(std::slice::from_mut(&mut figure), feet, place, 1.0);
        }
        figure
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
pub(super) struct Size {
    /// Leg length from the upper joint to the ankle; without legs, the height of the body.
    length_m: f32,
    /// Height of the ankles over the lowest point; without legs, 0.
    ankle_m: f32,
}

/// Leg length from hip to ankle as a fraction of the height (Winter's tables).
const LEG: f32 = 0.491;

impl Size {
    pub(super) fn of(skeleton: &Skeleton) -> Self {
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

    /// The height of a person with such legs, in metres.
    pub(super) fn height_m(self) -> f32 {
        self.length_m / LEG
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
pub(super) struct Place {
    pub(super) scale: f32,
    /// The horizontal scale.
    pub(super) travel: f32,
    pub(super) floor_m: f32,
    /// Height of the ankles over the floor in source and target: heights above them are scaled, so that a
    /// straight leg stays straight.
    ankle_m: f32,
    new_ankle_m: f32,
}

impl Place {
    pub(super) fn of(self, source: Vec3) -> Vec3 {
        let height = self.floor_m + self.new_ankle_m + self.scale * (source.y - self.floor_m - self.ankle_m);
        Vec3::new(self.travel * source.x, height, self.travel * source.z)
    }
}
