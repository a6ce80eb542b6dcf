//! A small glTF writer for fixtures: a description as JSON, and a buffer.

use serde_json::{Value, json};

/// A file under construction.
#[derive(Debug, Clone)]
pub(crate) struct Maker {
    pub(crate) json: Value,
    pub(crate) bin: Vec<u8>,
}

impl Maker {
    /// An empty scene.
    pub(crate) fn new() -> Self {
        let json = json!({"asset": {"version": "2.0"}, "accessors": [], "bufferViews": [], "animations": []});
        Self { json, bin: Vec::new() }
    }

    /// An arm of two bones of a metre that points up from a height of a metre, with a skin; not animated.
    pub(crate) fn arm() -> Self {
        let mut maker = Self::new();
        maker.json["nodes"] = json!([
            {"name": "upper", "translation": [0, 1, 0], "children": [1]},
            {"name": "lower", "translation": [0, 1, 0], "children": [2]},
            {"name": "hand", "translation": [0, 1, 0]},
        ]);
        maker.json["skins"] = json!([{"joints": [0, 1, 2]}]);
        maker
    }

    /// The arm, with its lower bone rotated about X in four frames at 30 Hz.
    pub(crate) fn waving() -> Self {
        let mut maker = Self::arm();
        let input = maker.floats("SCALAR", &[0.0, 1.0 / 30.0, 2.0 / 30.0, 0.1]);
        let output = maker.floats("VEC4", &turns(&[0.0, 30.0, 60.0, 90.0]));
        maker.animate("wave", &[(1, "rotation", input, output, "LINEAR")]);
        maker
    }

    /// Adds bytes in a new view.
    pub(crate) fn view(&mut self, bytes: &[u8]) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        let view = json!({"buffer": 0, "byteOffset": self.bin.len(), "byteLength": bytes.len()});
        self.bin.extend_from_slice(bytes);
        push(&mut self.json["bufferViews"], view)
    }

    /// Adds an accessor with a new view.
    pub(crate) fn accessor(&mut self, component: u32, kind: &str, count: usize, bytes: &[u8]) -> usize {
        let view = self.view(bytes);
        let accessor = json!({"bufferView": view, "componentType": component, "count": count, "type": kind});
        push(&mut self.json["accessors"], accessor)
    }

    /// Single floats.
    pub(crate) fn floats(&mut self, kind: &str, values: &[f32]) -> usize {
        let width = match kind {
            "SCALAR" => 1,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.accessor(5126, kind, values.len() / width, &bytes)
    }

    /// Adds an animation with channels: node, path, times, values and interpolation.
    pub(crate) fn animate(&mut self, name: &str, channels: &[(usize, &str, usize, usize, &str)]) {
        let target =
            |i: usize, node: usize, path: &str| json!({"sampler": i, "target": {"node": node, "path": path}});
        let made: Vec<Value> = channels.iter().enumerate().map(|(i, c)| target(i, c.0, c.1)).collect();
        let samplers: Vec<Value> =
            channels.iter().map(|c| json!({"input": c.2, "output": c.3, "interpolation": c.4})).collect();
        push(&mut self.json["animations"], json!({"name": name, "channels": made, "samplers": samplers}));
    }

    /// As GLB.
    pub(crate) fn glb(mut self) -> Vec<u8> {
        self.json["buffers"] = json!([{"byteLength": self.bin.len()}]);
        glb(2, &[(b"JSON", self.json.to_string().as_bytes()), (b"BIN\0", &self.bin)])
    }

    /// As text with its buffer embedded.
    pub(crate) fn gltf(mut self) -> Vec<u8> {
        let uri = format!("data:application/octet-stream;base64,{}", base64(&self.bin));
        self.json["buffers"] = json!([{"byteLength": self.bin.len(), "uri": uri}]);
        serde_json::to_vec_pretty(&self.json).unwrap()
    }

    /// As text with its buffer elsewhere.
    pub(crate) fn gltf_with(mut self, buffer: Value) -> Vec<u8> {
        self.json["buffers"] = json!([buffer]);
        serde_json::to_vec_pretty(&self.json).unwrap()
    }
}

/// A GLB of chunks.
pub(crate) fn glb(version: u32, chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let mut body = Vec::new();
    for (kind, data) in chunks {
        let padded = data.len().next_multiple_of(4);
        body.extend_from_slice(&(padded as u32).to_le_bytes());
        body.extend_from_slice(*kind);
        body.extend_from_slice(data);
        let padding = if *kind == b"JSON" { b' ' } else { 0 };
        body.extend(std::iter::repeat_n(padding, padded - data.len()));
    }
    let mut out = b"glTF".to_vec();
    out.extend_from_slice(&version.to_le_bytes());
    out.extend_from_slice(&(12 + body.len() as u32).to_le_bytes());
    out.extend(body);
    out
}

/// Rotations about X by degrees.
pub(crate) fn turns(degrees: &[f32]) -> Vec<f32> {
    degrees.iter().flat_map(|d| glam::Quat::from_rotation_x(d.to_radians()).to_array()).collect()
}

pub(crate) fn push(list: &mut Value, item: Value) -> usize {
    let list = list.as_array_mut().unwrap();
    list.push(item);
    list.len() - 1
}

fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let byte = |i: usize| u32::from(group.get(i).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            let letter = ALPHABET[(bits >> (18 - 6 * i)) as usize & 63];
            text.push(if i <= group.len() { char::from(letter) } else { '=' });
        }
    }
    text
}
