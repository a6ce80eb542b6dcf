//! The clips of a study: files that are read, and clips that verbs and baselines make of them.

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use super::neutral::NeutralForm;
use super::{ClipRecipe, StudyClip, StudyDefinition, baselines};
use crate::follow::{self, ControlInput, FollowRequest};
use crate::formats::ReadOptions;
use crate::motion::{Place, Report, Take};
use crate::plan::Seed;
use crate::tween::{self, PoseSelector, TweenRequest};
use crate::vary::{self, VaryRequest, read_dance};
use crate::wander::{self, WanderRequest};
use crate::{Context, Error, codes, inputs};

/// Points per second of a path that `follow` gets.
const PATH_HZ: f64 = 10.0;
/// What makes clips.
const VERBS: &str = "follow, tween, vary, wander, slerp or cut-and-paste";

/// A clip before it is made alike.
struct SourceTake {
    take: Take,
    /// The take of the corpus that it is of, which no engine may use to make it again.
    of: Option<String>,
}

/// The clips of a study while it is made.
pub(super) struct StudyMaterial<'a> {
    /// The clips as raters see them.
    pub(super) clips: Vec<(StudyClip, Take)>,
    pub(super) report: Report,
    definition: StudyDefinition,
    folder: PathBuf,
    context: Context<'a>,
    neutral: NeutralForm,
    /// The takes of each condition.
    takes: Vec<Vec<SourceTake>>,
}

impl<'a> StudyMaterial<'a> {
    pub(super) fn new(
        definition: &StudyDefinition,
        folder: &Path,
        context: &Context<'a>,
    ) -> Result<Self, Error> {
        Ok(Self {
            clips: Vec::new(),
            report: Report::default(),
            definition: definition.clone(),
            folder: folder.to_owned(),
            context: context.clone(),
            neutral: NeutralForm::new(definition, folder)?,
            takes: definition.conditions.iter().map(|_| Vec::new()).collect(),
        })
    }

    /// Reads the clips of a condition.
    pub(super) fn read(&mut self, condition: usize, files: &[PathBuf]) -> Result<(), Error> {
        let files: Vec<PathBuf> = files.iter().map(|file| self.folder.join(file)).collect();
        let files = inputs::gather(&files)?.files;
        for (number, input) in files.iter().enumerate() {
            self.context.report("reading clips", number, files.len())?;
            if let Some(error) = &input.refused {
                return Err(error.clone());
            }
            let (recording, report) = read_dance(&input.path, &ReadOptions::default())?;
            self.report.absorb(report);
            let stem = input.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            self.add(condition, recording.take, None, Some(&stem))?;
        }
        Ok(())
    }

    /// Adds a clip to a condition.
    pub(super) fn add(
        &mut self,
        condition: usize,
        take: Take,
        of: Option<String>,
        name: Option<&str>,
    ) -> Result<(), Error> {
        let sequence = self.takes.get(condition).map_or(0, Vec::len);
        let of_condition = self.definition.conditions.get(condition).map_or("", |condition| &condition.name);
        let name = match name {
            Some(name) => format!("{of_condition} {} {name}", sequence + 1),
            None => format!("{of_condition} {}", sequence + 1),
        };
        let name: String = name.chars().filter(|c| !c.is_control() && *c != ':').take(120).collect();
        let neutral = self.neutral.apply(&take, name.trim_start_matches('#'), self.context.observer())?;
        self.clips.push((StudyClip { condition, sequence, name }, neutral));
        if let Some(takes) = self.takes.get_mut(condition) {
            takes.push(SourceTake { take, of });
        }
        Ok(())
    }

    /// Makes the clips of a condition.
    pub(super) fn make(&mut self, condition: usize, recipe: &ClipRecipe) -> Result<(), Error> {
        let refused = |message: String| Error::new(&codes::STUDY_MAKE, message);
        let of =
            recipe.of.as_ref().ok_or_else(|| refused("make names no condition: of = \"NAME\"".into()))?;
        let source = self.definition.conditions.iter().position(|condition| condition.name == *of);
        let source = source.ok_or_else(|| refused(format!("there is no condition {of:?}")))?;
        let count = self.takes.get(source).map_or(0, Vec::len);
        for sequence in 0..count {
            self.context.report("making clips", sequence, count)?;
            let made = self.make_one(recipe, source, sequence)?;
            let Some(SourceTake { take, of }) = self.takes.get(source).and_then(|takes| takes.get(sequence))
            else {
                continue;
            };
            if made.actors().iter().map(|actor| &actor.clip).eq(take.actors().iter().map(|actor| &actor.clip))
            {
                let message = format!("{} left clip {} of {of:?} as it was", recipe.verb, sequence + 1);
                self.report.warn(&codes::STUDY_UNCHANGED, Place::default(), message);
            }
            let of = of.clone();
            self.add(condition, made, of, None)?;
        }
        Ok(())
    }

