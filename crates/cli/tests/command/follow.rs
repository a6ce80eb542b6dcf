//! `marey follow` and `marey transcribe`.

use marey::plan::Plan;

use crate::sandbox::Sandbox;

/// A corpus of one walk, cut at its steps.
fn walks(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name);
    sandbox.ok(&["examples", "walk", "a.bvh", "--secs", "40", "--rate", "30"]);
    sandbox.ok(&["corpus", "new", "walks.marey"]);
    sandbox.ok(&["corpus", "add", "walks.marey", "a.bvh"]);
    sandbox.ok(&["corpus", "segment", "walks.marey", "--by", "steps"]);
    sandbox
}

/// A wide curve of six seconds.
fn path() -> String {
    let line = |i: i32| {
        let t = f64::from(i) / 10.0;
        format!("{t},{},{}\n", 4.0 * (1.0 - (0.25 * t).cos()), 4.0 * (0.25 * t).sin())
    };
    format!("t,x,z\n{}", (0..61).map(line).collect::<String>())
}

#[test]
fn a_path_is_followed_and_transcribed() {
    let sandbox = walks("follow-path").with("path.csv", path());
    let follow = ["follow", "walks.marey", "path.csv", "-o", "out.bvh"];
    let row = &sandbox
        .rows(&[&follow[..], &["--json", "--plan", "plan.json", "--explain", "why.json"]].concat())[0];
    assert_eq!((&row["frames"], row["warnings"].to_string().contains("too-fast")), (&183.into(), false));
    let plan = Plan::from_json(&String::from_utf8(sandbox.read("plan.json")).unwrap()).unwrap();
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
    // Results are reproducible.
    let again = sandbox.run(&follow);
    assert!(again.err.contains("error[file/exists]"), "{}", again.err);
    sandbox.ok(&["follow", "walks.marey", "path.csv", "-o", "again.bvh"]);
    assert_eq!(sandbox.read("out.bvh"), sandbox.read("again.bvh"));
    sandbox.ok(&["follow", "walks.marey", "path.csv", "-o", "live.bvh", "--live"]);
    let entries = sandbox.rows(&["transcribe", "walks.marey", "a.bvh", "--json"]);
    assert!(entries.len() > 20 && entries[0]["start_secs"] == 0.0);
    sandbox.ok(&["transcribe", "walks.marey", "a.bvh", "-o", "steps.csv"]);
    assert!(sandbox.read("steps.csv").starts_with(b"start_secs,end_secs,label"));
}

