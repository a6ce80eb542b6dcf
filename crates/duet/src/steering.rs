//! How a movement is turned and shifted on its way, so that the other is where they were in the examples.

use marey_motion::{Contacts, Ground, GroundTrack, Role, Side, Vec3};

use crate::observation::wrapped;
use crate::repertoire::Blended;

/// How readily somebody is turned and shifted while no, one, or both feet stand.
const FREE: [f32; 3] = [1.0, 0.3, 0.1];

/// Where somebody should be when a movement comes to its point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Aim {
    /// Where the other is then, in the world.
    pub(crate) other: Vec3,
    /// Where somebody should be at the end whatever the other does.
    pub(crate) place: Option<Vec3>,
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
        .filter(|_| aim.place.is_none())
        .unwrap_or(blended.frames)
        .clamp(1, last.max(1))
        .min(last);
    let here = start * track.frames[point];
    let to_other = aim.other - here.translation();
    let wished = blended.other_at;
    let heading = |v: Vec3| f64::from(v.x).atan2(f64::from(v.z));
    let yaw = wrapped(heading(to_other) - heading(wished) - f64::from(here.yaw_rad)) as f32;
    let yaw = if to_other.length() > 0.1 { yaw.clamp(-aim.most_turn_rad, aim.most_turn_rad) } else { 0.0 };
    let shift = match aim.place {
        Some(place) => place - here.translation(),
        None => {
            let wished_m = aim.apart_m.unwrap_or_else(|| wished.with_y(0.0).length());
            to_other.normalize_or_zero() * (to_other.length() - wished_m) * aim.closeness
        }
    };
    let shift = start.inverse().direction(shift.with_y(0.0).clamp_length_max(aim.most_shift_m));
    let shares = shares(&blended.contacts, point);
    let carried = track.frames.iter().enumerate().map(|(frame, ground)| {
        let share = shares[frame.min(point)];
        Ground::new(ground.x + share * shift.x, ground.z + share * shift.z, ground.yaw_rad + share * yaw)
    });
    GroundTrack { frames: carried.collect() }
}

/// How much of a turn and a shift is done by each frame, from 0 to 1 at the point: with ease, and most of it while feet are in the air,
/// since those that stand would be dragged along.
fn shares(contacts: &Contacts, point: usize) -> Vec<f32> {
    let standing = |frame: usize| {
        let stands = |side: &Side| {
            let mut roles = [Role::LeftFoot, Role::LeftToes].into_iter();
            roles.any(|role| contacts.touches(role.on(*side), frame))
        };
        Side::BOTH.iter().filter(|side| stands(side)).count()
    };
    let free: Vec<f32> = (0..point).map(|frame| FREE[standing(frame)]).collect();
    let rate = |frame: usize| {
        let around = &free[frame.saturating_sub(1)..(frame + 2).min(point)];
        let mean = around.iter().sum::<f32>() / around.len() as f32;
        let t = (frame as f32 + 0.5) / point as f32;
        mean * t * (1.0 - t)
    };
    let mut sum = 0.0;
    let mut shares = vec![0.0];
    shares.extend((0..point).map(|frame| {
        sum += rate(frame);
        sum
    }));
    shares.iter_mut().for_each(|share| *share /= sum.max(f32::MIN_POSITIVE));
    shares
}
