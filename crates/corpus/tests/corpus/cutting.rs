//! Cutting by a method, summing up, clusters and moments, on generated walks.

use marey_corpus::{
    Annotation, ClusterSettings, Corpus, CutMethod, FoundCuts, Maker, Moment, Provenance, Said, Span, TakeId,
    Touch, Touched,
};
use marey_motion::{Coded, Role};
use marey_ops::features::{DIMS, Scale, Settings, features};

use crate::support::{Folder, couple, walking};

/// A corpus of walks, cut into steps.
fn walks(folder: &Folder, seeds: std::ops::Range<u64>) -> Corpus {
    let mut corpus = Corpus::create(&folder.path("a.marey")).unwrap();
    for seed in seeds {
        let take = walking(seed, 20.0);
        let id = corpus.add(&take, &Provenance::default()).unwrap().id();
        corpus.put_cuts(id, &FoundCuts::of(&take, CutMethod::Steps).unwrap()).unwrap();
        corpus.sum_up(id).unwrap();
    }
    corpus
}

#[test]
fn a_walk_is_cut_into_steps_that_say_who_cut_them() {
    let folder = Folder::new("steps");
    let mut corpus = walks(&folder, 1..2);
    let take = corpus.takes().unwrap()[0].id;
    let segments = corpus.segments_of(take).unwrap();
    assert!(segments.len() > 10, "{} steps", segments.len());
    assert!(segments.iter().all(|segment| segment.maker == Maker::method("steps")));
    assert!(segments.windows(2).all(|pair| pair[0].frames.end == pair[1].frames.start));
    assert!(segments.iter().all(|segment| ["LeftFoot", "RightFoot"].contains(&segment.name.as_str())));
    let said = corpus.annotations(take).unwrap();
    let markers = said.iter().filter(|one| matches!(one.what, Said::Marker(_))).count();
    assert_eq!(markers, segments.len() + 1);
    assert!(corpus.floor_contacts(take, 0).unwrap().all().len() >= segments.len());
    let summaries = corpus.summaries_of(take).unwrap();
    assert_eq!(summaries.len(), segments.len());
    // A step that goes on comes down at its start, and goes somewhere.
    assert!(summaries.iter().all(|one| one.steps >= 1 && !one.start_feet.is_empty()));
    assert!(summaries.iter().filter(|one| (0.3..2.5).contains(&one.speed_mps)).count() > summaries.len() / 2);

    // The same again changes nothing; another method has pieces of its own.
    let found = FoundCuts::of(&corpus.take(take).unwrap(), CutMethod::Steps).unwrap();
    let again = corpus.put_cuts(take, &found).unwrap();
    assert_eq!((again.new, again.removed, again.cuts), (0, 0, found.cuts(0).len()));
    let found = FoundCuts::of(&corpus.take(take).unwrap(), CutMethod::Instants).unwrap();
    assert!(corpus.put_cuts(take, &found).unwrap().new > 0);
    assert!(segments.iter().all(|segment| corpus.segments_of(take).unwrap().contains(segment)));
    assert_eq!(corpus.check().unwrap().faults, [""; 0]);
}

#[test]
fn what_a_person_said_of_contacts_stands() {
    let folder = Folder::new("stands");
    let mut corpus = walks(&folder, 1..2);
    let take = corpus.takes().unwrap()[0].id;
    let before = corpus.floor_contacts(take, 0).unwrap();
    let first = before.all().iter().find(|contact| contact.role == Role::LeftFoot).unwrap().clone();
    let told = Touch {
        start: first.frames.start,
        end: first.frames.end - 1,
        actor: 0,
        role: first.role,
        on: Touched::Floor,
    };
    corpus.annotate(&[Annotation { take, what: Said::Contact(told.clone()), maker: Maker::Person }]).unwrap();
    let found = FoundCuts::of(&corpus.take(take).unwrap(), CutMethod::Steps).unwrap();
    corpus.put_cuts(take, &found).unwrap();
    let said = corpus.annotations(take).unwrap();
    let by_person: Vec<_> = said.iter().filter(|one| one.maker == Maker::Person).collect();
    assert_eq!(by_person.len(), 1);
    assert_eq!(by_person[0].what, Said::Contact(told));
    assert_eq!(corpus.floor_contacts(take, 0).unwrap().all().len(), before.all().len());
}

#[test]
fn a_figure_without_feet_has_no_steps() {
    let found = FoundCuts::of(&couple("two", 1, 50), CutMethod::Steps).unwrap();
    assert!(found.cuts(0).is_empty() && found.cuts(1).is_empty() && found.cuts(2).is_empty());
}

