//! Which hop when: looking several ahead.
//!
//! Question 6 of Lamouret and van de Panne (1996, section 2), which their prototype leaves open: it always takes the best next hop.
//! Here, for every decision, the cheapest line of so many hops, or to the goal, is found, and its first hop taken. Dead
//! ends are known beforehand as far as lengths and heights tell ([`crate::reach`]); where one is met all the same, it is searched anew
//! among footings that are known to lead on ([`crate::passage`]). Question 5, what to do when several examples answer alike: among first hops whose lines cost about as much as the
//! best, the seed chooses.
//!
//! What a line costs from a place on does not depend on how the place was come to:
//!
//! ```text
//! V₀ = 0        Vₙ(place) = min over hops (cost(hop) + Vₙ₋₁(place behind it))
//! ```
//!
//! So it is worked out once for all decisions, cheapest hops first and no further than it can matter: a line that is dearer than one
//! that is known is left, and what is remembered of it is how much it costs at least. What it lacks costs no less than it would on the best of
//! grounds ([`crate::floor`]).

use rand::{Rng, RngExt};

use crate::floor::Floor;
use crate::hop::Hop;
use crate::passage::Passage;
use crate::places::{Effort, Places};
use crate::{Database, Error, Footings, Result, Settings};

/// No crossing has more hops.
const MOST_HOPS: usize = 20_000;
/// Sums of costs may be off by as much of themselves.
const ROUNDING: f64 = 1e-12;

/// A hop that was taken, and what else there was.
#[derive(Debug, Clone)]
pub(crate) struct Decision {
    pub(crate) hop: Hop,
    /// What there was to choose from, best first; only where somebody wants to know.
    pub(crate) among: Vec<Hop>,
}

/// What a line of hops costs: exactly, or at least.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Cost {
    cost: f64,
    is_exact: bool,
}

/// A search over one terrain.
pub(crate) struct Search<'a> {
    settings: &'a Settings,
    places: Places<'a>,
    goal_m: f32,
    floor: Floor,
    /// Vₙ of each place, as far as it is known, for n from 1.
    known: Vec<Cost>,
    /// From so many places more it may be gone on for this decision.
    left: usize,
}

impl<'a> Search<'a> {
    /// On footings that lead on, which they surely do where a passage says so.
    pub(crate) fn new(
        database: &'a Database,
        footings: &'a Footings,
        user: &'a [f32],
        goal_m: f32,
        passage: Option<&'a Passage>,
    ) -> Self {
        let settings = database.settings();
        let places = Places::new(database, footings, user, goal_m, passage);
        let floor = Floor::of(database, user, settings.lookahead.max(1));
        Self { settings, places, goal_m, floor, known: Vec::new(), left: 0 }
    }

    /// All decisions from a footing to the goal; with what else there was, where it is told of it.
    pub(crate) fn cross(&mut self, start: usize, rng: &mut impl Rng, is_told: bool) -> Result<Vec<Decision>> {
        let mut way: Vec<Decision> = Vec::new();
        let start = self.places.number(start, None);
        let mut farthest = (start, 0);
        loop {
            let last = way.last().map(|decision| decision.hop.fit);
            let here = last.map_or(start, |fit| self.places.number(fit.footing, Some(fit.primitive)));
            if self.places.is_there(here) {
                return Ok(way);
            }
            if self.places.footing(here).at.x > self.places.footing(farthest.0).at.x {
                farthest = (here, way.len());
            }
            let mut good = if way.len() < MOST_HOPS { self.decide(here) } else { Vec::new() };
            if good.is_empty() && self.places.is_sure() {
                good = self.leads_on(here);
            }
            if good.is_empty() {
                let along_m = self.places.footing(farthest.0).at.x;
                return Err(Error::Stuck { along_m, hops: farthest.1 });
            }
            let hop = good[if good.len() > 1 { rng.random_range(0..good.len()) } else { 0 }];
            let among = if is_told { self.hops(here) } else { Vec::new() };
            way.push(Decision { hop, among });
        }
    }

    /// How much was looked at.
    pub(crate) fn effort(&self) -> Effort {
        self.places.effort
    }

    /// All hops that can be made from a place, cheapest first.
    fn hops(&mut self, place: u32) -> Vec<Hop> {
        let mut hops = Vec::new();
        while let Some(hop) = self.places.nth(place, hops.len(), f64::INFINITY) {
            hops.push(self.places.hop(place, hop));
        }
        hops.retain(|hop| hop.lift.is_finite());
        hops.sort_by(|a, b| a.total().total_cmp(&b.total()).then(a.fit.primitive.cmp(&b.fit.primitive)));
        hops
    }

