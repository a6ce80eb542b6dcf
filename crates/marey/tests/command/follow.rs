//! `marey follow` and `marey transcribe`.

use crate::sandbox::Sandbox;

/// A corpus of a walk, cut at steps.
fn walks(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name);
    sandbox.ok(&["examples", "walk", "a.bvh", "--secs", "40", "--rate", "30"]);
    sandbox.ok(&["corpus", "new", "walks.marey"]);
    sandbox.ok(&["corpus", "add", "walks.marey", "a.bvh"]);
    sandbox.ok(&["corpus", "segment", "walks.marey", "--by", "steps"]);
    sandbox
}

/// Ahead for six seconds, in a wide curve.
fn path() -> String {
    let line = |i: i32| {
        let t = f64::from(i) / 10.0;
        format!("{t},{},{}\n", 4.0 * (1.0 - (0.25 * t).cos()), 4.0 * (0.25 * t).sin())
    };
    format!("t,x,z\n{}", (0..61).map(line).collect::<String>())
}

#[test]
fn a_path_is_walked_along_and_written_down() {
    let sandbox = walks("follow-path").with("path.csv", path());
    let follow = ["follow", "walks.marey", "path.csv", "-o", "out.bvh"];
    let row = &sandbox
        .rows(&[&follow[..], &["--json", "--plan", "plan.json", "--explain", "why.json"]].concat())[0];
    assert_eq!((&row["frames"], row["warnings"].to_string().contains("too-fast")), (&183.into(), false));
    let plan = marey::plan::Plan::from_json(&String::from_utf8(sandbox.read("plan.json")).unwrap()).unwrap();
    assert_eq!(
        (plan.frames(), plan.actors[0].placements.len()),
        (183, row["pieces"].as_u64().unwrap() as usize)
    );
    assert!(plan.cost.parts["interpretation"] > 0.0);
    let why: marey::plan::Trace = serde_json::from_slice(&sandbox.read("why.json")).unwrap();
    assert_eq!(why.choices.len(), plan.actors[0].placements.len());
    let card = sandbox.run(&["check", "out.bvh", "--path", "path.csv"]).out;
    let off = card.lines().find_map(|line| line.strip_prefix("off the path ")?.split_whitespace().next());
    assert!(off.unwrap().parse::<f64>().unwrap() < 5.0, "{card}");
    // The same again is the same; live is another way.
    let again = sandbox.run(&follow);
    assert!(again.err.contains("error[file/exists]"), "{}", again.err);
    sandbox.ok(&["follow", "walks.marey", "path.csv", "-o", "again.bvh"]);
    assert_eq!(sandbox.read("out.bvh"), sandbox.read("again.bvh"));
    sandbox.ok(&["follow", "walks.marey", "path.csv", "-o", "live.bvh", "--live"]);
    let heard = sandbox.rows(&["transcribe", "walks.marey", "a.bvh", "--json"]);
    assert!(heard.len() > 20 && heard[0]["start_secs"] == 0.0);
    sandbox.ok(&["transcribe", "walks.marey", "a.bvh", "-o", "steps.csv"]);
    assert!(sandbox.read("steps.csv").starts_with(b"start_secs,end_secs,label"));
}

