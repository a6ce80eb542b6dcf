//! Bodies through the command: rest poses, root bones, sizes, the own body, and characters that are refused.

use std::process::Command;

use marey::examples::character::CharacterFile;
use marey::motion::{Clip, Role, Vec3};
use serde_json::{Value, json};

use crate::glb_parts::{glb, hero, parts};
use crate::motion_files::{pair, standing};
use crate::sandbox::Sandbox;

const FILES: [(&str, CharacterFile); 4] = [
    ("hero.glb", CharacterFile::Glb),
    ("armature.glb", CharacterFile::Armature),
    ("zero.vrm", CharacterFile::Vrm0),
    ("one.vrm", CharacterFile::Vrm1),
];

/// A sandbox with a generated walk and a character of each kind.
fn heroes(name: &str) -> Sandbox {
    let sandbox =
        FILES.iter().fold(Sandbox::new(name), |sandbox, (name, file)| sandbox.with(name, hero(*file)));
    sandbox.ok(&["examples", "walk", "walk.bvh", "--secs", "8", "--rate", "30"]);
    sandbox
}

fn clip(sandbox: &Sandbox, name: &str) -> Clip {
    marey::inputs::take(&sandbox.path(name)).unwrap().first().clone()
}

/// The farthest that a joint is from the joint of the same name in another motion, in metres.
fn apart_m(one: &Clip, other: &Clip) -> f32 {
    assert_eq!((one.frames(), one.skeleton().len()), (other.frames(), other.skeleton().len()));
    // Names in a BVH have no spaces.
    let named = |name: &str| {
        let found = other.skeleton().joint_named(name);
        found.or_else(|| other.skeleton().joint_named(&name.replace(' ', "_"))).unwrap()
    };
    let same: Vec<usize> = one.skeleton().joints().iter().map(|joint| named(&joint.name)).collect();
    let (one, other) = (one.world(), other.world());
    let apart_m = |(index, at): (usize, &Vec3)| {
        at.distance(other.positions_at(index / same.len())[same[index % same.len()]])
    };
    one.positions.iter().enumerate().map(apart_m).fold(0.0, f32::max)
}

/// The positions of all joints and End Sites of a BVH in its zero pose.
fn zero_pose(text: &str) -> Vec<Vec3> {
    let (mut open, mut at) = (vec![Vec3::ZERO], Vec::new());
    for line in text.lines().take_while(|line| !line.starts_with("MOTION")) {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("OFFSET") => {
                let offset: Vec<f32> = words.map(|word| word.parse().unwrap()).collect();
                let place = open[open.len() - 2] + Vec3::from_slice(&offset);
                *open.last_mut().unwrap() = place;
                at.push(place);
            }
            Some("{") => open.push(Vec3::ZERO),
            Some("}") => drop(open.pop()),
            _ => {}
        }
    }
    at
}

#[test]
fn the_zero_pose_of_a_bvh_is_a_t_pose() {
    let sandbox = heroes("zero-pose");
    for (name, _) in FILES {
        let flags = ["--character", name, "--force"];
        sandbox.ok(&[&["convert", "walk.bvh", "out.bvh"], &flags[..]].concat());
        let at = zero_pose(&String::from_utf8(sandbox.read("out.bvh")).unwrap());
        let extent = |axis: fn(&Vec3) -> f32| {
            let (low, high) =
                at.iter().map(axis).fold((f32::MAX, f32::MIN), |(l, h), x| (l.min(x), h.max(x)));
            (low, high)
        };
        let ((left, right), (low, high), (back, front)) = (extent(|p| p.x), extent(|p| p.y), extent(|p| p.z));
        let height = high - low;
        // Arms are stretched to both sides, and nothing but feet and hair is before or behind the body.
        assert!(
            right - left > 0.8 * height && (right + left).abs() < 0.02 * height,
            "{name}: {left} {right}"
        );
        assert!(front - back < 0.3 * height, "{name}: {back} {front}");
        let widest = at.iter().max_by(|a, b| a.x.total_cmp(&b.x)).unwrap();
        assert!(widest.y - low > 0.7 * height, "{name}: {widest}");
        assert!((120.0..200.0).contains(&height), "{name}: {height}");
    }
}

