//! The codes of the library and the command, and a list of all codes.

use crate::motion::{self, Code};

motion::codes! {
    SEVERAL_TO_ONE = "command/several-to-one":
        "Several files cannot be written to one."
        => "Name a folder to write to, ending in /.";
    OUTPUT_ENDING = "command/output-ending":
        "The ending of the output does not name a format that can be written."
        => "Give the output an ending from the message; a folder to write to ends in /.";
    ONE_FILE_ONLY = "command/one-file-only":
        "An option that concerns one file was given with several."
        => "Name one file.";
    NO_ROLES = "command/no-roles":
        "The file holds points, which have no roles."
        => "Leave --save-roles out.";
    SEVERAL_TAKES = "command/several-takes":
        "The file holds several takes, and one is wanted."
        => "Choose one with --take NAME; or write to a folder, which gets all of them.";
    CHECK_MISSED = "command/check-missed":
        "A number of the quality card is above its threshold."
        => "See in the card where it is worst; --settings changes thresholds.";
    OTHER_TRUTH = "command/other-truth":
        "The truth is of another motion."
        => "Give the .truth.json that was written beside the clip.";
    OTHER_PLAN = "command/other-plan":
        "The plan is of another motion."
        => "Give the plan that the clip was made by.";
    NOT_A_TRUTH = "command/not-a-truth":
        "The file is no truth as `marey examples` writes it."
        => "Give the .truth.json that was written beside the clip.";
    LEFT_OUT = "command/left-out":
        "The request needs an engine that this build leaves out."
        => "Build marey with the feature that the message names.";
    PLAN_REALISE = "command/plan-realise":
        "The `realise` field of a plan cannot be used."
        => "Give what docs/plan.md lists for it, or leave the field out to realise the plan with the default passes.";
    NOT_A_PATH = "command/not-a-path":
        "The file holds figures, where points are wanted."
        => "Give a path: .csv or .json with t, x, z; or markers.";
    SETTINGS = "command/settings":
        "A settings file cannot be used."
        => "See the names and ranges that --help and the documentation give.";
    NOT_FOR_TOOL = "command/not-for-tool":
        "The tool does not open files of the format that is written."
        => "Write a .glb, which every tool opens.";
    NOT_FOR_EXAMPLE = "command/not-for-example":
        "An option has no meaning for the example that is made."
        => "Leave the option out; `marey examples --help` says what each is for.";
    NOT_FOR_FORMAT = "command/not-for-format":
        "An option has no meaning for the kind of picture that is written."
        => "Leave the option out, or change the ending of the output.";
    NO_LEADER = "command/no-leader":
        "Nobody leads by that name."
        => "Give a name that actors of the takes have, as `marey corpus show` lists them: --control actor:NAME.";
    SHORT_SEGMENT = "command/short-segment":
        "Segments of fewer than two frames were left out."
        => "Cut the take again, or remove the segments with `marey corpus rm`.";
    OTHER_BODY = "command/other-body" alias "tween/other-body":
        "Takes with another body, frame rate or number of actors were left out: a result has one body."
        => "Convert them first (`marey convert --skeleton FILE --resample HZ`), or choose takes that go together.";
    BRIDGE = "command/bridge":
        "Chunks cannot be bridged by ways of a style: somebody jumps, or several dance."
        => "Leave --travel absolute out, or give takes of one actor; --bridge join is for all.";
    NO_MODEL = "command/no-model":
        "The corpus holds no model of that name."
        => "Train one with `marey duet train`; it goes when takes are added or removed.";
    NO_LABELS = "command/no-labels":
        "Nobody's movements are labelled in the takes."
        => "Label them first with `marey duet label`.";
    LABELS_CHANGED = "command/labels-changed":
        "Labels were changed since the model was trained."
        => "Train it again with `marey duet train`, so that it knows of them.";
    NO_PERSON = "command/no-person":
        "Nobody of the pair is called that."
        => "Give a name that the message lists.";
    COMMANDS = "command/commands":
        "A line of a list of commands cannot be understood."
        => "Write a group's number, or normal, offensive or defensive; and where to go, as x and z in metres.";
    CANCELLED = "command/cancelled" alias "command/stopped":
        "The work was cancelled before it was done."
        => "Takes that were added to a corpus before that stay there; run the command again to continue.";
    NO_CORPUS = "command/no-corpus":
        "The request needs a corpus."
        => "Name a file ending in .marey; `marey corpus new` makes one.";
    NO_THREADS = "command/no-threads":
        "The system cannot start the threads that were asked for."
        => "Ask for fewer threads, or raise the limits on memory and processes (ulimit -a).";
    CLUSTER_NO_PYTHON = "cluster/no-python":
        "Python cannot be started."
        => "Install Python 3.10 or later, or name it: MAREY_PYTHON=/path/to/python.";
    CLUSTER_NO_PACKAGE = "cluster/no-package":
        "That Python does not have the package marey."
        => "Build it with `cargo xtask python`, which says where it is; then name that Python: MAREY_PYTHON=/path/to/venv/bin/python.";
    CLUSTER_NO_RAY = "cluster/no-ray":
        "Ray is not installed."
        => "Install it into the environment of marey: pip install 'marey[cluster]', or pip install ray fsspec.";
    PYTHON_ARRAY = "python/array":
        "An array does not have the shape or the kind of numbers that is wanted."
        => "See the message for the shape; rotations are frames × joints × 4 as x, y, z, w, positions frames × movers × 3 in metres.";
    PYTHON_VALUE = "python/value":
        "A value cannot be used here."
        => "See the type hints and the docstring of what was called.";
    PYTHON_CLOSED = "python/closed":
        "The corpus is closed."
        => "Open it again with marey.Corpus.open(path), or use it inside its `with` block.";
    PYTHON_THREAD = "python/thread":
        "The system gives no further thread to work on."
        => "End other programs, or raise the limits on memory and processes (ulimit -a).";
    PYTHON_BUG = "python/bug":
        "Marey itself is at fault."
        => "Please report it, with what was called and, if you can, the file.";
}

