//! Moments like a moment: found as by looking at all, whether the index was just made or is read from the file as it is needed.

use std::ops::Range;

use marey_corpus::{Corpus, Moment, Moments, Provenance, TakeId};
use marey_motion::Coded;
use marey_ops::features::{DIMS, FeatureScale, FeatureSettings, features};
use proptest::prelude::*;
use rusqlite::Connection;

use crate::support::{Folder, couple, walking};

/// A corpus of walks.
fn walks(folder: &Folder, seeds: Range<u64>) -> Corpus {
    let mut corpus = Corpus::create(&folder.path("a.marey")).unwrap();
    for seed in seeds {
        corpus.add(&walking(seed, 20.0), &Provenance::default()).unwrap();
    }
    corpus
}

/// The parts of the index that the file stores, by name, with the rowid of their first array: it changes if a part is made again.
fn stored_parts(folder: &Folder) -> Vec<(String, i64)> {
    let connection = Connection::open(folder.path("a.marey")).unwrap();
    let sql = "SELECT substr(kind, 6, 32) AS name, min(rowid) FROM derived WHERE kind LIKE 'part %' GROUP BY name ORDER BY name";
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    rows.map(Result::unwrap).collect()
}

#[test]
fn adding_a_take_indexes_only_that_take() {
    let folder = Folder::new("incremental");
    let mut corpus = walks(&folder, 1..5);
    let query = corpus.moments().unwrap();
    let query = query.features(Moment { take: TakeId(3), actor: 0, frame: 40 }).unwrap().to_vec();
    let first = stored_parts(&folder);
    assert_eq!(first.len(), 1);
    corpus.add(&walking(5, 20.0), &Provenance::default()).unwrap();
    corpus.add(&walking(6, 6.0), &Provenance::default()).unwrap();
    assert_eq!(stored_parts(&folder), first, "a take that comes deletes nothing");
    let moments = corpus.moments().unwrap();
    let second = stored_parts(&folder);
    assert!(second.len() == 3 && second.contains(&first[0]), "{first:?}, {second:?}");
    // The scale is that of the first four takes.
    let all = All::scaled_by(&corpus, 4);
    let whole = 0..moments.len();
    let slow = all.nearest(&query, 60, std::slice::from_ref(&whole));
    assert_eq!(found(&moments, &query, 60, None), slow);
    let kept = Corpus::open_read_only(&folder.path("a.marey")).unwrap().moments().unwrap();
    assert_eq!(found(&kept, &query, 60, None), slow);
    assert!(slow.iter().any(|(moment, _)| moment.take >= TakeId(5)), "the new takes are searched too");
    // A corpus that gets the same takes at once gives the same answers.
    drop((kept, moments, corpus));
    let other = Folder::new("incremental-at-once");
    let mut at_once = walks(&other, 1..6);
    at_once.add(&walking(6, 6.0), &Provenance::default()).unwrap();
    assert_eq!(found(&at_once.moments().unwrap(), &query, 60, None), slow);
    // With twice the moments, all are scaled anew.
    for seed in 7..11 {
        at_once.add(&walking(seed, 20.0), &Provenance::default()).unwrap();
        at_once.moments().unwrap();
    }
    let third = stored_parts(&other);
    assert!(third.len() < 4 && third.iter().all(|part| !second.contains(part)), "{second:?}, {third:?}");
    assert_eq!(at_once.check().unwrap().faults, [""; 0]);
}

/// The obvious way: features of every frame, each looked at.
struct All {
    table: Vec<f32>,
    moments: Vec<Moment>,
}

impl All {
    /// Features that the first takes set the scale of.
    fn scaled_by(corpus: &Corpus, takes: usize) -> Self {
        let mut all = Self { table: Vec::new(), moments: Vec::new() };
        let mut scaled = 0;
        for (number, take) in corpus.takes().unwrap().into_iter().enumerate() {
            let clip = corpus.take(take.id).unwrap().first().clone();
            all.table.extend(features(&clip, &FeatureSettings::default()).unwrap());
            all.moments.extend((0..take.frames).map(|frame| Moment { take: take.id, actor: 0, frame }));
            scaled = if number < takes { all.table.len() } else { scaled };
        }
        let scale = FeatureScale::fit(&all.table[..scaled], &FeatureSettings::default()).unwrap();
        scale.apply(&mut all.table);
        all
    }

    fn row(&self, row: usize) -> &[f32] {
        &self.table[row * DIMS..][..DIMS]
    }

    fn nearest(&self, query: &[f32], count: usize, passing: &[Range<usize>]) -> Vec<(Moment, f32)> {
        let squared =
            |row: usize| self.row(row).iter().zip(query).fold(0.0, |sum, (a, b)| sum + (a - b) * (a - b));
        let mut rows: Vec<usize> = passing.iter().cloned().flatten().collect();
        rows.sort_by(|a, b| squared(*a).total_cmp(&squared(*b)).then(a.cmp(b)));
        rows.truncate(count);
        rows.into_iter().map(|row| (self.moments[row], squared(row).sqrt())).collect()
    }
}

fn found(
    moments: &Moments,
    query: &[f32],
    count: usize,
    passing: Option<&[Range<usize>]>,
) -> Vec<(Moment, f32)> {
    let found = moments.nearest(query, count, passing, |_| 1, &[]).unwrap();
    found.iter().map(|found| (found.moment, found.distance)).collect()
}

