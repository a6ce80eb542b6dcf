//! Files that are read.

use serde_json::json;

use super::{Generated, changed, keyed};
use crate::maker::{Maker, push, turns};

pub(super) fn good() -> Vec<Generated> {
    let steps = |rate: f32, n: usize| (0..n).map(|k| k as f32 / rate).collect::<Vec<f32>>();
    let three = turns(&[0.0, 45.0, 90.0]);
    let cubic: Vec<f32> = three
        .chunks(4)
        .flat_map(|q| [&[0.1, 0.0, 0.0, 0.0][..], q, &[0.3, 0.0, 0.0, 0.0]].concat())
        .collect();
    let shorts: Vec<u8> = three.iter().flat_map(|v| ((v * 32767.0).round() as i16).to_le_bytes()).collect();
    let mut strided = Maker::arm();
    let input = strided.floats("SCALAR", &steps(24.0, 3));
    let rows: Vec<u8> =
        three.chunks(4).flat_map(|q| [q, &[9.0, 9.0]].concat()).flat_map(f32::to_le_bytes).collect();
    let output = strided.accessor(5126, "VEC4", 3, &rows);
    strided.json["bufferViews"][1]["byteStride"] = json!(24);
    strided.animate("strided", &[(1, "rotation", input, output, "LINEAR")]);
    let mut sparse = Maker::arm();
    let input = sparse.floats("SCALAR", &steps(24.0, 3));
    let (places, values) =
        (sparse.view(&[1, 2]), sparse.view(&[1f32, 1.5, 0.0, 0.5, 1.0, 0.5].map(f32::to_le_bytes).concat()));
    let output = push(
        &mut sparse.json["accessors"],
        json!({"componentType": 5126, "count": 3, "type": "VEC3", "sparse": {
        "count": 2, "indices": {"bufferView": places, "componentType": 5121}, "values": {"bufferView": values}}}),
    );
    sparse.animate("sparse", &[(1, "translation", input, output, "LINEAR")]);
    let two_takes = changed(|m| {
        let (i, o) = (m.floats("SCALAR", &steps(60.0, 2)), m.floats("VEC3", &[0.0, 1.0, 0.0, 0.0, 1.0, 0.5]));
        m.animate("slide", &[(0, "translation", i, o, "LINEAR")]);
    });
    let two_figures = changed(|m| {
        for node in [
            json!({"name": "left post", "children": [4]}),
            json!({"name": "a", "children": [5], "translation": [2, 0, 0]}),
            json!({"name": "b", "translation": [0, 0.5, 0]}),
            json!({"name": "right post", "children": [7]}),
            json!({"name": "a", "translation": [-2, 0, 0]}),
        ] {
            push(&mut m.json["nodes"], node);
        }
        m.json["skins"] = json!([{"joints": [0, 1, 2]}, {"joints": [4, 5]}, {"joints": [7]}]);
    });
    let above = changed(|m| {
        // Many exporters put a node above the skeleton that converts from Z up and centimetres.
        push(
            &mut m.json["nodes"],
            json!({"name": "Armature", "children": [0],
            "matrix": [0.01, 0, 0, 0, 0, 0, -0.01, 0, 0, 0.01, 0, 0, 0.5, 0, 0, 1]}),
        );
        for node in 0..3 {
            m.json["nodes"][node]["translation"] = json!([0, 10, 100]);
        }
    });
    let lift = changed(|m| {
        push(&mut m.json["nodes"], json!({"name": "lift", "children": [0]}));
        let (i, o) = (m.floats("SCALAR", &[0.0, 0.1]), m.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 3.0, 0.0]));
        let turn = m.floats("VEC4", &turns(&[0.0, 90.0]));
        push(&mut m.json["animations"][0]["samplers"], json!({"input": i, "output": o}));
        push(&mut m.json["animations"][0]["samplers"], json!({"input": i, "output": turn}));
        push(
            &mut m.json["animations"][0]["channels"],
            json!({"sampler": 1, "target": {"node": 3, "path": "translation"}}),
        );
        push(
            &mut m.json["animations"][0]["channels"],
            json!({"sampler": 2, "target": {"node": 3, "path": "rotation"}}),
        );
    });
    let bound = changed(|m| {
        // The bind pose has a straight arm; the nodes are bent.
        m.json["nodes"][1]["rotation"] = json!([0.38268343, 0, 0, 0.92387953]);
        let matrix = |y: f32| [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., -y, 0., 1.];
        let matrices = m.floats("MAT4", &[matrix(1.0), matrix(2.0), matrix(3.0)].concat());
        m.json["skins"][0]["inverseBindMatrices"] = json!(matrices);
    });
    let bones = |names: [&str; 3]| {
        names.iter().enumerate().map(|(i, n)| json!({"bone": n, "node": i})).collect::<Vec<_>>()
    };
    let vrm_0 = changed(|m| {
        m.json["extensions"] = json!({"VRM": {"humanoid": {"humanBones": bones(["leftUpperArm", "leftLowerArm", "leftThumbIntermediate"])}}});
    });
    let vrm_1 = changed(|m| {
        m.json["extensionsRequired"] = json!(["VRMC_vrm"]);
        m.json["extensions"] = json!({"VRMC_vrm": {"humanoid": {"humanBones": {
            "leftUpperArm": {"node": 0}, "leftLowerArm": {"node": 1}, "leftHand": {"node": 2}}}}});
    });
    let no_skin = changed(|m| {
        m.json.as_object_mut().unwrap().remove("skins");
        push(&mut m.json["nodes"], json!({"name": "camera", "camera": 0}));
    });
    let clothes = changed(|m| m.json["skins"] = json!([{"joints": [0, 1]}, {"joints": [1, 2]}]));
    let backwards = changed(|m| {
        m.json["nodes"] = json!([
            {"name": "hand", "translation": [0, 1, 0]},
            {"name": "lower", "translation": [0, 1, 0], "children": [0]},
            {"name": "upper", "translation": [0, 1, 0], "children": [1]},
        ]);
    });
    let external = json!({"byteLength": Maker::waving().bin.len(), "uri": "buffers/arm%20wave.bin"});
    vec![
        ("good/binary.glb", Maker::waving().glb(), "A GLB with a skin and a linear rotation.", ""),
        ("good/embedded.gltf", Maker::waving().gltf(), "Text with its buffer in a data URI.", ""),
        (
            "good/external.gltf",
            Maker::waving().gltf_with(external),
            "The buffer in a folder below, its name escaped.",
            "",
        ),
        ("good/no-ending.gltf", Maker::waving().gltf(), "Told by its content.", "no_ending = true"),
        (
            "good/step.gltf",
            keyed(&steps(12.5, 3), |m| m.floats("VEC4", &three), "rotation", "STEP").gltf(),
            "Steps, at twelve and a half frames a second.",
            "",
        ),
        (
            "good/cubic.gltf",
            keyed(&[0.0, 0.4, 1.0], |m| m.floats("VEC4", &cubic), "rotation", "CUBICSPLINE").gltf(),
            "Cubic splines with few keys, on the grid of 25 Hz.",
            "",
        ),
        (
            "good/shorts.glb",
            keyed(&steps(30.0, 3), |m| m.accessor(5122, "VEC4", 3, &shorts), "rotation", "LINEAR").glb(),
            "Rotations in normalised shorts.",
            "",
        ),
        ("good/stride.glb", strided.glb(), "Values with others between them.", ""),
        ("good/sparse.gltf", sparse.gltf(), "A sparse accessor without a view of its own.", ""),
        ("good/two-takes.glb", two_takes.clone().glb(), "Two animations at two rates.", ""),
        ("good/second-take.glb", two_takes.glb(), "The second take alone.", "take = \"slide\""),
        (
            "good/two-figures.glb",
            two_figures.glb(),
            "Three skeletons, of which two do not move, and joints of the same name.",
            "",
        ),
        (
            "good/node-above.gltf",
            above.gltf(),
            "A node above the skeleton turns it from Z up and scales it from centimetres.",
            "",
        ),
        ("good/moving-above.gltf", lift.gltf(), "A node above the skeleton is animated with fewer keys.", ""),
        (
            "good/bind-pose.gltf",
            bound.gltf(),
            "Nodes that do not stand in the pose the mesh was bound in.",
            "",
        ),
        ("good/vrm-0.vrm", vrm_0.glb(), "Roles by VRM 0, whose thumbs have other names.", ""),
        ("good/vrm-1.vrm", vrm_1.glb(), "Roles by VRM 1.", ""),
        ("good/no-skin.gltf", no_skin.gltf(), "No skin: what moves is the figure, and a tip below it.", ""),
        ("good/clothes.gltf", clothes.gltf(), "Two skins on one skeleton are one figure.", ""),
        ("good/children-first.gltf", backwards.gltf(), "Nodes listed before their parents.", ""),
        (
            "good/gaps.gltf",
            keyed(&[1.0, 1.0 + 1.0 / 30.0, 1.5], |m| m.floats("VEC4", &three), "rotation", "LINEAR").gltf(),
            "Keys left out, and a late start.",
            "",
        ),
        (
            "good/rate-told.gltf",
            Maker::waving().gltf(),
            "Sampled at the rate that is told.",
            "rate_hz = 120.0",
        ),
    ]
}
