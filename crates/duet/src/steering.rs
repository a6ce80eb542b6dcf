//! How a movement is turned and shifted on its way, so that the other is where they were in the examples, or so that it goes along a line.

use marey_motion::{Contacts, Ground, GroundTrack, Role, Side, Vec3};

use crate::line::{shares, shifts};
use crate::observation::wrapped;
use crate::repertoire::Blended;

/// Nobody is turned or shifted faster than this on average, in radians and metres a second.
const MOST_RAD_PER_SEC: f32 = 1.5;
const MOST_MPS: f32 = 0.6;

/// Where somebody should be when a movement comes to its point.
#[derive(Debug, Clone)]
pub(crate) struct Aim {
    /// Where the other is then, in the world.
    pub(crate) other: Vec3,
    /// Where somebody should be at the end whatever the other does.
    pub(crate) place: Option<Vec3>,
    /// Where somebody should be in each frame until the end, whatever the other does, as places in the world; none where it is free.
    pub(crate) line: Vec<Vec3>,
    /// How much of the distance to the other is put right.
    pub(crate) closeness: f32,
    /// How far apart both should be; as in the own examples where nothing is said.
    pub(crate) apart_m: Option<f32>,
    pub(crate) most_turn_rad: f32,
    pub(crate) most_shift_m: f32,
}

/// The way over the floor, turned and shifted little by little until the point of the movement.
pub(crate) fn steered(track: &GroundTrack, blended: &Blended, start: Ground, aim: &Aim) -> GroundTrack {
    let last = track.frames.len() - 1;
    let point = blended
        .touch
        .filter(|_| aim.place.is_none() && aim.line.is_empty())
        .unwrap_or(blended.frames)
        .clamp(1, last.max(1))
        .min(last);
    let here = start * track.frames[point];
    let to_other = aim.other - here.translation();
    let wished = blended.other_at;
    let heading = |v: Vec3| f64::from(v.x).atan2(f64::from(v.z));
    let yaw = wrapped(heading(to_other) - heading(wished) - f64::from(here.yaw_rad)) as f32;
    let secs = point as f32 / blended.clip.rate_hz() as f32;
    let most_rad = aim.most_turn_rad.min(MOST_RAD_PER_SEC * secs);
    let yaw = if to_other.length() > 0.1 { yaw.clamp(-most_rad, most_rad) } else { 0.0 };
    let shares = shares_until(point, &blended.contacts, blended.clip.rate_hz());
    let shifts = if aim.line.is_empty() {
        let shift = match aim.place {
            Some(place) => place - here.translation(),
            None => {
                let wished_m = aim.apart_m.unwrap_or_else(|| wished.with_y(0.0).length());
                to_other.normalize_or_zero() * (to_other.length() - wished_m) * aim.closeness
            }
        };
        let shift = start
            .inverse()
            .direction(shift.with_y(0.0).clamp_length_max(aim.most_shift_m.min(MOST_MPS * secs)));
        shares.iter().map(|share| shift * *share).collect()
    } else {
        along(track, blended, start, &aim.line)
    };
    let carried = track.frames.iter().enumerate().map(|(frame, ground)| {
        let shift = shifts[frame.min(shifts.len() - 1)];
        let yaw = shares[frame.min(point)] * yaw;
        Ground::new(ground.x + shift.x, ground.z + shift.z, ground.yaw_rad + yaw)
    });
    GroundTrack { frames: carried.collect() }
}

/// How a movement is shifted in each frame until its end, as seen at its start, to keep to a line.
fn along(track: &GroundTrack, blended: &Blended, start: Ground, line: &[Vec3]) -> Vec<Vec3> {
    let from_world = start.inverse();
    let frames = line.iter().zip(&track.frames).take(blended.frames + 1);
    let off: Vec<Vec3> =
        frames.map(|(place, ground)| from_world.point(*place) - ground.translation()).collect();
    shifts(&off, |frame| standing(&blended.contacts, frame), blended.clip.rate_hz())
}

/// How many feet stand in a frame.
fn standing(contacts: &Contacts, frame: usize) -> usize {
    let stands = |side: &&Side| {
        let mut roles = [Role::LeftFoot, Role::LeftToes].into_iter();
        roles.any(|role| contacts.touches(role.on(**side), frame))
    };
    Side::BOTH.iter().filter(stands).count()
}

/// How much of a turn and a shift is done by each frame until one of them, from 0 to 1.
pub(crate) fn shares_until(point: usize, contacts: &Contacts, rate_hz: f64) -> Vec<f32> {
    shares(point + 1, |frame| standing(contacts, frame), rate_hz)
}
