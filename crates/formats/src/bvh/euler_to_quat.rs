//! Converts Euler angles in degrees to quaternions.
//!
//! Most of the arithmetic of the BVH reader is here: three sines and cosines per joint and frame. They are computed for a
//! whole frame at once, in loops over flat arrays that the compiler vectorises: reduce the angle by whole turns, then
//! evaluate two short polynomials. A whole turn is half a turn of the half angle, which only changes the sign of the
//! quaternion.

use std::ops::Range;

use glam::Quat;
use wide::f32x4;

use super::channel::Axis;

/// Largest rotation angle in degrees: thousands of turns.
pub(super) const MAX_DEGREES: f32 = 1e6;

/// Sine and cosine of half of each angle, or the negative of both.
///
/// The error is below 2⁻²² for angles within [`MAX_DEGREES`], so that a metre of bone is right to a micrometre. The
/// polynomials are the best of their degrees on ±90°, found by iterated least squares.
fn half_sin_cos(degrees: &[f32], sin: &mut [f32], cos: &mut [f32]) {
    for ((&deg, sin), cos) in degrees.iter().zip(sin).zip(cos) {
        // Adding and subtracting 1.5 × 2²³ rounds to an integer without a function call.
        const ROUND: f32 = 12_582_912.0;
        let turns = (deg * (1.0 / 360.0) + ROUND) - ROUND;
        // Half of the remainder: within ±90°.
        let x = (deg - turns * 360.0) * (std::f32::consts::PI / 360.0);
        let x2 = x * x;
        *sin = x + x
            * x2
            * (-1.666_665_7e-1 + x2 * (8.333_017e-3 + x2 * (-1.980_661_5e-4 + x2 * 2.600_054_8e-6)));
        *cos = 1.0
            + x2 * (-0.5
                + x2 * (4.166_664e-2
                    + x2 * (-1.388_840_4e-3 + x2 * (2.476_188_7e-5 + x2 * -2.607_711_5e-7))));
    }
}

/// Converts the rotation channels of a figure to quaternions, frame by frame.
///
/// If every joint has three channels about three different axes, which is usual, four joints are converted at a time. Other figures
/// are converted joint by joint.
pub(super) struct EulerConverter {
    columns: Columns,
    joints: Joints,
    /// Angles, joint by joint, and their sines and cosines, padded to groups of four joints.
    degrees: Vec<f32>,
    sin: Vec<f32>,
    cos: Vec<f32>,
    /// The number of joints.
    len: usize,
}

/// The columns of a row that contain angles, joint by joint.
enum Columns {
    /// Consecutive columns, as in files in which only the root has positions.
    Run(Range<usize>),
    Scattered(Vec<usize>),
}

enum Joints {
    /// Groups of four joints; the last group may be incomplete.
    Three(Vec<Four>),
    /// The axes of each joint, any number, and its rotation in the previous frame.
    Any(Vec<(Vec<Axis>, Quat)>),
}

/// Four joints of three axes each.
struct Four {
    axes: [[Axis; 3]; 4],
    /// Whether all four joints have the same axes.
    alike: bool,
    /// The sign of the permutation of axes of each joint.
    sign: f32x4,
    /// The rotations of the previous frame: the components about the first axes, the second, the third, and the real parts.
    past: [f32x4; 4],
}

impl EulerConverter {
    /// A converter for joints with these axes and columns, in order of rotation.
    pub(super) fn new(joints: &[Vec<(Axis, usize)>]) -> Self {
        let columns = Columns::of(joints.iter().flatten().map(|(_, column)| *column).collect());
        let axes = |joint: &Vec<(Axis, usize)>| joint.iter().map(|(axis, _)| *axis).collect::<Vec<_>>();
        let three: Option<Vec<[Axis; 3]>> = joints.iter().map(|joint| three_axes(&axes(joint))).collect();
        let plan = match three {
            Some(three) => Joints::Three(three.chunks(4).filter_map(Four::new).collect()),
            None => Joints::Any(joints.iter().map(|joint| (axes(joint), Quat::IDENTITY)).collect()),
        };
        let room = || vec![0.0; joints.iter().map(Vec::len).sum::<usize>().next_multiple_of(12)];
        let (degrees, sin, cos) = (room(), room(), room());
        Self { columns, joints: plan, degrees, sin, cos, len: joints.len() }
    }

