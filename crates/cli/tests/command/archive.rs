//! Motion files wherever a corpus is taken, and dirty files through every verb.

use std::fs;

use crate::sandbox::Sandbox;

const PATH: &str = "t,x,z\n0,0,0\n1,0,1.1\n2,0.2,2.2\n3,0.5,3.2\n4,0.9,4.2\n";

/// Six metres of level ground.
const FLOOR: &str = r#"{"pieces": [[[0, 0], [6, 0]]]}"#;

/// A folder of three walks.
fn walks(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name).with("path.csv", PATH);
    fs::create_dir_all(sandbox.path("walks")).unwrap();
    for seed in ["1", "2", "3"] {
        let file = format!("walks/{seed}.bvh");
        sandbox.ok(&["examples", "walk", &file, "--secs", "12", "--rate", "30", "--seed", seed]);
        for beside in ["truth.json", "path.csv"] {
            fs::remove_file(sandbox.path(&format!("walks/{seed}.{beside}"))).unwrap();
        }
    }
    sandbox
}

fn cached(sandbox: &Sandbox) -> Vec<String> {
    let is_corpus = |file: &String| file.starts_with("cache") && file.ends_with(".marey");
    sandbox.files().into_iter().filter(is_corpus).collect()
}

#[test]
fn a_folder_is_followed_in_one_command_and_kept_by_content() {
    let sandbox = walks("archive-folder");
    let first = sandbox.ok(&["follow", "walks", "path.csv", "-o", "a.bvh", "--corpus", "kept.marey"]);
    assert!(first.err.contains("3 takes and") && first.err.contains("from 3 files"), "{}", first.err);
    let corpora = cached(&sandbox);
    assert_eq!(corpora.len(), 1);
    // The same again, by other names for the files, and from the corpus that was kept.
    sandbox.ok(&["follow", "walks", "path.csv", "-o", "b.bvh"]);
    sandbox.ok(&["follow", "kept.marey", "path.csv", "-o", "c.bvh"]);
    sandbox.ok(&["follow", "walks/*.bvh", "path.csv", "-o", "d.bvh"]);
    sandbox.ok(&["follow", "walks/1.bvh", "walks/2.bvh", "walks/3.bvh", "path.csv", "-o", "e.bvh"]);
    for other in ["b.bvh", "c.bvh", "d.bvh", "e.bvh"] {
        assert_eq!(sandbox.read("a.bvh"), sandbox.read(other), "{other}");
    }
    assert_eq!(cached(&sandbox), corpora);
    let taken = sandbox.run(&["follow", "walks", "path.csv", "-o", "f.bvh", "--corpus", "kept.marey"]);
    assert!(taken.code == 1 && taken.err.contains("error[file/exists]"), "{}", taken.err);

    // A file that changes makes another corpus; a file that only looks newer does not.
    let bytes = sandbox.read("walks/1.bvh");
    fs::write(sandbox.path("walks/1.bvh"), &bytes).unwrap();
    sandbox.ok(&["follow", "walks", "path.csv", "-o", "g.bvh"]);
    assert_eq!(cached(&sandbox), corpora);
    fs::remove_file(sandbox.path("walks/3.bvh")).unwrap();
    let fewer = sandbox.ok(&["follow", "walks", "path.csv", "-o", "h.bvh"]);
    assert!(fewer.err.contains("2 takes and"), "{}", fewer.err);
    assert_ne!(cached(&sandbox), corpora);
}

