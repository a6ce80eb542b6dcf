//! A slow, simple second reader. It multiplies whole matrices down the tree and looks up every value in the JSON again. It shares no
//! code with the reader that it checks.

use glam::{DMat4, DQuat, DVec3};
use serde_json::Value;

use crate::support::expectation::{Expectation, Point};
use crate::support::fixtures::Fixture;

struct Plain {
    json: Value,
    bin: Vec<u8>,
}

/// Positions of the last two joints of each actor in the first, a middle and the last frame.
pub(crate) fn points(fixture: &Fixture, _wanted: &Expectation) -> Vec<Point> {
    let plain = Plain::of(fixture);
    let import = fixture.read().unwrap_or_else(|error| panic!("{}: {error}", fixture.path.display()));
    let mut points = Vec::new();
    for (take, reading) in import.takes().iter().enumerate() {
        let animation = plain.json["animations"].as_array().unwrap().iter();
        let animation = animation.clone().find(|a| a["name"] == reading.take.name()).unwrap();
        let start = plain.start(animation);
        for (actor, clip) in reading.take.actors().iter().map(|actor| &actor.clip).enumerate() {
            let (joints, last) = (clip.skeleton().len(), clip.frames() - 1);
            for frame in [0, last / 2, last] {
                for joint in joints.saturating_sub(2)..joints {
                    let node = plain.node(&clip.skeleton().joints()[joint].name, actor);
                    let at = plain
                        .global(node, animation, start + frame as f64 / clip.rate_hz())
                        .w_axis
                        .truncate();
                    let at = at.to_array().map(|value| (value * 1e6).round() / 1e6 + 0.0);
                    points.push(Point { take, actor, joint, frame, at });
                }
            }
        }
    }
    points.dedup();
    points
}

impl Plain {
    fn of(fixture: &Fixture) -> Self {
        let bytes = &fixture.bytes;
        if bytes.starts_with(b"glTF") {
            let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
            let json = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
            return Self { json, bin: bytes[20 + length + 8..].to_vec() };
        }
        let json: Value = serde_json::from_slice(bytes).unwrap();
        let uri = json["buffers"][0]["uri"].as_str().unwrap().to_owned();
        let bin = match uri.split_once("base64,") {
            Some((_, text)) => text.trim_end_matches('=').as_bytes().chunks(4).flat_map(decoded).collect(),
            None => std::fs::read(fixture.path.with_file_name(uri.replace("%20", " "))).unwrap(),
        };
        Self { json, bin }
    }

    /// The node with a name. Of several, the one with the index of the actor.
    fn node(&self, name: &str, actor: usize) -> usize {
        let nodes = self.json["nodes"].as_array().unwrap();
        let named: Vec<usize> = (0..nodes.len()).filter(|n| nodes[*n]["name"] == name).collect();
        if named.len() > 1 { named[actor - 1] } else { named[0] }
    }

    fn start(&self, animation: &Value) -> f64 {
        let inputs =
            animation["samplers"].as_array().unwrap().iter().map(|s| self.numbers(&s["input"])[0][0]);
        inputs.fold(f64::INFINITY, f64::min)
    }

    fn global(&self, node: usize, animation: &Value, time: f64) -> DMat4 {
        let nodes = self.json["nodes"].as_array().unwrap();
        let is_child = |n: &Value| n["children"].as_array().is_some_and(|c| c.contains(&Value::from(node)));
        let parent = nodes.iter().position(is_child);
        let above = parent.map_or(DMat4::IDENTITY, |parent| self.global(parent, animation, time));
        above * self.local(node, animation, time)
    }

    fn local(&self, node: usize, animation: &Value, time: f64) -> DMat4 {
        let data = &self.json["nodes"][node];
        if let Some(matrix) = data["matrix"].as_array() {
            let numbers: Vec<f64> = matrix.iter().map(|value| value.as_f64().unwrap()).collect();
            return DMat4::from_cols_slice(&numbers);
        }
        let given = |key: &str, usual: &[f64]| match data[key].as_array() {
            Some(list) => list.iter().map(|value| value.as_f64().unwrap()).collect(),
            None => usual.to_vec(),
        };
        let moved = self.value(node, "translation", animation, time);
        let turned = self.value(node, "rotation", animation, time);
        let t = moved.unwrap_or_else(|| given("translation", &[0.0; 3]));
        let r = turned.unwrap_or_else(|| given("rotation", &[0.0, 0.0, 0.0, 1.0]));
        let s = given("scale", &[1.0; 3]);
        let rotation = DQuat::from_slice(&r).normalize();
        DMat4::from_scale_rotation_translation(DVec3::from_slice(&s), rotation, DVec3::from_slice(&t))
    }

