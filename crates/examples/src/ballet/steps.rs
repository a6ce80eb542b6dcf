//! The postures of each word of the vocabulary.

use std::f32::consts::{FRAC_PI_2, PI};

use marey_motion::{Ground, Side};
use rand::{Rng, RngExt};

use super::arms::Arms::{Arabesque, Fifth, First, Fourth, Low, Second, Third};
use super::phrase::Phrase;
use super::posture::{Posture, RaisedLeg, STRAIGHT_RAD, TURNED_OUT_RAD, fifth};
use super::vocabulary::Word;
use crate::figure::sign;

/// Fold of the knee in a demi-plié and in a lunge, in radians.
const PLIE_RAD: f32 = 1.05;
const LUNGE_RAD: f32 = 1.0;
/// Raise of the foot in a relevé, in radians.
const RELEVE_RAD: f32 = 0.85;
/// Angle of a raised leg from the vertical, in radians: on the floor, just off it, at hip height, and behind.
const TENDU_RAD: f32 = 0.42;
const DEGAGE_RAD: f32 = 0.68;
const HIGH_RAD: f32 = 1.45;
const ARABESQUE_RAD: f32 = 1.30;

/// Toes at the knee.
const PASSE: RaisedLeg = RaisedLeg { azimuth_rad: 0.75, from_vertical_rad: 0.55, stretch: 0.50 };

impl Phrase {
    /// Adds a word, with a random leg and direction.
    pub(super) fn dance(&mut self, word: Word, rng: &mut impl Rng) {
        let leg = if rng.random_bool(0.5) { Side::Left } else { Side::Right };
        // To the front, the side or the back.
        let azimuth = [0.0, FRAC_PI_2, PI][rng.random_range(0..3)];
        match word {
            Word::Ready => {}
            Word::Plie => self.plie(word),
            Word::Releve => self.releve(word),
            Word::Tendu => self.gesture(leg, azimuth, TENDU_RAD, word),
            Word::Degage => self.gesture(leg, azimuth, DEGAGE_RAD, word),
            Word::Battement => self.gesture(leg, azimuth, HIGH_RAD, word),
            Word::RondDeJambe => self.rond_de_jambe(leg, rng.random_bool(0.5)),
            Word::Passe => self.passe(leg),
            Word::Developpe => self.developpe(leg, azimuth),
            Word::Arabesque => self.arabesque(leg),
            Word::Lunge => self.lunge(leg),
            Word::PortDeBras => self.port_de_bras(rng.random_range(0..3)),
            Word::Glissade => self.glissade(leg),
            Word::Soutenu => self.soutenu(if rng.random_bool(0.5) { 1.0 } else { -1.0 }),
        }
    }

    fn plie(&mut self, word: Word) {
        let up = self.last();
        self.push(Posture { fold_rad: [0.6; 2], head: [0.12, 0.0], ..up }, word);
        self.push(Posture { fold_rad: [PLIE_RAD; 2], head: [0.12, 0.05], ..up }, word);
        self.push(Posture { fold_rad: [0.6; 2], ..up }, word);
        self.push(up, word);
    }

    fn releve(&mut self, word: Word) {
        let flat = self.last();
        self.push(Posture { fold_rad: [0.7; 2], ..flat }, word);
        self.arms_to(First, word);
        self.push(Posture { heels_rad: RELEVE_RAD, fold_rad: [STRAIGHT_RAD; 2], ..self.last() }, word);
        let up = self.last();
        self.push(Posture { arms: Fifth, ..up }, word);
        self.hold(1, word);
        self.push(Posture { arms: Second, ..up }, word);
        self.push(Posture { arms: Second, heels_rad: 0.0, fold_rad: [0.5; 2], ..up }, word);
        self.push(Posture { arms: Second, heels_rad: 0.0, ..up }, word);
    }