#[test]
fn what_is_read_as_it_is_needed_finds_what_looking_at_all_finds() {
    let folder = Folder::new("lazy");
    let corpus = walks(&folder, 1..5);
    let all = All::scaled_by(&corpus, 4);
    let made = corpus.moments().unwrap();
    let rows = all.moments.len();
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(24));
    let strategy =
        (0..rows, -0.5f32..0.5, 1usize..6, proptest::collection::vec((0..rows, 1usize..400), 0..4));
    let outcome = runner.run(&strategy, |(like, off, count, passing)| {
        // Opened anew each time, so that nothing was read before.
        let kept = Corpus::open_read_only(&folder.path("a.marey")).unwrap().moments().unwrap();
        let query: Vec<f32> =
            all.row(like).iter().enumerate().map(|(i, v)| v + off * (i as f32).sin()).collect();
        let everything = 0..rows;
        let mut ranges: Vec<Range<usize>> =
            passing.iter().map(|(start, len)| *start..(start + len).min(rows)).collect();
        ranges.sort_by_key(|range| range.start);
        let mut end = 0;
        for range in &mut ranges {
            range.start = range.start.max(end);
            end = end.max(range.end);
        }
        ranges.retain(|range| !range.is_empty());
        for passing in [None, Some(ranges.as_slice())] {
            let slow = all.nearest(&query, count, passing.unwrap_or(std::slice::from_ref(&everything)));
            prop_assert_eq!(found(&kept, &query, count, passing), slow.clone());
            prop_assert_eq!(found(&made, &query, count, passing), slow);
        }
        let moment = all.moments[like];
        prop_assert_eq!(kept.features(moment).unwrap(), all.row(like));
        prop_assert_eq!(kept.gait(moment).unwrap(), made.gait(moment).unwrap());
        Ok(())
    });
    outcome.unwrap();
}

#[test]
fn moments_are_kept_apart_and_made_anew_when_takes_come() {
    let folder = Folder::new("moments");
    let mut corpus = walks(&folder, 1..4);
    let moments = corpus.moments().unwrap();
    let here = Moment { take: TakeId(2), actor: 0, frame: 123 };
    let query = moments.features(here).unwrap();
    let apart = moments.nearest(query, 5, None, |_| 15, &[here]).unwrap();
    assert_eq!(apart.len(), 5);
    let near = |a: Moment, b: Moment| a.take == b.take && a.frame.abs_diff(b.frame) < 15;
    for (i, a) in apart.iter().enumerate() {
        assert!(!near(a.moment, here));
        assert!(apart[..i].iter().all(|b| !near(a.moment, b.moment) && b.distance <= a.distance));
    }
    let fast = moments.rows_where(|_, gait| gait.speed_mps > 0.5).unwrap();
    let rows: usize = fast.iter().map(|range| range.len()).sum();
    assert!(rows > moments.len() / 2 && rows < moments.len());

    // Who has moments keeps them as they were; who asks again gets others.
    let kept = Corpus::open_read_only(&folder.path("a.marey")).unwrap().moments().unwrap();
    corpus.add(&walking(9, 6.0), &Provenance::default()).unwrap();
    assert_eq!(kept.nearest(query, 5, None, |_| 15, &[here]).unwrap(), apart);
    assert_eq!(kept.rows_where(|_, gait| gait.speed_mps > 0.5).unwrap(), fast);
    drop(kept);
    assert!(corpus.moments().unwrap().len() > moments.len());
    assert_eq!(corpus.check().unwrap().faults, [""; 0]);
    let nobody = Moment { take: TakeId(1), actor: 3, frame: 0 };
    for code in [moments.features(nobody).map(drop), moments.gait(nobody).map(drop)] {
        assert_eq!(code.unwrap_err().code().id, "corpus/no-moments");
    }
    let mut feetless = Corpus::create(&folder.path("b.marey")).unwrap();
    feetless.add(&couple("two", 1, 50), &Provenance::default()).unwrap();
    assert_eq!(feetless.moments().unwrap_err().code().id, "corpus/no-moments");
}

#[test]
fn a_damaged_index_is_refused_and_named() {
    let folder = Folder::new("damaged-index");
    let path = folder.path("a.marey");
    walks(&folder, 1..2).moments().unwrap();
    // The checksum of the first is wrong; that of the second is right, but its numbers are not.
    for sql in [
        "UPDATE derived SET bytes = zeroblob(length(bytes)) WHERE kind LIKE 'part % coordinates'",
        "UPDATE derived SET bytes = x'', crc = 0 WHERE kind LIKE 'part % rows'",
        "DELETE FROM derived WHERE kind LIKE 'part % order'",
        "DELETE FROM derived WHERE kind LIKE 'part % boxes'",
        "DELETE FROM derived WHERE kind LIKE 'part %'",
    ] {
        let copy = folder.path("copy.marey");
        std::fs::copy(&path, &copy).unwrap();
        Connection::open(&copy).unwrap().execute_batch(sql).unwrap();
        let query = [0.0; DIMS];
        let searched = Corpus::open(&copy)
            .unwrap()
            .moments()
            .and_then(|moments| moments.nearest(&query, 1, None, |_| 1, &[]));
        assert_eq!(searched.unwrap_err().code().id, "corpus/damaged", "{sql}");
        std::fs::remove_file(&copy).unwrap();
    }
}
