//! A recorded movement, ready to be blended with others of its group.

use marey_motion::{Clip, Contact, Contacts, Ground, Role, Side, Vec3};

use crate::{Labelled, Pair, Result};

/// How long a movement goes on beyond its end, to be faded out, in seconds.
const TAIL_SECS: f64 = 0.25;
/// Key times are at least so many frames apart.
const LEAST_APART: f64 = 2.0;

/// How the two met in a movement: who strikes and who is struck have the same.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Encounter {
    /// What strikes.
    pub(crate) striker: Role,
    /// What is struck.
    pub(crate) struck: Role,
    /// From the joint that is struck to the one that strikes, as the struck sees it, in metres.
    pub(crate) reach: Vec3,
    /// Whether the strike missed.
    pub(crate) misses: bool,
}

/// A recorded movement.
#[derive(Debug, Clone)]
pub(crate) struct Example {
    pub(crate) clip: Clip,
    pub(crate) keys: Vec<f64>,
    contacts: Contacts,
    /// How far it goes, as seen at its start.
    pub(crate) travel: Vec3,
    pub(crate) encounter: Option<Encounter>,
    /// Height of the touch, speed, turn: in metres, metres a second, radians.
    pub(crate) parameters: [f64; 3],
    /// Where the other is, as this one sees them, when they touch, or at the end: in metres.
    pub(crate) other_at: Vec3,
    /// Where the second is when it begins, as the first sees them.
    pub(crate) from_first: Ground,
}

/// What happens in a movement that others of its group are aligned by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    Lands(Side),
    Touches,
}

/// Landings within a movement, and its first touch, in frames of it; those too near to another are left out.
pub(crate) fn events(pair: &Pair, person: usize, movement: &Labelled) -> Vec<(Event, f64)> {
    let frames = &movement.frames;
    let landed = pair.people[person].steps.iter().map(|step| (Event::Lands(step.foot), step.frame));
    let touched = pair.touches.iter().map(|touch| (Event::Touches, touch.frame));
    let inside = |event: &(Event, usize)| frames.start < event.1 && event.1 < frames.end;
    let touched = touched.filter(inside).take(1);
    let mut all: Vec<(Event, f64)> = landed
        .filter(inside)
        .chain(touched)
        .map(|(event, frame)| (event, (frame - frames.start) as f64))
        .collect();
    all.sort_by(|a, b| a.1.total_cmp(&b.1));
    let touch = all.iter().find(|event| event.0 == Event::Touches).map(|event| event.1);
    let mut last = 0.0;
    all.retain(|&(event, at)| {
        let near_touch = touch.is_some_and(|touch| (touch - at).abs() < LEAST_APART);
        let is_kept = event == Event::Touches
            || (at - last >= LEAST_APART && frames.len() as f64 - at >= LEAST_APART && !near_touch);
        if is_kept {
            last = at;
        }
        is_kept
    });
    all
}

impl Example {
    pub(crate) fn of(
        pair: &Pair,
        tracks: &[Vec<Ground>; 2],
        person: usize,
        movement: &Labelled,
        events: &[f64],
    ) -> Result<Self> {
        let of = &pair.people[person];
        let frames = &movement.frames;
        // What comes after is there, if only for a frame.
        let last = frames.end.min(pair.frames() - 1).max(frames.start + 1).min(pair.frames());
        let length = (last - frames.start) as f64;
        let tail = ((TAIL_SECS * pair.rate_hz()).round() as usize).max(1);
        let end = (last + tail).min(pair.frames());
        let clip = of.clip.slice(frames.start..end)?;
        let mut keys = vec![0.0];
        keys.extend(events.iter().filter(|at| **at > 0.0 && **at < length));
        keys.extend([length, (end - frames.start) as f64]);
        let shifted = of.contacts.all().iter().filter_map(|contact| {
            let start = contact.frames.start.max(frames.start);
            let until = contact.frames.end.min(end);
            (start < until)
                .then(|| Contact { role: contact.role, frames: start - frames.start..until - frames.start })
        });
        let contacts = Contacts::new(shifted.collect(), clip.frames())?;
        let touch = pair.touches.iter().find(|touch| frames.contains(&touch.frame));
        let (own, other) = (&tracks[person], &tracks[1 - person]);
        let at = touch.map_or(last, |touch| touch.frame);
        let encounter = touch.map(|touch| Encounter {
            striker: touch.striker.role,
            struck: touch.struck.role,
            reach: tracks[touch.struck.person][touch.frame].inverse().direction(touch.reach),
            misses: touch.misses(),
        });
        let way: f32 = own[frames.start..=last]
            .windows(2)
            .map(|pair| pair[0].translation().distance(pair[1].translation()))
            .sum();
        let turn = own[frames.start].inverse() * own[last];
        let parameters = [
            touch.map_or(0.0, |touch| f64::from(touch.place.y)),
            f64::from(way) * pair.rate_hz() / length,
            f64::from(turn.yaw_rad),
        ];
        Ok(Self {
            clip,
            keys,
            contacts,
            travel: turn.translation(),
            encounter,
            parameters,
            other_at: own[at].inverse().point(other[at].translation()),
            from_first: tracks[0][frames.start].inverse() * tracks[1][frames.start],
        })
    }

    /// How many frames it has before its tail.
    pub(crate) fn frames(&self) -> f64 {
        self.keys[self.keys.len() - 2]
    }

    /// Its contacts at the times of a blend that it is most of, whose key times are given.
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
