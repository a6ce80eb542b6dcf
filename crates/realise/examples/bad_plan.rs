//! Writes a scrambled plan and its motion: cut, joined, and with foot-skate clean-up.
//!
//! `cargo run -p marey-realise --example bad_plan -- FOLDER` writes `plan.json`, `cut.bvh`, `joined.bvh` and `planted.bvh`.
//! The walkers are side by side, so that they can be drawn together.

use std::collections::BTreeMap;
use std::path::PathBuf;

use marey_examples::walk::{WalkSettings, walk};
use marey_formats::bvh::{BvhOptions, write};
use marey_motion::{Ground, Take};
use marey_plan::SourceRef;
use marey_realise::join::JoinMethod;
use marey_realise::{PlacementChain, RealiseSettings, SourceClip, realise};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("say which folder to write to")?);
    let mut map = BTreeMap::new();
    for seed in 0..3 {
        let settings = WalkSettings { seed, duration_secs: 20.0, ..WalkSettings::default() };
        let example = walk(&settings)?;
        let contacts = example.truth.contacts().cloned().unwrap_or_default();
        let clip = example.take.first().clone();
        map.insert(
            SourceRef { take: format!("walk-{seed}"), actor: 0 },
            SourceClip { clip, contacts, holds: vec![] },
        );
    }
    // Pieces of three walks, of any length, at any phase.
    let mut chain = PlacementChain::new(&map);
    for (piece, (start, frames)) in
        [(300, 50), (410, 35), (355, 60), (520, 45), (333, 50)].into_iter().enumerate()
    {
        let source = SourceRef { take: format!("walk-{}", piece % 3), actor: 0 };
        chain.add(&source, start..start + frames, frames)?;
    }
    let plan = chain.plan("walker", 60.0);
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("plan.json"), plan.to_json()?)?;
    let joined = RealiseSettings { plant: None, ..RealiseSettings::default() };
    let mut cut = joined;
    cut.join.method = JoinMethod::None;
    for (name, settings, aside_m) in
        [("cut", cut, 0.0), ("joined", joined, 1.2), ("planted", RealiseSettings::default(), 2.4)]
    {
        let clip = realise(&plan, &map, &settings)?.take.first().moved(Ground::new(aside_m, 0.0, 0.0));
        let (bytes, _) = write(&Take::solo(name, clip), &BvhOptions::default());
        std::fs::write(folder.join(name).with_extension("bvh"), bytes)?;
    }
    Ok(())
}
