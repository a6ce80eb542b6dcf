//! The level among the heights at which something rests.

/// Height of the window of one level, in metres.
const WINDOW_M: f32 = 0.04;
/// The smallest share of the fullest level that a lower level needs to count.
const LEAST_SHARE: f32 = 0.2;

/// A level: its height and spread.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Level {
    /// The median of its heights.
    pub(crate) height_m: f32,
    /// Half of its heights are within this distance of the median.
    pub(crate) spread_m: f32,
    /// The number of heights at this level.
    pub(crate) count: usize,
}

/// The lowest level with enough heights; `None` without heights.
///
/// A level is a window of 4 cm. Heights below it are outliers; heights above it belong to another level
/// (tiptoe, a box) or to something slow in the air.
pub(crate) fn lowest(mut heights: Vec<f32>) -> Option<Level> {
    heights.sort_by(f32::total_cmp);
    let counts: Vec<usize> = heights
        .iter()
        .enumerate()
        .map(|(i, &low)| heights[i..].partition_point(|&h| h <= low + WINDOW_M))
        .collect();
    let fullest = *counts.iter().max()?;
    let enough = ((fullest as f32 * LEAST_SHARE).ceil() as usize).max(1);
    let first = counts.iter().position(|&count| count >= enough)?;
    // From the first window that is full enough, climb to the fullest one that overlaps it: the middle of
    // this level.
    let reach = first + counts[first];
    let best = (first..reach).max_by_key(|&i| (counts[i], std::cmp::Reverse(i)))?;
    let level = &heights[best..best + counts[best]];
    let height_m = median(level);
    let mut away: Vec<f32> = level.iter().map(|h| (h - height_m).abs()).collect();
    away.sort_by(f32::total_cmp);
    Some(Level { height_m, spread_m: median(&away), count: level.len() })
}

/// The median of sorted values.
fn median(sorted: &[f32]) -> f32 {
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn around(height: f32, count: usize) -> impl Iterator<Item = f32> {
        (0..count).map(move |i| height + 0.01 * ((i * 7 % 11) as f32 / 11.0 - 0.5))
    }

    #[test]
    fn the_lowest_level_with_enough_on_it_wins() {
        // The floor, a box that is stood on for longer, a few outliers below, and a hop.
        let heights: Vec<f32> =
            around(0.0, 40).chain(around(0.3, 150)).chain([-0.4, -0.2, 0.9]).chain(around(0.1, 3)).collect();
        let level = lowest(heights).unwrap();
        assert!(level.height_m.abs() < 0.003, "{level:?}");
        assert_eq!(level.count, 40);
        assert!((0.001..0.005).contains(&level.spread_m));
    }

    proptest! {
        #[test]
        fn levels_count_their_heights_and_no_lower_one_is_full(
            heights in proptest::collection::vec(-0.3f32..0.3, 1..60),
        ) {
            let level = lowest(heights.clone()).unwrap();
            let within = |low: f32| heights.iter().filter(|&&h| (low..=low + WINDOW_M).contains(&h)).count();
            let fullest = heights.iter().map(|&h| within(h)).max().unwrap();
            prop_assert!(level.count as f32 >= LEAST_SHARE * fullest as f32);
            prop_assert!(heights.iter().any(|&h| within(h) == level.count));
            // Anything more than a window lower is too sparse to be a level.
            for &low in heights.iter().filter(|&&h| h < level.height_m - 2.0 * WINDOW_M) {
                prop_assert!((within(low) as f32) < LEAST_SHARE * fullest as f32);
            }
        }
    }

    #[test]
    fn no_heights_give_no_level() {
        assert_eq!(lowest(vec![]), None);
        assert_eq!(lowest(vec![0.5]), Some(Level { height_m: 0.5, spread_m: 0.0, count: 1 }));
    }
}
