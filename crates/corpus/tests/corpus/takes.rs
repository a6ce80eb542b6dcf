//! Takes go in, are found, and come out as they were.

use std::sync::Arc;

use crate::support::{Folder, couple, farthest_m, little, walking};
use marey_corpus::{Added, Corpus, Provenance, TakeId};
use marey_motion::{Clip, ClipParts, Coded, Joint, Quat, Skeleton, Take, Vec3};

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

/// A walk whose rest pose and root offset are others, and whose left knee is a little lower.
fn resting_otherwise(seed: u64, lower_m: f32) -> Take {
    let take = walking(seed, 6.0);
    let clip = take.first();
    let mut joints: Vec<Joint> = clip.skeleton().joints().to_vec();
    joints[0].offset += Vec3::Y;
    joints[1].rest_rotation = Quat::from_rotation_x(0.4);
    let knee = clip.skeleton().joint_of(marey_motion::Role::LeftLowerLeg).unwrap();
    joints[knee].offset.y -= lower_m;
    let skeleton = Arc::new(Skeleton::new(joints, clip.skeleton().tips().to_vec()).unwrap());
    let parts = ClipParts { rotations: clip.rotations().to_vec(), positions: clip.positions().to_vec() };
    Take::solo(take.name(), Clip::new(skeleton, clip.rate_hz(), parts).unwrap())
}

#[test]
fn a_body_is_stored_once_whatever_the_rest_poses_of_its_takes() {
    let folder = Folder::new("bodies");
    let path = folder.path("a.marey");
    let mut corpus = Corpus::create(&path).unwrap();
    let first = walking(1, 6.0);
    corpus.add(&first, &told()).unwrap();
    let second = resting_otherwise(2, 0.0);
    let id = corpus.add(&second, &told()).unwrap().id();
    let back = corpus.take(id).unwrap();
    assert_eq!(back.first().skeleton(), first.first().skeleton());
    assert!(farthest_m(&second, &back) <= 1e-4);
    // The same content is recognised, though its skeleton was replaced.
    assert_eq!(corpus.add(&second, &told()).unwrap(), Added::Already(id));
    // A knee that is 0.4 mm lower belongs to another body: takes are exact to 0.1 mm.
    let third = resting_otherwise(3, 4e-4);
    let id = corpus.add(&third, &told()).unwrap().id();
    assert_eq!(corpus.take(id).unwrap().first().skeleton(), third.first().skeleton());
    let rows =
        |corpus: &Corpus| corpus.bodies().unwrap().into_iter().map(|row| row.takes).collect::<Vec<_>>();
    assert_eq!(rows(&corpus), [vec!["walk1", "walk2"], vec!["walk3"]]);
    assert_eq!(corpus.check().unwrap().faults, [""; 0]);
    drop(corpus);
    let count = "SELECT count(*) FROM skeletons";
    let connection = rusqlite::Connection::open(&path).unwrap();
    assert_eq!(connection.query_row(count, [], |row| row.get::<_, i64>(0)).unwrap(), 2);
}