#[test]
fn clusters_hold_like_segments_and_go_when_segments_change() {
    let folder = Folder::new("clusters");
    let mut corpus = walks(&folder, 1..4);
    let settings = ClusterSettings { threshold_m: 0.15, ..ClusterSettings::default() };
    let clusters = corpus.cluster(&settings).unwrap();
    let count = clusters.iter().map(|one| one.cluster).max().unwrap() + 1;
    assert_eq!(clusters.len(), corpus.segments().unwrap().len());
    assert!(count > 1 && count < clusters.len() / 2, "{count} clusters of {}", clusters.len());
    for cluster in 0..count {
        assert_eq!(clusters.iter().filter(|one| one.cluster == cluster && one.representative).count(), 1);
    }
    let mut sorted = clusters.clone();
    sorted.sort_by_key(|one| one.segment);
    assert_eq!(corpus.clusters().unwrap(), sorted);
    let nobody = ClusterSettings { maker: Some(Maker::Person), ..settings };
    assert_eq!(corpus.cluster(&nobody).unwrap_err().code().id, "corpus/no-segment");
    let whole = Span { start: 0, end: 9, actor: None, name: "all".into() };
    corpus.cut(TakeId(1), &[whole], &Maker::Person).unwrap();
    assert_eq!(corpus.clusters().unwrap(), []);
}

#[test]
fn moments_are_found_as_by_looking_at_all_kept_and_made_anew() {
    let folder = Folder::new("moments");
    let mut corpus = walks(&folder, 1..4);
    let moments = corpus.moments().unwrap();
    // The obvious way.
    let mut table = Vec::new();
    let mut all = Vec::new();
    for take in corpus.takes().unwrap() {
        let clip = corpus.take(take.id).unwrap().first().clone();
        table.extend(features(&clip, &Settings::default()).unwrap());
        all.extend((0..take.frames).map(|frame| Moment { take: take.id, actor: 0, frame }));
    }
    Scale::fit(&table, &Settings::default()).unwrap().apply(&mut table);
    let row = |i: usize| &table[i * DIMS..][..DIMS];
    for wanted in [0, 123, 700] {
        let mut slow: Vec<(f32, usize)> = (0..all.len())
            .map(|i| (row(i).iter().zip(row(wanted)).fold(0.0, |sum, (a, b)| sum + (a - b) * (a - b)), i))
            .collect();
        slow.sort_by(|a, b| a.partial_cmp(b).unwrap());
        let query = moments.features(all[wanted]).unwrap();
        let fast = moments.nearest(query, 5, None, |_| 1, &[]).unwrap();
        let fast: Vec<Moment> = fast.iter().map(|found| found.moment).collect();
        assert_eq!(fast, slow[..5].iter().map(|(_, i)| all[*i]).collect::<Vec<_>>());
        // Apart from each other, and from the moment itself.
        let apart = moments.nearest(query, 5, None, |_| 15, &[all[wanted]]).unwrap();
        assert_eq!(apart.len(), 5);
        let near = |a: Moment, b: Moment| a.take == b.take && a.frame.abs_diff(b.frame) < 15;
        for (i, a) in apart.iter().enumerate() {
            assert!(!near(a.moment, all[wanted]));
            assert!(apart[..i].iter().all(|b| !near(a.moment, b.moment) && b.distance <= a.distance));
        }
    }
    // Kept, and read by who may not write.
    let read_only = Corpus::open_read_only(&folder.path("a.marey")).unwrap().moments().unwrap();
    assert_eq!(read_only.len(), moments.len());
    assert_eq!(read_only.features(all[5]).unwrap(), moments.features(all[5]).unwrap());
    let fast = moments.rows_where(|_, gait| gait.speed_mps > 0.5);
    let rows: usize = fast.iter().map(|range| range.len()).sum();
    assert!(rows > moments.len() / 2 && rows < moments.len());
    // Another take, and they are others.
    corpus.add(&walking(9, 6.0), &Provenance::default()).unwrap();
    assert!(corpus.moments().unwrap().len() > moments.len());
    assert_eq!(corpus.check().unwrap().faults, [""; 0]);
    let nobody = Moment { take: TakeId(1), actor: 3, frame: 0 };
    assert_eq!(moments.features(nobody).unwrap_err().code().id, "corpus/no-moments");
    let mut feetless = Corpus::create(&folder.path("b.marey")).unwrap();
    feetless.add(&couple("two", 1, 50), &Provenance::default()).unwrap();
    assert_eq!(feetless.moments().unwrap_err().code().id, "corpus/no-moments");
}
