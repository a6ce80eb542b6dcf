//! `marey traverse`.

use marey::formats::{ReadOptions, read};
use marey::motion::{Vec2, WorldPose};
use marey::ops::sole::SolePoint;

use crate::sandbox::Sandbox;

/// A corpus of a lamp's hops.
fn lamp(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name);
    sandbox.ok(&["examples", "luxo", "lamp"]);
    sandbox.ok(&["corpus", "new", "lamp.marey"]);
    sandbox.ok(&["corpus", "add", "lamp.marey", "lamp"]);
    sandbox
}

const STEPS: &str = r#"{"pieces": [[[-0.5, 0], [1, 0], [1, 0.05], [2, 0.05]], [[2.08, 0.05], [3.5, 0]]]}"#;
const DRAWN: &str = r#"<svg><polyline points="0,100 150,100 150,95 250,95 400,110"/></svg>"#;

#[test]
fn a_lamp_crosses_ground_in_a_file_or_a_drawing() {
    let sandbox = lamp("traverse").with("steps.json", STEPS).with("hills.svg", DRAWN);
    let go = ["traverse", "lamp.marey", "steps.json"];
    let more =
        ["-o", "out.bvh", "--picture", "out.png", "--plan", "plan.json", "--explain", "why.json", "--json"];
    let row = &sandbox.rows(&[&go[..], &more].concat())[0];
    let plan = marey::plan::Plan::from_json(&String::from_utf8(sandbox.read("plan.json")).unwrap()).unwrap();
    let why: marey::plan::Trace = serde_json::from_slice(&sandbox.read("why.json")).unwrap();
    assert_eq!(row["hops"].as_u64().unwrap() as usize, why.choices.len());
    assert_eq!(plan.actors[0].placements.len(), why.choices.len() + 1);
    assert!(sandbox.read("out.png").starts_with(b"\x89PNG"));
    let card = sandbox.run(&["check", "out.bvh", "--terrain", "steps.json"]);
    assert_eq!(card.code, 0, "{}", card.out);
    // The result is reproducible, and preferring short hops shortens them.
    sandbox.ok(&[&go[..], &["-o", "again.bvh"]].concat());
    assert_eq!(sandbox.read("out.bvh"), sandbox.read("again.bvh"));
    let short =
        &sandbox.rows(&[&go[..], &["-o", "short.bvh", "--prefer", "length=short", "--json"]].concat())[0];
    assert!(short["mean_hop_m"].as_f64() < row["mean_hop_m"].as_f64());
    sandbox.ok(&[
        "traverse",
        "lamp.marey",
        "hills.svg",
        "-o",
        "hills.glb",
        "--seed",
        "2",
        "--lookahead",
        "2",
    ]);
}

/// A hollow and a ridge aslant: how high, in metres, at x to the right and z up the map.
fn relief_m(x: f32, z: f32) -> f32 {
    let bump = |at: Vec2, wide: f32| (-Vec2::new(x, z).distance_squared(at) / (wide * wide)).exp();
    0.2 + 0.2 * bump(Vec2::new(5.0, 3.0), 1.6) - 0.15 * bump(Vec2::new(8.0, 1.5), 1.5)
}

/// The same as a grey picture of 10 × 5 m, a pixel 5 cm long, white at 0.5 m.
fn relief_png(depth: png::BitDepth) -> Vec<u8> {
    let (columns, rows) = (201, 101);
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, columns, rows);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(depth);
    let cells = (0..rows).rev().flat_map(|row| (0..columns).map(move |column| (row, column)));
    let brightness = cells.map(|(row, column)| 2.0 * relief_m(0.05 * column as f32, 0.05 * row as f32));
    let pixels = brightness.flat_map(|share| match depth {
        png::BitDepth::Sixteen => ((share * 65535.0).round() as u16).to_be_bytes().to_vec(),
        _ => vec![(share * 255.0).round() as u8],
    });
    encoder.write_header().unwrap().write_image_data(&pixels.collect::<Vec<u8>>()).unwrap();
    bytes
}

