//! Writes BVH.

use std::collections::HashSet;

use glam::{Quat, Vec3};
use marey_conventions::Unit;
use marey_motion::{Actor, Clip, Place, Report, Skeleton, Take};
use marey_ops::t_pose::zero_pose_stands;
use marey_ops::zero_rest::with_zero_rest;

use super::actor_prefix::{SEPARATOR, make_unique};
use super::euler_angles::angles_of;
use super::position_channels::{Mover, clearly_replace};
use super::rotation_order::letter;
use super::unit_mark::mark_of;
use super::{RotationOrder, codes};

/// Options of the BVH writer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BvhOptions {
    /// Order of the rotation channels of every joint. Default `zxy`.
    pub order: RotationOrder,
    /// Decimals, 1 to 9. Default 6: angles to a millionth of a degree, lengths to 10 nm in centimetres.
    pub decimals: usize,
    /// Unit of length. Default centimetres, which most tools expect.
    pub unit: Unit,
}

impl Default for BvhOptions {
    fn default() -> Self {
        Self { order: RotationOrder::default(), decimals: 6, unit: Unit::Centimetre }
    }
}

/// Writes a take, one ROOT for each actor.
///
/// The root has a zero OFFSET and world positions, which all readers interpret in the same way. Other joints with animated
/// translation get position channels that replace their OFFSET. If values are so far from the OFFSET that a reader would add them,
/// that OFFSET is zero too. Angles are continuous from frame to frame for up to ten turns. Joint names are unique, with the name of
/// the actor as a prefix if there are several. The report lists joints that were renamed or lost their OFFSET.
///
/// The rest pose of a BVH is that of joints without rotation. Joint frames are kept if a person stands in it; otherwise, as for most
/// characters, they are turned so that it becomes the skeleton's rest pose.
pub fn write(take: &Take, options: &BvhOptions) -> (Vec<u8>, Report) {
    let mut report = Report::default();
    let actors: Vec<Actor> = take.actors().iter().map(with_standing_zero_pose).collect();
    let style = Style::of(options);
    let mut out = Vec::new();
    out.extend_from_slice(format!("HIERARCHY{}\n", mark_of(take, options.unit)).as_bytes());
    let prefixes = actor_prefixes(take, &mut report);
    for (actor, prefix) in actors.iter().zip(&prefixes) {
        let offsets = offsets_as_written(&actor.clip, style, &mut report);
        let names = plain_names(actor.clip.skeleton(), &mut report);
        let names: Vec<String> = names.into_iter().map(|name| format!("{prefix}{name}")).collect();
        write_tree(&mut out, actor.clip.skeleton(), &names, &offsets, style);
    }
    out.extend_from_slice(format!("MOTION\nFrames: {}\n", take.frames()).as_bytes());
    out.extend_from_slice(format!("Frame Time: {}\n", period_text(take.rate_hz())).as_bytes());
    let mut tables: Vec<Table<'_>> = actors.iter().map(Table::new).collect();
    for frame in 0..take.frames() {
        for (i, table) in tables.iter_mut().enumerate() {
            if i > 0 {
                out.push(b' ');
            }
            table.write_frame(&mut out, frame, style);
        }
        out.push(b'\n');
    }
    (out, report)
}

/// The actor with joint frames in which joints without rotation form its rest pose, unless they stand already.
fn with_standing_zero_pose(actor: &Actor) -> Actor {
    let skeleton = actor.clip.skeleton();
    let is_plain = skeleton.joints().iter().all(|joint| joint.rest_rotation == Quat::IDENTITY);
    if is_plain || zero_pose_stands(skeleton) {
        return actor.clone();
    }
    // Turning frames fails only if numbers overflow.
    let clip = with_zero_rest(&actor.clip).unwrap_or_else(|_| actor.clip.clone());
    Actor { name: actor.name.clone(), clip }
}