    /// The cheapest hop from a place where every line that was looked at ends: on footings that surely lead on, there is one.
    fn leads_on(&mut self, here: u32) -> Vec<Hop> {
        self.places.widen(here);
        let mut hops = self.hops(here);
        hops.truncate(1);
        hops
    }

    /// The first hops of the lines that are about as cheap as the cheapest; cheapest first.
    fn decide(&mut self, here: u32) -> Vec<Hop> {
        let ahead = self.settings.lookahead.max(1) - 1;
        self.left = self.settings.most_expanded;
        let mut lines: Vec<(f64, Hop)> = Vec::new();
        let mut bar = f64::INFINITY;
        let mut rank = 0;
        while let Some(number) = self.places.nth(here, rank, bar) {
            rank += 1;
            if self.places.fit(number).total() + self.behind(number, ahead) > with_rounding(bar) {
                continue;
            }
            let hop = self.places.hop(here, number);
            if hop.total() > bar || hop.lift.is_infinite() {
                continue;
            }
            let next = self.places.next(number);
            let cost = hop.total() + self.line(next, ahead, with_rounding(bar) - hop.total()).cost;
            if cost <= bar && cost.is_finite() {
                lines.push((cost, hop));
                bar = bar.min(cost * (1.0 + self.settings.variety));
            }
        }
        lines.retain(|line| line.0 <= bar);
        lines.sort_by(|a, b| a.0.total_cmp(&b.0));
        lines.into_iter().map(|line| line.1).collect()
    }

    /// Vₙ of a place, exactly where it is `most` or less. Beyond [`Settings::most_expanded`], what was not looked at counts as
    /// little as it may cost.
    fn line(&mut self, place: u32, hops: usize, most: f64) -> Cost {
        if hops == 0 || self.places.is_there(place) {
            return Cost { cost: 0.0, is_exact: true };
        }
        let known = self.known(place, hops);
        if known.is_exact || known.cost > most || self.left == 0 {
            return known;
        }
        self.left -= 1;
        let mut best = Cost { cost: f64::INFINITY, is_exact: true };
        // What follows a hop from here costs no less.
        let after_any = self.floor.at_least(None, hops - 1, self.away_m(place) - self.floor.farthest_m());
        let mut rank = 0;
        while let Some(number) = self.places.nth(place, rank, with_rounding(most.min(best.cost)) - after_any)
        {
            rank += 1;
            let bar = with_rounding(most.min(best.cost));
            let behind = self.behind(number, hops - 1);
            let mut cost = Cost { cost: self.places.fit(number).total() + behind, is_exact: false };
            if cost.cost <= bar {
                let total = self.places.hop(place, number).total();
                cost.cost = total + behind;
                if cost.cost <= bar {
                    let next = if hops > 1 { self.places.next(number) } else { place };
                    let behind = self.line(next, hops - 1, bar - total);
                    cost = Cost { cost: total + behind.cost, is_exact: behind.is_exact };
                }
            }
            if cost.cost < best.cost {
                best = cost;
            }
        }
        let beyond = self.places.beyond(place, rank) + after_any;
        if beyond < best.cost {
            best = Cost { cost: beyond.max(known.cost), is_exact: false };
        }
        let depth = self.settings.lookahead.max(1);
        self.known[place as usize * depth + hops - 1] = best;
        best
    }

    /// What is known of Vₙ.
    fn known(&mut self, place: u32, hops: usize) -> Cost {
        let depth = self.settings.lookahead.max(1);
        let nothing = Cost { cost: 0.0, is_exact: false };
        self.known.resize(self.places.len() * depth, nothing);
        let known = &self.known[place as usize * depth..][..hops];
        let here = known[hops - 1];
        if here.is_exact {
            return here;
        }
        // A longer line costs no less than a shorter one.
        let shorter = known.iter().map(|known| known.cost).fold(0.0, f64::max);
        let floor = self.floor.at_least(self.places.after(place), hops, self.away_m(place));
        Cost { cost: shorter.max(floor), is_exact: false }
    }

    /// What so many hops, or as many as lead to the goal, cost at least behind a hop.
    fn behind(&self, hop: usize, hops: usize) -> f64 {
        let fit = self.places.fit(hop);
        self.floor.at_least(Some(fit.primitive), hops, self.goal_m - self.places.landing(fit).at.x)
    }

    /// How far it is to the goal.
    fn away_m(&self, place: u32) -> f32 {
        self.goal_m - self.places.footing(place).at.x
    }
}

