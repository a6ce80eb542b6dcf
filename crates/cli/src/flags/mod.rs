//! Flags of several commands, each defined once.

mod body_conventions;
mod characters;
mod choice;
mod conventions;
mod passes;
mod preparation;
mod sources;

use std::path::Path;

pub(crate) use body_conventions::SkeletonConventionFlags;
pub(crate) use characters::CharacterFlags;
pub(crate) use choice::choice;
use clap::Args;
pub(crate) use conventions::ConventionFlags;
use marey::convert::check_free;
use marey::formats::file::write_file;
pub(crate) use marey::motion::FrameRange;
pub(crate) use passes::PassFlags;
pub(crate) use preparation::PreparationFlags;
pub(crate) use sources::{ExampleFlags, SourceFlags, motion_context};

use marey::{Error, inputs};

/// Whether results are printed as JSON.
#[derive(Debug, Args)]
pub(crate) struct JsonFlag {
    /// Print JSON: an array with one object per line
    #[arg(long)]
    pub(crate) json: bool,
}

/// Whether files may be overwritten.
#[derive(Debug, Default, Args)]
pub(crate) struct ForceFlag {
    /// Overwrite files that exist
    #[arg(long)]
    pub(crate) force: bool,
}

impl ForceFlag {
    /// Fails if the output exists and may not be overwritten.
    pub(crate) fn check(&self, output: &Path) -> Result<(), Error> {
        if self.force { Ok(()) } else { check_free(output) }
    }

    /// Writes an output.
    pub(crate) fn write(&self, output: &Path, content: &[u8]) -> Result<(), Error> {
        write_file(output, content, self.force).map_err(|error| Error::from(error).in_file(output))
    }
}

/// Parses a frame rate: above 0, up to 10 kHz.
pub(crate) fn hertz(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number > 0.0 && number <= 1e4 => Ok(number),
        _ => Err("not a rate above 0 and up to 10000".into()),
    }
}

/// Parses a finite number.
pub(crate) fn finite(text: &str) -> Result<f32, String> {
    text.parse::<f32>().ok().filter(|number| number.is_finite()).ok_or_else(|| "not a number".into())
}

/// Reads settings from a TOML file.
pub(crate) fn settings<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, Error> {
    let wrong = |error: toml::de::Error| Error::settings(error.message()).in_file(path);
    toml::from_str(&inputs::text(path)?).map_err(wrong)
}
