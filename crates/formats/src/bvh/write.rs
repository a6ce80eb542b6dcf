//! Writing BVH.

use std::fmt;
use std::str::FromStr;

use glam::{DQuat, DVec3, Vec3};
use marey_motion::{Actor, Place, Report, Skeleton, Take};

use super::channel::Axis;
use super::codes;
use crate::Unit;

/// The order of a joint's three rotation channels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "the names are the orders")]
pub enum RotationOrder {
    Xyz,
    Xzy,
    Yxz,
    Yzx,
    /// The order of the format's first examples, and the default.
    #[default]
    Zxy,
    Zyx,
}

impl RotationOrder {
    /// All six.
    pub const ALL: [RotationOrder; 6] = [
        RotationOrder::Xyz,
        RotationOrder::Xzy,
        RotationOrder::Yxz,
        RotationOrder::Yzx,
        RotationOrder::Zxy,
        RotationOrder::Zyx,
    ];

    fn axes(self) -> [Axis; 3] {
        use Axis::{X, Y, Z};
        match self {
            RotationOrder::Xyz => [X, Y, Z],
            RotationOrder::Xzy => [X, Z, Y],
            RotationOrder::Yxz => [Y, X, Z],
            RotationOrder::Yzx => [Y, Z, X],
            RotationOrder::Zxy => [Z, X, Y],
            RotationOrder::Zyx => [Z, Y, X],
        }
    }
}

impl fmt::Display for RotationOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.axes().map(letter).iter().collect::<String>().to_lowercase())
    }
}

impl FromStr for RotationOrder {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|order| order.to_string().eq_ignore_ascii_case(text))
            .ok_or_else(|| format!("{text:?} is not an order of x, y and z, such as zxy"))
    }
}

/// How a BVH is written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BvhOptions {
    /// Order of the rotation channels of every joint. Default `zxy`.
    pub order: RotationOrder,
    /// Digits behind the point, 1 to 9. Default 6: angles to a millionth of a degree, lengths to 10 nm in centimetres.
    pub decimals: usize,
    /// Unit of lengths. Default centimetres, which most tools expect.
    pub unit: Unit,
}

impl Default for BvhOptions {
    fn default() -> Self {
        Self { order: RotationOrder::default(), decimals: 6, unit: Unit::Centimetre }
    }
}

/// Writes a take, one ROOT for each actor.
///
/// The root's OFFSET is written as zero and its position as its place in the world, which every reader understands
/// alike. Other joints with a translation of their own get position channels that replace their OFFSET. Angles
/// run on from frame to frame without jumps. The report says which joints had to be renamed.
pub fn write(take: &Take, options: &BvhOptions) -> (Vec<u8>, Report) {
    let mut report = Report::default();
    let per_metre = 1.0 / options.unit.metres();
    let decimals = options.decimals.clamp(1, 9);
    let mut out = Vec::new();
    out.extend_from_slice(b"HIERARCHY\n");
    for actor in take.actors() {
        write_tree(&mut out, actor.clip.skeleton(), options.order, per_metre, decimals, &mut report);
    }
    out.extend_from_slice(format!("MOTION\nFrames: {}\n", take.frames()).as_bytes());
    out.extend_from_slice(format!("Frame Time: {}\n", period_text(take.rate_hz())).as_bytes());
    let mut tables: Vec<Table<'_>> = take.actors().iter().map(|a| Table::new(a, options.order)).collect();
    for frame in 0..take.frames() {
        for (i, table) in tables.iter_mut().enumerate() {
            if i > 0 {
                out.push(b' ');
            }
            table.write_frame(&mut out, frame, per_metre, decimals);
        }
        out.push(b'\n');
    }
    (out, report)
}

/// A period with enough digits to give the rate again.
fn period_text(rate_hz: f64) -> String {
    format!("{:.9}", 1.0 / rate_hz)
}

