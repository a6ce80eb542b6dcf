//! `marey corpus`.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use crate::motion_files::{BAD, calibrated, pair, standing};
use crate::sandbox::{Run, Sandbox, assert_snapshot};

/// A corpus of two generated walks, `walk1` and `walk2`.
pub(crate) fn walks(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name);
    sandbox.ok(&["corpus", "new", "c.marey"]);
    for seed in ["1", "2"] {
        let file = format!("walk{seed}.bvh");
        sandbox.ok(&["examples", "walk", &file, "--seed", seed, "--secs", "10", "--rate", "30"]);
    }
    sandbox.ok(&[
        "corpus",
        "add",
        "c.marey",
        "walk1.bvh",
        "walk2.bvh",
        "--licence",
        "CC0-1.0",
        "--credit",
        "us",
    ]);
    sandbox
}

pub(crate) fn refused(run: &Run, code: i32, id: &str) {
    assert_eq!(run.code, code, "{}", run.err);
    assert!(run.err.contains(&format!("error[{id}]")) && run.err.contains(" = hint: "), "{}", run.err);
}

#[test]
fn a_corpus_is_made_filled_listed_and_shown() {
    let sandbox = walks("corpus-main");
    sandbox.ok(&["corpus", "tag", "c.marey", "walk1", "turn", "--frames", "10..40"]);
    sandbox.ok(&["corpus", "tag", "c.marey", "walk1", "look", "--at", "12"]);
    sandbox.ok(&[
        "corpus",
        "tag",
        "c.marey",
        "#1",
        "LeftHand",
        "--contact",
        "--on",
        "rail",
        "--frames",
        "..9",
    ]);
    sandbox.ok(&["corpus", "label", "c.marey", "walk1", "mood=gay", "subject=7"]);
    let list = sandbox.ok(&["corpus", "ls", "c.marey"]);
    assert_snapshot("corpus-ls", &list.screen());
    let page = sandbox.ok(&["corpus", "show", "c.marey", "walk1"]).out;
    // The last bits of generated motion, and so its hash, are the machine's own.
    let page: Vec<&str> = page.lines().filter(|line| !line.starts_with("content")).collect();
    assert_snapshot("corpus-show", &(page.join("\n") + "\n"));
    let names = |args: &[&str]| -> Vec<Value> {
        let rows = sandbox.rows(&[&["corpus", "ls", "c.marey", "--json"], args].concat());
        rows.iter().map(|row| row["name"].clone()).collect()
    };
    assert_eq!(names(&["--tag", "turn"]), ["walk1"]);
    assert_eq!(names(&["--label", "mood=gay"]), ["walk1"]);
    assert!(names(&["--label", "mood=sad"]).is_empty());
    let shown = &sandbox.rows(&["corpus", "show", "c.marey", "walk1", "--json"])[0];
    assert_eq!(shown["said"].as_array().unwrap().len(), 5);
    assert_eq!(
        shown["said"][2],
        json!({
            "kind": "contact", "name": "LeftHand", "start": 0, "end": 9, "actor": 0, "value": "rail", "made_by": "person",
        })
    );
    let taken = sandbox.rows(&["corpus", "label", "c.marey", "walk1", "mood", "--remove", "--json"]);
    assert_eq!(taken[0], json!({ "changed": 0, "already": 0, "removed": 1 }));
    assert_eq!(
        sandbox.files(),
        [
            "c.marey",
            "walk1.bvh",
            "walk1.path.csv",
            "walk1.truth.json",
            "walk2.bvh",
            "walk2.path.csv",
            "walk2.truth.json"
        ]
    );
}

