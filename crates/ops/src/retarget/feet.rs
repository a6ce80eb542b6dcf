//! The feet of the source: where they stand, and how high they are over it.

use glam::Vec3;
use marey_motion::{Clip, Contacts, Observer, Role, Side, WorldPose, smoothstep};

use crate::contacts::{self, ContactSettings};
use crate::sole::{SolePart, SolePoint};
use crate::{Result, level};

/// Time before and after a contact over which it gains and loses its weight, in seconds.
const EASING_SECS: f64 = 0.12;

/// The feet of a motion.
#[derive(Debug)]
pub(super) struct Feet {
    /// Left and right.
    pub(super) sides: [Foot; 2],
    /// Height of the ankles over the floor when feet stand flat, in metres.
    pub(super) ankle_m: f32,
}

/// One foot of a motion, frame by frame.
#[derive(Debug)]
pub(super) struct Foot {
    pub(super) heel: Vec<SoleAt>,
    pub(super) ball: Vec<SoleAt>,
    pub(super) ankle: Vec<Vec3>,
    /// Positions of heel and ball from the ankle when the foot stands flat.
    pub(super) flat: [SoleOffset; 2],
}

/// A position from the ankle, along the ground.
#[derive(Debug, Clone, Copy)]
pub(super) struct SoleOffset {
    /// In the direction of the sole, from heel to ball, in metres.
    pub(super) ahead_m: f32,
    /// To the left of that, in metres.
    pub(super) left_m: f32,
}

/// A point of the sole in a frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct SoleAt {
    pub(super) place: Vec3,
    /// Height over the level at which it stands, in metres.
    pub(super) clearance_m: f32,
    /// 1 in a contact, 0 far from any.
    pub(super) contact: f32,
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
    /// Heel and ball at rest.
    pub(super) flat: [SoleOffset; 2],
}

/// The heights of a flat foot over the floor, in metres.
struct Levels {
    heel_m: f32,
    ball_m: f32,
    ankle_m: f32,
}

impl Feet {
    /// Both feet in a pose, over a floor at height 0 and without contacts.
    pub(super) fn at_rest_level(soles: [Soles; 2], world: &WorldPose) -> Self {
        let sides = soles.map(|soles| {
            let point = |point: SolePoint| {
                let place = point.at(&world.positions, &world.rotations);
                SoleAt { place, clearance_m: place.y - point.rest_m(), contact: 0.0 }
            };
            Foot {
                heel: vec![point(soles.heel)],
                ball: vec![point(soles.ball)],
                ankle: vec![world.positions[soles.ankle]],
                flat: soles.flat,
            }
        });
        Self { sides, ankle_m: 0.5 * (soles[0].ankle_rest_m + soles[1].ankle_rest_m) }
    }

    /// Tracks both feet through a motion over a floor.
    pub(super) fn of(soles: [Soles; 2], clip: &Clip, floor_m: f32, observer: Observer<'_>) -> Result<Self> {
        let found = contacts::detect_observed(clip, &ContactSettings::default(), observer)?.contacts;
        let easing_frames = (EASING_SECS * clip.rate_hz()).max(1.0) as f32;
        let mut world = WorldPose::scratch(clip.skeleton());
        let mut sides = soles.map(|soles| Foot {
            heel: Vec::new(),
            ball: Vec::new(),
            ankle: Vec::new(),
            flat: soles.flat,
        });
        for pose in clip.poses() {
            world.set(pose);
            for (foot, soles) in sides.iter_mut().zip(&soles) {
                let point = |point: SolePoint| SoleAt {
                    place: point.at(&world.positions, &world.rotations),
                    clearance_m: 0.0,
                    contact: 0.0,
                };
                foot.heel.push(point(soles.heel));
                foot.ball.push(point(soles.ball));
                foot.ankle.push(world.positions[soles.ankle]);
            }
        }
        for (foot, side) in sides.iter_mut().zip(Side::BOTH) {
            weigh(&mut foot.heel, &found, SolePart::Heel.role(side), easing_frames);
            weigh(&mut foot.ball, &found, SolePart::Ball.role(side), easing_frames);
        }
        let levels = Levels::of(&sides, &soles, floor_m);
        for foot in &mut sides {
            foot.flat = foot.flat_offsets();
            foot.heel.iter_mut().for_each(|at| at.clearance_m = at.place.y - levels.heel_m);
            foot.ball.iter_mut().for_each(|at| at.clearance_m = at.place.y - levels.ball_m);
        }
        Ok(Self { sides, ankle_m: levels.ankle_m - floor_m })
    }
}

