//! How a run becomes motion.

use std::collections::BTreeMap;

use super::DuetRun;
use crate::Error;
use crate::motion::Observer;
use crate::plan::SourceRef;
use crate::realise::join::JoinSettings;
use crate::realise::plant::PlantSettings;
use crate::realise::{Realisation, RealiseSettings, Realised, SourceClip};

/// The passes of a duet. Movements are joined over 0.25 s, because they are short. Exchanges are less similar to those that
/// follow them, and are joined over 0.4 s; planting feet does not move the bodies, so that hands stay on the partner.
pub(super) fn passes(in_unison: bool) -> RealiseSettings {
    let default = RealiseSettings::default();
    let window_secs = if in_unison { 0.4 } else { 0.25 };
    let join = JoinSettings { window_secs, ..default.join };
    // People who hold each other are not moved for the sake of their feet.
    let plant = default
        .plant
        .map(|plant| PlantSettings { root_secs: if in_unison { 0.0 } else { plant.root_secs }, ..plant });
    RealiseSettings { join, plant, ..default }
}

/// Returns how a run is realised. Bodies are kept apart, as far as they were in the recordings.
pub fn realisation_of(run: &DuetRun) -> Realisation {
    Realisation {
        passes: passes(run.in_unison),
        keep_apart: Some(run.separation),
        #[cfg(feature = "traverse")]
        traverse: None,
    }
}

/// Realises a run of the engine, as [`run`](super::run) does.
pub fn realise_run(run: &DuetRun) -> Result<Realised, Error> {
    realise_run_with(run, &realisation_of(run), Observer::ignore())
}

/// Realises a run of the engine with other passes, cancelled by `observer`.
pub fn realise_run_with(
    run: &DuetRun,
    realisation: &Realisation,
    observer: Observer<'_>,
) -> Result<Realised, Error> {
    // The plan carries all its clips.
    let elsewhere: BTreeMap<SourceRef, SourceClip> = BTreeMap::new();
    realisation.realise(&run.plan, &elsewhere, observer, Error::from)
}
