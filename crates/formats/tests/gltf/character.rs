//! Characters: the file comes back with motion, and nothing else of it has changed.

use marey_examples::character::{CharacterFile, CharacterSettings, character};
use marey_examples::walk::{WalkSettings, walk};
use marey_formats::gltf::character::{GltfCharacter, animate};
use marey_formats::gltf::{self, Form, GltfSettings};
use marey_formats::{NoNeighbours, ReadOptions};
use marey_motion::{Actor, Clip, Coded, Role, Take, Vec3};
use marey_ops::keyframes::KeyTolerance;
use marey_ops::retarget::{Retarget, RetargetSettings};
use marey_ops::sole::{SolePart, SolePoint};
use serde_json::{Value, json};

use crate::maker::{Maker, glb};

const FILES: [CharacterFile; 4] =
    [CharacterFile::Glb, CharacterFile::Armature, CharacterFile::Vrm0, CharacterFile::Vrm1];

fn bytes_of(file: CharacterFile) -> Vec<u8> {
    character(&CharacterSettings { file, ..CharacterSettings::default() }).unwrap()
}

fn read(bytes: &[u8]) -> GltfCharacter {
    let (read, report) = GltfCharacter::read(bytes, None, &ReadOptions::default(), &NoNeighbours).unwrap();
    assert!(report.is_empty(), "{:?}", report.codes());
    read
}

fn walk_on(character: &GltfCharacter) -> Clip {
    let walk =
        walk(&WalkSettings { duration_secs: 6.0, rate_hz: 30.0, ..WalkSettings::default() }).unwrap().take;
    let settings = RetargetSettings::default();
    let retarget = Retarget::new(walk.first().skeleton(), character.skeleton.clone(), &settings).unwrap();
    retarget.apply(walk.first()).unwrap()
}

/// The description and the binary chunk of a GLB.
fn parts(bytes: &[u8]) -> (Value, Vec<u8>) {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!((&bytes[..4], word(8)), (&b"glTF"[..], bytes.len()));
    let json = word(12);
    let bin = bytes.get(20 + json + 8..).unwrap_or_default().to_vec();
    (serde_json::from_slice(&bytes[20..20 + json]).unwrap(), bin)
}

/// Fails if a member of `old` is missing or different in `new`. Lists may have more items at the end.
fn assert_kept(old: &Value, new: &Value, at: &str) {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            for (key, value) in old {
                let path = format!("{at}/{key}");
                assert!(new.contains_key(key), "{path} is missing");
                if path != "/buffers/0/byteLength" {
                    assert_kept(value, &new[key], &path);
                }
            }
        }
        (Value::Array(old), Value::Array(new)) => {
            let may_grow = ["/accessors", "/bufferViews", "/animations"].contains(&at);
            assert!(
                new.len() >= old.len() && (may_grow || new.len() == old.len()),
                "{at} has another length"
            );
            for (index, (old, new)) in old.iter().zip(new).enumerate() {
                assert_kept(old, new, &format!("{at}/{index}"));
            }
        }
        _ => assert_eq!(old, new, "{at}"),
    }
}

#[test]
fn every_member_and_byte_of_the_file_is_kept() {
    for file in FILES {
        let bytes = bytes_of(file);
        let character = read(&bytes);
        let take = Take::solo("walk", walk_on(&character));
        let (animated, report) = animate(&[&character], &[&take], None, Form::Binary).unwrap();
        assert!(report.is_empty());
        let ((old, old_bin), (new, new_bin)) = (parts(&bytes), parts(&animated));
        assert_kept(&old, &new, "");
        assert!(new_bin.starts_with(&old_bin), "{file:?}");
        assert_eq!(new["animations"].as_array().unwrap().len(), 1);
        assert_eq!(new["animations"][0]["name"], "walk");
        // The pony tail has no motion of its own, and none is given to it.
        for channel in new["animations"][0]["channels"].as_array().unwrap() {
            let node = channel["target"]["node"].as_u64().unwrap() as usize;
            assert!(new["nodes"][node]["extras"]["joint"].as_u64().unwrap() < 24, "{file:?} {node}");
        }
    }
}

