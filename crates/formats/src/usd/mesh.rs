//! Writes the parts of a mannequin as skinned meshes with materials.

use glam::Vec3;
use marey_body::SkinnedMesh;

use super::layer::{Layer, Vector};
use crate::shape::ColouredMannequin;

/// Names of the parts of a mannequin.
const PARTS: [&str; 2] = ["Clothes", "Skin"];

/// Roughness of every surface.
const ROUGHNESS: f32 = 0.75;

/// Writes a mesh and a material for each part, below the prim at a path.
pub(super) fn write_body(body: &ColouredMannequin, path: &str, skeleton: &str, layer: &mut Layer) {
    for ((part, colour), name) in body.mannequin.parts.iter().zip(&body.colours).zip(PARTS) {
        if !part.is_empty() {
            let material = format!("{name}Material");
            write_mesh(part, name, &format!("{path}/{material}"), skeleton, layer);
            write_material(&material, path, *colour, layer);
        }
    }
}

fn write_mesh(mesh: &SkinnedMesh, name: &str, material: &str, skeleton: &str, layer: &mut Layer) {
    let schemas = ["prepend apiSchemas = [\"MaterialBindingAPI\", \"SkelBindingAPI\"]".to_owned()];
    layer.prim("Mesh", name, &schemas, |layer| {
        let low = mesh.positions.iter().copied().reduce(Vec3::min).unwrap_or_default();
        let high = mesh.positions.iter().copied().reduce(Vec3::max).unwrap_or_default();
        layer.list("float3[] extent", [low, high].into_iter().map(Vector));
        layer.list("int[] faceVertexCounts", mesh.triangles.iter().map(|_| 3));
        layer.list("int[] faceVertexIndices", mesh.triangles.iter().flatten());
        layer.line(&format!("rel material:binding = <{material}>"));
        layer.vertex_list("normal3f[] normals", 1, mesh.normals.iter().copied().map(Vector));
        layer.list("point3f[] points", mesh.positions.iter().copied().map(Vector));
        layer.vertex_list("int[] primvars:skel:jointIndices", 4, mesh.joints.iter().flatten());
        let weights = mesh.weights.iter().flatten().map(|weight| f32::from(*weight) / 255.0);
        layer.vertex_list("float[] primvars:skel:jointWeights", 4, weights);
        layer.line(&format!("rel skel:skeleton = <{skeleton}>"));
        layer.line("uniform token subdivisionScheme = \"none\"");
    });
}

fn write_material(name: &str, path: &str, colour: Vec3, layer: &mut Layer) {
    layer.prim("Material", name, &[], |layer| {
        layer.line(&format!("token outputs:surface.connect = <{path}/{name}/Surface.outputs:surface>"));
        layer.prim("Shader", "Surface", &[], |layer| {
            layer.line("uniform token info:id = \"UsdPreviewSurface\"");
            layer.line(&format!("color3f inputs:diffuseColor = {}", Vector(colour)));
            layer.line(&format!("float inputs:roughness = {ROUGHNESS}"));
            layer.line("token outputs:surface");
        });
    });
}
