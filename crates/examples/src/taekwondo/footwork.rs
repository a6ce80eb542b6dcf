//! A fighter's feet: footholds, steps, and pivots on the ball.

use marey_motion::{Contact, Contacts, Ground, Role, Side, smootherstep};

use crate::Result;
use crate::clock::Clock;
use crate::figure::{Figure, Sole};
use crate::gait::{FootPose, Foothold, Swing, on_ball};

/// Time from ball contact to heel contact, and from heel-off to toe-off, in seconds.
const TO_FLAT_SECS: f64 = 0.03;
const ROLL_OFF_SECS: f64 = 0.08;
/// Shortest time that a foot is flat, in seconds.
const MIN_FLAT_SECS: f64 = 0.01;

/// A pivot: a foot stands on its ball, rotates on it and back.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pivot {
    pub(super) side: Side,
    /// Times of the start, the full rotation, the start of the return, and the end.
    pub(super) secs: [f64; 4],
    /// Rotation to the left.
    pub(super) turn_rad: f64,
    /// Raise of the heel, as a rotation of the foot.
    pub(super) heel_up_rad: f64,
}

impl Pivot {
    /// Progress of the rotation, from 0 to 1.
    fn share(&self, secs: f64) -> f64 {
        let [begins, turned, returns, back] = self.secs;
        smootherstep((secs - begins) / (turned - begins)) - smootherstep((secs - returns) / (back - returns))
    }

    fn covers(&self, side: Side, secs: f64) -> bool {
        self.side == side && secs > self.secs[0] && secs < self.secs[3]
    }
}

/// The planned footholds and pivots.
#[derive(Debug, Clone)]
pub(super) struct FootPlan {
    /// The holds of each foot, sorted by time. The first stands from the start, the last to the end.
    holds: [Vec<Foothold>; 2],
    pub(super) pivots: Vec<Pivot>,
}

impl FootPlan {
    /// Both feet stand.
    pub(super) fn standing(places: [Ground; 2], heading_rad: f64) -> Self {
        let holds = Side::BOTH.map(|side| vec![Foothold::standing(side, places[side as usize], heading_rad)]);
        Self { holds, pivots: Vec::new() }
    }

    /// Adds a step of a foot to a place, while the body turns to a heading.
    pub(super) fn step(
        &mut self,
        side: Side,
        [lift_secs, land_secs]: [f64; 2],
        place: Ground,
        heading_rad: f64,
    ) {
        let from = self.leave(side, lift_secs);
        from.heel_off_secs = (lift_secs - ROLL_OFF_SECS).max(from.flat_secs + MIN_FLAT_SECS);
        from.push = f64::from(from.place.translation().distance(place.translation()) / 1.4).min(0.35);
        let flat_secs = land_secs + TO_FLAT_SECS;
        self.arrive(side, Foothold { land_secs, flat_secs, ..Foothold::standing(side, place, heading_rad) });
    }

    /// Adds a kick. The foot leaves the floor without rolling and returns to a place.
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

/// Both feet as functions of time, except during kicks.
#[derive(Debug, Clone)]
pub(super) struct Footwork {
    foot_plan: FootPlan,
    /// The swing from each hold to the next. `None` for a kick.
    swings: [Vec<Option<Swing>>; 2],
    sole: Sole,
}

impl Footwork {
    pub(super) fn of(foot_plan: FootPlan, figure: &Figure) -> Self {
        let swings = Side::BOTH.map(|side| {
            let [own, others] = [side, side.other()].map(|side| &foot_plan.holds[side as usize]);
            let pairs = own.windows(2).map(|pair| {
                let past = others.partition_point(|hold| hold.land_secs <= pair[0].lift_secs);
                let past = &others[past.saturating_sub(1)];
                let is_kick = pair[0].heel_off_secs == pair[0].lift_secs;
                (!is_kick).then(|| Swing::new(&pair[0], past, &pair[1], figure.sole, 1.0))
            });
            pairs.collect()
        });
        Self { foot_plan, swings, sole: figure.sole }
    }

    /// A foot at a time. `None` during a kick.
    pub(super) fn at(&self, side: Side, secs: f64) -> Option<FootPose> {
        let holds = &self.foot_plan.holds[side as usize];
        let i = holds.partition_point(|hold| hold.flat_secs <= secs).saturating_sub(1);
        let hold = &holds[i];
        if secs > hold.heel_off_secs {
            return self.swings[side as usize].get(i)?.as_ref().map(|swing| swing.at(secs));
        }
        let pivot = self.foot_plan.pivots.iter().find(|pivot| pivot.covers(side, secs));
        let (turn_rad, heel_up_rad) = pivot.map_or((0.0, 0.0), |pivot| {
            let share = pivot.share(secs);
            (share * pivot.turn_rad, share * pivot.heel_up_rad)
        });
        Some(on_ball(self.sole, hold.place, turn_rad, heel_up_rad))
    }

    /// The contacts of heels and balls with the floor. A heel has no contact while its foot pivots.
    pub(super) fn contacts(&self, clock: &Clock) -> Result<Contacts> {
        let mut spans = Vec::new();
        for hold in self.foot_plan.holds.iter().flatten() {
            spans.push((Role::LeftToes.on(hold.side), hold.flat_secs, hold.lift_secs));
            let mut from_secs = hold.land_secs;
            for pivot in &self.foot_plan.pivots {
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
