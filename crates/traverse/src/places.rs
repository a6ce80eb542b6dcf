//! Places that a crossing may come to, and the hops that can be made from each: found once, for all decisions.
//!
//! A place is a footing and the primitive that led to it. Its hops are those that the database gives for it, cheapest first, asked for
//! as far as they are needed: dearer ones when cheaper ones do not do. How far the arc of a hop must be lifted is found out when it is
//! about to be taken.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::ask::{Ask, Fit, Scratch};
use crate::hop::Hop;
use crate::passage::Passage;
use crate::{Database, Footing, Footings};

/// Cheaper hops are asked for first: so many times cheaper each time.
const RUNG: f64 = 8.0;
/// How often, before all are.
const RUNGS: i32 = 2;
/// No primitive.
const NONE: u32 = u32::MAX;

/// How much was looked at on the way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effort {
    /// Queries of the database.
    pub queries: usize,
    /// Cells that were opened in them.
    pub cells: usize,
    /// Examples that were compared in them.
    pub looked_at: usize,
}

/// A place that was come to.
#[derive(Debug, Clone, Copy)]
struct Place {
    footing: u32,
    after: u32,
    /// Its hops are these of all.
    first: u32,
    count: u32,
    /// No hop is missing that costs as much or less; −∞ where nothing was asked yet.
    asked: f64,
}

/// A hop from a place, as far as it is known.
#[derive(Debug, Clone, Copy)]
struct Known {
    hop: Hop,
    has_lift: bool,
    /// The place it leads to, where that was asked.
    next: u32,
}

/// All places of one ground.
pub(crate) struct Places<'a> {
    database: &'a Database,
    footings: &'a Footings,
    user: &'a [f32],
    goal_m: f32,
    /// Which footings are open, where that was found out.
    passage: Option<&'a Passage>,
    first_rung: f64,
    all: Vec<Place>,
    numbers: HashMap<u64, u32, BuildHasherDefault<Mixed>>,
    /// What it costs to lift a primitive that begins at a footing, whatever was before.
    lifts: HashMap<u64, f64, BuildHasherDefault<Mixed>>,
    hops: Vec<Known>,
    scratch: Scratch,
    pub(crate) effort: Effort,
}

impl<'a> Places<'a> {
    pub(crate) fn new(
        database: &'a Database,
        footings: &'a Footings,
        user: &'a [f32],
        goal_m: f32,
        passage: Option<&'a Passage>,
    ) -> Self {
        let settings = database.settings();
        let whole = settings.k_env * f64::from(settings.most_shift_m).powi(2);
        Self {
            database,
            footings,
            user,
            goal_m,
            passage,
            first_rung: (whole / RUNG.powi(RUNGS)).max(1e-9),
            all: Vec::new(),
            numbers: HashMap::default(),
            lifts: HashMap::default(),
            hops: Vec::new(),
            scratch: Scratch::default(),
            effort: Effort::default(),
        }
    }

    /// The number of a place.
    pub(crate) fn number(&mut self, footing: usize, after: Option<usize>) -> u32 {
        let (footing, after) = (footing as u32, after.map_or(NONE, |after| after as u32));
        let all = &mut self.all;
        *self.numbers.entry(u64::from(footing) << 32 | u64::from(after)).or_insert_with(|| {
            all.push(Place { footing, after, first: 0, count: 0, asked: f64::NEG_INFINITY });
            (all.len() - 1) as u32
        })
    }

