//! `marey cluster`.

use std::ffi::OsString;
use std::io;
use std::process::{Command, Stdio};

use clap::Args;
use marey::codes;

use crate::verdict::Verdict;
use marey::Error;

/// Work on many machines with Ray: build a corpus, compare, label, evaluate, and generate motion for thousands of requests
///
/// Runs `python3 -m marey.cluster`, or the Python that MAREY_PYTHON names. A corpus has the same bytes as on a single machine. See
/// docs/scale.md for costs.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey cluster build all.marey archive/ --licence CC0-1.0  a folder, read and segmented by all workers
  marey cluster label bouts.marey --islands 16              movements of two people, found by all workers")]
pub(crate) struct ClusterArgs {
    /// The command: build, inspect, distances, label, leave-one-out or synthesise, with its options; each has a --help
    #[arg(value_name = "WORDS", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

pub(crate) fn run(args: &ClusterArgs) -> Result<Verdict, Error> {
    let python = std::env::var_os("MAREY_PYTHON").unwrap_or_else(|| "python3".into());
    let not_started =
        |error: io::Error| Error::new(&codes::CLUSTER_NO_PYTHON, format!("{}: {error}", python.display()));
    let probe = Command::new(&python)
        .args(["-c", "import marey.cluster"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if !probe.map_err(not_started)?.success() {
        let message = format!("{} cannot import marey.cluster", python.display());
        return Err(Error::new(&codes::CLUSTER_NO_PACKAGE, message));
    }
    let ended = Command::new(&python).args(["-m", "marey.cluster"]).args(&args.words).status();
    Ok(match ended.map_err(not_started)?.code() {
        Some(0) => Verdict::AllDone,
        Some(2) => Verdict::WronglyAsked,
        _ => Verdict::SomeFailed,
    })
}
