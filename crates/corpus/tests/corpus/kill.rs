//! A process that is killed at any instant has lost nothing that it said was done.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::time::Duration;

use marey_corpus::{AnnotationContent, Corpus, Maker, Span};

use crate::child::{frames, spans, start};
use crate::support::{Folder, farthest_m, little};

const KILLS: usize = 120;
/// Kills for each file: a larger file takes longer to check.
const KILLS_A_FILE: usize = 40;

/// Numbers that look random, the same each time (splitmix64).
fn dice(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *seed;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[test]
fn every_acknowledged_change_survives_a_kill_at_any_instant() {
    let folder = Folder::new("kill");
    let mut seed = 4;
    let (mut kills, mut changes) = (0, 0);
    for file in 0..KILLS / KILLS_A_FILE {
        let path = folder.path(&format!("{file}.marey"));
        drop(Corpus::create(&path).unwrap());
        let mut acknowledged = BTreeSet::new();
        for _ in 0..KILLS_A_FILE {
            let after = Duration::from_micros(dice(&mut seed) % 25_000);
            acknowledged.extend(kill_after(&path, after));
            kills += 1;
            verify(&path, &acknowledged);
        }
        changes += acknowledged.len();
    }
    println!("{kills} kills, {changes} acknowledged changes, none lost");
    assert!(kills == KILLS && changes > kills, "the instants must fall into work: {changes} changes");
}

/// Starts a worker, kills it so long after its first word, and gives what it said.
fn kill_after(path: &Path, after: Duration) -> Vec<String> {
    let mut worker = start("worker", path);
    let mut lines = BufReader::new(worker.stdout.take().unwrap()).lines();
    let first = lines.by_ref().map(Result::unwrap).find(|line| line.starts_with("said: "));
    std::thread::sleep(after);
    // SIGKILL, on Unix.
    worker.kill().unwrap();
    // A last line may be cut: it was not said.
    let rest = lines.map_while(Result::ok).filter(|line| line.starts_with("said: "));
    let said: Vec<String> = first.into_iter().chain(rest).collect();
    worker.wait().unwrap();
    said.into_iter().filter_map(|line| Some(line.strip_prefix("said: ")?.to_owned())).collect()
}

fn verify(path: &Path, acknowledged: &BTreeSet<String>) {
    let corpus = Corpus::open(path).unwrap();
    let found = corpus.check().unwrap();
    assert_eq!(found.faults, [""; 0]);
    let takes = corpus.takes().unwrap();
    for line in acknowledged {
        let (_, number) = line.split_once(' ').unwrap();
        assert!(takes.iter().any(|take| take.name == format!("t{number}")), "{line} is lost");
    }
    for (i, take) in takes.iter().enumerate() {
        assert_eq!((&take.name, take.frames), (&format!("t{i}"), frames(i)));
        // A cut and a pair of labels are there whole or not at all, and there where they were acknowledged.
        let cut: Vec<Span> = corpus
            .segments_of(take.id)
            .unwrap()
            .into_iter()
            .map(|segment| {
                assert_eq!(segment.maker, Maker::method("dice"));
                Span {
                    start: segment.frames.start,
                    end: segment.frames.end,
                    actor: segment.actor,
                    name: segment.name,
                }
            })
            .collect();
        let is_cut = cut == spans(i);
        assert!(is_cut || (cut.is_empty() && !acknowledged.contains(&format!("cut {i}"))), "{i}: {cut:?}");
        let labels = corpus.annotations(take.id).unwrap();
        let right = |said: &AnnotationContent| matches!(said, AnnotationContent::Label { value, .. } if *value == i.to_string());
        let is_labelled = labels.len() == 2 && labels.iter().all(|label| right(&label.what));
        assert!(
            is_labelled || (labels.is_empty() && !acknowledged.contains(&format!("label {i}"))),
            "{i}: {labels:?}"
        );
    }
    if let Some((i, last)) = takes.iter().enumerate().next_back() {
        let wanted = little("", i as u64, frames(i));
        assert!(farthest_m(&wanted, &corpus.take(last.id).unwrap()) <= 1e-4);
    }
}