/// A bar, and what sums may be off by.
fn with_rounding(bar: f64) -> f64 {
    bar + ROUNDING * bar
}

#[cfg(test)]
mod tests {
    use std::sync::OnceLock;

    use marey_examples::luxo::{self, LuxoSettings};
    use marey_plan::SourceRef;

    use super::*;
    use crate::{Example, Taste};

    fn database(settings: &Settings) -> Database {
        static HOPPED: OnceLock<luxo::Crossing> = OnceLock::new();
        let hopped =
            HOPPED.get_or_init(|| luxo::luxo(&LuxoSettings { seed: 1, ..LuxoSettings::default() }).unwrap());
        let example = Example {
            source: SourceRef { take: "luxo".into(), actor: 0 },
            clip: hopped.example.take.first().clone(),
            contacts: hopped.example.truth.contacts().cloned().unwrap_or_default(),
            tags: hopped.example.truth.labels().to_vec(),
        };
        Database::new(vec![example], settings).unwrap()
    }

    /// Every hop from a place, and every line from there on, anew each time.
    struct Slow<'a> {
        database: &'a Database,
        footings: &'a Footings,
        user: &'a [f32],
        goal_m: f32,
    }

    impl Slow<'_> {
        fn hops(&self, footing: usize, after: Option<usize>) -> Vec<Hop> {
            let ask = self.database.ask_from(self.footings, self.user, footing, after);
            let lifted = self.database.index().scan(&ask).fits.into_iter().filter_map(|fit| {
                let ends = [footing, fit.footing].map(|end| &self.footings.all()[end]);
                let lift = self.database.lift(self.footings, ends, fit.primitive);
                lift.is_finite().then_some(Hop { fit, lift })
            });
            lifted.collect()
        }

        fn line(&self, footing: usize, after: Option<usize>, hops: usize) -> f64 {
            if hops == 0 || self.footings.all()[footing].at.x >= self.goal_m {
                return 0.0;
            }
            let costs = self
                .hops(footing, after)
                .into_iter()
                .map(|hop| hop.total() + self.line(hop.fit.footing, Some(hop.fit.primitive), hops - 1));
            costs.fold(f64::INFINITY, f64::min)
        }

        fn decide(&self, footing: usize, after: Option<usize>, ahead: usize) -> Vec<Hop> {
            let lines = self.hops(footing, after).into_iter().map(|hop| {
                (hop.total() + self.line(hop.fit.footing, Some(hop.fit.primitive), ahead - 1), hop)
            });
            let mut lines: Vec<(f64, Hop)> = lines.filter(|line| line.0.is_finite()).collect();
            lines.sort_by(|a, b| a.0.total_cmp(&b.0));
            let bar = lines.first().map_or(0.0, |line| line.0 * (1.0 + self.database.settings().variety));
            lines.into_iter().filter(|line| line.0 <= bar).map(|line| line.1).collect()
        }
    }

    #[test]
    fn what_is_remembered_decides_as_looking_at_every_line_anew_does() {
        for (ahead, taste) in [(1, ""), (3, ""), (3, "length=short"), (2, "length=0.3")] {
            let settings = Settings { lookahead: ahead, candidates: 4, variety: 0.3, ..Settings::default() };
            let database = database(&settings);
            let taste: Taste = if taste.is_empty() { Taste::default() } else { taste.parse().unwrap() };
            let user = taste.costs(database.primitives());
            for seed in 30..32 {
                let ground = LuxoSettings { seed, length_m: 1.2, ..LuxoSettings::default() };
                let footings = database.footings(&luxo::terrain(&ground).unwrap());
                let goal_m = footings.all()[footings.all().len() - 1].at.x - 0.5;
                let slow = Slow { database: &database, footings: &footings, user: &user, goal_m };
                let mut search = Search::new(&database, &footings, &user, goal_m, None);
                let (mut footing, mut after, mut decisions) = (20, None, 0);
                while footings.all()[footing].at.x < goal_m {
                    let here = search.places.number(footing, after);
                    let good = search.decide(here);
                    assert_eq!(good, slow.decide(footing, after, ahead), "seed {seed}, {ahead} ahead");
                    // Now the best, now the worst of those that are as good.
                    let next = if decisions % 2 == 0 { good.first() } else { good.last() };
                    let Some(hop) = next else { break };
                    (footing, after) = (hop.fit.footing, Some(hop.fit.primitive));
                    decisions += 1;
                }
                assert!(decisions > 3);
            }
        }
    }
}
