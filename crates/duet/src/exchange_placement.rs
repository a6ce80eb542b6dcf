//! Places an exchange: both people go on from where they are and reach their recorded relative placement.
//!
//! The recorded placement of the two is turned and shifted as a whole until it is as near as possible to where both people are.
//! Each person then corrects the rest of the way during the exchange: before the first contact, and mostly while feet are in
//! the air. What feet cannot cover is left to the next exchange.

use marey_motion::{Ground, GroundTrack, Vec3};

use crate::observation::wrap_angle;
use crate::placed_movement::{Start, Timing};
use crate::repertoire::BlendedMovement;
use crate::session::DuetSession;
use crate::steering::{planted_feet, shift_fractions_until};
use crate::{InteractionKind, PlacedMovement, Result};

/// Distance at which a difference of headings counts as much as one of positions, in metres.
const HEADING_LEVER_M: f32 = 0.5;
/// How fast a person is shifted while no, one or both feet are planted, in metres per second.
const SHIFT_MPS: [f32; 3] = [1.0, 0.5, 0.05];
/// How fast a person is turned while no, one or both feet are planted, in radians per second.
const TURN_RAD_PER_SEC: [f32; 3] = [2.0, 0.8, 0.1];
/// How fast a person is shifted at least if a contact follows, in metres per second.
const CONTACT_SHIFT_MPS: f32 = 0.4;
/// From this distance to the recorded placement on, a person is shifted at least as fast as before a contact, in metres.
const FAR_M: f32 = 0.2;
/// From this difference to the recorded heading on, a person is turned at least as fast, in radians and radians per second.
const FAR_RAD: f32 = 0.35;
const FAR_TURN_RAD_PER_SEC: f32 = 0.9;
/// The placement is reached this long before a contact, in seconds.
const CONTACT_LEAD_SECS: f64 = 0.15;
/// Corrections take at least this long, in seconds.
const MIN_CORRECTION_SECS: f64 = 0.3;
/// How fast a pair turns towards its path, in radians per second.
const PATH_TURN_RAD_PER_SEC: f32 = 0.5;
/// Fractions of the turn towards a path that are tried, until both people can follow.
const PATH_FRACTIONS: [f32; 4] = [1.0, 0.7, 0.4, 0.2];
/// A person who travels less than this is not turned towards the path, in metres.
const MIN_TRAVEL_M: f32 = 0.15;

/// An exchange to place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ExchangeStart {
    pub(crate) group: usize,
    /// Frame of the run, counted from its start.
    pub(crate) frame: usize,
    /// Where both people are.
    pub(crate) grounds: [Ground; 2],
    /// Number of exchanges before.
    pub(crate) number: usize,
}

/// A person's part in an exchange.
struct Part {
    blended: BlendedMovement,
    track: GroundTrack,
    /// Position at the start in the frame of the first person.
    start: Ground,
    /// Frame at which corrections are done.
    until: usize,
    /// How far the person can be shifted and turned until then.
    most_shift_m: f32,
    most_turn_rad: f32,
}

impl DuetSession<'_> {
    /// Places both parts of an exchange. `goal` is a position that a person shall reach at its end. Also returns how far the
    /// two stay from their recorded placement, in metres.
    pub(crate) fn place_exchange(
        &self,
        start: ExchangeStart,
        weights: &[(usize, f32)],
        goal: Option<(usize, Vec3)>,
    ) -> Result<([PlacedMovement; 2], f32)> {
        let rate_hz = self.duet.rate_hz();
        let repertoire = &self.duet.repertoire;
        let groups = [&repertoire.people[0][start.group], &repertoire.followers[start.group]];
        let second = groups[1].second_from_first_mean(weights);
        let [first, other] = groups.map(|group| group.blend(weights, rate_hz));
        let parts = [Part::new(first?, Ground::IDENTITY, rate_hz), Part::new(other?, second, rate_hz)];
        let mut placed = aligned(parts.each_ref().map(|part| part.start), start.grounds);
        if let Some((person, goal)) = goal {
            placed = led_to(goal, person, placed, &parts, start.grounds);
        }
        let [first, other] = parts;
        let ((first, first_m), (other, other_m)) =
            (first.place(0, start, placed)?, other.place(1, start, placed)?);
        Ok(([first, other], first_m.max(other_m)))
    }
}