    /// A straight leg moves out and back: tendu, dégagé, grand battement.
    fn gesture(&mut self, leg: Side, azimuth_rad: f32, from_vertical_rad: f32, word: Word) {
        // The arm of the other side leads. To the side, both arms are equal.
        let leads = leg.other();
        let high = from_vertical_rad > DEGAGE_RAD;
        self.arms_to(
            match azimuth_rad == FRAC_PI_2 {
                true => Second,
                false if high => Fourth(leads),
                false => Third(leads),
            },
            word,
        );
        self.shift(leg.other(), word);
        let lean = if azimuth_rad == PI {
            0.35 * (from_vertical_rad - TENDU_RAD)
        } else {
            -0.12 * (from_vertical_rad - TENDU_RAD)
        };
        let standing = self.last();
        if from_vertical_rad > TENDU_RAD {
            self.push(
                standing.with_raised_leg(
                    leg,
                    RaisedLeg { azimuth_rad, from_vertical_rad: TENDU_RAD, stretch: 1.0 },
                ),
                word,
            );
        }
        let mut out =
            standing.with_raised_leg(leg, RaisedLeg { azimuth_rad, from_vertical_rad, stretch: 1.0 });
        out.trunk = [0.0, 0.0, lean];
        out.head = [0.25 * sign(leg.other()), 0.0];
        self.push(out, word);
        self.push(out, word);
        self.push(
            standing
                .with_raised_leg(leg, RaisedLeg { azimuth_rad, from_vertical_rad: TENDU_RAD, stretch: 1.0 }),
            word,
        );
        self.close(leg, azimuth_rad < 1.0, word);
    }

    /// The pointed foot draws a half circle on the floor.
    fn rond_de_jambe(&mut self, leg: Side, outwards: bool) {
        let word = Word::RondDeJambe;
        self.arms_to(Third(leg.other()), word);
        self.shift(leg.other(), word);
        let standing = self.last();
        let azimuths =
            [0.0, 0.25, 0.5, 0.75, 1.0].map(|share| PI * if outwards { share } else { 1.0 - share });
        for azimuth_rad in azimuths {
            self.push(
                standing.with_raised_leg(
                    leg,
                    RaisedLeg { azimuth_rad, from_vertical_rad: TENDU_RAD, stretch: 1.0 },
                ),
                word,
            );
        }
        self.close(leg, !outwards, word);
    }

    fn passe(&mut self, leg: Side) {
        let word = Word::Passe;
        self.arms_to(Third(leg.other()), word);
        self.shift(leg.other(), word);
        let standing = self.last();
        self.push(
            standing
                .with_raised_leg(leg, RaisedLeg { azimuth_rad: 0.5, from_vertical_rad: 0.22, stretch: 0.80 }),
            word,
        );
        let up = Posture { heels_rad: RELEVE_RAD, ..standing.with_raised_leg(leg, PASSE) };
        self.push(up, word);
        self.push(up, word);
        self.push(
            standing
                .with_raised_leg(leg, RaisedLeg { azimuth_rad: 0.5, from_vertical_rad: 0.22, stretch: 0.80 }),
            word,
        );
        self.close(leg, true, word);
    }

    /// The leg unfolds through the passé, and is lowered stretched.
    fn developpe(&mut self, leg: Side, azimuth_rad: f32) {
        let word = Word::Developpe;
        let to_side = azimuth_rad == FRAC_PI_2;
        let (before, then) =
            if to_side { (First, Second) } else { (Third(leg.other()), Fourth(leg.other())) };
        self.arms_to(before, word);
        self.shift(leg.other(), word);
        let standing = self.last();
        self.push(standing.with_raised_leg(leg, PASSE), word);
        self.arms_to(then, word);
        let half = RaisedLeg {
            azimuth_rad: 0.5 * (PASSE.azimuth_rad + azimuth_rad),
            from_vertical_rad: 1.2,
            stretch: 0.85,
        };
        let standing = self.last();
        self.push(standing.with_raised_leg(leg, half), word);
        let lean = if azimuth_rad == PI { 0.35 } else { -0.10 };
        let mut out = standing
            .with_raised_leg(leg, RaisedLeg { azimuth_rad, from_vertical_rad: HIGH_RAD, stretch: 1.0 });
        out.trunk = [0.0, 0.0, lean];
        self.push(out, word);
        self.push(out, word);
        self.push(
            standing
                .with_raised_leg(leg, RaisedLeg { azimuth_rad, from_vertical_rad: DEGAGE_RAD, stretch: 1.0 }),
            word,
        );
        self.push(
            standing
                .with_raised_leg(leg, RaisedLeg { azimuth_rad, from_vertical_rad: TENDU_RAD, stretch: 1.0 }),
            word,
        );
        self.close(leg, azimuth_rad < 1.0, word);
    }

