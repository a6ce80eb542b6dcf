//! Loads or trains the model of a request.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{
    DEFAULT_MODEL, Duet, DuetError, DuetModel, DuetModelSettings, DuetRecordings, LabelledMovement,
    Labelling, RecordedStretch, label, train,
};
use crate::corpus::{AnnotationContent, Corpus, UNUSABLE_TAG};
use crate::motion::{Place, Report, Skeleton, Tag};
use crate::{Context, Error, codes};

/// A model with its recordings, ready to generate motion.
#[derive(Debug)]
pub struct PreparedDuet {
    /// The engine.
    pub duet: Duet,
    /// Names of the groups of each person: the most frequent tag of their frames, or else `movement` and a number.
    pub group_names: [Vec<String>; 2],
    /// Whether the labels came from the corpus; false if they were searched for.
    pub was_labelled: bool,
    /// Whether the labels in the corpus differ from those that the model was trained on.
    pub labels_changed: bool,
    /// The bodies of both people.
    pub skeletons: [Arc<Skeleton>; 2],
    /// Takes that were left out of the recordings.
    pub report: Report,
}

/// Loads the stored `model`, or trains one on the takes `train_on` if there are any. If the corpus has no default model, which is so
/// for motion files, trains one on all takes of two people. Kept in the cache of the context.
pub fn prepare(model: &str, train_on: &[String], context: &Context<'_>) -> Result<Arc<PreparedDuet>, Error> {
    context.cached(("duet", model, train_on, context.bodies()), || {
        if !train_on.is_empty() {
            return train_now(train_on, context);
        }
        match load(model, context) {
            Err(error) if error.code.id == codes::NO_MODEL.id && model == DEFAULT_MODEL => {
                let mut prepared = train_now(&[], context)?;
                prepared.report.warn(&codes::TRAINED_NOW, Place::default(), format!("no model {model:?}"));
                Ok(prepared)
            }
            loaded => loaded,
        }
    })
}

fn load(model: &str, context: &Context<'_>) -> Result<PreparedDuet, Error> {
    let corpus = context.corpus()?;
    let stored = train::StoredModel::load(&corpus, model)?;
    let mut recordings = DuetRecordings::read(&corpus, &stored.takes, context)?;
    let labels = recordings.labels(&corpus)?;
    let is_same = |labels: &Labelling| {
        labels.people.iter().zip(&stored.model.labels.people).all(|(now, then)| {
            let (now, then) = (&now.all, &then.all);
            // The structure of a movement depends on the body, its frames and group do not.
            let of = |movement: &LabelledMovement| (movement.pair, movement.frames.clone(), movement.group);
            now.iter().map(of).eq(then.iter().map(of))
        })
    };
    let labels_changed = !labels.as_ref().is_some_and(is_same);
    let group_names = group_names(&corpus, &recordings, &stored.model)?;
    drop(corpus);
    PreparedDuet::new(&recordings, stored.model, group_names, true, labels_changed)
}

fn train_now(takes: &[String], context: &Context<'_>) -> Result<PreparedDuet, Error> {
    let (recordings, stored_labels) = {
        let corpus = context.corpus()?;
        let mut recordings = DuetRecordings::read(&corpus, takes, context)?;
        let labels = recordings.labels(&corpus)?;
        (recordings, labels)
    };
    let was_labelled = stored_labels.is_some();
    let labels = match stored_labels {
        Some(labels) => labels,
        None => label::search(&recordings, &label::quick_request(takes), context)?,
    };
    let model = DuetModel::train(&recordings.pairs, &labels, &DuetModelSettings::default())?;
    let corpus = context.corpus()?;
    let group_names = group_names(&corpus, &recordings, &model)?;
    drop(corpus);
    PreparedDuet::new(&recordings, model, group_names, was_labelled, false)
}

impl PreparedDuet {
    fn new(
        recordings: &DuetRecordings,
        model: DuetModel,
        group_names: [Vec<String>; 2],
        was_labelled: bool,
        labels_changed: bool,
    ) -> Result<Self, Error> {
        let duet = Duet::new(&recordings.pairs, model)?;
        let none = || DuetError::People { found: 0 };
        let pair = recordings.pairs.first().ok_or_else(none)?;
        let skeletons = pair.people.each_ref().map(|person| person.clip.skeleton().clone());
        let report = recordings.report.clone();
        Ok(Self { duet, group_names, was_labelled, labels_changed, skeletons, report })
    }
}

/// Names the groups of both people by the tag that most of their frames have.
fn group_names(
    corpus: &Corpus,
    recordings: &DuetRecordings,
    model: &DuetModel,
) -> Result<[Vec<String>; 2], Error> {
    let mut tags: Vec<Vec<Tag>> = Vec::new();
    for RecordedStretch { take, frames } in &recordings.stretches {
        let annotations = corpus.annotations(corpus.find(take)?)?.into_iter();
        let tag = annotations.filter_map(|annotation| match annotation.what {
            AnnotationContent::Tag(tag) if tag.name != UNUSABLE_TAG => {
                let number = |frame: usize| frame.clamp(frames.start, frames.end) - frames.start;
                Some(Tag { start: number(tag.start), end: number(tag.end), ..tag })
            }
            _ => None,
        });
        tags.push(tag.collect());
    }
    let [first, second] = &model.people;
    let [first_labels, second_labels] = &model.labels.people;
    Ok([(first, first_labels), (second, second_labels)].map(|(person, labels)| {
        let prefix = format!("{} ", person.name);
        let name = |group: usize| {
            let mut frames: BTreeMap<&str, usize> = BTreeMap::new();
            for movement in labels.all.iter().filter(|movement| movement.group == group) {
                for tag in tags.get(movement.pair).into_iter().flatten() {
                    let (start, end) =
                        (movement.frames.start.max(tag.start), movement.frames.end.min(tag.end));
                    // A tag can describe both people: "red guard, blue punch".
                    let part = tag.name.split(", ").find_map(|part| part.strip_prefix(&prefix));
                    *frames.entry(part.unwrap_or(&tag.name)).or_default() += end.saturating_sub(start);
                }
            }
            let longest =
                frames.into_iter().filter(|(_, frames)| *frames > 0).max_by_key(|(_, frames)| *frames);
            longest.map_or_else(|| DuetRecordings::group_name(group), |(name, _)| name.to_owned())
        };
        (0..person.states.len()).map(name).collect()
    }))
}