#[test]
fn joints_are_where_the_motion_has_them() {
    for file in FILES {
        let character = read(&bytes_of(file));
        let clip = walk_on(&character);
        for form in [Form::Binary, Form::Text] {
            let (animated, _) =
                animate(&[&character], &[&Take::solo("walk", clip.clone())], None, form).unwrap();
            let found = gltf::read(&animated, &GltfSettings::default(), &NoNeighbours).unwrap();
            let (found, wanted) = (found.takes[0].first().world(), clip.world());
            let worst = found
                .positions
                .iter()
                .zip(&wanted.positions)
                .map(|(a, b)| a.distance(*b))
                .fold(0.0, f32::max);
            assert!(worst < 2e-5, "{file:?}: a joint is {worst} m off");
        }
    }
}

#[test]
fn soles_come_from_the_mesh() {
    for file in FILES {
        let skeleton = read(&bytes_of(file)).skeleton;
        let (positions, rotations) = (skeleton.rest_positions(), skeleton.rest_world_rotations());
        let points = SolePoint::all(&skeleton);
        assert_eq!(points.len(), 4);
        for point in points {
            let height_m = point.at(&positions, &rotations).y;
            let foot = skeleton.joint_of(Role::LeftFoot.on(point.side)).unwrap();
            // The ankle is at 0.039 of the height, the ball at 0.013; the soles are 3 cm thick.
            let sole_m = positions[foot].y - 0.039 * 1.72 - 0.03;
            match point.part {
                SolePart::Heel => assert!((height_m - sole_m).abs() < 4e-3, "{file:?} {height_m} {sole_m}"),
                SolePart::Ball => {
                    assert!((point.rest_m() - 0.03 - 0.013 * 1.72).abs() < 4e-3, "{}", point.rest_m())
                }
            }
        }
    }
}

#[test]
fn a_walk_stands_on_the_floor_with_its_mesh() {
    let character = read(&bytes_of(CharacterFile::Armature));
    let clip = walk_on(&character);
    let points = SolePoint::all(&character.skeleton);
    let heels: Vec<SolePoint> = points.into_iter().filter(|point| point.part == SolePart::Heel).collect();
    let lowest = SolePoint::paths(&heels, &clip)
        .into_iter()
        .flatten()
        .map(|at: Vec3| at.y)
        .fold(f32::INFINITY, f32::min);
    assert!(lowest.abs() < 0.012, "the heels reach {lowest} m");
}

#[test]
fn several_characters_share_a_file() {
    let characters: Vec<GltfCharacter> = FILES.iter().map(|file| read(&bytes_of(*file))).collect();
    let all: Vec<&GltfCharacter> = characters.iter().collect();
    let actors = characters.iter().enumerate().map(|(index, character)| Actor {
        name: format!("actor {index}"),
        clip: walk_on(character).lifted(index as f32).unwrap(),
    });
    let take = Take::new("crowd", actors.collect()).unwrap();
    let (merged, report) = animate(&all, &[&take, &take], None, Form::Binary).unwrap();
    // VRM 0 is there already when VRM 1 comes.
    assert_eq!(report.codes(), ["character/not-merged"]);
    let (json, bin) = parts(&merged);
    let (first, first_bin) = parts(&bytes_of(FILES[0]));
    assert_eq!(json["nodes"][0], first["nodes"][0]);
    assert!(bin.starts_with(&first_bin));
    assert_eq!(json["skins"].as_array().unwrap().len(), 4);
    assert_eq!(json["animations"].as_array().unwrap().len(), 2);
    assert_eq!(json["scenes"][0]["nodes"].as_array().unwrap().len(), 8);
    let found = gltf::read(&merged, &GltfSettings::default(), &NoNeighbours).unwrap();
    assert_eq!(found.takes.len(), 2);
    for (actor, wanted) in found.takes[1].actors().iter().zip(take.actors()) {
        // The order of joints depends on all nodes of a file.
        let joint_of = |name: &str| actor.clip.skeleton().joint_named(name).unwrap();
        let (found, wanted_at) = (actor.clip.world(), wanted.clip.world());
        for (joint, data) in wanted.clip.skeleton().joints().iter().enumerate() {
            for frame in [0, 50, 179] {
                let off = found.positions_at(frame)[joint_of(&data.name)]
                    .distance(wanted_at.positions_at(frame)[joint]);
                assert!(off < 2e-5, "{}: {} is {off} m off", actor.name, data.name);
            }
        }
    }
}

