//! Changes to the passes of a plan: flags over a settings file.

use std::path::PathBuf;

use clap::Args;
use marey::Error;
use marey::realise::RealiseSettings;
use marey::realise::join::JoinMethod;
use serde_json::{Map, Value, json};

use super::{choice, settings};

/// Which passes run, and their settings.
#[derive(Debug, Args)]
#[command(next_help_heading = "Passes")]
pub(crate) struct PassFlags {
    /// How clips are joined [default: as in the plan, else crossfade]
    #[arg(long, value_name = "NAME", value_parser = choice(JoinMethod::ALL.map(|method| (method.name(), "", method))))]
    join: Option<JoinMethod>,

    /// Leave clips where they were recorded
    #[arg(long)]
    no_place: bool,

    /// Play clips at their own pace
    #[arg(long)]
    no_stretch: bool,

    /// Do not plant feet
    #[arg(long)]
    no_plant: bool,

    /// Ignore the plan's meetings and targets
    #[arg(long)]
    no_constrain: bool,

    /// Also keep hands held as in the sources, if two actors of the plan show both
    #[arg(long, conflicts_with = "no_constrain")]
    holds: bool,

    /// Settings of the passes as TOML (docs/engines/realise.md); the flags above override it
    #[arg(long, value_name = "FILE.toml")]
    settings: Option<PathBuf>,
}

impl PassFlags {
    /// Whether holds of the sources are kept too.
    pub(crate) fn keeps_holds(&self) -> bool {
        self.holds
    }

    /// The changes to the plan's passes.
    pub(crate) fn changes(&self) -> Result<Map<String, Value>, Error> {
        let mut changes = Map::new();
        if let Some(file) = &self.settings {
            let passes: RealiseSettings = settings(file)?;
            passes.validate().map_err(|error| Error::settings(error).in_file(file))?;
            changes = settings(file)?;
        }
        if let Some(method) = self.join {
            let join = changes.entry("join").or_insert_with(|| json!({}));
            join["method"] = json!(method.name());
        }
        let flags = [("place", self.no_place), ("stretch", self.no_stretch)];
        changes
            .extend(flags.into_iter().filter(|(_, off)| *off).map(|(name, _)| (name.into(), json!(false))));
        let passes = [("plant", self.no_plant), ("constrain", self.no_constrain)];
        changes
            .extend(passes.into_iter().filter(|(_, off)| *off).map(|(name, _)| (name.into(), Value::Null)));
        Ok(changes)
    }
}
