//! The examples of `traverse`: takes of a corpus, segmented into hops or strides.

use std::sync::Arc;

use super::{PrimitiveDatabase, TraverseExample, TraverseRequest, TraverseSettings};
use crate::corpus::{AnnotationContent, Corpus, TakeInfo};
use crate::example_selection::{longest_group, readable, report_left_out};
use crate::motion::Report;
use crate::plan::SourceRef;
use crate::sources::{self, SourceSettings};
use crate::{Context, Error};

/// The database of a request, and a report of the takes that it leaves out.
pub(super) fn database(
    request: &TraverseRequest,
    context: &Context<'_>,
) -> Result<Arc<(PrimitiveDatabase, Report)>, Error> {
    let key = ("traverse", &request.takes, request.lookahead, request.settings);
    context.cached(key, || {
        let mut report = Report::default();
        let examples = examples(&*context.corpus()?, &request.takes, &mut report)?;
        Ok((segmented(request, examples)?, report))
    })
}

/// The database of some examples, with the settings of a request.
pub(super) fn segmented(
    request: &TraverseRequest,
    examples: Vec<TraverseExample>,
) -> Result<PrimitiveDatabase, Error> {
    let settings = examples.first().map(|example| request.settings_for(example.clip.skeleton()));
    Ok(PrimitiveDatabase::new(examples, &settings.unwrap_or_default())?)
}

/// The database of a plan: the same takes and settings as those of the request that it answered.
pub(super) fn database_of(
    takes: &[String],
    settings: &TraverseSettings,
    context: &Context<'_>,
) -> Result<Arc<PrimitiveDatabase>, Error> {
    context.cached(("traverse plan", takes, settings), || {
        let examples = examples(&*context.corpus()?, takes, &mut Report::default())?;
        Ok(PrimitiveDatabase::new(examples, settings)?)
    })
}

/// The first actor of each named take, or of every take if none is named. All have one body and one frame rate: others are left out
/// and reported.
fn examples(corpus: &Corpus, takes: &[String], report: &mut Report) -> Result<Vec<TraverseExample>, Error> {
    let infos = corpus.select(takes)?;
    let read = infos.iter().filter_map(|info| Some((info.name.clone(), example(corpus, info).transpose()?)));
    let examples = readable(read, report)?;
    let (kept, left_out) = longest_group(
        examples,
        |example| example.clip.duration_secs(),
        |one, other| {
            one.clip.skeleton() == other.clip.skeleton() && one.clip.rate_hz() == other.clip.rate_hz()
        },
    );
    report_left_out(left_out.iter().map(|example| example.source.take.as_str()), kept.len(), report);
    Ok(kept)
}

fn example(corpus: &Corpus, info: &TakeInfo) -> Result<Option<TraverseExample>, Error> {
    let actors =
        sources::examples_with(corpus, &format!("#{}", info.id.0), &SourceSettings::uneven_ground())?;
    let Some(actor) = actors.into_iter().next() else { return Ok(None) };
    let tags = corpus.annotations(info.id)?.into_iter().filter_map(|annotation| match annotation.what {
        AnnotationContent::Tag(tag) => Some(tag),
        _ => None,
    });
    Ok(Some(TraverseExample {
        source: SourceRef { take: info.name.clone(), actor: 0 },
        clip: actor.clip,
        contacts: actor.contacts,
        tags: tags.collect(),
    }))
}
