//! The height of a swinging foot: the smoothest curve that clears the terrain.
//!
//! Of all curves between two heights that are nowhere below the needed height, this is the one that minimises the
//! squared acceleration ∫ z″² dt. The optimum is a cubic spline with level ends, whose knots are where it touches the
//! needed height, like a beam on supports. Supports are added one after the other where the curve is farthest below the
//! needed height, and removed again if they would pull the curve down.
//!
//! Limits: supports are at frames and at least [`MIN_DISTANCE`] frames apart; a support that would be closer raises
//! its neighbour instead.

/// Tolerance of the needed height, in metres.
const TOLERANCE_M: f64 = 1e-4;
/// Maximum number of iterations.
const MAX_ITERATIONS: usize = 24;
/// Minimum distance of two supports, in frames.
const MIN_DISTANCE: usize = 3;

/// The smoothest curve between two heights that is level at both ends and not below the needed height, except near the
/// ends; one height per frame.
pub(crate) fn smoothest_over(from_m: f32, to_m: f32, needed_m: &[f32]) -> Vec<f32> {
    let last = needed_m.len().saturating_sub(1);
    let mut supports = vec![(0, f64::from(from_m)), (last, f64::from(to_m))];
    if last < 2 * MIN_DISTANCE {
        return spline(&supports, needed_m.len()).0;
    }
    for _ in 0..MAX_ITERATIONS {
        let (curve, forces) = spline(&supports, needed_m.len());
        if let Some(pulling) = forces.iter().position(|force| *force < -1e-9) {
            supports.remove(pulling + 1);
            continue;
        }
        let missing = |frame: usize| f64::from(needed_m[frame] - curve[frame]);
        let deficits = (MIN_DISTANCE..=last - MIN_DISTANCE).map(|frame| (missing(frame), frame));
        let Some((missing, frame)) = deficits.reduce(|a, b| if b.0 > a.0 { b } else { a }) else { break };
        if missing < TOLERANCE_M {
            return curve;
        }
        match supports.iter_mut().find(|support| support.0.abs_diff(frame) < MIN_DISTANCE) {
            Some(near) => near.1 += missing,
            None => {
                let index = supports.partition_point(|support| support.0 < frame);
                supports.insert(index, (frame, f64::from(needed_m[frame])));
            }
        }
    }
    spline(&supports, needed_m.len()).0
}

/// Roughness of a curve: the sum of its squared second differences.
pub(crate) fn roughness(curve_m: &[f32]) -> f32 {
    curve_m.windows(3).map(|three| (three[0] - 2.0 * three[1] + three[2]).powi(2)).sum()
}

/// The cubic spline through some points, level at both ends, frame by frame, and the upward force at each inner point.
fn spline(points: &[(usize, f64)], frames: usize) -> (Vec<f32>, Vec<f64>) {
    let count = points.len();
    let step = |i: usize| (points[i + 1].0 - points[i].0).max(1) as f64;
    let rise = |i: usize| (points[i + 1].1 - points[i].1) / step(i);
    // Slopes for continuous curvature: a tridiagonal system, solved by forward elimination and back substitution.
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
    // The third derivative of each piece; an upward force makes it jump upwards.
    let third = |i: usize| 6.0 * (slopes[i] + slopes[i + 1] - 2.0 * rise(i)) / step(i).powi(2);
    let forces = (1..count.saturating_sub(1)).map(|i| third(i) - third(i - 1)).collect();
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
    (curve, forces)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn unobstructed_curve_is_a_cubic() {
        let curve = smoothest_over(0.0, 1.0, &[0.0; 11]);
        for (frame, height) in curve.iter().enumerate() {
            let t = frame as f32 / 10.0;
            assert!((height - t * t * (3.0 - 2.0 * t)).abs() < 1e-6);
        }
        assert_eq!(smoothest_over(1.0, 2.0, &[0.0]).len(), 1);
        assert!(smoothest_over(0.0, 0.0, &[]).is_empty());
    }

    #[test]
    fn curve_touches_an_edge() {
        let mut needed = [0f32; 41];
        needed[12] = 0.2;
        let curve = smoothest_over(0.0, 0.1, &needed);
        assert!((curve[12] - 0.2).abs() < 1e-3, "{curve:?}");
        // The first and the last step stay small.
        assert!(curve[1] < 0.01 && (curve[39] - 0.1).abs() < 0.01);
    }

    proptest! {
        #[test]
        fn curve_clears_the_needed_height_and_perturbed_curves_are_rougher(
            needed in prop::collection::vec(0f32..0.05, 40), bump in 0usize..30, to_m in 0f32..0.3, amount in -0.01f32..0.01, at in 2usize..38,
        ) {
            let mut needed = needed;
            needed[bump + 5] = 0.2;
            // Smooth the needed height, as the extent of a sole does.
            let needed: Vec<f32> = (0..40).map(|i| needed[i.max(2) - 2..(i + 3).min(40)].iter().sum::<f32>() / 5.0).collect();
            let curve = smoothest_over(0.0, to_m, &needed);
            let missing = (MIN_DISTANCE..40 - MIN_DISTANCE).map(|i| needed[i] - curve[i]).fold(0.0, f32::max);
            prop_assert!(missing < 5e-3, "{missing}");
            // A perturbed curve that clears the needed height is not smoother, except for the discretisation of the supports.
            let other: Vec<f32> = (0..40).map(|i| curve[i] + amount * (1.0 - ((i as f32 - at as f32) / 8.0).powi(2)).max(0.0).powi(2)).collect();
            let is_comparable = (1..39).all(|i| other[i] >= needed[i]) && other[0] == curve[0] && other[39] == curve[39] && at > 10 && at < 29;
            if is_comparable {
                prop_assert!(roughness(&other) > 0.8 * roughness(&curve));
            }
        }
    }
}
