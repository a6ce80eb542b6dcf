//! The soles of the source, over the level on which they stand.

use glam::Vec3;
use marey_motion::{Clip, Role, Side, WorldPose};

use crate::contacts::{self, ContactSettings};
use crate::sole::{SolePart, SolePoint};
use crate::{Result, level};

/// The soles of a motion.
#[derive(Debug)]
pub(super) struct Feet {
    /// Left and right.
    pub(super) sides: [Foot; 2],
    /// Height of the ankles over the floor where heels stand, in metres.
    pub(super) ankle_m: f32,
}

/// One foot of a motion, frame by frame.
#[derive(Debug)]
pub(super) struct Foot {
    pub(super) heel: Vec<SoleAt>,
    pub(super) ball: Vec<SoleAt>,
}

/// A point of the sole in a frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct SoleAt {
    pub(super) place: Vec3,
    /// Height over the level at which it stands, in metres.
    pub(super) clearance_m: f32,
}

/// The points of one foot's sole, in the source.
#[derive(Debug, Clone, Copy)]
pub(super) struct Soles {
    pub(super) heel: SolePoint,
    pub(super) ball: SolePoint,
    /// The joint of the ankle.
    pub(super) ankle: usize,
    /// Its height over the lowest point of the foot at rest, in metres.
    pub(super) ankle_rest_m: f32,
}

impl Feet {
    /// Tracks both soles through a motion over a floor.
    pub(super) fn of(soles: [Soles; 2], clip: &Clip, floor_m: f32) -> Result<Self> {
        let found = contacts::detect(clip, &ContactSettings::default())?.contacts;
        let path = |side: usize, part: SolePart| {
            let soles = &soles[side];
            let point = match part {
                SolePart::Heel => soles.heel,
                SolePart::Ball => soles.ball,
            };
            let path = SolePoint::paths(&[point], clip).pop().unwrap_or_default();
            let role: Role = part.role(Side::BOTH[side]);
            let stands = found.of(role).flat_map(|frames| frames.clone()).map(|frame| path[frame].y);
            let level_m =
                level::lowest(stands.collect()).map_or(floor_m + point.rest_m(), |level| level.height_m);
            path.into_iter().map(|place| SoleAt { place, clearance_m: place.y - level_m }).collect()
        };
        let mut ankles = Vec::new();
        let mut world = WorldPose::scratch(clip.skeleton());
        for (frame, pose) in clip.poses().enumerate() {
            world.set(pose);
            let stands = |side: &usize| found.touches(Role::LeftFoot.on(Side::BOTH[*side]), frame);
            ankles.extend([0, 1].into_iter().filter(stands).map(|i| world.positions[soles[i].ankle].y));
        }
        let at_rest = 0.5 * (soles[0].ankle_rest_m + soles[1].ankle_rest_m);
        let ankle_m = level::lowest(ankles).map_or(at_rest, |level| level.height_m - floor_m);
        let sides =
            [0, 1].map(|side| Foot { heel: path(side, SolePart::Heel), ball: path(side, SolePart::Ball) });
        Ok(Self { sides, ankle_m })
    }
}
