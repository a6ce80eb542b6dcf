//! `marey vary`.

use std::collections::BTreeSet;

use marey::plan::Plan;

use crate::sandbox::Sandbox;

/// A walk of 20 s.
fn walk(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name);
    sandbox.ok(&["examples", "walk", "a.bvh", "--secs", "20", "--rate", "30"]);
    sandbox
}

fn plan(sandbox: &Sandbox, name: &str) -> Plan {
    Plan::from_json(&String::from_utf8(sandbox.read(name)).unwrap()).unwrap()
}

#[test]
fn a_clip_gets_as_many_variations_as_requested() {
    let sandbox = walk("vary-clip");
    let args =
        ["vary", "a.bvh", "-o", "new.bvh", "--count", "3", "--picture", "new.svg", "--plan", "new.json"];
    let rows = sandbox.rows(&[&args[..], &["--json"]].concat());
    assert_eq!(rows.len(), 3);
    assert_eq!((&rows[2]["output"], &rows[2]["seed"]), (&"new-03.bvh".into(), &3.into()));
    assert!(rows.iter().all(|row| row["moved"].as_f64().unwrap() > 0.2), "{rows:?}");
    for number in 1..=3 {
        let plan = plan(&sandbox, &format!("new-0{number}.json"));
        assert_eq!(plan.frames(), 600);
        assert!(sandbox.read(&format!("new-0{number}.svg")).starts_with(b"<svg "));
    }
    assert_ne!(sandbox.read("new-01.bvh"), sandbox.read("new-02.bvh"));
    // Existing files are kept; equal seeds give equal files.
    assert!(sandbox.run(&args).err.contains("error[file/exists]"));
    sandbox.ok(&["vary", "a.bvh", "-o", "again.bvh", "--seed", "2"]);
    assert_eq!(sandbox.read("again.bvh"), sandbox.read("new-02.bvh"));
    assert!(
        sandbox
            .ok(&["vary", "a.bvh", "-o", "raw.bvh", "--bridge", "none", "--travel", "absolute"])
            .out
            .contains("raw.bvh")
    );
    let card = sandbox.run(&["check", "again.bvh"]).out;
    assert!(card.contains("foot skate"), "{card}");
}

#[test]
fn a_corpus_is_varied_by_tags_and_with_in_betweens() {
    let sandbox = walk("vary-corpus");
    sandbox.ok(&["corpus", "new", "c.marey"]);
    sandbox.ok(&["corpus", "add", "c.marey", "a.bvh"]);
    sandbox.ok(&["corpus", "tag", "c.marey", "a", "middle", "--frames", "200..400"]);
    sandbox.ok(&["vary", "c.marey", "-o", "mid.bvh", "--tag", "middle", "--plan", "mid.json", "--secs", "5"]);
    let found = plan(&sandbox, "mid.json");
    assert_eq!(found.frames(), 150);
    let inside = |p: &marey::plan::Placement| (200..400).contains(&p.source_start) && p.source_end <= 400;
    assert!(found.actors[0].placements.iter().all(inside));
    sandbox.ok(&["vary", "c.marey", "-o", "way.bvh", "--bridge", "tween", "--plan", "way.json"]);
    let bridged = plan(&sandbox, "way.json");
    assert!(bridged.actors[0].placements.iter().any(|p| p.source.take.starts_with("in-between")));
    assert!(bridged.frames() >= 600);
    // The plans give the same motion again; that of files carries its clips.
    sandbox.ok(&["vary", "a.bvh", "-o", "file.bvh", "--plan", "file.json"]);
    assert!(!plan(&sandbox, "file.json").clips.is_empty());
    for name in ["mid", "way", "file"] {
        let (json, again) = (format!("{name}.json"), format!("{name}-again.bvh"));
        sandbox.ok(&["realise", "c.marey", &json, "-o", &again]);
        assert_eq!(sandbox.read(&again), sandbox.read(&format!("{name}.bvh")), "{name}");
    }
}

#[test]
fn lines_and_words_are_varied() {
    let poem: String = (0..40).map(|line| format!("line {line}\n\n")).collect();
    let sandbox = Sandbox::new("vary-lines").with("poem.txt", &poem);
    sandbox.ok(&["vary", "--lines", "poem.txt", "-o", "new.txt", "--keep-first"]);
    let new = String::from_utf8(sandbox.read("new.txt")).unwrap();
    assert!(new.starts_with("line 0\n") && new.lines().count() == 40);
    assert!(new.lines().all(|line| poem.contains(&format!("{line}\n"))));
    sandbox.ok(&["vary", "--lines", "poem.txt", "--words", "-o", "words.txt", "--system", "rossler"]);
    assert_eq!(String::from_utf8(sandbox.read("words.txt")).unwrap().split_whitespace().count(), 80);
}

