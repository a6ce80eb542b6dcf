//! `marey duet train`.

use clap::Args;
use marey::duet::train::{self, DuetTrainOutcome, DuetTrainRequest};
use marey::duet::{DuetModelSettings, InteractionKind};
use marey::{Context, Error};

use super::{ModelFlag, UnisonFlag};
use crate::console::Console;
use crate::corpus::CorpusFlag;
use crate::flags::JsonFlag;
use crate::verdict::Verdict;
use crate::{json, table};

/// Train a model of how the two people act and react
///
/// Uses the labelled segments of the corpus, as found or as corrected. The model is stored in the corpus.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey duet train bouts.marey                             on all labelled takes of two people
  marey duet train bouts.marey --only final --model final  on one take, with a name of its own")]
pub(super) struct TrainArgs {
    #[command(flatten)]
    corpus: CorpusFlag,

    /// Use only this take, by name or # and number; can be repeated
    #[arg(long, value_name = "TAKE")]
    only: Vec<String>,

    #[command(flatten)]
    model: ModelFlag,

    /// Fraction of transitions between similar postures that were not recorded
    #[arg(long, value_name = "SHARE", default_value_t = DuetModelSettings::default().kinematic_share)]
    kinematic: f64,

    #[command(flatten)]
    unison: UnisonFlag,

    /// Weight of distance and facing
    #[arg(long, value_name = "FACTOR", default_value_t = DuetModelSettings::default().sharpness)]
    sharpness: f64,

    #[command(flatten)]
    json: JsonFlag,
}

pub(super) fn run(args: &TrainArgs, console: &Console) -> Result<Verdict, Error> {
    let context = Context::with_corpus(args.corpus.open()?);
    let DuetTrainOutcome { groups, report } =
        train::run(&args.request(), &context).map_err(|error| args.corpus.about(error))?;
    console.warnings(&report, args.corpus.path());
    if args.json.json {
        console.print(&json::array(groups.iter()))?;
        return Ok(Verdict::AllDone);
    }
    let kind = |kind: InteractionKind| match kind {
        InteractionKind::Normal => "normal",
        InteractionKind::Offensive => "offensive",
        InteractionKind::Defensive => "defensive",
    };
    let rows = groups.into_iter().map(|group| {
        vec![
            group.person,
            group.group.to_string(),
            kind(group.kind).to_owned(),
            group.movements.to_string(),
            format!("{:.2}", group.distance_m),
            format!("{:.0}", group.facing_rad.to_degrees()),
        ]
    });
    let heading = ["person", "group", "kind", "movements", "distance, m", "facing, °"];
    console.summary(&table::columns(console.out, heading, rows.collect()))?;
    Ok(Verdict::AllDone)
}

impl TrainArgs {
    fn request(&self) -> DuetTrainRequest {
        let settings = DuetModelSettings {
            in_unison: self.unison.unison,
            kinematic_share: self.kinematic,
            sharpness: self.sharpness,
            ..DuetModelSettings::default()
        };
        DuetTrainRequest { takes: self.only.clone(), model: self.model.model.clone(), settings }
    }
}
