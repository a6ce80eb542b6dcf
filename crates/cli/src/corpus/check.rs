//! `marey corpus check`.

use clap::Args;
use marey::Error;
use marey::corpus::{IntegrityReport, codes};
use serde::Serialize;

use super::{CorpusFlag, count, print};
use crate::console::Console;
use crate::flags::JsonFlag;
use crate::verdict::Verdict;

/// Read a whole corpus and report damage
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey corpus check walks.marey         is it intact?
  marey corpus check walks.marey --json  the same as JSON")]
pub(super) struct CheckArgs {
    #[command(flatten)]
    corpus: CorpusFlag,

    #[command(flatten)]
    json: JsonFlag,
}

#[derive(Debug, Serialize)]
struct IntegrityRow<'a> {
    ok: bool,
    code: Option<&'static str>,
    #[serde(flatten)]
    found: &'a IntegrityReport,
}

pub(super) fn run(args: &CheckArgs, console: &Console) -> Result<Verdict, Error> {
    let found = &args.corpus.read(|corpus| corpus.check())?;
    let ok = found.faults.is_empty();
    let code = (!ok).then_some(codes::DAMAGED.id);
    print(console, &args.json, &[IntegrityRow { ok, code, found }], || {
        let takes = count(found.takes, "take");
        let summary = format!("{takes}, {} frames, {} bytes of motion", found.frames, found.motion_bytes);
        if ok {
            console.note(&format!("intact: {summary}\n"));
            return Ok(());
        }
        for fault in &found.faults {
            console.print(&format!("{}\n", crate::ink::plain(fault)))?;
        }
        let message = format!("{} in {summary}", count(found.faults.len(), "fault"));
        console.error(&args.corpus.about(Error::new(&codes::DAMAGED, message)));
        Ok(())
    })?;
    Ok(if ok { Verdict::AllDone } else { Verdict::SomeFailed })
}
