//! How an engine is plugged into the studio.

use std::path::Path;
use std::sync::Arc;

use marey_corpus::Corpus;
use marey_motion::{Contacts, Report, Take, Terrain};
use marey_plan::{Plan, Trace};
use marey_realise::Sources;
use serde_json::Value;

use crate::{Fault, Live, Result, Work, codes};

/// The examples of a plan, kept for as long as the result is.
pub type SharedSources = Arc<dyn Sources + Send + Sync>;

/// An engine as the studio sees it: one panel of the page.
///
/// What the page sends is for the panel to understand and check; whatever it sends, a panel answers or refuses.
pub trait Panel: Send + Sync {
    /// Its name in addresses: small letters.
    fn name(&self) -> &'static str;

    /// Does what the page asks; the motions that came of it, at least one. Runs on a thread of its own; looks now and then
    /// whether it is still wanted.
    fn run(&self, ask: &Ask<'_>, work: &Work) -> Result<Vec<Made>>;

    /// Makes motion while it is watched, until it is over; what is kept of it.
    fn play(&self, _ask: &Ask<'_>, _live: &mut Live) -> Result<Option<Made>> {
        Err(Fault::new(&codes::NO_PANEL, format!("{} does not play", self.name())))
    }

    /// Answers a question that is asked while somebody edits, at once and without making motion.
    fn look(&self, _ask: &Ask<'_>) -> Result<Value> {
        Err(Fault::new(&codes::NO_PANEL, format!("{} answers no questions", self.name())))
    }
}

/// What a panel is asked, and what with.
#[derive(Debug)]
pub struct Ask<'a> {
    /// What the page sent.
    pub wish: &'a Value,
    /// The corpus, open to be read.
    pub corpus: &'a Corpus,
    /// Where it is, for commands that do the same.
    pub path: &'a Path,
    /// How often the corpus was changed through the studio: what was learned from it at another count is out of date.
    pub revision: u64,
}

/// What came of it.
pub struct Made {
    /// The motion; its name is shown.
    pub take: Take,
    /// What of each actor stands when.
    pub contacts: Vec<Contacts>,
    /// The plan that it was made by, where there is one.
    pub planned: Option<Planned>,
    /// What was found on the way.
    pub report: Report,
    /// The lines of the command that do the same.
    pub command: String,
    /// Files that the command needs beside the corpus: name and content.
    pub files: Vec<(String, Vec<u8>)>,
    /// A number or two that the panel wants to be seen: name and value.
    pub notes: Vec<(String, String)>,
    /// A motion of the corpus to be seen beside it, by take: what really was.
    pub beside: Option<i64>,
    /// What it moves on.
    pub floor: Floor,
    /// What the page shows around it, in the panel's own words: the ground, an attractor; null for nothing.
    pub shows: Value,
}

/// What a motion moves on, for those who judge it.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Floor {
    /// A level floor at height 0.
    #[default]
    Level,
    /// Ground that is not level, in profile along +Z.
    Uneven(Terrain),
    /// Bars, ropes, water: nothing that feet could be judged by.
    Elsewhere,
}

/// A plan with what is known about it.
pub struct Planned {
    /// Which example is used when and where.
    pub plan: Plan,
    /// Why each piece was chosen, where that is known.
    pub trace: Trace,
    /// How it is realised again after a piece was swapped; `None` where pieces cannot be swapped one by one.
    pub again: Option<Again>,
}

/// How a plan is realised.
#[derive(Clone)]
pub struct Again {
    /// The examples of the plan.
    pub sources: SharedSources,
    /// The passes.
    pub settings: marey_realise::Settings,
}

impl std::fmt::Debug for Made {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Made")
            .field("take", &self.take.name())
            .field("plan", &self.planned.as_ref().map(|planned| &planned.plan))
            .finish_non_exhaustive()
    }
}
