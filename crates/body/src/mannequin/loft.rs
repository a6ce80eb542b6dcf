//! Lofts: surfaces through rings around a line, closed at both ends.

use std::f32::consts::TAU;

use glam::Vec3;

use super::mesh::{Mesh, Weights};

/// Corners of a ring.
const CORNERS: usize = 14;

/// Rings that round off an end.
const CAP_RINGS: usize = 3;

/// A ring: an ellipse whose upper and lower halves may differ in height.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ring {
    pub(super) at: Vec3,
    /// Half its width, as a vector.
    pub(super) side: Vec3,
    /// From the centre to the upper and to the lower edge.
    pub(super) up: Vec3,
    pub(super) down: Vec3,
    pub(super) weights: Weights,
}

impl Ring {
    /// An ellipse.
    pub(super) fn new(at: Vec3, side: Vec3, up: Vec3, weights: Weights) -> Self {
        Self { at, side, up, down: -up, weights }
    }

    /// The ring scaled about its centre and moved.
    fn scaled(&self, offset: Vec3, fraction: f32) -> Self {
        let [side, up, down] = [self.side, self.up, self.down].map(|v| v * fraction);
        Self { at: self.at + offset, side, up, down, ..*self }
    }

    fn corner(&self, index: usize) -> Vec3 {
        let (sin, cos) = (index as f32 / CORNERS as f32 * TAU).sin_cos();
        self.at + self.side * cos + if sin >= 0.0 { self.up * sin } else { self.down * -sin }
    }

    fn radius(&self) -> f32 {
        0.5 * (self.side.length() + 0.5 * (self.up.length() + self.down.length()))
    }
}

/// A cross-section of a limb.
#[derive(Debug, Clone, Copy)]
pub(super) struct Station {
    pub(super) at: Vec3,
    /// Half the width and half the depth, in metres.
    pub(super) radii_m: [f32; 2],
    pub(super) weights: Weights,
}

/// Adds a limb through stations, rounded at both ends. Widths are measured along the part of `across` that is orthogonal to the
/// limb.
pub(super) fn limb(mesh: &mut Mesh, stations: &[Station], across: Vec3) {
    let count = stations.len();
    let at = |index: usize| stations.get(index.min(count.saturating_sub(1))).map_or(Vec3::ZERO, |s| s.at);
    let rings: Vec<Ring> = stations
        .iter()
        .enumerate()
        .map(|(index, station)| {
            let along = (at(index + 1) - at(index.saturating_sub(1))).normalize_or(Vec3::Y);
            let side = (across - along * along.dot(across)).normalize_or(along.any_orthonormal_vector());
            let [wide, deep] = station.radii_m;
            Ring::new(station.at, side * wide, along.cross(side) * deep, station.weights)
        })
        .collect();
    rounded(mesh, &rings, 1.0);
}

/// Adds rings with rounded ends, whose length is `roundness` times their radius.
pub(super) fn rounded(mesh: &mut Mesh, rings: &[Ring], roundness: f32) {
    let (Some(first), Some(last)) = (rings.first(), rings.last()) else { return };
    let outwards = |from: Option<&Ring>, to: &Ring| {
        from.map_or(Vec3::Y, |from| (to.at - from.at).normalize_or(Vec3::Y)) * to.radius() * roundness
    };
    let (back, ahead) = (outwards(rings.get(1), first), outwards(rings.iter().rev().nth(1), last));
    let cap = |ring: &Ring, out: Vec3, step: usize| {
        let (sin, cos) = (step as f32 / CAP_RINGS as f32 * TAU / 4.0).sin_cos();
        ring.scaled(out * sin, cos)
    };
    let before = (1..CAP_RINGS).rev().map(|step| cap(first, back, step));
    let behind = (1..CAP_RINGS).map(|step| cap(last, ahead, step));
    let rings: Vec<Ring> = before.chain(rings.iter().copied()).chain(behind).collect();
    closed(mesh, &rings, [first.at + back, last.at + ahead]);
}

/// Adds rings that are closed by a point at each end.
pub(super) fn closed(mesh: &mut Mesh, rings: &[Ring], [start, end]: [Vec3; 2]) {
    let (Some(first), Some(last)) = (rings.first(), rings.last()) else { return };
    let mut vertices = vec![(start, first.weights)];
    for ring in rings {
        vertices.extend((0..CORNERS).map(|index| (ring.corner(index), ring.weights)));
    }
    vertices.push((end, last.weights));
    let corner = |ring: usize, index: usize| 1 + ring * CORNERS + index % CORNERS;
    let (top, end) = (rings.len() - 1, vertices.len() - 1);
    let mut triangles = Vec::new();
    for index in 0..CORNERS {
        triangles.push([0, corner(0, index + 1), corner(0, index)]);
        triangles.push([end, corner(top, index), corner(top, index + 1)]);
        for ring in 0..top {
            let [a, b] = [index, index + 1].map(|index| corner(ring, index));
            let [c, d] = [index, index + 1].map(|index| corner(ring + 1, index));
            triangles.push([a, b, d]);
            triangles.push([a, d, c]);
        }
    }
    mesh.add(&vertices, triangles);
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn a_limb_is_closed_and_as_large_as_a_capsule() {
        let station = |y: f32| Station { at: Vec3::Y * y, radii_m: [0.1, 0.1], weights: Weights::all(0) };
        let mut mesh = Mesh::default();
        limb(&mut mesh, &[station(0.0), station(0.5), station(1.0)], Vec3::X);
        // Each edge belongs to two triangles, once in each direction.
        let mut edges: BTreeMap<(u32, u32), i32> = BTreeMap::new();
        for [a, b, c] in &mesh.triangles {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                *edges.entry((*from.min(to), *from.max(to))).or_default() += if from < to { 1 } else { -1 };
            }
        }
        assert!(edges.values().all(|sum| *sum == 0));
        let low = mesh.positions.iter().copied().reduce(Vec3::min).unwrap();
        let high = mesh.positions.iter().copied().reduce(Vec3::max).unwrap();
        assert!((low.y + 0.1).abs() < 1e-6 && (high.y - 1.1).abs() < 1e-6 && (high.x - 0.1).abs() < 1e-6);
        let side = mesh.positions.iter().position(|p| (p.y - 0.5).abs() < 1e-6 && p.x > 0.099).unwrap();
        assert!(mesh.normals[side].x > 0.99);
    }
}