    /// How many places were come to.
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    pub(crate) fn footing(&self, place: u32) -> &'a Footing {
        &self.footings.all()[self.all[place as usize].footing as usize]
    }

    /// Whether a place is at the goal or beyond.
    pub(crate) fn is_there(&self, place: u32) -> bool {
        self.footing(place).at.x >= self.goal_m
    }

    /// The hop of a rank from a place, cheapest first, lifts aside; `None` where there is none that costs `most` or less.
    pub(crate) fn nth(&mut self, place: u32, rank: usize, most: f64) -> Option<usize> {
        loop {
            let Place { first, count, asked, .. } = self.all[place as usize];
            if rank < count as usize {
                let hop = first as usize + rank;
                return (self.hops[hop].hop.fit.total() <= most).then_some(hop);
            }
            if asked >= most || asked == f64::INFINITY {
                return None;
            }
            let next = self.first_rung.max(RUNG * asked);
            let last = self.first_rung * RUNG.powi(RUNGS);
            let most = if next > last { f64::INFINITY } else { next };
            self.ask(place, most, self.database.settings().candidates);
        }
    }

    /// What the hops of a place beyond a rank cost at least; ∞ where there are none.
    pub(crate) fn beyond(&self, place: u32, rank: usize) -> f64 {
        let Place { first, count, asked, .. } = self.all[place as usize];
        let next = (rank < count as usize).then(|| self.hops[first as usize + rank].hop.fit.total());
        next.unwrap_or(asked.max(0.0))
    }

    /// The primitive that led to a place.
    pub(crate) fn after(&self, place: u32) -> Option<usize> {
        let after = self.all[place as usize].after;
        (after != NONE).then_some(after as usize)
    }

    /// A hop, lifts aside.
    pub(crate) fn fit(&self, hop: usize) -> &Fit {
        &self.hops[hop].hop.fit
    }

    /// Where it lands.
    pub(crate) fn landing(&self, fit: &Fit) -> &'a Footing {
        &self.footings.all()[fit.footing]
    }

    /// A hop of a place, with how far it must be lifted.
    pub(crate) fn hop(&mut self, place: u32, hop: usize) -> Hop {
        if !self.hops[hop].has_lift {
            let fit = self.hops[hop].hop.fit;
            self.hops[hop].hop.lift = self.lift(place, &fit);
            self.hops[hop].has_lift = true;
        }
        self.hops[hop].hop
    }

    /// The place that a hop leads to.
    pub(crate) fn next(&mut self, hop: usize) -> u32 {
        if self.hops[hop].next == NONE {
            let fit = self.hops[hop].hop.fit;
            self.hops[hop].next = self.number(fit.footing, Some(fit.primitive));
        }
        self.hops[hop].next
    }

    /// Whether it was found out which footings are open.
    pub(crate) fn is_sure(&self) -> bool {
        self.passage.is_some()
    }

    /// Asks for all hops of a place, however dear.
    pub(crate) fn widen(&mut self, place: u32) {
        self.ask(place, f64::INFINITY, self.database.primitives().len());
    }

    /// Asks the database for the hops of a place that cost no more, for so many at the most.
    fn ask(&mut self, place: u32, most: f64, count_most: usize) {
        let Place { footing, after, first, count, .. } = self.all[place as usize];
        let ask = self.database.ask_from(self.footings, self.user, footing as usize, self.after(place));
        let ask = Ask { most, count: count_most, ..ask };
        let [cells, looked_at] = self.database.index().ask_with(&mut self.scratch, &ask);
        self.effort.queries += 1;
        self.effort.cells += cells;
        self.effort.looked_at += looked_at;
        let start = self.hops.len();
        // Those that are known already are the first of these.
        self.hops.extend_from_within(first as usize..(first + count) as usize);
        let new = self.scratch.fits().iter().skip(count as usize);
        self.hops.extend(new.map(|fit| Known {
            hop: Hop { fit: *fit, lift: 0.0 },
            has_lift: false,
            next: NONE,
        }));
        let found = self.scratch.fits().len();
        let asked = if found >= count_most { f64::INFINITY } else { most };
        self.all[place as usize] = Place { footing, after, first: start as u32, count: found as u32, asked };
    }

    /// What it costs that the arc of a hop must be lifted; ∞ where it cannot be made, or leads nowhere.
    fn lift(&mut self, place: u32, fit: &Fit) -> f64 {
        let foot = self.database.primitives()[fit.primitive].foot;
        let is_open = self.passage.is_none_or(|passage| passage.is_open(fit.footing, foot));
        if !is_open || !self.database.may_follow(self.after(place), fit.primitive) {
            return f64::INFINITY;
        }
        let ends = [self.footing(place), self.landing(fit)];
        let key = u64::from(self.all[place as usize].footing) << 32 | fit.primitive as u64;
        *self.lifts.entry(key).or_insert_with(|| self.database.lift(self.footings, ends, fit.primitive))
    }
}

/// Mixes the bits of one number: places are looked up often, and never by whom they could be chosen to collide.
#[derive(Debug, Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u64(&mut self, number: u64) {
        // Half of the digits of the golden ratio; the upper half of a product depends on all of both factors.
        let product = (self.0.rotate_left(5) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = product ^ (product >> 32);
    }
}
