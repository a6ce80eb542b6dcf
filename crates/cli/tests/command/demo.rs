//! `marey demo`.

use crate::sandbox::Sandbox;

/// The measures that miss their thresholds: exhibit, motion, measure, and the largest value that is accepted.
const MISSED: [(&str, &str, &str, f64); 4] = [
    // Pieces that are not joined jump; the output shows what joining does.
    ("realise", "input", "acceleration over examples", 7.5),
    // The character swings on bars, while the performer, who is the baseline, stands in a room.
    ("perform", "output", "acceleration over examples", 12.0),
    ("perform", "output", "beyond examples' turns", 46.0),
    // The mean of what dancers do in a gap keeps no toe on the floor.
    ("tween", "output", "in the floor", 3.2),
];

#[test]
fn everything_is_made_and_shown_and_misses_only_what_is_known() {
    let sandbox = Sandbox::new("demo");
    let rows = sandbox.rows(&["demo", "show", "--json"]);
    let exhibits: Vec<&str> = rows.iter().filter_map(|row| row["exhibit"].as_str()).collect();
    let engines = ["realise", "follow", "duet", "traverse", "perform", "vary", "tween"];
    let examples = ["ballet", "lindy", "luxo", "playground", "taekwondo", "walk", "waltz"];
    for name in examples.into_iter().chain(engines) {
        assert!(exhibits.contains(&name), "{name} is not in {exhibits:?}");
    }
    let mut missed = Vec::new();
    for row in &rows {
        for line in row["missed"].as_array().unwrap() {
            let known = MISSED.iter().find(|(exhibit, motion, name, _)| {
                row["exhibit"] == *exhibit && row["motion"] == *motion && line["name"] == *name
            });
            let Some((.., at_most)) = known else { panic!("{row} misses a threshold") };
            assert!(line["value"].as_f64().unwrap() <= *at_most, "{line} of {row} exceeds {at_most}");
            missed.extend(known);
        }
        assert_eq!(row["passed"] == true, row["missed"].as_array().unwrap().is_empty(), "{row}");
    }
    for known in &MISSED {
        assert!(missed.contains(known), "{known:?} passes now: remove it from the list");
    }
    let page = String::from_utf8(sandbox.read("show/index.html")).unwrap();
    for row in &rows {
        for file in row["files"].as_array().unwrap() {
            let file = file.as_str().unwrap();
            assert!(page.contains(&format!("href=\"{file}\"")), "{file}");
            assert!(!sandbox.read(&format!("show/{file}")).is_empty());
        }
    }
    assert!(!page.contains("http"), "an external resource");
    // The corpus of the demo is there for the user's own requests.
    assert_eq!(sandbox.rows(&["corpus", "ls", "show/examples.marey", "--json"]).len(), 5);
    let again = sandbox.run(&["demo", "show"]);
    assert!(again.code == 1 && again.err.contains("error[file/exists]"), "{}", again.err);
}
