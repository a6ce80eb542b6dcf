//! From angles in degrees, channel by channel, to quaternions.
//!
//! Almost all the arithmetic of reading a BVH is here: three sines and cosines a joint and frame. They are taken for
//! a whole frame at once, in plain loops over flat arrays that the compiler turns into vector instructions: reduce the
//! angle to ±45° by exact steps of 90°, take two short polynomials, and put the quadrant back without a branch.

use glam::Quat;
use wide::f32x4;

use super::channel::Axis;

/// Rotation angles beyond this many degrees are refused: it is thousands of turns.
pub(super) const MAX_DEGREES: f32 = 1e6;

/// Sine and cosine of half of each angle.
///
/// The error is below 2⁻²² for angles within [`MAX_DEGREES`], so that a metre of bone is right to a micrometre.
pub(super) fn half_sin_cos(degrees: &[f32], sin: &mut [f32], cos: &mut [f32]) {
    for ((&deg, sin), cos) in degrees.iter().zip(sin).zip(cos) {
        // Adding and taking away 1.5 × 2²³ rounds to a whole number, without a call.
        const ROUND: f32 = 12_582_912.0;
        let turns = deg * (1.0 / 180.0);
        let shifted = turns + ROUND;
        let quarter = shifted - ROUND;
        // The low bits of the shifted number are the quadrant of the half angle.
        let quadrant = shifted.to_bits();
        // The half angle less whole quarters: within ±45°.
        let x = (deg - quarter * 180.0) * (std::f32::consts::PI / 360.0);
        let x2 = x * x;
        // Minimax polynomials on ±π/4, as in the Cephes library (S. Moshier): sin x / x and cos x.
        let s = x + x * x2 * (-1.666_665_5e-1 + x2 * (8.332_161e-3 + x2 * -1.951_529_6e-4));
        let c = 1.0 + x2 * (-0.5 + x2 * (4.166_664_6e-2 + x2 * (-1.388_731_6e-3 + x2 * 2.443_315_7e-5)));
        let swap = (quadrant & 1) != 0;
        let (a, b) = if swap { (c, s) } else { (s, c) };
        let sign_sin = (quadrant & 2) << 30;
        let sign_cos = (quadrant.wrapping_add(1) & 2) << 30;
        *sin = f32::from_bits(a.to_bits() ^ sign_sin);
        *cos = f32::from_bits(b.to_bits() ^ sign_cos);
    }
}

/// Turns a figure's rotation channels into quaternions, a frame at a time.
///
/// Where every joint has three channels about three axes, which is the rule, four joints are worked on side by side:
/// the first angles of all joints come first, then the second, then the third. Other figures are worked out joint by
/// joint.
pub(super) struct Turner {
    /// The columns of each joint's first angle, then of each one's second, then third; or joint by joint.
    columns: Vec<usize>,
    joints: Joints,
    degrees: Vec<f32>,
    sin: Vec<f32>,
    cos: Vec<f32>,
    /// The rotations of the last frame.
    rotations: Vec<Quat>,
}

enum Joints {
    /// Joints by fours; the last four may be short of some, which then repeat the last joint.
    Three(Vec<Four>),
    /// Any number of axes for each joint.
    Any(Vec<Vec<Axis>>),
}

/// Four joints of three axes each.
struct Four {
    axes: [[Axis; 3]; 4],
    /// Whether all four have the same axes.
    alike: bool,
    /// The sign of each one's permutation of axes.
    sign: f32x4,
    /// The rotations of the last frame: all parts about first axes, then second, third, and the real parts.
    past: [f32x4; 4],
}