#[test]
fn the_same_content_is_put_in_once_and_bad_files_are_passed_over() {
    let sandbox = Sandbox::new("corpus-twice")
        .with("in/a.bvh", standing(9))
        .with("in/bad.bvh", BAD)
        .with("in/deep/a.bvh", standing(12))
        .with("in/deep/copy.bvh", standing(9))
        .with("in/pair.bvh", pair(7));
    sandbox.ok(&["corpus", "new", "c.marey"]);
    let run = sandbox.run(&["corpus", "add", "c.marey", "in"]);
    assert_snapshot("corpus-add", &run.screen());
    let again = sandbox.rows(&["corpus", "add", "c.marey", "in", "--json"]);
    let takes: Vec<&Value> = again.iter().flat_map(|row| row["takes"].as_array().unwrap()).collect();
    assert!(takes.len() == 4 && takes.iter().all(|take| take["already"] == true), "{again:?}");
    let rows = sandbox.rows(&["corpus", "ls", "c.marey", "--json"]);
    let names: Vec<&str> = rows.iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["a", "a~2", "pair"]);
    assert_eq!(rows[2]["actors"], 2);
    let one = sandbox.ok(&["corpus", "add", "c.marey", "in/deep/copy.bvh"]);
    assert!(one.err.ends_with("the corpus has the same content already: #1 a\n"), "{}", one.err);
}

#[test]
fn files_are_paired_into_takes_of_one_world() {
    let sandbox = Sandbox::new("corpus-pairs")
        .with("x/60_1.bvh", calibrated(20))
        .with("x/60_2.bvh", standing(20))
        .with("y/61_1.bvh", standing(15))
        .with("y/61_3.bvh", standing(11))
        .with("pairs.csv", "# who danced with whom\nx/60_1.bvh, y/61_1.bvh\n")
        .with("bad.csv", "x/60_1.bvh\n");
    sandbox.ok(&["corpus", "new", "c.marey"]);
    let pattern = ["--pair", "60_{n}.bvh=61_{n}.bvh"];
    let run = sandbox.run(&[&["corpus", "add", "c.marey", "x", "y", "--trim-rest"][..], &pattern].concat());
    assert_snapshot("corpus-pairs", &run.screen());
    let take = &sandbox.rows(&["corpus", "show", "c.marey", "60_1+61_1", "--json"])[0];
    // One had a calibration pose in front, so that both lose their first frame; then the shorter one counts.
    assert_eq!((&take["frames"], take["actors"].as_array().unwrap().len()), (&14.into(), 2));
    sandbox.ok(&["corpus", "new", "d.marey"]);
    sandbox.ok(&["corpus", "add", "d.marey", "x/60_1.bvh", "--pairs", "pairs.csv", "--floor", "found"]);
    assert_eq!(sandbox.rows(&["corpus", "ls", "d.marey", "--json"])[0]["actors"], 2);
    refused(&sandbox.run(&["corpus", "add", "d.marey", "x", "--pairs", "bad.csv"]), 1, "corpus/pairs-table");
    let twice =
        ["corpus", "add", "d.marey", "x", "y", "--pairs", "pairs.csv", "--pair", "60_{n}.bvh=61_{n}.bvh"];
    refused(&sandbox.run(&twice), 2, "corpus/paired-twice");
    assert_eq!(sandbox.run(&["corpus", "add", "d.marey", "x", "--pair", "60=61"]).code, 2);
}