#[test]
fn what_cannot_be_followed_is_refused() {
    let fast: String = (0..20).map(|i| format!("{},{},0\n", f64::from(i) / 10.0, i)).collect();
    let sandbox = walks("follow-bad")
        .with("path.csv", path())
        .with("fast.csv", format!("t,x,z\n{fast}"))
        .with("brief.csv", "t,x,z\n0,0,0\n0.1,0.1,0\n");
    let code = |args: &[&str]| {
        let run = sandbox.run(&[&["follow", "walks.marey"], args].concat());
        let code = run.err.lines().find_map(|line| line.strip_prefix("error[")?.split(']').next());
        (run.code, code.unwrap_or_default().to_owned())
    };
    assert_eq!(code(&["brief.csv", "-o", "x.bvh", "--whole"]), (1, "follow/too-short".into()));
    assert_eq!(code(&["path.csv", "-o", "x.bvh", "--k", "NaN"]), (1, "ops/setting".into()));
    assert_eq!(code(&["path.csv", "-o", "x.png"]), (2, "command/output-ending".into()));
    assert_eq!(code(&["a.bvh", "-o", "x.bvh", "--control", "actor:nobody"]), (1, "command/no-leader".into()));
    assert_eq!(code(&["path.csv", "-o", "x.bvh", "--control", "points"]), (1, "command/not-a-role".into()));
    assert_eq!(code(&["path.csv", "-o", "x.bvh", "--without", "a"]), (1, "follow/empty".into()));
    let warned = sandbox.run(&["follow", "walks.marey", "fast.csv", "-o", "fast.bvh"]);
    assert!(warned.err.contains("warning[follow/too-fast]"), "{}", warned.err);
    assert!(!sandbox.files().contains(&"x.bvh".to_owned()));
}

#[test]
fn wishes_are_kept() {
    let sandbox = walks("follow-wish").with("path.csv", path());
    let transcribe = ["transcribe", "walks.marey", "path.csv", "--json"];
    let at = |rows: &[serde_json::Value], secs: f64| {
        let is_then = |row: &&serde_json::Value| row["end_secs"].as_f64() > Some(secs);
        rows.iter().find(is_then).unwrap()["instance"].as_u64().unwrap()
    };
    let free = sandbox.rows(&transcribe);
    let usual = at(&free, 3.0);
    let avoid = format!("{usual}@0-6");
    let avoided = sandbox.rows(&[&transcribe[..], &["--avoid", &avoid]].concat());
    assert!(avoided.iter().all(|row| row["instance"] != usual), "{avoided:?}");
    let other = at(&avoided, 3.0);
    let used = sandbox.rows(&[&transcribe[..], &["--use", &format!("{other}@3")]].concat());
    assert_eq!(at(&used, 3.0), other);
    let follow = ["follow", "walks.marey", "path.csv", "-o", "x.bvh"];
    let refused = sandbox.run(&[&follow[..], &["--use", "100000@3"]].concat());
    assert!(refused.err.contains("error[follow/bad-wish]"), "{}", refused.err);
    assert_eq!(sandbox.run(&[&follow[..], &["--use", "3"]].concat()).code, 2);
    assert_eq!(sandbox.run(&[&follow[..], &["--use", "1@1", "--live"]].concat()).code, 2);
}

#[test]
fn takes_are_cut_by_the_example_of_others() {
    let sandbox = walks("follow-grow");
    sandbox.ok(&["examples", "walk", "b.bvh", "--secs", "30", "--rate", "30", "--seed", "2"]);
    sandbox.ok(&["corpus", "add", "walks.marey", "b.bvh"]);
    let segments = |take: &str| {
        let rows = sandbox.rows(&["corpus", "show", "walks.marey", take, "--json"]);
        rows[0]["segments"].as_array().unwrap().len()
    };
    let before = segments("a");
    let grow = ["corpus", "segment", "walks.marey", "--by", "examples"];
    let rows = sandbox.rows(&[&grow[..], &["--within", "0.1", "--json"]].concat());
    assert_eq!(rows.len(), 1, "what was cut stays: {rows:?}");
    let found = segments("b");
    assert_eq!((rows[0]["new"].as_u64(), segments("a")), (Some(found as u64), before));
    // The same again changes nothing; the truth is near.
    let again = sandbox.rows(&[&grow[..], &["--within", "0.1", "--json"]].concat());
    assert_eq!((&again[0]["new"], &again[0]["removed"]), (&0.into(), &0.into()));
    sandbox.ok(&["corpus", "segment", "walks.marey", "b", "--by", "steps"]);
    let steps = segments("b") - found;
    assert!(found * 10 >= steps * 7 && found * 10 <= steps * 12, "{found} pieces of {steps} steps");
}
