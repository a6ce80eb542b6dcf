//! Captured folders as users have them: what used to fail in the first minute.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use marey::corpus::{AnnotationContent, Corpus};
use marey::motion::Role;

use crate::sandbox::Sandbox;

const WAY: &str = "x,z\n0,0\n0,2.4\n0.8,4.6\n2.4,6\n";

/// The least duration of a segment, in seconds.
const LEAST_SECS: f64 = 0.15;

/// A sandbox with a path, and the captured folder; `None` if there is none.
fn captured(name: &str, subfolder: &str) -> Option<(Sandbox, String)> {
    let folder = marey_capture::folder(subfolder)?;
    Some((Sandbox::new(name).with("way.csv", WAY), folder.to_str().unwrap().to_owned()))
}

fn open(sandbox: &Sandbox, name: &str) -> Corpus {
    Corpus::open_read_only(Path::new(&sandbox.path(name))).unwrap()
}

#[test]
fn walks_of_many_people_are_followed_together() {
    let Some((sandbox, cmu)) = captured("captured-walks", "cmu") else { return };
    let folders = ["walk_path", "uneven_terrain"].map(|name| format!("{cmu}/{name}"));
    let follow = ["follow", &folders[0], &folders[1], "way.csv", "-o", "out.bvh", "--corpus", "walks.marey"];
    let run = sandbox.ok(&follow);
    assert!(run.err.contains("40 takes and"), "{}", run.err);
    assert!(run.err.contains("follow/pace-assumed"), "{}", run.err);
    let corpus = open(&sandbox, "walks.marey");
    assert!(corpus.bodies().unwrap().len() > 5);
    let made = marey::inputs::take(&sandbox.path("out.bvh")).unwrap();
    assert!(made.first().skeleton().joint_of(Role::LeftFoot).is_some());
    let ends = made.first().root_positions().last().unwrap();
    assert!((ends.x - 2.4).abs() < 0.4 && (ends.z - 6.0).abs() < 0.4, "{ends}");
    // The points of a path that are seconds apart are not the steps.
    let longest = corpus.segments().unwrap().iter().map(|one| one.frames.len()).max().unwrap();
    assert!(longest <= 240, "{longest} frames");
}

#[test]
fn equal_bodies_are_one_and_runs_are_cut() {
    let Some((sandbox, bandai)) = captured("captured-bandai", "bandai") else { return };
    sandbox.ok(&["follow", &bandai, "way.csv", "-o", "out.bvh", "--corpus", "bandai.marey"]);
    let corpus = open(&sandbox, "bandai.marey");
    assert!(corpus.bodies().unwrap().len() <= 2, "{:?}", corpus.bodies().unwrap());
    for info in corpus.takes().unwrap() {
        let segments = corpus.segments_of(info.id).unwrap().len();
        assert!(segments > 0 || info.duration_secs() < LEAST_SECS, "{}: {segments} segments", info.name);
    }
}

#[test]
fn every_captured_take_is_cut_into_usable_segments() {
    let Some((sandbox, data)) = captured("captured-cuts", "") else { return };
    sandbox.ok(&["corpus", "new", "all.marey"]);
    let folders = ["cmu", "bandai"].map(|name| format!("{data}/{name}"));
    sandbox.ok(&["corpus", "add", "all.marey", &folders[0], &folders[1]]);
    sandbox.ok(&["corpus", "segment", "all.marey", "--by", "steps"]);
    let corpus = open(&sandbox, "all.marey");
    let (mut takes, mut whole) = (0, 0);
    for info in corpus.takes().unwrap() {
        let unusable = corpus.unusable(info.id).unwrap();
        let is_unusable = |frame: usize| unusable.iter().any(|range| range.contains(&frame));
        let mut cut = vec![false; info.frames];
        for segment in corpus.segments_of(info.id).unwrap() {
            let secs = segment.frames.len() as f64 / info.rate_hz;
            assert!(secs >= LEAST_SECS - 1e-6, "{}: a segment of {secs} s", info.name);
            assert!(!segment.frames.clone().any(is_unusable), "{}: {:?}", info.name, segment.frames);
            cut[segment.frames].iter_mut().for_each(|frame| *frame = true);
        }
        let usable = (0..info.frames).filter(|&frame| !is_unusable(frame)).count();
        if usable as f64 / info.rate_hz < 1.0 {
            continue;
        }
        // Running, turning on the spot, stairs, standing and starting are cut like steps.
        let share = cut.iter().filter(|frame| **frame).count() as f64 / usable as f64;
        assert!(share > 0.5, "{}: {share:.2} of the usable time is cut", info.name);
        takes += 1;
        whole += usize::from(share > 0.85);
    }
    assert!(takes > 200 && whole * 100 >= takes * 95, "{whole} of {takes} takes are cut as a whole");
}

