//! `marey transcribe`.

use std::path::PathBuf;

use clap::Args;
use marey::codes;
use marey::follow::{SearchMode, TranscriptEntry};
use marey::transcribe;

use crate::console::Console;
use crate::flags::{ForceFlag, JsonFlag};
use crate::follow::FollowFlags;
use crate::verdict::Verdict;
use crate::{json, table};
use marey::Error;

/// Label a motion over time with the labels of a corpus's segments
///
/// Interprets the motion as `marey follow` does. Prints the labels of the segments, their times, and their distance from
/// the motion.
#[derive(Debug, Args)]
#[command(
    override_usage = "marey transcribe [OPTIONS] <CORPUS>... <CONTROL>",
    before_help = "Examples:
  marey transcribe dances.marey lead.bvh --control actor:leader  the figures of a leader, as a table
  marey transcribe walks.marey walk.bvh -o steps.csv             steps, for a spreadsheet"
)]
pub(crate) struct TranscribeArgs {
    #[command(flatten)]
    flags: FollowFlags,

    /// Write to a file instead, ending in .csv or .json
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,

    #[command(flatten)]
    force: ForceFlag,

    #[command(flatten)]
    json: JsonFlag,
}

pub(crate) fn run(args: &TranscribeArgs, console: &Console) -> Result<Verdict, Error> {
    let ending = args.output.as_ref().and_then(|output| output.extension()?.to_str().map(str::to_lowercase));
    if let Some(output) = &args.output {
        if !matches!(ending.as_deref(), Some("csv" | "json")) {
            let message = format!("{} does not end in .csv or .json", output.display());
            return Err(Error::usage(&codes::OUTPUT_ENDING, message));
        }
        args.force.check(output)?;
    }
    let (request, mut report) = args.flags.request(SearchMode::Optimal)?;
    let context = args.flags.context(&args.force, console)?;
    let transcript =
        console.observed(|observer| transcribe::run(&request, &console.context(context, observer)));
    let transcript = transcript.map_err(|error| args.flags.with_control(error))?;
    report.absorb(transcript.report);
    console.warnings(&report, args.flags.control_file());
    let entries = transcript.entries;
    match (&args.output, ending.as_deref()) {
        (Some(output), Some("csv")) => args.force.write(output, csv(&entries).as_bytes())?,
        (Some(output), _) => args.force.write(output, json::array(entries.iter()).as_bytes())?,
        (None, _) if args.json.json => console.print(&json::array(entries.iter()))?,
        (None, _) => {
            let rows = entries.iter().map(|entry| {
                let [start, end] = [entry.start_secs, entry.end_secs].map(|secs| format!("{secs:.3}"));
                vec![start, end, entry.label.clone(), format!("{:.3}", entry.rms_m)]
            });
            let heading = ["start, s", "end, s", "label", "distance, m"];
            console.print(&table::columns(console.out, heading, rows.collect()))?;
        }
    }
    Ok(Verdict::AllDone)
}

/// A table with a header row; labels are quoted.
fn csv(entries: &[TranscriptEntry]) -> String {
    let mut text = String::from("start_secs,end_secs,label,instance,rms_m\n");
    for TranscriptEntry { label, start_secs, end_secs, instance, rms_m } in entries {
        let label = label.replace('"', "\"\"");
        text += &format!("{start_secs:.4},{end_secs:.4},\"{label}\",{instance},{rms_m:.4}\n");
    }
    text
}
