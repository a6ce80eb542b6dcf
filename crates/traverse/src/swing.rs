//! How high a foot that swings is carried: as smoothly as the ground lets it.
//!
//! Of all curves from one height to another that are nowhere below what the ground needs, the one with the least acceleration, ∫ z″² dt. Where it
//! touches what is needed it is held up, as a beam by a support; between supports, nothing but cubics has so little: it is a cubic spline with level
//! ends. Supports are found one after the other, where most is missing, and let go again where they would pull down.
//!
//! Limits: supports are at frames, and not at neighbours: where two would be, the one is raised.

/// What is missing by less is there, in metres.
const THERE_M: f64 = 1e-4;
/// After so many supports it is as good as it gets.
const ROUNDS: usize = 24;
/// Supports are at least so many frames apart.
const APART: usize = 3;

/// The smoothest curve from one height to another, level at both ends, that is nowhere below what is needed but at the ends; one height a frame.
pub(crate) fn smoothest_over(from_m: f32, to_m: f32, needed_m: &[f32]) -> Vec<f32> {
    let last = needed_m.len().saturating_sub(1);
    let mut supports = vec![(0, f64::from(from_m)), (last, f64::from(to_m))];
    if last < 2 * APART {
        return spline(&supports, needed_m.len()).0;
    }
    for _ in 0..ROUNDS {
        let (curve, pulls) = spline(&supports, needed_m.len());
        if let Some(useless) = pulls.iter().position(|pull| *pull < -1e-9) {
            supports.remove(useless + 1);
            continue;
        }
        let missing = |frame: usize| f64::from(needed_m[frame] - curve[frame]);
        let most = (APART..=last - APART).map(|frame| (missing(frame), frame));
        let Some((missing, frame)) = most.reduce(|a, b| if b.0 > a.0 { b } else { a }) else { break };
        if missing < THERE_M {
            return curve;
        }
        match supports.iter_mut().find(|support| support.0.abs_diff(frame) < APART) {
            Some(near) => near.1 += missing,
            None => {
                let place = supports.partition_point(|support| support.0 < frame);
                supports.insert(place, (frame, f64::from(needed_m[frame])));
            }
        }
    }
    spline(&supports, needed_m.len()).0
}

/// The sum of the squares of a curve's second differences: how sudden it is.
pub(crate) fn suddenness(curve_m: &[f32]) -> f32 {
    curve_m.windows(3).map(|three| (three[0] - 2.0 * three[1] + three[2]).powi(2)).sum()
}

/// The cubic spline through some points, level at both ends, frame by frame; and how much each point between pushes it up.
fn spline(points: &[(usize, f64)], frames: usize) -> (Vec<f32>, Vec<f64>) {
    let count = points.len();
    let step = |i: usize| (points[i + 1].0 - points[i].0).max(1) as f64;
    let rise = |i: usize| (points[i + 1].1 - points[i].1) / step(i);
    // Slopes at the points, so that curvature is the same on both sides: tridiagonal, solved from the one end and back.
    let mut slopes = vec![0.0; count];
    let mut above = vec![0.0; count];
    for i in 1..count.saturating_sub(1) {
        let (before, after) = (1.0 / step(i - 1), 1.0 / step(i));
        let right = 3.0 * (rise(i - 1) * before + rise(i) * after);
        let pivot = 2.0 * (before + after) - before * above[i - 1];
        above[i] = after / pivot;
        slopes[i] = (right - before * slopes[i - 1]) / pivot;
    }
    for i in (1..count.saturating_sub(1)).rev() {
        slopes[i] -= above[i] * slopes[i + 1];
    }
    // The third derivative of each piece; a support makes it jump upwards.
    let third = |i: usize| 6.0 * (slopes[i] + slopes[i + 1] - 2.0 * rise(i)) / step(i).powi(2);
    let pulls = (1..count.saturating_sub(1)).map(|i| third(i) - third(i - 1)).collect();
    let mut curve = Vec::with_capacity(frames);
    let mut piece = 0;
    for frame in 0..frames {
        while piece + 2 < count && frame > points[piece + 1].0 {
            piece += 1;
        }
        let (h, t) = (step(piece), (frame - points[piece].0) as f64 / step(piece));
        let (a, b) = (points[piece].1, points[piece + 1].1);
        let (u, v) = (slopes[piece] * h - (b - a), (b - a) - slopes[piece + 1] * h);
        curve.push((a + t * (b - a) + t * (1.0 - t) * (u * (1.0 - t) + v * t)) as f32);
    }
    (curve, pulls)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn without_anything_in_the_way_it_is_a_cubic() {
        let curve = smoothest_over(0.0, 1.0, &[0.0; 11]);
        for (frame, height) in curve.iter().enumerate() {
            let t = frame as f32 / 10.0;
            assert!((height - t * t * (3.0 - 2.0 * t)).abs() < 1e-6);
        }
        assert_eq!(smoothest_over(1.0, 2.0, &[0.0]).len(), 1);
        assert!(smoothest_over(0.0, 0.0, &[]).is_empty());
    }

    #[test]
    fn an_edge_in_the_way_is_touched_and_no_more() {
        let mut needed = [0f32; 41];
        needed[12] = 0.2;
        let curve = smoothest_over(0.0, 0.1, &needed);
        assert!((curve[12] - 0.2).abs() < 1e-3, "{curve:?}");
        // Steps at the ends are no higher than they must be.
        assert!(curve[1] < 0.01 && (curve[39] - 0.1).abs() < 0.01);
    }

    proptest! {
        #[test]
        fn it_is_above_what_is_needed_and_smoother_than_what_is_a_little_otherwise(
            needed in prop::collection::vec(0f32..0.05, 40), bump in 0usize..30, to_m in 0f32..0.3, by in -0.01f32..0.01, at in 2usize..38,
        ) {
            let mut needed = needed;
            needed[bump + 5] = 0.2;
            // Neighbours need about as much, as soles do.
            let needed: Vec<f32> = (0..40).map(|i| needed[i.max(2) - 2..(i + 3).min(40)].iter().sum::<f32>() / 5.0).collect();
            let curve = smoothest_over(0.0, to_m, &needed);
            let missing = (APART..40 - APART).map(|i| needed[i] - curve[i]).fold(0.0, f32::max);
            prop_assert!(missing < 5e-3, "{missing}");
            // Another curve that keeps above is not smoother, but for the frames that supports may be off by.
            let other: Vec<f32> = (0..40).map(|i| curve[i] + by * (1.0 - ((i as f32 - at as f32) / 8.0).powi(2)).max(0.0).powi(2)).collect();
            let keeps = (1..39).all(|i| other[i] >= needed[i]) && other[0] == curve[0] && other[39] == curve[39] && at > 10 && at < 29;
            if keeps {
                prop_assert!(suddenness(&other) > 0.8 * suddenness(&curve));
            }
        }
    }
}
