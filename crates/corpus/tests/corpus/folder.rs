//! A corpus as a folder, and back.

use std::fs;

use marey_corpus::{
    Added, Annotation, AnnotationContent, ContactInterval, ContactTarget, Corpus, Maker, Provenance, Span,
    TakeId,
};
use marey_motion::{Coded, Marker, Role, Tag};
use proptest::prelude::*;

use crate::support::{Folder, couple, farthest_m, little, walking};

fn export(corpus: &Corpus, out: &std::path::Path) {
    for take in corpus.takes().unwrap() {
        corpus.export_take(&take, out).unwrap();
    }
}

/// Everything but motion, numbers of segments aside.
fn about(corpus: &Corpus) -> Vec<String> {
    let mut all = Vec::new();
    for take in corpus.takes().unwrap() {
        all.push(format!(
            "{:?}",
            (&take.name, &take.content, take.frames, take.rate_hz, &take.actors, &take.provenance)
        ));
        let segments = corpus.segments_of(take.id).unwrap();
        for annotation in corpus.annotations(take.id).unwrap() {
            let what = match &annotation.what {
                AnnotationContent::SegmentLabel { segment, key, value } => {
                    let of = segments.iter().position(|other| other.id == *segment).unwrap();
                    format!("{of} {key} {value}")
                }
                other => format!("{other:?}"),
            };
            all.push(format!("{what} {}", annotation.maker));
        }
        all.extend(segments.iter().map(|s| format!("{:?}", (s.actor, &s.name, &s.frames, &s.maker))));
    }
    all
}

fn annotated(corpus: &mut Corpus, take: TakeId, frames: usize, words: &[String]) {
    let note = |what| Annotation { take, what, maker: Maker::method("dice") };
    let mut said = Vec::new();
    for (i, word) in words.iter().enumerate() {
        let start = i * 3 % frames;
        said.push(note(AnnotationContent::Tag(Tag { start, end: frames, name: word.clone() })));
        said.push(note(AnnotationContent::Marker(Marker { frame: start, name: word.clone() })));
        said.push(note(AnnotationContent::Label { key: word.clone(), value: word.repeat(2) }));
        let on = if i % 2 == 0 { ContactTarget::Floor } else { ContactTarget::Thing(word.trim().to_owned()) };
        said.push(note(AnnotationContent::Contact(ContactInterval {
            start,
            end: start + 1,
            actor: 0,
            role: Role::LeftHand,
            on,
        })));
    }
    corpus.annotate(&said).unwrap();
    let span = |(i, word): (usize, &String)| Span {
        start: i % frames,
        end: frames,
        actor: (i % 2 == 0).then_some(0),
        name: word.clone(),
    };
    let spans: Vec<Span> = words.iter().enumerate().map(span).collect();
    corpus.cut(take, &spans, &Maker::Person).unwrap();
    let segments = corpus.segments_of(take).unwrap();
    let label = |segment: &marey_corpus::Segment| {
        note(AnnotationContent::SegmentLabel {
            segment: segment.id,
            key: "k".into(),
            value: segment.name.clone(),
        })
    };
    corpus.annotate(&segments.iter().map(label).collect::<Vec<_>>()).unwrap();
}

