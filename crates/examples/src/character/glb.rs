//! A glTF file under construction.

use marey_motion::Vec3;
use serde_json::{Value, json};

/// Component types, by the specification's numbers.
const U8: u32 = 5121;
const U32: u32 = 5125;
const F32: u32 = 5126;

/// Targets of buffer views, by the specification's numbers.
const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;

/// A description and its buffer.
#[derive(Debug)]
pub(super) struct Glb {
    pub(super) json: Value,
    bin: Vec<u8>,
}

impl Glb {
    pub(super) fn new() -> Self {
        let json = json!({
            "asset": { "version": "2.0", "generator": "Marey example", "copyright": "public domain" },
            "accessors": [], "bufferViews": [],
        });
        Self { json, bin: Vec::new() }
    }

    /// Adds an item to a list, which is added if there is none, and returns its index.
    pub(super) fn push(&mut self, list: &str, item: Value) -> usize {
        match &mut self.json[list] {
            Value::Array(items) => {
                items.push(item);
                items.len() - 1
            }
            other => {
                *other = json!([item]);
                0
            }
        }
    }

    /// Adds bytes in a view of their own.
    pub(super) fn view(&mut self, bytes: &[u8], target: Option<u32>) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        let mut view = json!({ "buffer": 0, "byteOffset": self.bin.len(), "byteLength": bytes.len() });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        self.bin.extend_from_slice(bytes);
        self.push("bufferViews", view)
    }

    fn accessor(&mut self, view: usize, component: u32, kind: &str, count: usize) -> usize {
        let accessor =
            json!({ "bufferView": view, "componentType": component, "count": count, "type": kind });
        self.push("accessors", accessor)
    }

    /// Vectors of a vertex attribute, with their bounds.
    pub(super) fn vectors(&mut self, vectors: &[Vec3]) -> usize {
        let bytes: Vec<u8> = vectors.iter().flat_map(|v| v.to_array()).flat_map(f32::to_le_bytes).collect();
        let view = self.view(&bytes, Some(VERTICES));
        let index = self.accessor(view, F32, "VEC3", vectors.len());
        let (low, high) =
            vectors.iter().fold((Vec3::MAX, Vec3::MIN), |(low, high), v| (low.min(*v), high.max(*v)));
        self.json["accessors"][index]["min"] = json!(low.to_array());
        self.json["accessors"][index]["max"] = json!(high.to_array());
        index
    }

    /// Positions on a texture.
    pub(super) fn texture_coordinates(&mut self, places: &[[f32; 2]]) -> usize {
        let bytes: Vec<u8> = places.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
        let view = self.view(&bytes, Some(VERTICES));
        self.accessor(view, F32, "VEC2", places.len())
    }

    /// Joints, or weights in 255ths, of vertices.
    pub(super) fn fours(&mut self, fours: &[[u8; 4]], are_weights: bool) -> usize {
        let view = self.view(fours.as_flattened(), Some(VERTICES));
        let index = self.accessor(view, U8, "VEC4", fours.len());
        if are_weights {
            self.json["accessors"][index]["normalized"] = json!(true);
        }
        index
    }

    /// Corners of triangles.
    pub(super) fn triangles(&mut self, triangles: &[[u32; 3]]) -> usize {
        let bytes: Vec<u8> = triangles.iter().flatten().flat_map(|corner| corner.to_le_bytes()).collect();
        let view = self.view(&bytes, Some(INDICES));
        self.accessor(view, U32, "SCALAR", triangles.len() * 3)
    }

    /// Matrices, by columns.
    pub(super) fn matrices(&mut self, matrices: &[[f32; 16]]) -> usize {
        let bytes: Vec<u8> = matrices.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
        let view = self.view(&bytes, None);
        self.accessor(view, F32, "MAT4", matrices.len())
    }

    /// The whole file.
    pub(super) fn close(mut self) -> Vec<u8> {
        self.json["buffers"] = json!([{ "byteLength": self.bin.len() }]);
        let json = self.json.to_string().into_bytes();
        let mut out = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
        for (kind, data, padding) in [(b"JSON", json, b' '), (b"BIN\0", self.bin, 0)] {
            let length = data.len().next_multiple_of(4);
            out.extend_from_slice(&(length as u32).to_le_bytes());
            out.extend_from_slice(kind);
            out.extend_from_slice(&data);
            out.resize(out.len() + length - data.len(), padding);
        }
        let length = out.len() as u32;
        out[8..12].copy_from_slice(&length.to_le_bytes());
        out
    }
}
