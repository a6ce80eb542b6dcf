//! `marey corpus segment`.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use marey::by_example::{BY_EXAMPLES, Choice, Lead, grown};
use marey::corpus::{
    Corpus, CutMethod, Cutting, FoundCuts, Maker, Redundancy, Said, Span, TakeId, TakeInfo, sheets,
};
use marey::follow::{Control, GrowSettings, Settings};
use marey::motion::Take;
use rayon::prelude::*;
use serde::Serialize;

use super::{CorpusFlag, chosen, count, read_text};
use crate::batch;
use crate::console::Console;
use crate::failure::{Failure, Verdict};
use crate::flags::{JsonFlag, finite};
use crate::json::{self, Row};

/// Cut takes into segments that can be used again
///
/// What a method cut before is replaced, and nothing else: segments of other methods and of persons stay. Segments that come
/// out the same keep their numbers and labels.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey corpus segment walks.marey --by steps     one segment for each step
  marey corpus segment walks.marey --by examples  the rest, as those are that are cut")]
pub(super) struct SegmentArgs {
    #[command(flatten)]
    corpus: CorpusFlag,

    /// Names of takes, or # and a number; all where none is named
    #[arg(value_name = "TAKE")]
    takes: Vec<String>,

    /// How to cut
    #[arg(long, value_name = "METHOD")]
    by: Method,

    /// With --by beats: how many beats a segment has
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::MIN)]
    every: NonZeroUsize,

    /// With --by tags: only tags of this name
    #[arg(long, value_name = "NAME")]
    tag: Option<String>,

    /// With --by csv: a table with columns take, start, end, and perhaps actor and name
    #[arg(long, value_name = "FILE.csv", required_if_eq("by", "csv"))]
    csv: Option<PathBuf>,

    /// With --by examples: what is compared; path, the way of hips over the floor; actor:NAME, who leads; points, the whole figure
    #[arg(long, value_name = "WHAT", default_value = "points")]
    control: Lead,

    /// With --by examples: how far a piece may be from its example, in metres, root mean square
    #[arg(long, value_name = "M", default_value_t = GrowSettings::default().most_rms_m)]
    within: f64,

    /// Leave out segments within this distance of one that the same method put in before, in metres: hands and feet after the
    /// best shift and turn over the floor and a uniform stretch in time, root mean square
    #[arg(long, value_name = "M", value_parser = finite)]
    drop_redundant: Option<f32>,

    #[command(flatten)]
    json: JsonFlag,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Method {
    /// Where feet come down: one segment a step
    Steps,
    /// Where toes have settled on the floor
    Instants,
    /// On the beat, where the motion has one
    Beats,
    /// What is tagged
    Tags,
    /// What a table says
    Csv,
    /// As other takes are cut: a few that were cut by hand show how; takes that somebody has cut stay as they are
    Examples,
}

/// What became of a take, as JSON has it.
#[derive(Debug, Clone, Copy, Default, Serialize)]
struct Cuts {
    cuts: usize,
    segments: usize,
    new: usize,
    removed: usize,
    /// Left out as redundant.
    redundant: usize,
}

/// What was done to each take.
type Results = Vec<(TakeInfo, Result<Cuts, Failure>)>;

pub(super) fn run(args: &SegmentArgs, console: &Console) -> Result<Verdict, Failure> {
    let mut corpus = args.corpus.open()?;
    let results = match args.by {
        Method::Steps => args.by_method(&mut corpus, CutMethod::Steps, console),
        Method::Instants => args.by_method(&mut corpus, CutMethod::Instants, console),
        Method::Beats => args.by_method(&mut corpus, CutMethod::Beats { every: args.every.get() }, console),
        Method::Tags => args.by_tags(&mut corpus),
        Method::Csv => args.by_table(&mut corpus),
        Method::Examples => args.by_examples(&mut corpus),
    };
    let results = results.map_err(|failure| args.corpus.about(failure))?;
    let (takes, results): (Vec<TakeInfo>, Vec<Result<Cuts, Failure>>) = results.into_iter().unzip();
    if args.json.json {
        let row = |(take, result): (&TakeInfo, &Result<Cuts, Failure>)| {
            Row::new(
                Path::new(&take.name),
                result.as_ref().err(),
                result.as_ref().copied().unwrap_or_default(),
            )
        };
        console.print(&json::array(takes.iter().zip(&results).map(row)))?;
    } else {
        let failures = results.iter().filter_map(|result| result.as_ref().err());
        batch::tell_failures(console, failures.collect(), results.len());
        let sum = |part: fn(&Cuts) -> usize| results.iter().flatten().map(part).sum::<usize>();
        let mut text = format!(
            "{} in {}: {} new, {} gone",
            count(sum(|cuts| cuts.segments), "segment"),
            count(results.iter().flatten().count(), "take"),
            sum(|cuts| cuts.new),
            sum(|cuts| cuts.removed)
        );
        if args.drop_redundant.is_some() {
            text += &format!(", {} left out as redundant", sum(|cuts| cuts.redundant));
        }
        console.note(&(text + "\n"));
    }
    Ok(Verdict::of(&results))
}

