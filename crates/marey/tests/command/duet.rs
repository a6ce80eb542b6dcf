//! `marey duet`.

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
fn a_bout_is_labelled_trained_drawn_and_gone_on_with() {
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
    // One along a path, and one by commands.
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
fn labels_that_a_person_changes_are_noticed() {
    let sandbox = labelled("duet-changed");
    sandbox.ok(&["duet", "train", "c.marey"]);
    sandbox.ok(&["duet", "label", "c.marey", "--iterations", "1", "--radius", "0.2"]);
    let run = sandbox.ok(&["duet", "run", "c.marey", "-o", "a.bvh", "--secs", "3"]);
    assert!(run.err.contains("warning[command/labels-changed]"), "{}", run.err);
}

#[test]
fn what_is_missing_is_said() {
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
fn a_couple_is_cut_as_one_and_says_so() {
    let sandbox = Sandbox::new("duet-couple");
    sandbox.ok(&["examples", "waltz", "waltz.bvh", "--secs", "20", "--rate", "30"]);
    sandbox.ok(&["corpus", "new", "c.marey"]);
    sandbox.ok(&["corpus", "add", "c.marey", "waltz.bvh"]);
    let found = sandbox.ok(&["duet", "label", "c.marey", "--iterations", "20"]);
    assert!(found.err.contains("cut as one"), "{}", found.err);
    sandbox.ok(&["duet", "train", "c.marey"]);
    sandbox.ok(&["duet", "run", "c.marey", "-o", "on.bvh", "--secs", "4"]);
    let apart = sandbox.ok(&["duet", "label", "c.marey", "--iterations", "20", "--unison", "no"]);
    assert!(!apart.err.contains("cut as one"), "{}", apart.err);
    // Nobody of a couple strikes.
    std::fs::write(sandbox.path("list.txt"), "offensive\n").unwrap();
    let list = ["duet", "run", "c.marey", "-o", "no.bvh", "--mode", "commands", "--commands", "list.txt"];
    assert!(sandbox.run(&list).err.contains("error[duet/command]"));
}