    fn arabesque(&mut self, leg: Side) {
        let word = Word::Arabesque;
        self.arms_to(Third(leg.other()), word);
        self.shift(leg.other(), word);
        self.arms_to(Arabesque(leg.other()), word);
        let standing = self.last();
        let behind = |from_vertical_rad: f32| RaisedLeg { azimuth_rad: PI, from_vertical_rad, stretch: 1.0 };
        self.push(standing.with_raised_leg(leg, behind(TENDU_RAD)), word);
        self.push(Posture { trunk: [0.0, 0.0, 0.18], ..standing.with_raised_leg(leg, behind(0.9)) }, word);
        let high =
            Posture { trunk: [0.0, 0.0, 0.38], ..standing.with_raised_leg(leg, behind(ARABESQUE_RAD)) };
        for _ in 0..3 {
            self.push(high, word);
        }
        self.push(Posture { trunk: [0.0, 0.0, 0.18], ..standing.with_raised_leg(leg, behind(0.9)) }, word);
        self.push(standing.with_raised_leg(leg, behind(TENDU_RAD)), word);
        self.close(leg, false, word);
        self.arms_to(Third(leg.other()), word);
    }

    /// A long step forward onto a bent leg, and back.
    fn lunge(&mut self, leg: Side) {
        let word = Word::Lunge;
        self.arms_to(Third(leg.other()), word);
        self.shift(leg.other(), word);
        let standing = self.last();
        self.push(
            standing.with_raised_leg(
                leg,
                RaisedLeg { azimuth_rad: 0.15, from_vertical_rad: TENDU_RAD, stretch: 1.0 },
            ),
            word,
        );
        let body = Ground::new(standing.x, standing.z, standing.heading_rad);
        let place = body * Ground::new(0.10 * sign(leg), 0.52, TURNED_OUT_RAD * sign(leg));
        let mut deep = self.last();
        deep.raised = [None; 2];
        deep.feet[leg as usize] = place;
        deep.fold_rad[leg as usize] = LUNGE_RAD;
        let ahead = body * Ground::new(0.04 * sign(leg), 0.33, 0.0);
        (deep.x, deep.z) = (ahead.x, ahead.z);
        deep.trunk = [0.0, 0.0, 0.06];
        deep.head = [0.3 * sign(leg), 0.0];
        self.push(deep, word);
        for arms in [Fourth(leg.other()), Fourth(leg.other()), Third(leg.other())] {
            self.push(Posture { arms, ..deep }, word);
        }
        // Back over the standing leg.
        self.push(
            standing.with_raised_leg(
                leg,
                RaisedLeg { azimuth_rad: 0.15, from_vertical_rad: TENDU_RAD, stretch: 1.0 },
            ),
            word,
        );
        self.close(leg, true, word);
    }

    /// The arms move through their positions, and the trunk bends with them: not at all, to a side, or back.
    fn port_de_bras(&mut self, bend: usize) {
        let word = Word::PortDeBras;
        self.arms_to(First, word);
        self.arms_to(Fifth, word);
        let up = self.last();
        let (trunk, head) = match bend {
            0 => ([0.0, 0.0, 0.0], [0.0, 0.0]),
            1 => ([0.0, 0.38, 0.0], [0.3, 0.1]),
            _ => ([0.0, 0.0, -0.34], [0.0, 0.0]),
        };
        self.push(Posture { trunk: trunk.map(|angle| 0.6 * angle), head, ..up }, word);
        self.push(Posture { trunk, head, ..up }, word);
        self.push(Posture { trunk: trunk.map(|angle| 0.6 * angle), head, ..up }, word);
        self.push(up, word);
        self.arms_to(Second, word);
        self.arms_to(Low, word);
    }

