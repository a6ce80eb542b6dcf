//! `marey transcribe`.

use std::path::PathBuf;

use clap::Args;
use marey::codes;
use marey::follow::Heard;
use marey::watch::Watch;

use crate::console::{Console, watching};
use crate::failure::{Failure, Verdict};
use crate::flags::{ForceFlag, JsonFlag};
use crate::follow::{FollowFlags, warn};
use crate::{json, table};

/// Write down what a motion does when, in the words of a corpus's segments
///
/// The motion is interpreted as `marey follow` does; told are the names of the segments, from when to when, and how far
/// each is from the motion.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey transcribe dances.marey lead.bvh --control actor:leader  what a leader leads, as a table
  marey transcribe walks.marey walk.bvh -o steps.csv             steps, for a spreadsheet")]
pub(crate) struct TranscribeArgs {
    #[command(flatten)]
    flags: FollowFlags,

    /// Write a file instead: .csv or .json
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,

    #[command(flatten)]
    force: ForceFlag,

    #[command(flatten)]
    json: JsonFlag,
}

pub(crate) fn run(args: &TranscribeArgs, console: &Console) -> Result<Verdict, Failure> {
    let ending = args.output.as_ref().and_then(|output| output.extension()?.to_str().map(str::to_lowercase));
    if let Some(output) = &args.output {
        if !matches!(ending.as_deref(), Some("csv" | "json")) {
            let message = format!("{} does not end in .csv or .json", output.display());
            return Err(Failure::usage(&codes::OUTPUT_ENDING, message));
        }
        args.force.check(output)?;
    }
    let (asked, report) = args.flags.asked()?;
    warn(console, &report, args.flags.control_file());
    let bar = console.steps(0, "frames").with_message("searching");
    let heard = asked.transcript(Watch::new(&watching(&bar)))?;
    bar.finish_and_clear();
    match (&args.output, ending.as_deref()) {
        (Some(output), Some("csv")) => args.force.write(output, csv(&heard).as_bytes())?,
        (Some(output), _) => args.force.write(output, json::array(heard.iter()).as_bytes())?,
        (None, _) if args.json.json => console.print(&json::array(heard.iter()))?,
        (None, _) => {
            let rows = heard.iter().map(|heard| {
                let [start, end] = [heard.start_secs, heard.end_secs].map(|secs| format!("{secs:.3}"));
                vec![start, end, heard.label.clone(), format!("{:.3}", heard.rms_m)]
            });
            let heading = ["from, s", "until, s", "what", "off by, m"];
            console.print(&table::columns(console.out, heading, rows.collect()))?;
        }
    }
    Ok(Verdict::AllDone)
}

/// A table with a line of names; labels in quotation marks.
fn csv(heard: &[Heard]) -> String {
    let mut text = String::from("start_secs,end_secs,label,instance,rms_m\n");
    for Heard { label, start_secs, end_secs, instance, rms_m } in heard {
        let label = label.replace('"', "\"\"");
        text += &format!("{start_secs:.4},{end_secs:.4},\"{label}\",{instance},{rms_m:.4}\n");
    }
    text
}