/// The JSON files in a folder, sorted.
fn pages(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|ending| ending == "json")).collect();
    pages.sort();
    pages
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn a_folder_gives_back_an_equal_corpus(
        seeds in prop::collection::vec(0u64..50, 1..4), frames in 1usize..300,
        words in prop::collection::vec("[a-z][ -~äж]{0,9}[a-z]", 0..4),
    ) {
        let folder = Folder::new(&format!("round-{frames}-{}", seeds.len()));
        let mut corpus = Corpus::create(&folder.path("a.marey")).unwrap();
        for (i, seed) in seeds.iter().enumerate() {
            let name = format!("take {i}/{}", words.first().map_or("x", String::as_str).replace(':', "."));
            let take = if seed % 2 == 0 { little(&name, *seed, frames) } else { couple(&name, *seed, frames) };
            let from = Provenance { source: "x.bvh".into(), licence: "MIT".into(), ..Provenance::default() };
            if let Added::New(id) = corpus.add(&take, &from).unwrap() {
                annotated(&mut corpus, id, frames, &words);
            }
        }
        let out = folder.path("out");
        export(&corpus, &out);
        let mut back = Corpus::create(&folder.path("b.marey")).unwrap();
        for page in pages(&out) {
            prop_assert!(matches!(back.import_take(&page).unwrap(), Added::New(_)));
        }
        let sorted = |corpus: &Corpus| {
            let mut all = about(corpus);
            all.sort();
            all
        };
        prop_assert_eq!(sorted(&corpus), sorted(&back));
        for take in corpus.takes().unwrap() {
            let there = back.find(&take.name).unwrap();
            prop_assert!(farthest_m(&corpus.take(take.id).unwrap(), &back.take(there).unwrap()) <= 1e-4);
        }
        // Where it came from, and where it went, a second time changes nothing.
        for page in pages(&out) {
            prop_assert!(matches!(corpus.import_take(&page).unwrap(), Added::Already(_)));
            prop_assert!(matches!(back.import_take(&page).unwrap(), Added::Already(_)));
        }
        prop_assert_eq!(sorted(&corpus), sorted(&back));
        prop_assert!(back.check().unwrap().faults.is_empty());
    }
}

#[test]
fn a_walk_survives_the_way_out_and_in_many_times() {
    let folder = Folder::new("many");
    let first = walking(5, 12.0);
    let mut corpus = Corpus::create(&folder.path("0.marey")).unwrap();
    corpus.add(&first, &Provenance::default()).unwrap();
    for round in 1..6 {
        let out = folder.path(&format!("out{round}"));
        export(&corpus, &out);
        corpus = Corpus::create(&folder.path(&format!("{round}.marey"))).unwrap();
        corpus.import_take(&pages(&out)[0]).unwrap();
    }
    assert!(farthest_m(&first, &corpus.take(TakeId(1)).unwrap()) <= 1e-4);
}

#[test]
fn pages_that_were_changed_are_taken_as_they_are_or_refused() {
    let folder = Folder::new("changed");
    let mut corpus = Corpus::create(&folder.path("a.marey")).unwrap();
    corpus.add(&little("a", 2, 20), &Provenance::default()).unwrap();
    let out = folder.path("out");
    export(&corpus, &out);
    let page = out.join("a.json");
    assert_eq!(corpus.export_take(&corpus.takes().unwrap()[0], &out).unwrap_err().code().id, "file/exists");
    // Other motion under the same name is another take.
    let motion = fs::read_to_string(out.join("a.bvh")).unwrap();
    fs::write(out.join("a.bvh"), motion.replace(" 0.8999", " 1.2499")).unwrap();
    assert!(matches!(corpus.import_take(&page).unwrap(), Added::New(_)));
    assert_eq!(corpus.takes().unwrap()[1].name, "a~2");
    let text = fs::read_to_string(&page).unwrap();
    for (from, to, code) in [
        ("\"a.bvh\"", "\"../a.bvh\"", "corpus/page"),
        ("\"a.bvh\"", "\"b.bvh\"", "file/not-found"),
        ("\"tags\"", "\"toes\"", "corpus/page"),
        ("{", "", "corpus/page"),
        ("\"parent\": 1,", "\"parent\": 9,", "corpus/damaged"),
    ] {
        let bad = out.join("bad.json");
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text);
        fs::write(&bad, changed).unwrap();
        assert_eq!(corpus.import_take(&bad).unwrap_err().code().id, code, "{from} {to}");
    }
    fs::write(out.join("a.bvh"), motion.replace("JOINT tail", "JOINT tail2")).unwrap();
    assert!(corpus.import_take(&page).is_ok());
    fs::write(out.join("a.bvh"), "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0\n").unwrap();
    assert_eq!(corpus.import_take(&page).unwrap_err().code().id, "corpus/page");
}