#[test]
fn paths_are_followed_as_people_write_them() {
    let svg = "<svg xmlns='http://www.w3.org/2000/svg'><path d='M 0 0 V 300 C 0 500 200 600 400 600'/></svg>";
    let sandbox = walks("follow-written")
        .with("sparse.csv", "t,x,z\n0,0,0\n2,0,2.4\n4,0,4.8\n6,1.5,6.6\n")
        .with("corner.csv", "x,z\n0,0\n0,4\n4,4\n")
        .with("rest.json", "[[0, 0], [0, 3], [0, 3], [0, 6]]")
        .with("map.json", r#"{"type": "LineString", "coordinates": [[0, 0], [0, 4], [3, 6]]}"#)
        .with("room.svg", svg);
    let follow = |args: &[&str]| {
        sandbox
            .rows(&[&["follow", "walks.marey", "-o", "x.bvh", "--json", "--force"], args].concat())
            .remove(0)
    };
    let pieces = |row: &serde_json::Value| row["pieces"].as_u64().unwrap();
    let warns = |row: &serde_json::Value, code: &str| row["warnings"].to_string().contains(code);
    // A point every two seconds is no reason to take a step every two seconds.
    let sparse = follow(&["sparse.csv"]);
    assert!(pieces(&sparse) >= 8 && warns(&sparse, "follow/curve-assumed"), "{sparse}");
    let corner = follow(&["corner.csv"]);
    assert!(warns(&corner, "follow/pace-assumed") && !warns(&corner, "path/"), "{corner}");
    let secs = |row: &serde_json::Value| row["frames"].as_f64().unwrap() / row["rate_hz"].as_f64().unwrap();
    let slow = follow(&["corner.csv", "--speed", "0.8"]);
    assert!((secs(&slow) - 10.0).abs() < 0.2 && !warns(&slow, "follow/pace-assumed"), "{slow}");
    assert!(warns(&follow(&["rest.json"]), "follow/rest-assumed"));
    for (file, code) in [("map.json", "follow/pace-assumed"), ("room.svg", "path/svg-scale")] {
        assert!(warns(&follow(&[file]), code), "{file}");
    }
    // Only on request is a path changed that no example can follow.
    let fast = follow(&["corner.csv", "--speed", "4"]);
    assert!(warns(&fast, "follow/too-fast") && warns(&fast, "follow/too-sharp"), "{fast}");
    assert!(!warns(&fast, "follow/path-fitted"), "{fast}");
    for request in [&["--fit-path"][..], &["--pace", "line"]] {
        let fitted = follow(&[&["corner.csv", "--speed", "4"], request].concat());
        assert!(warns(&fitted, "follow/path-fitted") && !warns(&fitted, "follow/too-fast"), "{fitted}");
        assert!(secs(&fitted) > 1.5 * secs(&fast), "{fitted}");
    }
    let refused = sandbox.run(&["follow", "walks.marey", "corner.csv", "-o", "y.bvh", "--speed", "0"]);
    assert!(refused.err.contains("error[ops/setting]"), "{}", refused.err);
}

#[test]
fn few_candidates_report_their_gap_and_passes_are_saved_with_the_plan() {
    let sandbox = walks("follow-candidates").with("path.csv", path());
    let follow = ["follow", "walks.marey", "path.csv", "-o", "out.bvh", "--force"];
    let row = |args: &[&str]| sandbox.rows(&[&follow[..], &["--json"], args].concat()).remove(0);
    let (all, few) = (row(&[]), row(&["--candidates", "1"]));
    assert_eq!(all["gap"], 0.0);
    let proven = few["gap"].as_f64().unwrap() == 0.0;
    assert_eq!(few["warnings"].to_string().contains("follow/not-proven"), !proven, "{few}");
    sandbox.ok(&[&follow[..], &["--join", "none", "--no-plant", "--plan", "plan.json"]].concat());
    sandbox.ok(&["realise", "walks.marey", "plan.json", "-o", "again.bvh"]);
    assert!(sandbox.read("out.bvh") == sandbox.read("again.bvh"), "realising the plan gives other bytes");
    sandbox.ok(&["follow", "walks.marey", "path.csv", "-o", "planted.bvh"]);
    assert!(sandbox.read("out.bvh") != sandbox.read("planted.bvh"), "the passes change nothing");
}

#[test]
fn impossible_requests_are_rejected() {
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
    assert_eq!(code(&["path.csv", "-o", "x.bvh", "--control", "points"]), (1, "motion/not-a-role".into()));
    assert_eq!(code(&["path.csv", "-o", "x.bvh", "--without", "a"]), (1, "command/no-examples".into()));
    let warned = sandbox.run(&["follow", "walks.marey", "fast.csv", "-o", "fast.bvh"]);
    assert!(warned.err.contains("warning[follow/too-fast]"), "{}", warned.err);
    assert!(!sandbox.files().contains(&"x.bvh".to_owned()));
}

#[test]
fn constraints_are_met() {
    let sandbox = walks("follow-constraints").with("path.csv", path());
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
    assert!(refused.err.contains("error[follow/bad-constraint]"), "{}", refused.err);
    assert_eq!(sandbox.run(&[&follow[..], &["--use", "3"]].concat()).code, 2);
    assert_eq!(sandbox.run(&[&follow[..], &["--use", "1@1", "--live"]].concat()).code, 2);
}

#[test]
fn takes_are_cut_with_the_segments_of_others() {
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
    // A second run changes nothing.
    let again = sandbox.rows(&[&grow[..], &["--within", "0.1", "--json"]].concat());
    assert_eq!((&again[0]["new"], &again[0]["removed"]), (&0.into(), &0.into()));
    sandbox.ok(&["corpus", "segment", "walks.marey", "b", "--by", "steps"]);
    let steps = segments("b") - found;
    assert!(found * 10 >= steps * 7 && found * 10 <= steps * 12, "{found} pieces of {steps} steps");
}

/// A corpus of three generated dances of a leader and a follower, cut every two beats.
fn dances(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name);
    sandbox.ok(&["examples", "lindy", "dances", "--rate", "30"]);
    sandbox.ok(&["corpus", "new", "dances.marey"]);
    let files = ["dances/lindy-01.bvh", "dances/lindy-02.bvh", "dances/lindy-03.bvh"];
    sandbox.ok(&[&["corpus", "add", "dances.marey"], &files[..]].concat());
    sandbox.ok(&["corpus", "segment", "dances.marey", "--by", "beats"]);
    sandbox
}

