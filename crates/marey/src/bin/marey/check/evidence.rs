//! What clips are judged by, read once.

use std::path::Path;

use marey::codes;
use marey::examples::Truth;
use marey::formats::ReadOptions;
use marey::formats::file::read_file;
use marey::measure::card::{Evidence, Habits, Thresholds};
use marey::measure::hold::{Hold, HoldError, hold_error};
use marey::measure::variety::Coverage;
use marey::motion::{Clip, PointClip, Take, Terrain};
use marey::ops::contacts::Detected;
use marey::plan::Plan;

use super::CheckArgs;
use super::usual::Usual;
use crate::failure::Failure;
use crate::inputs;

/// Everything that was named to judge by.
#[derive(Debug, Default)]
pub(super) struct Witness {
    reference: Option<Take>,
    path: Option<PointClip>,
    habits: Option<Habits>,
    truth: Option<Truth>,
    terrain: Option<Terrain>,
    plan: Option<Plan>,
    /// The frames at which pieces are joined, actor by actor.
    joins: Vec<Vec<usize>>,
    coverage: Option<Coverage>,
}

impl Witness {
    pub(super) fn gather(args: &CheckArgs) -> Result<Self, Failure> {
        let corpus = args.against.as_deref().filter(|path| Usual::is_corpus(path));
        let reference = args.against.as_deref().filter(|_| corpus.is_none());
        let usual = Usual::gather(&args.examples, corpus)?;
        let plan = args.plan.as_deref().map(read_plan).transpose()?;
        Ok(Self {
            reference: reference.map(take).transpose()?,
            path: args.path.as_deref().map(path).transpose()?,
            truth: args.truth.as_deref().map(truth).transpose()?,
            terrain: args.terrain.as_deref().map(inputs::terrain).transpose()?,
            joins: plan.as_ref().map(joins).unwrap_or_default(),
            coverage: plan.as_ref().and_then(|plan| usual.as_ref()?.coverage(plan)),
            habits: usual.map(|usual| usual.habits),
            plan,
        })
    }

    /// What one actor of a take is judged by; `holds` is what [`Witness::holds_of`] says of it.
    pub(super) fn evidence<'a>(
        &'a self,
        actor: usize,
        clip: &Clip,
        found: &'a Detected,
        holds: Option<&'a HoldError>,
    ) -> Result<Evidence<'a>, Failure> {
        let told = self.truth.as_ref().map(|truth| truth.actors().get(actor).map(|actor| &actor.contacts));
        if let Some(truth) = self.truth.as_ref().filter(|truth| truth.frames() != clip.frames()) {
            let message = format!("{} frames, but the truth has {}", clip.frames(), truth.frames());
            return Err(Failure::new(&codes::OTHER_TRUTH, message));
        }
        if let Some(plan) = self.plan.as_ref().filter(|plan| plan.frames() != clip.frames()) {
            let message = format!("{} frames, but the plan has {}", clip.frames(), plan.frames());
            return Err(Failure::new(&codes::OTHER_PLAN, message));
        }
        let reference = self.reference.as_ref();
        Ok(Evidence {
            terrain: self.terrain.as_ref(),
            reference: reference
                .map(|take| take.actors().get(actor).map_or(take.first(), |actor| &actor.clip)),
            path: self.path.as_ref(),
            examples: self.habits.as_ref(),
            joins: self.joins.get(actor).map_or(&[], Vec::as_slice),
            holds,
            coverage: self.coverage.as_ref(),
            ..Evidence::of_feet(told.flatten().unwrap_or(&found.contacts), found.floor.height_m)
        })
    }

    /// How well an actor's hands keep the holds that the truth or the plan speaks of; `None` where they speak of none.
    pub(super) fn holds_of(&self, take: &Take, actor: usize) -> Result<Option<HoldError>, Failure> {
        let mut holds = self.plan.as_ref().map(holds_in).unwrap_or_default();
        holds.extend(self.truth.iter().flat_map(|truth| truth.holds()).map(|hold| Hold {
            one: (hold.one.actor, hold.one.role),
            other: (hold.other.actor, hold.other.role),
            frames: hold.frames.clone(),
            gap_m: hold.gap_m,
        }));
        holds_of(take, actor, &holds)
    }
}

/// How well the hands of an actor keep their holds; `None` where it has none.
pub(crate) fn holds_of(take: &Take, actor: usize, holds: &[Hold]) -> Result<Option<HoldError>, Failure> {
    let own = holds.iter().filter(|hold| hold.one.0 == actor || hold.other.0 == actor);
    let own: Vec<Hold> = own.cloned().collect();
    Ok(if own.is_empty() { None } else { Some(hold_error(take, &own)?) })
}

/// The meetings of a plan, as what is measured.
pub(crate) fn holds_in(plan: &Plan) -> Vec<Hold> {
    let hold = |meeting: &marey::plan::Meeting| Hold {
        one: (meeting.one.actor, meeting.one.role),
        other: (meeting.other.actor, meeting.other.role),
        frames: meeting.start..meeting.end,
        gap_m: meeting.gap_m,
    };
    plan.meetings.iter().map(hold).collect()
}

/// The frames at which pieces of a plan are joined, actor by actor.
pub(crate) fn joins(plan: &Plan) -> Vec<Vec<usize>> {
    let starts = |actor: &marey::plan::ActorPlan| actor.placements.iter().skip(1).map(|p| p.start).collect();
    plan.actors.iter().map(starts).collect()
}

/// The first take of a motion file.
pub(crate) fn take(path: &Path) -> Result<Take, Failure> {
    let first = read_file(path, &ReadOptions::default()).and_then(|import| import.into_first());
    Ok(first.map_err(|error| Failure::from(error).in_file(path))?.take)
}

fn path(file: &Path) -> Result<PointClip, Failure> {
    let import =
        read_file(file, &ReadOptions::default()).map_err(|error| Failure::from(error).in_file(file))?;
    match import.points() {
        Some(points) => Ok(points.clip.clone()),
        None => Err(Failure::new(&codes::NOT_A_PATH, "figures, where a path is wanted").in_file(file)),
    }
}

fn read_plan(path: &Path) -> Result<Plan, Failure> {
    Plan::from_json(&inputs::text(path)?).map_err(|error| Failure::from(error).in_file(path))
}

fn truth(path: &Path) -> Result<Truth, Failure> {
    let wrong = |error: serde_json::Error| Failure::new(&codes::NOT_A_TRUTH, error.to_string()).in_file(path);
    serde_json::from_str(&inputs::text(path)?).map_err(wrong)
}

/// Thresholds from a file.
pub(super) fn thresholds(path: &Path) -> Result<Thresholds, Failure> {
    settings(path)
}

/// Settings of any kind, from a TOML file.
pub(crate) fn settings<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, Failure> {
    let wrong =
        |error: toml::de::Error| Failure::usage(&codes::SETTINGS, error.message().to_owned()).in_file(path);
    toml::from_str(&inputs::text(path)?).map_err(wrong)
}
