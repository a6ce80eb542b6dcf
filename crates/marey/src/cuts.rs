//! Takes cut into segments: what `marey corpus segment` does.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use rayon::prelude::*;
use serde::Serialize;

use crate::Error;
use crate::context::report;
use crate::corpus::{
    Corpus, CutMethod, Cutting, FoundCuts, Maker, Redundancy, Said, Span, TakeId, TakeInfo, sheets,
};
#[cfg(feature = "follow")]
use crate::follow::{
    ControlKind, EXAMPLES_METHOD, ExampleChoice, FollowSettings, GrowSettings, PointSelection, grow_segments,
};
use crate::motion::{Observer, Take};

/// How takes are cut.
#[derive(Debug, Clone, PartialEq)]
pub enum By {
    /// By what is seen in the motion.
    Method(CutMethod),
    /// What is tagged; only by this name, where one is told.
    Tags(Option<String>),
    /// What a table says: its text, with columns take, start, end, and perhaps actor and name.
    Table(String),
    /// As other takes are cut: what is compared, and how far a piece may be from its example, in metres, root mean square.
    #[cfg(feature = "follow")]
    Examples {
        /// What is compared.
        control: ControlKind,
        /// How far a piece may be from its example.
        max_rms_m: f64,
    },
}

/// What became of a take.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Cuts {
    /// How many cuts were found.
    pub cuts: usize,
    /// How many segments the maker has now.
    pub segments: usize,
    /// How many of them are new.
    pub new: usize,
    /// How many are gone.
    pub removed: usize,
    /// Left out as redundant.
    pub redundant: usize,
}

/// What was done to each take.
pub type Results = Vec<(TakeInfo, Result<Cuts, Error>)>;

/// The takes that are meant by names or #numbers; all where none is named.
pub fn chosen(corpus: &Corpus, names: &[String]) -> Result<Vec<TakeInfo>, Error> {
    if names.is_empty() {
        return Ok(corpus.takes()?);
    }
    names.iter().map(|name| Ok(corpus.info(corpus.find(name)?)?)).collect()
}

/// Cuts takes, all where none is named. Segments within `redundant_m` metres of one that the same method put in before are left out.
pub fn segment(
    corpus: &mut Corpus,
    takes: &[String],
    by: &By,
    redundant_m: Option<f32>,
    observer: Observer<'_>,
) -> Result<Results, Error> {
    match by {
        By::Method(method) => by_method(corpus, takes, *method, redundant_m, observer),
        By::Tags(name) => by_tags(corpus, takes, name.as_deref(), redundant_m),
        By::Table(text) => by_table(corpus, text, redundant_m),
        #[cfg(feature = "follow")]
        By::Examples { control, max_rms_m } => by_examples(corpus, takes, control, *max_rms_m, redundant_m),
    }
}

/// Takes are read and written one after another; a few at a time are worked on together.
fn by_method(
    corpus: &mut Corpus,
    takes: &[String],
    method: CutMethod,
    redundant_m: Option<f32>,
    observer: Observer<'_>,
) -> Result<Results, Error> {
    let takes = chosen(corpus, takes)?;
    let mut sieve = Sieve::new(redundant_m, takes.iter().map(|info| info.id));
    let mut results = Vec::new();
    for some in takes.chunks(4 * rayon::current_num_threads()) {
        let read: Vec<Result<Take, Error>> = some.iter().map(|info| Ok(corpus.take(info.id)?)).collect();
        let look = |take: Result<Take, Error>| {
            let take = take?;
            Ok((FoundCuts::of(&take, method)?, take))
        };
        let found: Vec<Result<(FoundCuts, Take), Error>> = read.into_par_iter().map(look).collect();
        for (info, found) in some.iter().zip(found) {
            let sifted = found.and_then(|(mut found, take)| {
                let redundant = sieve.sift(corpus, &method.maker(), &take, found.spans_mut())?;
                Ok((found, redundant))
            });
            let cuts = match sifted {
                Ok((found, redundant)) => {
                    let cutting = corpus.put_cuts(info.id, &found)?;
                    Ok(sum_up(corpus, info.id, cutting, redundant)?)
                }
                Err(failure) => Err(failure.in_file(info.name.as_ref())),
            };
            results.push((info.clone(), cuts));
            report(observer, "takes", results.len(), takes.len())?;
        }
    }
    Ok(results)
}

fn by_tags(
    corpus: &mut Corpus,
    takes: &[String],
    name: Option<&str>,
    redundant_m: Option<f32>,
) -> Result<Results, Error> {
    let takes = chosen(corpus, takes)?;
    let mut sieve = Sieve::new(redundant_m, takes.iter().map(|info| info.id));
    let span = |said: Said| {
        let Said::Tag(tag) = said else { return None };
        let wanted = name.is_none_or(|name| *name == tag.name);
        wanted.then_some(Span { start: tag.start, end: tag.end, actor: None, name: tag.name })
    };
    let mut results = Vec::new();
    for info in takes {
        let said = corpus.annotations(info.id)?;
        let spans: Vec<Span> = said.into_iter().filter_map(|one| span(one.what)).collect();
        let cuts = cut(corpus, info.id, spans, &Maker::method("tags"), &mut sieve)?;
        results.push((info, Ok(cuts)));
    }
    Ok(results)
}

