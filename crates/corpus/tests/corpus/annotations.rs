//! What is said about takes, and how they are cut.

use crate::support::{Folder, couple};
use marey_corpus::{
    Annotation, AnnotationChanges, AnnotationContent, ContactInterval, ContactTarget, Corpus, Maker,
    Provenance, SegmentId, Span, TakeId, tables,
};
use marey_motion::{Coded, Marker, Role, Tag};

struct Fixture {
    _folder: Folder,
    corpus: Corpus,
    take: TakeId,
}

fn fixture(name: &str) -> Fixture {
    let folder = Folder::new(name);
    let mut corpus = Corpus::create(&folder.path("a.marey")).unwrap();
    let take = corpus.add(&couple("duet", 2, 100), &Provenance::default()).unwrap().id();
    Fixture { _folder: folder, corpus, take }
}

fn tag(name: &str, start: usize, end: usize) -> AnnotationContent {
    AnnotationContent::Tag(Tag { start, end, name: name.into() })
}

fn label(key: &str, value: &str) -> AnnotationContent {
    AnnotationContent::Label { key: key.into(), value: value.into() }
}

fn hold(actor: usize, on: ContactTarget, start: usize, end: usize) -> AnnotationContent {
    AnnotationContent::Contact(ContactInterval { start, end, actor, role: Role::LeftHand, on })
}

fn by(take: TakeId, maker: Maker, what: AnnotationContent) -> Annotation {
    Annotation { take, what, maker }
}

#[test]
fn what_is_said_is_kept_with_who_said_it() {
    let Fixture { mut corpus, take, .. } = fixture("said");
    let hand = ContactTarget::Actor { actor: 1, role: Role::RightHand };
    let all = vec![
        by(take, Maker::Person, tag("spin", 10, 20)),
        by(take, Maker::method("beats"), tag("spin", 40, 100)),
        by(take, Maker::Person, AnnotationContent::Marker(Marker { frame: 99, name: "end".into() })),
        by(take, Maker::Person, hold(0, hand, 0, 50)),
        by(take, Maker::Person, hold(0, ContactTarget::Thing("rope".into()), 10, 60)),
        by(take, Maker::method("contacts"), hold(1, ContactTarget::Floor, 3, 4)),
        by(take, Maker::Person, label("mood", "gay, and \"light\"")),
    ];
    assert_eq!(corpus.annotate(&all).unwrap(), AnnotationChanges { changed: 7, already: 0, removed: 0 });
    assert_eq!(corpus.annotations(take).unwrap(), {
        let mut sorted = all.clone();
        sorted.sort_by(|a, b| a.what.cmp(&b.what));
        sorted
    });
    assert_eq!(corpus.annotate(&all).unwrap(), AnnotationChanges { changed: 0, already: 7, removed: 0 });
    // A person agrees with a method; a label gets another value.
    let again =
        [by(take, Maker::Person, tag("spin", 40, 100)), by(take, Maker::Person, label("mood", "sad"))];
    assert_eq!(corpus.annotate(&again).unwrap(), AnnotationChanges { changed: 2, already: 0, removed: 0 });
    assert_eq!(corpus.retract(&[(take, label("mood", "")), (take, tag("none", 0, 1))]).unwrap(), 1);
    assert_eq!(corpus.annotations(take).unwrap().len(), 6);
    assert_eq!(corpus.check().unwrap().faults, [""; 0]);
}

#[test]
fn what_cannot_be_said_changes_nothing() {
    let Fixture { mut corpus, take, .. } = fixture("unsayable");
    let good = by(take, Maker::Person, tag("good", 0, 1));
    let floor = || ContactTarget::Floor;
    for (what, code) in [
        (tag("long", 50, 101), "motion/range"),
        (tag("none", 50, 50), "motion/range"),
        (tag("", 0, 1), "corpus/name"),
        (AnnotationContent::Marker(Marker { frame: 100, name: "late".into() }), "motion/range"),
        (hold(2, floor(), 0, 1), "corpus/no-actor"),
        (hold(0, ContactTarget::Actor { actor: 2, role: Role::Hips }, 0, 1), "corpus/no-actor"),
        (hold(0, floor(), 0, 101), "motion/range"),
        (label("a\tb", "c"), "corpus/name"),
        (
            AnnotationContent::SegmentLabel { segment: SegmentId(1), key: "k".into(), value: "v".into() },
            "corpus/no-segment",
        ),
    ] {
        let error = corpus.annotate(&[good.clone(), by(take, Maker::Person, what.clone())]).unwrap_err();
        assert_eq!(error.code().id, code, "{what:?}");
    }
    corpus.annotate(&[by(take, Maker::Person, hold(0, floor(), 10, 20))]).unwrap();
    let over =
        corpus.annotate(&[good.clone(), by(take, Maker::Person, hold(0, floor(), 19, 30))]).unwrap_err();
    assert_eq!(over.code().id, "corpus/overlap");
    let nobody = corpus.annotate(&[by(TakeId(9), Maker::Person, tag("a", 0, 1))]).unwrap_err();
    assert_eq!(nobody.code().id, "corpus/no-take");
    assert_eq!(corpus.annotations(take).unwrap().len(), 1);
}

