//! A recorded movement, prepared for blending with others of its group.

use marey_motion::{Clip, Contact, Contacts, Ground, Role, Side, Vec3};

use crate::{LabelledMovement, RecordedPair, Result};

/// Motion kept after the end of a movement for blending, in seconds.
const TAIL_SECS: f64 = 0.25;
/// The same for an exchange, which is followed by less similar ones.
const EXCHANGE_TAIL_SECS: f64 = 0.9;
/// An exchange at the end of a recording ends this much earlier, if nothing happens there, in seconds.
const MIN_TAIL_SECS: f64 = 0.3;
/// Minimum distance between key times, in frames.
const MIN_KEY_FRAMES: f64 = 2.0;

/// Geometry of a strike, the same for the attacker and the defender.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct StrikeGeometry {
    /// The striking part.
    pub(crate) striker: Role,
    /// The struck part.
    pub(crate) struck: Role,
    /// Vector from the struck joint to the striking joint in the ground frame of the struck person,
    /// in metres.
    pub(crate) reach: Vec3,
    /// Whether the strike missed.
    pub(crate) is_miss: bool,
}

/// A recorded movement.
#[derive(Debug, Clone)]
pub(crate) struct RecordedMovement {
    pub(crate) clip: Clip,
    pub(crate) keys: Vec<f64>,
    contacts: Contacts,
    /// Travel over the floor in the frame of its start.
    pub(crate) travel: Vec3,
    pub(crate) strike: Option<StrikeGeometry>,
    /// Contact height in metres, speed in metres per second, turn in radians.
    pub(crate) parameters: [f64; 3],
    /// Position of the partner at contact, or at the end, in this person's ground frame, in metres.
    pub(crate) partner_offset: Vec3,
    /// Ground position of the second person relative to the first at the start.
    pub(crate) second_from_first: Ground,
}

/// An event that aligns the movements of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    FootDown(Side),
    PartnerContact,
}

/// Returns the footfalls and the first contact within a movement, in frames of the movement. Events
/// too close to another are left out.
pub(crate) fn events(pair: &RecordedPair, person: usize, movement: &LabelledMovement) -> Vec<(Event, f64)> {
    let frames = &movement.frames;
    let footfalls = pair.people[person].steps.iter().map(|step| (Event::FootDown(step.foot), step.frame));
    let contacts = pair.partner_contacts.iter().map(|contact| (Event::PartnerContact, contact.frame));
    let inside = |event: &(Event, usize)| frames.start < event.1 && event.1 < frames.end;
    let contacts = contacts.filter(inside).take(1);
    let mut all: Vec<(Event, f64)> = footfalls
        .filter(inside)
        .chain(contacts)
        .map(|(event, frame)| (event, (frame - frames.start) as f64))
        .collect();
    all.sort_by(|a, b| a.1.total_cmp(&b.1));
    let contact = all.iter().find(|event| event.0 == Event::PartnerContact).map(|event| event.1);
    let mut last = 0.0;
    all.retain(|&(event, at)| {
        let near_contact = contact.is_some_and(|contact| (contact - at).abs() < MIN_KEY_FRAMES);
        let is_kept = event == Event::PartnerContact
            || (at - last >= MIN_KEY_FRAMES && frames.len() as f64 - at >= MIN_KEY_FRAMES && !near_contact);
        if is_kept {
            last = at;
        }
        is_kept
    });
    all
}

/// Moves the end of an exchange forward, so that motion is left to blend with at the end of a recording. Half of the exchange
/// and all events stay.
fn with_tail(pair: &RecordedPair, start: usize, last: usize, events: &[f64]) -> usize {
    let min_tail = (MIN_TAIL_SECS * pair.rate_hz()).round() as usize;
    let last_event = events.last().map_or(0, |at| (at + MIN_KEY_FRAMES).ceil() as usize);
    let earliest = start + ((last - start) / 2).max(last_event).max(1);
    last.min((pair.frames() - 1).saturating_sub(min_tail).max(earliest))
}

