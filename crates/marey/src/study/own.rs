//! A study of Marey itself: captured motion beside what each engine and each baseline makes of it.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::clips::StudyMaterial;
use super::{ClipRecipe, NewStudy, RatingScale, StudyCondition, StudyDefinition, StudyDesign, store};
use crate::convert::check_free;
use crate::corpus::{Corpus, TakeInfo};
use crate::examples::walk::{WalkSettings, walk};
use crate::examples::{CorpusExample, ExampleCut};
use crate::motion::Take;
use crate::{Context, Error, codes};

/// The engines and baselines that are compared. `slerp` fills the gap that `tween` fills.
const COMPARED: [&str; 6] = ["follow", "tween", "slerp", "vary", "cut-and-paste", "wander"];

/// A request for a study of Marey itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OwnStudyRequest {
    /// The corpus to write, ending in .marey.
    pub output: PathBuf,
    /// What raters are asked; default ratings, on the scales of the paper.
    pub design: StudyDesign,
    /// Number of clips of each condition; default 10; 2 to 50.
    pub clips: usize,
    /// Length of a clip in seconds; default 6; 3 to 60.
    pub secs: f64,
    /// Random seed; default 1.
    pub seed: u64,
    /// Whether an existing output is replaced.
    pub force: bool,
}

impl Default for OwnStudyRequest {
    fn default() -> Self {
        Self {
            output: PathBuf::new(),
            design: StudyDesign::Ratings,
            clips: 10,
            secs: 6.0,
            seed: 1,
            force: false,
        }
    }
}

impl OwnStudyRequest {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<(), Error> {
        if !(2..=50).contains(&self.clips) {
            return Err(Error::settings(format!("{} clips; from 2 to 50 are possible", self.clips)));
        }
        if !(3.0..=60.0).contains(&self.secs) {
            return Err(Error::settings(format!("clips of {} s; from 3 to 60 are possible", self.secs)));
        }
        Ok(())
    }

    fn definition(&self) -> StudyDefinition {
        let scale = |name: &str, question: &str, low: &str, high: &str| RatingScale {
            name: name.into(),
            question: question.into(),
            low: low.into(),
            high: high.into(),
            points: 5,
        };
        let scales = vec![
            scale("awkwardness", "How awkward or natural is it?", "awkward", "natural"),
            scale("plausibility", "Is it physically possible?", "impossible", "possible"),
            scale("appeal", "Is it pleasing?", "unpleasing", "pleasing"),
        ];
        let captured = StudyCondition {
            name: "captured".into(),
            recorded: true,
            clips: vec!["captured".into()],
            make: None,
        };
        let made = COMPARED.map(|verb| StudyCondition {
            name: verb.into(),
            recorded: false,
            clips: vec![],
            make: Some(ClipRecipe {
                verb: verb.into(),
                of: Some("captured".into()),
                settings: Default::default(),
            }),
        });
        StudyDefinition {
            title: "Captured or made?".into(),
            welcome:
                "You will see short movements. Answer by your first impression. There are no right answers."
                    .into(),
            design: self.design,
            question: None,
            order: Default::default(),
            seed: self.seed,
            transform: Default::default(),
            secs: self.secs,
            rate_hz: 60.0,
            one_body: true,
            character: None,
            corpus: None,
            scales: if self.design == StudyDesign::Ratings { scales } else { vec![] },
            classes: vec![],
            conditions: std::iter::once(captured).chain(made).collect(),
        }
    }
}

/// Makes a study of Marey itself from the takes of the context's corpus, or from generated walks if it has none.
pub fn own(request: &OwnStudyRequest, context: &Context<'_>) -> Result<NewStudy, Error> {
    request.validate()?;
    if !request.force {
        check_free(&request.output)?;
    }
    if context.has_corpus() {
        return from_corpus(request, context);
    }
    let examples = request.output.with_extension("marey-examples");
    let _ = std::fs::remove_file(&examples);
    let study = fill_with_walks(&examples).and_then(|()| {
        let examples = Context::open(&examples)?;
        from_corpus(request, &examples.observed_by(context.observer()).with_budget(*context.budget()))
    });
    let _ = std::fs::remove_file(&examples);
    study
}

/// A corpus of generated walks.
fn fill_with_walks(path: &Path) -> Result<(), Error> {
    let mut corpus = Corpus::create(path)?;
    for seed in 1..=4 {
        let example = walk(&WalkSettings { seed, duration_secs: 30.0, ..WalkSettings::default() })?;
        CorpusExample::new(&format!("walk {seed}"), example, ExampleCut::Steps)?.add_to(&mut corpus)?;
    }
    Ok(())
}

fn from_corpus(request: &OwnStudyRequest, context: &Context<'_>) -> Result<NewStudy, Error> {
    let definition = request.definition();
    let mut material = StudyMaterial::new(&definition, Path::new(""), context)?;
    for (take, name) in captured(request, context)? {
        material.add(0, take, Some(name), None)?;
    }
    let recipes = definition.conditions.iter().enumerate().skip(1);
    for (index, recipe) in recipes.filter_map(|(index, condition)| Some((index, condition.make.as_ref()?))) {
        material.make(index, recipe)?;
    }
    let text = toml::to_string(&definition).map_err(Error::settings)?;
    store(&definition, &text, material, &request.output, request.force)
}

/// Parts of takes of one person, evenly spread over the corpus, with the names of their takes.
fn captured(request: &OwnStudyRequest, context: &Context<'_>) -> Result<Vec<(Take, String)>, Error> {
    let corpus = context.corpus()?;
    let frames = |info: &TakeInfo| (request.secs * info.rate_hz).round() as usize;
    let is_usable = |info: &TakeInfo| info.actors.len() == 1 && info.frames >= frames(info);
    let takes: Vec<TakeInfo> = corpus.takes()?.into_iter().filter(is_usable).collect();
    // Each take is divided evenly; all first parts come before all second ones.
    let mut parts: Vec<(usize, usize)> = takes
        .iter()
        .enumerate()
        .flat_map(|(take, info)| (0..info.frames / frames(info).max(1)).map(move |part| (part, take)))
        .collect();
    parts.sort_unstable();
    if parts.len() < 2 || takes.len() < 2 {
        let message = format!(
            "{} takes of one person have {} s or more; at least 2 are needed",
            takes.len(),
            request.secs
        );
        return Err(Error::new(&codes::STUDY_CLIPS, message));
    }
    let count = request.clips.min(parts.len());
    let first_parts = takes.len();
    let chosen: Vec<(usize, usize)> = if first_parts >= count {
        (0..count).filter_map(|number| parts.get(number * first_parts / count).copied()).collect()
    } else {
        parts.into_iter().take(count).collect()
    };
    let mut clips = Vec::new();
    for (part, take) in chosen {
        let Some(info) = takes.get(take) else { continue };
        let start = part * frames(info);
        let clip = corpus.take_range(info.id, start..start + frames(info))?;
        clips.push((clip, info.name.clone()));
    }
    Ok(clips)
}