#[test]
fn every_format_has_the_motion_of_the_character() {
    let sandbox = heroes("character-formats");
    for (name, _) in FILES {
        let flags = ["--character", name, "--force"];
        sandbox.ok(&[&["convert", "walk.bvh", "out.glb"], &flags[..]].concat());
        let motion = clip(&sandbox, "out.glb");
        for out in ["out.bvh", "out.fbx"] {
            sandbox.ok(&[&["convert", "walk.bvh", out], &flags[..]].concat());
            let off_m = apart_m(&motion, &clip(&sandbox, out));
            assert!(off_m < 1e-4, "{name} {out}: {off_m} m");
        }
        // A VRM animation has humanoid bones only.
        sandbox.ok(&[&["convert", "walk.bvh", "out.vrma"], &flags[..]].concat());
        let humanoid = clip(&sandbox, "out.vrma");
        let (one, other) = (motion.world(), humanoid.world());
        for (role, joint) in humanoid.skeleton().roles() {
            let own = motion.skeleton().joint_of(role).unwrap();
            for frame in [0, 60, motion.frames() - 1] {
                let off_m = one.positions_at(frame)[own].distance(other.positions_at(frame)[joint]);
                assert!(off_m < 1e-3, "{name} {role}: {off_m} m");
            }
        }
        sandbox.ok(&[&["convert", "walk.bvh", "out.usda"], &flags[..]].concat());
        let text = String::from_utf8(sandbox.read("out.usda")).unwrap();
        assert!(text.contains("SkelAnimation") && text.contains("quatf[] rotations.timeSamples"), "{name}");
    }
}

/// The same BVH with a joint above its root, which does not move.
fn below_a_root(text: &str) -> String {
    let channels = "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation";
    let root = format!("ROOT Reference\n{{\nOFFSET 0 0 0\n{channels}\nJOINT ");
    let (tree, motion) = text.split_once("MOTION").unwrap();
    let (head, rows) = motion.split_once("Frame Time:").unwrap();
    let (time, rows) = rows.split_once('\n').unwrap();
    let rows: String = rows.lines().map(|row| format!("0 0 0 0 0 0 {row}\n")).collect();
    format!("{}}}\nMOTION{head}Frame Time:{time}\n{rows}", tree.replacen("ROOT ", &root, 1))
}

#[test]
fn a_root_joint_of_the_file_has_the_travel_for_engines() {
    let sandbox = heroes("own-root");
    let text = below_a_root(&String::from_utf8(sandbox.read("walk.bvh")).unwrap());
    let sandbox = sandbox.with("rooted.bvh", text);
    let hips_of = |clip: &Clip, frame: usize| {
        clip.world().positions_at(frame)[clip.skeleton().joint_of(Role::Hips).unwrap()]
    };
    let walk = clip(&sandbox, "walk.bvh");
    let last = walk.frames() - 1;
    for input in ["walk.bvh", "rooted.bvh"] {
        for (tool, root) in [("unreal", "root"), ("godot", "Root")] {
            for out in ["out.glb", "out.fbx"] {
                sandbox.ok(&["convert", input, out, "--for", tool, "--force"]);
                let made = clip(&sandbox, out);
                let joints = made.skeleton().joints();
                assert_eq!((joints[0].name.as_str(), joints.len()), (root, walk.skeleton().len() + 1));
                let world = made.world();
                for frame in [0, last / 2, last] {
                    let (hips, at) = (hips_of(&walk, frame), world.positions_at(frame)[0]);
                    let off_m = hips_of(&made, frame).distance(hips);
                    assert!(off_m < 1e-3, "{input} {tool} {out}: hips are {off_m} m off");
                    assert!(at.distance(hips.with_y(0.0)) < 0.15, "{input} {tool} {out}: {at}, not {hips}");
                    assert!(at.y.abs() < 1e-3, "{input} {tool} {out}: {at}");
                }
            }
        }
        for out in ["place.bvh", "place.glb", "place.fbx"] {
            sandbox.ok(&["convert", input, out, "--root", "in-place", "--force"]);
            let made = clip(&sandbox, out);
            let travel_m = (hips_of(&made, last) - hips_of(&made, 0)).with_y(0.0).length();
            assert!(travel_m < 1e-3, "{input} {out}: {travel_m} m");
        }
    }
}