    /// A gliding step to the side: one leg moves out, takes the weight, and the other follows.
    fn glissade(&mut self, leg: Side) {
        let word = Word::Glissade;
        self.arms_to(Second, word);
        let start = self.last();
        let other = leg.other();
        self.push(Posture { fold_rad: [0.7; 2], ..start }, word);
        self.shift(other, word);
        let mut low = self.last();
        low.fold_rad[other as usize] = 0.7;
        self.push(
            low.with_raised_leg(
                leg,
                RaisedLeg { azimuth_rad: FRAC_PI_2, from_vertical_rad: TENDU_RAD, stretch: 1.0 },
            ),
            word,
        );
        let body = Ground::new(start.x, start.z, start.heading_rad);
        let middle = body * Ground::new(0.42 * sign(leg), 0.0, 0.0);
        let mut over = low;
        over.feet[leg as usize] = middle * fifth(leg, self.front);
        over.raised = [None; 2];
        over.fold_rad[leg as usize] = 0.55;
        (over.x, over.z) = (middle.x, middle.z);
        self.push(over, word);
        let over = Posture { x: over.feet[leg as usize].x, z: over.feet[leg as usize].z, ..over };
        self.push(
            over.with_raised_leg(
                other,
                RaisedLeg { azimuth_rad: FRAC_PI_2, from_vertical_rad: TENDU_RAD, stretch: 1.0 },
            ),
            word,
        );
        self.close(other, self.front == other, word);
    }

    /// A turn on the balls of the feet, in small steps.
    fn soutenu(&mut self, direction: f32) {
        let word = Word::Soutenu;
        self.arms_to(First, word);
        let start = self.last();
        self.push(Posture { heels_rad: RELEVE_RAD, fold_rad: [STRAIGHT_RAD; 2], ..start }, word);
        self.push(Posture { arms: Fifth, ..self.last() }, word);
        let middle = Ground::new(start.x, start.z, start.heading_rad);
        for step in 0..4 {
            let leg = if step % 2 == 0 { self.front } else { self.front.other() };
            let mut lifted = self.last();
            let place = lifted.feet[leg.other() as usize];
            (lifted.x, lifted.z) = (0.5 * (lifted.x + place.x), 0.5 * (lifted.z + place.z));
            lifted.raised[leg as usize] =
                Some(RaisedLeg { azimuth_rad: FRAC_PI_2, from_vertical_rad: 0.16, stretch: 0.93 });
            lifted.heading_rad += 0.25 * PI * direction;
            self.push(lifted, word);
            let turned = middle * Ground::new(0.0, 0.0, 0.25 * PI * direction * (step + 1) as f32);
            let mut down = lifted;
            down.raised = [None; 2];
            down.feet[leg as usize] = turned * fifth(leg, self.front);
            (down.x, down.z) = (middle.x, middle.z);
            self.push(down, word);
        }
        // The last foot is placed by the whole turn; the first one follows.
        let heading_rad = start.heading_rad + PI * direction;
        let turned = middle * Ground::new(0.0, 0.0, PI * direction);
        let leg = self.front;
        let mut lifted = Posture { heading_rad, ..self.last() };
        lifted.raised[leg as usize] =
            Some(RaisedLeg { azimuth_rad: FRAC_PI_2, from_vertical_rad: 0.16, stretch: 0.93 });
        self.push(lifted, word);
        lifted.raised = [None; 2];
        lifted.feet = Side::BOTH.map(|side| match side == leg {
            true => turned * fifth(side, self.front),
            false => lifted.feet[side as usize],
        });
        self.push(lifted, word);
        self.push(Posture { heels_rad: 0.0, arms: Second, ..lifted }, word);
    }
}
