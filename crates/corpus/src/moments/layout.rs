//! The parts of an index: which takes are indexed together.

use std::ops::Range;

use crate::TakeInfo;
use crate::prepared_take::sha256;

/// The takes of each part, and those that features are scaled by. It depends only on the number of moments of each take, in the order
/// of takes, so that the same takes give the same answers, however they came.
///
/// The first part holds the takes that set the scale. Takes that come later form parts of their own, until they are as many as the
/// first: then all become one. Before that, the last parts are joined if one is less than twice as large as the next. So each
/// moment is indexed again O(log n) times, and there are O(log n) parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout {
    /// The takes of each part, by index. The takes of the first set the scale.
    pub(super) parts: Vec<Range<usize>>,
}

impl Layout {
    /// The layout for a number of moments of each take.
    pub(super) fn of(counts: impl IntoIterator<Item = usize>) -> Self {
        let (mut total, mut scaled) = (0, 0);
        let mut parts: Vec<(Range<usize>, usize)> = Vec::new();
        for (take, count) in counts.into_iter().enumerate() {
            total += count;
            if total >= 2 * scaled {
                scaled = total;
                parts = vec![(0..take + 1, total)];
                continue;
            }
            let mut newest = (take..take + 1, count);
            while parts.len() > 1
                && let Some((takes, size)) = parts.pop_if(|(_, size)| count == 0 || *size < 2 * newest.1)
            {
                newest = (takes.start..newest.0.end, size + newest.1);
            }
            parts.push(newest);
        }
        Self { parts: parts.into_iter().map(|(takes, _)| takes).collect() }
    }
}

/// The name of a part in the file: a hash of the content of its takes and of those that set the scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PartKey(pub(super) [u32; 4]);

impl PartKey {
    /// The name of a part of takes that have moments.
    pub(super) fn of<'a>(
        mut scaled: impl Iterator<Item = &'a TakeInfo>,
        mut takes: impl Iterator<Item = &'a TakeInfo>,
    ) -> Self {
        let contents = |takes: &mut dyn Iterator<Item = &'a TakeInfo>| {
            takes.map(|take| take.content.as_str()).collect::<Vec<_>>().join(" ")
        };
        let text = format!("1, scaled by {}: {}", contents(&mut scaled), contents(&mut takes));
        let hash = sha256(text.as_bytes());
        let word = |at: usize| hash.get(8 * at..8 * at + 8).and_then(|hex| u32::from_str_radix(hex, 16).ok());
        Self([0, 1, 2, 3].map(|at| word(at).unwrap_or_default()))
    }

    /// The kind of an array of the part.
    pub(super) fn kind(&self, array: &str) -> String {
        format!("part {self} {array}")
    }
}

impl std::fmt::Display for PartKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|word| write!(f, "{word:08x}"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn parts_are_few_and_rarely_made_again(counts in prop::collection::vec(0usize..300, 1..120)) {
            let mut made = 0;
            let mut before = Layout { parts: vec![] };
            for takes in 1..=counts.len() {
                let layout = Layout::of(counts[..takes].iter().copied());
                let ends: Vec<usize> = layout.parts.iter().map(|part| part.end).collect();
                let starts: Vec<usize> = layout.parts.iter().map(|part| part.start).collect();
                prop_assert_eq!((starts[0], *ends.last().unwrap()), (0, takes), "all takes are in a part");
                prop_assert_eq!(&starts[1..], &ends[..ends.len() - 1], "and in one");
                let size = |part: &Range<usize>| counts[part.clone()].iter().sum::<usize>();
                let total = size(&(0..takes));
                prop_assert!(layout.parts.len() <= 3 + total.max(1).ilog2() as usize, "{:?}", layout);
                made += layout.parts.iter().filter(|part| !before.parts.contains(part)).map(size).sum::<usize>();
                before = layout;
            }
            let total: usize = counts.iter().sum();
            let often = 3.0 + 3.0 * (total.max(2) as f64).log2();
            prop_assert!(made as f64 <= often * total as f64, "{} moments were indexed for {}", made, total);
        }
    }

    #[test]
    fn the_scale_is_set_anew_when_moments_have_doubled() {
        let parts = |counts: &[usize]| -> Vec<(usize, usize)> {
            let layout = Layout::of(counts.iter().copied());
            layout.parts.into_iter().map(|takes| (takes.start, takes.end)).collect()
        };
        assert_eq!(parts(&[8]), [(0, 1)]);
        assert_eq!(parts(&[8, 1]), [(0, 1), (1, 2)]);
        assert_eq!(parts(&[8, 1, 1]), [(0, 1), (1, 3)]);
        assert_eq!(parts(&[8, 4, 1]), [(0, 1), (1, 2), (2, 3)]);
        assert_eq!(parts(&[8, 4, 1, 1, 2]), [(0, 5)]);
        assert_eq!(parts(&[0, 0, 5, 0, 1, 0]), [(0, 3), (3, 6)]);
        assert!(parts(&[]).is_empty());
    }
}