impl Foot {
    /// Whether the foot stands flat.
    pub(super) fn is_flat(&self, frame: usize) -> bool {
        self.heel[frame].contact >= 1.0 && self.ball[frame].contact >= 1.0
    }

    /// The offsets of heel and ball in the frames in which the foot stands flat, or those at rest if it never does.
    fn flat_offsets(&self) -> [SoleOffset; 2] {
        let frames: Vec<usize> = (0..self.ankle.len()).filter(|&frame| self.is_flat(frame)).collect();
        [0, 1].map(|part| {
            let offset = |frame: usize| {
                let places = [self.heel[frame].place, self.ball[frame].place];
                SoleOffset::of(places[part] - self.ankle[frame], places)
            };
            let middle =
                |of: fn(SoleOffset) -> f32| median(frames.iter().map(|&frame| of(offset(frame))).collect());
            match (middle(|offset| offset.ahead_m), middle(|offset| offset.left_m)) {
                (Some(ahead_m), Some(left_m)) => SoleOffset { ahead_m, left_m },
                _ => self.flat[part],
            }
        })
    }
}

impl SoleOffset {
    /// The offset `away` from the ankle, of a sole from heel to ball.
    pub(super) fn of(away: Vec3, [heel, ball]: [Vec3; 2]) -> Self {
        let ahead = (ball - heel).with_y(0.0).normalize_or(Vec3::Z);
        Self { ahead_m: away.dot(ahead), left_m: away.dot(Vec3::Y.cross(ahead)) }
    }
}

impl Levels {
    /// Both feet stand on one level. Heels and ankles are as high over the balls as in feet that stand flat: the rest pose of a
    /// file does not always have flat soles.
    fn of(sides: &[Foot; 2], soles: &[Soles; 2], floor_m: f32) -> Self {
        let mut balls = Vec::new();
        let (mut heels_over, mut ankles_over) = (Vec::new(), Vec::new());
        for foot in sides {
            for (frame, ball) in foot.ball.iter().enumerate() {
                if ball.contact >= 1.0 {
                    balls.push(ball.place.y);
                }
                if foot.is_flat(frame) {
                    heels_over.push(foot.heel[frame].place.y - ball.place.y);
                    ankles_over.push(foot.ankle[frame].y - ball.place.y);
                }
            }
        }
        let at_rest = |height: fn(&Soles) -> f32| 0.5 * (height(&soles[0]) + height(&soles[1]));
        let ball_rest_m = at_rest(|soles| soles.ball.rest_m());
        let ball_m = level::lowest(balls).map_or(floor_m + ball_rest_m, |level| level.height_m);
        let heel_rest_m = at_rest(|soles| soles.heel.rest_m());
        let ankle_rest_m = at_rest(|soles| soles.ankle_rest_m);
        Self {
            heel_m: ball_m + median(heels_over).unwrap_or(heel_rest_m - ball_rest_m),
            ball_m,
            ankle_m: ball_m + median(ankles_over).unwrap_or(ankle_rest_m - ball_rest_m),
        }
    }
}

/// Sets the weights of contacts.
fn weigh(path: &mut [SoleAt], found: &Contacts, role: Role, easing_frames: f32) {
    for frames in found.of(role) {
        let (first, last) = (frames.start, frames.end.saturating_sub(1));
        for (frame, at) in path.iter_mut().enumerate() {
            let away = first.saturating_sub(frame).max(frame.saturating_sub(last));
            at.contact = at.contact.max(smoothstep(1.0 - away as f32 / easing_frames));
        }
    }
}

/// The median; `None` of nothing.
pub(super) fn median(mut values: Vec<f32>) -> Option<f32> {
    values.sort_by(f32::total_cmp);
    values.get(values.len() / 2).copied()
}