    fn value(&self, node: usize, path: &str, animation: &Value, time: f64) -> Option<Vec<f64>> {
        let channels = animation["channels"].as_array()?;
        let channel = channels.iter().find(|c| c["target"]["node"] == node && c["target"]["path"] == path)?;
        let sampler = &animation["samplers"][channel["sampler"].as_u64()? as usize];
        let times: Vec<f64> = self.numbers(&sampler["input"]).into_iter().flatten().collect();
        let values = self.numbers(&sampler["output"]);
        let between = sampler["interpolation"].as_str().unwrap_or("LINEAR");
        let (each, middle) = if between == "CUBICSPLINE" { (3, 1) } else { (1, 0) };
        let key = |k: usize| values[each * k + middle].clone();
        // A frame is at most a thousandth of a second off its key.
        let k = times.iter().rposition(|t| *t <= time + 1e-3).unwrap_or(0);
        if k + 1 == times.len() || time <= times[k] + 1e-3 || between == "STEP" {
            return Some(key(k));
        }
        let span = times[k + 1] - times[k];
        let s = (time - times[k]) / span;
        let (a, b) = (key(k), key(k + 1));
        if between == "LINEAR" && path == "rotation" {
            return Some(DQuat::from_slice(&a).slerp(DQuat::from_slice(&b), s).to_array().to_vec());
        }
        let mixed = |i: usize| {
            if between == "LINEAR" {
                return a[i] + (b[i] - a[i]) * s;
            }
            let (out, into) = (values[3 * k + 2][i] * span, values[3 * k + 3][i] * span);
            // Horner's form of the cubic through both ends with both slopes.
            let (c2, c3) = (3.0 * (b[i] - a[i]) - 2.0 * out - into, 2.0 * (a[i] - b[i]) + out + into);
            a[i] + s * (out + s * (c2 + s * c3))
        };
        Some((0..a.len()).map(mixed).collect())
    }

    fn numbers(&self, accessor: &Value) -> Vec<Vec<f64>> {
        let accessor = &self.json["accessors"][accessor.as_u64().unwrap() as usize];
        let count = accessor["count"].as_u64().unwrap() as usize;
        let width = match accessor["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC3" => 3,
            _ => 4,
        };
        let whole = |value: &Value| value.as_u64().unwrap_or(0) as usize;
        let component = whole(&accessor["componentType"]);
        let size = if component == 5122 { 2 } else { 4 };
        let row = |view: &Value, index: usize| -> Vec<f64> {
            let view = &self.json["bufferViews"][whole(view)];
            let stride = view["byteStride"].as_u64().map_or(size * width, |s| s as usize);
            let at = |i: usize| whole(&view["byteOffset"]) + index * stride + i * size;
            let number = |i: usize| match size {
                2 => f64::from(i16::from_le_bytes(self.bin[at(i)..at(i) + 2].try_into().unwrap())) / 32767.0,
                _ => f64::from(f32::from_le_bytes(self.bin[at(i)..at(i) + 4].try_into().unwrap())),
            };
            (0..width).map(number).collect()
        };
        let mut rows: Vec<Vec<f64>> = (0..count)
            .map(|i| {
                if accessor["bufferView"].is_null() {
                    vec![0.0; width]
                } else {
                    row(&accessor["bufferView"], i)
                }
            })
            .collect();
        for i in 0..whole(&accessor["sparse"]["count"]) {
            let places = &self.json["bufferViews"][whole(&accessor["sparse"]["indices"]["bufferView"])];
            let place = self.bin[whole(&places["byteOffset"]) + i];
            rows[usize::from(place)] = row(&accessor["sparse"]["values"]["bufferView"], i);
        }
        rows
    }
}

/// The bytes of four characters of base64, or fewer.
fn decoded(group: &[u8]) -> Vec<u8> {
    let digit = |c: &u8| {
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".find(char::from(*c)).unwrap()
    };
    let bits = group.iter().fold(0, |bits, c| bits * 64 + digit(c)) << (6 * (4 - group.len()));
    vec![(bits >> 16) as u8, (bits >> 8) as u8, bits as u8][..group.len() - 1].to_vec()
}
