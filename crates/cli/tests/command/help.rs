//! Every `--help`, and the scripts for shells.

use crate::sandbox::{Sandbox, assert_snapshot};

const VERBS: [&str; 23] = [
    "marey",
    "inspect",
    "convert",
    "check",
    "render",
    "realise",
    "corpus",
    "follow",
    "transcribe",
    "duet",
    "traverse",
    "perform",
    "play",
    "record",
    "vary",
    "tween",
    "wander",
    "studio",
    "study",
    "cluster",
    "demo",
    "examples",
    "completions",
];

/// The verbs of `marey corpus`.
const CORPUS_VERBS: [&str; 16] = [
    "new", "add", "ls", "show", "tag", "segment", "label", "cluster", "query", "rename", "report", "rm",
    "export", "import", "check", "vacuum",
];

/// The verbs of `marey duet`.
const DUET_VERBS: [&str; 4] = ["label", "train", "graph", "run"];

/// The verbs of `marey study`.
const STUDY_VERBS: [&str; 5] = ["new", "own", "serve", "results", "plan"];

/// Every verb, those of the corpus, of duets and of studies as two words.
fn all_verbs() -> Vec<String> {
    let corpus = CORPUS_VERBS.iter().map(|verb| format!("corpus {verb}"));
    let duet = DUET_VERBS.iter().map(|verb| format!("duet {verb}"));
    let study = STUDY_VERBS.iter().map(|verb| format!("study {verb}"));
    VERBS.iter().map(|verb| (*verb).to_owned()).chain(corpus).chain(duet).chain(study).collect()
}

/// The arguments that show a verb's help.
fn help_of<'a>(verb: &'a str, flag: &'a str) -> Vec<&'a str> {
    if verb == "marey" { vec![flag] } else { verb.split(' ').chain([flag]).collect() }
}

#[test]
fn every_help_is_as_kept() {
    let sandbox = Sandbox::new("help");
    for verb in all_verbs() {
        let name = format!("help-{}", verb.replace(' ', "-"));
        assert_snapshot(&name, &sandbox.ok(&help_of(&verb, "--help")).out);
    }
}

#[test]
fn every_help_starts_with_two_examples() {
    let sandbox = Sandbox::new("help-examples");
    for verb in all_verbs() {
        let verb = verb.as_str();
        for flag in ["-h", "--help"] {
            let help = sandbox.ok(&help_of(verb, flag)).out;
            let lines: Vec<&str> = help.lines().take(4).collect();
            let [title, first, second, end] = lines[..] else { panic!("{verb}: {help}") };
            assert_eq!((title, end), ("Examples:", ""), "{verb}");
            let start = help_of(verb, "").join(" ");
            for example in [first, second] {
                assert!(example.starts_with(format!("  marey {start}").trim_end()), "{verb}: {example}");
            }
        }
    }
}

#[test]
fn the_list_of_verbs_is_complete() {
    let sandbox = Sandbox::new("help-list");
    for (args, wanted) in
        [(&["-h"][..], &VERBS[1..]), (&["corpus", "-h"], &CORPUS_VERBS), (&["study", "-h"], &STUDY_VERBS)]
    {
        let help = sandbox.ok(args).out;
        let verbs =
            help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
        let names: Vec<&str> = verbs.filter_map(|line| line.split_whitespace().next()).collect();
        assert_eq!(names, wanted);
    }
}

#[test]
fn the_version_is_told() {
    let told = Sandbox::new("version").ok(&["--version"]).out;
    assert_eq!(told, format!("marey {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn shells_get_their_scripts() {
    let sandbox = Sandbox::new("completions");
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = sandbox.ok(&["completions", shell]).out;
        assert!(script.contains("inspect") && script.contains("save-roles"), "{shell}");
    }
    assert_eq!(sandbox.run(&["completions", "abacus"]).code, 2);
}
