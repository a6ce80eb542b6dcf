//! Judges motion: foot skate, jerks and more, each measure beside its threshold.
//!
//! `cargo run -p marey --example judge -- FOLDER` writes `walk.bvh` and `sliding.bvh`, and prints the cards of both.
#![expect(clippy::print_stdout, reason = "an example prints what it did")]

use std::error::Error;
use std::path::{Path, PathBuf};

use marey::check::{self, CheckRequest};
use marey::examples::walk::{WalkSettings, walk};
use marey::measure::card::Thresholds;
use marey::measure::judge::ActorCard;
use marey::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    let temporary = || std::env::temp_dir().join("marey-judge");
    run(&std::env::args_os().nth(1).map_or_else(temporary, PathBuf::from)).map(|_| ())
}

pub(crate) fn run(folder: &Path) -> Result<[ActorCard; 2], Box<dyn Error>> {
    std::fs::create_dir_all(folder)?;
    let walk = walk(&WalkSettings { duration_secs: 10.0, ..WalkSettings::default() })?.take;
    // The same walk on a moving floor: all joints drift sideways, so that the feet slide while they stand.
    let mut parts = walk.first().clone().into_parts();
    for (frame, position) in parts.positions.iter_mut().enumerate() {
        position.x += 0.2 * frame as f32 / walk.rate_hz() as f32;
    }
    let sliding = Clip::new(walk.first().skeleton().clone(), walk.rate_hz(), parts)?;
    let sliding = Take::solo("sliding", sliding);

    Ok([card(folder, &walk)?, card(folder, &sliding)?])
}

fn card(folder: &Path, take: &Take) -> Result<ActorCard, Box<dyn Error>> {
    let path = folder.join(take.name()).with_extension("bvh");
    std::fs::write(&path, bvh::write(take, &BvhOptions::default()).0)?;
    // Feet are judged by those of recordings: here, by those of the walk.
    let examples = vec![folder.join("walk.bvh")];
    let thresholds = Thresholds { feet_over_examples: Some(1.5), ..Thresholds::default() };
    let request = CheckRequest { takes: vec![take.clone()], examples, thresholds, ..CheckRequest::default() };
    let mut cards = Vec::new();
    for checked in check::run(&request, &Context::new())? {
        cards.extend(checked.result?);
    }
    let card = cards.pop().ok_or("the take has an actor")?;
    println!("{}: {}", path.display(), if card.passed { "passed" } else { "failed" });
    for line in &card.card.lines {
        let threshold = line.at_most.map_or(String::new(), |limit| format!(", at most {limit}"));
        println!("  {} {:.2} {}{threshold}", line.name, line.value, line.unit);
    }
    Ok(card)
}
