//! Ground crossed by the example of a corpus, from what was given to motion: what `marey traverse` does.

use serde::Deserialize;

use crate::corpus::Corpus;
use crate::failure::Failure;
use crate::motion::{Take, Terrain};
use crate::over_terrain::examples;
use crate::plan::{Brief, Plan, Seed, Trace};
use crate::traverse::{Crossed, Crossing, Database, Effort, Settings, Taste, Way};

/// What is wished for, as a person says it.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Wish {
    /// Only these takes of the corpus, by name or # and number; all where none is named.
    pub takes: Vec<String>,
    /// What is preferred.
    pub taste: Taste,
    /// How many hops are looked ahead, instead of what the settings say.
    pub lookahead: Option<usize>,
    /// Where the figure begins, in metres along the ground.
    pub from_m: Option<f32>,
    /// Where it is to come to, in metres along the ground.
    pub to_m: Option<f32>,
    /// Where chance starts: among hops that are about as good, another seed takes another; default 0.
    pub seed: u64,
    /// How hops are chosen; those for the figure of the examples where nothing is told.
    pub settings: Option<Settings>,
}

/// Examples of a corpus, ready to cross any ground.
#[derive(Debug)]
pub struct Crosser {
    database: Database,
    wish: Wish,
}

/// A way over the ground.
#[derive(Debug)]
pub struct Traversed {
    /// The motion.
    pub take: Take,
    /// Which hop is used when and where.
    pub plan: Plan,
    /// For each choice the candidates, and what each costs.
    pub trace: Trace,
    /// What the search took.
    pub effort: Effort,
    /// Where it lands.
    pub crossed: Crossed,
}

impl Crosser {
    /// Learns the hops or strides of a corpus.
    pub fn of(corpus: &Corpus, wish: Wish) -> Result<Self, Failure> {
        let examples = examples(corpus, &wish.takes)?;
        let figure = examples.first().map(|example| Settings::for_figure(example.clip.skeleton()));
        let mut settings = wish.settings.or(figure).unwrap_or_default();
        settings.lookahead = wish.lookahead.unwrap_or(settings.lookahead);
        settings.validate().map_err(Failure::settings)?;
        Ok(Self { database: Database::new(examples, &settings)?, wish })
    }

    /// How many hops there are to choose from.
    pub fn hops(&self) -> usize {
        self.database.primitives().len()
    }

    /// Crosses ground that is the profile of a way over the floor.
    pub fn cross(&self, terrain: &Terrain, way: &Way) -> Result<Traversed, Failure> {
        let Self { database, wish } = self;
        let brief = Crossing {
            start_m: wish.from_m,
            goal_m: wish.to_m,
            taste: wish.taste.clone(),
            ..Crossing::of(terrain.clone(), database.rate_hz())
        };
        brief.validate()?;
        let footings = database.footings(terrain);
        let mut trace = Trace::default();
        let (plan, effort) = database.plan_on(&footings, &brief, Seed(wish.seed), Some(&mut trace))?;
        let crossed = database.realise_along(&plan, &footings, way)?;
        let take = Take::solo("traverse", crossed.clip.clone());
        Ok(Traversed { take, plan, trace, effort, crossed })
    }
}