#[test]
fn a_changed_folder_reads_changed_files_only() {
    let sandbox = walks("archive-update");
    sandbox.ok(&["follow", "walks", "path.csv", "-o", "a.bvh"]);
    let parts =
        |sandbox: &Sandbox| sandbox.files().into_iter().filter(|file| file.ends_with(".shard")).count();
    assert_eq!(parts(&sandbox), 3);
    // A file that seems unchanged is not read, so that it may be anything by now.
    let (path, bytes) = (sandbox.path("walks/2.bvh"), sandbox.read("walks/2.bvh"));
    let modified = fs::metadata(&path).unwrap().modified().unwrap();
    let write = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        fs::File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
    };
    write(&vec![b'x'; bytes.len()]);
    // One file goes, one changes, one comes.
    fs::remove_file(sandbox.path("walks/3.bvh")).unwrap();
    fs::copy(sandbox.path("a.bvh"), sandbox.path("walks/1.bvh")).unwrap();
    sandbox.ok(&["examples", "walk", "walks/0.bvh", "--secs", "12", "--rate", "30", "--seed", "8"]);
    for beside in ["truth.json", "path.csv"] {
        fs::remove_file(sandbox.path(&format!("walks/0.{beside}"))).unwrap();
    }
    let updated = sandbox.ok(&["follow", "walks", "path.csv", "-o", "b.bvh", "--corpus", "updated.marey"]);
    assert!(updated.err.contains("3 takes and") && updated.err.contains("from 3 files"), "{}", updated.err);
    assert_eq!(parts(&sandbox), 5);
    // A corpus that is made of the same files at once is the same.
    write(&bytes);
    let mut afresh =
        sandbox.command(&["follow", "walks", "path.csv", "-o", "c.bvh", "--corpus", "afresh.marey"]);
    assert!(afresh.env("MAREY_CACHE", sandbox.path("other")).status().unwrap().success());
    assert_eq!(sandbox.read("b.bvh"), sandbox.read("c.bvh"));
    // But for what the first run derived from takes.
    for name in ["updated", "afresh"] {
        sandbox.ok(&["corpus", "export", &format!("{name}.marey"), name]);
    }
    let exported = |name: &str| -> Vec<String> {
        let start = format!("{name}/");
        let files = sandbox.files().into_iter();
        files.filter_map(|file| file.strip_prefix(&start).map(str::to_owned)).collect()
    };
    assert!(exported("updated").len() > 3);
    assert_eq!(exported("updated"), exported("afresh"));
    for file in exported("updated") {
        let [updated, afresh] = ["updated", "afresh"].map(|name| sandbox.read(&format!("{name}/{file}")));
        assert!(updated == afresh, "{file}");
    }
    // A damaged part is read again.
    for part in
        sandbox.files().into_iter().filter(|file| file.starts_with("cache") && file.ends_with(".shard"))
    {
        fs::write(sandbox.path(&part), "damaged").unwrap();
    }
    fs::remove_file(sandbox.path("walks/0.bvh")).unwrap();
    let fewer = sandbox.ok(&["follow", "walks", "path.csv", "-o", "d.bvh"]);
    assert!(fewer.err.contains("2 takes and"), "{}", fewer.err);
}

#[test]
fn every_verb_takes_a_folder() {
    let sandbox = walks("archive-verbs");
    sandbox.ok(&["follow", "walks", "path.csv", "-o", "a.bvh", "--plan", "p.json"]);
    sandbox.ok(&["realise", "walks", "p.json", "-o", "again.bvh"]);
    assert_eq!(sandbox.read("a.bvh"), sandbox.read("again.bvh"));
    sandbox.ok(&["transcribe", "walks", "walks/1.bvh", "--json"]);
    sandbox.ok(&["wander", "walks", "-o", "w.bvh", "--secs", "2"]);
    sandbox.ok(&["tween", "walks", "1@10", "2@40", "-o", "t.bvh"]);
    let report = sandbox.ok(&["corpus", "report", "walks"]);
    assert!(report.err.contains("3 takes: "), "{}", report.err);
    let rows = sandbox.rows(&["corpus", "report", "walks", "--json"]);
    assert!(rows.iter().all(|row| row["grade"] == "good" || row["grade"] == "usable"), "{rows:?}");
}

#[test]
fn the_preparation_of_a_folder_is_chosen_like_that_of_a_corpus() {
    let sandbox = walks("archive-prepared");
    // The same walk with one angle changed by a degree, all the time.
    let near = rows_changed(&sandbox.read("walks/1.bvh"), |_, row| {
        with_value(row, 30, |angle| (angle + 1.0).to_string())
    });
    let sandbox = sandbox.with("walks/near.bvh", near);
    let follow = ["follow", "walks", "path.csv", "-o", "out.bvh", "--force"];
    let run = sandbox.ok(&follow);
    assert!(run.err.contains("warning[corpus/near-duplicate]  in near.bvh"), "{}", run.err);
    assert!(run.err.contains("3 takes and"), "{}", run.err);
    let kept = ["--skip", "duplicates", "--as", "walker", "--corpus", "kept.marey"];
    let run = sandbox.ok(&[&follow[..], &kept].concat());
    assert!(run.err.contains("4 takes and") && !run.err.contains("near-duplicate"), "{}", run.err);
    let shown = sandbox.rows(&["corpus", "show", "kept.marey", "1", "--json"]);
    assert_eq!(shown[0]["actors"][0]["name"], "walker");
}