/// Writes the joints of one skeleton, depth first, without recursion.
fn write_tree(
    out: &mut Vec<u8>,
    skeleton: &Skeleton,
    order: RotationOrder,
    per_metre: f64,
    decimals: usize,
    report: &mut Report,
) {
    let [a, b, c] = order.axes().map(letter);
    let rotations = format!("{a}rotation {b}rotation {c}rotation");
    let mut todo = vec![Visit::Open(0, 0)];
    while let Some(visit) = todo.pop() {
        let (joint, depth) = match visit {
            Visit::Close(depth) => {
                indent(out, depth);
                out.extend_from_slice(b"}\n");
                continue;
            }
            Visit::Open(joint, depth) => (joint, depth),
        };
        let Some(data) = skeleton.joints().get(joint) else { continue };
        let name = plain_name(&data.name, report);
        indent(out, depth);
        out.extend_from_slice(format!("{} {name}\n", if joint == 0 { "ROOT" } else { "JOINT" }).as_bytes());
        indent(out, depth);
        out.extend_from_slice(b"{\n");
        write_offset(out, depth + 1, if joint == 0 { Vec3::ZERO } else { data.offset }, per_metre, decimals);
        indent(out, depth + 1);
        let channels = if data.moves {
            format!("CHANNELS 6 Xposition Yposition Zposition {rotations}\n")
        } else {
            format!("CHANNELS 3 {rotations}\n")
        };
        out.extend_from_slice(channels.as_bytes());
        for tip in skeleton.tips().iter().filter(|t| t.parent == joint) {
            indent(out, depth + 1);
            out.extend_from_slice(b"End Site\n");
            indent(out, depth + 1);
            out.extend_from_slice(b"{\n");
            write_offset(out, depth + 2, tip.offset, per_metre, decimals);
            indent(out, depth + 1);
            out.extend_from_slice(b"}\n");
        }
        todo.push(Visit::Close(depth));
        let children = skeleton.joints().iter().enumerate().filter(|(_, j)| j.parent == Some(joint));
        todo.extend(children.map(|(child, _)| Visit::Open(child, depth + 1)).rev());
    }
}

enum Visit {
    Open(usize, usize),
    Close(usize),
}

fn indent(out: &mut Vec<u8>, depth: usize) {
    out.extend(std::iter::repeat_n(b'\t', depth));
}

fn write_offset(out: &mut Vec<u8>, depth: usize, offset: Vec3, per_metre: f64, decimals: usize) {
    indent(out, depth);
    out.extend_from_slice(b"OFFSET");
    for value in offset.to_array() {
        out.push(b' ');
        push_fixed(out, f64::from(value) * per_metre, decimals);
    }
    out.push(b'\n');
}

/// A name that every reader takes: no blanks, braces or comment signs.
fn plain_name(name: &str, report: &mut Report) -> String {
    let bad = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '{' | '}' | '#');
    if name.is_empty() || name.contains(bad) || name.contains("//") {
        let plain = if name.is_empty() { "_".into() } else { name.replace(bad, "_").replace("//", "__") };
        report.warn(
            &codes::RENAMED,
            Place::default().joint(name),
            format!("{name:?} is written as {plain:?}"),
        );
        return plain;
    }
    name.to_owned()
}

/// One actor's columns, and the angles of the frame before.
struct Table<'a> {
    actor: &'a Actor,
    order: RotationOrder,
    /// Joints in the order of the tree as written.
    joints: Vec<usize>,
    /// For each joint, its place among the movers.
    mover: Vec<Option<usize>>,
    past: Vec<Option<[f64; 3]>>,
}

impl<'a> Table<'a> {
    fn new(actor: &'a Actor, order: RotationOrder) -> Self {
        let skeleton = actor.clip.skeleton();
        let joints = depth_first(skeleton);
        let mover = joints.iter().map(|j| skeleton.movers().binary_search(j).ok()).collect();
        let past = vec![None; joints.len()];
        Self { actor, order, joints, mover, past }
    }

