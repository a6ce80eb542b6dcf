//! How an engine is plugged into the studio.

use std::path::Path;

use marey::{Cache, Context};
use marey_corpus::Corpus;
use marey_motion::{Contacts, Observer, Report, Take, Terrain};
use marey_plan::{Plan, Trace};
use serde_json::Value;

use crate::{Live, Result, StudioError, Work, codes};

/// An engine as the studio sees it: one panel of the page.
///
/// What the page sends is for the panel to understand and check; whatever it sends, a panel answers or refuses.
pub trait Panel: Send + Sync {
    /// Its name in addresses: small letters.
    fn name(&self) -> &'static str;

    /// Does what the page asks; the motions that came of it, at least one. Runs on a thread of its own; looks now and then
    /// whether it is still wanted.
    fn run(&self, ask: &PanelRequest<'_>, work: &Work) -> Result<Vec<StudioResult>>;

    /// Makes motion while it is watched, until it is over; what is kept of it.
    fn play(&self, _ask: &PanelRequest<'_>, _live: &mut Live) -> Result<Option<StudioResult>> {
        Err(StudioError::new(&codes::NO_PANEL, format!("{} does not play", self.name())))
    }

    /// Answers a question that is asked while somebody edits, at once and without making motion.
    fn look(&self, _ask: &PanelRequest<'_>) -> Result<Value> {
        Err(StudioError::new(&codes::NO_PANEL, format!("{} answers no questions", self.name())))
    }
}

/// What a panel is asked, and what with.
#[derive(Debug)]
pub struct PanelRequest<'a> {
    /// What the page sent.
    pub wish: &'a Value,
    /// The corpus, open to be read.
    pub corpus: &'a Corpus,
    /// Where it is, for commands that do the same.
    pub path: &'a Path,
    /// How often the corpus was changed through the studio: what was learned from it at another count is out of date.
    pub revision: u64,
    /// What verbs have prepared, kept for later requests.
    pub cache: &'a Cache,
}

impl<'a> PanelRequest<'a> {
    /// The context in which a panel runs its verb.
    pub fn context<'b>(&self, observer: Observer<'b>) -> Result<Context<'b>>
    where
        'a: 'b,
    {
        Ok(Context::open(self.path)?.cached_in(self.cache, self.revision).observed_by(observer))
    }
}

/// What came of it.
pub struct StudioResult {
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
}

impl StudioResult {
    /// Whether single pieces of its plan can be swapped. Hops over uneven terrain cannot, because another hop lands
    /// elsewhere.
    pub(crate) fn can_swap(&self) -> bool {
        let has_choices = self.planned.as_ref().is_some_and(|planned| !planned.trace.choices.is_empty());
        has_choices && !matches!(self.floor, Floor::Uneven(_))
    }
}

impl std::fmt::Debug for StudioResult {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StudioResult")
            .field("take", &self.take.name())
            .field("plan", &self.planned.as_ref().map(|planned| &planned.plan))
            .finish_non_exhaustive()
    }
}
