//! Redundancy test of examples.
//!
//! Lamouret and van de Panne, *Motion Synthesis by Example* (1996), section 2, question 4: a database stays
//! small if a motion is added only after a redundancy test. Here the test is that no existing example is
//! within a threshold, by the aligned distance of [`crate::cloud`].
//!
//! Limits: the result depends on the order of insertion. Every rejected example is within the threshold of
//! one that is kept, and no two kept ones are.

use rayon::prelude::*;

use crate::cloud::Cloud;
use crate::{OutOfRange, Result};

/// An existing example that covers a new one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Covered {
    /// Index of the existing example.
    pub by: usize,
    /// Its distance, in metres.
    pub metres: f32,
}

/// The nearest existing example if it is within a threshold in metres (0 to 100); the first of several. All
/// need the same weights; other lengths are resampled.
///
/// ```
/// use marey_motion::Vec3;
/// use marey_ops::{cloud::Cloud, reduction::redundancy::covered};
/// // Sticks of 2, 3 and 2.2 m: the last differs from the first by 10 cm at each end.
/// let stick = |metres: f32| Cloud::new(vec![Vec3::ZERO, Vec3::X * metres], vec![1.0]);
/// let there = [stick(2.0)?, stick(3.0)?];
/// let found = covered(&stick(2.2)?, &there, 0.15)?.unwrap();
/// assert!(found.by == 0 && (found.metres - 0.1).abs() < 1e-6);
/// assert_eq!(covered(&stick(2.2)?, &there, 0.05)?, None);
/// # Ok::<(), marey_ops::OpsError>(())
/// ```
pub fn covered(new: &Cloud, there: &[Cloud], threshold_m: f32) -> Result<Option<Covered>> {
    OutOfRange::check("threshold_m", threshold_m, 0.0..=100.0)?;
    let metres: Vec<f32> = there
        .par_iter()
        .map(|cloud| new.aligned(cloud).map(|aligned| aligned.rms_m()))
        .collect::<Result<_>>()?;
    let all = metres.into_iter().enumerate().map(|(by, metres)| Covered { by, metres });
    let nearest = all.reduce(|best, next| if next.metres < best.metres { next } else { best });
    Ok(nearest.filter(|nearest| nearest.metres <= threshold_m))
}

/// The indices of the examples that are kept if each is added only if none covers it; ascending.
pub fn kept_on_insertion(clouds: &[Cloud], threshold_m: f32) -> Result<Vec<usize>> {
    let (mut kept, mut there): (Vec<usize>, Vec<Cloud>) = (Vec::new(), Vec::new());
    for (i, cloud) in clouds.iter().enumerate() {
        if covered(cloud, &there, threshold_m)?.is_none() {
            kept.push(i);
            there.push(cloud.clone());
        }
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use marey_motion::Vec3;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn rejected_examples_are_covered_and_kept_ones_apart(
            lengths in proptest::collection::vec(1f32..3.0, 0..30), threshold_m in 0.01f32..0.5,
        ) {
            let stick = |metres: f32| Cloud::new(vec![Vec3::ZERO, Vec3::X * metres], vec![1.0]).unwrap();
            let clouds: Vec<Cloud> = lengths.iter().map(|&metres| stick(metres)).collect();
            let kept = kept_on_insertion(&clouds, threshold_m).unwrap();
            let apart = |a: usize, b: usize| clouds[a].aligned(&clouds[b]).unwrap().rms_m();
            for i in 0..clouds.len() {
                let near = kept.iter().any(|&k| k < i && apart(i, k) <= threshold_m);
                prop_assert_eq!(near, !kept.contains(&i));
            }
        }
    }

    #[test]
    fn mismatched_clouds_are_rejected() {
        let cloud = |weight| Cloud::new(vec![Vec3::ZERO], vec![weight]).unwrap();
        assert!(covered(&cloud(1.0), &[cloud(2.0)], 0.1).is_err());
        assert!(covered(&cloud(1.0), &[], f32::NAN).is_err());
    }
}