/// The frames of a BVH file, one line each.
fn frames(bvh: &[u8]) -> Vec<String> {
    let text = String::from_utf8(bvh.to_vec()).unwrap();
    let lines = text.lines().skip_while(|line| !line.starts_with("Frame Time")).skip(1);
    lines.map(str::to_owned).collect()
}

fn read_plan(sandbox: &Sandbox, name: &str) -> Plan {
    Plan::from_json(std::str::from_utf8(&sandbox.read(name)).unwrap()).unwrap()
}

#[test]
fn a_plan_along_a_path_is_realised_to_the_same_bytes_and_can_be_edited() {
    let sandbox = walks("follow-realise").with("path.csv", path());
    sandbox.ok(&["follow", "walks.marey", "path.csv", "-o", "out.bvh", "--plan", "plan.json"]);
    sandbox.ok(&["realise", "walks.marey", "plan.json", "-o", "again.bvh"]);
    let made = sandbox.read("out.bvh");
    assert!(made == sandbox.read("again.bvh"), "realising the plan gives other bytes");
    // One placement is moved by 10 cm: the motion more than a second before it and two seconds after it stays.
    let mut plan = read_plan(&sandbox, "plan.json");
    let placements = &mut plan.actors[0].placements;
    let middle = placements.len() / 2;
    placements[middle].world_from_source.x += 0.1;
    let (from, until) = (placements[middle].start.saturating_sub(30), placements[middle].end() + 60);
    assert_eq!(plan.rate_hz, 30.0);
    std::fs::write(sandbox.path("edited.json"), plan.to_json().unwrap()).unwrap();
    sandbox.ok(&["realise", "walks.marey", "edited.json", "-o", "edited.bvh"]);
    let (before, after) = (frames(&made), frames(&sandbox.read("edited.bvh")));
    assert_eq!(before.len(), after.len());
    let changed: Vec<usize> = (0..before.len()).filter(|&frame| before[frame] != after[frame]).collect();
    assert!(!changed.is_empty(), "the edit changes nothing");
    assert!(changed.iter().all(|frame| (from..until).contains(frame)), "{changed:?} not in {from}..{until}");
}

