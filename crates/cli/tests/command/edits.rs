//! Edits of `marey convert`: root motion, loops, speed, origin, smoothing, keyframes, several files in one, and bodies by choice.

use crate::motion_files::{pair, standing};
use crate::sandbox::Sandbox;

/// A sandbox with a generated walk.
fn walk(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name).with("a.bvh", standing(10));
    sandbox.ok(&["examples", "walk", "walk.bvh", "--secs", "8"]);
    sandbox
}

/// The values of the first and the last row of a BVH.
fn ends(sandbox: &Sandbox, name: &str) -> [Vec<f64>; 2] {
    let text = String::from_utf8(sandbox.read(name)).unwrap();
    let rows: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("Frame Time")).skip(1).collect();
    let numbers = |row: &str| row.split(' ').map(|value| value.parse().unwrap()).collect();
    [numbers(rows[0]), numbers(rows[rows.len() - 1])]
}

/// The joints of a GLB, by the numbers of animations and the keyframes of all their samplers.
fn animations(sandbox: &Sandbox, name: &str) -> Vec<(String, u64)> {
    let bytes = sandbox.read(name);
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let json: serde_json::Value = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
    let keys = |animation: &serde_json::Value| {
        let samplers = animation["samplers"].as_array().unwrap().iter();
        samplers
            .map(|sampler| {
                json["accessors"][sampler["input"].as_u64().unwrap() as usize]["count"].as_u64().unwrap()
            })
            .sum()
    };
    let all = json["animations"].as_array().unwrap();
    all.iter().map(|one| (one["name"].as_str().unwrap().to_owned(), keys(one))).collect()
}

#[test]
fn travel_is_kept_removed_or_on_a_root_bone_in_every_format() {
    let sandbox = walk("root-motion");
    for (root, joints_added) in [("keep", 0), ("in-place", 0), ("bone", 1)] {
        let mut counts = Vec::new();
        for ending in ["bvh", "glb"] {
            let out = format!("{root}.{ending}");
            sandbox.ok(&["convert", "walk.bvh", &out, "--root", root]);
            counts.push(sandbox.rows(&["inspect", "--json", &out])[0]["joints"].as_u64().unwrap());
        }
        let before = sandbox.rows(&["inspect", "--json", "walk.bvh"])[0]["joints"].as_u64().unwrap();
        assert_eq!(counts, [before + joints_added; 2], "{root}");
        sandbox.ok(&["convert", &format!("{root}.glb"), &format!("{root}-again.bvh")]);
        for file in [format!("{root}.bvh"), format!("{root}-again.bvh")] {
            let [first, last] = ends(&sandbox, &file);
            let moved = (last[0] - first[0]).hypot(last[2] - first[2]);
            assert_eq!(moved > 100.0, root != "in-place", "{file}: {moved}");
            assert_eq!(first[1] == 0.0, root == "bone", "{file}");
        }
    }
    let run = sandbox.run(&["convert", "walk.bvh", "x.bvh", "--root", "feet"]);
    assert_eq!(run.code, 2);
}

