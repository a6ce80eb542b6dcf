//! What motion files contain and how they are read: the `inspect` verb.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

pub use crate::formats::summary::*;

use crate::batch::{self, FileOutcome};
use crate::formats::ReadRequest;
use crate::formats::file::read_file;
use crate::{Context, Error, inputs};

/// A request for summaries of motion files.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct InspectRequest {
    /// Files, folders and patterns.
    pub files: Vec<PathBuf>,
    /// How the files are read.
    pub read: ReadRequest,
}

impl InspectRequest {
    /// Checks how files are read.
    pub fn validate(&self) -> Result<(), Error> {
        Ok(self.read.validate()?)
    }
}

/// Reads files and summarises each.
pub fn run(request: &InspectRequest, context: &Context<'_>) -> Result<Vec<FileOutcome<FileSummary>>, Error> {
    request.validate()?;
    let options = request.read.options()?;
    let inputs = inputs::gather(&request.files)?.files;
    batch::each(&inputs, "inspecting", context, |input| {
        let file = read_file(&input.path, &options)?;
        Ok(FileSummary::new(&file, request.read.trim_rest)?)
    })
}