    fn write_frame(&mut self, out: &mut Vec<u8>, frame: usize, per_metre: f64, decimals: usize) {
        let pose = self.actor.clip.pose(frame);
        let columns = self.joints.iter().zip(&self.mover).zip(&mut self.past);
        for (i, ((&joint, mover), past)) in columns.enumerate() {
            if i > 0 {
                out.push(b' ');
            }
            if let Some(position) = mover.and_then(|m| pose.positions.get(m)) {
                for value in position.to_array() {
                    push_fixed(out, f64::from(value) * per_metre, decimals);
                    out.push(b' ');
                }
            }
            let rotation = pose.rotations.get(joint).copied().unwrap_or_default();
            let angles = angles_of(rotation.as_dquat(), self.order, *past);
            *past = Some(angles);
            for (i, angle) in angles.into_iter().enumerate() {
                if i > 0 {
                    out.push(b' ');
                }
                push_fixed(out, angle.to_degrees(), decimals);
            }
        }
    }
}

/// Joints in the order a tree of nested braces lists them.
fn depth_first(skeleton: &Skeleton) -> Vec<usize> {
    let mut order = Vec::with_capacity(skeleton.len());
    let mut todo = vec![0];
    while let Some(joint) = todo.pop() {
        order.push(joint);
        let children = skeleton.joints().iter().enumerate().filter(|(_, j)| j.parent == Some(joint));
        todo.extend(children.map(|(child, _)| child).rev());
    }
    order
}

/// The three angles of a rotation q = q₁ q₂ q₃ about the order's axes, in radians, nearest to those of the frame before.
fn angles_of(q: DQuat, order: RotationOrder, past: Option<[f64; 3]>) -> [f64; 3] {
    use Axis::{X, Y, Z};
    let axes = order.axes();
    let sign = if matches!(axes, [X, Y, Z] | [Y, Z, X] | [Z, X, Y]) { 1.0 } else { -1.0 };
    let [ei, ej, ek] = axes.map(|axis| match axis {
        X => DVec3::X,
        Y => DVec3::Y,
        Z => DVec3::Z,
    });
    let q = q.normalize();
    // cos b sin c and cos b cos c. Where both vanish, c is free: it stays as it was.
    let (sin_c, cos_c) = (-sign * (q * ej).dot(ei), (q * ei).dot(ei));
    let c = if sin_c.hypot(cos_c) > 1e-6 { sin_c.atan2(cos_c) } else { past.map_or(0.0, |[_, _, c]| c) };
    // What is left without the third turn gives the first two, whatever rounding did to the third.
    let left = q * DQuat::from_axis_angle(ek, -c);
    let a = (sign * (left * ej).dot(ek)).atan2((left * ej).dot(ej));
    let b = (sign * (left * ek).dot(ei)).atan2((left * ei).dot(ei));
    let Some(past) = past else { return [a, b, c] };
    // Each rotation has two triples of angles, and any whole turns: take the nearest.
    let pi = std::f64::consts::PI;
    let candidates = [[a, b, c], [a + pi, pi - b, c + pi]].map(|triple| unwrap_near(triple, past));
    let distance = |t: &[f64; 3]| t.iter().zip(past).map(|(x, p)| (x - p).abs()).sum::<f64>();
    let [first, second] = candidates;
    if distance(&second) + 1e-9 < distance(&first) { second } else { first }
}

/// Adds whole turns to each angle until it is within half a turn of the past.
fn unwrap_near(angles: [f64; 3], past: [f64; 3]) -> [f64; 3] {
    let tau = std::f64::consts::TAU;
    let [a, b, c] = angles;
    let [pa, pb, pc] = past;
    [(a, pa), (b, pb), (c, pc)].map(|(x, p)| x + ((p - x) / tau).round() * tau)
}

fn letter(axis: Axis) -> char {
    match axis {
        Axis::X => 'X',
        Axis::Y => 'Y',
        Axis::Z => 'Z',
    }
}