impl Part {
    fn new(blended: BlendedMovement, start: Ground, rate_hz: f64) -> Self {
        let frames = |secs: f64| (secs * rate_hz).round() as usize;
        let until = blended.contact_frame.map_or(blended.frames, |contact| {
            contact.saturating_sub(frames(CONTACT_LEAD_SECS)).max(frames(MIN_CORRECTION_SECS))
        });
        let until = until.clamp(1, blended.frames);
        let sum = |speeds: [f32; 3]| {
            let speed = |frame: usize| speeds[planted_feet(&blended.contacts, frame).min(2)];
            (0..until).map(speed).sum::<f32>() / rate_hz as f32
        };
        let secs = until as f32 / rate_hz as f32;
        let least_shift_m = blended.contact_frame.map_or(0.0, |_| CONTACT_SHIFT_MPS * secs);
        let (most_shift_m, most_turn_rad) = (sum(SHIFT_MPS).max(least_shift_m), sum(TURN_RAD_PER_SEC));
        let track = blended.clip.ground_track();
        Self { blended, track, start, until, most_shift_m, most_turn_rad }
    }

    /// Returns the position at the end, if the first person starts at `placed`.
    fn end(&self, placed: Ground) -> Vec3 {
        let last = self.blended.frames.min(self.track.frames.len() - 1);
        (placed * self.start * self.track.frames[last]).translation()
    }

    /// Returns the change of position, in the frame of the person, that leads from `from` to the recorded placement.
    fn correction(&self, placed: Ground, from: Ground) -> Ground {
        let Ground { x, z, yaw_rad } = from.inverse() * placed * self.start;
        Ground::new(x, z, wrap_angle(f64::from(yaw_rad)) as f32)
    }

    /// Places the part, with as much of its correction as feet can cover. Also returns what is left, in metres.
    fn place(self, person: usize, start: ExchangeStart, placed: Ground) -> Result<(PlacedMovement, f32)> {
        let ground = start.grounds[person];
        let correction = self.correction(placed, ground);
        let (shift_m, turn_rad) = (correction.translation().length(), correction.yaw_rad.abs());
        // Feet slide rather than that the two drift apart.
        let secs = self.until as f32 / self.blended.clip.rate_hz() as f32;
        let least = |is_far: bool, speed: f32| if is_far { speed * secs } else { 0.0 };
        let most_shift_m = self.most_shift_m.max(least(shift_m > FAR_M, CONTACT_SHIFT_MPS));
        let most_turn_rad = self.most_turn_rad.max(least(turn_rad > FAR_RAD, FAR_TURN_RAD_PER_SEC));
        let shift = if shift_m > most_shift_m { most_shift_m / shift_m } else { 1.0 };
        let turn = if turn_rad > most_turn_rad { most_turn_rad / turn_rad } else { 1.0 };
        let left_m = (1.0 - shift) * shift_m + HEADING_LEVER_M * (1.0 - turn) * turn_rad;
        let fractions =
            shift_fractions_until(self.until, &self.blended.contacts, self.blended.clip.rate_hz());
        let steered = self.track.frames.iter().enumerate().map(|(frame, track)| {
            let fraction = fractions[frame.min(self.until)];
            let (shift, turn) = (fraction * shift, fraction * turn);
            Ground::new(correction.x * shift, correction.z * shift, correction.yaw_rad * turn) * *track
        });
        let steered = GroundTrack { frames: steered.collect() };
        let ExchangeStart { group, frame, number, .. } = start;
        let start = Start { person, group, kind: InteractionKind::Normal, frame, ground, number };
        let placed = PlacedMovement::on_track(start, self.blended, &self.track, steered, Timing::default())?;
        Ok((placed, left_m))
    }
}

/// Returns the frame of a pair: half-way between the two, heading from the first to the second.
pub(crate) fn pair_ground([first, second]: [Ground; 2]) -> Ground {
    let (from, to) = (first.translation(), second.translation());
    let (centre, ahead) = (0.5 * (from + to), to - from);
    Ground::new(centre.x, centre.z, ahead.x.atan2(ahead.z))
}

