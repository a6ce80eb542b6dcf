//! A fighter's part in a bout: every movement as key poses and footholds.

use marey_motion::{Ground, Side};
use rand::Rng;

use super::Movement;
use super::bout::{Attack, Bout, Place, Turn};
use super::defence;
use super::footwork::{FootPlan, Pivot};
use super::form::{Form, KickForm, Weapon};
use super::key::Key;
use crate::figure::sign;
use crate::random::normal;

/// Positions of the feet in the stance: to the left, forward, and rotated to the left, for a left-foot-forward stance.
const LEAD_FOOT: [f32; 3] = [0.10, 0.20, -0.15];
const REAR_FOOT: [f32; 3] = [-0.11, -0.24, -0.75];

/// Raise of the heel in a pivot and at push-off, as a rotation of the foot in radians.
const HEEL_UP_RAD: f64 = 0.16;
const PUSH_OFF_RAD: f64 = 0.6;

/// A planned kick or punch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PlannedStrike {
    pub(super) movement: Movement,
    pub(super) form: Form,
    pub(super) side: Side,
    pub(super) attack: Attack,
    /// Times of departure, preparation, contact, withdrawal and rest.
    pub(super) secs: [f64; 5],
    /// Index of the first key at contact.
    key: usize,
}

/// A fighter's part in a bout.
#[derive(Debug, Clone)]
pub(super) struct Script {
    pub(super) lead: Side,
    size: f32,
    pub(super) keys: Vec<(f64, Key)>,
    pub(super) path: Vec<(f64, Place)>,
    pub(super) foot_plan: FootPlan,
    pub(super) strikes: Vec<PlannedStrike>,
    /// The end time of each movement.
    pub(super) ends: Vec<(f64, Movement)>,
}

impl Script {
    /// Plans one fighter's part in a bout.
    pub(super) fn of(bout: &Bout, me: usize, lead: Side, height_m: f32, rng: &mut impl Rng) -> Self {
        let size = height_m / 1.72;
        let start = bout.starts[me];
        let places = Side::BOTH.map(|side| foot(start, side, lead, size, [0.0; 2]));
        let foot_plan = FootPlan::standing(places, start.heading_rad);
        let mut script = Self {
            lead,
            size,
            keys: vec![(0.0, Key::GUARD)],
            path: vec![(0.0, start)],
            foot_plan,
            strikes: Vec::new(),
            ends: Vec::new(),
        };
        for round in &bout.rounds {
            let turn = &round.turns[me];
            match round.attack {
                Some(attack) if attack.attacker == me => script.strike(turn, attack),
                Some(attack) => script.respond(turn, attack.contact_secs, rng),
                None => script.shuffle(turn, rng),
            }
            script.ends.push((turn.end_secs, turn.movement));
        }
        script
    }

    /// Shifts the body forward at the contact of a strike.
    pub(super) fn shift_forward(&mut self, strike: usize, by_m: f64) {
        let Some(&PlannedStrike { key, .. }) = self.strikes.get(strike) else { return };
        for (_, key) in &mut self.keys[key..key + 2] {
            key.ahead = (key.ahead + by_m).clamp(-0.20, 0.42);
        }
    }

    /// Moves the body to a place within a time span.
    fn move_to(&mut self, from_secs: f64, until_secs: f64, to: Place) {
        let (last_secs, from) = self.path.last().copied().unwrap_or((0.0, to));
        self.path.push((from_secs.max(last_secs + 1e-3), from));
        self.path.push((until_secs, to));
    }

    fn step(&mut self, side: Side, secs: [f64; 2], to: Place, off: [f32; 2]) {
        let place = foot(to, side, self.lead, self.size, off);
        self.foot_plan.step(side, secs, place, to.heading_rad);
    }