#[test]
fn takes_are_cut_clustered_and_searched() {
    let sandbox = walks("corpus-cut");
    let rows = sandbox.rows(&["corpus", "segment", "c.marey", "--by", "steps", "--json"]);
    assert!(rows.len() == 2 && rows.iter().all(|row| row["segments"].as_u64().unwrap() > 4), "{rows:?}");
    let again = sandbox.rows(&["corpus", "segment", "c.marey", "--by", "steps", "--json"]);
    assert!(again.iter().all(|row| row["new"] == 0 && row["removed"] == 0));
    sandbox.ok(&["corpus", "tag", "c.marey", "walk1", "part", "--frames", "30..90"]);
    sandbox.ok(&["corpus", "segment", "c.marey", "walk1", "--by", "tags", "--tag", "part"]);
    fs::write(sandbox.path("cuts.csv"), "take,start,end,name\nwalk2,0,30,a\nwalk2,30,60,b\n").unwrap();
    sandbox.ok(&["corpus", "segment", "c.marey", "--by", "csv", "--csv", "cuts.csv"]);
    let shown = &sandbox.rows(&["corpus", "show", "c.marey", "walk2", "--json"])[0];
    let by_hand = shown["segments"].as_array().unwrap().iter().filter(|one| one["made_by"] == "person");
    assert_eq!(by_hand.count(), 2);

    let clusters = sandbox.rows(&["corpus", "cluster", "c.marey", "--made-by", "method steps", "--json"]);
    assert!(clusters.iter().any(|one| one["representative"] == true && one["cluster"] == 0));
    let few = sandbox.ok(&["corpus", "cluster", "c.marey", "--threshold", "5"]).out;
    assert_eq!(few.lines().count(), 2, "{few}");

    let like = ["corpus", "query", "c.marey", "--like", "walk1:60", "--json"];
    let found = sandbox.rows(&[&like[..], &["-k", "4"]].concat());
    assert_eq!(found.len(), 4);
    let distance = |i: usize| found[i]["distance"].as_f64().unwrap();
    assert!((1..4).all(|i| distance(i - 1) <= distance(i)) && distance(0) > 0.0);
    let tagged = sandbox.rows(&[&like[..], &["-k", "3", "--tag", "part", "--apart", "0.1"]].concat());
    assert!(tagged.len() == 3 && tagged.iter().all(|row| (30..90).contains(&row["frame"].as_u64().unwrap())));
    let slow = sandbox.rows(&[&like[..], &["--max-speed", "0.2"]].concat());
    assert!(!slow.is_empty() && slow.iter().all(|row| row["speed_mps"].as_f64().unwrap() <= 0.2));
    let segments =
        sandbox.rows(&[&like[..], &["--segments", "--min-secs", "0.3", "--max-secs", "1"]].concat());
    assert!(
        !segments.is_empty()
            && segments.iter().all(|row| {
                let secs = (row["end"].as_u64().unwrap() - row["frame"].as_u64().unwrap()) as f64 / 30.0;
                row["segment"].is_number() && (0.3..=1.0).contains(&secs)
            })
    );
    assert!(sandbox.rows(&[&like[..], &["--tag", "nothing"]].concat()).is_empty());
    assert_snapshot("corpus-check", &sandbox.ok(&["corpus", "check", "c.marey"]).screen());
}

#[test]
fn a_folder_and_back_is_the_same_corpus() {
    let sandbox = walks("corpus-folder");
    sandbox.ok(&["corpus", "segment", "c.marey", "--by", "steps"]);
    sandbox.ok(&["corpus", "label", "c.marey", "walk1", "foot=left", "--segment", "2"]);
    sandbox.ok(&["corpus", "export", "c.marey", "out"]);
    assert!(
        ["out/walk1.bvh", "out/walk1.json", "out/walk2.bvh", "out/walk2.json"]
            .iter()
            .all(|name| sandbox.path(name).exists())
    );
    refused(&sandbox.run(&["corpus", "export", "c.marey", "out"]), 1, "file/exists");
    sandbox.ok(&["corpus", "import", "d.marey", "out"]);
    let without_ids = |name: &str| {
        let mut rows = sandbox.rows(&["corpus", "show", name, "walk1", "walk2", "--json"]);
        for segment in rows.iter_mut().flat_map(|row| row["segments"].as_array_mut().unwrap()) {
            segment["id"] = Value::Null;
        }
        for said in rows.iter_mut().flat_map(|row| row["said"].as_array_mut().unwrap()) {
            said["segment"] = Value::Null;
        }
        rows
    };
    assert_eq!(without_ids("c.marey"), without_ids("d.marey"));
    let again = sandbox.rows(&["corpus", "import", "c.marey", "out", "--json"]);
    assert!(again.iter().all(|row| row["already"] == true));
    sandbox.ok(&["corpus", "export", "c.marey", "tables", "--csv"]);
    let segments = String::from_utf8(sandbox.read("tables/segments.csv")).unwrap();
    assert!(segments.starts_with("take,segment,actor,name,start,end,made_by,rate_hz,"));
    // Every row has as many cells, and numbers where the heading says so.
    assert!(segments.lines().skip(1).all(|line| line.split(',').count() == 19 && !line.contains(",,")));
    sandbox.ok(&["corpus", "segment", "d.marey", "--by", "csv", "--csv", "tables/segments.csv"]);
    sandbox.ok(&["corpus", "vacuum", "c.marey"]);
    sandbox.ok(&["corpus", "check", "c.marey"]);
}

