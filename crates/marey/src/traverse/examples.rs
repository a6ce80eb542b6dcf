//! The examples of `traverse`: takes of a corpus, segmented into hops or strides.

use std::sync::Arc;

use super::{PrimitiveDatabase, TraverseExample, TraverseRequest, TraverseSettings};
use crate::corpus::{AnnotationContent, Corpus, TakeInfo};
use crate::plan::SourceRef;
use crate::sources::{self, SourceSettings};
use crate::{Context, Error};

/// The database of a request.
pub(super) fn database(
    request: &TraverseRequest,
    context: &Context<'_>,
) -> Result<Arc<PrimitiveDatabase>, Error> {
    let key = ("traverse", &request.takes, request.lookahead, request.settings);
    context.cached(key, || {
        let examples = examples(&*context.corpus()?, &request.takes)?;
        segmented(request, examples)
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
        Ok(PrimitiveDatabase::new(examples(&*context.corpus()?, takes)?, settings)?)
    })
}

/// The first actor of each named take, or of every take if none is named.
fn examples(corpus: &Corpus, takes: &[String]) -> Result<Vec<TraverseExample>, Error> {
    let infos = if takes.is_empty() {
        corpus.takes()?
    } else {
        takes.iter().map(|name| corpus.info(corpus.find(name)?)).collect::<Result<Vec<TakeInfo>, _>>()?
    };
    infos.iter().filter_map(|info| example(corpus, info).transpose()).collect()
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
