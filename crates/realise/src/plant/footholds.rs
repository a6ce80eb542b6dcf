//! Where heels and balls stand, and when they are released.

use marey_motion::{Side, Vec3};
use marey_ops::sole::SolePart;

use super::leg::Leg;
use super::slot::{Ring, Slot};
use super::summary::{PlantSummary, ReleaseReason};
use super::{PlantSettings, StepWindows};

/// Positions of heel and ball of each foot that stand.
pub(super) type Holds = [[Option<Vec3>; 2]; 2];

/// A contact that ends earlier than its source by less than this is not released: its foot leaves a little
/// sooner. In seconds.
pub(super) const TIMING_SECS: f64 = 0.1;

/// The first moments of a contact, whose lowest height is that of the plant, in seconds.
pub(super) const TOUCHDOWN_SECS: f64 = 0.15;

/// Decides frame by frame where feet stand.
#[derive(Debug)]
pub(super) struct Footholds {
    settings: PlantSettings,
    reach: StepWindows,
    /// [`TIMING_SECS`] and [`TOUCHDOWN_SECS`] in frames.
    timing: usize,
    touchdown: usize,
    parts: [[PartState; 2]; 2],
    summary: PlantSummary,
}

/// What happened to a part of a foot so far.
#[derive(Debug, Clone, Copy, Default)]
struct PartState {
    /// The last frame in which it stood, and its position.
    last: Option<(usize, Vec3)>,
    /// The current contact of the source.
    contact: Contact,
}

/// A contact of the source.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
enum Contact {
    #[default]
    None,
    /// It is too short to count.
    Short,
    /// It was not planted yet.
    Waits,
    /// It was planted, or counted.
    Met,
}

/// The frames that a decision can use.
#[derive(Clone, Copy)]
pub(super) struct KnownFrames<'a> {
    pub(super) ring: &'a Ring,
    pub(super) legs: &'a [Leg; 2],
    /// The number of frames.
    pub(super) count: usize,
}

impl Footholds {
    pub(super) fn new(settings: &PlantSettings, rate_hz: f64) -> Self {
        Self {
            settings: *settings,
            reach: StepWindows::of(settings, rate_hz),
            timing: (TIMING_SECS * rate_hz).round() as usize,
            touchdown: (TOUCHDOWN_SECS * rate_hz).round() as usize,
            parts: Default::default(),
            summary: PlantSummary::default(),
        }
    }

    /// How many plants were kept so far.
    pub(super) fn summary(&self) -> &PlantSummary {
        &self.summary
    }

    /// Counts a foot that stands but is not reached by its leg.
    pub(super) fn count_missed(&mut self, frame: usize) {
        self.summary.count(ReleaseReason::TooFar, frame);
    }

    /// Step 1: positions of heels and balls that stand in a frame. Frames are decided in order.
    pub(super) fn decide(&mut self, frame: usize, frames: KnownFrames<'_>) -> Holds {
        let before = frame.checked_sub(1).map_or(Holds::default(), |before| frames.ring.at(before).holds);
        let mut holds = Holds::default();
        for foot in 0..2 {
            for part in [0, 1] {
                self.follow_contact(frame, foot, part, frames);
            }
            // The ball first: of a foot that turns, the heel is released.
            for part in [1, 0] {
                let Some(place) = before[foot][part].filter(|_| touches(frames, frame, foot, part)) else {
                    continue;
                };
                match self.strain(frame, foot, part, place, holds[foot][1 - part], frames) {
                    None => holds[foot][part] = Some(place),
                    Some(reason) if self.contact_length(frame, foot, part, frames) > self.timing => {
                        self.summary.count(reason, frame);
                    }
                    Some(_) => {}
                }
            }
            for part in [0, 1] {
                if holds[foot][part].is_none() && touches(frames, frame, foot, part) {
                    holds[foot][part] = self.land(frame, foot, part, holds[foot][1 - part], frames);
                }
                if let Some(place) = holds[foot][part] {
                    let state = &mut self.parts[foot][part];
                    state.last = Some((frame, place));
                    if state.contact == Contact::Waits {
                        state.contact = Contact::Met;
                    }
                }
            }
        }
        holds
    }

