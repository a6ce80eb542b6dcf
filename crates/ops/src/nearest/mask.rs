//! Row filters.

use std::ops::Range;

/// One bit per row: whether it may be found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mask {
    words: Vec<u64>,
    len: usize,
    count: usize,
}

impl Mask {
    /// A filter of `len` rows that passes those for which `passes` is true.
    pub fn from_fn(len: usize, passes: impl Fn(usize) -> bool) -> Self {
        let mut words = vec![0u64; len.div_ceil(64)];
        for row in (0..len).filter(|&row| passes(row)) {
            words[row / 64] |= 1 << (row % 64);
        }
        Self::counted(words, len)
    }

    /// A filter of `len` rows that passes some ranges; rows beyond the last are ignored.
    pub fn from_ranges(len: usize, ranges: impl IntoIterator<Item = Range<usize>>) -> Self {
        let mut words = vec![0u64; len.div_ceil(64)];
        for Range { start, end } in ranges.into_iter().map(|range| range.start..range.end.min(len)) {
            for (i, word) in words.iter_mut().enumerate().take(end.div_ceil(64)).skip(start / 64) {
                let (from, until) = (start.saturating_sub(64 * i), (end - 64 * i).min(64));
                if from < until {
                    *word |= u64::MAX >> (64 - until) & u64::MAX << from;
                }
            }
        }
        Self::counted(words, len)
    }

    fn counted(words: Vec<u64>, len: usize) -> Self {
        let count = words.iter().map(|word| word.count_ones() as usize).sum();
        Self { words, len, count }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Number of rows that pass.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Whether a row passes; unknown rows do not.
    #[inline]
    pub fn passes(&self, row: usize) -> bool {
        self.words.get(row / 64).is_some_and(|word| word >> (row % 64) & 1 == 1)
    }

    /// The rows that pass, in order.
    pub fn rows(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(i, &word)| {
            std::iter::successors(Some(word), |word| Some(word & word.wrapping_sub(1)))
                .take_while(|&word| word != 0)
                .map(move |word| 64 * i + word.trailing_zeros() as usize)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_pass_the_given_rows() {
        let mask = Mask::from_fn(200, |row| row % 7 == 3);
        assert!((0..300).all(|row| mask.passes(row) == (row < 200 && row % 7 == 3)));
        assert!(mask.rows().eq((0..200).filter(|row| row % 7 == 3)));
        assert_eq!(mask.count(), mask.rows().count());
        let ranges = Mask::from_ranges(100, [0..2, 63..66, 98..400]);
        assert!(ranges.rows().eq([0, 1, 63, 64, 65, 98, 99]));
        for (start, end) in [(0, 0), (5, 3), (0, 64), (64, 128), (1, 200), (63, 129), (190, 200), (250, 300)]
        {
            assert_eq!(
                Mask::from_ranges(200, [start..end, 70..71]),
                Mask::from_fn(200, |row| (start..end).contains(&row) || row == 70),
                "{start}..{end}"
            );
        }
        assert!(Mask::from_fn(0, |_| true).is_empty());
    }
}
