//! Rating studies: the clips, the corpus that stores them with the answers, and the analysis of [`marey_study`].
//!
//! [`new`] makes a study of a definition, [`own`] one of Marey itself. [`read`] reads its answers, and
//! [`AnsweredStudy::results`] analyses them.

mod baselines;
mod clips;
mod neutral;
mod own;

use std::path::{Path, PathBuf};

pub use marey_study::*;
use serde::{Deserialize, Serialize};

pub use own::{OwnStudyRequest, own};

use crate::convert::check_free;
use crate::corpus::{Corpus, Provenance, StoredClip};
use crate::formats::file::write_file;
use crate::motion::{Report, Take};
use crate::{Context, Error, inputs};
use clips::StudyMaterial;

/// A request to make a study.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NewStudyRequest {
    /// The definition, a TOML file.
    pub definition: PathBuf,
    /// The corpus to write, ending in .marey.
    pub output: PathBuf,
    /// Whether an existing output is replaced.
    pub force: bool,
}

/// A study that was made.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NewStudy {
    /// The corpus.
    pub output: PathBuf,
    /// The number of clips of each condition.
    pub clips: Vec<(String, usize)>,
    /// The number of trials that each rater answers.
    pub trials: usize,
    /// Warnings.
    #[serde(skip)]
    pub report: Report,
}

/// Makes a study of its definition: checks it, reads or makes the clips, and writes a corpus with both. An existing corpus is kept
/// unless the request says otherwise.
pub fn new(request: &NewStudyRequest, context: &Context<'_>) -> Result<NewStudy, Error> {
    let path = &request.definition;
    let text = inputs::text(path)?;
    let definition = StudyDefinition::parse(&text).map_err(|error| Error::from(error).in_file(path))?;
    if !request.force {
        check_free(&request.output)?;
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let corpus = definition.corpus.as_ref().map(|corpus| Context::open(folder.join(corpus))).transpose()?;
    let context = match corpus {
        Some(corpus) => corpus.observed_by(context.observer()).with_budget(*context.budget()),
        None => context.clone(),
    };
    let mut material = StudyMaterial::new(&definition, folder, &context)?;
    for (index, condition) in definition.conditions.iter().enumerate() {
        let place = place_of(&text, "[[condition]]", index);
        let added = match &condition.make {
            Some(recipe) => material.make(index, recipe),
            None => material.read(index, &condition.clips),
        };
        added.map_err(|error| match error.file {
            None => error.at(place).in_file(path),
            Some(_) => error,
        })?;
    }
    store(&definition, &text, material, &request.output, request.force)
}

/// Writes the corpus of a study.
fn store(
    definition: &StudyDefinition,
    text: &str,
    material: StudyMaterial<'_>,
    output: &Path,
    force: bool,
) -> Result<NewStudy, Error> {
    let names: Vec<StudyClip> = material.clips.iter().map(|(clip, _)| clip.clone()).collect();
    let trials = definition.trials(&names).len();
    let in_condition = |index: usize| names.iter().filter(|clip| clip.condition == index).count();
    let clips: Vec<(String, usize)> = definition
        .conditions
        .iter()
        .enumerate()
        .map(|(index, condition)| (condition.name.clone(), in_condition(index)))
        .collect();
    if let Some((name, _)) = clips.iter().find(|(_, count)| *count == 0) {
        return Err(Error::new(&crate::codes::STUDY_CLIPS, format!("the condition {name:?} has no clips")));
    }
    // The corpus is made beside its place, so that an existing one stays until the new one is complete.
    let draft = output.with_extension("marey-draft");
    let _ = std::fs::remove_file(&draft);
    let written = write_draft(&draft, text, &material.clips).and_then(|()| {
        let bytes = std::fs::read(&draft);
        let bytes = bytes.map_err(|error| crate::formats::FormatsError::file(&draft, error))?;
        Ok(write_file(output, &bytes, force)?)
    });
    let _ = std::fs::remove_file(&draft);
    written.map_err(|error| error.in_file(output))?;
    Ok(NewStudy { output: output.to_owned(), clips, trials, report: material.report })
}

fn write_draft(path: &Path, text: &str, clips: &[(StudyClip, Take)]) -> Result<(), Error> {
    let mut corpus = Corpus::create_draft(path)?;
    let mut stored = Vec::new();
    for (clip, take) in clips {
        let take = corpus.add(take, &Provenance::default())?.id();
        let StudyClip { condition, sequence, name } = clip.clone();
        stored.push(StoredClip { take, condition, sequence, name });
    }
    corpus.put_study(text, &stored)?;
    Ok(corpus.settle()?)
}

/// Reads a study with its answers.
pub fn read(corpus: &Corpus) -> Result<AnsweredStudy, Error> {
    let stored = corpus.study()?;
    let clip = |clip: StoredClip| {
        let StoredClip { condition, sequence, name, .. } = clip;
        StudyClip { condition, sequence, name }
    };
    let answers = corpus.study_answers(None)?.into_iter().map(|answer| {
        let crate::corpus::StoredAnswer { rater, trial, values, secs } = answer;
        StudyAnswer { rater, trial, values, secs }
    });
    let raters = stored.raters.iter().map(|rater| StudyRater { number: rater.number, class: rater.class });
    Ok(AnsweredStudy {
        definition: StudyDefinition::parse(&stored.definition)?,
        clips: stored.clips.into_iter().map(clip).collect(),
        raters: raters.collect(),
        answers: answers.collect(),
    })
}
