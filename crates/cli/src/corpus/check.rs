//! `marey corpus check`.

use clap::Args;
use marey::corpus::codes;
use serde::Serialize;

use super::{CorpusFlag, count};
use crate::console::Console;
use crate::flags::JsonFlag;
use crate::json;
use crate::verdict::Verdict;
use marey::Error;

/// Read everything in a corpus and say whether it is as it was written
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey corpus check walks.marey         is it sound?
  marey corpus check walks.marey --json  the same, for a program")]
pub(super) struct CheckArgs {
    #[command(flatten)]
    corpus: CorpusFlag,

    #[command(flatten)]
    json: JsonFlag,
}

#[derive(Debug, Serialize)]
struct Soundness {
    ok: bool,
    code: Option<&'static str>,
    faults: Vec<String>,
    takes: usize,
    frames: usize,
    motion_bytes: usize,
    plain_chunks: usize,
}

pub(super) fn run(args: &CheckArgs, console: &Console) -> Result<Verdict, Error> {
    let corpus = args.corpus.look()?;
    let found = corpus.check().map_err(|error| args.corpus.about(error))?;
    let ok = found.faults.is_empty();
    let summary =
        format!("{}, {} frames, {} bytes of motion", count(found.takes, "take"), found.frames, found.bytes);
    if args.json.json {
        let row = Soundness {
            ok,
            code: (!ok).then_some(codes::DAMAGED.id),
            faults: found.faults,
            takes: found.takes,
            frames: found.frames,
            motion_bytes: found.bytes,
            plain_chunks: found.plain_chunks,
        };
        console.print(&json::array([row].iter()))?;
    } else if ok {
        console.note(&format!("sound: {summary}\n"));
    } else {
        for fault in &found.faults {
            console.print(&format!("{}\n", crate::ink::plain(fault)))?;
        }
        let message = format!("{} in {summary}", count(found.faults.len(), "fault"));
        console.error(&args.corpus.about(Error::new(&codes::DAMAGED, message)));
    }
    Ok(if ok { Verdict::AllDone } else { Verdict::SomeFailed })
}