#[test]
fn cutting_again_keeps_what_is_the_same() {
    let Fixture { mut corpus, take, .. } = fixture("cut");
    let span = |start, end| Span { start, end, actor: Some(0), name: "step".into() };
    let method = Maker::method("steps");
    assert_eq!(corpus.cut(take, &[span(0, 10), span(10, 25), span(25, 40)], &method).unwrap(), (3, 0));
    let all = Span { start: 0, end: 100, actor: None, name: "whole".into() };
    assert_eq!(corpus.cut(take, &[all], &Maker::Person).unwrap(), (1, 0));
    let before = corpus.segments_of(take).unwrap();
    let kept = before.iter().find(|segment| segment.frames == (10..25)).unwrap();
    let what = AnnotationContent::SegmentLabel { segment: kept.id, key: "foot".into(), value: "left".into() };
    corpus.annotate(&[by(take, Maker::Person, what.clone())]).unwrap();
    assert_eq!(corpus.cut(take, &[span(10, 25), span(25, 39)], &method).unwrap(), (1, 2));
    let after = corpus.segments().unwrap();
    assert_eq!(after.len(), 3);
    assert!(after.contains(kept));
    assert_eq!(corpus.annotations(take).unwrap()[0].what, what);
    for (bad, code) in
        [(span(90, 101), "motion/range"), (Span { actor: Some(5), ..span(0, 1) }, "corpus/no-actor")]
    {
        assert_eq!(corpus.cut(take, &[bad], &method).unwrap_err().code().id, code);
    }
    assert_eq!(corpus.segments().unwrap(), after);
    // Numbers are never given twice: a label cannot get to another piece.
    corpus.cut(take, &[], &method).unwrap();
    corpus.cut(take, &[span(10, 25)], &method).unwrap();
    assert!(corpus.segments_of(take).unwrap().iter().all(|segment| segment.id != kept.id));
    assert_eq!(corpus.annotations(take).unwrap(), []);
}

#[test]
fn tables_are_read_and_what_is_written_reads_back() {
    let Fixture { mut corpus, take, .. } = fixture("tables");
    let read = |corpus: &Corpus, text: &str| tables::read_annotations(corpus, text).unwrap();
    let mut said = read(&corpus, "take,name,start,end\nduet,\"spin, twice\",0,10\n#1,rest,10,20\n");
    said.extend(read(&corpus, "name,frame,take,made_by\nhit,5,duet,method ears\n"));
    said.extend(read(&corpus, "take,role,on,start,end\nduet,LeftHand,1 RightHand,3,9\nduet,leftfoot,,3,9\n"));
    said.extend(read(&corpus, "take,key,value\nduet,style,tango\n"));
    corpus.annotate(&said).unwrap();
    let spans =
        tables::read_spans(&corpus, "take,start,end,name,actor\nduet,0,50,a,\nduet,50,60,,1\n").unwrap();
    assert_eq!(spans[1].1, Span { start: 50, end: 60, actor: Some(1), name: "piece".into() });
    let spans: Vec<Span> = spans.into_iter().map(|(_, span, _)| span).collect();
    corpus.cut(take, &spans, &Maker::Person).unwrap();
    let segment = corpus.segments_of(take).unwrap()[0].id;
    let text = format!("take,segment,key,value\nduet,{},foot,left\n", segment.0);
    let labels = read(&corpus, &text);
    corpus.annotate(&labels).unwrap();

    let before = (corpus.annotations(take).unwrap(), corpus.segments().unwrap());
    for (name, table) in tables::write_all(&corpus).unwrap() {
        if name == "segments" {
            let again = tables::read_spans(&corpus, &table).unwrap();
            let again: Vec<Span> = again.into_iter().map(|(_, span, _)| span).collect();
            assert_eq!(corpus.cut(take, &again, &Maker::Person).unwrap(), (0, 0));
        } else {
            let again = tables::read_annotations(&corpus, &table).unwrap();
            assert!(!again.is_empty(), "{name}");
            assert_eq!(
                corpus.annotate(&again).unwrap(),
                AnnotationChanges { changed: 0, already: again.len(), removed: 0 },
                "{name}"
            );
        }
    }
    assert_eq!((corpus.annotations(take).unwrap(), corpus.segments().unwrap()), before);
    for (text, code, line) in [
        ("take,name,start,end\nduet,a,0,1\nnobody,a,0,1\n", "corpus/no-take", 3),
        ("take,name,start,end\nduet,a,zero,1\n", "corpus/csv", 2),
        ("take,name,start,end,made_by\nduet,a,0,1,robot\n", "corpus/csv", 2),
        ("take,role,on,start,end\nduet,Tail,,0,1\n", "corpus/csv", 2),
        ("name,start,end\na,0,1\n", "corpus/csv", 2),
    ] {
        let error = tables::read_annotations(&corpus, text).unwrap_err();
        assert_eq!((error.code().id, error.place().line), (code, Some(line)), "{text}");
    }
}
