//! Taking things out for good.

use marey_corpus::{
    Annotation, AnnotationContent, Corpus, CutMethod, DetectedCuts, Maker, Provenance, RemoveRequest,
    Removed, TakeId,
};
use marey_motion::{Coded, Tag};
use rusqlite::Connection;

use crate::support::{Folder, couple, walking};

/// Two walks that are cut, tagged and labelled, and a couple.
fn corpus(folder: &Folder) -> Corpus {
    let mut corpus = Corpus::create(&folder.path("a.marey")).unwrap();
    for seed in 1..3 {
        let walk = walking(seed, 10.0);
        let take = corpus.add(&walk, &Provenance::default()).unwrap().id();
        corpus.store_cuts(take, &DetectedCuts::of(&walk, CutMethod::Steps).unwrap()).unwrap();
        let segment = corpus.segments_of(take).unwrap()[0].id;
        let said = [
            AnnotationContent::Tag(Tag { start: 0, end: 9, name: "start".into() }),
            AnnotationContent::Tag(Tag { start: 9, end: 30, name: "middle".into() }),
            AnnotationContent::Label { key: "mood".into(), value: "gay".into() },
            AnnotationContent::SegmentLabel { segment, key: "first".into(), value: "yes".into() },
        ];
        let said = said.map(|what| Annotation { take, what, maker: Maker::Person });
        corpus.annotate(&said).unwrap();
    }
    corpus.add(&couple("two", 1, 50), &Provenance::default()).unwrap();
    corpus.moments().unwrap();
    corpus
}

fn rows(folder: &Folder, table: &str) -> i64 {
    let connection = Connection::open(folder.path("a.marey")).unwrap();
    connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
}

fn takes(names: &[&str]) -> RemoveRequest {
    RemoveRequest { takes: names.iter().map(|name| (*name).to_owned()).collect(), ..RemoveRequest::default() }
}

fn dry_run(request: &RemoveRequest) -> RemoveRequest {
    RemoveRequest { dry_run: true, ..request.clone() }
}

#[test]
fn a_take_goes_with_all_that_belongs_to_it_and_nothing_else() {
    let folder = Folder::new("remove-take");
    let mut corpus = corpus(&folder);
    let (first, second) = (TakeId(1), TakeId(2));
    let other = (corpus.annotations(second).unwrap(), corpus.segments_of(second).unwrap());
    let segments = corpus.segments_of(first).unwrap().len();
    let removal = takes(&["#1"]);
    let would = corpus.remove(&dry_run(&removal)).unwrap();
    assert_eq!((would.takes, would.segments, would.tags, would.labels), (1, segments, 2, 2));
    assert_eq!((corpus.takes().unwrap().len(), rows(&folder, "skeletons")), (3, 3));
    assert!(rows(&folder, "derived WHERE take IS NULL") > 0);
    assert_eq!(corpus.remove(&removal).unwrap(), would);
    assert_eq!(corpus.take(first).unwrap_err().code().id, "corpus/no-take");
    assert_eq!((corpus.annotations(second).unwrap(), corpus.segments_of(second).unwrap()), other);
    assert_eq!(rows(&folder, "derived WHERE take IS NULL OR take = 1"), 0);
    assert_eq!((rows(&folder, "chunks WHERE take = 1"), rows(&folder, "skeletons")), (0, 3));
    assert_eq!(corpus.check().unwrap().faults, [""; 0]);
    // Its number is not given again, and the same content can come back.
    let back = corpus.add(&walking(1, 10.0), &Provenance::default()).unwrap().id();
    assert_eq!((back, corpus.moments().unwrap().len()), (TakeId(4), 600));
    // A body that nobody has any more goes as well.
    corpus.remove(&takes(&["#2", "#4"])).unwrap();
    assert_eq!(rows(&folder, "skeletons"), 2);
}

#[test]
fn what_somebody_made_goes_everywhere_or_in_some_takes() {
    let folder = Folder::new("remove-made");
    let mut corpus = corpus(&folder);
    let steps = Maker::method("steps");
    let of = |corpus: &Corpus, take| corpus.segments_of(take).unwrap().len();
    let (first, second) = (TakeId(1), TakeId(2));
    let one = RemoveRequest { made_by: Some(steps.clone()), ..takes(&["#1"]) };
    let removed = corpus.remove(&one).unwrap();
    assert!(removed.segments > 4 && removed.markers == removed.segments + 1, "{removed:?}");
    // With a segment go its labels, whoever made them.
    assert_eq!((removed.labels, removed.tags, removed.contacts, removed.takes), (1, 0, 0, 0));
    assert!(of(&corpus, first) == 0 && of(&corpus, second) > 0);
    assert_eq!(corpus.remove(&one).unwrap_err().code().id, "corpus/nothing");
    corpus.remove(&RemoveRequest { made_by: Some(steps), ..takes(&[]) }).unwrap();
    assert_eq!(of(&corpus, second), 0);
    let tags = RemoveRequest { tag: Some("start".into()), ..takes(&["#2"]) };
    assert_eq!(corpus.remove(&tags).unwrap(), Removed { tags: 1, ..Removed::default() });
    let person = RemoveRequest { made_by: Some(Maker::Person), ..takes(&["#1", "#2"]) };
    assert_eq!(corpus.remove(&person).unwrap(), Removed { tags: 3, labels: 2, ..Removed::default() });
    assert_eq!(corpus.takes().unwrap().len(), 3);
    assert_eq!(corpus.check().unwrap().faults, [""; 0]);
}

#[test]
fn one_take_that_is_not_there_and_nothing_goes() {
    let folder = Folder::new("remove-nothing");
    let mut corpus = corpus(&folder);
    for (removal, code) in [
        (takes(&["#1", "#9"]), "corpus/no-take"),
        (takes(&[]), "corpus/nothing"),
        (RemoveRequest { tag: Some("end".into()), ..takes(&[]) }, "corpus/nothing"),
        (RemoveRequest { tag: Some("start".into()), ..takes(&["#9"]) }, "corpus/no-take"),
    ] {
        assert_eq!(corpus.remove(&dry_run(&removal)).unwrap_err().code().id, code);
        assert_eq!(corpus.remove(&removal).unwrap_err().code().id, code);
    }
    assert_eq!(corpus.takes().unwrap().len(), 3);
    assert_eq!(rows(&folder, "tags"), 4);
}