#[test]
fn own_animations_stay_first() {
    let mut maker = Maker::waving();
    maker.json["nodes"][0]["name"] = json!("Hips");
    let bytes = maker.glb();
    let (character, _) = GltfCharacter::read(&bytes, None, &ReadOptions::default(), &NoNeighbours).unwrap();
    let clip =
        Clip::still(character.skeleton.clone(), 30.0, marey_motion::LocalPose::rest(&character.skeleton))
            .unwrap();
    let take = Take::solo("still", clip);
    let (animated, report) = animate(&[&character], &[&take], None, Form::Binary).unwrap();
    assert_eq!(report.codes(), ["character/own-animations"]);
    let names: Vec<Value> =
        parts(&animated).0["animations"].as_array().unwrap().iter().map(|a| a["name"].clone()).collect();
    assert_eq!(names, ["wave", "still"]);
}

/// The code of the error for a description.
fn code(json: Value) -> &'static str {
    let bytes = glb(2, &[(b"JSON", json.to_string().as_bytes())]);
    GltfCharacter::read(&bytes, None, &ReadOptions::default(), &NoNeighbours).unwrap_err().code().id
}

#[test]
fn bad_characters_are_refused() {
    let asset = json!({ "version": "2.0" });
    let leg = |scale: f64| {
        json!({ "asset": asset, "skins": [{ "joints": [0, 1] }],
            "nodes": [{ "children": [1], "scale": [scale, 1, 1] }, { "translation": [0, 1, 0] }] })
    };
    assert_eq!(code(leg(-1.0)), "character/mirrored");
    assert_eq!(code(leg(0.0)), "character/mirrored");
    assert_eq!(code(json!({ "asset": asset, "nodes": [{}] })), "gltf/no-figure");
    let mut sheared = leg(1.0);
    sheared["nodes"][1] = json!({ "matrix": [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1] });
    assert_eq!(code(sheared), "character/sheared");
    let mut absent = leg(1.0);
    absent["buffers"] = json!([{ "byteLength": 4, "uri": "absent.bin" }]);
    assert_eq!(code(absent.clone()), "beside/not-found");
    absent["buffers"] = json!([{ "byteLength": 4 }]);
    assert_eq!(code(absent), "gltf/buffer");
    let nodes: Vec<Value> = (0..1_000_000).map(|_| json!({})).collect();
    let joints: Vec<usize> = (0..1_000_000).collect();
    assert_eq!(
        code(json!({ "asset": asset, "nodes": nodes, "skins": [{ "joints": joints }] })),
        "gltf/limit"
    );
    let deep = format!(
        r#"{{"asset":{{"version":"2.0"}},"skins":[{{"joints":[0]}}],"nodes":[{{}}],"x":{}{}}}"#,
        "[".repeat(5000),
        "]".repeat(5000)
    );
    let bytes = glb(2, &[(b"JSON", deep.as_bytes())]);
    let error = GltfCharacter::read(&bytes, None, &ReadOptions::default(), &NoNeighbours).unwrap_err();
    assert_eq!(error.code().id, "gltf/json");
}

#[test]
fn one_of_several_figures_is_chosen() {
    let json = json!({ "asset": { "version": "2.0" }, "skins": [{ "joints": [0] }, { "joints": [1, 2] }],
        "nodes": [{ "name": "prop" }, { "name": "Hips", "children": [2] }, { "name": "Spine", "translation": [0, 0.1, 0] }] });
    let bytes = glb(2, &[(b"JSON", json.to_string().as_bytes())]);
    let read = |figure| GltfCharacter::read(&bytes, figure, &ReadOptions::default(), &NoNeighbours);
    let (chosen, report) = read(None).unwrap();
    assert_eq!((chosen.name.as_str(), chosen.skeleton.len()), ("Hips", 2));
    assert!(report.codes().contains(&"character/several-figures"));
    assert_eq!(read(Some("prop")).unwrap().0.skeleton.len(), 1);
    assert_eq!(read(Some("2")).unwrap().0.skeleton.len(), 2);
    assert_eq!(read(Some("Bob")).unwrap_err().code().id, "character/no-figure");
}

