//! Requests that cannot be carried out are refused before anything is read or changed.

use marey_corpus::{
    AnnotateRequest, ClusterRequest, CorpusError, ExportRequest, ImportRequest, ListRequest, NewAnnotation,
};
use marey_motion::Coded;

fn code(result: Result<(), CorpusError>) -> Option<&'static str> {
    result.err().map(|error| error.code().id)
}

#[test]
fn defaults_that_lack_something_say_so() {
    assert_eq!(code(ImportRequest::default().validate()), Some("corpus/request"));
    assert_eq!(code(AnnotateRequest::default().validate()), Some("corpus/request"));
    assert_eq!(code(ExportRequest::default().validate()), Some("corpus/request"));
    assert_eq!(code(ClusterRequest::default().validate()), None);
    assert_eq!(code(ListRequest::default().validate()), None);
}

#[test]
fn names_of_actors_are_checked_before_files_are_read() {
    let request = |actors: &[&str]| ImportRequest {
        inputs: vec!["walks".into()],
        actors: actors.iter().map(|&name| name.to_owned()).collect(),
        ..ImportRequest::default()
    };
    assert_eq!(code(request(&["leader", "follower"]).validate()), None);
    assert_eq!(code(request(&["leader", "leader"]).validate()), Some("corpus/name"));
    assert_eq!(code(request(&["leader", " "]).validate()), Some("corpus/name"));
}

#[test]
fn annotations_come_from_one_place_and_have_a_range() {
    let tag = |start, end| NewAnnotation::Tag { name: "jump".into(), start, end };
    let request = |annotations: Vec<NewAnnotation>| AnnotateRequest {
        take: "walk".into(),
        annotations,
        ..AnnotateRequest::default()
    };
    assert_eq!(code(request(vec![tag(Some(3), Some(9)), tag(None, Some(1))]).validate()), None);
    assert_eq!(code(request(vec![tag(Some(9), Some(9))]).validate()), Some("corpus/request"));
    let both = AnnotateRequest { csv: Some("tags.csv".into()), ..request(vec![tag(None, None)]) };
    assert_eq!(code(both.validate()), Some("corpus/request"));
    let contact = NewAnnotation::Contact {
        role: "LeftWing".into(),
        start: None,
        end: None,
        actor: 0,
        on: String::new(),
    };
    assert_eq!(code(request(vec![contact]).validate()), Some("motion/not-a-role"));
}

#[test]
fn tables_are_of_the_whole_corpus() {
    let request = |csv| ExportRequest { folder: "out".into(), takes: vec!["walk".into()], csv };
    assert_eq!(code(request(false).validate()), None);
    assert_eq!(code(request(true).validate()), Some("corpus/request"));
}

#[test]
fn settings_of_clusters_and_words_of_lists_are_in_range() {
    let cluster = |threshold_m, warp| ClusterRequest { threshold_m, warp, ..ClusterRequest::default() };
    assert_eq!(code(cluster(0.2, 1.0).validate()), None);
    assert_eq!(code(cluster(-0.1, 0.5).validate()), Some("ops/setting"));
    assert_eq!(code(cluster(0.1, f32::NAN).settings().map(drop)), Some("ops/setting"));
    let list = |label: &str| ListRequest { label: Some(label.into()), ..ListRequest::default() };
    assert_eq!(code(list("style=proud").validate()), None);
    assert_eq!(code(list("=proud").validate()), Some("corpus/name"));
}