#[test]
fn a_walk_follows_a_path_over_a_height_map() {
    // An arch from the left to the right of the map, over the ridge and through the hollow.
    let way = |share: f32| Vec2::new(0.3 + 9.4 * share, 1.0 + 2.0 * (std::f32::consts::PI * share).sin());
    let points: Vec<Vec2> = (0..=60).map(|i| way(i as f32 / 60.0)).collect();
    let csv: String = points.iter().map(|at| format!("{},{}\n", at.x, at.y)).collect();
    let sandbox = Sandbox::new("traverse-map")
        .with("map.png", relief_png(png::BitDepth::Eight))
        .with("fine.png", relief_png(png::BitDepth::Sixteen))
        .with("way.csv", csv);
    sandbox.ok(&["examples", "walk", "walk.bvh", "--secs", "30", "--seed", "5"]);
    sandbox.ok(&["corpus", "new", "walks.marey"]);
    sandbox.ok(&["corpus", "add", "walks.marey", "walk.bvh"]);
    let go = ["traverse", "walks.marey", "map.png", "--scale", "0.05", "--relief", "0.5"];
    sandbox.ok(&[&go[..], &["--path", "way.csv", "-o", "out.bvh"]].concat());
    let fine = ["traverse", "walks.marey", "fine.png", "--scale", "0.05", "--relief", "0.5"];
    sandbox.ok(&[&fine[..], &["--path", "way.csv", "-o", "fine.bvh"]].concat());
    let import = read(&sandbox.read("out.bvh"), None, &ReadOptions::default()).unwrap();
    let clip = import.take().unwrap().first().clone();
    // Hips begin behind the foot that stands at the start: the path goes on straight before it.
    let back = (points[0] - points[1]).normalize();
    let before = (1..=10).map(|i| points[0] + 0.05 * i as f32 * back);
    let all: Vec<Vec2> = before.chain(points.iter().copied()).collect();
    let beside_m = |at: Vec2| all.iter().map(|point| point.distance(at)).fold(f32::INFINITY, f32::min);
    let (mut first_m, mut last_m, mut floats) = (f32::INFINITY, 0f32, 0);
    let soles = SolePoint::all(clip.skeleton());
    for pose in clip.poses() {
        let world = WorldPose::of(clip.skeleton(), pose);
        let hips = world.positions[0];
        assert!(beside_m(Vec2::new(hips.x, hips.z)) < 0.2, "hips at {hips} are off the path");
        (first_m, last_m) = (first_m.min(hips.x), last_m.max(hips.x));
        // Soles are nowhere in the ground, and one of them is near it: it is taken to be level across the way.
        let over = soles.iter().map(|sole| {
            let at = sole.at(&world.positions, &world.rotations);
            at.y - sole.rest_m() - relief_m(at.x, at.z)
        });
        let over_m = over.fold(f32::INFINITY, f32::min);
        assert!(over_m > -0.05, "a sole is {over_m} m over the ground near {hips}");
        floats += usize::from(over_m > 0.05);
    }
    assert!(first_m < 1.2 && last_m > 8.0, "from {first_m} to {last_m} m");
    assert!(floats * 20 < clip.frames(), "{floats} of {} frames float", clip.frames());
    let sandbox = sandbox.with("out.csv", "5,1\n25,1\n");
    let out = sandbox.run(&[&go[..], &["--path", "out.csv", "-o", "no.bvh"]].concat());
    assert!(out.code == 1 && out.err.contains("the path leaves the map"), "{}", out.err);
}

#[test]
fn one_setting_in_a_file_leaves_the_defaults_of_a_walker() {
    let stairs = r#"{"pieces": [[[-1, 0], [2, 0], [2, 0.12], [2.5, 0.12], [2.5, 0.24], [5, 0.24]]]}"#;
    let sandbox = Sandbox::new("traverse-settings")
        .with("stairs.json", stairs)
        .with("one.toml", "variety = 0.05\n")
        .with("wrong.toml", "speed = 1\n")
        .with("range.toml", "knee_margin_rad = 9.0\n");
    sandbox.ok(&["examples", "walk", "walk.bvh", "--secs", "30", "--seed", "5"]);
    let go = ["traverse", "walk.bvh", "stairs.json"];
    sandbox.ok(&[&go[..], &["-o", "default.bvh"]].concat());
    sandbox.ok(&[&go[..], &["-o", "one.bvh", "--settings", "one.toml"]].concat());
    assert_eq!(sandbox.read("default.bvh"), sandbox.read("one.bvh"));
    for (file, wanted) in [("wrong.toml", "speed"), ("range.toml", "knee_margin_rad")] {
        let run = sandbox.run(&[&go[..], &["-o", "no.bvh", "--settings", file]].concat());
        assert!(run.code == 2 && run.err.contains(wanted) && run.err.contains(file), "{}", run.err);
    }
}