#[test]
fn wrong_rates_are_reported_and_fixed() {
    let Some((sandbox, salsa)) = captured("captured-rates", "cmu/salsa_60_61") else { return };
    for (corpus, more, rate_hz) in
        [("as-written.marey", &[][..], 120.0), ("fixed.marey", &["--fix-rate"], 60.0)]
    {
        sandbox.ok(&["corpus", "new", corpus]);
        let pairs = ["--pair", "leader=60_{i}.bvh", "--pair", "follower=61_{i}.bvh"];
        let run = sandbox.ok(&[&["corpus", "add", corpus, &salsa][..], &pairs, more].concat());
        let code = if more.is_empty() { "conventions/rate-doubtful" } else { "conventions/rate-corrected" };
        assert!(run.err.contains(code), "{}", run.err);
        let corpus = open(&sandbox, corpus);
        let rates: BTreeSet<u64> =
            corpus.takes().unwrap().iter().map(|info| info.rate_hz.round() as u64).collect();
        assert!(rates.contains(&(rate_hz as u64)), "{rates:?}");
    }
}

#[test]
fn wrong_rates_of_a_folder_are_fixed_by_the_verb() {
    let Some((sandbox, salsa)) = captured("captured-folder-rates", "cmu/salsa_60_61") else { return };
    // Other files for each verb, because what was found in a file is reported once.
    let [leaders, followers] = ["60_*.bvh", "61_*.bvh"].map(|pattern| format!("{salsa}/{pattern}"));
    let verbs: [&[&str]; 2] = [
        &["follow", &leaders, "way.csv", "-o", "follow.bvh", "--corpus", "follow.marey"],
        &["wander", &followers, "-o", "wander.bvh", "--secs", "2", "--corpus", "wander.marey"],
    ];
    for verb in verbs {
        let run = sandbox.ok(&[verb, &["--fix-rate"]].concat());
        assert!(run.err.contains("conventions/rate-corrected"), "{}", run.err);
        let corpus = open(&sandbox, verb.last().unwrap());
        assert!(corpus.takes().unwrap().iter().any(|info| info.rate_hz.round() == 60.0));
        let as_written = sandbox.ok(&[verb, &["--force"]].concat());
        assert!(as_written.err.contains("conventions/rate-doubtful"), "{}", as_written.err);
    }
}

