//! Divides takes into segments: by a detection method, by tags, by a table, or by known ranges.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Range;

use marey_motion::{Observer, Take};
use marey_ops::cut::SegmentLengths;
use rayon::prelude::*;
use serde::Serialize;

use crate::error::report;
use crate::{
    AnnotationContent, BatchItem, Corpus, CutMethod, DetectedCuts, Maker, Redundancy, Result, Span, TakeId,
    TakeInfo, tables,
};

/// The segments of a take that were stored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct SegmentCounts {
    /// Number of cuts that were detected.
    pub cuts: usize,
    /// Number of segments.
    pub segments: usize,
    /// Number of new segments.
    pub new: usize,
    /// Number of removed segments.
    pub removed: usize,
    /// Number of segments that were left out as redundant.
    pub redundant: usize,
    /// Number of segments that were left out because some of their frames are unusable.
    pub unusable: usize,
}

/// Ranges of a take by maker.
pub type SpansByMaker = BTreeMap<Maker, Vec<Span>>;

/// The result for each take.
pub type SegmentedTakes = Vec<BatchItem<SegmentCounts>>;

impl Corpus {
    /// Divides takes at the cuts that a method detects; all takes if none is named. Segments of the same method are replaced. No
    /// segment has unusable frames ([`Corpus::unusable`]). Segments closer than `redundant_m` metres to one that the same method made before are left out.
    pub fn segment_by_method(
        &mut self,
        takes: &[String],
        method: CutMethod,
        lengths: &SegmentLengths,
        redundant_m: Option<f32>,
        observer: Observer<'_>,
    ) -> Result<SegmentedTakes> {
        let takes = self.select(takes)?;
        let mut filter = RedundancyFilter::new(redundant_m, takes.iter().map(|info| info.id));
        let mut items = Vec::new();
        // Takes are read and stored one after another, and analysed in parallel, a few at a time.
        for some in takes.chunks(4 * rayon::current_num_threads()) {
            let read = |info: &TakeInfo| Ok((self.take(info.id)?, self.unusable(info.id)?));
            let read: Vec<Result<(Take, Vec<Range<usize>>)>> = some.iter().map(read).collect();
            let detect = |read: Result<(Take, Vec<Range<usize>>)>| {
                let (take, unusable) = read?;
                Ok((DetectedCuts::of_with(&take, method, lengths, &unusable)?, take))
            };
            let detected: Vec<Result<(DetectedCuts, Take)>> = read.into_par_iter().map(detect).collect();
            for (info, detected) in some.iter().zip(detected) {
                let filtered = detected.and_then(|(mut cuts, take)| {
                    let redundant = filter.apply(self, &method.maker(), &take, cuts.spans_mut())?;
                    Ok((cuts, redundant))
                });
                let result = match filtered {
                    Ok((cuts, redundant)) => {
                        let counts = self.store_cuts(info.id, &cuts)?;
                        self.summarise(info.id)?;
                        Ok(SegmentCounts { redundant, ..counts })
                    }
                    Err(error) => Err(error.in_file(info.name.as_ref())),
                };
                items.push(BatchItem { name: info.name.clone(), result });
                report(observer, "takes", items.len(), takes.len())?;
            }
        }
        Ok(items)
    }

    /// Makes a segment of each tag, or of each tag of a name; in all takes if none is named.
    pub fn segment_by_tags(
        &mut self,
        takes: &[String],
        name: Option<&str>,
        redundant_m: Option<f32>,
    ) -> Result<SegmentedTakes> {
        let span = |content: AnnotationContent| match content {
            AnnotationContent::Tag(tag) if name.is_none_or(|name| *name == tag.name) => {
                Some(Span { start: tag.start, end: tag.end, actor: None, name: tag.name })
            }
            _ => None,
        };
        let mut spans = Vec::new();
        for info in self.select(takes)? {
            let annotations = self.annotations(info.id)?.into_iter();
            let of_take = annotations.filter_map(|annotation| span(annotation.what)).collect();
            spans.push((info, BTreeMap::from([(Maker::method("tags"), of_take)])));
        }
        self.segment_by_spans(spans, redundant_m)
    }

    /// Makes the segments of a CSV table with the columns `take`, `start`, `end`, and optionally `actor`, `name` and `made_by`.
    pub fn segment_by_table(&mut self, text: &str, redundant_m: Option<f32>) -> Result<SegmentedTakes> {
        let mut by_take: BTreeMap<TakeId, SpansByMaker> = BTreeMap::new();
        for (take, span, maker) in tables::read_spans(self, text)? {
            by_take.entry(take).or_default().entry(maker).or_default().push(span);
        }
        let with_info = |(take, spans)| Ok((self.info(take)?, spans));
        let spans = by_take.into_iter().map(with_info).collect::<Result<_>>()?;
        self.segment_by_spans(spans, redundant_m)
    }

    /// Makes segments of known ranges. In each take, the segments of each maker are replaced.
    pub fn segment_by_spans(
        &mut self,
        spans: Vec<(TakeInfo, SpansByMaker)>,
        redundant_m: Option<f32>,
    ) -> Result<SegmentedTakes> {
        let mut filter = RedundancyFilter::new(redundant_m, spans.iter().map(|(info, _)| info.id));
        let mut items = Vec::new();
        for (info, by_maker) in spans {
            let mut counts = SegmentCounts::default();
            for (maker, mut spans) in by_maker {
                if redundant_m.is_some() {
                    counts.redundant += filter.apply(self, &maker, &self.take(info.id)?, &mut spans)?;
                }
                let (new, removed) = self.cut(info.id, &spans, &maker)?;
                counts.segments += spans.len();
                counts.new += new;
                counts.removed += removed;
            }
            self.summarise(info.id)?;
            items.push(BatchItem { name: info.name, result: Ok(counts) });
        }
        Ok(items)
    }
}

/// Leaves out segments that resemble stored ones, if a threshold is given.
struct RedundancyFilter {
    threshold_m: Option<f32>,
    /// Takes that are segmented again: their stored segments do not count.
    again: Vec<TakeId>,
    by_maker: BTreeMap<Maker, Redundancy>,
}

impl RedundancyFilter {
    fn new(threshold_m: Option<f32>, again: impl Iterator<Item = TakeId>) -> Self {
        Self { threshold_m, again: again.collect(), by_maker: BTreeMap::new() }
    }

    /// Removes redundant segments and returns their number.
    fn apply(&mut self, corpus: &Corpus, maker: &Maker, take: &Take, spans: &mut Vec<Span>) -> Result<usize> {
        let Some(threshold_m) = self.threshold_m else { return Ok(0) };
        let stored = match self.by_maker.entry(maker.clone()) {
            Entry::Occupied(stored) => stored.into_mut(),
            Entry::Vacant(place) => place.insert(corpus.redundancy(maker, &self.again, threshold_m)?),
        };
        stored.sift(take, spans)
    }
}