#[test]
fn a_loop_says_its_seam_and_starts_at_the_origin() {
    let sandbox = walk("loop");
    let run = sandbox.run(&["convert", "walk.bvh", "loop.bvh", "--loop", "--origin"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("closed over a seam of"), "{}", run.err);
    let [first, last] = ends(&sandbox, "loop.bvh");
    assert!(first[0].abs() < 1e-3 && first[2].abs() < 1e-3, "{first:?}");
    // The same height, elsewhere.
    assert!((first[1] - last[1]).abs() < 0.1, "{first:?} {last:?}");
    assert!(last[0].hypot(last[2]) > 30.0);
    let row = &sandbox.rows(&["convert", "walk.bvh", "again.bvh", "--loop", "--json"])[0];
    assert!(row["edits"][0]["cycle"]["seam_m"].as_f64().unwrap() < 0.08, "{row}");
    // A figure that does not repeat itself gets a loop with a warning, or none.
    let short = sandbox.run(&["convert", "a.bvh", "short.bvh", "--loop"]);
    assert!(short.code == 1 && short.err.contains("error[ops/no-cycle]"), "{}", short.err);
    sandbox.ok(&["convert", "walk.bvh", "part.bvh", "--frames", "200..245"]);
    let bad = sandbox.run(&["convert", "part.bvh", "bad.bvh", "--loop"]);
    assert!(bad.code == 0 && bad.err.contains("warning[convert/loop-seam]"), "{}", bad.err);
}

#[test]
fn speed_changes_the_duration_and_not_the_rate() {
    let sandbox = walk("speed");
    sandbox.ok(&["convert", "walk.bvh", "fast.bvh", "--speed", "2"]);
    sandbox.ok(&["convert", "walk.bvh", "slow.bvh", "--speed", "0.5", "--resample", "30"]);
    let rows = sandbox.rows(&["inspect", "--json", "walk.bvh", "fast.bvh", "slow.bvh"]);
    let frames = |index: usize| rows[index]["frames"].as_u64().unwrap();
    assert_eq!(rows[0]["rate_hz"], rows[1]["rate_hz"]);
    assert_eq!(frames(1), frames(0) / 2);
    assert_eq!(frames(2), frames(0));
    for bad in ["0", "-1", "1000", "nan"] {
        let run = sandbox.run(&["convert", "walk.bvh", "x.bvh", &format!("--speed={bad}")]);
        assert!(run.code == 2 && run.err.contains("command/settings"), "{bad}: {}", run.err);
    }
}

#[test]
fn smoothing_says_how_far_it_moves_joints() {
    let sandbox = walk("smooth");
    let row = &sandbox.rows(&["convert", "walk.bvh", "smooth.bvh", "--smooth", "6", "--json"])[0];
    let shift_m = row["edits"][0]["smoothing_shift_m"].as_f64().unwrap();
    assert!(shift_m > 0.0 && shift_m < 0.031, "{row}");
    let run = sandbox.run(&["convert", "walk.bvh", "other.bvh", "--smooth", "6"]);
    assert!(run.err.contains("smoothing moved joints by up to"), "{}", run.err);
    assert_eq!(sandbox.run(&["convert", "walk.bvh", "x.bvh", "--smooth", "0"]).code, 2);
}

#[test]
fn keyframes_are_removed_from_glb_only() {
    let sandbox = walk("reduce");
    sandbox.ok(&["convert", "walk.bvh", "all.glb"]);
    let mut before = animations(&sandbox, "all.glb")[0].1;
    for error in ["1mm", "5mm"] {
        let out = format!("{error}.glb");
        let run = sandbox.run(&["convert", "walk.bvh", &out, "--reduce", error]);
        assert!(run.err.contains("warning[gltf/reduced]"), "{}", run.err);
        let after = animations(&sandbox, &out)[0].1;
        assert!(after < before, "{error}: {after} of {before}");
        before = after;
        let rows = sandbox.rows(&["inspect", "--json", "all.glb", &out]);
        assert_eq!((&rows[0]["frames"], &rows[0]["rate_hz"]), (&rows[1]["frames"], &rows[1]["rate_hz"]));
    }
    let run = sandbox.run(&["convert", "walk.bvh", "x.bvh", "--reduce", "1mm"]);
    assert!(run.code == 2 && run.err.contains("error[convert/not-for-output]"), "{}", run.err);
    assert_eq!(sandbox.run(&["convert", "walk.bvh", "x.glb", "--reduce", "1"]).code, 2);
}

#[test]
fn several_files_become_the_animations_of_one() {
    let sandbox = walk("merge").with("two.bvh", pair(10)).with("bad.bvh", "nothing");
    let run = sandbox.run(&["convert", "walk.bvh", "a.bvh", "bad.bvh", "two.bvh", "all.glb"]);
    assert_eq!(run.code, 1, "{}", run.err);
    for code in ["command/retargeted", "convert/merged-actors"] {
        assert!(run.err.contains(code), "{code}: {}", run.err);
    }
    let names: Vec<String> = animations(&sandbox, "all.glb").into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["walk", "a"]);
    // On a character, and never over a file without force.
    sandbox.ok(&["convert", "walk.bvh", "hero.glb"]);
    sandbox.ok(&["convert", "walk.bvh", "a.bvh", "heroes.glb", "--character", "hero.glb"]);
    assert_eq!(animations(&sandbox, "heroes.glb").len(), 3);
    let run = sandbox.run(&["convert", "walk.bvh", "a.bvh", "all.glb"]);
    assert!(run.code == 1 && run.err.contains("file/exists"), "{}", run.err);
}

