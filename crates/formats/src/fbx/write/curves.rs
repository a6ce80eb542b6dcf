//! Writes motion as animation curves.

use super::document::{FrameTimes, properties};
use super::figure::{Figure, FigureIds, beyond_rest};
use super::objects::Objects;
use super::records::{Records, Value};
use super::{CM_PER_M, euler_degrees};

/// Properties of a curve's channels.
const CHANNELS: [&str; 3] = ["d|X", "d|Y", "d|Z"];

/// The attribute of keys with linear interpolation.
const LINEAR: i32 = 4;

/// Writes the animation of a take: a stack with one layer.
pub(super) fn write_animation(
    take: &str,
    figures: &[(Figure<'_>, FigureIds)],
    times: &FrameTimes,
    records: &mut Records,
    objects: &mut Objects,
) {
    let (stack, layer) = (objects.id(), objects.id());
    records.object("AnimationStack", stack, [take, "AnimStack", ""], |content| {
        properties(content, |list| {
            for (name, ticks) in [
                ("LocalStart", 0),
                ("LocalStop", times.last()),
                ("ReferenceStart", 0),
                ("ReferenceStop", times.last()),
            ] {
                list.property(name, ["KTime", "Time"], "", &[Value::I64(ticks)]);
            }
        });
    });
    records.object("AnimationLayer", layer, ["BaseLayer", "AnimLayer", ""], |_| {});
    objects.connect(layer, stack);
    let ticks: Vec<i64> = (0..times.frames).map(|frame| times.ticks(frame)).collect();
    for (figure, ids) in figures {
        write_figure(figure, ids, layer, &ticks, records, objects);
    }
}

fn write_figure(
    figure: &Figure<'_>,
    ids: &FigureIds,
    layer: i64,
    ticks: &[i64],
    records: &mut Records,
    objects: &mut Objects,
) {
    let (clip, skeleton) = (figure.clip, figure.rest.skeleton);
    let movers = skeleton.movers();
    for (index, &joint) in movers.iter().enumerate() {
        let Some(&node) = ids.joints.get(joint) else { continue };
        let places = clip.positions().iter().skip(index).step_by(movers.len());
        let channels = channels(places.map(|at| (at.as_dvec3() * CM_PER_M).to_array()));
        let curve = Curve { node, layer, name: "T", property: "Lcl Translation", is_root: joint == 0 };
        curve.write(channels, ticks, records, objects);
    }
    for (index, (joint, &node)) in skeleton.joints().iter().zip(&ids.joints).enumerate() {
        let mut past = None;
        let rotations = clip.rotations().iter().skip(index).step_by(skeleton.len());
        let angles = rotations.map(|rotation| {
            let angles = euler_degrees(beyond_rest(*rotation, joint.rest_rotation), past);
            past = Some(angles);
            angles
        });
        let channels = channels(angles);
        let curve = Curve { node, layer, name: "R", property: "Lcl Rotation", is_root: index == 0 };
        curve.write(channels, ticks, records, objects);
    }
}

/// The values of each channel.
fn channels(frames: impl Iterator<Item = [f64; 3]>) -> [Vec<f32>; 3] {
    let mut channels = [const { Vec::new() }; 3];
    for frame in frames {
        channels.iter_mut().zip(frame).for_each(|(channel, value)| channel.push(value as f32));
    }
    channels
}

/// The animation of a property of three numbers.
struct Curve {
    node: i64,
    layer: i64,
    name: &'static str,
    property: &'static str,
    /// The root has all keys, which preserves duration and rate.
    is_root: bool,
}

impl Curve {
    fn write(
        &self,
        mut channels: [Vec<f32>; 3],
        ticks: &[i64],
        records: &mut Records,
        objects: &mut Objects,
    ) {
        let curve_node = objects.id();
        records.object("AnimationCurveNode", curve_node, [self.name, "AnimCurveNode", ""], |content| {
            properties(content, |list| {
                for (name, values) in CHANNELS.iter().zip(&channels) {
                    let first = f64::from(values.first().copied().unwrap_or_default());
                    list.property(name, ["Number", ""], "A", &[Value::F64(first)]);
                }
            });
        });
        objects.connect(curve_node, self.layer);
        objects.connect_property(curve_node, self.node, self.property);
        for (channel, values) in CHANNELS.into_iter().zip(&mut channels) {
            if !self.is_root && values.iter().all(|value| Some(value) == values.first()) {
                values.truncate(1);
            }
            let id = objects.id();
            let times = ticks.get(..values.len()).unwrap_or_default();
            records.object("AnimationCurve", id, ["", "AnimCurve", ""], |content| {
                let first = f64::from(values.first().copied().unwrap_or_default());
                content.leaf("Default", &[Value::F64(first)]);
                content.leaf("KeyVer", &[Value::I32(4008)]);
                content.leaf("KeyTime", &[Value::I64s(times)]);
                content.leaf("KeyValueFloat", &[Value::F32s(values)]);
                content.leaf("KeyAttrFlags", &[Value::I32s(&[LINEAR])]);
                content.leaf("KeyAttrDataFloat", &[Value::F32s(&[0.0; 4])]);
                content.leaf("KeyAttrRefCount", &[Value::I32s(&[values.len() as i32])]);
            });
            objects.connect_property(id, curve_node, channel);
        }
    }
}