impl Turner {
    /// For joints that each have these axes in these columns, in the order in which they turn it.
    pub(super) fn new(joints: &[Vec<(Axis, usize)>]) -> Self {
        let three: Option<Vec<[(Axis, usize); 3]>> = joints.iter().map(|j| three_axes(j)).collect();
        let (columns, plan): (Vec<usize>, Joints) = match three {
            Some(mut three) => {
                while let Some(last) = three.last().filter(|_| !three.len().is_multiple_of(4)) {
                    three.push(*last);
                }
                let plane = |i: usize| three.iter().filter_map(move |j| j.get(i)).map(|(_, column)| *column);
                let columns = [0, 1, 2].into_iter().flat_map(plane).collect();
                let axes: Vec<[Axis; 3]> = three.iter().map(|j| j.map(|(axis, _)| axis)).collect();
                (columns, Joints::Three(axes.as_chunks().0.iter().map(|axes| Four::new(*axes)).collect()))
            }
            None => {
                let axes = joints.iter().map(|j| j.iter().map(|(axis, _)| *axis).collect()).collect();
                (joints.iter().flatten().map(|(_, column)| *column).collect(), Joints::Any(axes))
            }
        };
        let room = || vec![0.0; columns.len()];
        let (degrees, sin, cos) = (room(), room(), room());
        Self { columns, joints: plan, degrees, sin, cos, rotations: vec![Quat::IDENTITY; joints.len()] }
    }

    /// How many joints there are.
    pub(super) fn len(&self) -> usize {
        self.rotations.len()
    }

    /// The rotations of a frame, each on the same side as that of the frame before. `None` where an angle is beyond
    /// [`MAX_DEGREES`].
    pub(super) fn turn(&mut self, row: &[f32]) -> Option<&[Quat]> {
        for (degrees, &column) in self.degrees.iter_mut().zip(&self.columns) {
            *degrees = *row.get(column)?;
        }
        if !self.degrees.iter().fold(true, |ok, d| ok & (d.abs() <= MAX_DEGREES)) {
            return None;
        }
        half_sin_cos(&self.degrees, &mut self.sin, &mut self.cos);
        let (mut sin, mut cos) = (self.sin.as_slice(), self.cos.as_slice());
        match &mut self.joints {
            Joints::Three(fours) => {
                let (sin, cos) = (thirds(sin)?, thirds(cos)?);
                for (i, (four, out)) in fours.iter_mut().zip(self.rotations.chunks_mut(4)).enumerate() {
                    let load = |planes: [&[f32]; 3]| -> Option<[f32x4; 3]> {
                        let [a, b, c] = planes.map(|p| p.as_chunks().0.get(i).map(|four| f32x4::new(*four)));
                        Some([a?, b?, c?])
                    };
                    for (q, rotation) in out.iter_mut().zip(four.turn(load(sin)?, load(cos)?)) {
                        *q = rotation;
                    }
                }
            }
            Joints::Any(joints) => {
                for (past, axes) in self.rotations.iter_mut().zip(joints) {
                    let (s, rest_sin) = sin.split_at_checked(axes.len())?;
                    let (c, rest_cos) = cos.split_at_checked(axes.len())?;
                    (sin, cos) = (rest_sin, rest_cos);
                    let q = one_by_one(axes, s, c);
                    *past = q * 1f32.copysign(q.dot(*past));
                }
            }
        }
        Some(&self.rotations)
    }
}

impl Four {
    fn new(axes: [[Axis; 3]; 4]) -> Self {
        let alike = axes.iter().all(|a| Some(a) == axes.first());
        let (zero, one) = (f32x4::ZERO, f32x4::ONE);
        Self { axes, alike, sign: f32x4::new(axes.map(permutation_sign)), past: [zero, zero, zero, one] }
    }

    /// q₁ q₂ q₃ multiplied out for each joint. The parts about the first, second and third axis and the real part have
    /// the same form for all six orders, but for the sign of every other term, which is that of the permutation.
    #[inline]
    fn turn(&mut self, [s1, s2, s3]: [f32x4; 3], [c1, c2, c3]: [f32x4; 3]) -> [Quat; 4] {
        let (cc, ss, cs, sc) = (c2 * c3, s2 * s3, c2 * s3, s2 * c3);
        let (e_c1, e_s1) = (self.sign * c1, self.sign * s1);
        let parts = [s1 * cc + e_c1 * ss, c1 * sc - e_s1 * cs, c1 * cs + e_s1 * sc, c1 * cc - e_s1 * ss];
        // Of the two quaternions for each rotation, the one on the side of the frame before.
        let [a, b, c, w] = parts;
        let [pa, pb, pc, pw] = self.past;
        let side = f32x4::ONE.copysign(a * pa + b * pb + c * pc + w * pw);
        self.past = parts.map(|part| part * side);
        if self.alike {
            let [axes, ..] = self.axes;
            f32x4::transpose(in_place(axes, self.past)).map(|q| Quat::from_array(q.to_array()))
        } else {
            let rows = f32x4::transpose(self.past).map(|row| row.to_array());
            let [a, b, c, d] = self.axes;
            let [p, q, r, s] = rows;
            [(a, p), (b, q), (c, r), (d, s)].map(|(axes, row)| Quat::from_array(in_place(axes, row)))
        }
    }
}