/// The options, converted for writing.
#[derive(Clone, Copy)]
struct Style {
    order: RotationOrder,
    /// Units per metre.
    per_metre: f64,
    decimals: usize,
}

impl Style {
    fn of(options: &BvhOptions) -> Self {
        let per_metre = 1.0 / options.unit.metres();
        Self { order: options.order, per_metre, decimals: options.decimals.clamp(1, 9) }
    }

    /// A length in metres, converted to the output unit and rounded to the output precision.
    fn rounded(self, metres: Vec3) -> Vec3 {
        let scale = 10f64.powi(self.decimals as i32);
        (metres.as_dvec3() * self.per_metre * scale).round().as_vec3() / scale as f32
    }
}

/// A period with enough digits to restore the rate.
fn period_text(rate_hz: f64) -> String {
    format!("{:.9}", 1.0 / rate_hz)
}

/// The OFFSET of each joint: its own, or zero if a reader would misinterpret its position channels.
fn offsets_as_written(clip: &Clip, style: Style, report: &mut Report) -> Vec<Vec3> {
    let skeleton = clip.skeleton();
    let mut offsets = skeleton.offsets().to_vec();
    if let Some(root) = offsets.first_mut() {
        *root = Vec3::ZERO;
    }
    if can_readers_infer_replace(clip, style) {
        return offsets;
    }
    for &joint in skeleton.movers().iter().skip(1) {
        if let (Some(offset), Some(data)) = (offsets.get_mut(joint), skeleton.joints().get(joint)) {
            let message = format!("the OFFSET of {:?} is written as zero", data.name);
            report.warn(&codes::REST_OFFSET, Place::default().joint(&data.name), message);
            *offset = Vec3::ZERO;
        }
    }
    offsets
}

