//! `marey corpus tag`.

use std::path::PathBuf;

use clap::Args;
use marey::corpus::{Annotation, Corpus, Maker, Said, TakeInfo, Touch, sheets};
use marey::motion::{Marker, Role, Tag};
use serde::Serialize;

use super::{CorpusFlag, count, read_text};
use crate::console::Console;
use crate::failure::{Failure, Verdict};
use crate::flags::{FrameRange, JsonFlag};
use crate::json;

/// Say what happens in a take, and when: tags, markers, contacts
///
/// A tag is a named range, a marker a named instant, a contact a range in which a foot stands or a hand holds. What is said
/// here is said by a person.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey corpus tag walks.marey walk1 turn --frames 120..180  a named range
  marey corpus tag walks.marey --csv tags.csv                many, from a table")]
pub(super) struct TagArgs {
    #[command(flatten)]
    corpus: CorpusFlag,

    /// The take, by its name or # and its number
    #[arg(value_name = "TAKE", required_unless_present = "csv")]
    take: Option<String>,

    /// What happens; for a contact, the part that touches, as in LeftHand
    #[arg(value_name = "NAME", required_unless_present = "csv")]
    name: Option<String>,

    /// When: the first frame, and one past the last; either may be left out
    #[arg(long, value_name = "A..B", default_value = "..", conflicts_with = "at")]
    frames: FrameRange,

    /// A marker: when, as one frame
    #[arg(long, value_name = "FRAME", conflicts_with = "contact")]
    at: Option<usize>,

    /// A contact, with the floor or with what --on says
    #[arg(long)]
    contact: bool,

    /// What is touched: a thing by name, or another actor's part as in '1 LeftHand'
    #[arg(long, value_name = "WHAT", requires = "contact", default_value = "")]
    on: String,

    /// Whose part touches, from 0
    #[arg(long, value_name = "N", requires = "contact", default_value_t = 0)]
    actor: usize,

    /// Take it back
    #[arg(long)]
    remove: bool,

    /// Read tags, markers or contacts from a table; docs/corpus.md lists the columns
    #[arg(long, value_name = "FILE.csv", conflicts_with_all = ["take", "name", "at", "contact"])]
    csv: Option<PathBuf>,

    #[command(flatten)]
    json: JsonFlag,
}

/// What was changed, as JSON has it.
#[derive(Debug, Serialize)]
pub(super) struct Changed {
    changed: usize,
    already: usize,
    removed: usize,
}

pub(super) fn run(args: &TagArgs, console: &Console) -> Result<Verdict, Failure> {
    let mut corpus = args.corpus.open()?;
    let annotations = match &args.csv {
        Some(table) => from_table(&corpus, table)?,
        None => args.told(&corpus).map_err(|failure| args.corpus.about(failure))?,
    };
    let changed = change(&mut corpus, annotations, args.remove).map_err(|failure| match &args.csv {
        Some(table) => failure.in_file(table),
        None => args.corpus.about(failure),
    })?;
    changed.tell(console, args.json.json)
}

/// The annotations of a table.
pub(super) fn from_table(corpus: &Corpus, table: &std::path::Path) -> Result<Vec<Annotation>, Failure> {
    let text = read_text(table)?;
    sheets::read_annotations(corpus, &text).map_err(|error| Failure::from(error).in_file(table))
}

/// Writes annotations down, or takes them back.
pub(super) fn change(corpus: &mut Corpus, all: Vec<Annotation>, remove: bool) -> Result<Changed, Failure> {
    if remove {
        let all: Vec<_> = all.into_iter().map(|one| (one.take, one.what)).collect();
        return Ok(Changed { changed: 0, already: 0, removed: corpus.retract(&all)? });
    }
    let wrote = corpus.annotate(&all)?;
    Ok(Changed { changed: wrote.changed, already: wrote.already, removed: 0 })
}

impl Changed {
    pub(super) fn tell(&self, console: &Console, as_json: bool) -> Result<Verdict, Failure> {
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

impl TagArgs {
    fn told(&self, corpus: &Corpus) -> Result<Vec<Annotation>, Failure> {
        let take = corpus.info(corpus.find(self.take.as_deref().unwrap_or_default())?)?;
        let what = self.said(&take)?;
        Ok(vec![Annotation { take: take.id, what, maker: Maker::Person }])
    }

    fn said(&self, take: &TakeInfo) -> Result<Said, Failure> {
        let name = self.name.clone().unwrap_or_default();
        let frames = self.frames.within(take.frames);
        let (start, end) = (frames.start, frames.end);
        if self.contact {
            let role: Role =
                name.parse().map_err(|message: String| Failure::usage(&marey::codes::NOT_A_ROLE, message))?;
            let on = self.on.clone().into();
            return Ok(Said::Contact(Touch { start, end, actor: self.actor, role, on }));
        }
        Ok(match self.at {
            Some(frame) => Said::Marker(Marker { frame, name }),
            None => Said::Tag(Tag { start, end, name }),
        })
    }
}
