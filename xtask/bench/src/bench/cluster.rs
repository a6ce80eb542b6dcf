//! Clustering of many segments, through the command.

use std::ffi::OsString;
use std::fs;

use marey_body::BodyProportions;
use marey_examples::walk::{WalkSettings, walk};
use marey_formats::bvh::{self, BvhOptions};
use rayon::prelude::*;

use crate::args::Args;
use crate::row::{Aim, Row};
use crate::{BoxError, data, marey_command};

/// The duration of one walk, in seconds: about 120 steps.
const WALK_SECS: f64 = 60.0;
const RATE_HZ: f64 = 30.0;

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    measure(args).unwrap_or_else(|error| {
        eprintln!("clustering is not measured: {error}");
        Vec::new()
    })
}

fn measure(args: &Args) -> Result<Vec<Row>, BoxError> {
    let takes = if args.quick { 40 } else { 490 };
    let work = data::scratch_folder()?.join(format!("cluster-{takes}-seed{}", args.seed));
    let input = work.join("in");
    fs::create_dir_all(&input)?;
    // People of many sizes walk at many speeds in all directions, so that there are many clusters.
    let one = |number: u64| -> Result<(), String> {
        let file = input.join(format!("walk-{number:04}.bvh"));
        if file.exists() {
            return Ok(());
        }
        let height_m = 1.4 + 0.48 * ((number * 37 % 101) as f32 / 101.0);
        let settings = WalkSettings {
            seed: args.seed.wrapping_mul(1_000_003) + number,
            duration_secs: WALK_SECS,
            rate_hz: RATE_HZ,
            speed_range: 0.6,
            backward_or_sideways: 0.3,
            body: BodyProportions { height_m, ..BodyProportions::default() },
            ..WalkSettings::default()
        };
        let take = walk(&settings).map_err(|error| error.to_string())?.take;
        fs::write(file, bvh::write(&take, &BvhOptions::default()).0).map_err(|error| error.to_string())
    };
    (0..takes).into_par_iter().try_for_each(one)?;
    let corpus = work.join("c.marey");
    let run = |words: &[&str]| {
        let word = |word: &&str| match *word {
            "CORPUS" => corpus.clone().into_os_string(),
            "IN" => input.clone().into_os_string(),
            word => OsString::from(word),
        };
        marey_command::run(words.iter().map(word), &work)
    };
    if !corpus.exists() {
        run(&["corpus", "new", "CORPUS"])?;
        run(&["corpus", "add", "CORPUS", "IN", "--skip", "duplicates"])?;
        run(&["corpus", "segment", "CORPUS", "--by", "steps"])?;
    }
    let segments = marey_corpus::Corpus::open(&corpus)?.segments()?.len();
    let means = run(&["corpus", "cluster", "CORPUS", "--method", "kmeans"])?;
    let linkage = run(&["corpus", "cluster", "CORPUS"])?;
    let subject = format!("{segments} steps of {takes} generated walks");
    let megabytes = |bytes: u64| bytes as f64 / 1e6;
    let rows = [
        Row::new("cluster: K-means, all cores", &subject, means.secs, "s").aim(Aim::AtMost(60.0)),
        Row::new("cluster: K-means, processor time", &subject, means.cpu_secs, "s"),
        Row::new("cluster: peak memory of K-means", &subject, megabytes(means.peak_bytes), "MB")
            .aim(Aim::AtMost(1000.0)),
        Row::new("cluster: linkage, all cores", &subject, linkage.secs, "s"),
        Row::new("cluster: peak memory of linkage", &subject, megabytes(linkage.peak_bytes), "MB")
            .aim(Aim::AtMost(1000.0)),
    ];
    Ok(rows.into_iter().map(Row::by_clock).collect())
}
