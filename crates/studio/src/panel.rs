//! The interface between the studio and the panel of an engine.

use std::path::Path;

use marey::{ActorBodies, Cache, Context, Outcome};
use marey_corpus::{Corpus, TakeInfo};
use marey_motion::{Contacts, Observer, Report, Take, Terrain};
use marey_plan::{Plan, Trace};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{CommandLine, LiveOutput, MotionId, Result, StudioError, Work, codes};

/// The panel of an engine: it translates between JSON messages of the page and a verb.
pub trait Panel: Send + Sync {
    /// The panel's name in addresses, in lower case.
    fn name(&self) -> &'static str;

    /// Makes motion. Runs on its own thread and reports progress to `work`.
    fn run(&self, request: &PanelRequest<'_>, work: &Work) -> Result<Vec<StudioResult>>;

    /// Makes motion while viewers watch. Returns what is kept of it.
    fn play(&self, _request: &PanelRequest<'_>, _live: &mut LiveOutput) -> Result<Option<StudioResult>> {
        Err(StudioError::new(&codes::NO_PANEL, format!("{} cannot run live", self.name())))
    }

    /// Responds to a message at once, without making motion, while the user edits a request.
    fn preview(&self, _request: &PanelRequest<'_>) -> Result<Value> {
        Err(StudioError::new(&codes::NO_PANEL, format!("{} has no preview", self.name())))
    }
}

/// A message of the page to a panel, with the corpus.
#[derive(Debug)]
pub struct PanelRequest<'a> {
    /// The message.
    pub message: &'a Value,
    /// The corpus, read-only.
    pub corpus: &'a Corpus,
    /// The file of the corpus.
    pub path: &'a Path,
    /// The number of changes to the corpus so far; preparations of earlier revisions are not reused.
    pub revision: u64,
    /// Preparations of verbs, kept for later requests.
    pub cache: &'a Cache,
    /// The bodies of the character that is chosen, for which verbs make motion.
    pub bodies: ActorBodies,
}

impl PanelRequest<'_> {
    /// The message as the panel's own type.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T> {
        T::deserialize(self.message).map_err(|error| StudioError::new(&codes::REQUEST, error.to_string()))
    }

    /// The take of the corpus with an identifier of the page, such as `t12`.
    pub fn take_info(&self, id: &str) -> Result<TakeInfo> {
        Ok(self.corpus.info(id.parse::<MotionId>()?.take_id()?)?)
    }

    /// The names of takes with identifiers of the page.
    pub fn take_names(&self, ids: &[String]) -> Result<Vec<String>> {
        ids.iter().map(|id| Ok(self.take_info(id)?.name)).collect()
    }

    /// Runs a verb in the context of the studio. Its progress goes to `work`.
    pub fn run_verb<T>(
        &self,
        work: &Work,
        verb: impl FnOnce(&Context<'_>) -> Result<T, marey::Error>,
    ) -> Result<T> {
        let observe = |progress| work.observe(progress);
        let context = Context::open(self.path)?.cached_in(self.cache, self.revision);
        let context = context.with_bodies(self.bodies.clone());
        let result = verb(&context.observed_by(Observer::new(&observe)));
        if work.is_cancelled() {
            // Whatever the verb returned, the page shows that the user cancelled it.
            work.report(1.0, "cancelled")?;
        }
        Ok(result?)
    }

    /// The start of the command that does the same: `marey`, the subcommand and the corpus.
    pub fn command_line(&self, subcommand: &str) -> CommandLine {
        CommandLine::new(subcommand).arg(self.path.display())
    }
}

/// A motion that a panel made, and how the page shows it.
pub struct StudioResult {
    /// The motion; the page shows its name.
    pub take: Take,
    /// When each actor's feet touch the ground.
    pub contacts: Vec<Contacts>,
    /// The plan behind the motion, if there is one.
    pub plan: Option<Plan>,
    /// The candidates of every decision of the plan, if the engine recorded them.
    pub trace: Trace,
    /// Warnings.
    pub report: Report,
    /// The command that makes the same motion; empty if there is none.
    pub command: String,
    /// Files that the command needs besides the corpus: name and content.
    pub files: Vec<(String, Vec<u8>)>,
    /// Figures that the page shows: name and value.
    pub notes: Vec<(&'static str, String)>,
    /// The take that the page shows beside the result, such as the original of a variation.
    pub shown_beside: Option<i64>,
    /// The ground under the motion.
    pub floor: Floor,
    /// What the page draws around the motion, in a format of the panel; null for nothing.
    pub overlay: Value,
}

/// The ground under a motion, for its quality card.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Floor {
    /// A level floor at height 0.
    #[default]
    Level,
    /// Uneven ground, as a profile along +Z.
    Uneven(Terrain),
    /// Bars, ropes and water, on which foot contacts are not measured.
    Unmeasured,
}

impl StudioResult {
    /// A result that the page shows without plan, command, files and notes.
    pub fn new(take: Take, contacts: Vec<Contacts>) -> Self {
        Self {
            take,
            contacts,
            plan: None,
            trace: Trace::default(),
            report: Report::default(),
            command: String::new(),
            files: vec![],
            notes: vec![],
            shown_beside: None,
            floor: Floor::Level,
            overlay: Value::Null,
        }
    }

    /// The outcome of a verb, and the details that its engine reports.
    pub fn from_outcome<D>(outcome: Outcome<D>) -> (Self, D) {
        let Outcome { take, contacts, plan, trace, report, details } = outcome;
        (Self { plan, trace, report, ..Self::new(take, contacts) }, details)
    }

    /// Renames the motion.
    pub fn rename(&mut self, name: &str) -> Result<()> {
        self.take = Take::new(name, self.take.clone().into_actors())?;
        Ok(())
    }

    /// Whether single pieces of the plan can be swapped. Hops over uneven terrain cannot, because another hop lands
    /// elsewhere.
    pub(crate) fn can_swap(&self) -> bool {
        let has_choices = self.plan.is_some() && !self.trace.choices.is_empty();
        has_choices && !matches!(self.floor, Floor::Uneven(_))
    }
}

impl std::fmt::Debug for StudioResult {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StudioResult")
            .field("take", &self.take.name())
            .field("plan", &self.plan)
            .finish_non_exhaustive()
    }
}
