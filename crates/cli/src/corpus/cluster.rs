//! `marey corpus cluster`.

use std::collections::BTreeMap;

use clap::{Args, ValueEnum};
use marey::corpus::{ClusterMethod, ClusterSettings, Clustered, Maker, Segment};
use marey::ops::cloud;
use marey::ops::reduction::{Keep, grouping};
use serde::Serialize;

use super::{CorpusFlag, count};
use crate::console::Console;
use crate::flags::{JsonFlag, finite};
use crate::verdict::Verdict;
use crate::{json, table};
use marey::Error;

/// Put segments that are alike together, and choose one of each
///
/// With linkage, no two segments of a cluster are further apart than the threshold, after the best shift and turn over the
/// floor and a uniform stretch in time: hands and feet, root mean square. With kmeans, none is further from the centre of its
/// cluster than the radius, after a warp in time: hands, feet and head seen from the hips, and the height of these. The
/// clusters are kept until segments change.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey corpus cluster walks.marey --threshold 0.08               within 8 cm of each other
  marey corpus cluster walks.marey --method kmeans --radius 0.12  within 12 cm of a centre")]
pub(super) struct ClusterArgs {
    #[command(flatten)]
    corpus: CorpusFlag,

    /// How to put them together
    #[arg(long, value_name = "METHOD", default_value = "linkage")]
    method: Method,

    /// With linkage: how far apart two segments of a cluster may be, in metres
    #[arg(long, value_name = "M", default_value_t = 0.1, value_parser = finite)]
    threshold: f32,

    /// With kmeans: how far a segment may be from its cluster's centre, in metres
    #[arg(long, value_name = "M", default_value_t = 0.15, value_parser = finite)]
    radius: f32,

    /// With kmeans: how far apart centres are at the least, in metres; half of the radius where it is not given
    #[arg(long, value_name = "M", value_parser = finite)]
    spacing: Option<f32>,

    /// With kmeans: how far a moment may be early or late, as a share of the segment, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.25, value_parser = finite)]
    warp: f32,

    /// Only segments that this maker cut: person, or method NAME
    #[arg(long, value_name = "MAKER")]
    made_by: Option<Maker>,

    /// Choose one of each by chance that starts here, instead of the one in the middle
    #[arg(long, value_name = "SEED")]
    random: Option<u64>,

    #[command(flatten)]
    json: JsonFlag,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Method {
    /// Complete linkage: no two are far apart
    Linkage,
    /// Means that split and join until none is far from its own, and no two means are near
    Kmeans,
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

pub(super) fn run(args: &ClusterArgs, console: &Console) -> Result<Verdict, Error> {
    let mut corpus = args.corpus.open()?;
    let (clustered, report) = corpus.cluster(&args.settings()).map_err(|error| args.corpus.about(error))?;
    report.warnings().iter().for_each(|warning| console.warning(warning, &args.corpus.corpus));
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

impl ClusterArgs {
    fn settings(&self) -> ClusterSettings {
        let by = match self.method {
            Method::Linkage => {
                ClusterMethod::Linkage { threshold_m: self.threshold, cloud: cloud::CloudSettings::default() }
            }
            Method::Kmeans => {
                let groups = grouping::GroupingSettings {
                    most_radius_m: self.radius,
                    least_spacing_m: self.spacing.unwrap_or(0.5 * self.radius),
                    ..grouping::GroupingSettings::default()
                };
                ClusterMethod::Means { groups, warp: self.warp.into() }
            }
        };
        let keep = self.random.map_or(Keep::Medoid, |seed| Keep::Random { seed });
        ClusterSettings { by, keep, maker: self.made_by.clone() }
    }
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
