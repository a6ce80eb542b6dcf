//! Examples for a verb: a corpus, or motion files.

use std::path::{Path, PathBuf};

use clap::Args;
use marey::archive::{self, Archive, ArchiveRequest};
use marey::corpus::ImportRequest;
use marey::corpus::import::PairPattern;
use marey::formats::ReadRequest;
use marey::segment::{SegmentMethod, SegmentRequest};
use marey::{Context, Error};

use super::{ForceFlag, PreparationFlags, choice};
use crate::batch;
use crate::console::Console;

/// How a corpus is made of motion files.
#[derive(Debug, Args)]
#[command(next_help_heading = "Motion files instead of a corpus")]
pub(crate) struct SourceFlags {
    /// Also write the corpus that is made of the files, ending in .marey
    #[arg(long = "corpus", value_name = "FILE.marey")]
    keep: Option<PathBuf>,

    /// Combine files into takes of several actors: once for each actor, as in 'leader=60_{i}.bvh'
    #[arg(long = "pair", value_name = "NAME=FILES")]
    pairs: Vec<PairPattern>,

    /// Where takes are cut into segments
    #[arg(long, value_name = "METHOD", default_value = "steps", value_parser = choice(METHODS))]
    cut: SegmentMethod,

    #[command(flatten)]
    preparation: PreparationFlags,
}

/// [`SourceFlags`] of commands that read no other motion. Those that do correct the rates of both with the flag of
/// [`ConventionFlags`](super::ConventionFlags).
#[derive(Debug, Args)]
pub(crate) struct ExampleFlags {
    #[command(flatten)]
    sources: SourceFlags,

    /// Correct a frame rate that the motion contradicts: bodies fall too fast, or feet push too hard
    #[arg(long, help_heading = "Motion files instead of a corpus")]
    fix_rate: bool,
}

impl ExampleFlags {
    /// Opens a corpus, or makes one of motion files and reports about them.
    pub(crate) fn context(
        &self,
        inputs: &[PathBuf],
        force: &ForceFlag,
        console: &Console,
    ) -> Result<Context<'static>, Error> {
        self.sources.context(inputs, self.fix_rate, force, console)
    }
}

const METHODS: [(&str, &str, SegmentMethod); 4] = [
    ("steps", "At foot plants", SegmentMethod::Steps),
    ("instants", "When toes have settled", SegmentMethod::Instants),
    ("beats", "On the beat, if the motion has one", SegmentMethod::Beats),
    ("windows", "At even intervals of half a second, for a second each", SegmentMethod::Windows),
];

impl SourceFlags {
    /// Opens a corpus, or makes one of motion files, with corrected rates if `fix_rate`, and reports about them.
    pub(crate) fn context(
        &self,
        inputs: &[PathBuf],
        fix_rate: bool,
        force: &ForceFlag,
        console: &Console,
    ) -> Result<Context<'static>, Error> {
        let request = ArchiveRequest {
            import: ImportRequest {
                inputs: inputs.to_vec(),
                pairs: self.pairs.clone(),
                actors: self.preparation.actors.clone(),
                read: ReadRequest { fix_rate, ..ReadRequest::default() },
                prepare: self.preparation.steps(),
                ..ImportRequest::default()
            },
            segment: SegmentRequest { by: self.cut, ..SegmentRequest::default() },
            cache: None,
        };
        located(&request, self.keep.as_deref(), force, console)
    }
}

/// Opens a corpus, or the one that is made of motion files in the cache folder. Reports about the files.
pub(crate) fn motion_context(
    inputs: &[PathBuf],
    read: ReadRequest,
    force: &ForceFlag,
    console: &Console,
) -> Result<Context<'static>, Error> {
    let import = ImportRequest { inputs: inputs.to_vec(), read, ..ImportRequest::default() };
    located(&ArchiveRequest { import, ..ArchiveRequest::default() }, None, force, console)
}

fn located(
    request: &ArchiveRequest,
    keep: Option<&Path>,
    force: &ForceFlag,
    console: &Console,
) -> Result<Context<'static>, Error> {
    let (corpus, archive) = console.observed(|observer| archive::locate(request, observer))?;
    if let Some(archive) = archive {
        tell(console, &archive);
        keep.map_or(Ok(()), |path| archive.keep(path, force.force))?;
    }
    Context::open(&corpus)
}

/// Prints the warnings about files that were imported now, failures, and the counts.
fn tell(console: &Console, archive: &Archive) {
    let imported = archive.imported.iter().flatten();
    let warnings = imported.flat_map(|(file, report)| batch::with_file(file, report.warnings()));
    batch::tell_warnings(console, warnings);
    batch::tell_failures(console, archive.failures.iter().collect(), archive.files);
    console.note(&format!("{}\n", archive.summary()));
}
