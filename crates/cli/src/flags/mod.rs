//! Flags that several verbs take, each defined once.

mod conventions;
mod frames;
mod limit;

use std::io;
use std::path::Path;

use clap::Args;
pub(crate) use conventions::ConventionFlags;
pub(crate) use frames::FrameRange;
use limit::Limit;
use marey::formats::file::write_file;

use marey::Error;

/// How results are told to programs.
#[derive(Debug, Args)]
pub(crate) struct JsonFlag {
    /// Print JSON, an array with one object a line
    #[arg(long)]
    pub(crate) json: bool,
}

/// Whether files may be replaced.
#[derive(Debug, Default, Args)]
pub(crate) struct ForceFlag {
    /// Overwrite files that exist
    #[arg(long)]
    force: bool,
}

impl ForceFlag {
    /// Refuses an output that exists, before any work is done for it.
    pub(crate) fn check(&self, output: &Path) -> Result<(), Error> {
        if self.force || !output.exists() {
            return Ok(());
        }
        let exists = marey::formats::FormatsError::file(output, io::ErrorKind::AlreadyExists.into());
        Err(Error::from(exists).in_file(output))
    }

    /// Writes an output; over one that exists, where forced.
    pub(crate) fn write(&self, output: &Path, content: &[u8]) -> Result<(), Error> {
        write_file(output, content, self.force).map_err(|error| Error::from(error).in_file(output))
    }
}

/// A rate that motion can have, for clap: above 0, up to 10 kHz.
pub(crate) fn hertz(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number > 0.0 && number <= 1e4 => Ok(number),
        _ => Err("not a rate above 0 and up to 10000".into()),
    }
}

/// Any number but infinity, for clap.
pub(crate) fn finite(text: &str) -> Result<f32, String> {
    text.parse::<f32>().ok().filter(|number| number.is_finite()).ok_or_else(|| "not a number".into())
}
