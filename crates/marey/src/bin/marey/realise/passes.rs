//! How a plan is realised: flags over a settings file over defaults.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use marey::realise::Settings;
use marey::realise::join::Method;

use crate::check;
use crate::failure::Failure;

/// Which passes there are, and how they work.
#[derive(Debug, Args)]
#[command(next_help_heading = "How it is made")]
pub(super) struct PassFlags {
    /// How pieces are joined [default: inertialise]
    #[arg(long, value_name = "NAME", value_parser = methods())]
    join: Option<Method>,

    /// Leave examples where they were recorded
    #[arg(long)]
    no_place: bool,

    /// Let examples go at their own pace
    #[arg(long)]
    no_stretch: bool,

    /// Leave feet as they come
    #[arg(long)]
    no_plant: bool,

    /// Leave meetings and targets of the plan alone
    #[arg(long)]
    no_constrain: bool,

    /// Also keep the holds that the examples show, where two actors of the plan show the two who hold each other
    #[arg(long, conflicts_with = "no_constrain")]
    holds: bool,

    /// Settings of all passes as TOML, as docs/realise.md lists them; the flags above go before it
    #[arg(long, value_name = "FILE.toml")]
    settings: Option<PathBuf>,
}

fn methods() -> impl TypedValueParser<Value = Method> {
    PossibleValuesParser::new(Method::ALL.map(Method::name))
        .map(|word| Method::ALL.into_iter().find(|method| method.name() == word).unwrap_or_default())
}

impl PassFlags {
    /// Whether the examples' holds are kept too.
    pub(super) fn keeps_holds(&self) -> bool {
        self.holds
    }

    /// The settings that are meant.
    pub(super) fn settings(&self) -> Result<Settings, Failure> {
        let mut settings: Settings =
            self.settings.as_deref().map(check::settings).transpose()?.unwrap_or_default();
        settings.join.method = self.join.unwrap_or(settings.join.method);
        settings.place &= !self.no_place;
        settings.stretch &= !self.no_stretch;
        settings.plant = settings.plant.filter(|_| !self.no_plant);
        settings.constrain = settings.constrain.filter(|_| !self.no_constrain);
        settings.validate().map_err(|error| {
            let failure = Failure::settings(error);
            self.settings.iter().fold(failure, |failure, file| failure.in_file(file))
        })?;
        Ok(settings)
    }
}
