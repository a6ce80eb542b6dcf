//! Turns and shifts a movement so that the partner is where they were in the recordings, or so that
//! it follows a path.

use marey_motion::{Contacts, Ground, GroundTrack, Role, Side, Vec3};

use crate::foot_aware_shift::{fractions, shifts_along};
use crate::observation::wrap_angle;
use crate::repertoire::BlendedMovement;

/// Limits of the mean turn and shift rate, in radians and metres per second.
const MAX_RAD_PER_SEC: f32 = 1.5;
const MAX_MPS: f32 = 0.6;

/// The target position of a person at contact or at the end of a movement.
#[derive(Debug, Clone)]
pub(crate) struct SteeringGoal {
    /// The partner's position at that time, in world space.
    pub(crate) partner: Vec3,
    /// End position that takes precedence over the partner.
    pub(crate) place: Option<Vec3>,
    /// Positions in each frame in world space that take precedence over the partner; empty without
    /// a path.
    pub(crate) path_positions: Vec<Vec3>,
    /// Fraction of the error of the distance to the partner that is corrected.
    pub(crate) distance_correction: f32,
    /// Desired distance to the partner; `None`: as in the recorded movements.
    pub(crate) separation_m: Option<f32>,
    pub(crate) max_turn_rad: f32,
    pub(crate) max_shift_m: f32,
}

/// Returns the ground track, turned and shifted gradually until contact or the end.
pub(crate) fn steer(
    track: &GroundTrack,
    blended: &BlendedMovement,
    start: Ground,
    goal: &SteeringGoal,
) -> GroundTrack {
    let last = track.frames.len() - 1;
    let point = blended
        .contact_frame
        .filter(|_| goal.place.is_none() && goal.path_positions.is_empty())
        .unwrap_or(blended.frames)
        .clamp(1, last.max(1))
        .min(last);
    let unsteered = start * track.frames[point];
    let to_partner = goal.partner - unsteered.translation();
    let desired = blended.partner_offset;
    let heading = |v: Vec3| f64::from(v.x).atan2(f64::from(v.z));
    let yaw = wrap_angle(heading(to_partner) - heading(desired) - f64::from(unsteered.yaw_rad)) as f32;
    let secs = point as f32 / blended.clip.rate_hz() as f32;
    let max_rad = goal.max_turn_rad.min(MAX_RAD_PER_SEC * secs);
    let yaw = if to_partner.length() > 0.1 { yaw.clamp(-max_rad, max_rad) } else { 0.0 };
    let fractions = shift_fractions_until(point, &blended.contacts, blended.clip.rate_hz());
    let shifts = if goal.path_positions.is_empty() {
        let shift = match goal.place {
            Some(place) => place - unsteered.translation(),
            None => {
                let desired_m = goal.separation_m.unwrap_or_else(|| desired.with_y(0.0).length());
                to_partner.normalize_or_zero() * (to_partner.length() - desired_m) * goal.distance_correction
            }
        };
        let shift = start
            .inverse()
            .direction(shift.with_y(0.0).clamp_length_max(goal.max_shift_m.min(MAX_MPS * secs)));
        fractions.iter().map(|fraction| shift * *fraction).collect()
    } else {
        path_shifts(track, blended, start, &goal.path_positions)
    };
    let steered = track.frames.iter().enumerate().map(|(frame, ground)| {
        let shift = shifts[frame.min(shifts.len() - 1)];
        let yaw = fractions[frame.min(point)] * yaw;
        Ground::new(ground.x + shift.x, ground.z + shift.z, ground.yaw_rad + yaw)
    });
    GroundTrack { frames: steered.collect() }
}

/// Returns the shift of each frame, in the frame of the start, that follows a path.
fn path_shifts(
    track: &GroundTrack,
    blended: &BlendedMovement,
    start: Ground,
    path_positions: &[Vec3],
) -> Vec<Vec3> {
    let from_world = start.inverse();
    let frames = path_positions.iter().zip(&track.frames).take(blended.frames + 1);
    let offsets: Vec<Vec3> =
        frames.map(|(place, ground)| from_world.point(*place) - ground.translation()).collect();
    shifts_along(&offsets, |frame| planted_feet(&blended.contacts, frame), blended.clip.rate_hz())
}

/// Returns the number of planted feet in a frame.
pub(crate) fn planted_feet(contacts: &Contacts, frame: usize) -> usize {
    let is_planted = |side: &&Side| {
        let mut roles = [Role::LeftFoot, Role::LeftToes].into_iter();
        roles.any(|role| contacts.touches(role.on(**side), frame))
    };
    Side::BOTH.iter().filter(is_planted).count()
}

/// Returns the fraction of a turn and shift that is done by each frame until `point`, from 0 to 1.
pub(crate) fn shift_fractions_until(point: usize, contacts: &Contacts, rate_hz: f64) -> Vec<f32> {
    fractions(point + 1, |frame| planted_feet(contacts, frame), rate_hz)
}
