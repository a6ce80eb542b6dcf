//! Distance of poses by the mass distribution of the body.
//!
//! Lamouret and van de Panne, *Motion Synthesis by Example* (1996), section 3.2: a distance of two states
//! that does not depend on the parametrisation of joints is taken between point masses of the body,
//!
//! ```text
//! d_state = Σ_m M_m |p_m − p*_m|²
//! ```
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | M_m | share of a mass in that of the body | 1 |
//! | p_m, p*_m | its position in the two poses | m |
//!
//! The masses of a body are in `marey-body`; they add up to 1, so a body shifted by a metre is at a distance of 1 m².
//!
//! Limits: as in the paper, velocities do not count. Poses are compared where they stand; align them first if
//! position does not matter.

use marey_motion::Vec3;

use crate::Result;

/// The mass distance of two states, in square metres times the unit of the masses.
///
/// ```
/// use marey_motion::Vec3;
/// // Three masses: the one of 2 is 3 m off, the one of 1 is 1 m off, the third is in place. 2 × 9 + 1 × 1 = 19.
/// let (p, q) = ([Vec3::ZERO; 3], [Vec3::X * 3.0, Vec3::Y, Vec3::ZERO]);
/// assert_eq!(marey_ops::state::state_distance(&p, &q, &[2.0, 1.0, 5.0])?, 19.0);
/// # Ok::<(), marey_ops::OpsError>(())
/// ```
pub fn state_distance(places: &[Vec3], others: &[Vec3], masses: &[f32]) -> Result<f64> {
    for (what, found) in [("places of masses", others.len()), ("masses", masses.len())] {
        if found != places.len() {
            return Err(marey_motion::MotionError::Length { what, found, wanted: places.len() }.into());
        }
    }
    let squares = places.iter().zip(others).zip(masses);
    Ok(squares.map(|((p, q), &m)| f64::from(m) * f64::from(p.distance_squared(*q))).sum())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn distance_of_shifted_masses_is_their_shift(x in -3f32..3.0, y in -3f32..3.0, share in 0f32..1.0) {
            let here = [Vec3::new(0.1, 1.0, 0.3), Vec3::new(-0.2, 0.4, 0.0)];
            let there = here.map(|place| place + Vec3::new(x, y, 0.0));
            let found = state_distance(&here, &there, &[share, 1.0 - share]).unwrap();
            prop_assert!((found - f64::from(x * x + y * y)).abs() < 1e-4 * (1.0 + found));
        }
    }

    #[test]
    fn lists_of_different_lengths_are_rejected() {
        assert!(state_distance(&[Vec3::X], &[], &[1.0]).is_err());
        assert!(state_distance(&[Vec3::X], &[Vec3::Y], &[]).is_err());
    }
}
