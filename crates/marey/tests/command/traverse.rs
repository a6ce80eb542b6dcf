//! `marey traverse`.

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
    // The same again is the same, and small hops are smaller.
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
        (&["lamp.marey", "back.json"], 1, "command/not-a-terrain", "goes back"),
        (&["lamp.marey", "back.svg"], 1, "motion/terrain", "point 2 goes back"),
        (&["lamp.marey", "curve.svg"], 1, "command/not-a-terrain", "no straight line"),
        (&["lamp.marey", "no.png"], 1, "command/not-a-terrain", "no.png"),
        (&["lamp.marey", "steps.json", "--from", "9"], 1, "traverse/no-footing", "9.000 m"),
        (&["lamp.marey", "steps.json", "--prefer", "speed=high"], 1, "traverse/taste", "speed"),
        (&["lamp.marey", "steps.json", "--lookahead", "99"], 2, "command/settings", "lookahead"),
        (&["lamp.marey", "steps.json", "--scale", "0"], 2, "command/settings", "scale is 0"),
    ] {
        let (exited, code, text) = code(args);
        assert_eq!((exited, code.as_str()), (exit, wanted), "{args:?}: {text}");
        assert!(text.contains(place), "{args:?}: {text}");
    }
    assert!(!sandbox.files().contains(&"x.bvh".to_owned()));
}