#[test]
fn steps_are_within_one_of_a_count_by_eye() {
    let Some((sandbox, data)) = captured("captured-steps", "") else { return };
    let table =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../xtask/bench/annotations/captured_steps.csv");
    let table = fs::read_to_string(table).unwrap();
    let lines = table.lines().filter(|line| line.contains(".bvh,"));
    let counts: Vec<(&str, usize)> = lines
        .map(|line| line.split_once(',').unwrap())
        .map(|(file, steps)| (file, steps.parse().unwrap()))
        .collect();
    let files: Vec<String> = counts.iter().map(|(file, _)| format!("{data}/{file}")).collect();
    let standing = format!("{data}/cmu/swim/126_10.bvh");
    sandbox.ok(&["corpus", "new", "c.marey"]);
    let add = ["corpus", "add", "c.marey", &standing].into_iter().chain(files.iter().map(String::as_str));
    sandbox.ok(&add.collect::<Vec<_>>());
    sandbox.ok(&["corpus", "segment", "c.marey", "--by", "steps"]);
    let corpus = open(&sandbox, "c.marey");
    let steps = |file: &str| {
        let take = corpus.find(Path::new(file).file_stem().unwrap().to_str().unwrap()).unwrap();
        let is_step = |what: &AnnotationContent| matches!(what, AnnotationContent::Marker(marker) if marker.name.starts_with("step "));
        let found = corpus.annotations(take).unwrap().iter().filter(|one| is_step(&one.what)).count();
        (found, corpus.segments_of(take).unwrap())
    };
    let near = counts.iter().filter(|(file, count)| steps(file).0.abs_diff(*count) <= 1).count();
    assert!(counts.len() > 30 && near * 100 >= counts.len() * 95, "{near} of {}", counts.len());
    // Starting is cut too: the first segment begins with the take, unless frames there are unusable.
    for (file, _) in &counts {
        let (_, segments) = steps(file);
        let unusable = corpus.unusable(segments[0].take).unwrap();
        let first = segments[0].frames.start;
        assert!(first <= 30 || unusable.iter().any(|range| range.start < first), "{file}: {first}");
    }
    // So is one who hardly takes a step.
    let (found, segments) = steps(&standing);
    assert!(found <= 1 && segments.len() >= 6, "{found} steps, {} segments", segments.len());
}

#[test]
fn pairs_of_files_have_roles_and_a_held_out_leader_gets_a_follower() {
    let Some((sandbox, salsa)) = captured("captured-pairs", "cmu/salsa_60_61") else { return };
    fs::create_dir_all(sandbox.path("salsa")).unwrap();
    let mut trials = BTreeSet::new();
    for file in marey_capture::files(Path::new(&salsa), "bvh") {
        let name = file.file_name().unwrap().to_str().unwrap();
        trials.insert(name[3..5].to_owned());
        fs::copy(&file, sandbox.path(&format!("salsa/{name}"))).unwrap();
    }
    let held_out = trials.pop_last().unwrap();
    fs::rename(sandbox.path(&format!("salsa/60_{held_out}.bvh")), sandbox.path("leader.bvh")).unwrap();
    // Its partner is left over, and named.
    let named = ["--pair", "leader=60_{i}.bvh", "--pair", "follower=61_{i}.bvh"];
    let follow = ["follow", "salsa", "leader.bvh", "--corpus", "salsa.marey", "-o", "pair.bvh"];
    let run = sandbox.ok(&[&follow[..], &["--control", "actor:leader", "--cut", "beats"], &named].concat());
    assert!(run.err.contains(&format!("61_{held_out}")), "{}", run.err);
    let pair = marey::inputs::take(&sandbox.path("pair.bvh")).unwrap();
    let names: Vec<&str> = pair.actors().iter().map(|actor| actor.name.as_str()).collect();
    assert_eq!(names, ["leader", "follower"]);
    let corpus = open(&sandbox, "salsa.marey");
    let roles = |info: &marey::corpus::TakeInfo| info.actors.iter().map(|actor| actor.name.clone()).collect();
    let all: BTreeSet<Vec<String>> = corpus.takes().unwrap().iter().map(roles).collect();
    assert_eq!(all, BTreeSet::from([vec!["leader".to_owned(), "follower".to_owned()]]));
    drop(corpus);
    // The other way to write it names actors after their files; a position is then enough.
    sandbox.ok(&["corpus", "new", "by-file.marey"]);
    let add = ["corpus", "add", "by-file.marey", "salsa", "--pair", "60_{i}.bvh=61_{i}.bvh"];
    let run = sandbox.run(&add);
    assert!(run.err.contains(&format!("61_{held_out}")), "{}", run.err);
    sandbox.ok(&["corpus", "segment", "by-file.marey", "--by", "beats"]);
    let follow = ["follow", "by-file.marey", "leader.bvh", "-o", "other.bvh", "--control", "actor:1"];
    sandbox.ok(&follow);
}
