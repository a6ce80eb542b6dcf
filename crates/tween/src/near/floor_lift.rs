//! Feet that a prediction moves into the floor.
//!
//! Between poses that are far from the corpus, a prediction is close to interpolation, and the body sinks when the hips come down
//! before a leg has bent. The foot is lifted over the floor. The lift of a frame is the largest that is needed in the frames around it,
//! averaged over as many, so that the foot does not jump.

/// A foot may be in the floor by this much, in metres: captured feet are.
const TOLERANCE_M: f32 = 0.01;
/// Frames before and after a frame that share its lift, in seconds.
const SHARED_SECS: f64 = 0.1;

/// The lift of a foot in each frame, in metres, from the height of its lowest point over where it rests on the floor. The first and the
/// last pose are given, and may be in the floor: the foot is lifted over the line between their depths.
pub(super) fn lifts_m(heights_m: &[f32], rate_hz: f64) -> Vec<f32> {
    let [Some(first), Some(last)] = [heights_m.first(), heights_m.last()] else { return Vec::new() };
    let ends_m = [first, last].map(|height_m| height_m.min(-TOLERANCE_M));
    let steps = heights_m.len().saturating_sub(1).max(1) as f32;
    let needed_m = |(frame, height_m): (usize, &f32)| {
        let lowest_m = ends_m[0] + (ends_m[1] - ends_m[0]) * frame as f32 / steps;
        (lowest_m - height_m).max(0.0)
    };
    let needed_m: Vec<f32> = heights_m.iter().enumerate().map(needed_m).collect();
    let window = (SHARED_SECS * rate_hz).round() as usize;
    let most = around(&needed_m, window, |frames| frames.iter().copied().fold(0.0, f32::max));
    let mut lifts = around(&most, window, |frames| frames.iter().sum::<f32>() / frames.len().max(1) as f32);
    // The given poses stay.
    let frames = lifts.len();
    for (frame, lift) in lifts.iter_mut().enumerate() {
        let from_end = frame.min(frames - 1 - frame);
        *lift *= (from_end as f32 / (window + 1) as f32).min(1.0);
    }
    lifts
}

/// A value for each frame from those within a window around it.
fn around(values: &[f32], window: usize, of: impl Fn(&[f32]) -> f32) -> Vec<f32> {
    let frames = |frame: usize| frame.saturating_sub(window)..(frame + window + 1).min(values.len());
    (0..values.len()).map(|frame| of(values.get(frames(frame)).unwrap_or_default())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feet_over_the_floor_stay() {
        assert!(lifts_m(&[0.0, 0.1, -0.005, 0.0], 30.0).iter().all(|lift| *lift == 0.0));
        assert!(lifts_m(&[], 30.0).is_empty());
        assert_eq!(lifts_m(&[-0.2], 30.0), [0.0]);
    }

    #[test]
    fn a_foot_in_the_floor_is_lifted_without_a_jump() {
        let dip = |frame: usize| -0.12 * (std::f32::consts::PI * frame as f32 / 60.0).sin();
        let heights: Vec<f32> = (0..=60).map(dip).collect();
        let lifts = lifts_m(&heights, 60.0);
        assert_eq!((lifts[0], lifts[60]), (0.0, 0.0));
        for (height, lift) in heights.iter().zip(&lifts).skip(7).take(47) {
            assert!(height + lift > -TOLERANCE_M - 1e-6 && *lift < 0.13, "{height} {lift}");
        }
        assert!(lifts.windows(2).all(|two| (two[1] - two[0]).abs() < 0.015), "{lifts:?}");
    }

    #[test]
    fn the_depth_of_the_given_poses_is_kept() {
        assert!(lifts_m(&[-0.05; 40], 30.0).iter().all(|lift| *lift == 0.0));
        let deeper: Vec<f32> = (0..40).map(|frame| if frame == 20 { -0.08 } else { -0.05 }).collect();
        assert!((lifts_m(&deeper, 30.0)[20] - 0.03).abs() < 1e-6);
    }
}
