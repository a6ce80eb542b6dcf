//! `marey corpus cluster`.

use std::collections::BTreeMap;

use clap::Args;
use marey::corpus::{ClusterSettings, Clustered, Maker, Segment};
use marey::ops::reduction::linkage::Keep;
use serde::Serialize;

use super::{CorpusFlag, count};
use crate::console::Console;
use crate::failure::{Failure, Verdict};
use crate::flags::{JsonFlag, finite};
use crate::{json, table};

/// Put segments that are alike together, and choose one of each
///
/// No two segments of a cluster are further apart than the threshold, after the best shift and turn over the floor and a
/// uniform stretch in time: hands and feet, root mean square. The clusters are kept until segments change.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey corpus cluster walks.marey --threshold 0.08            within 8 cm of each other
  marey corpus cluster walks.marey --made-by 'method steps'  only what one method cut")]
pub(super) struct ClusterArgs {
    #[command(flatten)]
    corpus: CorpusFlag,

    /// How far apart two segments of a cluster may be, in metres
    #[arg(long, value_name = "M", default_value_t = 0.1, value_parser = finite)]
    threshold: f32,

    /// Only segments that this maker cut: person, or method NAME
    #[arg(long, value_name = "MAKER")]
    made_by: Option<Maker>,

    /// Choose one of each by chance that starts here, instead of the one in the middle
    #[arg(long, value_name = "SEED")]
    random: Option<u64>,

    #[command(flatten)]
    json: JsonFlag,
}

/// A segment's place, as JSON has it.
#[derive(Debug, Serialize)]
struct Placed<'a> {
    segment: i64,
    take: i64,
    name: &'a str,
    start: usize,
    end: usize,
    cluster: usize,
    representative: bool,
}

pub(super) fn run(args: &ClusterArgs, console: &Console) -> Result<Verdict, Failure> {
    let mut corpus = args.corpus.open()?;
    let keep = args.random.map_or(Keep::Medoid, |seed| Keep::Random { seed });
    let settings = ClusterSettings {
        threshold_m: args.threshold,
        keep,
        maker: args.made_by.clone(),
        ..ClusterSettings::default()
    };
    let clustered = corpus.cluster(&settings).map_err(|error| args.corpus.about(error))?;
    let segments = corpus.segments().map_err(|error| args.corpus.about(error))?;
    let by_id: BTreeMap<_, &Segment> = segments.iter().map(|segment| (segment.id, segment)).collect();
    let placed = clustered.iter().filter_map(|one| Some(place(one, by_id.get(&one.segment)?)));
    if args.json.json {
        console.print(&json::array(placed))?;
        return Ok(Verdict::AllDone);
    }
    let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
    clustered.iter().for_each(|one| *sizes.entry(one.cluster).or_default() += 1);
    let rows = placed.filter(|one| one.representative).map(|one| {
        let size = sizes.get(&one.cluster).copied().unwrap_or(0);
        let frames = format!("{}..{}", one.start, one.end);
        vec![
            one.cluster.to_string(),
            size.to_string(),
            one.segment.to_string(),
            format!("#{}", one.take),
            frames,
            one.name.to_owned(),
        ]
    });
    let mut rows: Vec<Vec<String>> = rows.collect();
    rows.sort_by_key(|row| row.first().and_then(|cell| cell.parse::<usize>().ok()));
    let heading = ["cluster", "segments", "stands for it", "take", "frames", "name"];
    console.print(&table::columns(console.out, heading, rows))?;
    console.note(&format!("{} in {}\n", count(clustered.len(), "segment"), count(sizes.len(), "cluster")));
    Ok(Verdict::AllDone)
}

fn place<'a>(one: &Clustered, segment: &'a Segment) -> Placed<'a> {
    Placed {
        segment: segment.id.0,
        take: segment.take.0,
        name: &segment.name,
        start: segment.frames.start,
        end: segment.frames.end,
        cluster: one.cluster,
        representative: one.representative,
    }
}
