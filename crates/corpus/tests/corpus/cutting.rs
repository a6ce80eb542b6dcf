//! SegmentCounts by a method, summing up and clusters, on generated walks.

use std::collections::BTreeSet;

use marey_corpus::{
    Annotation, AnnotationContent, ClusterMethod, ClusterSettings, ContactInterval, ContactTarget, Corpus,
    CutMethod, DetectedCuts, Maker, Provenance, Span, TakeId,
};
use marey_motion::{Coded, Observer, Role};
use marey_ops::reduction::grouping;

use crate::support::{Folder, couple, walking};

/// A corpus of walks, cut into steps.
fn walks(folder: &Folder, seeds: std::ops::Range<u64>) -> Corpus {
    let mut corpus = Corpus::create(&folder.path("a.marey")).unwrap();
    for seed in seeds {
        let take = walking(seed, 20.0);
        let id = corpus.add(&take, &Provenance::default()).unwrap().id();
        corpus.store_cuts(id, &DetectedCuts::of(&take, CutMethod::Steps).unwrap()).unwrap();
        corpus.summarise(id).unwrap();
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
    let is_step = |name: &str| ["LeftFoot", "RightFoot"].contains(&name);
    assert!(segments.iter().filter(|segment| is_step(&segment.name)).count() > 10);
    // What lies before the first step, and long stands, are cut too.
    assert!(
        segments
            .iter()
            .all(|segment| is_step(&segment.name) || ["start", "part"].contains(&segment.name.as_str()))
    );
    let said = corpus.annotations(take).unwrap();
    let markers = said.iter().filter(|one| matches!(one.what, AnnotationContent::Marker(_))).count();
    assert_eq!(markers, segments.len() + 1);
    let summaries = corpus.summaries_of(take).unwrap();
    assert_eq!(summaries.len(), segments.len());
    // A step comes down at its start, and goes somewhere.
    let steps = segments.iter().zip(&summaries).filter(|(segment, _)| is_step(&segment.name));
    assert!(steps.map(|(_, one)| one).all(|one| one.steps >= 1 && !one.start_feet.is_empty()));
    assert!(summaries.iter().filter(|one| (0.3..2.5).contains(&one.speed_mps)).count() > summaries.len() / 2);

    // The same again changes nothing; another method has pieces of its own.
    let found = DetectedCuts::of(&corpus.take(take).unwrap(), CutMethod::Steps).unwrap();
    let again = corpus.store_cuts(take, &found).unwrap();
    assert_eq!((again.new, again.removed, again.cuts), (0, 0, found.cuts(0).len()));
    let found = DetectedCuts::of(&corpus.take(take).unwrap(), CutMethod::Instants).unwrap();
    assert!(corpus.store_cuts(take, &found).unwrap().new > 0);
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
    let told = ContactInterval {
        start: first.frames.start,
        end: first.frames.end - 1,
        actor: 0,
        role: first.role,
        on: ContactTarget::Floor,
    };
    corpus
        .annotate(&[Annotation {
            take,
            what: AnnotationContent::Contact(told.clone()),
            maker: Maker::Person,
        }])
        .unwrap();
    let found = DetectedCuts::of(&corpus.take(take).unwrap(), CutMethod::Steps).unwrap();
    corpus.store_cuts(take, &found).unwrap();
    let said = corpus.annotations(take).unwrap();
    let by_person: Vec<_> = said.iter().filter(|one| one.maker == Maker::Person).collect();
    assert_eq!(by_person.len(), 1);
    assert_eq!(by_person[0].what, AnnotationContent::Contact(told));
    assert_eq!(corpus.floor_contacts(take, 0).unwrap().all().len(), before.all().len());
}

#[test]
fn a_figure_without_feet_has_no_steps() {
    let found = DetectedCuts::of(&couple("two", 1, 50), CutMethod::Steps).unwrap();
    assert!(found.cuts(0).is_empty() && found.cuts(1).is_empty() && found.cuts(2).is_empty());
}

#[test]
fn clusters_hold_like_segments_and_go_when_segments_change() {
    let folder = Folder::new("clusters");
    let mut corpus = walks(&folder, 1..4);
    let by = ClusterMethod::Linkage { threshold_m: 0.15, cloud: Default::default() };
    let settings = ClusterSettings { by, ..ClusterSettings::default() };
    let (clusters, report) = corpus.cluster(&settings, Observer::ignore()).unwrap();
    assert!(report.warnings().is_empty());
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
    assert_eq!(corpus.cluster(&nobody, Observer::ignore()).unwrap_err().code().id, "corpus/no-segment");
    let whole = Span { start: 0, end: 9, actor: None, name: "all".into() };
    corpus.cut(TakeId(1), &[whole], &Maker::Person).unwrap();
    assert_eq!(corpus.clusters().unwrap(), []);
}

#[test]
fn groups_keep_to_their_radius_and_are_apart() {
    let folder = Folder::new("groups");
    let mut corpus = walks(&folder, 1..4);
    // Only from step to step: how a walk starts and ends is like the steps of either foot.
    for take in corpus.takes().unwrap() {
        let mut segments = corpus.segments_of(take.id).unwrap();
        segments.retain(|segment| segment.name.ends_with("Foot"));
        let steps: Vec<Span> = segments
            .windows(2)
            .filter(|pair| pair[0].frames.end == pair[1].frames.start)
            .map(|pair| Span {
                start: pair[0].frames.start,
                end: pair[0].frames.end,
                actor: pair[0].actor,
                name: pair[0].name.clone(),
            })
            .collect();
        corpus.cut(take.id, &steps, &Maker::method("steps")).unwrap();
    }
    let settings = |most_radius_m, least_spacing_m| {
        let groups = grouping::GroupingSettings { most_radius_m, least_spacing_m, ..Default::default() };
        let by = ClusterMethod::Means { groups, warp: 0.25 };
        ClusterSettings { by, ..ClusterSettings::default() }
    };
    let (clusters, report) = corpus.cluster(&settings(0.15, 0.02), Observer::ignore()).unwrap();
    assert!(report.warnings().is_empty());
    let count = clusters.iter().filter(|one| one.representative).count();
    assert!(count > 1 && count < clusters.len() / 2, "{count} clusters of {}", clusters.len());
    assert_eq!(clusters.iter().map(|one| one.cluster).max(), Some(count - 1));
    // The left and the right foot's steps are not alike.
    let segments = corpus.segments().unwrap();
    let names = |cluster: usize| -> BTreeSet<&str> {
        let own = segments.iter().zip(&clusters).filter(|(_, one)| one.cluster == cluster);
        own.map(|(segment, _)| segment.name.as_str()).collect()
    };
    let mixed = (0..count).filter(|cluster| names(*cluster).len() > 1).count();
    assert!(mixed * 4 <= count, "{mixed} of {count} clusters have steps of both feet");
    // Two rules that cannot both hold: the radius does, and the report says that the other does not.
    let (torn, report) = corpus.cluster(&settings(0.02, 1.0), Observer::ignore()).unwrap();
    assert_eq!(report.codes(), ["corpus/spacing"]);
    assert!(torn.iter().filter(|one| one.representative).count() > count);
    let feetless = corpus.add(&couple("two", 1, 50), &Provenance::default()).unwrap().id();
    let whole = Span { start: 0, end: 50, actor: None, name: "all".into() };
    corpus.cut(feetless, &[whole], &Maker::Person).unwrap();
    assert_eq!(
        corpus.cluster(&settings(0.1, 0.05), Observer::ignore()).unwrap_err().code().id,
        "motion/missing-role"
    );
}

#[test]
fn redundant_pieces_are_left_out_and_stay_out() {
    let folder = Folder::new("redundant");
    let mut corpus = Corpus::create(&folder.path("a.marey")).unwrap();
    let takes: Vec<TakeId> =
        (1..4).map(|seed| corpus.add(&walking(seed, 20.0), &Provenance::default()).unwrap().id()).collect();
    let maker = CutMethod::Steps.maker();
    let mut counts = Vec::new();
    for (round, but) in [(0, &takes[..]), (1, &takes[..]), (2, &takes[2..])] {
        let mut redundancy = corpus.redundancy(&maker, but, 0.08).unwrap();
        for take in but {
            let whole = corpus.take(*take).unwrap();
            let mut found = DetectedCuts::of(&whole, CutMethod::Steps).unwrap();
            let before = found.spans_mut().len();
            let left_out = redundancy.sift(&whole, found.spans_mut()).unwrap();
            assert_eq!(found.spans_mut().len() + left_out, before);
            let cutting = corpus.store_cuts(*take, &found).unwrap();
            assert_eq!(cutting.cuts, found.cuts(0).len());
            // The same again changes nothing, whether all takes are cut anew or one.
            assert!(round == 0 || (cutting.new, cutting.removed) == (0, 0), "round {round}: {cutting:?}");
        }
        counts.push(corpus.segments().unwrap().len());
    }
    assert!(counts[0] > 5 && counts[0] < 60, "{counts:?}");
    assert!(corpus.redundancy(&maker, &[], 1000.0).unwrap().sift(&walking(1, 6.0), &mut vec![]).is_ok());
    let mut spans = vec![Span { start: 0, end: 9, actor: None, name: "a".into() }];
    let refused = corpus.redundancy(&maker, &[], -1.0).unwrap().sift(&walking(1, 6.0), &mut spans);
    assert_eq!(refused.unwrap_err().code().id, "ops/setting");
}