    /// The number of joints.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Adds the rotations of a frame, with the sign closer to the previous frame's. `None` if an angle exceeds [`MAX_DEGREES`].
    pub(super) fn convert(&mut self, row: &[f32], rotations: &mut Vec<Quat>) -> Option<()> {
        self.columns.gather(row, &mut self.degrees)?;
        if !self.degrees.iter().fold(true, |ok, d| ok & (d.abs() <= MAX_DEGREES)) {
            return None;
        }
        half_sin_cos(&self.degrees, &mut self.sin, &mut self.cos);
        match &mut self.joints {
            Joints::Three(fours) => {
                let mut left = self.len;
                let angles = self.sin.as_chunks().0.iter().zip(self.cos.as_chunks().0);
                for (four, (sin, cos)) in fours.iter_mut().zip(angles) {
                    let converted = four.convert(first_second_third(sin), first_second_third(cos));
                    match converted.get(..left) {
                        Some(last) => rotations.extend_from_slice(last),
                        None => rotations.extend_from_slice(&converted),
                    }
                    left = left.saturating_sub(4);
                }
            }
            Joints::Any(joints) => {
                let (mut sin, mut cos) = (self.sin.as_slice(), self.cos.as_slice());
                for (axes, past) in joints {
                    let (s, rest_sin) = sin.split_at_checked(axes.len())?;
                    let (c, rest_cos) = cos.split_at_checked(axes.len())?;
                    (sin, cos) = (rest_sin, rest_cos);
                    let q = product(axes, s, c);
                    *past = q * 1f32.copysign(q.dot(*past));
                    rotations.push(*past);
                }
            }
        }
        Some(())
    }
}

impl Columns {
    fn of(columns: Vec<usize>) -> Self {
        let start = columns.first().copied().unwrap_or(0);
        let is_run = columns.iter().enumerate().all(|(i, &column)| column == start + i);
        if is_run { Columns::Run(start..start + columns.len()) } else { Columns::Scattered(columns) }
    }

    /// Copies the values of these columns into consecutive slots.
    fn gather(&self, row: &[f32], side_by_side: &mut [f32]) -> Option<()> {
        match self {
            Columns::Run(range) => {
                side_by_side.get_mut(..range.len())?.copy_from_slice(row.get(range.clone())?);
            }
            Columns::Scattered(columns) => {
                for (value, &column) in side_by_side.iter_mut().zip(columns) {
                    *value = *row.get(column)?;
                }
            }
        }
        Some(())
    }
}

/// Transposes the values of four joints with three values each: all first values, all second, all third.
#[inline(always)]
fn first_second_third(v: &[f32; 12]) -> [f32x4; 3] {
    let [a1, b1, c1, a2, b2, c2, a3, b3, c3, a4, b4, c4] = *v;
    [[a1, a2, a3, a4], [b1, b2, b3, b4], [c1, c2, c3, c4]].map(f32x4::new)
}

impl Four {
    /// A group of one to four joints. Missing joints repeat the last one.
    fn new(joints: &[[Axis; 3]]) -> Option<Self> {
        let last = joints.last()?;
        let axes = [0, 1, 2, 3].map(|i| *joints.get(i).unwrap_or(last));
        let alike = axes.iter().all(|a| a == last);
        let (zero, one) = (f32x4::ZERO, f32x4::ONE);
        Some(Self {
            axes,
            alike,
            sign: f32x4::new(axes.map(permutation_sign)),
            past: [zero, zero, zero, one],
        })
    }

    /// The product q₁ q₂ q₃ for each joint. The components about the first, second and third axis and the real part have the same form
    /// for all six orders, except for the sign of every other term, which is that of the permutation.
    #[inline]
    fn convert(&mut self, [s1, s2, s3]: [f32x4; 3], [c1, c2, c3]: [f32x4; 3]) -> [Quat; 4] {
        let (cc, ss, cs, sc) = (c2 * c3, s2 * s3, c2 * s3, s2 * c3);
        let (e_c1, e_s1) = (self.sign * c1, self.sign * s1);
        let parts = [s1 * cc + e_c1 * ss, c1 * sc - e_s1 * cs, c1 * cs + e_s1 * sc, c1 * cc - e_s1 * ss];
        // Of the two quaternions of each rotation, the one closer to the previous frame.
        let [a, b, c, w] = parts;
        let [pa, pb, pc, pw] = self.past;
        let side = f32x4::ONE.copysign(a * pa + b * pb + c * pc + w * pw);
        self.past = parts.map(|part| part * side);
        if self.alike {
            let [axes, ..] = self.axes;
            f32x4::transpose(to_xyzw(axes, self.past)).map(|q| Quat::from_array(q.to_array()))
        } else {
            let rows = f32x4::transpose(self.past).map(|row| row.to_array());
            let [a, b, c, d] = self.axes;
            let [p, q, r, s] = rows;
            [(a, p), (b, q), (c, r), (d, s)].map(|(axes, row)| Quat::from_array(to_xyzw(axes, row)))
        }
    }
}