/// Appends a number with a fixed count of digits behind the point; never `-0`.
fn push_fixed(out: &mut Vec<u8>, value: f64, decimals: usize) {
    let scale = 10f64.powi(decimals as i32);
    let scaled = (value * scale).round();
    if scaled.abs() >= 9e15 {
        out.extend_from_slice(format!("{value:.decimals$}").as_bytes());
        return;
    }
    let mut digits = [b'0'; 20];
    let mut left = scaled.abs() as u64;
    let mut used = 0;
    // From the last digit on, at least one before the point.
    for slot in digits.iter_mut().rev() {
        if left == 0 && used > decimals {
            break;
        }
        *slot = b'0' + (left % 10) as u8;
        left /= 10;
        used += 1;
    }
    if scaled < 0.0 {
        out.push(b'-');
    }
    let text = digits.get(digits.len() - used..).unwrap_or_default();
    let (whole, fraction) = text.split_at_checked(used - decimals).unwrap_or_default();
    out.extend_from_slice(whole);
    out.push(b'.');
    out.extend_from_slice(fraction);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_are_written_as_the_standard_library_does(value in -1e6f64..1e6, decimals in 1usize..9) {
            let mut out = Vec::new();
            push_fixed(&mut out, value, decimals);
            let text = String::from_utf8(out).unwrap();
            let error = (text.parse::<f64>().unwrap() - value).abs();
            prop_assert!(error <= 0.5 * 10f64.powi(-(decimals as i32)) + 1e-9, "{text} for {value}");
            prop_assert_eq!(text.split_once('.').unwrap().1.len(), decimals);
        }

        #[test]
        fn angles_give_the_rotation_again_and_run_on(
            x in -7f64..7.0, y in -7f64..7.0, z in -7f64..7.0, step in -0.2f64..0.2,
        ) {
            for order in RotationOrder::ALL {
                let make = |[a, b, c]: [f64; 3]| {
                    let turns = order.axes().into_iter().zip([a, b, c]).map(|(axis, angle)| match axis {
                        Axis::X => DQuat::from_rotation_x(angle),
                        Axis::Y => DQuat::from_rotation_y(angle),
                        Axis::Z => DQuat::from_rotation_z(angle),
                    });
                    turns.fold(DQuat::IDENTITY, |q, turn| q * turn)
                };
                let q = make([x, y, z]);
                let first = angles_of(q, order, None);
                prop_assert!(make(first).dot(q).abs() > 1.0 - 1e-12);
                let next = angles_of(make([x + step, y, z]), order, Some(first));
                prop_assert!(make(next).dot(make([x + step, y, z])).abs() > 1.0 - 1e-12);
                prop_assert!((next[0] - first[0]).abs() < 3.2);
            }
        }
    }

    #[test]
    fn gimbal_lock_keeps_the_third_angle() {
        for order in RotationOrder::ALL {
            for b in [std::f64::consts::FRAC_PI_2, -std::f64::consts::FRAC_PI_2] {
                let [i, j, k] = order.axes().map(|a| match a {
                    Axis::X => DVec3::X,
                    Axis::Y => DVec3::Y,
                    Axis::Z => DVec3::Z,
                });
                let make = |[a, b, c]: [f64; 3]| {
                    DQuat::from_axis_angle(i, a) * DQuat::from_axis_angle(j, b) * DQuat::from_axis_angle(k, c)
                };
                let q = make([0.3, b, 0.2]);
                let angles = angles_of(q, order, Some([0.3, b, 0.2]));
                assert!(make(angles).dot(q).abs() > 1.0 - 1e-12);
                assert!((angles[2] - 0.2).abs() < 1e-3, "{order}: {angles:?}");
            }
        }
    }

    #[test]
    fn small_numbers_have_no_minus_zero() {
        let mut out = Vec::new();
        for value in [-1e-9, 0.0, -0.5, 12.0] {
            push_fixed(&mut out, value, 2);
            out.push(b' ');
        }
        assert_eq!(out, b"0.00 0.00 -0.50 12.00 ");
    }
}
