//! Motion is prepared when it is imported.

use std::fs;
use std::path::PathBuf;

use marey_corpus::import::ImportPreparation;
use marey_corpus::{
    AnnotationContent, BatchItem, Corpus, CutMethod, ImportRequest, ImportedFile, Maker, RenameRequest,
    UNUSABLE_TAG,
};
use marey_formats::bvh::{self, BvhOptions};
use marey_motion::{Clip, ClipParts, Coded, Observer, Quat, Take, Vec3};

use crate::support::{Folder, walking};

/// Writes a walk whose frames were changed.
fn write(
    folder: &Folder,
    name: &str,
    take: &Take,
    change: impl Fn(usize, &mut [Quat], &mut Vec3),
) -> PathBuf {
    let clip = take.first();
    let mut parts = ClipParts::default();
    for (frame, pose) in clip.poses().enumerate() {
        let (mut rotations, mut positions) = (pose.rotations.to_vec(), pose.positions.to_vec());
        change(frame, &mut rotations, &mut positions[0]);
        parts.rotations.extend(rotations);
        parts.positions.extend(positions);
    }
    let clip = Clip::new(clip.skeleton().clone(), clip.rate_hz(), parts).unwrap();
    let path = folder.path(name);
    fs::write(&path, bvh::write(&Take::solo("x", clip), &BvhOptions::default()).0).unwrap();
    path
}

fn import(
    corpus: &mut Corpus,
    inputs: Vec<PathBuf>,
    prepare: ImportPreparation,
) -> Vec<BatchItem<ImportedFile>> {
    let request = ImportRequest { inputs, prepare, ..ImportRequest::default() };
    corpus.import(&request, Observer::ignore()).unwrap()
}

fn codes(item: &BatchItem<ImportedFile>) -> Vec<&'static str> {
    item.result.as_ref().unwrap().warnings.clone()
}

#[test]
fn floors_spikes_and_jumps_are_found_and_each_step_can_be_skipped() {
    let folder = Folder::new("prepared");
    let walk = walking(3, 8.0);
    let arm = walk.first().skeleton().joint_of(marey_motion::Role::LeftLowerArm).unwrap();
    let file = write(&folder, "dirty.bvh", &walk, |frame, rotations, root| {
        root.y += 0.4;
        if frame == 60 {
            rotations[arm] *= Quat::from_rotation_z(2.0);
        }
        if frame >= 150 {
            root.x += 3.0;
        }
    });
    let mut corpus = Corpus::create(&folder.path("a.marey")).unwrap();
    let items = import(&mut corpus, vec![file.clone()], ImportPreparation::default());
    assert_eq!(codes(&items[0]), ["corpus/repaired", "corpus/unusable", "corpus/floor-moved"]);
    let take = corpus.takes().unwrap()[0].clone();
    assert!(take.provenance.history.contains("1 defect repaired"), "{}", take.provenance.history);
    let unusable = corpus.unusable(take.id).unwrap();
    assert!(unusable.len() == 1 && unusable[0].contains(&150) && unusable[0].len() < 10, "{unusable:?}");
    let tags = corpus.annotations(take.id).unwrap();
    let is_tag =
        |what: &AnnotationContent| matches!(what, AnnotationContent::Tag(tag) if tag.name == UNUSABLE_TAG);
    assert!(tags.iter().any(|one| is_tag(&one.what) && one.maker == Maker::method("import")));
    let stored = corpus.take(take.id).unwrap();
    assert!(marey_ops::floor::estimate(stored.first()).height_m.abs() < 0.01);
    let spike = |take: &Take, frame: usize| take.first().pose(frame).rotations[arm];
    assert!(spike(&stored, 60).angle_between(spike(&stored, 59)) < 0.5);

    // No segment has unusable frames, and those that were left out are counted.
    let cut = corpus.segment_by_method(&[], CutMethod::Steps, &Default::default(), None, Observer::ignore());
    let counts = *cut.unwrap()[0].result.as_ref().unwrap();
    assert!(counts.unusable == 1 && counts.segments > 5, "{counts:?}");
    for segment in corpus.segments().unwrap() {
        assert!(segment.frames.end <= unusable[0].start || segment.frames.start >= unusable[0].end);
        assert!(segment.frames.len() >= 5, "{segment:?}");
    }

    let skipped = ImportPreparation { rest: false, floor: false, repair: false, duplicates: false };
    let mut plain = Corpus::create(&folder.path("b.marey")).unwrap();
    let items = import(&mut plain, vec![file], skipped);
    assert_eq!(codes(&items[0]), [""; 0]);
    let stored = plain.take(plain.takes().unwrap()[0].id).unwrap();
    assert!(spike(&stored, 60).angle_between(spike(&stored, 59)) > 1.5);
    assert!(marey_ops::floor::estimate(stored.first()).height_m > 0.3);
}

#[test]
fn a_calibration_pose_is_removed_once() {
    let folder = Folder::new("calibration");
    let walk = walking(4, 6.0);
    let rest: Vec<Quat> = walk.first().skeleton().joints().iter().map(|joint| joint.rest_rotation).collect();
    let file = write(&folder, "t.bvh", &walk, |frame, rotations, _| {
        if frame == 0 {
            rotations.copy_from_slice(&rest);
        }
    });
    let frames = |rest: bool, trim_rest: bool, name: &str| {
        let mut corpus = Corpus::create(&folder.path(name)).unwrap();
        let mut request = ImportRequest { inputs: vec![file.clone()], ..ImportRequest::default() };
        request.prepare.rest = rest;
        request.read.trim_rest = trim_rest;
        let items = corpus.import(&request, Observer::ignore()).unwrap();
        (walk.frames() - corpus.takes().unwrap()[0].frames, codes(&items[0]).contains(&"corpus/rest-removed"))
    };
    assert_eq!(frames(true, false, "1.marey"), (1, true));
    assert_eq!(frames(true, true, "2.marey"), (1, false));
    assert_eq!(frames(false, false, "3.marey"), (0, false));
}

