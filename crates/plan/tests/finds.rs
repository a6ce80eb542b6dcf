//! Plans that a fuzz target once failed on.

use std::fs;
use std::path::Path;

use marey_motion::Coded;
use marey_plan::Plan;

#[test]
fn finds_are_refused_or_read_back_as_they_were() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/finds/plan");
    let mut finds: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    finds.sort();
    let outcomes = finds.iter().map(|find| {
        let name = find.file_stem().unwrap().to_string_lossy().into_owned();
        match Plan::from_json(&fs::read_to_string(find).unwrap()) {
            Ok(plan) => {
                assert_eq!(Plan::from_json(&plan.to_json().unwrap()).unwrap(), plan, "{name}");
                (name, "read")
            }
            Err(error) => (name, error.code().id),
        }
    });
    assert_eq!(
        outcomes.collect::<Vec<_>>(),
        [("clip-changes-when-written".into(), "plan/json"), ("inexact-number".into(), "read")]
    );
}
