//! Writes the mannequin: one mesh with two materials, skinned to the joints.

use glam::{DMat4, Vec3};

use super::CM_PER_M;
use super::document::properties;
use super::figure::FigureIds;
use super::objects::{ObjectCounts, Objects};
use super::records::{Records, Value};
use crate::shape::ColouredMannequin;

/// The mesh of an actor.
pub(super) struct Body {
    /// In centimetres, three numbers a vertex.
    vertices: Vec<f64>,
    normals: Vec<f64>,
    /// The corners of triangles. The last corner of each is inverted.
    corners: Vec<i32>,
    /// The material of each triangle.
    materials: Vec<i32>,
    colours: Vec<Vec3>,
    /// The vertices that follow each joint, and their weights; joints without any are left out.
    clusters: Vec<Cluster>,
}

struct Cluster {
    joint: usize,
    vertices: Vec<i32>,
    weights: Vec<f64>,
}

impl Body {
    /// Merges the parts of a mannequin, each with its colour.
    pub(super) fn new(coloured: &ColouredMannequin, joints: usize) -> Self {
        let ColouredMannequin { mannequin, colours } = coloured;
        let mut body = Self {
            vertices: Vec::new(),
            normals: Vec::new(),
            corners: Vec::new(),
            materials: Vec::new(),
            colours: Vec::new(),
            clusters: Vec::new(),
        };
        let mut clusters: Vec<Cluster> =
            (0..joints).map(|joint| Cluster { joint, vertices: Vec::new(), weights: Vec::new() }).collect();
        for (part, colour) in mannequin.parts.iter().zip(colours).filter(|(part, _)| !part.is_empty()) {
            let first = body.vertices.len() / 3;
            let material = body.colours.len() as i32;
            body.colours.push(*colour);
            body.vertices.extend(part.positions.iter().flat_map(|at| (at.as_dvec3() * CM_PER_M).to_array()));
            body.normals.extend(part.normals.iter().flat_map(|normal| normal.as_dvec3().to_array()));
            for triangle in &part.triangles {
                let [a, b, c] = triangle.map(|corner| (first + corner as usize) as i32);
                body.corners.extend([a, b, !c]);
                body.materials.push(material);
            }
            for (vertex, (followed, weights)) in part.joints.iter().zip(&part.weights).enumerate() {
                for (joint, weight) in followed.iter().zip(weights).filter(|(_, weight)| **weight > 0) {
                    let Some(cluster) = clusters.get_mut(usize::from(*joint)) else { continue };
                    cluster.vertices.push((first + vertex) as i32);
                    cluster.weights.push(f64::from(*weight) / 255.0);
                }
            }
        }
        clusters.retain(|cluster| !cluster.vertices.is_empty());
        Self { clusters, ..body }
    }

    pub(super) fn add_counts(&self, counts: &mut ObjectCounts) {
        counts.models += 1;
        counts.geometries += 1;
        counts.materials += self.colours.len();
        counts.deformers += 1 + self.clusters.len();
    }

    /// Writes the mesh, its materials and its skin. Returns the node that shows it.
    pub(super) fn write(
        &self,
        actor: &str,
        binds: &[DMat4],
        ids: &FigureIds,
        records: &mut Records,
        objects: &mut Objects,
    ) -> i64 {
        let (model, geometry) = (objects.id(), objects.id());
        self.write_geometry(actor, geometry, records);
        records.object("Model", model, [&format!("{actor} body"), "Model", "Mesh"], |content| {
            content.leaf("Version", &[Value::I32(232)]);
            properties(content, |list| {
                list.property("InheritType", ["enum", ""], "", &[Value::I32(1)]);
                list.property("DefaultAttributeIndex", ["int", "Integer"], "", &[Value::I32(0)]);
            });
            content.leaf("Shading", &[Value::Bool(true)]);
            content.leaf("Culling", &[Value::Text("CullingOff")]);
        });
        objects.connect(model, ids.top);
        objects.connect(geometry, model);
        for (index, colour) in self.colours.iter().enumerate() {
            let material = write_material(&format!("{actor} {}", index + 1), *colour, records, objects);
            objects.connect(material, model);
        }
        self.write_skin(actor, geometry, binds, ids, records, objects);
        model
    }

    fn write_geometry(&self, actor: &str, id: i64, records: &mut Records) {
        records.object("Geometry", id, [actor, "Geometry", "Mesh"], |content| {
            content.leaf("GeometryVersion", &[Value::I32(124)]);
            content.leaf("Vertices", &[Value::F64s(&self.vertices)]);
            content.leaf("PolygonVertexIndex", &[Value::I32s(&self.corners)]);
            let layers = [
                ("LayerElementNormal", "ByVertice", "Direct", "Normals", Value::F64s(&self.normals)),
                (
                    "LayerElementMaterial",
                    "ByPolygon",
                    "IndexToDirect",
                    "Materials",
                    Value::I32s(&self.materials),
                ),
            ];
            for (layer, mapping, reference, name, values) in layers {
                content.record(layer, &[Value::I32(0)], |element| {
                    element.leaf("Version", &[Value::I32(101)]);
                    element.leaf("Name", &[Value::Text("")]);
                    element.leaf("MappingInformationType", &[Value::Text(mapping)]);
                    element.leaf("ReferenceInformationType", &[Value::Text(reference)]);
                    element.leaf(name, &[values]);
                });
            }
            content.record("Layer", &[Value::I32(0)], |layer| {
                layer.leaf("Version", &[Value::I32(100)]);
                for (name, ..) in layers {
                    layer.record("LayerElement", &[], |element| {
                        element.leaf("Type", &[Value::Text(name)]);
                        element.leaf("TypedIndex", &[Value::I32(0)]);
                    });
                }
            });
        });
    }

    fn write_skin(
        &self,
        actor: &str,
        geometry: i64,
        binds: &[DMat4],
        ids: &FigureIds,
        records: &mut Records,
        objects: &mut Objects,
    ) {
        let skin = objects.id();
        records.object("Deformer", skin, [actor, "Deformer", "Skin"], |content| {
            content.leaf("Version", &[Value::I32(101)]);
            content.leaf("Link_DeformAcuracy", &[Value::F64(50.0)]);
        });
        objects.connect(skin, geometry);
        for cluster in &self.clusters {
            let (Some(bind), Some(joint)) = (binds.get(cluster.joint), ids.joints.get(cluster.joint)) else {
                continue;
            };
            let id = objects.id();
            records.object("Deformer", id, ["", "SubDeformer", "Cluster"], |content| {
                content.leaf("Version", &[Value::I32(100)]);
                content.leaf("Indexes", &[Value::I32s(&cluster.vertices)]);
                content.leaf("Weights", &[Value::F64s(&cluster.weights)]);
                content.matrix("Transform", bind.inverse());
                content.matrix("TransformLink", *bind);
            });
            objects.connect(id, skin);
            objects.connect(*joint, id);
        }
    }
}

fn write_material(name: &str, colour: Vec3, records: &mut Records, objects: &mut Objects) -> i64 {
    let id = objects.id();
    records.object("Material", id, [name, "Material", ""], |content| {
        content.leaf("Version", &[Value::I32(102)]);
        content.leaf("ShadingModel", &[Value::Text("lambert")]);
        content.leaf("MultiLayer", &[Value::I32(0)]);
        properties(content, |list| {
            list.vector("DiffuseColor", ["Color", ""], "A", colour.as_dvec3().to_array());
        });
    });
    id
}
