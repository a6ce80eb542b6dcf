//! The examples of `traverse`: takes of a corpus, segmented into hops or strides.

use std::sync::Arc;

use super::{ACTOR, PrimitiveDatabase, TraverseExample, TraverseRequest, TraverseSettings};
use crate::corpus::{AnnotationContent, Corpus, TakeInfo, UNUSABLE_TAG};
use crate::example_bodies::{BodyTally, is_other_body, report_retargeted};
use crate::example_selection::{longest_group, readable, report_left_out, within_budget};
use crate::motion::{Observer, Place, Report, Skeleton};
use crate::plan::SourceRef;
use crate::sources::{self, SourceSettings};
use crate::{Context, Error, codes};

/// The database of a request.
#[derive(Debug)]
pub(super) struct ExampleDatabase {
    pub(super) database: PrimitiveDatabase,
    /// The body of the examples, if the skeleton of some takes is another.
    pub(super) body: Option<Arc<Skeleton>>,
    /// Takes that were left out or retargeted.
    pub(super) report: Report,
}

/// Reads and segments the examples of a request.
pub(super) fn database(
    request: &TraverseRequest,
    context: &Context<'_>,
) -> Result<Arc<ExampleDatabase>, Error> {
    let asked = context.bodies().of(ACTOR);
    let most = context.budget().examples;
    let key = ("traverse", &request.takes, request.lookahead, &request.settings, asked, most);
    context.cached(key, || {
        let mut report = Report::default();
        let OneBody { examples, body } =
            examples(&*context.corpus()?, &request.takes, asked, context, &mut report)?;
        let database = segmented(request, examples)?;
        let message = "hops or strides of the examples";
        report.warn_many(&codes::UNUSABLE_SEGMENT, Place::default(), database.unusable_count(), message);
        report_unused(&database, &mut report);
        Ok(ExampleDatabase { database, body, report })
    })
}

/// Reports the steps that are no strides, with their reasons.
fn report_unused(database: &PrimitiveDatabase, report: &mut Report) {
    let reasons: Vec<String> =
        database.unused_strides().map(|(reason, count)| format!("{count} {reason}")).collect();
    let count = database.unused_strides().map(|(_, count)| count).sum();
    let strides = database.primitives().len();
    let message = format!("steps of the examples beside {strides} strides: {}", reasons.join(", "));
    report.warn_many(&codes::UNUSED_STRIDE, Place::default(), count, message);
}

/// The database of some examples, with the settings of a request.
pub(super) fn segmented(
    request: &TraverseRequest,
    examples: Vec<TraverseExample>,
) -> Result<PrimitiveDatabase, Error> {
    let settings = examples.first().map(|example| request.settings_for(example.clip.skeleton()));
    Ok(PrimitiveDatabase::new(examples, &settings.transpose()?.unwrap_or_default())?)
}

/// The database of a plan: the same takes, settings and body as those of the request that it answered.
pub(super) fn database_of(
    takes: &[String],
    settings: &TraverseSettings,
    body: Option<&Arc<Skeleton>>,
    context: &Context<'_>,
) -> Result<Arc<PrimitiveDatabase>, Error> {
    context.cached(("traverse plan", takes, settings, body), || {
        let corpus = context.corpus()?;
        let examples = examples(&corpus, takes, body, context, &mut Report::default())?.examples;
        Ok(PrimitiveDatabase::new(examples, settings)?)
    })
}

/// Examples of one body.
struct OneBody {
    examples: Vec<TraverseExample>,
    /// The body, if the skeleton of some takes is another.
    body: Option<Arc<Skeleton>>,
}

/// The first actor of each named take, or of every take if none is named. All have one frame rate: others are left out and
/// reported. All are put on one body: the one that is `asked` for, or else the one that lasts longest.
fn examples(
    corpus: &Corpus,
    takes: &[String],
    asked: Option<&Arc<Skeleton>>,
    context: &Context<'_>,
    report: &mut Report,
) -> Result<OneBody, Error> {
    let infos = corpus.select(takes)?;
    let (kept, left_out) =
        longest_group(infos, TakeInfo::duration_secs, |one, other| one.rate_hz == other.rate_hz);
    report_left_out(left_out.iter().map(|info| info.name.as_str()), kept.len(), report);
    let kept = within_budget(kept, |info| info.frames, context.budget(), report);
    let mut tally = BodyTally::default();
    let mut bodies = Vec::new();
    for info in &kept {
        // A skeleton that cannot be read is reported with its take.
        let skeleton = corpus.skeleton(info.id, 0);
        if let Ok(skeleton) = &skeleton {
            tally.add(skeleton, info.duration_secs());
        }
        bodies.push(skeleton.ok());
    }
    let body = asked.or(tally.longest());
    let read = kept.iter().zip(&bodies).filter_map(|(info, own)| {
        let example = example(corpus, info, body, context.observer()).transpose()?;
        Some((info.name.clone(), example.map(|example| (example, own.as_ref()))))
    });
    let examples = readable(read, context, report)?;
    let retargeted = examples.iter().filter(|(_, own)| is_other_body(*own, body)).count();
    report_retargeted(retargeted, examples.len(), report);
    let body = body.filter(|_| examples.iter().any(|(_, own)| *own != body)).cloned();
    Ok(OneBody { examples: examples.into_iter().map(|(example, _)| example).collect(), body })
}

fn example(
    corpus: &Corpus,
    info: &TakeInfo,
    body: Option<&Arc<Skeleton>>,
    observer: Observer<'_>,
) -> Result<Option<TraverseExample>, Error> {
    let on_first = |actor: usize| body.filter(|_| actor == 0);
    let settings = SourceSettings::uneven_ground();
    let actors = sources::examples_on(corpus, &info.name, &settings, on_first, observer)?;
    let Some(actor) = actors.into_iter().next() else { return Ok(None) };
    let tags = corpus.annotations(info.id)?.into_iter().filter_map(|annotation| match annotation.what {
        AnnotationContent::Tag(tag) if tag.name != UNUSABLE_TAG => Some(tag),
        _ => None,
    });
    Ok(Some(TraverseExample {
        source: SourceRef { take: info.name.clone(), actor: 0 },
        clip: actor.clip,
        contacts: actor.contacts,
        tags: tags.collect(),
        unusable: corpus.unusable(info.id)?,
    }))
}
