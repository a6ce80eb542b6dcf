//! `marey duet`.

use marey::realise::plant::PlantSettings;

use crate::sandbox::Sandbox;

/// A corpus with a bout of 40 s, labelled.
fn labelled(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name);
    sandbox.ok(&["examples", "taekwondo", "bout.glb", "--secs", "40", "--rate", "30", "--seed", "4"]);
    sandbox.ok(&["corpus", "new", "c.marey"]);
    sandbox.ok(&["corpus", "add", "c.marey", "bout.glb"]);
    sandbox.ok(&["duet", "label", "c.marey", "--iterations", "30"]);
    sandbox
}

#[test]
fn a_bout_is_labelled_trained_drawn_and_continued() {
    let sandbox = labelled("duet-run");
    let groups = sandbox.rows(&["duet", "train", "c.marey", "--json"]);
    assert!(groups.iter().any(|group| group["kind"] == "offensive"), "{groups:?}");
    sandbox.ok(&["duet", "graph", "c.marey", "-o", "graph.svg"]);
    assert!(sandbox.read("graph.svg").starts_with(b"<svg "));
    let args = ["duet", "run", "c.marey", "-o", "new.bvh", "--secs", "8", "--plan", "plan.json", "--json"];
    let ran = sandbox.rows(&args);
    assert_eq!(ran[0]["frames"], 240);
    assert!(!ran[0]["warnings"].to_string().contains("labels-changed"), "{ran:?}");
    sandbox.ok(&["duet", "run", "c.marey", "-o", "again.bvh", "--secs", "8"]);
    assert_eq!(sandbox.read("new.bvh"), sandbox.read("again.bvh"));
    sandbox.ok(&["duet", "run", "c.marey", "-o", "new.glb", "--secs", "4", "--seed", "2"]);
    assert!(sandbox.ok(&["inspect", "new.glb"]).out.contains("blue"));
    // One person on a path, and one by commands.
    std::fs::write(sandbox.path("path.csv"), "t,x,z\n0,0,0\n4,0,1\n8,1,1\n").unwrap();
    let path =
        ["duet", "run", "c.marey", "-o", "path.bvh", "--mode", "path", "--path", "path.csv", "--who", "blue"];
    sandbox.ok(&path);
    std::fs::write(sandbox.path("list.txt"), "# first\nnormal\noffensive 0 0.5\n1\n").unwrap();
    let list = ["duet", "run", "c.marey", "-o", "list.bvh", "--mode", "commands", "--commands", "list.txt"];
    sandbox.ok(&list);
    std::fs::write(sandbox.path("bad.txt"), "normal\njump\n").unwrap();
    let bad = ["duet", "run", "c.marey", "-o", "bad.bvh", "--mode", "commands", "--commands", "bad.txt"];
    assert!(sandbox.run(&bad).err.contains("error[command/commands]"));
    let nobody =
        ["duet", "run", "c.marey", "-o", "no.bvh", "--mode", "path", "--path", "path.csv", "--who", "green"];
    assert!(sandbox.run(&nobody).err.contains("error[command/no-person]"));
}

#[test]
fn changed_labels_are_reported() {
    let sandbox = labelled("duet-changed");
    sandbox.ok(&["duet", "train", "c.marey"]);
    sandbox.ok(&["duet", "label", "c.marey", "--iterations", "1", "--radius", "0.2"]);
    let run = sandbox.ok(&["duet", "run", "c.marey", "-o", "a.bvh", "--secs", "3"]);
    assert!(run.err.contains("warning[command/labels-changed]"), "{}", run.err);
}

#[test]
fn missing_inputs_are_reported() {
    let sandbox = Sandbox::new("duet-missing");
    sandbox.ok(&["examples", "walk", "walk.bvh", "--secs", "10", "--rate", "30"]);
    sandbox.ok(&["corpus", "new", "c.marey"]);
    sandbox.ok(&["corpus", "add", "c.marey", "walk.bvh"]);
    let error = |args: &[&str]| sandbox.run(args).err;
    assert!(error(&["duet", "label", "c.marey", "--only", "walk"]).contains("error[duet/people]"));
    assert!(error(&["duet", "label", "c.marey"]).contains("error[duet/people]: recorded people: 1;"));
    sandbox.ok(&["examples", "waltz", "waltz.bvh", "--secs", "12", "--rate", "30"]);
    sandbox.ok(&["corpus", "add", "c.marey", "waltz.bvh"]);
    assert!(error(&["duet", "train", "c.marey"]).contains("error[command/no-labels]"));
    assert!(error(&["duet", "graph", "c.marey", "-o", "g.svg"]).contains("error[command/no-model]"));
    assert!(error(&["duet", "label", "c.marey", "--radius", "nan"]).contains("error[duet/setting]"));
}