#[test]
fn a_body_is_chosen_by_figure_take_and_conventions() {
    let sandbox = walk("choose").with("two.bvh", pair(10));
    sandbox.ok(&["corpus", "new", "c.marey"]);
    sandbox.ok(&["corpus", "add", "c.marey", "a.bvh", "walk.bvh", "two.bvh"]);
    let takes = sandbox.rows(&["corpus", "ls", "c.marey", "--bodies", "--json"]);
    assert_eq!(takes.iter().map(|body| body["takes"].as_array().unwrap().len()).sum::<usize>(), 4);
    // A person's joints, whatever they are called in the file.
    let of = |file: &str| sandbox.rows(&["inspect", "--json", file])[0]["joints"].clone();
    sandbox.ok(&["convert", "walk.bvh", "take.bvh", "--skeleton", "c.marey@a"]);
    assert_eq!(of("take.bvh"), of("a.bvh"));
    for body in ["two.bvh#2", "c.marey@two#2"] {
        sandbox.ok(&["convert", "walk.bvh", "figure.bvh", "--skeleton", body, "--force"]);
        assert_eq!(of("figure.bvh"), of("a.bvh"), "{body}");
    }
    for (skeleton, id) in [
        ("c.marey", "character/no-take"),
        ("c.marey@no", "corpus/no-take"),
        ("two.bvh#3", "character/no-figure"),
    ] {
        let run = sandbox.run(&["convert", "walk.bvh", "x.bvh", "--skeleton", skeleton]);
        assert!(run.code > 0 && run.err.contains(id), "{skeleton}: {}", run.err);
    }
    // A figure of half the size is believed if its unit is stated, and read back as what it is.
    sandbox.ok(&["convert", "walk.bvh", "doll.bvh", "--skeleton", "a.bvh", "--skeleton-unit", "0.0044"]);
    let row = &sandbox.rows(&["inspect", "--json", "doll.bvh"])[0];
    let height_m = row["height_m"].as_f64().unwrap();
    assert!((0.6..0.9).contains(&height_m) && row["unit"] == "cm", "{row}");
    assert_eq!(sandbox.run(&["convert", "walk.bvh", "x.bvh", "--skeleton-unit", "cm"]).code, 2);
}

#[test]
fn uncertain_roles_are_reported_and_unknown_ones_refused() {
    // The same person without names: the shape alone says what its joints are.
    let mut text = standing(10);
    let names: Vec<String> = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("JOINT ").or(line.trim().strip_prefix("ROOT ")))
        .map(str::to_owned)
        .collect();
    for (index, name) in names.iter().enumerate() {
        for keyword in ["ROOT", "JOINT"] {
            text = text.replace(&format!("{keyword} {name}\n"), &format!("{keyword} j{index}x\n"));
        }
    }
    let stick = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nJOINT b\n{\nOFFSET 0 90 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 90 0\n}\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0 0 0 0\n";
    let sandbox = walk("uncertain").with("unnamed.bvh", text).with("stick.bvh", stick);
    let run = sandbox.run(&["convert", "walk.bvh", "b.bvh", "--skeleton", "unnamed.bvh"]);
    assert!(run.code == 0 && run.err.contains("warning[conventions/roles-unsure]"), "{}", run.err);
    for (input, skeleton) in [("walk.bvh", "stick.bvh"), ("stick.bvh", "walk.bvh")] {
        let run = sandbox.run(&["convert", input, "c.bvh", "--skeleton", skeleton]);
        assert!(run.code == 1 && run.err.contains("error[character/no-roles]"), "{}", run.err);
        assert!(run.err.contains("LeftFoot = \"\"") && run.err.contains("stick.bvh"), "{}", run.err);
    }
}
