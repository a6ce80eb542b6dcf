//! `marey tween` and `marey wander`.

use crate::sandbox::Sandbox;

/// A corpus of a walk.
fn walks(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name);
    sandbox.ok(&["examples", "walk", "a.bvh", "--secs", "30", "--rate", "30"]);
    sandbox.ok(&["corpus", "new", "w.marey"]);
    sandbox.ok(&["corpus", "add", "w.marey", "a.bvh"]);
    sandbox
}

#[test]
fn poses_are_connected_as_in_a_corpus() {
    let sandbox = walks("tween");
    let tween = ["tween", "w.marey", "a@100", "a@600", "-o"];
    let row = &sandbox.rows(&[&tween[..], &["joined.bvh", "--frames", "31", "--json"]].concat())[0];
    // Frames 0 to 100, 29 between, 600 to 899.
    assert_eq!(row["frames"], 101 + 29 + 300);
    assert_eq!((&row["gaps"][0]["start"], &row["gaps"][0]["end"]), (&100.into(), &130.into()));
    let only = |name: &str, args: &[&str]| {
        sandbox.rows(&[&tween[..], &[name, "--gap-only", "--json"], args].concat())[0]["frames"].clone()
    };
    assert!(only("between.bvh", &["--plan", "p.json"]).as_u64().unwrap() > 2);
    sandbox.ok(&["realise", "p.json", "--corpus", "w.marey", "-o", "again.bvh"]);
    assert_eq!(sandbox.read("between.bvh"), sandbox.read("again.bvh"));
    assert_eq!(only("style.bvh", &["--frames", "75", "--mode", "style", "--network", "body"]), 75);
    assert_eq!(only("placed.bvh", &["--at", "0,0.8", "--place", "-0.2,1.1,20"]), 25);
    // A gap of ten seconds is filled with movement.
    assert_eq!(only("long.bvh", &["--at", "0,10"]), 301);
    let three = ["tween", "w.marey", "a@100", "a@300", "a@600", "--gap-only", "--json", "-o"];
    let at = |name: &str, args: &[&str]| sandbox.rows(&[&three[..], &[name], args].concat())[0].clone();
    let row = at("three.bvh", &["--at", "0,1,1.5"]);
    assert_eq!((&row["frames"], row["gaps"].as_array().map(Vec::len)), (&46.into(), Some(2)));
    assert_eq!(at("loop.bvh", &["--at", "0,1,1.5,2.5", "--loop"])["frames"], 76);
    // From the last frame of a file to its first.
    sandbox.ok(&["tween", "w.marey", "a.bvh", "a.bvh", "-o", "again-from-the-start.bvh"]);
    let row =
        &sandbox.rows(&["wander", "w.marey", "-o", "free.bvh", "--secs", "4", "--seed", "7", "--json"])[0];
    assert_eq!(row["frames"], 120);
}

#[test]
fn unreachable_poses_name_the_joint_and_a_reachable_pose() {
    let sandbox = walks("tween-bad");
    sandbox.ok(&["examples", "luxo", "lamps/"]);
    let run = |args: &[&str]| sandbox.run(&[&["tween", "w.marey"], args, &["-o", "x.bvh"]].concat());
    let blocked = run(&["a@100", "a@115", "--frames", "2", "--mode", "style"]).err;
    assert!(blocked.contains("error[tween/not-connected]") && blocked.contains("are enough"), "{blocked}");
    assert!(blocked.contains("the nearest posture that can be reached is a@"), "{blocked}");
    assert!(run(&["nobody@3", "a@1"]).err.contains("error[corpus/no-take]"));
    assert!(run(&["a@3", "a@99999"]).err.contains("error[motion/"));
    let lamp = sandbox
        .files()
        .into_iter()
        .find(|file| file.starts_with("lamps/") && file.ends_with(".bvh"))
        .unwrap();
    assert!(run(&["a@3", &lamp]).err.contains("error[motion/missing-role]"));
    assert!(run(&["a@3", "a@9", "--heuristic-weight", "0.1"]).err.contains("error[tween/setting]"));
    let wander = sandbox.run(&["wander", "w.marey", "-o", "x.bvh", "--min-piece", "NaN"]);
    assert!(wander.err.contains("error[tween/setting]"), "{}", wander.err);
    for args in [
        &["a@3"][..],
        &["a@3", "a@9", "--at", "0"],
        &["a@3", "a@9", "--at", "0,0"],
        &["a@3", "a@9", "--gap", "4..6"],
        &["a@3", "a@9", "--place", "free", "--place", "1,1"],
        &["a", "--gap", "0..6"],
        &["a", "--gap", "10..20", "--gap", "20..30"],
    ] {
        assert!(run(args).err.contains("error[command/tween]"), "{args:?}");
    }
    assert!(!sandbox.files().contains(&"x.bvh".to_owned()));
}

#[test]
fn gaps_of_a_clip_are_filled_and_the_rest_stays() {
    let sandbox = walks("tween-gaps");
    let row = &sandbox.rows(&[
        "tween",
        "w.marey",
        "a.bvh",
        "--gap",
        "100..130",
        "--gap",
        "300..320",
        "-o",
        "filled.bvh",
        "--json",
    ])[0];
    assert_eq!(row["frames"], 900);
    assert_eq!((&row["gaps"][1]["start"], &row["gaps"][1]["end"]), (&299.into(), &320.into()));
    let lines = |file: &str| -> Vec<Vec<f64>> {
        let text = String::from_utf8(sandbox.read(file)).unwrap();
        let motion = text.lines().skip_while(|line| !line.starts_with("Frame Time")).skip(1);
        motion.map(|line| line.split_whitespace().map(|number| number.parse().unwrap()).collect()).collect()
    };
    let (before, after) = (lines("a.bvh"), lines("filled.bvh"));
    // Positions of the hips, which do not depend on how angles are written.
    let moved = |frame: usize| {
        (0..3).map(|axis| (before[frame][axis] - after[frame][axis]).abs()).fold(0.0, f64::max)
    };
    assert!(
        (0..900)
            .filter(|frame| !(100..130).contains(frame) && !(300..320).contains(frame))
            .all(|frame| moved(frame) < 1e-3)
    );
    assert!((100..130).any(|frame| moved(frame) > 1e-3));
}
