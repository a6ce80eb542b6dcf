//! The output of commands that make motion: the file, the plan, warnings, and a summary or JSON.

use std::path::{Path, PathBuf};

use clap::Args;
use marey::convert::write_options;
use marey::formats::write;
use marey::motion::{Report, Take};
use marey::{Context, Error, Outcome};
use serde::Serialize;

use crate::console::Console;
use crate::flags::{CharacterFlags, ForceFlag, JsonFlag};
use crate::json;
use crate::verdict::Verdict;

/// Where motion is written, and how the result is reported.
#[derive(Debug, Args)]
pub(crate) struct OutputFlags {
    /// Output file, ending in .bvh, .glb, .gltf, .fbx, .vrma, .usda or .npz
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,

    #[command(flatten)]
    characters: CharacterFlags,

    #[command(flatten)]
    pub(crate) force: ForceFlag,

    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Where the plan is written.
#[derive(Debug, Args)]
pub(crate) struct PlanFlag {
    /// Also write the plan, which `marey realise` turns into the same motion
    #[arg(long, value_name = "PLAN.json")]
    pub(crate) plan: Option<PathBuf>,
}

/// The row that `--json` prints.
#[derive(Debug, Serialize)]
struct MotionRow<R> {
    output: String,
    frames: usize,
    rate_hz: f64,
    #[serde(flatten)]
    details: R,
    warnings: Vec<&'static str>,
}

impl OutputFlags {
    /// Fails before any work if the format cannot be written, a file exists or a character cannot be read. `also` lists further
    /// outputs.
    pub(crate) fn check(&self, also: &[&Option<PathBuf>]) -> Result<(), Error> {
        write_options(&self.output)?;
        self.characters.load()?;
        let also = also.iter().filter_map(|path| path.as_ref());
        std::iter::once(&self.output).chain(also).try_for_each(|path| self.force.check(path))
    }

    /// The context of a verb whose results have the bodies of the characters.
    pub(crate) fn context<'a>(&self, context: Context<'a>) -> Result<Context<'a>, Error> {
        self.characters.context(context)
    }

    /// The name of the take: the file name without its ending.
    pub(crate) fn name(&self) -> String {
        stem(&self.output)
    }

    /// Writes motion. The report lists what the format cannot represent.
    pub(crate) fn write(&self, take: &Take) -> Result<Report, Error> {
        self.characters.write(&self.output, take, &self.force)
    }

    /// Writes a further output, if it was asked for.
    pub(crate) fn write_json(&self, path: &Option<PathBuf>, value: &impl Serialize) -> Result<(), Error> {
        path.as_ref().map_or(Ok(()), |path| self.force.write(path, json::object(value).as_bytes()))
    }

    /// Writes motion and plan, and prints warnings and a summary, or JSON. Warnings name the file that they concern:
    /// `input`, or the output.
    pub(crate) fn save<D>(
        &self,
        console: &Console,
        outcome: &Outcome<D>,
        plan: Option<&PlanFlag>,
        input: Option<&Path>,
        summary: String,
        details: impl Serialize,
    ) -> Result<Verdict, Error> {
        let mut report = outcome.report.clone();
        report.absorb(self.write(&outcome.take)?);
        if let Some((path, plan)) = plan.and_then(|flag| flag.plan.as_ref()).zip(outcome.plan.as_ref()) {
            self.force.write(path, plan.to_json()?.as_bytes())?;
        }
        let (output, frames) = (self.output.display().to_string(), outcome.take.frames());
        let rate_hz = outcome.take.rate_hz();
        if self.json.json {
            let row = MotionRow { output, frames, rate_hz, details, warnings: report.codes() };
            console.print(&json::array(std::iter::once(row)))?;
        } else {
            console.warnings(&report, input.unwrap_or(&self.output));
            console.note(&format!("{output}: {frames} frames at {rate_hz} Hz, {summary}\n"));
        }
        Ok(Verdict::AllDone)
    }
}

impl ForceFlag {
    /// Writes motion in the format of the file's ending. The report lists what the format cannot represent.
    pub(crate) fn write_take(&self, path: &Path, take: &Take) -> Result<Report, Error> {
        let (bytes, report) = write(take, &write_options(path)?)?;
        self.write(path, &bytes)?;
        Ok(report)
    }
}

/// The name of a file without its ending.
pub(crate) fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
