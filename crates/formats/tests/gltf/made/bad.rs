//! Files that are refused.

use serde_json::json;

use super::{Generated, changed, keyed};
use crate::maker::{Maker, glb, turns};

pub(super) fn bad() -> Vec<Generated> {
    let with = |change: fn(&mut Maker)| changed(change).gltf();
    let cut = |end: usize| {
        let mut bytes = Maker::waving().glb();
        bytes.truncate(bytes.len() - end);
        bytes
    };
    let buffer = |uri: serde_json::Value| Maker::waving().gltf_with(json!({"byteLength": 200, "uri": uri}));
    let three = turns(&[0.0, 45.0, 90.0]);
    let times = |times: &[f32]| {
        keyed(times, |m| m.floats("VEC4", &turns(&[0.0, 45.0, 90.0])), "rotation", "LINEAR").gltf()
    };
    let nan: Vec<f32> = three.iter().enumerate().map(|(i, v)| if i == 5 { f32::NAN } else { *v }).collect();
    let waving = || Maker::waving().json.to_string();
    let path = |path: &str, values: &[f32]| {
        keyed(&[0.0, 0.1, 0.2], |m| m.floats("VEC3", values), path, "LINEAR").gltf()
    };
    vec![
        ("bad/not-gltf.gltf", b"hello".to_vec(), "Not JSON at all.", ""),
        ("bad/zeros.gltf", vec![0; 64], "Zeros.", ""),
        ("bad/empty.glb", vec![], "Nothing.", ""),
        ("bad/empty-object.gltf", b"{}".to_vec(), "No version.", ""),
        (
            "bad/version-1.gltf",
            br#"{"asset": {"version": "1.0"}, "nodes": {"a": {}}}"#.to_vec(),
            "glTF 1.0, which has another form.",
            "",
        ),
        ("bad/version-3.gltf", br#"{"asset": {"version": "3.0"}}"#.to_vec(), "A version to come.", ""),
        ("bad/glb-version-1.glb", glb(1, &[(b"JSON", waving().as_bytes())]), "A GLB of version 1.", ""),
        ("bad/header-only.glb", glb(2, &[]), "A GLB without a chunk.", ""),
        ("bad/binary-first.glb", glb(2, &[(b"BIN\0", b"1234")]), "A GLB whose first chunk is not JSON.", ""),
        ("bad/cut-in-json.glb", Maker::waving().glb()[..200].to_vec(), "Cut in the description.", ""),
        ("bad/cut-in-buffer.glb", cut(30), "Cut in the buffer, where values are needed.", ""),
        (
            "bad/cut-in-padding.glb",
            {
                let mut b = Maker::waving().glb();
                b.extend([0; 3]);
                b
            },
            "Longer than it says.",
            "",
        ),
        (
            "bad/comma.gltf",
            br#"{"asset": {"version": "2.0"}, "nodes": [,]}"#.to_vec(),
            "Not JSON in the middle.",
            "",
        ),
        (
            "bad/word-for-number.gltf",
            with(|m| m.json["nodes"][1]["translation"] = json!(["x", 0, 0])),
            "A word where a number should be.",
            "",
        ),
        (
            "bad/two-parents.gltf",
            with(|m| m.json["nodes"][0]["children"] = json!([1, 2])),
            "A node that hangs from two.",
            "",
        ),
        (
            "bad/circle.gltf",
            with(|m| m.json["nodes"][2]["children"] = json!([0])),
            "Nodes that hang below themselves.",
            "",
        ),
        (
            "bad/no-such-child.gltf",
            with(|m| m.json["nodes"][2]["children"] = json!([9])),
            "A child that is not there.",
            "",
        ),
        (
            "bad/no-such-joint.gltf",
            with(|m| m.json["skins"][0]["joints"] = json!([9])),
            "A joint that is not there.",
            "",
        ),
        (
            "bad/no-such-target.gltf",
            with(|m| m.json["animations"][0]["channels"][0]["target"]["node"] = json!(9)),
            "A channel for a node that is not there.",
            "",
        ),
        (
            "bad/no-such-sampler.gltf",
            with(|m| m.json["animations"][0]["channels"][0]["sampler"] = json!(9)),
            "A sampler that is not there.",
            "",
        ),
        (
            "bad/no-such-accessor.gltf",
            with(|m| m.json["animations"][0]["samplers"][0]["output"] = json!(9)),
            "An accessor that is not there.",
            "",
        ),
        (
            "bad/no-such-view.gltf",
            with(|m| m.json["accessors"][1]["bufferView"] = json!(9)),
            "A view that is not there.",
            "",
        ),
        (
            "bad/wrong-kind.gltf",
            with(|m| m.json["accessors"][1]["type"] = json!("VEC3")),
            "Rotations of three numbers.",
            "",
        ),
        (
            "bad/accessor-beyond.gltf",
            with(|m| m.json["accessors"][1]["count"] = json!(5)),
            "An accessor beyond its view.",
            "",
        ),
        (
            "bad/view-beyond.gltf",
            with(|m| m.json["bufferViews"][1]["byteLength"] = json!(5000)),
            "A view beyond its buffer.",
            "",
        ),
        (
            "bad/many-zeros.gltf",
            with(|m| {
                m.json["accessors"][1] =
                    json!({"componentType": 5126, "count": 4_000_000_000_u32, "type": "VEC4"})
            }),
            "Billions of zeros from a few bytes.",
            "",
        ),
        (
            "bad/sparse-beyond.gltf",
            with(|m| {
                m.json["accessors"][1]["sparse"] = json!({"count": 1,
            "indices": {"bufferView": 1, "componentType": 5125}, "values": {"bufferView": 1}})
            }),
            "A sparse value for a place that is not there.",
            "",
        ),
        (
            "bad/buffer-missing.gltf",
            buffer(json!("nowhere.bin")),
            "A buffer in a file that is not there.",
            "",
        ),
        ("bad/buffer-outside.gltf", buffer(json!("../../../Cargo.toml")), "A buffer outside the folder.", ""),
        (
            "bad/buffer-on-the-net.gltf",
            buffer(json!("https://example.com/a.bin")),
            "A buffer on another machine.",
            "",
        ),
        (
            "bad/buffer-alone.gltf",
            buffer(json!("arm.bin")),
            "A buffer beside bytes that have no folder.",
            "alone = true",
        ),
        ("bad/buffer-empty.gltf", buffer(json!(null)), "A buffer without content.", ""),
        (
            "bad/buffer-not-base64.gltf",
            buffer(json!("data:;base64,&&&&")),
            "A data URI that is not base64.",
            "",
        ),
        ("bad/buffer-escaped-badly.gltf", buffer(json!("a%zz.bin")), "A name with a broken escape.", ""),
        (
            "bad/compressed.gltf",
            changed(|m| {
                for view in 0..2 {
                    m.json["bufferViews"][view]["extensions"] =
                        json!({"EXT_meshopt_compression": {"buffer": 1}});
                }
            })
            .gltf_with(json!({"byteLength": 10}))
            .to_vec(),
            "Rotations behind a compression.",
            "",
        ),
        ("bad/times-descend.gltf", times(&[0.0, 0.2, 0.1]), "Times that go back.", ""),
        ("bad/times-not-numbers.gltf", times(&[0.0, f32::NAN, 0.1]), "A time that is not a number.", ""),
        (
            "bad/unknown-interpolation.gltf",
            with(|m| m.json["animations"][0]["samplers"][0]["interpolation"] = json!("BEZIER")),
            "An interpolation of another format.",
            "",
        ),
        ("bad/too-few-values.gltf", times(&[0.0, 0.1]), "Three values for two times.", ""),
        (
            "bad/no-figure.gltf",
            with(|m| {
                m.json["skins"] = json!([]);
                m.json["animations"] = json!([]);
            }),
            "Nothing that moves.",
            "",
        ),
        (
            "bad/far-away.gltf",
            with(|m| m.json["nodes"][1]["translation"] = json!([1e30, 0, 0])),
            "A place beyond measure.",
            "",
        ),
        (
            "bad/limit-joints.gltf",
            Maker::waving().gltf(),
            "More joints than the limit.",
            "limits = { joints = 2 }",
        ),
        ("bad/limit-depth.gltf", Maker::waving().gltf(), "Deeper than the limit.", "limits = { depth = 2 }"),
        (
            "bad/limit-frames.gltf",
            Maker::waving().gltf(),
            "More frames than the limit.",
            "limits = { frames = 3 }",
        ),
        (
            "bad/limit-memory.gltf",
            Maker::waving().gltf(),
            "More memory than the limit.",
            "limits = { memory_bytes = 3000 }",
        ),
        ("bad/an-age.gltf", times(&[0.0, 1.0, 1e6]), "Days between two keys.", ""),
        ("bad/no-motion.gltf", Maker::arm().gltf(), "A skeleton without animation.", ""),
        ("bad/odd-times.gltf", times(&[0.0, 0.137, 0.301]), "Keys at no rate.", ""),
        (
            "bad/flat-node.gltf",
            with(|m| m.json["nodes"][1]["scale"] = json!([1, 2, 1])),
            "A node scaled along one axis.",
            "",
        ),
        (
            "bad/mirrored-node.gltf",
            with(|m| m.json["nodes"][1]["scale"] = json!([-1, 1, 1])),
            "A mirrored node.",
            "",
        ),
        (
            "bad/scaled-in-motion.gltf",
            path("scale", &[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0]),
            "A scale that is animated, and nothing else.",
            "",
        ),
        (
            "bad/morphs.gltf",
            with(|m| {
                m.json["animations"][0]["channels"] = json!([
            m.json["animations"][0]["channels"][0], {"sampler": 0, "target": {"node": 0, "path": "weights"}}])
            }),
            "Morph targets have no place in a motion.",
            "",
        ),
        (
            "bad/extension.gltf",
            with(|m| m.json["extensionsRequired"] = json!(["KHR_draco_mesh_compression"])),
            "A required extension that concerns meshes.",
            "",
        ),
        (
            "bad/no-names.gltf",
            with(|m| {
                for i in 0..3 {
                    m.json["nodes"][i].as_object_mut().unwrap().remove("name");
                }
            }),
            "Nodes without names.",
            "",
        ),
        (
            "bad/same-names.gltf",
            with(|m| {
                for i in 0..3 {
                    m.json["nodes"][i]["name"] = json!("bone");
                }
            }),
            "Nodes of one name.",
            "",
        ),
        (
            "bad/not-a-number.gltf",
            keyed(&[0.0, 0.1, 0.2], |m| m.floats("VEC4", &nan), "rotation", "LINEAR").gltf(),
            "A key that is not a number.",
            "",
        ),
        (
            "bad/no-rotation.gltf",
            with(|m| m.json["nodes"][2]["rotation"] = json!([0, 0, 0, 0])),
            "A node turned by nothing.",
            "",
        ),
        ("bad/same-time.gltf", times(&[0.0, 0.1, 0.1]), "Two keys at one time.", ""),
        (
            "bad/animated-twice.gltf",
            with(|m| {
                m.json["animations"][0]["channels"] =
                    json!([m.json["animations"][0]["channels"][0], m.json["animations"][0]["channels"][0]])
            }),
            "A property that is animated twice.",
            "",
        ),
        (
            "bad/humanoid.gltf",
            with(|m| {
                m.json["extensions"] = json!({"VRMC_vrm": {"humanoid": {"humanBones": {
            "tail": {"node": 0}, "hips": {"node": 99}, "leftHand": {"node": 2}, "leftLowerArm": {"node": 2}}}}})
            }),
            "Humanoid bones that are none.",
            "",
        ),
    ]
}