/// An array of three parts of equal length.
fn thirds(all: &[f32]) -> Option<[&[f32]; 3]> {
    let (first, rest) = all.split_at_checked(all.len() / 3)?;
    let (second, third) = rest.split_at_checked(all.len() / 3)?;
    Some([first, second, third])
}

/// The joint's channels where they are three about different axes.
fn three_axes(channels: &[(Axis, usize)]) -> Option<[(Axis, usize); 3]> {
    match channels {
        &[a, b, c] if a.0 != b.0 && b.0 != c.0 && a.0 != c.0 => Some([a, b, c]),
        _ => None,
    }
}

/// 1 where the axes are X Y Z in turn, from whichever; −1 where they are in reverse.
fn permutation_sign(axes: [Axis; 3]) -> f32 {
    use Axis::{X, Y, Z};
    if matches!(axes, [X, Y, Z] | [Y, Z, X] | [Z, X, Y]) { 1.0 } else { -1.0 }
}

/// The parts about the first, second and third axis as parts about X, Y and Z; the real part stays the last.
#[inline]
fn in_place<T>(axes: [Axis; 3], [a, b, c, w]: [T; 4]) -> [T; 4] {
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

/// One axis after another.
fn one_by_one(axes: &[Axis], sin: &[f32], cos: &[f32]) -> Quat {
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
    fn sines_and_cosines_are_right_everywhere() {
        let degrees: Vec<f32> =
            (-80_000..80_000).map(|i| i as f32 * 0.0173).chain([1e6, -1e6, 999_999.9]).collect();
        let (mut sin, mut cos) = (vec![0.0; degrees.len()], vec![0.0; degrees.len()]);
        half_sin_cos(&degrees, &mut sin, &mut cos);
        for ((d, s), c) in degrees.iter().zip(sin).zip(cos) {
            let (true_s, true_c) = (f64::from(*d) * std::f64::consts::PI / 360.0).sin_cos();
            assert!((f64::from(s) - true_s).abs() < 2.4e-7, "sin of half {d}: {s} for {true_s}");
            assert!((f64::from(c) - true_c).abs() < 2.4e-7, "cos of half {d}: {c} for {true_c}");
        }
    }

    proptest! {
        #[test]
        fn side_by_side_equals_one_by_one(
            rows in proptest::collection::vec(proptest::collection::vec(-400f32..400.0, 18), 1..4),
        ) {
            use Axis::{X, Y, Z};
            let orders = [[X, Y, Z], [Y, Z, X], [Z, X, Y], [X, Z, Y], [Z, Y, X], [Y, X, Z]];
            let joint = |i: usize| orders[i].iter().enumerate().map(|(k, axis)| (*axis, 3 * i + k)).collect();
            let joints: Vec<Vec<(Axis, usize)>> = (0..6).map(joint).collect();
            let mut quick = Turner::new(&joints);
            // A joint without channels puts the same figure on the slow way.
            let mut slow = Turner::new(&[joints, vec![vec![]]].concat());
            for row in &rows {
                let (quick, slow) = (quick.turn(row).unwrap(), slow.turn(row).unwrap());
                prop_assert_eq!(slow.len(), 7);
                for (a, b) in quick.iter().zip(slow) {
                    prop_assert!((*a - *b).length() < 1e-6);
                }
            }
        }
    }

    #[test]
    fn huge_angles_are_refused() {
        let mut turner = Turner::new(&[vec![(Axis::X, 0)]]);
        assert!(turner.turn(&[1e6]).is_some());
        assert!(turner.turn(&[1.1e6]).is_none());
    }
}