#[test]
fn motion_on_the_own_body_is_not_changed() {
    let sandbox = heroes("own-body").with("pair.bvh", pair(20)).with("stand.bvh", standing(20));
    sandbox.ok(&["convert", "walk.bvh", "walk.fbx"]);
    sandbox.ok(&["convert", "walk.bvh", "moves.glb", "--character", "armature.glb"]);
    for file in ["walk.bvh", "stand.bvh", "walk.fbx", "moves.glb"] {
        sandbox.ok(&["convert", file, "plain.bvh", "--force"]);
        for flag in ["--skeleton", "--character"] {
            sandbox.ok(&["convert", file, "own.bvh", flag, file, "--force"]);
            let off_m = apart_m(&clip(&sandbox, "plain.bvh"), &clip(&sandbox, "own.bvh"));
            assert!(off_m < 1e-4, "{file} {flag}: {off_m} m");
        }
    }
}

#[test]
fn real_data_motion_on_the_own_body_is_not_changed() {
    let Some(folder) = marey_capture::folder("") else { return };
    let sandbox = Sandbox::new("own-captured");
    for file in [
        "cmu/walk_path/07_01.bvh",
        "cmu/asf_amc/07_01.amc",
        "conformance/fbx/ozz-animation/walk.fbx",
        "conformance/gltf/khronos/CesiumMan/glTF-Binary/CesiumMan.glb",
    ] {
        let path = folder.join(file);
        let path = path.to_str().unwrap();
        if !std::path::Path::new(path).exists() {
            println!("skipped: no {file}");
            continue;
        }
        sandbox.ok(&["convert", path, "plain.bvh", "--force"]);
        sandbox.ok(&["convert", path, "own.bvh", "--skeleton", path, "--force"]);
        let off_m = apart_m(&clip(&sandbox, "plain.bvh"), &clip(&sandbox, "own.bvh"));
        assert!(off_m < 1e-4, "{file}: {off_m} m");
    }
}

#[test]
fn sizes_from_a_doll_to_a_giant_are_believed() {
    let sandbox = Sandbox::new("sizes").with("a.bvh", standing(10));
    sandbox.ok(&["examples", "walk", "walk.bvh", "--secs", "6", "--rate", "30"]);
    let height_m = |args: &[&str]| {
        let row = sandbox.rows(&[&["inspect", "--json"], args].concat())[0].clone();
        row["height_m"].as_f64().unwrap_or_else(|| panic!("{row}"))
    };
    let normal_m = height_m(&["a.bvh", "--unit", "cm"]);
    for size in [0.3, 0.75, 4.0] {
        // As many metres to the unit as make the person so tall.
        let unit = format!("{}", 0.01 * size / normal_m);
        let stated_m = height_m(&["a.bvh", "--unit", &unit]);
        assert!((stated_m - size).abs() < 0.01 * size, "stated: {stated_m}, not {size}");
        for flag in ["character", "skeleton"] {
            let (body, body_unit) = (format!("--{flag}"), format!("--{flag}-unit"));
            for out in ["out.bvh", "out.glb", "out.fbx"] {
                sandbox.ok(&["convert", "walk.bvh", out, &body, "a.bvh", &body_unit, &unit, "--force"]);
                let own_m = height_m(&[out]);
                assert!((own_m - size).abs() < 0.03 * size, "{flag} {out}: {own_m}, not {size}");
            }
        }
    }
}

/// Exit code and code of the error of a conversion onto a character, with at most 2 GB of memory.
fn refusal(sandbox: &Sandbox, character: &str) -> (i32, String, String) {
    let line = format!(
        "ulimit -v 2097152; exec '{}' convert walk.bvh x.glb --character '{character}'",
        env!("CARGO_BIN_EXE_marey")
    );
    let run = Command::new("sh").args(["-c", &line]).current_dir(sandbox.path("")).output().unwrap();
    let text = String::from_utf8(run.stderr).unwrap();
    let code =
        text.lines().find_map(|line| line.strip_prefix("error[")?.split(']').next().map(str::to_owned));
    (run.status.code().unwrap_or(-1), code.unwrap_or_default(), text)
}