    /// Counts contacts, and those that end without having been planted.
    fn follow_contact(&mut self, frame: usize, foot: usize, part: usize, frames: KnownFrames<'_>) {
        let contact = self.parts[foot][part].contact;
        let now = match (contact, touches(frames, frame, foot, part)) {
            (Contact::None, true) => {
                let is_short = self.contact_length(frame, foot, part, frames) <= self.reach.least;
                if is_short && self.reach.least > 0 { Contact::Short } else { Contact::Waits }
            }
            (_, true) => contact,
            (_, false) => Contact::None,
        };
        if contact == Contact::None && now == Contact::Waits {
            self.summary.contacts += 1;
        }
        if contact == Contact::Waits && now == Contact::None {
            self.summary.count(ReleaseReason::TooFast, frame);
        }
        self.parts[foot][part].contact = now;
    }

    /// The number of frames from a frame on in which a part touches the floor, as far as they are known.
    fn contact_length(&self, frame: usize, foot: usize, part: usize, frames: KnownFrames<'_>) -> usize {
        let known = frame..(frame + self.reach.stand() + 1).min(frames.count);
        known.take_while(|frame| touches(frames, *frame, foot, part)).count()
    }

    /// Why a part of a foot cannot be held at a place; `other` is the position of its other part.
    fn strain(
        &self,
        frame: usize,
        foot: usize,
        part: usize,
        place: Vec3,
        other: Option<Vec3>,
        frames: KnownFrames<'_>,
    ) -> Option<ReleaseReason> {
        let (leg, at) = (&frames.legs[foot], &frames.ring.at(frame).legs[foot]);
        let shift = place - at.sole[part];
        if shift.length() > self.settings.most_pull_m
            || leg.least_drop_m(at, shift) > self.settings.most_drop_m
        {
            return Some(ReleaseReason::TooFar);
        }
        // A join may turn or pitch a foot away from how it stands in its source, or from its plants.
        let along = at.sole[part] - at.sole[1 - part];
        let own = frames.ring.at(frame).own[foot];
        let is_turned = |stood: Vec3| stood.angle_between(along) > self.settings.most_turn_rad;
        let is_turned =
            is_turned(own[part] - own[1 - part]) || other.is_some_and(|other| is_turned(place - other));
        is_turned.then_some(ReleaseReason::Turned)
    }

    /// The position at which a part of a foot is planted: where it stood just before, or else the mean over
    /// the first part of its contact. `None` if it cannot be held there.
    fn land(
        &self,
        frame: usize,
        foot: usize,
        part: usize,
        other: Option<Vec3>,
        frames: KnownFrames<'_>,
    ) -> Option<Vec3> {
        if self.parts[foot][part].contact == Contact::Short {
            return None;
        }
        let [own, others] = [part, 1 - part].map(|part| self.parts[foot][part].last);
        let age = |last: Option<(usize, Vec3)>| last.map_or(usize::MAX, |(last, _)| frame - last);
        // A foot does not change from one part to the other at once: they would have to agree on its position.
        if other.is_none() && age(others) < age(own) && age(others) <= self.reach.ease {
            return None;
        }
        let length = self.contact_length(frame, foot, part, frames);
        let fit = |place: Vec3| match other {
            Some(other) => Some(other + (place - other).try_normalize()? * frames.legs[foot].foot_m()),
            None => Some(place),
        };
        let stands = |place: &Vec3, count: usize| {
            let mut during = frame..frame + count;
            during.all(|frame| self.strain(frame, foot, part, *place, other, frames).is_none())
        };
        if let Some((_, place)) = own.filter(|_| age(own) <= self.reach.ease) {
            return fit(place).filter(|place| stands(place, length.min(self.reach.least + 1)));
        }
        let mut count = length;
        loop {
            let points = (frame..frame + count).map(|frame| frames.ring.at(frame).legs[foot].sole[part]);
            let mean = points.sum::<Vec3>() / count as f32;
            // A part that still comes down is planted at its lowest height. A join may push a foot into the
            // floor, so heights are those of the source.
            let landing = (frame..frame + count).take(self.touchdown + 1);
            let heights_m = landing.map(|frame| frames.ring.at(frame).own[foot][part].y);
            let place = fit(mean.with_y(heights_m.fold(f32::INFINITY, f32::min)))?;
            if stands(&place, count) {
                return Some(place);
            }
            // Less of the contact, which may still be long enough.
            if count <= self.reach.least + 1 {
                return None;
            }
            count = (count / 2).max(self.reach.least + 1);
        }
    }
}

/// Whether a part of a foot touches the floor in the source.
fn touches(frames: KnownFrames<'_>, frame: usize, foot: usize, part: usize) -> bool {
    let slot: &Slot = frames.ring.at(frame);
    slot.touch.has(Side::BOTH[foot], SolePart::ALL[part])
}