/// Every code of every crate, sorted by name.
///
/// ```
/// assert!(marey::codes::every().iter().any(|code| code.id == "bvh/frame-count"));
/// ```
pub fn every() -> Vec<&'static Code> {
    let mut all: Vec<&'static Code> = [
        ALL,
        motion::codes::ALL,
        crate::body::codes::ALL,
        crate::corpus::codes::ALL,
        crate::measure::codes::ALL,
        crate::ops::codes::ALL,
        crate::plan::codes::ALL,
        crate::realise::codes::ALL,
        crate::render::codes::ALL,
    ]
    .concat();
    #[cfg(feature = "duet")]
    all.extend(crate::duet::codes::ALL);
    #[cfg(feature = "examples")]
    all.extend(crate::examples::codes::ALL);
    #[cfg(feature = "follow")]
    all.extend(crate::follow::codes::ALL);
    #[cfg(feature = "perform")]
    all.extend([crate::perform::codes::ALL, crate::live::codes::ALL].concat());
    #[cfg(feature = "traverse")]
    all.extend(crate::traverse::codes::ALL);
    #[cfg(feature = "tween")]
    all.extend(crate::tween::codes::ALL);
    #[cfg(feature = "vary")]
    all.extend(crate::vary::codes::ALL);
    all.extend(crate::conventions::every_code());
    all.extend(crate::formats::every_code());
    all.sort_by_key(|code| code.id);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_name_of_its_own_and_says_what_to_do() {
        let all = every();
        assert!(all.windows(2).all(|pair| pair[0].id < pair[1].id), "a code is defined twice");
        let aliases: Vec<&str> = all.iter().flat_map(|code| code.aliases).copied().collect();
        for (i, alias) in aliases.iter().enumerate() {
            assert!(all.iter().all(|code| code.id != *alias), "{alias} is a code and an alias");
            assert!(!aliases[..i].contains(alias), "{alias} is an alias of two codes");
        }
        for code in all {
            let (room, name) = code.id.split_once('/').unwrap();
            let plain = |word: &str| {
                !word.is_empty()
                    && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
            };
            assert!(plain(room) && plain(name), "{}", code.id);
            for sentence in [code.summary, code.hint] {
                assert!(sentence.ends_with(['.', '?']), "{}: {sentence}", code.id);
            }
        }
    }
}