#[test]
fn a_leader_is_saved_with_the_plan_and_named_in_the_trace() {
    let sandbox = dances("follow-leader");
    let follow = ["follow", "dances.marey", "dances/lindy-test-1.bvh", "--control", "actor:leader"];
    let files = ["-o", "pair.bvh", "--plan", "plan.json", "--explain", "why.json"];
    sandbox.ok(&[&follow[..], &files].concat());
    let plan = read_plan(&sandbox, "plan.json");
    let names: Vec<&str> = plan.actors.iter().map(|actor| actor.name.as_str()).collect();
    assert_eq!((names, plan.clips.len()), (vec!["leader", "follower"], 1));
    assert!(!plan.meetings.is_empty(), "hands hold in the examples");
    let why: marey::plan::Trace = serde_json::from_slice(&sandbox.read("why.json")).unwrap();
    assert_eq!(why.choices.len(), plan.actors[1].placements.len());
    for choice in &why.choices {
        let candidate = &choice.candidates[choice.taken];
        assert_eq!(candidate.source, plan.actors[choice.actor].placements[choice.placement].source);
    }
    sandbox.ok(&["realise", "dances.marey", "plan.json", "-o", "again.bvh"]);
    assert!(sandbox.read("pair.bvh") == sandbox.read("again.bvh"), "realising the plan gives other bytes");
    // A take of the corpus is not its own example.
    let own = ["follow", "dances.marey", "take:lindy-01", "--control", "actor:leader", "-o", "own.bvh"];
    sandbox.ok(&[&own[..], &["--plan", "own.json"]].concat());
    let own = read_plan(&sandbox, "own.json");
    assert!(own.actors[1].placements.iter().all(|placement| placement.source.take != "lindy-01"));
}

#[test]
fn a_metric_is_learnt_from_dances_and_explained_with_pictures() {
    let sandbox = dances("follow-metric").with("path.csv", path());
    sandbox.ok(&["corpus", "segment", "dances.marey", "--by", "beats", "--every", "2"]);
    let follow = ["follow", "dances.marey", "dances/lindy-test-1.bvh", "--control", "actor:leader"];
    let row = |args: &[&str]| {
        let output = ["-o", "pair.bvh", "--force", "--json"];
        sandbox.rows(&[&follow[..], &output, args].concat()).remove(0)
    };
    let learnt = row(&["--explain", "why.html"]);
    let error = |name: &str| learnt["metric"][name].as_f64().unwrap();
    assert!(error("error_m") < error("plain_error_m"), "{learnt}");
    let page = String::from_utf8(sandbox.read("why.html")).unwrap();
    let pieces = learnt["pieces"].as_u64().unwrap() as usize;
    assert_eq!((page.matches("<h2>").count(), page.matches("class=taken").count()), (pieces, pieces));
    assert!(page.contains("interpretation LeftHand"), "{page}");
    assert!(page.matches("<svg").count() > pieces && !page.contains("NaN"));
    // The plain metric is the paper's, and what a path is compared by.
    let plain = row(&["--metric", "plain", "--points", "ends", "--explain", "why.txt"]);
    assert!(plain["metric"].is_null(), "{plain}");
    let text = String::from_utf8(sandbox.read("why.txt")).unwrap();
    assert_eq!(text.matches("\n* ").count(), plain["pieces"].as_u64().unwrap() as usize, "{text}");
    assert!(text.contains("plain distances") && !text.contains("UpperArm"), "{text}");
    let refused = sandbox.run(&[&follow[..], &["-o", "x.bvh", "--explain", "why.pdf"]].concat());
    assert_eq!(refused.code, 2, "{}", refused.err);
    let path = ["follow", "dances.marey", "path.csv", "-o", "x.bvh", "--points", "body"];
    assert!(sandbox.run(&path).err.contains("only the points of bodies"));
}

#[test]
fn takes_are_cut_into_windows() {
    let sandbox = walks("follow-windows").with("path.csv", path());
    let segment = ["corpus", "segment", "walks.marey", "--json", "--by", "windows"];
    let count = |args: &[&str]| sandbox.rows(&[&segment[..], args].concat())[0]["segments"].as_u64().unwrap();
    // A walk of 40 s.
    assert_eq!(count(&[]), 79);
    assert_eq!(count(&["--secs", "2", "--every", "2"]), 20);
    assert!(sandbox.run(&[&segment[..], &["--every", "0"]].concat()).code == 1);
    sandbox.ok(&["follow", "walks.marey", "path.csv", "-o", "x.bvh", "--made-by", "method windows"]);
}