/// Cuts the takes that a table names; each maker's pieces of a take are replaced.
fn by_table(corpus: &mut Corpus, text: &str, redundant_m: Option<f32>) -> Result<Results, Error> {
    let mut by_take: BTreeMap<TakeId, BTreeMap<Maker, Vec<Span>>> = BTreeMap::new();
    for (take, span, maker) in sheets::read_spans(corpus, text)? {
        by_take.entry(take).or_default().entry(maker).or_default().push(span);
    }
    let mut sieve = Sieve::new(redundant_m, by_take.keys().copied());
    let mut results = Vec::new();
    for (take, by_maker) in by_take {
        let mut all = Cuts::default();
        for (maker, spans) in by_maker {
            let some = cut(corpus, take, spans, &maker, &mut sieve)?;
            all.segments += some.segments;
            all.new += some.new;
            all.removed += some.removed;
            all.redundant += some.redundant;
        }
        results.push((corpus.info(take)?, Ok(all)));
    }
    Ok(results)
}

/// Cuts what nobody has cut as the rest is.
#[cfg(feature = "follow")]
fn by_examples(
    corpus: &mut Corpus,
    takes: &[String],
    control: &ControlKind,
    max_rms_m: f64,
    redundant_m: Option<f32>,
) -> Result<Results, Error> {
    let takes = chosen(corpus, takes)?;
    let is_path = *control == ControlKind::Path;
    let choice = ExampleChoice {
        control: control.clone(),
        selection: if is_path { PointSelection::hips() } else { PointSelection::body() },
        target: None,
        examples: vec![],
        without: vec![],
        made_by: None,
        clusters: None,
    };
    let grow = GrowSettings { max_rms_m, ..GrowSettings::default() };
    let found = grow_segments(corpus, &choice, &takes, &FollowSettings::default(), &grow)?;
    let mut sieve = Sieve::new(redundant_m, takes.iter().map(|info| info.id));
    let mut results = Vec::new();
    for (info, spans) in found {
        let cuts = match spans {
            Ok(spans) => Ok(cut(corpus, info.id, spans, &Maker::method(EXAMPLES_METHOD), &mut sieve)?),
            Err(error) => Err(error.in_file(info.name.as_ref())),
        };
        results.push((info, cuts));
    }
    Ok(results)
}

/// Leaves out pieces that are there already, where that is wanted.
struct Sieve {
    threshold_m: Option<f32>,
    /// Takes that are cut anew: what is there of them does not count.
    anew: Vec<TakeId>,
    by_maker: BTreeMap<Maker, Redundancy>,
}

impl Sieve {
    fn new(threshold_m: Option<f32>, anew: impl Iterator<Item = TakeId>) -> Self {
        Self { threshold_m, anew: anew.collect(), by_maker: BTreeMap::new() }
    }

    /// How many were left out.
    fn sift(
        &mut self,
        corpus: &Corpus,
        maker: &Maker,
        take: &Take,
        spans: &mut Vec<Span>,
    ) -> Result<usize, Error> {
        let Some(threshold_m) = self.threshold_m else { return Ok(0) };
        let there = match self.by_maker.entry(maker.clone()) {
            Entry::Occupied(there) => there.into_mut(),
            Entry::Vacant(place) => place.insert(corpus.redundancy(maker, &self.anew, threshold_m)?),
        };
        Ok(there.sift(take, spans)?)
    }
}

/// Cuts a take into pieces that are known, and sums them up.
fn cut(
    corpus: &mut Corpus,
    take: TakeId,
    mut spans: Vec<Span>,
    maker: &Maker,
    sieve: &mut Sieve,
) -> Result<Cuts, Error> {
    let mut redundant = 0;
    if sieve.threshold_m.is_some() {
        redundant = sieve.sift(corpus, maker, &corpus.take(take)?, &mut spans)?;
    }
    let (new, removed) = corpus.cut(take, &spans, maker)?;
    sum_up(corpus, take, Cutting { cuts: 0, segments: spans.len(), new, removed }, redundant)
}

/// Sums the new segments of a take up.
fn sum_up(corpus: &mut Corpus, take: TakeId, cutting: Cutting, redundant: usize) -> Result<Cuts, Error> {
    corpus.sum_up(take)?;
    let Cutting { cuts, segments, new, removed } = cutting;
    Ok(Cuts { cuts, segments, new, removed, redundant })
}