#[test]
fn wrong_uses_are_refused_with_a_code() {
    let sandbox = walks("corpus-wrong")
        .with("mine.marey", "mine")
        .with("bad.csv", "take,name,start,end\nwalk1,a,0\n")
        .with("empty/x.txt", "");
    for (code, id, args) in [
        (1, "file/exists", &["new", "mine.marey"][..]),
        (1, "file/not-found", &["new", "no/such/c.marey"]),
        (1, "corpus/not-a-corpus", &["ls", "mine.marey"]),
        (1, "corpus/not-a-corpus", &["add", "walk1.bvh", "walk2.bvh"]),
        (1, "file/not-found", &["ls", "nothing.marey"]),
        (1, "file/not-found", &["add", "nothing.marey", "walk1.bvh"]),
        (1, "corpus/no-take", &["show", "c.marey", "walk3"]),
        (1, "corpus/no-take", &["tag", "c.marey", "walk3", "a"]),
        (1, "motion/range", &["tag", "c.marey", "walk1", "a", "--frames", "0..1000"]),
        (1, "motion/range", &["tag", "c.marey", "walk1", "a", "--at", "1000"]),
        (2, "motion/not-a-role", &["tag", "c.marey", "walk1", "tail", "--contact"]),
        (1, "corpus/no-actor", &["tag", "c.marey", "walk1", "LeftHand", "--contact", "--actor", "1"]),
        (1, "corpus/csv", &["tag", "c.marey", "--csv", "bad.csv"]),
        (1, "file/not-found", &["tag", "c.marey", "--csv", "none.csv"]),
        (2, "corpus/not-a-label", &["label", "c.marey", "walk1", "mood"]),
        (1, "corpus/no-segment", &["label", "c.marey", "walk1", "a=b", "--segment", "99"]),
        (1, "corpus/no-segment", &["cluster", "c.marey"]),
        (1, "corpus/no-take", &["segment", "c.marey", "walk3", "--by", "steps"]),
        (1, "corpus/csv", &["segment", "c.marey", "--by", "csv", "--csv", "bad.csv"]),
        (1, "corpus/no-moments", &["query", "c.marey", "--like", "walk1:5000"]),
        (1, "corpus/no-take", &["query", "c.marey", "--like", "walk9:5"]),
        (1, "corpus/no-take", &["export", "c.marey", "out", "walk9"]),
        (1, "corpus/no-pages", &["import", "d.marey", "empty"]),
        (1, "file/not-found", &["import", "d.marey", "nowhere"]),
        (1, "corpus/no-take", &["rm", "c.marey", "walk1", "walk9"]),
        (1, "corpus/nothing", &["rm", "c.marey", "--tag", "none"]),
        (1, "corpus/nothing", &["rm", "c.marey", "walk1", "--made-by", "method steps", "--dry-run"]),
        (1, "file/not-found", &["rm", "nothing.marey", "walk1"]),
        (1, "file/not-found", &["check", "nothing.marey"]),
        (1, "file/not-found", &["vacuum", "nothing.marey"]),
    ] {
        refused(&sandbox.run(&[&["corpus"], args].concat()), code, id);
    }
    for args in [
        &["corpus", "segment", "c.marey"][..],
        &["corpus", "segment", "c.marey", "--by", "magic"],
        &["corpus", "segment", "c.marey", "--by", "csv"],
        &["corpus", "query", "c.marey", "--like", "walk1"],
        &["corpus", "query", "c.marey", "--like", "walk1:1", "--min-secs", "1"],
        &["corpus", "tag", "c.marey"],
        &["corpus", "tag", "c.marey", "--csv", "bad.csv", "--at", "3"],
        &["corpus", "label", "c.marey", "--csv", "bad.csv", "--segment", "3"],
        &["corpus", "cluster", "c.marey", "--method", "magic"],
        &["corpus", "rm", "c.marey"],
        &["corpus", "rm", "c.marey", "--tag", "a", "--made-by", "person"],
        &["corpus"],
    ] {
        assert_eq!(sandbox.run(args).code, 2, "{args:?}");
    }
    assert_eq!(sandbox.read("mine.marey"), b"mine");
    assert!(!sandbox.path("d.marey").exists() && !sandbox.path("out").exists());
}