/// Returns the change of position that brings two recorded positions as near as possible to the current ones.
fn aligned(recorded: [Ground; 2], current: [Ground; 2]) -> Ground {
    let centre = |both: [Ground; 2]| 0.5 * (both[0].translation() + both[1].translation());
    let ahead = |both: [Ground; 2]| both[1].translation() - both[0].translation();
    let (a, b) = (ahead(recorded), ahead(current));
    let (mut sin, mut cos) = (0.5 * (b.x * a.z - b.z * a.x), 0.5 * (a.x * b.x + a.z * b.z));
    for (recorded, current) in recorded.into_iter().zip(current) {
        let turn = current.yaw_rad - recorded.yaw_rad;
        sin += HEADING_LEVER_M * HEADING_LEVER_M * turn.sin();
        cos += HEADING_LEVER_M * HEADING_LEVER_M * turn.cos();
    }
    let turn = Ground::new(0.0, 0.0, sin.atan2(cos));
    let shift = centre(current) - turn.point(centre(recorded));
    Ground::new(shift.x, shift.z, turn.yaw_rad)
}

/// Turns and shifts a placement so that a person comes nearer to a goal, as far as the feet of both people can follow.
fn led_to(goal: Vec3, person: usize, placed: Ground, parts: &[Part; 2], grounds: [Ground; 2]) -> Ground {
    let part = &parts[person];
    let secs = part.blended.frames as f32 / part.blended.clip.rate_hz() as f32;
    // How far the feet of both people can follow beyond their own corrections.
    let free_m = |placed: Ground| {
        let free = parts.iter().zip(grounds).map(|(part, ground)| {
            let correction = part.correction(placed, ground);
            let can_turn = correction.yaw_rad.abs() <= part.most_turn_rad;
            if can_turn { part.most_shift_m - correction.translation().length() } else { -1.0 }
        });
        free.fold(f32::INFINITY, f32::min)
    };
    let turned = PATH_FRACTIONS
        .map(|fraction| turned_towards(placed, part, goal, fraction * PATH_TURN_RAD_PER_SEC * secs));
    let turned = turned.into_iter().find(|turned| free_m(*turned) >= 0.0).unwrap_or(placed);
    let missing = (goal - part.end(turned)).with_y(0.0);
    let shift = missing.clamp_length_max(free_m(turned).max(0.0));
    Ground::new(turned.x + shift.x, turned.z + shift.z, turned.yaw_rad)
}

/// Returns where a person gets who travels by `travel` from a ground position within a time, turned towards a goal.
pub(crate) fn led_travel(from: Ground, travel: Vec3, secs: f32, goal: Vec3) -> Vec3 {
    let travel = from.direction(travel.with_y(0.0));
    let wanted = (goal - from.translation()).with_y(0.0);
    let turn = turn_towards(travel, wanted, PATH_TURN_RAD_PER_SEC * secs);
    from.translation() + Ground::new(0.0, 0.0, turn).direction(travel)
}

/// Returns the turn from one direction towards another; 0 if either is short.
fn turn_towards(from: Vec3, to: Vec3, most_rad: f32) -> f32 {
    if from.length() < MIN_TRAVEL_M || to.length() < MIN_TRAVEL_M {
        return 0.0;
    }
    let heading = |v: Vec3| f64::from(v.x).atan2(f64::from(v.z));
    (wrap_angle(heading(to) - heading(from)) as f32).clamp(-most_rad, most_rad)
}

/// Turns a placement about a person so that the person travels towards the goal.
fn turned_towards(placed: Ground, part: &Part, goal: Vec3, most_rad: f32) -> Ground {
    let from = (placed * part.start).translation();
    let turn = turn_towards(part.end(placed) - from, goal - from, most_rad);
    Ground::new(from.x, from.z, turn) * Ground::new(-from.x, -from.z, 0.0) * placed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_that_is_where_it_was_recorded_is_aligned_exactly() {
        let recorded = [Ground::IDENTITY, Ground::new(0.3, 1.0, 3.0)];
        let moved = Ground::new(2.0, -1.0, 1.3);
        let found = aligned(recorded, recorded.map(|ground| moved * ground));
        assert!(found.translation().distance(moved.translation()) < 1e-5, "{found:?}");
        assert!((found.yaw_rad - moved.yaw_rad).abs() < 1e-5);
    }

    #[test]
    fn people_who_are_too_far_apart_share_the_correction() {
        let recorded = [Ground::IDENTITY, Ground::new(0.0, 1.0, 0.0)];
        let found = aligned(recorded, [Ground::IDENTITY, Ground::new(0.0, 1.4, 0.0)]);
        assert!((found.z - 0.2).abs() < 1e-6 && found.yaw_rad.abs() < 1e-6);
    }
}