/// The axes, if they are three different ones.
fn three_axes(axes: &[Axis]) -> Option<[Axis; 3]> {
    match axes {
        &[a, b, c] if a != b && b != c && a != c => Some([a, b, c]),
        _ => None,
    }
}

/// 1 if the axes are a cyclic permutation of X Y Z, −1 if they are reversed.
fn permutation_sign(axes: [Axis; 3]) -> f32 {
    use Axis::{X, Y, Z};
    if matches!(axes, [X, Y, Z] | [Y, Z, X] | [Z, X, Y]) { 1.0 } else { -1.0 }
}

/// Reorders the components about the first, second and third axis to X, Y and Z. The real part stays last.
#[inline]
fn to_xyzw<T>(axes: [Axis; 3], [a, b, c, w]: [T; 4]) -> [T; 4] {
    use Axis::{X, Y, Z};
    match axes {
        [X, Y, _] => [a, b, c, w],
        [X, ..] => [a, c, b, w],
        [Y, X, _] => [b, a, c, w],
        [Y, ..] => [c, a, b, w],
        [Z, X, _] => [b, c, a, w],
        [Z, ..] => [c, b, a, w],
    }
}

/// The rotation by any number of axes.
fn product(axes: &[Axis], sin: &[f32], cos: &[f32]) -> Quat {
    axes.iter().zip(sin).zip(cos).fold(Quat::IDENTITY, |q, ((axis, &s), &c)| {
        q * match axis {
            Axis::X => Quat::from_xyzw(s, 0.0, 0.0, c),
            Axis::Y => Quat::from_xyzw(0.0, s, 0.0, c),
            Axis::Z => Quat::from_xyzw(0.0, 0.0, s, c),
        }
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn sines_and_cosines_are_accurate_in_the_whole_range() {
        let degrees: Vec<f32> =
            (-80_000..80_000).map(|i| i as f32 * 0.0173).chain([1e6, -1e6, 999_999.9]).collect();
        let (mut sin, mut cos) = (vec![0.0; degrees.len()], vec![0.0; degrees.len()]);
        half_sin_cos(&degrees, &mut sin, &mut cos);
        for ((d, s), c) in degrees.iter().zip(sin).zip(cos) {
            let (true_s, true_c) = (f64::from(*d) * std::f64::consts::PI / 360.0).sin_cos();
            let sign = f64::from(s).mul_add(true_s, f64::from(c) * true_c).signum();
            assert!((f64::from(s) - sign * true_s).abs() < 2.4e-7, "sin of half {d}: {s} for {true_s}");
            assert!((f64::from(c) - sign * true_c).abs() < 2.4e-7, "cos of half {d}: {c} for {true_c}");
        }
    }

    proptest! {
        #[test]
        fn groups_of_four_equal_single_joints(
            rows in proptest::collection::vec(proptest::collection::vec(-400f32..400.0, 18), 1..4),
        ) {
            use Axis::{X, Y, Z};
            let orders = [[X, Y, Z], [Y, Z, X], [Z, X, Y], [X, Z, Y], [Z, Y, X], [Y, X, Z]];
            let joint = |i: usize| orders[i].iter().enumerate().map(|(k, axis)| (*axis, 3 * i + k)).collect();
            let joints: Vec<Vec<(Axis, usize)>> = (0..6).map(joint).collect();
            let mut fast = EulerConverter::new(&joints);
            // A joint without channels forces the slow path.
            let mut slow = EulerConverter::new(&[joints, vec![vec![]]].concat());
            for row in &rows {
                let (mut by_fast, mut by_slow) = (Vec::new(), Vec::new());
                prop_assert!(fast.convert(row, &mut by_fast).is_some() && slow.convert(row, &mut by_slow).is_some());
                prop_assert_eq!((by_fast.len(), by_slow.len()), (6, 7));
                for (a, b) in by_fast.iter().zip(&by_slow) {
                    prop_assert!((*a - *b).length() < 1e-6);
                }
            }
        }
    }

    #[test]
    fn huge_angles_are_refused() {
        let mut converter = EulerConverter::new(&[vec![(Axis::X, 0)]]);
        assert!(converter.convert(&[1e6], &mut Vec::new()).is_some());
        assert!(converter.convert(&[1.1e6], &mut Vec::new()).is_none());
    }
}
