//! Every engine at work on small examples: an entry each, its input beside its output.

use std::collections::BTreeMap;

use marey::examples::walk::{WalkSettings, walk};
use marey::motion::Take;
use marey::plan::SourceRef;
use marey::realise::{Chain, Example, Settings, join, realise};

use super::Exhibit;
use super::motion::Motion;
use crate::failure::Failure;

/// Shows an engine, from a seed.
type Show = fn(u64) -> Result<Exhibit, Failure>;

/// The engines that there are: one line each.
const ENGINES: [Show; 1] = [realising];

/// Every engine at work.
pub(super) fn all(seed: u64) -> Result<Vec<Exhibit>, Failure> {
    ENGINES.iter().map(|show| show(seed)).collect()
}

/// A plan of pieces that do not fit, put together twice: as it is, and realised.
fn realising(seed: u64) -> Result<Exhibit, Failure> {
    let mut sources = BTreeMap::new();
    for walker in 0..2 {
        let settings =
            WalkSettings { seed: seed.wrapping_add(walker), duration_secs: 20.0, ..WalkSettings::default() };
        let example = walk(&settings)?;
        let contacts = example.truth.contacts().cloned().unwrap_or_default();
        let source = SourceRef { take: format!("walk-{walker}"), actor: 0 };
        sources.insert(source, Example { clip: example.take.first().clone(), contacts, holds: Vec::new() });
    }
    let mut chain = Chain::new(&sources);
    for (piece, source) in sources.keys().cycle().take(6).enumerate() {
        // Begun at another phase of the step each time.
        let start = 200 + 83 * piece;
        chain.add(source, start..start + 70, 70)?;
    }
    let plan = chain.plan("walker", 60.0);
    let mut motions = Vec::new();
    let join = join::Settings { method: join::Method::None, ..join::Settings::default() };
    let plain = Settings { plant: None, join, ..Settings::default() };
    for (caption, settings) in [("input", plain), ("output", Settings::default())] {
        let realised = realise(&plan, &sources, &settings)?;
        let stem = format!("realise-{caption}");
        motions.push(Motion {
            caption: caption.to_owned(),
            is_input: caption == "input",
            take: Take::new(stem.clone(), realised.take.into_actors())?,
            stem,
            contacts: realised.contacts,
            terrain: None,
            from_frame: 0,
            beside: Vec::new(),
        });
    }
    let about = "A plan of six pieces of two walks, cut at any phase of the step: as it stands, and joined and planted";
    Ok(Exhibit { name: "realise".into(), about: about.into(), motions })
}