#[test]
fn takes_tags_and_what_a_method_made_are_taken_out() {
    let sandbox = walks("corpus-rm");
    sandbox.ok(&["corpus", "segment", "c.marey", "--by", "steps"]);
    sandbox.ok(&["corpus", "tag", "c.marey", "walk1", "turn", "--frames", "10..40"]);
    sandbox.ok(&["corpus", "tag", "c.marey", "walk2", "turn", "--frames", "10..40"]);
    let before = sandbox.rows(&["corpus", "show", "c.marey", "walk1", "walk2", "--json"]);
    let would = sandbox.rows(&["corpus", "rm", "c.marey", "walk1", "--dry-run", "--json"]);
    assert_eq!(
        (&would[0]["takes"], &would[0]["tags"], &would[0]["dry_run"]),
        (&1.into(), &1.into(), &true.into())
    );
    let said = sandbox.ok(&["corpus", "rm", "c.marey", "--tag", "turn", "--dry-run"]).err;
    assert_eq!(said, "would remove 2 tags\n");
    assert_eq!(sandbox.rows(&["corpus", "show", "c.marey", "walk1", "walk2", "--json"]), before);
    let tags = sandbox.rows(&["corpus", "rm", "c.marey", "walk2", "--tag", "turn", "--json"]);
    assert_eq!((&tags[0]["tags"], &tags[0]["takes"]), (&1.into(), &0.into()));
    let made = sandbox.rows(&["corpus", "rm", "c.marey", "walk2", "--made-by", "method steps", "--json"]);
    assert!(
        made[0]["segments"].as_u64().unwrap() > 4 && made[0]["markers"].as_u64().unwrap() > 4,
        "{made:?}"
    );
    let listed = sandbox.rows(&["corpus", "ls", "c.marey", "--json"]);
    assert_eq!(
        (&listed[0]["tags"], &listed[1]["tags"], &listed[1]["segments"]),
        (&1.into(), &0.into(), &0.into())
    );
    sandbox.ok(&["corpus", "rm", "c.marey", "#1"]);
    let listed = sandbox.rows(&["corpus", "ls", "c.marey", "--json"]);
    assert!(listed.len() == 1 && listed[0]["name"] == "walk2");
    sandbox.ok(&["corpus", "check", "c.marey"]);
    // What was taken out can be put in again, under another number.
    let again = sandbox.rows(&["corpus", "add", "c.marey", "walk1.bvh", "--json"]);
    assert_eq!((&again[0]["takes"][0]["id"], &again[0]["takes"][0]["already"]), (&3.into(), &false.into()));
}

#[test]
fn damage_is_found_by_the_check() {
    let sandbox = walks("corpus-damage");
    let mut bytes = sandbox.read("c.marey");
    // Half of the file is frames, so some of these places are in them.
    for at in (bytes.len() / 4..3 * bytes.len() / 4).step_by(4001) {
        bytes[at..at + 40].iter_mut().for_each(|byte| *byte ^= 0x55);
    }
    fs::write(sandbox.path("c.marey"), bytes).unwrap();
    refused(&sandbox.run(&["corpus", "check", "c.marey"]), 1, "corpus/damaged");
    let row = &sandbox.rows(&["corpus", "check", "c.marey", "--json"])[0];
    assert_eq!((&row["ok"], &row["code"]), (&false.into(), &"corpus/damaged".into()));
}

