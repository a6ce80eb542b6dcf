//! `marey demo`.

use crate::sandbox::Sandbox;

#[test]
fn everything_is_made_shown_and_passes() {
    let sandbox = Sandbox::new("demo");
    let rows = sandbox.rows(&["demo", "show", "--json"]);
    let exhibits: Vec<&str> = rows.iter().filter_map(|row| row["exhibit"].as_str()).collect();
    let engines = ["realise", "follow", "duet", "traverse", "perform", "vary", "tween"];
    let examples = ["ballet", "lindy", "luxo", "playground", "taekwondo", "walk", "waltz"];
    for name in examples.into_iter().chain(engines) {
        assert!(exhibits.contains(&name), "{name} is not in {exhibits:?}");
    }
    let page = String::from_utf8(sandbox.read("show/index.html")).unwrap();
    for row in &rows {
        let is_example = !engines.iter().any(|engine| row["exhibit"] == *engine);
        assert!(!is_example || row["passed"] == true, "{row}");
        for file in row["files"].as_array().unwrap() {
            let file = file.as_str().unwrap();
            assert!(page.contains(&format!("href=\"{file}\"")), "{file}");
            assert!(!sandbox.read(&format!("show/{file}")).is_empty());
        }
    }
    assert!(!page.contains("http"), "nothing from elsewhere");
    let again = sandbox.run(&["demo", "show"]);
    assert!(again.code == 1 && again.err.contains("error[file/exists]"), "{}", again.err);
}
