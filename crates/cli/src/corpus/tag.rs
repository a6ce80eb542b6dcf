//! `marey corpus tag`.

use clap::Args;
use marey::corpus::{Annotation, Corpus, Maker, Said, TakeInfo, Touch};
use marey::motion::{Marker, Role, Tag};

use super::said::SaidFlags;
use crate::console::Console;
use crate::flags::FrameRange;
use crate::verdict::Verdict;
use marey::Error;

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
    said: SaidFlags,

    /// What happens; for a contact, the part that touches, as in LeftHand
    #[arg(value_name = "NAME", required_unless_present = "csv")]
    name: Option<String>,

    /// When: the first frame, and one past the last; either may be left out
    #[arg(long, value_name = "A..B", default_value = "..", conflicts_with = "at")]
    frames: FrameRange,

    /// A marker: when, as one frame
    #[arg(long, value_name = "FRAME", conflicts_with_all = ["contact", "csv"])]
    at: Option<usize>,

    /// A contact, with the floor or with what --on says
    #[arg(long, conflicts_with = "csv")]
    contact: bool,

    /// What is touched: a thing by name, or another actor's part as in '1 LeftHand'
    #[arg(long, value_name = "WHAT", requires = "contact", default_value = "")]
    on: String,

    /// Whose part touches, from 0
    #[arg(long, value_name = "N", requires = "contact", default_value_t = 0)]
    actor: usize,
}

pub(super) fn run(args: &TagArgs, console: &Console) -> Result<Verdict, Error> {
    args.said.run(console, |corpus| args.told(corpus))
}

impl TagArgs {
    fn told(&self, corpus: &Corpus) -> Result<Vec<Annotation>, Error> {
        let take = corpus.info(self.said.take(corpus)?)?;
        let what = self.said(&take)?;
        Ok(vec![Annotation { take: take.id, what, maker: Maker::Person }])
    }

    fn said(&self, take: &TakeInfo) -> Result<Said, Error> {
        let name = self.name.clone().unwrap_or_default();
        let frames = self.frames.within(take.frames);
        let (start, end) = (frames.start, frames.end);
        if self.contact {
            let role: Role =
                name.parse().map_err(|message: String| Error::usage(&marey::codes::NOT_A_ROLE, message))?;
            let on = self.on.clone().into();
            return Ok(Said::Contact(Touch { start, end, actor: self.actor, role, on }));
        }
        Ok(match self.at {
            Some(frame) => Said::Marker(Marker { frame, name }),
            None => Said::Tag(Tag { start, end, name }),
        })
    }
}