    /// Bounces and shuffles: both feet lift and land, in the order of the direction.
    fn shuffle(&mut self, turn: &Turn, rng: &mut impl Rng) {
        let (start, end) = (turn.start_secs, turn.end_secs);
        let span = end - start;
        let at = |share: f64| start + share * span;
        let first = match turn.movement {
            Movement::Approach => self.lead,
            Movement::Retreat => self.lead.other(),
            Movement::CircleLeft => Side::Left,
            Movement::CircleRight => Side::Right,
            _ => self.lead.other(),
        };
        let (one, two) = match turn.movement {
            // In a bounce, both feet lift at once and land almost at once.
            Movement::Guard => ([at(0.42), at(0.90)], [at(0.46), end]),
            _ => ([at(0.10), at(0.62)], [at(0.46), end]),
        };
        for (side, secs) in [(first, one), (first.other(), two)] {
            let off = [(); 2].map(|()| (0.012 * normal(rng) as f32).clamp(-0.03, 0.03));
            self.step(side, secs, turn.to, off);
        }
        self.move_to(at(0.08), end, turn.to);
        let hop = 1.0 + 0.2 * normal(rng).clamp(-1.5, 1.5);
        let (rise, lean) = (
            Key::GUARD.rise,
            match turn.movement {
                Movement::Approach => 0.05,
                Movement::Retreat => -0.05,
                _ => 0.0,
            },
        );
        let [_, _, pitch] = Key::GUARD.chest;
        let lifted = |rise: f64| Key { rise, chest: [-0.45, 0.0, pitch + lean], ..Key::GUARD };
        self.add_keys(&[
            (start, Key::GUARD),
            (at(0.28), lifted(rise - 0.022 * hop)),
            (at(0.66), lifted(rise + 0.022 * hop)),
            (end, lifted(rise - 0.016 * hop)),
            (end + 0.07, Key { rise: rise - 0.030 * hop, ..Key::GUARD }),
        ]);
        self.return_to_guard(end + 0.14);
    }

    /// Adds keys. Replaces keys that were planned after the first of them.
    fn add_keys(&mut self, keys: &[(f64, Key)]) {
        if let Some(&(start_secs, _)) = keys.first() {
            self.keys.truncate(self.keys.partition_point(|(secs, _)| *secs < start_secs));
        }
        self.keys.extend_from_slice(keys);
    }

    /// Returns to the stance at a time.
    fn return_to_guard(&mut self, secs: f64) {
        self.add_keys(&[(secs, Key::GUARD)]);
    }

    /// Responds to an attack: blocks it, dodges it, or is hit.
    fn respond(&mut self, turn: &Turn, contact: f64, rng: &mut impl Rng) {
        let (lead, rear) = (self.lead, self.lead.other());
        let at = |secs: f64| contact + secs;
        let scale = 1.0 + 0.12 * normal(rng).clamp(-2.0, 2.0);
        match turn.movement {
            Movement::Dodge => {
                let start = turn.start_secs;
                self.step(rear, [start, start + 0.24], turn.to, [0.0, 0.05]);
                self.step(lead, [start + 0.07, at(-0.01)], turn.to, [0.0; 2]);
                self.step(rear, [at(0.12), turn.end_secs], turn.to, [0.0; 2]);
                self.move_to(start - 0.04, at(-0.04), turn.to);
                let away = defence::away(scale);
                self.add_keys(&[
                    (start - 0.05, Key::GUARD),
                    (start + 0.04, Key { rise: -0.06, ..Key::GUARD }),
                    (at(-0.06), away),
                    (at(0.10), away),
                ]);
                self.return_to_guard(turn.end_secs + 0.05);
            }
            Movement::Hit | Movement::HeadHit => {
                self.step(rear, [at(0.05), at(0.28)], turn.to, [0.0, -0.03]);
                self.step(lead, [at(0.24), turn.end_secs], turn.to, [0.0; 2]);
                self.move_to(at(0.0), at(0.36), turn.to);
                let struck = if turn.movement == Movement::Hit {
                    defence::folded(scale)
                } else {
                    defence::thrown(scale)
                };
                self.add_keys(&[
                    (at(-0.30), Key::GUARD),
                    (at(-0.10), defence::opened()),
                    (at(0.0), defence::opened()),
                    (at(0.13), struck),
                    (at(0.22), struck),
                ]);
                self.return_to_guard(turn.end_secs + 0.12);
            }
            block => {
                self.step(rear, [at(-0.30), at(-0.10)], turn.to, [0.0, -0.02]);
                self.step(lead, [at(0.08), turn.end_secs], turn.to, [0.0; 2]);
                self.move_to(at(-0.28), at(-0.02), turn.to);
                let block_key = defence::blocked(block, scale);
                self.add_keys(&[(at(-0.36), Key::GUARD), (at(-0.08), block_key), (at(0.07), block_key)]);
                self.return_to_guard(turn.end_secs);
            }
        }
    }

