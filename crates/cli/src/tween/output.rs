//! Output of `tween` and `wander`.

use std::path::PathBuf;

use clap::Args;
use marey::formats::write;
use marey::tween::TweenDetails;
use marey::{Error, Outcome};
use serde::Serialize;

use crate::console::Console;
use crate::convert::usual_options;
use crate::flags::{ForceFlag, JsonFlag};
use crate::follow::warn;
use crate::json;
use crate::verdict::Verdict;

#[derive(Debug, Args)]
pub(crate) struct OutputFlags {
    /// The output: .bvh, .glb or .gltf
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// Save the plan, which carries the motion; `marey realise` turns it into the same motion
    #[arg(long, value_name = "PLAN.json")]
    plan: Option<PathBuf>,

    #[command(flatten)]
    force: ForceFlag,

    #[command(flatten)]
    json: JsonFlag,
}

/// A row of `--json`.
#[derive(Debug, Serialize)]
struct TweenRow {
    output: String,
    frames: usize,
    rate_hz: f64,
    steps: usize,
    /// In nats.
    neg_log_likelihood: f64,
    is_optimal: bool,
    warnings: Vec<&'static str>,
}

impl OutputFlags {
    /// Fails before any work if an output exists or has an unknown format.
    pub(crate) fn check(&self) -> Result<(), Error> {
        usual_options(&self.output)?;
        [Some(&self.output), self.plan.as_ref()]
            .into_iter()
            .flatten()
            .try_for_each(|path| self.force.check(path))
    }

    /// The name of the take: the file without its extension.
    pub(crate) fn name(&self) -> String {
        self.output.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Writes motion and plan, and reports what was made.
    pub(crate) fn save(&self, outcome: &Outcome<TweenDetails>, console: &Console) -> Result<Verdict, Error> {
        let Outcome { take, plan, details, .. } = outcome;
        let (bytes, notes) = write(take, &usual_options(&self.output)?)?;
        let mut report = outcome.report.clone();
        report.absorb(notes);
        self.force.write(&self.output, &bytes)?;
        if let Some((path, plan)) = self.plan.as_ref().zip(plan.as_ref()) {
            self.force.write(path, plan.to_json()?.as_bytes())?;
        }
        let row = TweenRow {
            output: self.output.display().to_string(),
            frames: take.frames(),
            rate_hz: take.rate_hz(),
            steps: details.steps,
            neg_log_likelihood: details.neg_log_likelihood,
            is_optimal: details.is_optimal,
            warnings: report.codes(),
        };
        if self.json.json {
            console.print(&json::array([row].into_iter()))?;
        } else {
            warn(console, &report, &self.output);
            let TweenRow { output, frames, rate_hz, steps, neg_log_likelihood, .. } = row;
            console.note(&format!(
                "{output}: {frames} frames at {rate_hz} Hz, {steps} steps, {neg_log_likelihood:.1} nats\n"
            ));
        }
        Ok(Verdict::AllDone)
    }
}
