//! Takes go in, are found, and come out as they were.

use crate::support::{Folder, couple, farthest_m, little, walking};
use marey_corpus::{Added, Corpus, Provenance, TakeId};
use marey_motion::{Coded, Take};

fn told() -> Provenance {
    Provenance {
        source: "a.bvh".into(),
        licence: "CC0-1.0".into(),
        credit: "us".into(),
        history: "bvh".into(),
    }
}

#[test]
fn a_take_comes_out_as_it_went_in_whole_and_in_part() {
    let folder = Folder::new("takes");
    let mut corpus = Corpus::create(&folder.path("a.marey")).unwrap();
    for take in [walking(1, 40.0), little("one frame", 2, 1), couple("two", 4, 700), little("even", 5, 512)] {
        let id = corpus.add(&take, &told()).unwrap().id();
        let back = corpus.take(id).unwrap();
        assert!(farthest_m(&take, &back) <= 1e-4);
        assert_eq!(
            (back.name(), back.rate_hz(), back.frames()),
            (take.name(), take.rate_hz(), take.frames())
        );
        for (a, b) in take.actors().iter().zip(back.actors()) {
            assert_eq!(
                (&a.name, a.clip.skeleton(), a.clip.positions()),
                (&b.name, b.clip.skeleton(), b.clip.positions())
            );
        }
        let frames = take.frames();
        for range in
            [0..1, frames - 1..frames, frames / 3..frames / 3 + 1, frames / 4..frames * 3 / 4 + 1, 0..frames]
        {
            let part = corpus.take_range(id, range.clone()).unwrap();
            let whole = back.actors().iter().map(|actor| actor.clip.slice(range.clone()).unwrap());
            assert!(part.actors().iter().map(|actor| actor.clip.clone()).eq(whole), "{range:?}");
        }
        assert_eq!(corpus.take_range(id, 0..frames + 1).unwrap_err().code().id, "motion/range");
        assert_eq!(corpus.take_range(id, 0..0).unwrap_err().code().id, "motion/range");
        assert_eq!(corpus.info(id).unwrap().provenance, told());
    }
    assert_eq!(corpus.check().unwrap().faults, [""; 0]);
    assert_eq!(corpus.takes().unwrap().len(), 4);
}

#[test]
fn the_same_content_twice_is_no_change_whatever_it_is_called() {
    let folder = Folder::new("twice");
    let mut corpus = Corpus::create(&folder.path("a.marey")).unwrap();
    let take = walking(3, 6.0);
    let first = corpus.add(&take, &told()).unwrap();
    let renamed = Take::new("other", take.clone().into_actors()).unwrap();
    assert_eq!(corpus.add(&renamed, &Provenance::default()).unwrap(), Added::Already(first.id()));
    assert_eq!(corpus.info(first.id()).unwrap().provenance, told());
    let other = walking(4, 6.0);
    let clash = Take::new(take.name(), other.into_actors()).unwrap();
    let second = corpus.add(&clash, &told()).unwrap();
    assert_eq!(corpus.info(second.id()).unwrap().name, format!("{}~2", take.name()));
    assert_eq!(corpus.takes().unwrap().len(), 2);
}

#[test]
fn takes_are_found_by_name_and_number() {
    let folder = Folder::new("find");
    let mut corpus = Corpus::create(&folder.path("a.marey")).unwrap();
    let id = corpus.add(&little("jump up", 1, 9), &told()).unwrap().id();
    assert_eq!(corpus.find("jump up").unwrap(), id);
    assert_eq!(corpus.find(&id.to_string()).unwrap(), id);
    for name in ["jump", "#7", "#", "#x", ""] {
        assert_eq!(corpus.find(name).unwrap_err().code().id, "corpus/no-take", "{name}");
    }
    assert_eq!(corpus.take(TakeId(9)).unwrap_err().code().id, "corpus/no-take");
    for bad in ["", " ", "a:b", "#1", "a\nb"] {
        let error = corpus.add(&little(bad, 7, 3), &told()).unwrap_err();
        assert_eq!(error.code().id, "corpus/name", "{bad:?}");
    }
    assert_eq!(corpus.takes().unwrap().len(), 1);
}