#[test]
fn files_that_cannot_be_used_are_named_every_time() {
    let sandbox = walks("archive-bad").with("walks/bad.bvh", "HIERARCHY\n");
    for output in ["a.bvh", "b.bvh"] {
        let run = sandbox.ok(&["follow", "walks", "path.csv", "-o", output]);
        assert!(run.err.contains("1 of 4 files failed") && run.err.contains("bad.bvh"), "{}", run.err);
    }
    let none = Sandbox::new("archive-none").with("x/bad.bvh", "HIERARCHY\n").with("path.csv", PATH);
    let run = none.run(&["follow", "x", "path.csv", "-o", "a.bvh"]);
    assert!(run.code == 1 && run.err.contains("error[command/empty-archive]"), "{}", run.err);
    let mut homeless = none.command(&["follow", "x", "path.csv", "-o", "a.bvh"]);
    for name in ["MAREY_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"] {
        homeless.env_remove(name);
    }
    let output = String::from_utf8(homeless.output().unwrap().stderr).unwrap();
    assert!(output.contains("error[command/no-cache]"), "{output}");
}

#[test]
fn an_empty_choice_names_the_step_that_emptied_it() {
    let sandbox = walks("archive-empty");
    sandbox.ok(&["corpus", "new", "a.marey"]);
    let follow =
        |more: &[&str]| sandbox.run(&[&["follow", "a.marey", "path.csv", "-o", "a.bvh"], more].concat()).err;
    assert!(follow(&[]).contains("error[command/no-examples]: the corpus has no takes"), "{}", follow(&[]));
    sandbox.ok(&["corpus", "add", "a.marey", "walks"]);
    assert!(follow(&[]).contains("none of 3 takes is cut into segments"), "{}", follow(&[]));
    sandbox.ok(&["corpus", "segment", "a.marey", "--by", "steps"]);
    let without = follow(&["--without", "1", "--without", "2", "--without", "3"]);
    assert!(without.contains("all of 3 takes are left out by name"), "{without}");
    let by_person = follow(&["--made-by", "person"]);
    assert!(by_person.contains("none of 3 takes has a segment made by person"), "{by_person}");
    for take in ["1", "2", "3"] {
        sandbox.ok(&["corpus", "tag", "a.marey", take, "unusable"]);
    }
    let unusable = follow(&[]);
    assert!(unusable.contains("all segments of 3 takes are too short or have unusable frames"), "{unusable}");
    sandbox.ok(&["corpus", "rm", "a.marey", "1", "--tag", "unusable"]);
    let some = sandbox.ok(&["follow", "a.marey", "path.csv", "-o", "b.bvh"]);
    assert!(some.err.contains("warning[command/unusable-segment]"), "{}", some.err);
}

/// Changes the rows of motion of a BVH file.
fn rows_changed(bytes: &[u8], change: impl Fn(usize, &str) -> String) -> String {
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    let (head, rows) = text.split_at(text.find("Frame Time:").unwrap());
    let (time, rows) = rows.split_once('\n').unwrap();
    let rows: String = rows.lines().enumerate().map(|(number, row)| change(number, row) + "\n").collect();
    format!("{head}{time}\n{rows}")
}

/// A row with one value changed.
fn with_value(row: &str, column: usize, change: impl Fn(f64) -> String) -> String {
    let mut cells: Vec<String> = row.split_whitespace().map(str::to_owned).collect();
    cells[column] = change(cells[column].parse().unwrap());
    cells.join(" ")
}

/// Changes a row of motion, given its frame.
type RowChange = fn(usize, &str) -> String;

