//! Flags for the motion that is learned from.

use std::path::PathBuf;

use clap::Args;
use marey::{Context, Error};

use crate::console::Console;
use crate::flags::{ExampleFlags, ForceFlag};

#[derive(Debug, Args)]
pub(crate) struct TrainingFlags {
    /// A corpus, a file ending in .marey; or motion files: a folder, a pattern or a file
    #[arg(value_name = "CORPUS")]
    corpus: PathBuf,

    /// Learn from this take only, by name or # and number; can be repeated
    #[arg(long, value_name = "TAKE")]
    only: Vec<String>,

    #[command(flatten)]
    sources: ExampleFlags,
}

impl TrainingFlags {
    /// Opens the corpus, or makes one.
    pub(crate) fn context(&self, force: &ForceFlag, console: &Console) -> Result<Context<'static>, Error> {
        self.sources.context(std::slice::from_ref(&self.corpus), force, console)
    }

    pub(crate) fn only(&self) -> Vec<String> {
        self.only.clone()
    }
}
