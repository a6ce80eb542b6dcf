//! What `tag` and `label` have in common: annotations from flags or a table, written down or taken back.

use std::path::{Path, PathBuf};

use clap::Args;
use marey::corpus::{Annotation, Corpus, TakeId, sheets};
use marey::inputs;
use serde::Serialize;

use super::{CorpusFlag, count};
use crate::console::Console;
use crate::flags::JsonFlag;
use crate::json;
use crate::verdict::Verdict;
use marey::Error;

/// About what, from where, and whether it is taken back.
#[derive(Debug, Args)]
pub(super) struct SaidFlags {
    #[command(flatten)]
    corpus: CorpusFlag,

    /// The take, by its name or # and its number
    #[arg(value_name = "TAKE", required_unless_present = "csv")]
    take: Option<String>,

    /// Take back what is named
    #[arg(long)]
    pub(super) remove: bool,

    /// Read annotations from a table instead; docs/corpus.md lists the columns
    #[arg(long, value_name = "FILE.csv", conflicts_with = "take")]
    csv: Option<PathBuf>,

    #[command(flatten)]
    json: JsonFlag,
}

/// What was changed, as JSON has it.
#[derive(Debug, Serialize)]
struct Changed {
    changed: usize,
    already: usize,
    removed: usize,
}

impl SaidFlags {
    /// Writes down what the table says, or what the flags tell, or takes it back.
    pub(super) fn run(
        &self,
        console: &Console,
        told: impl FnOnce(&Corpus) -> Result<Vec<Annotation>, Error>,
    ) -> Result<Verdict, Error> {
        let mut corpus = self.corpus.open()?;
        let said = match &self.csv {
            Some(table) => from_table(&corpus, table),
            None => told(&corpus),
        };
        let changed = said.and_then(|said| change(&mut corpus, said, self.remove));
        let changed = changed.map_err(|failure| match &self.csv {
            Some(table) => failure.in_file(table),
            None => self.corpus.about(failure),
        })?;
        changed.tell(console, self.json.json)
    }

    /// The take that is named.
    pub(super) fn take(&self, corpus: &Corpus) -> Result<TakeId, Error> {
        Ok(corpus.find(self.take.as_deref().unwrap_or_default())?)
    }
}

/// The annotations of a table.
fn from_table(corpus: &Corpus, table: &Path) -> Result<Vec<Annotation>, Error> {
    Ok(sheets::read_annotations(corpus, &inputs::text(table)?)?)
}

/// Writes annotations down, or takes them back.
fn change(corpus: &mut Corpus, all: Vec<Annotation>, remove: bool) -> Result<Changed, Error> {
    if remove {
        let all: Vec<_> = all.into_iter().map(|one| (one.take, one.what)).collect();
        return Ok(Changed { changed: 0, already: 0, removed: corpus.retract(&all)? });
    }
    let wrote = corpus.annotate(&all)?;
    Ok(Changed { changed: wrote.changed, already: wrote.already, removed: 0 })
}

impl Changed {
    fn tell(&self, console: &Console, as_json: bool) -> Result<Verdict, Error> {
        if as_json {
            console.print(&json::array([self].iter()))?;
        } else {
            let mut text = vec![format!("{} changed", count(self.changed, "annotation"))];
            if self.already > 0 {
                text.push(format!("{} there already", self.already));
            }
            if self.removed > 0 {
                text = vec![format!("{} taken back", count(self.removed, "annotation"))];
            }
            console.note(&(text.join(", ") + "\n"));
        }
        Ok(Verdict::AllDone)
    }
}