/// Files beside a character.
struct Beside(Vec<(&'static str, Vec<u8>)>);

impl marey_formats::Neighbours for Beside {
    fn own_name(&self) -> Option<&str> {
        Some("hero.gltf")
    }

    fn names(&self, _: &str) -> Result<Vec<String>, marey_formats::FormatsError> {
        Ok(Vec::new())
    }

    fn open(&self, name: &str) -> Result<Vec<u8>, marey_formats::FormatsError> {
        let found = self.0.iter().find(|(known, _)| *known == name).map(|(_, bytes)| bytes.clone());
        found.map_or_else(|| NoNeighbours.open(name), Ok)
    }
}

#[test]
fn files_beside_a_character_are_embedded() {
    let (mut json, bin) = parts(&bytes_of(CharacterFile::Glb));
    let view = json["images"][0]["bufferView"].as_u64().unwrap() as usize;
    let range = |key: &str| json["bufferViews"][view][key].as_u64().unwrap() as usize;
    let picture = bin[range("byteOffset")..][..range("byteLength")].to_vec();
    json["buffers"] =
        json!([{ "byteLength": bin.len(), "uri": "a%20b.bin" }, { "byteLength": 3, "uri": "more.bin" }]);
    json["images"] = json!([{ "uri": "skin.png" }, { "uri": "absent.png" }]);
    let files =
        Beside(vec![("a b.bin", bin.clone()), ("more.bin", vec![1, 2, 3]), ("skin.png", picture.clone())]);
    let text = json.to_string();
    let (character, report) =
        GltfCharacter::read(text.as_bytes(), None, &ReadOptions::default(), &files).unwrap();
    assert_eq!(report.codes(), ["character/image"]);
    let (new, new_bin) = parts(&character.to_glb().unwrap());
    assert!(new_bin.starts_with(&bin));
    assert_eq!(new["buffers"][0]["uri"], Value::Null);
    assert_eq!(new["buffers"][1]["uri"], "data:application/octet-stream;base64,AQID");
    assert_eq!(new["images"][1]["uri"], "absent.png");
    let view = &new["bufferViews"][new["images"][0]["bufferView"].as_u64().unwrap() as usize];
    let start = view["byteOffset"].as_u64().unwrap() as usize;
    assert_eq!(&new_bin[start..][..picture.len()], picture);
    assert_eq!(new["images"][0]["mimeType"], "image/png");
}

#[test]
fn matrices_of_joints_become_what_can_be_animated() {
    let mut maker = Maker::arm();
    maker.json["nodes"][1] = json!({ "name": "lower", "children": [2], "matrix": [0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 0, 1, 0, 1] });
    let (character, report) =
        GltfCharacter::read(&maker.glb(), None, &ReadOptions::default(), &NoNeighbours).unwrap();
    assert!(report.codes().contains(&"character/matrix"), "{:?}", report.codes());
    let node = &parts(&character.to_glb().unwrap()).0["nodes"][1];
    assert_eq!((&node["matrix"], &node["scale"]), (&Value::Null, &json!([2.0, 2.0, 2.0])));
    assert!((node["rotation"][2].as_f64().unwrap() - 0.5f64.sqrt()).abs() < 1e-9);
}

#[test]
fn takes_must_fit_their_characters() {
    let character = read(&bytes_of(CharacterFile::Glb));
    let other = walk(&WalkSettings { duration_secs: 6.0, ..WalkSettings::default() }).unwrap().take;
    let code = |characters: &[&GltfCharacter], take: &Take| {
        animate(characters, &[take], None, Form::Binary).unwrap_err().code().id
    };
    assert_eq!(code(&[&character], &other), "character/actors");
    let fits = Take::solo("walk", walk_on(&character));
    assert_eq!(code(&[&character, &character], &fits), "character/actors");
    assert!(animate(&[&character], &[&fits], Some(KeyTolerance::Metres(0.001)), Form::Binary).is_ok());
}
