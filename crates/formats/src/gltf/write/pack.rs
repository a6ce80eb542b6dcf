//! The buffer of an output file, and its accessors.

use glam::{DMat4, Quat, Vec3};
use serde::Serialize;

/// Component types, by the specification's numbers.
const U8: u32 = 5121;
const U16: u32 = 5123;
const U32: u32 = 5125;
const F32: u32 = 5126;

/// Targets of buffer views, by the specification's numbers.
const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;

/// A buffer of consecutive lists, with a view for each.
#[derive(Debug, Default)]
pub(in crate::gltf) struct Pack {
    pub(in crate::gltf) bytes: Vec<u8>,
    pub(in crate::gltf) views: Vec<View>,
    pub(in crate::gltf) accessors: Vec<Accessor>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::gltf) struct View {
    buffer: usize,
    byte_offset: usize,
    byte_length: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    byte_stride: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<u32>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::gltf) struct Accessor {
    buffer_view: usize,
    component_type: u32,
    count: usize,
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    normalized: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<Vec<f32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<Vec<f32>>,
}

/// The element type of a list.
struct List {
    component_type: u32,
    kind: &'static str,
    count: usize,
    target: Option<u32>,
    byte_stride: Option<usize>,
}

impl List {
    fn of(component_type: u32, kind: &'static str, count: usize) -> Self {
        Self { component_type, kind, count, target: None, byte_stride: None }
    }

    /// The same, as a vertex attribute with a stride in bytes.
    fn for_vertices(self, byte_stride: usize) -> Self {
        Self { target: Some(VERTICES), byte_stride: Some(byte_stride), ..self }
    }
}

impl Pack {
    /// Ascending key times.
    pub(in crate::gltf) fn times(&mut self, times: &[f32]) -> usize {
        let index = self.add(List::of(F32, "SCALAR", times.len()), bytemuck::cast_slice(times));
        let bounds = times.first().copied().zip(times.last().copied());
        self.bound(index, bounds.map(|(min, max)| (vec![min], vec![max])));
        index
    }

    pub(in crate::gltf) fn rotations(&mut self, rotations: &[Quat]) -> usize {
        let flat: Vec<[f32; 4]> = rotations.iter().map(|q| q.to_array()).collect();
        self.add(List::of(F32, "VEC4", flat.len()), bytemuck::cast_slice(&flat))
    }

    pub(in crate::gltf) fn translations(&mut self, places: &[Vec3]) -> usize {
        self.add(List::of(F32, "VEC3", places.len()), bytemuck::cast_slice(places))
    }

    pub(in crate::gltf) fn matrices(&mut self, matrices: &[DMat4]) -> usize {
        let flat: Vec<[f32; 16]> = matrices.iter().map(|matrix| matrix.as_mat4().to_cols_array()).collect();
        self.add(List::of(F32, "MAT4", flat.len()), bytemuck::cast_slice(&flat))
    }

    /// Positions of vertices.
    pub(in crate::gltf) fn positions(&mut self, positions: &[Vec3]) -> usize {
        let list = List::of(F32, "VEC3", positions.len()).for_vertices(12);
        let index = self.add(list, bytemuck::cast_slice(positions));
        let bounds =
            positions.iter().copied().reduce(Vec3::min).zip(positions.iter().copied().reduce(Vec3::max));
        self.bound(index, bounds.map(|(min, max)| (min.to_array().to_vec(), max.to_array().to_vec())));
        index
    }

    pub(in crate::gltf) fn normals(&mut self, normals: &[Vec3]) -> usize {
        self.add(List::of(F32, "VEC3", normals.len()).for_vertices(12), bytemuck::cast_slice(normals))
    }

    /// The four joints of each vertex, in the smallest sufficient integer type.
    pub(in crate::gltf) fn vertex_joints(&mut self, vertices: &[[u16; 4]], joints: usize) -> usize {
        if joints > 256 {
            return self
                .add(List::of(U16, "VEC4", vertices.len()).for_vertices(8), bytemuck::cast_slice(vertices));
        }
        let small: Vec<[u8; 4]> = vertices.iter().map(|four| four.map(|joint| joint as u8)).collect();
        self.add(List::of(U8, "VEC4", small.len()).for_vertices(4), bytemuck::cast_slice(&small))
    }

    /// The weights of each vertex, in 255ths.
    pub(in crate::gltf) fn vertex_weights(&mut self, shares: &[[u8; 4]]) -> usize {
        let index =
            self.add(List::of(U8, "VEC4", shares.len()).for_vertices(4), bytemuck::cast_slice(shares));
        if let Some(accessor) = self.accessors.get_mut(index) {
            accessor.normalized = true;
        }
        index
    }

    /// The corners of triangles, in the smallest sufficient integer type.
    pub(in crate::gltf) fn triangles(&mut self, triangles: &[[u32; 3]], vertices: usize) -> usize {
        let corners: &[u32] = triangles.as_flattened();
        let list = |component| List { target: Some(INDICES), ..List::of(component, "SCALAR", corners.len()) };
        // The largest index is reserved for restarting strips.
        if vertices < usize::from(u16::MAX) {
            let small: Vec<u16> = corners.iter().map(|corner| *corner as u16).collect();
            self.add(list(U16), bytemuck::cast_slice(&small))
        } else {
            self.add(list(U32), bytemuck::cast_slice(corners))
        }
    }

    fn add(&mut self, list: List, bytes: &[u8]) -> usize {
        // Lists are aligned for every component type.
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let List { component_type, kind, count, target, byte_stride } = list;
        let (byte_offset, byte_length) = (self.bytes.len(), bytes.len());
        self.views.push(View { buffer: 0, byte_offset, byte_length, byte_stride, target });
        self.bytes.extend_from_slice(bytes);
        let buffer_view = self.views.len() - 1;
        let accessor =
            Accessor { buffer_view, component_type, count, kind, normalized: false, min: None, max: None };
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn bound(&mut self, index: usize, bounds: Option<(Vec<f32>, Vec<f32>)>) {
        if let Some((accessor, (min, max))) = self.accessors.get_mut(index).zip(bounds) {
            (accessor.min, accessor.max) = (Some(min), Some(max));
        }
    }
}
