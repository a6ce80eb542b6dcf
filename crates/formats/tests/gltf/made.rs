//! Every fixture, as it is made: what the file is, how it is read, and what it is there to show.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Once;

use serde_json::json;

use crate::maker::{Maker, glb, push, turns};

/// A fixture: its path below `fixtures/gltf`, its bytes, what it is about, and options of the reader.
type Made = (&'static str, Vec<u8>, &'static str, &'static str);

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/gltf")
}

/// Files that are read beside others.
fn companions() -> Vec<(&'static str, Vec<u8>)> {
    vec![("good/buffers/arm wave.bin", Maker::waving().bin)]
}

/// The waving arm after a change of its description.
fn changed(change: impl FnOnce(&mut Maker)) -> Maker {
    let mut maker = Maker::waving();
    change(&mut maker);
    maker
}

/// The arm with a channel on its lower bone, at three times.
fn keyed(times: &[f32], output: impl FnOnce(&mut Maker) -> usize, path: &str, between: &str) -> Maker {
    let mut maker = Maker::arm();
    let input = maker.floats("SCALAR", times);
    let output = output(&mut maker);
    maker.animate("keyed", &[(1, path, input, output, between)]);
    maker
}

fn good() -> Vec<Made> {
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
        // Z up and centimetres, as many exporters have it above the skeleton.
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
        // The mesh was bound with the arm straight; its nodes stand bent.
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

fn bad() -> Vec<Made> {
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

/// Every file: companions have nothing to say about themselves.
fn all() -> Vec<Made> {
    let companions = companions().into_iter().map(|(name, bytes)| (name, bytes, "", ""));
    companions.chain(good()).chain(bad()).collect()
}

/// Writes the fixtures where that is asked for, each with a report that says what it is about.
pub(crate) fn keep() {
    static KEPT: Once = Once::new();
    if std::env::var_os("MAREY_BLESS").is_none_or(|value| value.is_empty()) {
        return;
    }
    KEPT.call_once(|| {
        for (name, bytes, about, read) in all() {
            let path = folder().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &bytes).unwrap();
            let report = PathBuf::from(format!("{}.report.toml", path.display()));
            if !about.is_empty() && !report.exists() {
                fs::write(report, format!("about = {about:?}\n[read]\n{read}\n")).unwrap();
            }
        }
    });
}

#[test]
fn fixtures_are_as_they_are_made() {
    keep();
    for (name, bytes, _, _) in all() {
        let found = fs::read(folder().join(name));
        assert!(found.is_ok_and(|found| found == bytes), "{name} is not as it is made");
    }
}