/// A folder of walks, and one for each defect that a capture can have.
fn dirty(name: &str) -> Sandbox {
    let mut sandbox = walks(name);
    let defects: [(&str, RowChange); 6] = [
        ("spikes", |frame, row| match frame % 50 {
            20 => with_value(row, 12, |angle| (angle + 120.0).to_string()),
            _ => row.to_owned(),
        }),
        ("nan", |frame, row| match frame {
            40..=44 => with_value(row, 9, |_| "nan".into()),
            _ => row.to_owned(),
        }),
        ("zeros", |frame, row| match frame {
            100..=160 => row.split_whitespace().map(|_| "0 ").collect(),
            _ => row.to_owned(),
        }),
        ("upside-down", |_, row| with_value(row, 3, |angle| (angle + 180.0).to_string())),
        ("jump", |frame, row| match frame {
            180.. => with_value(row, 0, |x| (x + 300.0).to_string()),
            _ => row.to_owned(),
        }),
        ("one-frame", |frame, row| if frame == 0 { row.to_owned() } else { String::new() }),
    ];
    for (seed, (name, change)) in (10..).zip(defects) {
        let seed = seed.to_string();
        sandbox.ok(&[
            "examples",
            "walk",
            "clean.bvh",
            "--secs",
            "9",
            "--rate",
            "30",
            "--seed",
            &seed,
            "--force",
        ]);
        let text = rows_changed(&sandbox.read("clean.bvh"), change);
        let frames = text.lines().find(|line| line.starts_with("Frames:")).unwrap().to_owned();
        let text = if name == "one-frame" { text.replace(&frames, "Frames: 1") } else { text };
        sandbox = sandbox.with(&format!("walks/{name}.bvh"), text.trim_end().to_owned() + "\n");
    }
    let text = String::from_utf8(sandbox.read("clean.bvh")).unwrap();
    let time = text.lines().find(|line| line.starts_with("Frame Time:")).unwrap().to_owned();
    let fast = text.replace(&time, "Frame Time: 0.0083333");
    sandbox.with("walks/other-rate.bvh", fast).with("walks/empty.bvh", "")
}

#[test]
fn dirty_takes_go_through_every_verb() {
    let sandbox = dirty("archive-dirty");
    let run = sandbox.ok(&["follow", "walks", "path.csv", "-o", "follow.bvh", "--corpus", "dirty.marey"]);
    assert!(run.err.contains("empty.bvh"), "{}", run.err);
    for code in ["corpus/repaired", "corpus/unusable", "bvh/held-value"] {
        assert!(run.err.contains(code), "{code}\n{}", run.err);
    }
    let report = sandbox.rows(&["corpus", "report", "dirty.marey", "--json"]);
    let grade = |name: &str| {
        let row = report.iter().find(|row| row["name"] == name);
        row.map_or("absent".to_owned(), |row| row["grade"].as_str().unwrap().to_owned())
    };
    assert_eq!((grade("one-frame").as_str(), grade("2").as_str()), ("bad", "good"), "{report:?}");
    assert_eq!([grade("zeros"), grade("jump")], ["usable"; 2], "{report:?}");
    // Every dirty file is named: by what the import repaired or marked, or by its grade.
    for (name, code) in [
        ("spikes", "corpus/repaired"),
        ("nan", "bvh/held-value"),
        ("zeros", "corpus/unusable"),
        ("jump", "corpus/unusable"),
        ("other-rate", "conventions/rate-doubtful"),
    ] {
        let is_named =
            |line: &str| line.contains(&format!("warning[{code}]")) && line.contains(&format!("{name}.bvh"));
        assert!(run.err.lines().any(is_named), "{code} of {name}\n{}", run.err);
    }
    assert_eq!([grade("upside-down"), grade("other-rate")], ["bad", "usable"], "{report:?}");
    // Each verb has a result, or an error that is not a bug.
    fs::write(sandbox.path("floor.json"), FLOOR).unwrap();
    let verbs: [&[&str]; 20] = [
        &["follow", "dirty.marey", "path.csv", "-o", "live.bvh", "--live"],
        &["follow", "dirty.marey", "walks/zeros.bvh", "-o", "after-zeros.bvh"],
        &["follow", "dirty.marey", "walks/upside-down.bvh", "-o", "after-upside-down.bvh"],
        &["follow", "dirty.marey", "walks/nan.bvh", "-o", "pair.bvh", "--control", "actor:1"],
        &["tween", "dirty.marey", "zeros@120", "jump@181", "-o", "between.bvh"],
        &["duet", "label", "dirty.marey"],
        &["duet", "run", "dirty.marey", "-o", "duet.bvh"],
        &["check", "walks"],
        &["inspect", "walks"],
        &["render", "walks/spikes.bvh", "spikes.png"],
        &["corpus", "export", "dirty.marey", "exported"],
        &["traverse", "dirty.marey", "floor.json", "-o", "traverse.bvh"],
        &["wander", "dirty.marey", "-o", "wander.bvh", "--secs", "2"],
        &["tween", "dirty.marey", "2@10", "3@40", "-o", "tween.bvh"],
        &["vary", "dirty.marey", "-o", "vary.bvh", "--seed", "1"],
        &["transcribe", "dirty.marey", "walks/2.bvh", "--json"],
        &["corpus", "ls", "dirty.marey"],
        &["corpus", "query", "dirty.marey", "--like", "2:30"],
        &["corpus", "cluster", "dirty.marey"],
        &["corpus", "check", "dirty.marey"],
    ];
    for verb in verbs {
        let run = sandbox.run(verb);
        // Of many files, those that fail are listed.
        let is_refused =
            run.code == 1 && (run.err.contains("error[") || run.err.contains("1 of 11 files failed"));
        assert!(run.code == 0 || is_refused, "{verb:?}: {}\n{}", run.code, run.err);
    }
    for verb in ["wander.bvh", "tween.bvh", "traverse.bvh", "vary.bvh", "live.bvh", "spikes.png"] {
        assert!(sandbox.path(verb).is_file(), "{verb}");
    }
    let brief = sandbox.run(&["follow", "dirty.marey", "walks/one-frame.bvh", "-o", "brief.bvh"]);
    assert!(brief.code == 1 && brief.err.contains("one-frame.bvh"), "{}", brief.err);
    let converted = sandbox.run(&["convert", "walks", "converted", "--to", "glb"]);
    assert!(converted.code == 1 && converted.err.contains("empty.bvh"), "{}", converted.err);
    let glb = |file: &String| file.starts_with("converted") && file.ends_with(".glb");
    assert_eq!(sandbox.files().iter().filter(|file| glb(file)).count(), 10);
    let files = sandbox.ok(&["vary", "walks", "-o", "vary-files.bvh"]);
    assert!(files.err.contains("empty.bvh") && files.err.contains("files failed"), "{}", files.err);
    // Plain files are prepared as by an import.
    for code in ["corpus/repaired", "command/unusable-frames"] {
        assert!(files.err.contains(code), "{code}\n{}", files.err);
    }
    let left_out = sandbox.ok(&["vary", "dirty.marey", "-o", "vary.bvh", "--force"]);
    assert!(left_out.err.contains("command/unusable-frames"), "{}", left_out.err);
}

