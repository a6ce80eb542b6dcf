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
fn poses_are_connected_in_the_style_of_a_corpus() {
    let sandbox = walks("tween");
    let tween = ["tween", "w.marey", "a@100", "a@600", "-o"];
    let row = &sandbox.rows(&[&tween[..], &["between.bvh", "--json"]].concat())[0];
    assert!(
        row["frames"].as_u64().unwrap() > 2 && row["neg_log_likelihood"].as_f64().unwrap() > 0.0,
        "{row}"
    );
    sandbox.ok(&[&tween[..], &["again.bvh"]].concat());
    assert_eq!(sandbox.read("between.bvh"), sandbox.read("again.bvh"));
    let row = &sandbox
        .rows(&[&tween[..], &["long.bvh", "--frames", "75", "--network", "body", "--json"]].concat())[0];
    assert_eq!(row["frames"], 75);
    // From the last frame of a file to its first.
    sandbox.ok(&["tween", "w.marey", "a.bvh", "a.bvh", "-o", "loop.bvh"]);
    let row =
        &sandbox.rows(&["wander", "w.marey", "-o", "free.bvh", "--secs", "4", "--seed", "7", "--json"])[0];
    assert_eq!(row["frames"], 120);
}

#[test]
fn unreachable_poses_name_the_joint_and_a_reachable_pose() {
    let sandbox = walks("tween-bad");
    sandbox.ok(&["examples", "luxo", "lamps/"]);
    let run = |args: &[&str]| sandbox.run(&[&["tween", "w.marey"], args, &["-o", "x.bvh"]].concat());
    let blocked = run(&["a@100", "a@115", "--frames", "2"]).err;
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
    let wander = sandbox.run(&["wander", "w.marey", "-o", "x.bvh", "--temperature", "NaN"]);
    assert!(wander.err.contains("error[tween/setting]"), "{}", wander.err);
    assert!(!sandbox.files().contains(&"x.bvh".to_owned()));
}
