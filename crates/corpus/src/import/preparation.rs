//! Prepares motion for use: what every capture needs before it can be an example.

use std::ops::Range;

use marey_conventions::{ConventionOverrides, DetectedConventions, codes as conventions};
use marey_motion::{Actor, Clip, Place, Report, Take};
use marey_ops::cleaning::{self, CleaningSettings, DefectRemedy, MotionDefect};
use marey_ops::floor;
use serde::{Deserialize, Serialize};

use crate::{Result, codes};

/// Which steps prepare motion when it is added to a corpus; by default all. Each step reports what it changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ImportPreparation {
    /// Remove a calibration pose in the first frame.
    pub rest: bool,
    /// Move the take vertically so that its floor is at height 0. If nobody rests on a floor, nothing moves.
    pub floor: bool,
    /// Interpolate short spikes and gaps, and mark the rest as unusable.
    pub repair: bool,
    /// Leave out a take that is nearly equal to one in the corpus. The same content is never added twice.
    pub duplicates: bool,
}

impl Default for ImportPreparation {
    fn default() -> Self {
        Self { rest: true, floor: true, repair: true, duplicates: true }
    }
}

/// A take that was prepared.
#[derive(Debug, Clone)]
pub struct PreparedMotion {
    /// The take.
    pub take: Take,
    /// Frames that cannot be used.
    pub unusable: Vec<Range<usize>>,
    /// What was done, in a few words each.
    pub history: Vec<String>,
}

/// Movements of the floor below this are not reported, in metres.
const LEVEL_M: f32 = 0.005;

impl ImportPreparation {
    /// Prepares a take that was read with `overrides`. What was changed is added to the report.
    pub fn apply(
        &self,
        take: Take,
        detected: &[DetectedConventions],
        overrides: &ConventionOverrides,
        report: &mut Report,
    ) -> Result<PreparedMotion> {
        let name = take.name().to_owned();
        let mut actors = take.into_actors();
        let mut history = Vec::new();
        let has_rest_frame =
            !overrides.trim_rest_frame && detected.iter().any(|found| found.rest_frame.value);
        if self.rest && has_rest_frame {
            change(&mut actors, |clip| Ok(clip.slice(1..clip.frames())?))?;
            report.remove(&conventions::REST_FRAME);
            report.warn(&codes::REST_REMOVED, Place::default().frame(0), format!("{name}: frame 0"));
            history.push("calibration pose removed".to_owned());
        }
        let mut unusable = Vec::new();
        if self.repair {
            let mut defects = Vec::new();
            change(&mut actors, |clip| {
                let cleaned = cleaning::clean(clip, &CleaningSettings::default())?;
                unusable.extend(cleaned.unusable());
                defects.extend(cleaned.defects);
                Ok(cleaned.clip)
            })?;
            unusable = cleaning::united(unusable);
            history.extend(report_defects(&actors, &defects, report));
        }
        if self.floor && overrides.floor.is_none() {
            let floors = actors.iter().map(|actor| floor::estimate(&actor.clip));
            let height_m = floor::shared_height_m(floors).unwrap_or(0.0);
            change(&mut actors, |clip| Ok(clip.lifted(-height_m)?))?;
            if height_m.abs() > LEVEL_M {
                let moved = format!("floor moved from {:.1} cm to 0", 100.0 * height_m);
                report.warn(&codes::FLOOR_MOVED, Place::default(), format!("{name}: {moved}"));
                history.push(moved);
            }
        }
        Ok(PreparedMotion { take: Take::new(name, actors)?, unusable, history })
    }
}

fn change(actors: &mut [Actor], mut work: impl FnMut(&Clip) -> Result<Clip>) -> Result<()> {
    actors.iter_mut().try_for_each(|actor| {
        actor.clip = work(&actor.clip)?;
        Ok(())
    })
}

/// Reports the defects by what was done about them; returns that in a few words.
fn report_defects(actors: &[Actor], defects: &[MotionDefect], report: &mut Report) -> Vec<String> {
    let mut history = Vec::new();
    let remedies = [
        (DefectRemedy::Repaired, &codes::REPAIRED, "repaired"),
        (DefectRemedy::Unusable, &codes::UNUSABLE, "marked as unusable"),
        (DefectRemedy::Tolerated, &codes::ROUGH_ENDS, "of fingers or toes kept"),
    ];
    for (remedy, code, done) in remedies {
        let own: Vec<&MotionDefect> = defects.iter().filter(|defect| defect.remedy == remedy).collect();
        let Some(first) = own.first() else { continue };
        let skeleton = actors.first().map(|actor| actor.clip.skeleton());
        let joint = first.joint.and_then(|joint| skeleton?.joints().get(joint));
        let joint = joint.map_or("the whole body", |joint| joint.name.as_str());
        let Range { start, end } = first.frames;
        let message = format!("a {} of {joint}, frames {start} to {}", first.kind.name(), end - 1);
        report.warn_many(code, Place::default().frame(start), own.len(), message);
        history.push(format!("{} {} {done}", own.len(), if own.len() == 1 { "defect" } else { "defects" }));
    }
    history
}
