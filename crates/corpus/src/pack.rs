//! A rotation in eight bytes.
//!
//! A unit quaternion is given by its three components of smallest size: the fourth follows from the length. None of the
//! three is larger than 1/√2, so each is kept in 20 bits as a step of a grid over −1/√2..1/√2 with 0 in its middle, with 2
//! bits for which component was left out and 1 for its sign. The sign is kept since clips are sign-continuous, so that what is unpacked
//! is on the side that was packed.
//!
//! A component is off by at most half a step, 0.68 · 10⁻⁶; the rotation by less than 4 · 10⁻⁶ radians, which is 4 µm
//! at a metre.
//!
//! | bits | what |
//! |---|---|
//! | 0–19, 20–39, 40–59 | the three components in order x y z w, each as 2¹⁹ + its step, −(2¹⁹−1)..2¹⁹−1 |
//! | 60–61 | which component is left out: 0 x, 1 y, 2 z, 3 w |
//! | 62 | 1 if that component is negative |
//! | 63 | 0 |

use marey_motion::Quat;

/// The largest step.
const STEPS: f64 = ((1u64 << 19) - 1) as f64;

/// The offset of step 0.
const MIDDLE: f64 = (1u64 << 19) as f64;

/// Maximum size of a component other than the largest.
const REACH: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// Packs a unit quaternion.
pub(crate) fn pack(q: Quat) -> u64 {
    let c = q.to_array().map(f64::from);
    let [x, y, z, w] = c.map(f64::abs);
    // The first of equal components, so that equal quaternions pack to equal bits.
    let (largest, rest) = if x >= y && x >= z && x >= w {
        (0u64, [c[1], c[2], c[3]])
    } else if y >= z && y >= w {
        (1, [c[0], c[2], c[3]])
    } else if z >= w {
        (2, [c[0], c[1], c[3]])
    } else {
        (3, [c[0], c[1], c[2]])
    };
    let negative = match largest {
        0 => c[0] < 0.0,
        1 => c[1] < 0.0,
        2 => c[2] < 0.0,
        _ => c[3] < 0.0,
    };
    let [a, b, c] = rest.map(step_of);
    a | b << 20 | c << 40 | largest << 60 | u64::from(negative) << 62
}

/// Unpacks a quaternion; `None` for bits that [`pack`] never makes.
pub(crate) fn unpack(bits: u64) -> Option<Quat> {
    if bits >> 63 != 0 {
        return None;
    }
    let [a, b, c] = [bits, bits >> 20, bits >> 40].map(component_of);
    let rest = 1.0 - (a * a + b * b + c * c);
    // The square of the largest component is at least 1/4; rounding cannot bring it below 0.2.
    if rest < 0.2 {
        return None;
    }
    let sign = if bits >> 62 & 1 == 0 { 1.0 } else { -1.0 };
    let d = sign * rest.sqrt();
    let [x, y, z, w] = match bits >> 60 & 3 {
        0 => [d, a, b, c],
        1 => [a, d, b, c],
        2 => [a, b, d, c],
        _ => [a, b, c, d],
    };
    Some(Quat::from_xyzw(x as f32, y as f32, z as f32, w as f32))
}

fn step_of(component: f64) -> u64 {
    (((component / REACH).clamp(-1.0, 1.0) * STEPS).round() + MIDDLE) as u64
}

fn component_of(bits: u64) -> f64 {
    ((bits & ((1 << 20) - 1)) as f64 - MIDDLE) / STEPS * REACH
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The angle between two rotations, computed from their difference: an arc cosine would lose it to rounding.
    fn angle_rad(a: Quat, b: Quat) -> f32 {
        2.0 * (a - b).length()
    }

    #[test]
    fn corners_of_the_grid_are_met() {
        let half = 0.5f32.sqrt();
        for q in [
            Quat::IDENTITY,
            -Quat::IDENTITY,
            Quat::from_xyzw(0.5, 0.5, 0.5, 0.5),
            Quat::from_xyzw(-0.5, 0.5, -0.5, 0.5),
            Quat::from_xyzw(half, half, 0.0, 0.0),
            Quat::from_xyzw(0.0, half, 0.0, -half),
        ] {
            let back = unpack(pack(q)).unwrap();
            assert!(angle_rad(q, back) < 4e-6, "{q} {back}");
        }
        assert_eq!(unpack(pack(Quat::IDENTITY)), Some(Quat::IDENTITY));
        assert_eq!(unpack(u64::MAX), None);
        assert_eq!(unpack((1 << 60) - 1), None);
    }

    proptest! {
        #[test]
        fn what_is_unpacked_is_what_was_packed_within_4_microradians(
            c in prop::array::uniform4(-1f32..1.0).prop_filter("long enough", |c| c.iter().map(|x| x * x).sum::<f32>() > 0.01),
        ) {
            let q = Quat::from_array(c).normalize();
            let back = unpack(pack(q)).unwrap();
            prop_assert!(angle_rad(q, back) < 4e-6);
            prop_assert!((back.length() - 1.0).abs() < 1e-6);
        }
    }
}
