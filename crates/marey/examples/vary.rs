//! Varies a dance: the same movements in an order that a chaotic system chooses.
//!
//! `cargo run -p marey --example vary -- FOLDER` writes `original.bvh`, `variation-1.bvh` and `variation-2.bvh`.
#![expect(clippy::print_stdout, reason = "an example prints what it did")]

use std::error::Error;
use std::path::{Path, PathBuf};

use marey::examples::waltz::{WaltzSettings, waltz};
use marey::prelude::*;
use marey::vary::{VaryJob, VaryRequest};

fn main() -> Result<(), Box<dyn Error>> {
    let temporary = || std::env::temp_dir().join("marey-vary");
    run(&std::env::args_os().nth(1).map_or_else(temporary, PathBuf::from))
}

pub(crate) fn run(folder: &Path) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(folder)?;
    let waltz =
        waltz(&WaltzSettings { duration_secs: 20.0, rate_hz: 30.0, ..WaltzSettings::default() })?.take;
    let write = |name: &str, take: &Take| -> Result<(), Box<dyn Error>> {
        let path = folder.join(name).with_extension("bvh");
        std::fs::write(&path, bvh::write(take, &BvhOptions::default()).0)?;
        println!("wrote {}", path.display());
        Ok(())
    };
    write("original", &waltz)?;

    // The dance is wound around the attractor of a chaotic system. A second trajectory, started nearby, visits the same
    // places in another order. `shift` would say how near it starts.
    let request = VaryRequest { motion: vec![waltz.into()], ..VaryRequest::default() };
    let context = Context::new();
    // A job prepares once for many variations; `vary::run` makes a single one.
    let job = VaryJob::new(&request, &context)?;
    for seed in [1, 2] {
        let outcome = job.run(seed, "variation")?;
        let statistics = &outcome.details.statistics;
        println!(
            "seed {seed}: {} chunks, {:.0} % of the frames moved",
            outcome.details.chunks.len(),
            100.0 * statistics.moved
        );
        write(&format!("variation-{seed}"), &outcome.take)?;
    }
    Ok(())
}