#[test]
fn bad_characters_have_codes() {
    let (json, bin) = parts(&hero(CharacterFile::Glb));
    let with = |change: &dyn Fn(&mut Value)| {
        let mut json = json.clone();
        change(&mut json);
        glb(&json, &bin)
    };
    let without_skin = with(&|json| {
        json["skins"].take();
        json.as_object_mut().unwrap().remove("skins");
        json["nodes"].as_array_mut().unwrap().last_mut().unwrap().as_object_mut().unwrap().remove("skin");
    });
    let mirrored = with(&|json| json["nodes"][3]["scale"] = json!([-1, 1, 1]));
    let unnamed = with(&|json| {
        for (number, node) in json["nodes"].as_array_mut().unwrap().iter_mut().enumerate() {
            node["name"] = json!(format!("n{number}"));
            node["translation"] = json!([0, 0.1, 0]);
        }
    });
    let far = with(&|json| json["buffers"][0] = json!({ "byteLength": bin.len(), "uri": "absent.bin" }));
    let short = with(&|json| json["buffers"][0]["byteLength"] = json!(bin.len() * 2));
    let crowd = |joints: bool| {
        with(&|json| {
            let nodes = json["nodes"].as_array_mut().unwrap();
            let first = nodes.len();
            nodes.extend((0..1_000_000).map(|_| json!({})));
            if joints {
                json["skins"][0]["joints"] = (0..first + 1_000_000).collect();
            }
        })
    };
    let sandbox = heroes("bad-characters")
        .with("no-skin.glb", without_skin)
        .with("mirrored.glb", mirrored)
        .with("unnamed.glb", unnamed)
        .with("far.glb", far)
        .with("short.glb", short)
        .with("joints.glb", crowd(true))
        .with("nodes.glb", crowd(false))
        .with("empty.glb", "")
        .with("text.fbx", "Kaydara FBX Binary  \0");
    let before = sandbox.files();
    for (file, wanted) in [
        ("no-skin.glb", "gltf/no-figure"),
        ("mirrored.glb", "character/mirrored"),
        ("unnamed.glb", "character/no-roles"),
        ("far.glb", "beside/not-found"),
        ("short.glb", "gltf/buffer"),
        ("joints.glb", "gltf/limit"),
        ("empty.glb", "gltf/not-gltf"),
        ("text.fbx", "fbx/truncated"),
    ] {
        let (exit, code, text) = refusal(&sandbox, file);
        assert_eq!((exit, code.as_str()), (1, wanted), "{file}: {text}");
        assert!(text.contains(file), "{file}: {text}");
    }
    assert_eq!(sandbox.files(), before);
    // Many nodes that are no joints are kept, within the same memory.
    let (exit, _, text) = refusal(&sandbox, "nodes.glb");
    assert_eq!(exit, 0, "{text}");
    assert!(parts(&sandbox.read("x.glb")).0["nodes"].as_array().unwrap().len() > 1_000_000);
}

#[test]
fn one_of_two_skins_moves() {
    let sandbox = heroes("two-skins").with("pair.bvh", pair(10));
    sandbox.ok(&["convert", "pair.bvh", "two.glb", "--character", "hero.glb"]);
    let moved = |character: &str| {
        let run = sandbox.ok(&["convert", "walk.bvh", "out.glb", "--character", character, "--force"]);
        let json = parts(&sandbox.read("out.glb")).0;
        let animation = json["animations"].as_array().unwrap().last().unwrap().clone();
        let nodes = animation["channels"].as_array().unwrap().iter();
        (run.err, nodes.map(|channel| channel["target"]["node"].as_u64().unwrap()).min().unwrap())
    };
    let (warnings, first) = moved("two.glb");
    assert!(warnings.contains("warning[character/several-figures]"), "{warnings}");
    let (warnings, second) = moved("two.glb#2");
    assert!(!warnings.contains("several-figures") && second > first, "{warnings}");
}
