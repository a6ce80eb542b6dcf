//! A phrase: postures a quarter of a second apart.

use marey_motion::{Ground, Side};
use rand::{Rng, RngExt};

use super::arms::Arms::{self, Low};
use super::posture::{Posture, STRAIGHT_RAD, fifth};
use super::vocabulary::Word;

/// Approximate number of postures in which the arms come down at the end.
const ENDING: usize = 3;

/// A phrase under construction.
#[derive(Debug, Clone)]
pub(super) struct Phrase {
    pub(super) postures: Vec<Posture>,
    /// The front foot.
    pub(super) front: Side,
}

impl Phrase {
    /// Improvises a phrase of about this many postures.
    pub(super) fn improvised(postures: usize, rng: &mut impl Rng) -> Self {
        let front = if rng.random_bool(0.5) { Side::Left } else { Side::Right };
        let middle = Ground::new(0.0, 0.0, 0.0);
        let start = Posture {
            x: 0.0,
            z: 0.0,
            heading_rad: 0.0,
            feet: Side::BOTH.map(|side| middle * fifth(side, front)),
            raised: [None; 2],
            fold_rad: [STRAIGHT_RAD; 2],
            heels_rad: 0.0,
            arms: Low,
            trunk: [0.0; 3],
            head: [0.0; 2],
            word: Word::Ready,
        };
        let mut phrase = Self { postures: vec![start; 2], front };
        let mut last = Word::Ready;
        loop {
            let left = (postures + 1).saturating_sub(phrase.postures.len());
            let fitting: Vec<Word> = Word::DANCED
                .into_iter()
                .filter(|word| *word != last && word.postures() + ENDING <= left)
                .collect();
            let Some(&word) = fitting.get(rng.random_range(0..fitting.len().max(1))) else { break };
            phrase.dance(word, rng);
            last = word;
        }
        phrase.arms_to(Low, Word::PortDeBras);
        phrase.hold(1, Word::PortDeBras);
        phrase
    }

    pub(super) fn last(&self) -> Posture {
        self.postures[self.postures.len() - 1]
    }

    pub(super) fn push(&mut self, posture: Posture, word: Word) {
        self.postures.push(Posture { word, ..posture });
    }

    pub(super) fn hold(&mut self, times: usize, word: Word) {
        for _ in 0..times {
            self.push(self.last(), word);
        }
    }

    /// Moves the arms to a position along defined paths. The legs do not move.
    pub(super) fn arms_to(&mut self, arms: Arms, word: Word) {
        for arms in self.last().arms.path_to(arms) {
            self.push(Posture { arms, ..self.last() }, word);
        }
    }

    /// Shifts the weight over one foot.
    pub(super) fn shift(&mut self, onto: Side, word: Word) {
        let last = self.last();
        let foot = last.feet[onto as usize];
        self.push(Posture { x: foot.x, z: foot.z, ..last }, word);
    }

    /// Closes the leg to fifth position, in front or behind.
    pub(super) fn close(&mut self, leg: Side, in_front: bool, word: Word) {
        let mut last = self.last();
        let standing = last.feet[leg.other() as usize];
        let front = if in_front { leg } else { leg.other() };
        // The standing foot does not move, so the middle follows from its place in the new fifth position.
        let facing = Ground::new(0.0, 0.0, last.heading_rad);
        let off = facing.direction(fifth(leg.other(), front).translation());
        let middle = Ground::new(standing.x - off.x, standing.z - off.z, last.heading_rad);
        last.feet[leg as usize] = middle * fifth(leg, front);
        last.raised = [None; 2];
        last.fold_rad = [STRAIGHT_RAD; 2];
        last.heels_rad = 0.0;
        last.trunk = [0.0; 3];
        last.head = [0.0; 2];
        (last.x, last.z) = (middle.x, middle.z);
        self.front = front;
        self.push(last, word);
    }
}