#[test]
fn a_couple_is_cut_together_and_reported() {
    let sandbox = Sandbox::new("duet-couple");
    sandbox.ok(&["examples", "waltz", "waltz.bvh", "--secs", "20", "--rate", "30"]);
    sandbox.ok(&["corpus", "new", "c.marey"]);
    sandbox.ok(&["corpus", "add", "c.marey", "waltz.bvh"]);
    let found = sandbox.ok(&["duet", "label", "c.marey", "--iterations", "20"]);
    assert!(found.err.contains("cut together"), "{}", found.err);
    assert!(
        found.err.contains("waltz: ") && found.err.contains("% of the time is in movements"),
        "{}",
        found.err
    );
    sandbox.ok(&["duet", "train", "c.marey"]);
    sandbox.ok(&["duet", "run", "c.marey", "-o", "on.bvh", "--secs", "4"]);
    // Every frame that is not used is listed with its reason.
    let labelled = sandbox.ok(&["duet", "label", "c.marey", "--iterations", "20", "--json"]);
    let labelled: serde_json::Value = serde_json::from_str(&labelled.out).unwrap();
    assert_eq!(
        (&labelled["people"][1]["person"], &labelled["is_couple"]),
        (&"follower".into(), &true.into())
    );
    let take = &labelled["takes"][0];
    assert_eq!(take["take"], "waltz");
    assert!(take["in_movements"].as_f64().unwrap() > 0.8, "{take}");
    assert!(take["unused"].as_array().unwrap().iter().all(|unused| unused["reason"].is_string()), "{take}");
    let apart = sandbox.ok(&["duet", "label", "c.marey", "--iterations", "20", "--unison", "no"]);
    assert!(!apart.err.contains("cut together"), "{}", apart.err);
    // A couple has no offensive movements.
    std::fs::write(sandbox.path("list.txt"), "offensive\n").unwrap();
    let list = ["duet", "run", "c.marey", "-o", "no.bvh", "--mode", "commands", "--commands", "list.txt"];
    assert!(sandbox.run(&list).err.contains("error[duet/command]"));
}

/// The rows of numbers of a BVH file, one for each frame.
fn frames(bvh: &[u8]) -> Vec<String> {
    let text = String::from_utf8(bvh.to_vec()).unwrap();
    text.lines().skip_while(|line| !line.starts_with("Frame Time")).skip(1).map(str::to_owned).collect()
}

#[test]
fn a_plan_realises_to_the_same_bytes_and_an_edit_changes_one_part() {
    let sandbox = labelled("duet-plan");
    sandbox.ok(&["duet", "train", "c.marey"]);
    sandbox.ok(&["duet", "run", "c.marey", "-o", "run.bvh", "--secs", "14", "--plan", "plan.json"]);
    // The plan carries all its movements, so the corpus makes no difference.
    sandbox.ok(&["realise", "c.marey", "plan.json", "-o", "with.bvh"]);
    sandbox.ok(&["realise", "plan.json", "-o", "without.bvh"]);
    assert_eq!(sandbox.read("run.bvh"), sandbox.read("with.bvh"));
    assert_eq!(sandbox.read("run.bvh"), sandbox.read("without.bvh"));

    let mut plan: serde_json::Value = serde_json::from_slice(&sandbox.read("plan.json")).unwrap();
    let placements = plan["actors"][0]["placements"].as_array_mut().unwrap();
    let number = |placement: &serde_json::Value, name: &str| placement[name].as_u64().unwrap() as usize;
    let edited = placements.iter_mut().find(|placement| number(placement, "start") >= 150).unwrap();
    let (start, end) = (number(edited, "start"), number(edited, "start") + number(edited, "frames"));
    let x = edited["world_from_source"]["x"].as_f64().unwrap_or(0.0);
    edited["world_from_source"]["x"] = (x + 0.05).into();
    std::fs::write(sandbox.path("edited.json"), plan.to_string()).unwrap();
    sandbox.ok(&["realise", "edited.json", "-o", "edited.bvh"]);
    let (before, after) = (frames(&sandbox.read("run.bvh")), frames(&sandbox.read("edited.bvh")));
    let changed: Vec<usize> = (0..before.len()).filter(|&frame| before[frame] != after[frame]).collect();
    // Joins, planted feet and separated limbs reach into the neighbouring movements; feet are planted with look-ahead.
    let (first, last) = (changed.first().copied().unwrap(), changed.last().copied().unwrap());
    let ahead = PlantSettings::default().look_ahead(30.0);
    assert!(first + ahead >= start && last <= end + 60, "{first} to {last} for {start} to {end}");
}

#[test]
fn takes_without_labels_are_labelled_for_the_run() {
    let sandbox = Sandbox::new("duet-train-on");
    sandbox.ok(&["examples", "taekwondo", "bout.glb", "--secs", "20", "--rate", "30", "--seed", "4"]);
    sandbox.ok(&["corpus", "new", "c.marey"]);
    sandbox.ok(&["corpus", "add", "c.marey", "bout.glb"]);
    sandbox.ok(&["duet", "run", "c.marey", "-o", "now.bvh", "--secs", "4", "--train-on", "bout"]);
    // The same as in three steps with the settings of the quick search.
    sandbox.ok(&["duet", "label", "c.marey", "--iterations", "400", "--plateau", "120"]);
    sandbox.ok(&["duet", "train", "c.marey"]);
    sandbox.ok(&["duet", "run", "c.marey", "-o", "stored.bvh", "--secs", "4"]);
    assert_eq!(sandbox.read("now.bvh"), sandbox.read("stored.bvh"));
}