impl SegmentArgs {
    /// Takes are read and written one after another; a few at a time are worked on together.
    fn by_method(
        &self,
        corpus: &mut Corpus,
        method: CutMethod,
        console: &Console,
    ) -> Result<Results, Failure> {
        let takes = chosen(corpus, &self.takes)?;
        let mut sieve = Sieve::new(self.drop_redundant, takes.iter().map(|info| info.id));
        let bar = console.progress(takes.len());
        let mut results = Vec::new();
        for some in takes.chunks(4 * rayon::current_num_threads()) {
            let read: Vec<Result<Take, Failure>> =
                some.iter().map(|info| Ok(corpus.take(info.id)?)).collect();
            let look = |take: Result<Take, Failure>| {
                let take = take?;
                Ok((FoundCuts::of(&take, method)?, take))
            };
            let found: Vec<Result<(FoundCuts, Take), Failure>> = read.into_par_iter().map(look).collect();
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
                    Err(failure) => Err(failure.in_file(Path::new(&info.name))),
                };
                results.push((info.clone(), cuts));
                bar.inc(1);
            }
        }
        bar.finish_and_clear();
        Ok(results)
    }

    fn by_tags(&self, corpus: &mut Corpus) -> Result<Results, Failure> {
        let takes = chosen(corpus, &self.takes)?;
        let mut sieve = Sieve::new(self.drop_redundant, takes.iter().map(|info| info.id));
        let mut results = Vec::new();
        for info in takes {
            let said = corpus.annotations(info.id)?;
            let spans: Vec<Span> = said.into_iter().filter_map(|one| self.span_of(one.what)).collect();
            let cuts = cut(corpus, info.id, spans, &Maker::method("tags"), &mut sieve)?;
            results.push((info, Ok(cuts)));
        }
        Ok(results)
    }

    /// The piece that a tag is, where it is wanted.
    fn span_of(&self, said: Said) -> Option<Span> {
        let Said::Tag(tag) = said else { return None };
        let wanted = self.tag.as_ref().is_none_or(|name| *name == tag.name);
        wanted.then_some(Span { start: tag.start, end: tag.end, actor: None, name: tag.name })
    }

    /// Cuts the takes that a table names; each maker's pieces of a take are replaced.
    fn by_table(&self, corpus: &mut Corpus) -> Result<Results, Failure> {
        let table = self.csv.as_deref().unwrap_or(Path::new(""));
        let about = |failure: Failure| failure.in_file(table);
        let text = read_text(table)?;
        let rows = sheets::read_spans(corpus, &text).map_err(|error| about(error.into()))?;
        let mut by_take: BTreeMap<TakeId, BTreeMap<Maker, Vec<Span>>> = BTreeMap::new();
        for (take, span, maker) in rows {
            by_take.entry(take).or_default().entry(maker).or_default().push(span);
        }
        let mut sieve = Sieve::new(self.drop_redundant, by_take.keys().copied());
        let mut results = Vec::new();
        for (take, by_maker) in by_take {
            let mut all = Cuts::default();
            for (maker, spans) in by_maker {
                let some = cut(corpus, take, spans, &maker, &mut sieve).map_err(about)?;
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
    fn by_examples(&self, corpus: &mut Corpus) -> Result<Results, Failure> {
        let takes = chosen(corpus, &self.takes)?;
        let control = if self.control == Lead::Path { Control::hips() } else { Control::body() };
        let choice =
            Choice { lead: self.control.clone(), control, target: None, maker: None, without: vec![] };
        let grow = GrowSettings { most_rms_m: self.within, ..GrowSettings::default() };
        let found = grown(corpus, &choice, &takes, &Settings::default(), &grow)?;
        let mut sieve = Sieve::new(self.drop_redundant, takes.iter().map(|info| info.id));
        let mut results = Vec::new();
        for (info, spans) in found {
            let cuts = cut(corpus, info.id, spans, &Maker::method(BY_EXAMPLES), &mut sieve)?;
            results.push((info, Ok(cuts)));
        }
        Ok(results)
    }
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
    ) -> Result<usize, Failure> {
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
) -> Result<Cuts, Failure> {
    let mut redundant = 0;
    if sieve.threshold_m.is_some() {
        redundant = sieve.sift(corpus, maker, &corpus.take(take)?, &mut spans)?;
    }
    let (new, removed) = corpus.cut(take, &spans, maker)?;
    sum_up(corpus, take, Cutting { cuts: 0, segments: spans.len(), new, removed }, redundant)
}

/// Sums the new segments of a take up.
fn sum_up(corpus: &mut Corpus, take: TakeId, cutting: Cutting, redundant: usize) -> Result<Cuts, Failure> {
    corpus.sum_up(take)?;
    let Cutting { cuts, segments, new, removed } = cutting;
    Ok(Cuts { cuts, segments, new, removed, redundant })
}