#[test]
fn dirty_pairs_go_through_duet() {
    let sandbox = Sandbox::new("archive-dirty-pairs");
    let bout = |file: &str, seed: &str| {
        let command = ["examples", "taekwondo", file, "--secs", "20", "--rate", "30", "--seed", seed];
        sandbox.ok(&command);
        String::from_utf8(sandbox.read(file)).unwrap()
    };
    fs::create_dir_all(sandbox.path("bouts")).unwrap();
    bout("bouts/clean.bvh", "1");
    let zeros = rows_changed(bout("zeros.bvh", "2").as_bytes(), |frame, row| match frame {
        200..=290 => row.split_whitespace().map(|_| "0 ").collect(),
        _ => row.to_owned(),
    });
    fs::write(sandbox.path("bouts/zeros.bvh"), zeros).unwrap();
    fs::write(sandbox.path("bouts/empty.bvh"), "").unwrap();
    fs::remove_file(sandbox.path("bouts/clean.truth.json")).unwrap();
    sandbox.ok(&["corpus", "new", "bouts.marey"]);
    let added = sandbox.run(&["corpus", "add", "bouts.marey", "bouts"]);
    assert!(added.code == 1 && added.err.contains("empty.bvh"), "{}", added.err);
    let unusable = sandbox.ok(&["corpus", "show", "bouts.marey", "zeros"]);
    assert!(unusable.out.contains("unusable"), "{}", unusable.out);
    let labelled = sandbox.ok(&["duet", "label", "bouts.marey", "--iterations", "30"]);
    assert!(labelled.err.contains("command/unusable-frames"), "{}", labelled.err);
    // No movement has unusable frames.
    let rows = sandbox.rows(&["corpus", "show", "bouts.marey", "zeros", "--json"]);
    assert!(!rows.is_empty());
    sandbox.ok(&["duet", "train", "bouts.marey"]);
    let run = sandbox.ok(&["duet", "run", "bouts.marey", "-o", "duet.bvh", "--secs", "4"]);
    assert!(run.err.contains("command/unusable-frames"), "{}", run.err);
    assert!(!run.err.contains("command/labels-changed"), "{}", run.err);
}