/// Whether a reader can infer from the written values that positions of joints below the root replace their OFFSETs.
fn can_readers_infer_replace(clip: &Clip, style: Style) -> bool {
    let (movers, offsets) = (clip.skeleton().movers(), clip.skeleton().offsets());
    if movers.len() < 2 {
        return true;
    }
    let values: Vec<Vec3> = clip.positions().iter().map(|place| style.rounded(*place)).collect();
    let mover = |(index, &joint): (usize, &usize)| {
        let offset = style.rounded(*offsets.get(joint)?);
        Some(Mover { offset, axes: Vec3::ONE, values: &values, stride: movers.len(), index })
    };
    clearly_replace(&movers.iter().enumerate().skip(1).filter_map(mover).collect::<Vec<Mover<'_>>>())
}

/// Writes the joints of one skeleton, depth first, without recursion.
fn write_tree(out: &mut Vec<u8>, skeleton: &Skeleton, names: &[String], offsets: &[Vec3], style: Style) {
    let [a, b, c] = style.order.axes().map(letter);
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
        let name = names.get(joint).map_or("_", String::as_str);
        indent(out, depth);
        out.extend_from_slice(format!("{} {name}\n", if joint == 0 { "ROOT" } else { "JOINT" }).as_bytes());
        indent(out, depth);
        out.extend_from_slice(b"{\n");
        write_offset(out, depth + 1, offsets.get(joint).copied().unwrap_or_default(), style);
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
            write_offset(out, depth + 2, tip.offset, style);
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

fn write_offset(out: &mut Vec<u8>, depth: usize, offset: Vec3, style: Style) {
    indent(out, depth);
    out.extend_from_slice(b"OFFSET");
    for value in offset.to_array() {
        out.push(b' ');
        push_fixed(out, f64::from(value) * style.per_metre, style.decimals);
    }
    out.push(b'\n');
}

/// Unique joint names that every reader accepts, without blanks, braces and comment signs.
fn plain_names(skeleton: &Skeleton, report: &mut Report) -> Vec<String> {
    let names: Vec<&str> = skeleton.joints().iter().map(|joint| joint.name.as_str()).collect();
    let plain = plain(&names, is_invalid);
    for (name, plain) in names.iter().zip(&plain).filter(|(name, plain)| name != plain) {
        report.warn(
            &codes::RENAMED,
            Place::default().joint(*name),
            format!("{name:?} is written as {plain:?}"),
        );
    }
    plain
}

/// The prefix of each actor's joint names. Empty for a single actor.
fn actor_prefixes(take: &Take, report: &mut Report) -> Vec<String> {
    let names: Vec<&str> = take.actors().iter().map(|actor| actor.name.as_str()).collect();
    if names.len() < 2 {
        return vec![String::new(); names.len()];
    }
    let mut plain = plain(&names, |c| is_invalid(c) || c == SEPARATOR);
    make_unique(&mut plain.iter_mut().collect::<Vec<_>>());
    for (name, plain) in names.iter().zip(&plain).filter(|(name, plain)| name != plain) {
        let message = format!("the actor {name:?} is written as {plain:?}");
        report.warn(&codes::RENAMED, Place::default(), message);
    }
    plain.into_iter().map(|mark| format!("{mark}{SEPARATOR}")).collect()
}

/// Replaces invalid characters by `_`, and appends a number to duplicates.
fn plain(names: &[&str], is_invalid: impl Fn(char) -> bool) -> Vec<String> {
    let is_plain = |name: &str| !name.is_empty() && !name.contains(&is_invalid) && !name.contains("//");
    let mut taken: HashSet<String> =
        names.iter().filter(|name| is_plain(name)).map(|name| (*name).to_owned()).collect();
    let mut plain = |name: &str| {
        if is_plain(name) {
            return name.to_owned();
        }
        let replaced =
            if name.is_empty() { "_".into() } else { name.replace(&is_invalid, "_").replace("//", "__") };
        let mut unique = replaced.clone();
        let mut number = 2;
        while !taken.insert(unique.clone()) {
            unique = format!("{replaced}_{number}");
            number += 1;
        }
        unique
    };
    names.iter().map(|name| plain(name)).collect()
}

/// Whether a character would end a name in a BVH.
fn is_invalid(c: char) -> bool {
    c.is_whitespace() || c.is_control() || matches!(c, '{' | '}' | '#')
}

/// The columns of one actor, and the angles of the previous frame.
struct Table<'a> {
    actor: &'a Actor,
    /// Joints in the order of the written tree.
    joints: Vec<usize>,
    /// The index of each joint among the movers.
    mover: Vec<Option<usize>>,
    past: Vec<Option<[f64; 3]>>,
}

impl<'a> Table<'a> {
    fn new(actor: &'a Actor) -> Self {
        let skeleton = actor.clip.skeleton();
        let joints = depth_first(skeleton);
        let mover = joints.iter().map(|j| skeleton.movers().binary_search(j).ok()).collect();
        let past = vec![None; joints.len()];
        Self { actor, joints, mover, past }
    }

    fn write_frame(&mut self, out: &mut Vec<u8>, frame: usize, style: Style) {
        let pose = self.actor.clip.pose(frame);
        let columns = self.joints.iter().zip(&self.mover).zip(&mut self.past);
        for (i, ((&joint, mover), past)) in columns.enumerate() {
            if i > 0 {
                out.push(b' ');
            }
            if let Some(position) = mover.and_then(|m| pose.positions.get(m)) {
                for value in position.to_array() {
                    push_fixed(out, f64::from(value) * style.per_metre, style.decimals);
                    out.push(b' ');
                }
            }
            let rotation = pose.rotations.get(joint).copied().unwrap_or_default();
            let angles = angles_of(rotation.as_dquat(), style.order, *past);
            *past = Some(angles);
            for (i, angle) in angles.into_iter().enumerate() {
                if i > 0 {
                    out.push(b' ');
                }
                push_fixed(out, angle.to_degrees(), style.decimals);
            }
        }
    }
}

/// Joints in depth-first order.
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

/// Appends a number with a fixed number of decimals; never `-0`.
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
    // Starts at the last digit and writes at least one before the point.
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