impl RecordedMovement {
    pub(crate) fn new(
        pair: &RecordedPair,
        tracks: &[Vec<Ground>; 2],
        person: usize,
        movement: &LabelledMovement,
        events: &[f64],
        is_exchange: bool,
    ) -> Result<Self> {
        let recorded = &pair.people[person];
        let frames = &movement.frames;
        // At least one frame follows the movement.
        let last = frames.end.min(pair.frames() - 1).max(frames.start + 1).min(pair.frames());
        let last = if is_exchange { with_tail(pair, frames.start, last, events) } else { last };
        let length = (last - frames.start) as f64;
        let tail_secs = if is_exchange { EXCHANGE_TAIL_SECS } else { TAIL_SECS };
        let tail = ((tail_secs * pair.rate_hz()).round() as usize).max(1);
        let end = (last + tail).min(pair.frames());
        let clip = recorded.clip.slice(frames.start..end)?;
        let mut keys = vec![0.0];
        keys.extend(events.iter().filter(|at| **at > 0.0 && **at < length));
        keys.extend([length, (end - frames.start) as f64]);
        let shifted = recorded.contacts.all().iter().filter_map(|contact| {
            let start = contact.frames.start.max(frames.start);
            let until = contact.frames.end.min(end);
            (start < until)
                .then(|| Contact { role: contact.role, frames: start - frames.start..until - frames.start })
        });
        let contacts = Contacts::new(shifted.collect(), clip.frames())?;
        let contact = pair.partner_contacts.iter().find(|contact| frames.contains(&contact.frame));
        let (own, other) = (&tracks[person], &tracks[1 - person]);
        let at = contact.map_or(last, |contact| contact.frame);
        let strike = contact.map(|contact| StrikeGeometry {
            striker: contact.striker.role,
            struck: contact.struck.role,
            reach: tracks[contact.struck.person][contact.frame].inverse().direction(contact.reach),
            is_miss: contact.is_miss(),
        });
        let distance_m: f32 = own[frames.start..=last]
            .windows(2)
            .map(|pair| pair[0].translation().distance(pair[1].translation()))
            .sum();
        let turn = own[frames.start].inverse() * own[last];
        let parameters = [
            contact.map_or(0.0, |contact| f64::from(contact.point.y)),
            f64::from(distance_m) * pair.rate_hz() / length,
            f64::from(turn.yaw_rad),
        ];
        Ok(Self {
            clip,
            keys,
            contacts,
            travel: turn.translation(),
            strike,
            parameters,
            partner_offset: own[at].inverse().point(other[at].translation()),
            second_from_first: tracks[0][frames.start].inverse() * tracks[1][frames.start],
        })
    }

    /// Returns the number of frames before the tail.
    pub(crate) fn frames(&self) -> f64 {
        self.keys[self.keys.len() - 2]
    }

    /// Returns its foot contacts, retimed to the key times of a blend.
    pub(crate) fn contacts_at(&self, keys: &[f64], clip: &Clip) -> Result<Contacts> {
        let at = |frame: usize| {
            let frame = frame as f64;
            let piece = self.keys.windows(2).position(|pair| frame < pair[1]).unwrap_or(self.keys.len() - 2);
            let (own, to) = (&self.keys[piece..piece + 2], &keys[piece..piece + 2]);
            let there = to[0] + (frame - own[0]) * (to[1] - to[0]) / (own[1] - own[0]);
            (there.round().max(0.0) as usize).min(clip.frames())
        };
        let all = self.contacts.all().iter().filter_map(|contact| {
            let (start, end) = (at(contact.frames.start), at(contact.frames.end));
            (start < end).then_some(Contact { role: contact.role, frames: start..end })
        });
        Ok(Contacts::new(all.collect(), clip.frames())?)
    }
}
