//! `marey corpus tag`.

use clap::Args;
use marey::Error;
use marey::corpus::NewAnnotation;

use super::annotate::AnnotateFlags;
use crate::console::Console;
use crate::flags::FrameRange;
use crate::verdict::Verdict;

/// Annotate a take with tags, markers and contacts
///
/// A tag is a named range of frames, a marker a named frame, a contact a range in which a foot stands or a hand holds
/// something. The maker of the annotation is `person`.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey corpus tag walks.marey walk1 turn --frames 120..180  a named range
  marey corpus tag walks.marey --csv tags.csv                many, from a table")]
pub(super) struct TagArgs {
    #[command(flatten)]
    annotate: AnnotateFlags,

    /// Name of the tag or marker; for a contact, the part that touches, as in LeftHand
    #[arg(value_name = "NAME", required_unless_present = "csv")]
    name: Option<String>,

    /// First frame, and one past the last; either can be left out
    #[arg(long, value_name = "A..B", default_value = "..", conflicts_with = "at")]
    frames: FrameRange,

    /// Add a marker at this frame
    #[arg(long, value_name = "FRAME", conflicts_with_all = ["contact", "csv"])]
    at: Option<usize>,

    /// Add a contact with the floor, or with what --on names
    #[arg(long, conflicts_with = "csv")]
    contact: bool,

    /// What is touched: an object by name, or a part of another actor as in '1 LeftHand'
    #[arg(long, value_name = "WHAT", requires = "contact", default_value = "")]
    on: String,

    /// Index of the actor that touches, from 0
    #[arg(long, value_name = "N", requires = "contact", default_value_t = 0)]
    actor: usize,
}

pub(super) fn run(args: &TagArgs, console: &Console) -> Result<Verdict, Error> {
    let name = args.name.clone().unwrap_or_default();
    let (start, end) = (Some(args.frames.start), args.frames.end);
    let annotation = match args.at {
        Some(frame) => NewAnnotation::Marker { name, frame },
        None if args.contact => {
            NewAnnotation::Contact { role: name, start, end, actor: args.actor, on: args.on.clone() }
        }
        None => NewAnnotation::Tag { name, start, end },
    };
    args.annotate.run(console, vec![annotation])
}