#[test]
fn nearly_equal_takes_are_left_out_unless_they_are_asked_for() {
    let folder = Folder::new("near");
    let walk = walking(5, 6.0);
    let plain = write(&folder, "1.bvh", &walk, |_, _, _| {});
    let other = write(&folder, "2.bvh", &walk, |_, _, root| root.y += 0.002);
    let mut corpus = Corpus::create(&folder.path("a.marey")).unwrap();
    let items = import(&mut corpus, vec![plain, other.clone()], ImportPreparation::default());
    assert_eq!(codes(&items[1]), ["corpus/near-duplicate"]);
    let near = &items[1].result.as_ref().unwrap().takes[0];
    assert!(near.already && near.name == "1");
    assert_eq!(corpus.takes().unwrap().len(), 1);
    // What was recognised by stored data is recognised without it too.
    corpus.forget_derived().unwrap();
    import(&mut corpus, vec![other.clone()], ImportPreparation::default());
    assert_eq!(corpus.takes().unwrap().len(), 1);
    let all = ImportPreparation { duplicates: false, ..ImportPreparation::default() };
    import(&mut corpus, vec![other], all);
    assert_eq!(corpus.takes().unwrap().len(), 2);
}

#[test]
fn pairs_get_the_names_of_their_roles_and_can_be_renamed() {
    let folder = Folder::new("roles");
    for (seed, name) in [(1, "60_1.bvh"), (2, "61_1.bvh"), (3, "60_2.bvh"), (4, "x.bvh")] {
        write(&folder, name, &walking(seed, 6.0), |_, _, _| {});
    }
    let pairs = ["man=60_{i}.bvh", "woman=61_{i}.bvh"].map(|text| text.parse().unwrap()).to_vec();
    let inputs = ["60_1.bvh", "60_2.bvh", "61_1.bvh", "x.bvh"].map(|name| folder.path(name)).to_vec();
    let mut corpus = Corpus::create(&folder.path("a.marey")).unwrap();
    let request = ImportRequest { inputs, pairs, ..ImportRequest::default() };
    let items = corpus.import(&request, Observer::ignore()).unwrap();
    assert_eq!(items[1].result.as_ref().unwrap_err().code().id, "corpus/no-partner");
    assert!(codes(&items[2]).contains(&"corpus/unpaired"));
    let names = |corpus: &Corpus| -> Vec<String> {
        let take = corpus.find("60_1+61_1").or_else(|_| corpus.find("couple")).unwrap();
        corpus.info(take).unwrap().actors.into_iter().map(|actor| actor.name).collect()
    };
    assert_eq!(names(&corpus), ["man", "woman"]);
    let actors = vec!["leader".to_owned(), "follower".to_owned()];
    let renamed = corpus.rename(&RenameRequest { actors: actors.clone(), ..Default::default() }).unwrap();
    assert_eq!((renamed.len(), names(&corpus)), (1, actors.clone()));
    let take = RenameRequest {
        takes: vec!["60_1+61_1".into()],
        name: Some("couple".into()),
        ..RenameRequest::default()
    };
    assert_eq!(corpus.rename(&take).unwrap()[0].name, "couple");
    let refused = |request: RenameRequest| corpus_code(&folder, &request);
    assert_eq!(refused(RenameRequest::default()), "corpus/name");
    let taken = RenameRequest { takes: vec!["couple".into()], name: Some("x".into()), ..Default::default() };
    assert_eq!(refused(taken), "corpus/name");
    let three = vec!["a".to_owned(), "b".into(), "c".into()];
    assert_eq!(refused(RenameRequest { actors: three, ..Default::default() }), "corpus/no-actor");
    assert_eq!(
        refused(RenameRequest { takes: vec!["x".into()], actors, ..Default::default() }),
        "corpus/no-actor"
    );
    assert_eq!(corpus.check().unwrap().faults, [""; 0]);
}

fn corpus_code(folder: &Folder, request: &RenameRequest) -> &'static str {
    let mut corpus = Corpus::open(&folder.path("a.marey")).unwrap();
    corpus.rename(request).unwrap_err().code().id
}

#[test]
fn fingers_that_jump_are_reported_and_used() {
    let folder = Folder::new("fingers");
    let walk = walking(6, 6.0);
    let skeleton = walk.first().skeleton().clone();
    let toes = skeleton.joint_of(marey_motion::Role::LeftToes).unwrap();
    let file = write(&folder, "toes.bvh", &walk, |frame, rotations, _| {
        if (90..150).contains(&frame) && frame % 2 == 0 {
            rotations[toes] *= Quat::from_rotation_x(2.5);
        }
    });
    let mut corpus = Corpus::create(&folder.path("a.marey")).unwrap();
    let items = import(&mut corpus, vec![file], ImportPreparation::default());
    assert!(codes(&items[0]).contains(&"corpus/rough-ends"), "{:?}", codes(&items[0]));
    assert_eq!(corpus.unusable(corpus.takes().unwrap()[0].id).unwrap(), []);
}