#[test]
fn what_cannot_be_crossed_is_refused() {
    let gap = r#"{"pieces": [[[0, 0], [1.5, 0]], [[3, 0], [5, 0]]]}"#;
    let sandbox = lamp("traverse-bad")
        .with("steps.json", STEPS)
        .with("gap.json", gap)
        .with("back.json", r#"{"pieces": [[[0, 0], [1, 0], [0.5, 1], [2, 1]]]}"#)
        .with("back.svg", "<svg><polyline points='0,0 100,0 50,9'/></svg>")
        .with("curve.svg", "<svg><path d='M 0 0 C 1 1 2 2 3 3'/></svg>")
        .with("no.png", "no picture");
    sandbox.ok(&["corpus", "new", "empty.marey"]);
    let code = |args: &[&str]| {
        let run = sandbox.run(&[&["traverse"], args, &["-o", "x.bvh"]].concat());
        let code = run.err.lines().find_map(|line| line.strip_prefix("error[")?.split(']').next());
        (run.code, code.unwrap_or_default().to_owned(), run.err.clone())
    };
    for (args, exit, wanted, place) in [
        (&["lamp.marey", "gap.json"][..], 1, "traverse/unreachable", "gap from 1.500 to 3.000 m"),
        (&["empty.marey", "steps.json"], 1, "traverse/empty", "empty.marey"),
        (&["lamp.marey", "back.json"], 1, "terrain/bad-json", "is to the left of the previous one"),
        (&["lamp.marey", "back.svg"], 1, "motion/terrain", "point 2 is to the left of the previous one"),
        (&["lamp.marey", "curve.svg"], 1, "terrain/unsupported-svg", "not a straight line"),
        (&["lamp.marey", "no.png"], 1, "terrain/bad-png", "no.png"),
        (&["lamp.marey", "steps.json", "--from", "9"], 1, "traverse/no-footing", "9.000 m"),
        (&["lamp.marey", "steps.json", "--prefer", "speed=high"], 1, "traverse/preference", "speed"),
        (&["lamp.marey", "steps.json", "--lookahead", "99"], 2, "command/settings", "lookahead"),
        (&["lamp.marey", "steps.json", "--scale", "0"], 2, "command/settings", "scale is 0"),
    ] {
        let (exited, code, text) = code(args);
        assert_eq!((exited, code.as_str()), (exit, wanted), "{args:?}: {text}");
        assert!(text.contains(place), "{args:?}: {text}");
    }
    assert!(!sandbox.files().contains(&"x.bvh".to_owned()));
}

/// The frames of a motion that differ from those of another one of the same length.
fn different_frames(sandbox: &Sandbox, names: [&str; 2]) -> Vec<usize> {
    let [one, other] = names.map(|name| {
        let import = read(&sandbox.read(name), None, &ReadOptions::default()).unwrap();
        import.take().unwrap().first().clone()
    });
    assert_eq!(one.frames(), other.frames());
    (0..one.frames()).filter(|frame| one.pose(*frame) != other.pose(*frame)).collect()
}

#[test]
fn a_saved_plan_realises_to_the_same_bytes_and_an_edit_changes_its_part_only() {
    let sandbox = lamp("traverse-plan").with("steps.json", STEPS);
    sandbox.ok(&[
        "traverse",
        "lamp.marey",
        "steps.json",
        "-o",
        "out.bvh",
        "--plan",
        "plan.json",
        "--seed",
        "3",
    ]);
    sandbox.ok(&["realise", "lamp.marey", "plan.json", "-o", "again.bvh"]);
    assert_eq!(sandbox.read("out.bvh"), sandbox.read("again.bvh"));
    let text = String::from_utf8(sandbox.read("plan.json")).unwrap();
    let mut plan = marey::plan::Plan::from_json(&text).unwrap();
    let placements = &mut plan.actors[0].placements;
    let affected = placements[2].start..placements[3].end();
    placements[2].world_from_source.z -= 0.03;
    let sandbox = sandbox.with("edited.json", plan.to_json().unwrap());
    sandbox.ok(&["realise", "lamp.marey", "edited.json", "-o", "edited.bvh"]);
    let different = different_frames(&sandbox, ["out.bvh", "edited.bvh"]);
    assert!(!different.is_empty() && different.iter().all(|frame| affected.contains(frame)), "{different:?}");
}

#[test]
fn a_plan_along_a_path_realises_to_the_same_bytes() {
    let csv: String = (0..=40).map(|i| 0.2 * i as f32).map(|s| format!("{},{}\n", 0.1 * s * s, s)).collect();
    let terrain = r#"{"pieces": [[[0, 0], [3, 0], [3, 0.08], [8, 0.1]]]}"#;
    let sandbox = Sandbox::new("traverse-path").with("terrain.json", terrain).with("path.csv", csv);
    sandbox.ok(&["examples", "walk", "walk.bvh", "--secs", "30", "--seed", "5"]);
    sandbox.ok(&["corpus", "new", "walks.marey"]);
    sandbox.ok(&["corpus", "add", "walks.marey", "walk.bvh"]);
    let go = ["traverse", "walks.marey", "terrain.json", "--path", "path.csv"];
    sandbox.ok(&[&go[..], &["-o", "out.bvh", "--plan", "plan.json"]].concat());
    sandbox.ok(&["realise", "walks.marey", "plan.json", "-o", "again.bvh"]);
    assert_eq!(sandbox.read("out.bvh"), sandbox.read("again.bvh"));
}