/// One actor of a take as a file of its own.
fn actor_file(sandbox: &Sandbox, take: &str, number: usize, file: &str) {
    let take = marey::inputs::take(&sandbox.path(take)).unwrap();
    let actor = marey::motion::Take::solo("one", take.actors()[number].clip.clone());
    let bytes = marey::formats::bvh::write(&actor, &Default::default()).0;
    fs::create_dir_all(sandbox.path(file).parent().unwrap()).unwrap();
    fs::write(sandbox.path(file), bytes).unwrap();
}

#[test]
fn two_folders_of_a_couple_give_a_follower_for_another_leader() {
    let sandbox = Sandbox::new("archive-couple");
    for seed in ["1", "2", "3"] {
        let waltz =
            ["examples", "waltz", "waltz.bvh", "--secs", "20", "--rate", "30", "--force", "--seed", seed];
        sandbox.ok(&waltz);
        let folder = if seed == "3" { "held-out/" } else { "" };
        actor_file(&sandbox, "waltz.bvh", 0, &format!("{folder}leaders/{seed}.bvh"));
        actor_file(&sandbox, "waltz.bvh", 1, &format!("{folder}followers/{seed}.bvh"));
    }
    let pairs = ["--pair", "leader=leaders/{i}.bvh", "--pair", "follower=followers/{i}.bvh"];
    let follow = ["follow", "leaders", "followers", "held-out/leaders/3.bvh", "-o", "pair.bvh"];
    let run = sandbox.ok(&[&follow[..], &["--control", "actor:leader", "--cut", "beats"], &pairs].concat());
    assert!(run.err.contains("2 takes and") && run.err.contains("from 4 files"), "{}", run.err);
    let pair = marey::inputs::take(&sandbox.path("pair.bvh")).unwrap();
    let names: Vec<&str> = pair.actors().iter().map(|actor| actor.name.as_str()).collect();
    assert_eq!(names, ["leader", "follower"]);
    let truth = marey::inputs::take(&sandbox.path("held-out/followers/3.bvh")).unwrap();
    let hips = |clip: &marey::motion::Clip| clip.root_positions().collect::<Vec<_>>();
    let (made, true_hips) = (hips(&pair.actors()[1].clip), hips(truth.first()));
    let off_m: f32 = made.iter().zip(&true_hips).map(|(one, other)| one.distance(*other)).sum();
    let mean_m = off_m / made.len() as f32;
    assert!(mean_m < 0.4, "the follower is {mean_m} m from where the true one was");
    // The two can also go on by themselves, without a corpus of their own.
    let duet = ["duet", "run", "together", "-o", "duet.bvh", "--secs", "3"];
    fs::create_dir_all(sandbox.path("together")).unwrap();
    for seed in ["1", "2"] {
        fs::copy(
            sandbox.path(&format!("leaders/{seed}.bvh")),
            sandbox.path(&format!("together/l{seed}.bvh")),
        )
        .unwrap();
        fs::copy(
            sandbox.path(&format!("followers/{seed}.bvh")),
            sandbox.path(&format!("together/f{seed}.bvh")),
        )
        .unwrap();
    }
    let run =
        sandbox.ok(&[&duet[..], &["--pair", "leader=l{i}.bvh", "--pair", "follower=f{i}.bvh"]].concat());
    assert!(run.err.contains("warning[command/trained-now]"), "{}", run.err);
}

#[test]
fn a_segment_that_is_repeated_is_reported() {
    let sandbox = walks("archive-repeated").with("cuts.csv", "take,start,end,name\n1,100,108,short\n");
    sandbox.ok(&["corpus", "new", "a.marey"]);
    sandbox.ok(&["corpus", "add", "a.marey", "walks/1.bvh"]);
    sandbox.ok(&["corpus", "segment", "a.marey", "--by", "csv", "--csv", "cuts.csv"]);
    let run = sandbox.ok(&["follow", "a.marey", "path.csv", "-o", "out.bvh"]);
    assert!(run.err.contains("warning[command/repeated-segment]: a segment of \"1\", "), "{}", run.err);
}
