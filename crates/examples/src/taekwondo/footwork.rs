//! Where a fighter's feet stand, how they step, and how they turn on the ball.

use marey_motion::{Contact, Contacts, Ground, Role, Side};

use crate::Result;
use crate::clock::Clock;
use crate::figure::{Figure, Sole};
use crate::gait::{FootPose, Foothold, Swing, on_ball};
use crate::spline::ease;

/// From the ball on the floor to the heel, and from heel up to ball up, in seconds.
const TO_FLAT_SECS: f64 = 0.03;
const ROLL_OFF_SECS: f64 = 0.08;
/// The least time a foot stands flat, in seconds.
const LEAST_FLAT_SECS: f64 = 0.01;

/// A time in which a foot stands on its ball and turns on it, there and back.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pivot {
    pub(super) side: Side,
    /// Begins, is turned, begins to turn back, is back.
    pub(super) secs: [f64; 4],
    /// How far it turns, to the left.
    pub(super) turn_rad: f64,
    /// How far the heel goes up, as a turn of the foot.
    pub(super) heel_up_rad: f64,
}

impl Pivot {
    /// How far it is turned, from 0 to 1.
    fn share(&self, secs: f64) -> f64 {
        let [begins, turned, returns, back] = self.secs;
        ease((secs - begins) / (turned - begins)) - ease((secs - returns) / (back - returns))
    }

    fn covers(&self, side: Side, secs: f64) -> bool {
        self.side == side && secs > self.secs[0] && secs < self.secs[3]
    }
}

/// What the feet do, as it is planned.
#[derive(Debug, Clone)]
pub(super) struct Prints {
    /// Of each foot, in time, from one that stands from the start to one that stands to the end.
    holds: [Vec<Foothold>; 2],
    pub(super) pivots: Vec<Pivot>,
}

impl Prints {
    /// Both feet stand.
    pub(super) fn standing(places: [Ground; 2], heading_rad: f64) -> Self {
        let holds = Side::BOTH.map(|side| vec![Foothold::standing(side, places[side as usize], heading_rad)]);
        Self { holds, pivots: Vec::new() }
    }

    /// A foot steps to a place, and the body turns to a heading meanwhile.
    pub(super) fn step(
        &mut self,
        side: Side,
        [lift_secs, land_secs]: [f64; 2],
        place: Ground,
        heading_rad: f64,
    ) {
        let from = self.leave(side, lift_secs);
        from.heel_off_secs = (lift_secs - ROLL_OFF_SECS).max(from.flat_secs + LEAST_FLAT_SECS);
        from.push = f64::from(from.place.translation().distance(place.translation()) / 1.4).min(0.35);
        let flat_secs = land_secs + TO_FLAT_SECS;
        self.arrive(side, Foothold { land_secs, flat_secs, ..Foothold::standing(side, place, heading_rad) });
    }

    /// A foot leaves the floor for a kick, all of it at once, and comes back to a place.
    pub(super) fn kick(
        &mut self,
        side: Side,
        [lift_secs, land_secs]: [f64; 2],
        place: Ground,
        heading_rad: f64,
    ) {
        self.leave(side, lift_secs);
        let hold =
            Foothold { land_secs, flat_secs: land_secs, ..Foothold::standing(side, place, heading_rad) };
        self.arrive(side, hold);
    }

    fn leave(&mut self, side: Side, lift_secs: f64) -> &mut Foothold {
        let holds = &mut self.holds[side as usize];
        let last = holds.len() - 1;
        holds[last].heel_off_secs = lift_secs;
        holds[last].lift_secs = lift_secs;
        &mut holds[last]
    }

    fn arrive(&mut self, side: Side, hold: Foothold) {
        self.holds[side as usize].push(hold);
    }
}

/// Both feet at any time but while they kick.
#[derive(Debug, Clone)]
pub(super) struct Footwork {
    prints: Prints,
    /// From each hold to the next; none for a kick.
    swings: [Vec<Option<Swing>>; 2],
    sole: Sole,
}

impl Footwork {
    pub(super) fn of(prints: Prints, figure: &Figure) -> Self {
        let swings = Side::BOTH.map(|side| {
            let [own, others] = [side, side.other()].map(|side| &prints.holds[side as usize]);
            let pairs = own.windows(2).map(|pair| {
                let past = others.partition_point(|hold| hold.land_secs <= pair[0].lift_secs);
                let past = &others[past.saturating_sub(1)];
                let is_kick = pair[0].heel_off_secs == pair[0].lift_secs;
                (!is_kick).then(|| Swing::new(&pair[0], past, &pair[1], figure.sole, 1.0))
            });
            pairs.collect()
        });
        Self { prints, swings, sole: figure.sole }
    }

    /// A foot at a time; nothing while it kicks.
    pub(super) fn at(&self, side: Side, secs: f64) -> Option<FootPose> {
        let holds = &self.prints.holds[side as usize];
        let i = holds.partition_point(|hold| hold.flat_secs <= secs).saturating_sub(1);
        let hold = &holds[i];
        if secs > hold.heel_off_secs {
            return self.swings[side as usize].get(i)?.as_ref().map(|swing| swing.at(secs));
        }
        let pivot = self.prints.pivots.iter().find(|pivot| pivot.covers(side, secs));
        let (turn_rad, heel_up_rad) = pivot.map_or((0.0, 0.0), |pivot| {
            let share = pivot.share(secs);
            (share * pivot.turn_rad, share * pivot.heel_up_rad)
        });
        Some(on_ball(self.sole, hold.place, turn_rad, heel_up_rad))
    }

    /// When heels and balls are on the floor. A heel is not while its foot turns on the ball.
    pub(super) fn contacts(&self, clock: &Clock) -> Result<Contacts> {
        let mut spans = Vec::new();
        for hold in self.prints.holds.iter().flatten() {
            spans.push((Role::LeftToes.on(hold.side), hold.flat_secs, hold.lift_secs));
            let mut from_secs = hold.land_secs;
            for pivot in &self.prints.pivots {
                if pivot.side == hold.side && (hold.flat_secs..hold.lift_secs).contains(&pivot.secs[0]) {
                    spans.push((Role::LeftFoot.on(hold.side), from_secs, pivot.secs[0]));
                    from_secs = pivot.secs[3];
                }
            }
            spans.push((Role::LeftFoot.on(hold.side), from_secs, hold.heel_off_secs));
        }
        let contacts = spans
            .into_iter()
            .map(|(role, from, until)| Contact { role, frames: clock.range(from, until) })
            .filter(|contact| !contact.frames.is_empty());
        Ok(Contacts::new(contacts.collect(), clock.frames)?)
    }
}
