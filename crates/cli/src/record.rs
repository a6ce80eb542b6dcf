//! `marey record`.

use std::path::{Path, PathBuf};

use clap::Args;
use marey::perform::PerformInput;
use marey::record::{self, RecordRequest};
use marey::{Context, Error};

use crate::console::Console;
use crate::flags::hertz;
use crate::output::OutputFlags;
use crate::verdict::Verdict;

/// Record a live stream as a motion file
///
/// It is recorded until the stream ends, for --secs, or until Ctrl-C, which loses nothing.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey record vmc -o dance.bvh                       a VMC stream to this machine, port 39539, until Ctrl-C
  marey record tcp:127.0.0.1:7777 -o dance.glb --secs 30")]
pub(crate) struct RecordArgs {
    /// The stream: vmc, vmc:PORT or vmc:HOST:PORT for a VMC stream, tcp:HOST:PORT for lines of JSON from a socket, - for the same on
    /// the standard input; or a recording (.json)
    #[arg(value_name = "STREAM")]
    input: PerformInput,

    /// Frames per second of the file [default: those of the stream, or 60 if it is not even]
    #[arg(long, value_name = "HZ", value_parser = hertz)]
    rate: Option<f64>,

    /// Stop after this time, in seconds
    #[arg(long, value_name = "SECS")]
    secs: Option<f64>,

    /// Also write every frame as it arrives: a .json file that is whole even if the command is killed
    #[arg(long, value_name = "RECORDING.json")]
    record: Option<PathBuf>,

    #[command(flatten)]
    output: OutputFlags,
}

pub(crate) fn run(args: &RecordArgs, console: &Console) -> Result<Verdict, Error> {
    args.output.check(&[&args.record])?;
    let request = RecordRequest {
        input: args.input.clone(),
        rate_hz: args.rate,
        secs: args.secs,
        record: args.record.clone(),
    };
    let context = args.output.context(Context::new())?;
    let outcome = console.observed(|observer| record::run(&request, &console.context(context, observer)))?;
    let details = outcome.details;
    let summary = format!(
        "{} received, every {:.1} ms ± {:.1} ms",
        details.received,
        1e3 * details.interval_secs,
        1e3 * details.jitter_secs
    );
    let input = String::from(args.input.clone());
    args.output.save(console, &outcome, None, Some(Path::new(&input)), summary, details)
}
