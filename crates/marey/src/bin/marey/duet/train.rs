//! `marey duet train`.

use clap::Args;
use marey::bouts::train;
use marey::duet::{Kind, ModelSettings};

use super::{ModelFlag, UnisonFlag};
use crate::console::Console;
use crate::corpus::CorpusFlag;
use crate::failure::{Failure, Verdict};
use crate::flags::JsonFlag;
use crate::{json, table};

/// Learn what both do after each other, and after what the other does
///
/// From the labelled segments of the corpus, as they were found or as they were corrected. The model is kept in the corpus.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey duet train bouts.marey                             from all labelled takes of two
  marey duet train bouts.marey --only final --model final  from one take, under a name of its own")]
pub(super) struct TrainArgs {
    #[command(flatten)]
    corpus: CorpusFlag,

    /// Only this take, by name or # and number; may be given again
    #[arg(long, value_name = "TAKE")]
    only: Vec<String>,

    #[command(flatten)]
    model: ModelFlag,

    /// The share of transitions that goes to what postures allow, though it was not seen
    #[arg(long, value_name = "SHARE", default_value_t = ModelSettings::default().kinematic_share)]
    kinematic: f64,

    #[command(flatten)]
    unison: UnisonFlag,

    /// How much distance and facing count
    #[arg(long, value_name = "FACTOR", default_value_t = ModelSettings::default().sharpness)]
    sharpness: f64,

    #[command(flatten)]
    json: JsonFlag,
}

pub(super) fn run(args: &TrainArgs, console: &Console) -> Result<Verdict, Failure> {
    let mut corpus = args.corpus.open()?;
    let settings = ModelSettings {
        in_unison: args.unison.answer(),
        kinematic_share: args.kinematic,
        sharpness: args.sharpness,
        ..ModelSettings::default()
    };
    let groups = train(&mut corpus, &args.only, &args.model.model, &settings)
        .map_err(|failure| args.corpus.about(failure))?;
    if args.json.json {
        console.print(&json::array(groups.iter()))?;
        return Ok(Verdict::AllDone);
    }
    let kind = |kind: Kind| match kind {
        Kind::Normal => "normal",
        Kind::Offensive => "offensive",
        Kind::Defensive => "defensive",
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
    let heading = ["who", "group", "kind", "movements", "distance, m", "facing, °"];
    console.print(&table::columns(console.out, heading, rows.collect()))?;
    Ok(Verdict::AllDone)
}
