//! How an engine is plugged into the studio.

use std::path::Path;
use std::sync::Arc;

use marey_corpus::Corpus;
use marey_motion::{Contacts, Report, Take};
use marey_plan::{Plan, Trace};
use marey_realise::Sources;
use serde_json::Value;

use crate::{Result, Work};

/// The examples of a plan, kept for as long as the result is.
pub type SharedSources = Arc<dyn Sources + Send + Sync>;

/// An engine as the studio sees it: one panel of the page.
///
/// What the page sends is for the panel to understand and check; whatever it sends, a panel answers or refuses.
pub trait Panel: Send + Sync {
    /// Its name in addresses: small letters.
    fn name(&self) -> &'static str;

    /// Does what the page asks. Runs on a thread of its own; looks now and then whether it is still wanted.
    fn run(&self, ask: &Ask<'_>, work: &Work) -> Result<Made>;
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
    /// The plan that it was made by.
    pub plan: Plan,
    /// Why each piece was chosen, where that is known.
    pub trace: Trace,
    /// The examples of the plan.
    pub sources: SharedSources,
    /// How it is realised.
    pub settings: marey_realise::Settings,
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
}

impl std::fmt::Debug for Made {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Made")
            .field("take", &self.take.name())
            .field("plan", &self.plan)
            .finish_non_exhaustive()
    }
}
