//! What motion files contain and how they are read: the `inspect` verb.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

pub use crate::formats::summary::*;

use crate::batch::{self, FileOutcome};
use crate::formats::ReadOptions;
use crate::formats::file::read_file;
use crate::{Context, Error, inputs};

/// A request for summaries of motion files.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct InspectRequest {
    /// Files, folders and patterns.
    pub files: Vec<PathBuf>,
    /// How the files are read.
    #[serde(skip)]
    pub read: ReadOptions,
}

/// Reads files and summarises each.
pub fn run(request: &InspectRequest, context: &Context<'_>) -> Result<Vec<FileOutcome<FileSummary>>, Error> {
    let inputs = inputs::gather(&request.files)?.files;
    batch::each(&inputs, "inspecting", context, |input| {
        let file = read_file(&input.path, &request.read)?;
        Ok(FileSummary::new(&file, request.read.conventions.trim_rest_frame)?)
    })
}