#[test]
fn adding_is_stopped_at_any_time_and_run_again() {
    let sandbox = Sandbox::new("corpus-stopped");
    for i in 0..30 {
        fs::write(sandbox.path(&format!("{i:02}.bvh")), standing(40 + i)).unwrap();
    }
    sandbox.ok(&["corpus", "new", "c.marey"]);
    let takes = || sandbox.rows(&["corpus", "ls", "c.marey", "--json"]).len();
    for millis in [3, 8, 13, 20, 30, 45] {
        let mut command = sandbox.command(&["corpus", "add", "c.marey", ".", "-q"]);
        let mut child = command.spawn().unwrap();
        std::thread::sleep(Duration::from_millis(millis));
        child.kill().unwrap();
        child.wait().unwrap();
        sandbox.ok(&["corpus", "check", "c.marey"]);
        assert!(takes() <= 30);
    }
    sandbox.ok(&["corpus", "add", "c.marey", "."]);
    assert_eq!(takes(), 30);
    sandbox.ok(&["corpus", "check", "c.marey"]);
}

/// A limit on the size of files stands in for a full disk: writing fails in the middle.
#[test]
fn a_file_that_cannot_grow_keeps_what_it_had() {
    let sandbox = walks("corpus-no-room");
    sandbox.ok(&["examples", "walk", "long.bvh", "--secs", "300"]);
    let script = "trap '' XFSZ; ulimit -f 1500; exec \"$@\"";
    let run = |args: &[&str]| {
        let marey = env!("CARGO_BIN_EXE_marey");
        let mut command = Command::new("sh");
        command.args(["-c", script, "sh", marey]).args(args).current_dir(sandbox.path(""));
        command.output().unwrap()
    };
    let output = run(&["corpus", "add", "c.marey", "long.bvh"]);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.code() == Some(1) && (text.contains("[file/io]") || text.contains("[file/full]")),
        "{text}"
    );
    assert_eq!(sandbox.rows(&["corpus", "ls", "c.marey", "--json"]).len(), 2);
    sandbox.ok(&["corpus", "check", "c.marey"]);
    sandbox.ok(&["corpus", "add", "c.marey", "long.bvh"]);
}

#[test]
fn real_data_all_of_cmu_goes_in_with_one_command() {
    let Some(folder) = marey_capture::folder("") else { return };
    let cmu = folder.join("cmu");
    let sandbox = Sandbox::new("corpus-cmu");
    sandbox.ok(&["corpus", "new", "c.marey"]);
    let pairs = ["--pair", "60_{n}.bvh=61_{n}.bvh", "--pair", "60_{n}.amc=61_{n}.amc"];
    let add = ["corpus", "add", "c.marey", cmu.to_str().unwrap(), "--trim-rest", "--json"];
    let rows = sandbox.rows(&[&add[..], &pairs].concat());
    assert!(rows.len() > 100 && rows.iter().all(|row| row["ok"] == true), "{} rows", rows.len());
    let takes = sandbox.rows(&["corpus", "ls", "c.marey", "--json"]);
    let pairs: Vec<&Value> =
        takes.iter().filter(|take| take["name"].as_str().unwrap().contains("60_")).collect();
    assert!(!pairs.is_empty() && pairs.iter().all(|take| take["actors"] == 2), "{pairs:?}");
    partners_are_within_reach(&sandbox, pairs[0]["name"].as_str().unwrap());
    sandbox.ok(&["corpus", "check", "c.marey"]);
}

/// Dancers who hold hands are an arm's length apart, if they are in one world.
fn partners_are_within_reach(sandbox: &Sandbox, name: &str) {
    let corpus = marey::corpus::Corpus::open_read_only(Path::new(&sandbox.path("c.marey"))).unwrap();
    let take = corpus.take(corpus.find(name).unwrap()).unwrap();
    let [leader, follower] = take.actors() else { panic!("{name}") };
    let apart = leader.clip.root_positions().zip(follower.clip.root_positions()).map(|(a, b)| a.distance(b));
    let mut apart: Vec<f32> = apart.collect();
    apart.sort_by(f32::total_cmp);
    let median = apart[apart.len() / 2];
    assert!((0.2..1.5).contains(&median), "{name}: {median} m");
}
