//! `marey corpus cluster`.

use std::collections::BTreeMap;

use clap::{Args, ValueEnum};
use marey::Error;
use marey::corpus::{ClusterMethodName, ClusterRequest, Clustered, Maker};

use super::{CorpusFlag, count, print};
use crate::console::Console;
use crate::flags::{JsonFlag, finite};
use crate::table;
use crate::verdict::Verdict;

/// Group similar segments, and choose a representative of each group
///
/// With linkage, no two segments of a cluster are further apart than the threshold: the root mean square distance of hands
/// and feet, after the best shift and turn over the floor and a uniform stretch in time. With kmeans, no segment is further
/// from the centre of its cluster than the radius: hands, feet and head relative to the hips, and their height, after a warp
/// in time. The clusters are stored until segments change.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey corpus cluster walks.marey --threshold 0.08               within 8 cm of each other
  marey corpus cluster walks.marey --method kmeans --radius 0.12  within 12 cm of a centre")]
pub(super) struct ClusterArgs {
    #[command(flatten)]
    corpus: CorpusFlag,

    /// Clustering method
    #[arg(long, value_name = "METHOD", default_value = "linkage")]
    method: Method,

    /// With linkage: maximum distance between two segments of a cluster, in metres
    #[arg(long, value_name = "M", default_value_t = ClusterRequest::default().threshold_m, value_parser = finite)]
    threshold: f32,

    /// With kmeans: maximum distance of a segment from the centre of its cluster, in metres
    #[arg(long, value_name = "M", default_value_t = ClusterRequest::default().radius_m, value_parser = finite)]
    radius: f32,

    /// With kmeans: minimum distance between centres, in metres; default: half of the radius
    #[arg(long, value_name = "M", value_parser = finite)]
    spacing: Option<f32>,

    /// With kmeans: maximum time shift of a frame, as a share of the segment, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = ClusterRequest::default().warp, value_parser = finite)]
    warp: f32,

    /// Only segments by this maker: person, or method NAME
    #[arg(long, value_name = "MAKER")]
    made_by: Option<Maker>,

    /// Choose representatives at random with this seed, instead of the segment in the middle
    #[arg(long, value_name = "SEED")]
    random: Option<u64>,

    #[command(flatten)]
    json: JsonFlag,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Method {
    /// Complete linkage: no two segments of a cluster are far apart
    Linkage,
    /// K-means that splits and joins clusters until every segment is near its centre and no two centres are near
    Kmeans,
}

pub(super) fn run(args: &ClusterArgs, console: &Console) -> Result<Verdict, Error> {
    let request = ClusterRequest {
        method: match args.method {
            Method::Linkage => ClusterMethodName::Linkage,
            Method::Kmeans => ClusterMethodName::Kmeans,
        },
        threshold_m: args.threshold,
        radius_m: args.radius,
        spacing_m: args.spacing,
        warp: args.warp,
        made_by: args.made_by.clone(),
        random: args.random,
    };
    let (clustered, report) = args
        .corpus
        .change(|corpus| console.observed(|observer| corpus.cluster(&request.settings()?, observer)))?;
    report.warnings().iter().for_each(|warning| console.warning(warning, &args.corpus.corpus));
    print(console, &args.json, &clustered, || {
        let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
        clustered.iter().for_each(|one| *sizes.entry(one.cluster).or_default() += 1);
        let mut kept: Vec<&Clustered> = clustered.iter().filter(|one| one.representative).collect();
        kept.sort_by_key(|one| one.cluster);
        let heading = ["cluster", "segments", "representative", "take", "frames", "name"];
        let rows = kept.into_iter().map(|one| {
            let size = sizes.get(&one.cluster).copied().unwrap_or(0);
            let (cluster, segment) = (one.cluster.to_string(), one.segment.0.to_string());
            vec![
                cluster,
                size.to_string(),
                segment,
                one.take.to_string(),
                format!("{:?}", one.frames),
                one.name.clone(),
            ]
        });
        console.print(&table::columns(console.out, heading, rows.collect()))?;
        let (segments, clusters) = (count(clustered.len(), "segment"), count(sizes.len(), "cluster"));
        console.note(&format!("{segments} in {clusters}\n"));
        Ok(())
    })
}