#[test]
fn short_clips_and_poems_change_for_every_seed() {
    let sandbox = Sandbox::new("vary-short");
    sandbox.ok(&["examples", "walk", "a.bvh", "--secs", "6", "--rate", "60"]);
    let rows = sandbox.rows(&["vary", "a.bvh", "-o", "new.bvh", "--count", "4", "--json"]);
    assert!(rows.iter().all(|row| row["moved"].as_f64().unwrap() >= 0.5), "{rows:?}");
    let sonnet: String = (1..=14).map(|line| format!("line {line}\n")).collect();
    let sandbox = sandbox.with("sonnet.txt", &sonnet);
    sandbox.ok(&["vary", "--lines", "sonnet.txt", "-o", "poem.txt", "--count", "4"]);
    let poems: BTreeSet<Vec<u8>> =
        (1..=4).map(|number| sandbox.read(&format!("poem-0{number}.txt"))).collect();
    assert_eq!(poems.len(), 4);
    assert!(!poems.contains(sonnet.as_bytes()));
    // The paper's rule returns the beginning unchanged. What does not change at all is refused.
    let paper = ["--cut", "free", "--turn", "45", "--min-chunk", "1", "--drift", "0", "--shift", "1e-9"];
    let refused = sandbox.run(&[&["vary", "a.bvh", "-o", "same.bvh"], &paper[..]].concat());
    assert!(refused.code == 1 && refused.err.contains("error[vary/unchanged]"), "{}", refused.err);
}

#[test]
fn the_count_of_a_dance_is_kept() {
    let sandbox = Sandbox::new("vary-beats");
    sandbox.ok(&["examples", "waltz", "a.bvh", "--secs", "20", "--rate", "30"]);
    sandbox.ok(&["vary", "a.bvh", "-o", "new.bvh", "--plan", "new.json", "--beats", "--tempo", "90"]);
    let placements = plan(&sandbox, "new.json").actors.swap_remove(0).placements;
    assert!(placements.len() > 5);
    let first = placements[0].source_start as f64;
    for placement in &placements {
        // 90 beats a minute are one in 20 frames.
        let off = (placement.source_start as f64 - first - placement.start as f64) / 20.0;
        assert!((off - off.round()).abs() < 0.15, "{placement:?}");
    }
    let code = |args: &[&str]| {
        let run = sandbox.run(&[&["vary", "a.bvh", "-o", "x.bvh"], args].concat());
        (run.code, run.err)
    };
    let (exit, message) = code(&["--beats", "--cut", "free"]);
    assert!(exit == 2 && message.contains("command/vary-beats"), "{message}");
    assert_eq!(code(&["--tempo", "90"]).0, 2);
}

#[test]
fn invalid_input_is_an_error_with_a_code() {
    let sandbox = walk("vary-bad").with("short.txt", "one\ntwo\n");
    sandbox.ok(&["examples", "waltz", "pair.bvh", "--secs", "12", "--rate", "30"]);
    let code = |args: &[&str]| {
        let run = sandbox.run(&[&["vary"], args].concat());
        let code = run.err.lines().find_map(|line| line.strip_prefix("error[")?.split(']').next());
        (run.code, code.unwrap_or_default().to_owned())
    };
    assert_eq!(code(&["a.bvh", "-o", "x.png"]), (2, "command/output-ending".into()));
    assert_eq!(code(&["a.bvh", "-o", "x.bvh", "--shift", "NaN"]), (1, "vary/setting".into()));
    assert_eq!(code(&["a.bvh", "-o", "x.bvh", "--secs", "0"]), (1, "vary/short".into()));
    assert_eq!(code(&["--lines", "short.txt", "-o", "x.txt"]), (1, "vary/short".into()));
    assert_eq!(code(&["a.bvh", "-o", "x.bvh", "--system", "0; 0; 0"]), (1, "vary/no-oscillation".into()));
    assert_eq!(
        code(&["a.bvh", "-o", "x.bvh", "--bridge", "tween", "--travel", "absolute"]),
        (2, "command/bridge".into())
    );
    assert_eq!(sandbox.run(&["vary", "a.bvh", "-o", "x.bvh", "--system", "x; y"]).code, 2);
    assert!(!sandbox.files().iter().any(|file| file.starts_with("x.")));
    // Motion that does not go together with the rest is left out.
    let mixed = sandbox.run(&["vary", "a.bvh", "pair.bvh", "-o", "mixed.bvh"]);
    assert!(mixed.code == 0 && mixed.err.contains("warning[command/other-body]"), "{}", mixed.err);
}
