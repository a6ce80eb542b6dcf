//! `marey play`.

use std::path::Path;

use clap::Args;
use marey::perform::{PerformInput, VmcAddress};
use marey::play::{self, PlayRequest};
use marey::{Context, Error};
use serde::Serialize;

use crate::console::Console;
use crate::flags::JsonFlag;
use crate::json;
use crate::verdict::Verdict;

/// Play motion into another program: send it as a VMC stream, at its own pace
///
/// A program that receives VMC shows the motion on its own character: VSeeFace, VNyan, Warudo, Unity and Unreal with a plug-in.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey play walk.bvh --send vmc                           to this machine, port 39539
  marey play walk.bvh --send vmc:192.168.1.20 --repeat     to another machine, until Ctrl-C")]
pub(crate) struct PlayArgs {
    /// The motion: a motion file, markers (.trc, .c3d), a recording (.json), or a live stream as for `marey perform`
    #[arg(value_name = "MOTION")]
    input: PerformInput,

    /// Where it is sent: vmc, vmc:PORT, vmc:HOST or vmc:HOST:PORT; without a host this machine, without a port 39539
    #[arg(long, value_name = "VMC")]
    send: VmcAddress,

    /// Play a file again and again, until Ctrl-C
    #[arg(long)]
    repeat: bool,

    #[command(flatten)]
    json: JsonFlag,
}

/// The row that `--json` prints.
#[derive(Debug, Serialize)]
struct PlayRow {
    input: String,
    sent_to: String,
    frames: usize,
    secs: f64,
    warnings: Vec<&'static str>,
}

pub(crate) fn run(args: &PlayArgs, console: &Console) -> Result<Verdict, Error> {
    let request = PlayRequest { input: args.input.clone(), send: args.send.clone(), repeat: args.repeat };
    let outcome =
        console.observed(|observer| play::run(&request, &console.context(Context::new(), observer)))?;
    let (input, sent_to) = (String::from(args.input.clone()), args.send.to_string());
    if args.json.json {
        let (frames, secs, warnings) = (outcome.frames, outcome.secs, outcome.report.codes());
        let row = PlayRow { input, sent_to, frames, secs, warnings };
        console.print(&json::array(std::iter::once(row)))?;
    } else {
        console.warnings(&outcome.report, Path::new(&input));
        console
            .note(&format!("{input}: {} frames sent to {sent_to}, {:.1} s\n", outcome.frames, outcome.secs));
    }
    Ok(Verdict::AllDone)
}
