//! A deliberately bad plan, for tests of joins and feet.

use std::collections::BTreeMap;

use marey_plan::{Plan, Seed, SourceRef};
use rand::RngExt;

use crate::{PlacementChain, Result, SourceClip};

/// The shortest and the longest piece, in seconds.
const PIECE_SECS: [f64; 2] = [0.33, 2.0];

/// Returns a deliberately bad plan for one actor: pieces of random sources, a third of a second to two seconds
/// long, starting at a random phase, each placed at the end of the previous one. Sources that are too short are
/// skipped. If all are, the plan is empty, which is an error.
pub fn scramble(
    examples: &BTreeMap<SourceRef, SourceClip>,
    seed: Seed,
    pieces: usize,
    rate_hz: f64,
) -> Result<Plan> {
    let mut rng = seed.rng(0);
    let frames = |secs: f64, example: &SourceClip| (secs * example.clip.rate_hz()).round().max(1.0) as usize;
    let fits = |example: &SourceClip| example.clip.frames() > frames(PIECE_SECS[1], example);
    let usable: Vec<(&SourceRef, &SourceClip)> =
        examples.iter().filter(|(_, example)| fits(example)).collect();
    let mut chain = PlacementChain::new(examples);
    for _ in 0..if usable.is_empty() { 0 } else { pieces } {
        let (source, example) = usable[rng.random_range(0..usable.len())];
        let [shortest, longest] = PIECE_SECS.map(|secs| frames(secs, example));
        let length = rng.random_range(shortest..longest.max(shortest + 1));
        let start = rng.random_range(0..example.clip.frames() - length);
        let lasts = (length as f64 * rate_hz / example.clip.rate_hz()).round().max(1.0);
        chain.add(source, start..start + length, lasts as usize)?;
    }
    let plan = chain.plan("actor", rate_hz);
    plan.validate()?;
    Ok(plan)
}