    /// Steps in and strikes.
    fn strike(&mut self, turn: &Turn, attack: Attack) {
        let Some(form) = Form::of(turn.movement) else { return };
        let at = |share: f64| turn.start_secs + share * attack.pace;
        let contact = attack.contact_secs;
        let side = form.side(self.lead);
        let early = self.rear_foot_lead(turn);
        let (lead, rear) = (self.lead, self.lead.other());
        let secs = match form.weapon {
            Weapon::Fist => {
                // The lead foot steps out far, the rear foot follows, and the lead foot returns.
                self.step(lead, [at(0.05), at(0.26)], turn.to, [0.0, 0.10]);
                self.step(rear, [at(0.22 - early), at(0.40)], turn.to, [0.0, 0.02]);
                self.step(lead, [at(0.58), turn.end_secs], turn.to, [0.0; 2]);
                [at(0.10), at(0.26), contact, contact + 0.12, contact + 0.30]
            }
            Weapon::Foot(KickForm { with_lead: false, pivot_rad, .. }) => {
                self.step(lead, [at(0.04), at(0.25)], turn.to, [0.0; 2]);
                let place = foot(turn.to, rear, self.lead, self.size, [0.0; 2]);
                let leaves = at(0.24 - early);
                self.push_off(rear, at(0.02), leaves);
                self.foot_plan.kick(rear, [leaves, turn.end_secs], place, turn.to.heading_rad);
                self.pivot(lead, [at(0.25) + 0.04, at(0.54), at(0.66), at(0.98)], pivot_rad);
                [leaves, at(0.43), contact, at(0.76), turn.end_secs]
            }
            Weapon::Foot(KickForm { pivot_rad, .. }) => {
                // The rear foot closes, the lead foot kicks, and the rear foot returns.
                self.step(rear, [at(0.03), at(0.25)], turn.to, [-0.02, 0.26]);
                let place = foot(turn.to, lead, self.lead, self.size, [0.0; 2]);
                self.push_off(lead, at(0.10), at(0.25));
                self.foot_plan.kick(lead, [at(0.25), at(1.04)], place, turn.to.heading_rad);
                self.pivot(rear, [at(0.25) + 0.04, at(0.54), at(0.70), at(0.98)], pivot_rad);
                self.step(rear, [at(1.06), turn.end_secs], turn.to, [0.0; 2]);
                [at(0.25), at(0.44), contact, at(0.78), at(1.04)]
            }
        };
        self.move_to(at(0.02), at(0.32), turn.to);
        let [_, prepared_secs, _, back_secs, rest_secs] = secs;
        self.add_keys(&[(at(0.0), Key::GUARD), (prepared_secs, form.prepared)]);
        let key = self.keys.len();
        self.add_keys(&[(contact - 0.06, form.arrived), (contact + 0.05, form.arrived)]);
        self.strikes.push(PlannedStrike { movement: turn.movement, form, side, attack, secs, key });
        if let Weapon::Foot(_) = form.weapon {
            self.add_keys(&[(back_secs, form.prepared)]);
        }
        self.return_to_guard(rest_secs.max(back_secs + 0.1));
    }

    /// The lead time of the rear foot in a long step, relative to the pace. Without it, the legs would be far apart and the body low.
    fn rear_foot_lead(&self, turn: &Turn) -> f64 {
        let from = self.path.last().map_or(turn.to, |(_, place)| *place);
        let step_m = (turn.to.x - from.x).hypot(turn.to.z - from.z);
        0.12 * ((step_m - 0.2) / 0.3).clamp(0.0, 1.0)
    }

    /// Pushes off from the ball of a foot before a kick.
    fn push_off(&mut self, side: Side, from_secs: f64, lift_secs: f64) {
        let secs = [from_secs, lift_secs, lift_secs, lift_secs];
        self.foot_plan.pivots.push(Pivot { side, secs, turn_rad: 0.0, heel_up_rad: PUSH_OFF_RAD });
    }

    /// Pivots on the ball of a foot and back.
    fn pivot(&mut self, side: Side, secs: [f64; 4], turn_rad: f64) {
        let turn_rad = f64::from(sign(self.lead)) * turn_rad;
        self.foot_plan.pivots.push(Pivot { side, secs, turn_rad, heel_up_rad: HEEL_UP_RAD });
    }
}

/// The foothold at an offset to the left and forward from the foot's place in the stance.
fn foot(to: Place, side: Side, lead: Side, size: f32, off: [f32; 2]) -> Ground {
    let [sideways, ahead, turn] = if side == lead { LEAD_FOOT } else { REAR_FOOT };
    let out = sign(lead);
    let beside = Ground::new(size * (out * sideways + off[0]), size * (ahead + off[1]), out * turn);
    Ground::new(to.x as f32, to.z as f32, to.heading_rad as f32) * beside
}
