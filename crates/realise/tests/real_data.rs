//! Captured walks, cut at steps and joined again. Skipped if no motion capture is available.
#![expect(clippy::print_stderr, reason = "the table is what the test is for, and a skipped test says so")]

mod support;

use std::collections::BTreeMap;
use std::path::Path;

use marey_capture::{Half, files_of_half};
use marey_formats::ReadOptions;
use marey_measure::contact_slide::contact_slide;
use marey_measure::jolt::{jolts, percentile_mps2};
use marey_ops::contacts::{self, detect};
use marey_ops::gait::{self, steps};
use marey_plan::{Plan, Seed, SourceRef};
use marey_realise::join::JoinMethod;
use marey_realise::{PlacementChain, RealiseSettings, SourceClip, realise};
use rand::RngExt;
use support::Map;

/// The share of the contact time that planting must keep, although steps follow each other whichever foot comes down. On
/// the tuning half, planting keeps 0.94 to 0.96.
const MIN_CONTACT_KEPT: f64 = 0.85;
/// The mean speed at which kept contacts may slide. On the tuning half, they slide by up to 0.014 cm/s; the feet of the
/// recordings by 14 cm/s.
const MAX_PLANTED_SLIDE_CM_PER_SEC: f64 = 0.05;

/// The walks of each person in one half of the captured takes, with the frames of their steps.
fn walks(folder: &Path, half: Half) -> Vec<(String, Map, BTreeMap<SourceRef, Vec<usize>>)> {
    let mut people: Vec<(String, Map, BTreeMap<SourceRef, Vec<usize>>)> = Vec::new();
    for file in files_of_half(folder, "bvh", half) {
        let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
        let Some((person, _)) = name.split_once('_') else { continue };
        let Ok(import) =
            marey_formats::read(&std::fs::read(&file).unwrap(), Some("bvh"), &ReadOptions::default())
        else {
            continue;
        };
        // The first frame of these files is a calibration pose.
        let clip = import.take().unwrap().first().clone();
        let clip = clip.slice(1..clip.frames()).unwrap();
        let found = detect(&clip, &contacts::ContactSettings::default()).unwrap();
        let rate_hz = clip.rate_hz();
        let cuts: Vec<usize> = steps(&found.contacts, rate_hz, &gait::GaitSettings::default())
            .unwrap()
            .iter()
            .map(|step| step.frame)
            .collect();
        if cuts.len() < 3 {
            continue;
        }
        let source = SourceRef { take: name.clone(), actor: 0 };
        let clip = clip.lifted(-found.floor.height_m).unwrap();
        let example = SourceClip { clip, contacts: found.contacts, holds: vec![] };
        if people.last().is_none_or(|(last, ..)| last != person) {
            people.push((person.to_owned(), Map::new(), BTreeMap::new()));
        }
        let (_, map, steps) = people.last_mut().unwrap();
        let same = map.values().next().is_none_or(|first| first.clip.skeleton() == example.clip.skeleton());
        if same {
            map.insert(source.clone(), example);
            steps.insert(source, cuts);
        }
    }
    people.retain(|(_, map, _)| map.len() >= 2);
    people
}

/// Random steps of random walks, whichever foot comes down.
fn shuffled(map: &Map, cuts: &BTreeMap<SourceRef, Vec<usize>>, seed: u64) -> Plan {
    let mut rng = Seed(seed).rng(0);
    let sources: Vec<&SourceRef> = cuts.keys().collect();
    let mut chain = PlacementChain::new(map);
    for _ in 0..12 {
        let source = sources[rng.random_range(0..sources.len())];
        let cuts = &cuts[source];
        let first = rng.random_range(0..cuts.len() - 1);
        let last = (first + rng.random_range(1..3)).min(cuts.len() - 1);
        let span = cuts[first]..cuts[last];
        let frames = span.len();
        chain.add(source, span, frames).unwrap();
    }
    chain.plan("walker", map[sources[0]].clip.rate_hz())
}

#[test]
fn real_data_captured_walks_cut_at_steps_and_joined_stand_and_do_not_jump() {
    let Some(folder) = marey_capture::folder("cmu/walk_path") else { return };
    for half in [Half::Tuning, Half::Report] {
        let people = walks(&folder, half);
        assert!(people.len() >= 2, "{half} half: {} people", people.len());
        eprintln!(
            "{half} half\nperson  walks  slide cm/s: examples, joined, planted  contact kept  99.9 % of m/s²: examples, cut, joined, planted"
        );
        for (person, map, cuts) in &people {
            check_person(person, map, cuts);
        }
    }
}

/// Realises shuffled walks of one person, and compares their feet and accelerations with those of the recordings.
fn check_person(person: &str, map: &Map, cuts: &BTreeMap<SourceRef, Vec<usize>>) {
    let own: Vec<_> = map.values().map(|example| jolts(&example.clip)).collect();
    let examples =
        map.values().map(|example| contact_slide(&example.clip, &example.contacts).cm_per_sec).sum::<f64>()
            / map.len() as f64;
    let joined = RealiseSettings { plant: None, ..RealiseSettings::default() };
    let mut cut = joined;
    cut.join.method = JoinMethod::None;
    let mut slid = [0.0; 3];
    let mut contact_secs = [0.0; 3];
    let mut sudden = [Vec::new(), Vec::new(), Vec::new()];
    let plans = 4;
    for seed in 0..plans {
        let plan = shuffled(map, cuts, seed);
        for (i, settings) in [cut, joined, RealiseSettings::default()].iter().enumerate() {
            let realised = realise(&plan, map, settings).unwrap();
            let clip = realised.take.first();
            let slide = contact_slide(clip, &realised.contacts[0]);
            slid[i] += slide.cm_per_sec / plans as f64;
            contact_secs[i] += slide.contact_secs;
            sudden[i].push(jolts(clip));
        }
    }
    let usual = percentile_mps2(&own, 0.999);
    let kept = contact_secs[2] / contact_secs[1];
    let level = sudden.map(|jolts| percentile_mps2(&jolts, 0.999));
    eprintln!(
        "{person:>6} {:>6} {examples:>21.2} {:>7.2} {:>8.3} {kept:>13.2} {usual:>26.0} {:>4.0} {:>7.0} {:>8.0}",
        map.len(),
        slid[1],
        slid[2],
        level[0],
        level[1],
        level[2],
    );
    assert!(slid[2] < MAX_PLANTED_SLIDE_CM_PER_SEC, "{person}: {} cm/s", slid[2]);
    assert!(kept > MIN_CONTACT_KEPT, "{person}: {kept} of the contact time is kept");
    // The result is about as smooth as the recordings, and planting adds no accelerations to the joins.
    assert!(level[2] < 1.25 * usual, "{person}: {} m/s², examples {usual}", level[2]);
    assert!(level[2] < 1.02 * level[1], "{person}: {} m/s², joined {}", level[2], level[1]);
}