    /// Makes one clip of the clip of another condition.
    fn make_one(&mut self, recipe: &ClipRecipe, source: usize, sequence: usize) -> Result<Take, Error> {
        let takes = self.takes.get(source).map(Vec::as_slice).unwrap_or_default();
        let Some(SourceTake { take, of }) = takes.get(sequence) else {
            return Err(Error::new(&codes::STUDY_MAKE, "the clip does not exist"));
        };
        let seed = self.definition.seed.wrapping_add(sequence as u64);
        // What an engine learns from does not contain what it makes again.
        let others = || {
            let others = takes.iter().enumerate().filter(|(number, _)| *number != sequence);
            others.map(|(_, other)| other.take.clone()).collect::<Vec<Take>>()
        };
        let (training, only) = match (self.context.has_corpus(), of) {
            (false, _) => (others(), Vec::new()),
            (true, of) => {
                let all = self.context.corpus()?.takes()?;
                let names = all.into_iter().map(|info| info.name).filter(|name| Some(name) != of.as_ref());
                (Vec::new(), names.collect())
            }
        };
        let body = take.first().skeleton().clone();
        let context = self.context.clone().with_body(body);
        let (made, report) = match recipe.verb.as_str() {
            "slerp" => (baselines::slerp(take)?, Report::default()),
            "cut-and-paste" => (baselines::cut_and_paste(take, Seed(seed))?, Report::default()),
            "vary" => {
                let request: VaryRequest = request(recipe)?;
                let request = VaryRequest { motion: vec![take.clone().into()], seed, ..request };
                let outcome = vary::run(&request, &context)?;
                (outcome.take, outcome.report)
            }
            "tween" => {
                let gap = baselines::gap(take);
                let request = TweenRequest {
                    poses: vec![PoseSelector::Frame(take.clone(), None)],
                    gaps: vec![(gap.start, gap.end)],
                    training,
                    only,
                    ..request::<TweenRequest>(recipe)?
                };
                let outcome = tween::run(&request, &context)?;
                (outcome.take, outcome.report)
            }
            "wander" => {
                let secs = take.frames() as f64 / take.rate_hz();
                let request = WanderRequest {
                    from: Some(PoseSelector::Frame(take.clone(), Some(0))),
                    training,
                    only,
                    secs,
                    seed,
                    ..request(recipe)?
                };
                let outcome = wander::run(&request, &context)?;
                (outcome.take, outcome.report)
            }
            "follow" => {
                let step = (take.rate_hz() / PATH_HZ).round().max(1.0);
                let track = take.first().ground_track().frames;
                let points = track.iter().step_by(step as usize).map(|ground| [ground.x, ground.z]);
                let input =
                    ControlInput::Path { points: points.collect(), rate_hz: Some(take.rate_hz() / step) };
                let request: FollowRequest = request(recipe)?;
                let without = request.without.iter().chain(of).cloned().collect();
                let request = FollowRequest { input, without, ..request };
                let outcome = follow::run(&request, &context)?;
                (outcome.take, outcome.report)
            }
            other => {
                return Err(Error::new(
                    &codes::STUDY_MAKE,
                    format!("nothing is called {other:?}; use {VERBS}"),
                ));
            }
        };
        self.report.absorb(report);
        Ok(made)
    }
}

/// The request of a verb with the settings of a recipe.
fn request<T: DeserializeOwned>(recipe: &ClipRecipe) -> Result<T, Error> {
    let json = serde_json::to_value(&recipe.settings);
    json.and_then(serde_json::from_value)
        .map_err(|error| Error::new(&codes::STUDY_MAKE, format!("settings of {}: {error}", recipe.verb)))
}
