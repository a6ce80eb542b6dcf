//! The codes of the library and the command, and a list of all codes.

use crate::motion::{self, Code};

motion::codes! {
    SEVERAL_TO_ONE = "command/several-to-one":
        "Several files cannot be written to one file of this format."
        => "Name a folder to write to, ending in /, or a .glb or .gltf, in which they become several animations.";
    OUTPUT_ENDING = "command/output-ending":
        "Marey does not write files with the ending of the output."
        => "Use an ending that the message lists; a folder to write to ends in /.";
    ONE_FILE_ONLY = "command/one-file-only":
        "An option for one file was used with several files."
        => "Name one file.";
    NO_ROLES = "command/no-roles":
        "The file contains points, which have no roles."
        => "Remove --save-roles.";
    SEVERAL_TAKES = "command/several-takes":
        "The file contains several takes, and one is needed."
        => "Choose one with --take NAME, or write all of them to a folder.";
    CHECK_MISSED = "command/check-missed":
        "A measure of the quality card exceeds its threshold."
        => "The card lists the worst frame of each measure; --settings changes thresholds.";
    OTHER_TRUTH = "command/other-truth":
        "The truth belongs to another motion."
        => "Use the .truth.json file that was written beside the clip.";
    OTHER_PLAN = "command/other-plan":
        "The plan belongs to another motion."
        => "Use the plan that the clip was made from.";
    NOT_A_TRUTH = "command/not-a-truth":
        "The file is not a truth file of `marey examples`."
        => "Use the .truth.json file that was written beside the clip.";
    LEFT_OUT = "command/left-out":
        "The request needs an engine that this build does not contain."
        => "Build marey with the feature that the message names.";
    PLAN_REALISE = "command/plan-realise":
        "The `realise` field of a plan cannot be used."
        => "See docs/plan.md for its fields, or remove it to realise the plan with the default passes.";
    NOT_A_PATH = "command/not-a-path":
        "The file contains figures, but points are needed."
        => "Use a path (.csv or .json with t, x, z) or markers.";
    SETTINGS = "command/settings":
        "A setting is unknown or out of range."
        => "See --help and the documentation for names and ranges.";
    NOT_FOR_TOOL = "command/not-for-tool":
        "The tool does not open files of this format."
        => "Write a .glb, which every tool opens.";
    NOT_FOR_EXAMPLE = "command/not-for-example":
        "An option does not apply to this example."
        => "Remove the option; `marey examples --help` lists which examples it applies to.";
    NOT_FOR_FORMAT = "command/not-for-format":
        "An option does not apply to this kind of picture."
        => "Remove the option, or change the ending of the output.";
    NO_LEADER = "command/no-leader":
        "No actor that leads has this name."
        => "Use the name of an actor, which `marey corpus show` lists: --control actor:NAME.";
    SHORT_SEGMENT = "command/short-segment":
        "Segments of fewer than two frames were left out."
        => "Cut the take again, or remove the segments with `marey corpus rm`.";
    UNUSABLE_SEGMENT = "command/unusable-segment":
        "Segments with unusable frames were left out."
        => "Nothing to do; `marey corpus show TAKE` lists the tags named unusable.";
    UNUSED_STRIDE = "command/unused-stride":
        "Steps of the examples that are no strides were left out."
        => "The message counts them by reason. Strides lead ahead and straight, and alternate between the feet.";
    UNUSABLE_FRAMES = "command/unusable-frames":
        "Frames that cannot be used were left out."
        => "Nothing to do; `marey corpus show TAKE` lists the tags named unusable.";
    REPEATED_SEGMENT = "command/repeated-segment":
        "One segment was repeated many times in a row: the examples have few steps for this control, and feet slide."
        => "Add takes that move as the control does, or ask for a path and pace that the examples have.";
    TRAINED_NOW = "command/trained-now":
        "The corpus has no stored model, so one was trained for this run."
        => "Nothing to do; `marey duet label` and `marey duet train` store a model in a corpus for later runs.";
    NO_EXAMPLES = "command/no-examples":
        "No take of the corpus can be used as an example."
        => "The message names the step that left none; `marey corpus segment CORPUS --by steps` cuts takes into segments.";
    OTHER_BODY = "command/other-body" alias "tween/other-body":
        "Takes with another frame rate or number of actors were left out."
        => "Convert them first (`marey convert --resample HZ`), or choose takes that go together.";
    EXAMPLES_LIMIT = "command/examples-limit":
        "The corpus has more motion than a verb holds in memory; evenly chosen takes were used."
        => "Name the takes to use, or allow more: --budget examples=N.";
    RETARGETED = "command/retargeted":
        "Examples of other bodies were retargeted onto the body of the result."
        => "Nothing to do, unless one person alone should be the example: then choose that person's takes.";
    CHARACTER_ACTOR = "character/no-actor":
        "A character was given for an actor that the motion does not have."
        => "Use a name that the message lists: --character NAME=FILE.";
    CHARACTER_ROLES = "character/no-roles":
        "The joints of a body were not recognised as those of a person with enough confidence to move motion from or to it."
        => "Write the roles with `marey inspect FILE --save-roles roles.toml`, correct them, and use --character-roles, --skeleton-roles or, for the input, --roles.";
    CHARACTER_TAKE = "character/no-take":
        "A corpus was named as a character or skeleton without one of its takes."
        => "Name the take whose body is meant: --skeleton walks.marey@TAKE; `marey corpus ls --bodies` lists them.";
    NOT_FOR_CHARACTER = "character/not-for-character":
        "A character keeps its own bone names and body."
        => "Remove --for, --mesh none or --skeleton.";
    LOOP_SEAM = "convert/loop-seam":
        "The motion has no good cycle: the ends of the best one differ visibly, and were bent to meet."
        => "Use motion that repeats itself, such as several steps of a walk, or choose a part of it with --frames.";
    NOT_FOR_OUTPUT = "convert/not-for-output":
        "An option does not apply to the format of the output."
        => "Remove the option, or write a .glb.";
    MERGED_ACTORS = "convert/merged-actors":
        "A file has another number of actors than the first, and was left out of the merged file."
        => "Merge only files with as many actors, or write them to a folder.";
    TWEEN_REQUEST = "command/tween":
        "Poses, times, places or gaps of tween do not fit together."
        => "Give two or more poses with a time for each, or one clip with gaps inside it.";
    BRIDGE = "command/bridge":
        "In-betweens need a single dancer who travels onward."
        => "Remove --travel absolute, or use takes of one actor; --bridge join works for all.";
    VARY_KEYFRAMES = "command/vary-keyframes":
        "Keyframes were combined with an option that is for takes."
        => "Remove the option; `tween` connects keyframes, and each one is a cell of its own.";
    VARY_BEATS = "command/vary-beats":
        "Only cuts that fit the dance can keep the count of its beats."
        => "Use --beats, with --tempo if you know it, and leave out --cut free.";
    NO_BEATS = "command/no-beats":
        "The motion has no rhythm that can be found."
        => "Give the tempo with --tempo, in beats per minute.";
    NO_MODEL = "command/no-model":
        "The corpus contains no model of this name."
        => "Train one with `marey duet train`; a model is deleted when takes are added or removed.";
    NO_LABELS = "command/no-labels":
        "The takes have no labelled movements."
        => "Label them first with `marey duet label`.";
    LITTLE_LABELLED = "command/little-labelled":
        "Less than half of a take is in movements."
        => "`marey duet label` lists the frames that are not used, and why.";
    LABELS_CHANGED = "command/labels-changed":
        "Labels have changed since the model was trained."
        => "Train it again with `marey duet train` to use them.";
    NO_PERSON = "command/no-person":
        "Neither person of the pair has this name."
        => "Use a name that the message lists.";
    COMMANDS = "command/commands":
        "A line of a list of commands is malformed."
        => "Write the number of a group, or normal, offensive or defensive; optionally a position as x and z in metres.";
    CANCELLED = "command/cancelled" alias "command/stopped":
        "The work was cancelled before it was done."
        => "Takes that were added to a corpus before that stay there; run the command again to continue.";
    LIMIT = "command/limit":
        "The request asks for more than the budget allows."
        => "Ask for less, or allow more: --budget frames=N, --budget metres=N.";
    NO_CORPUS = "command/no-corpus":
        "The request needs a corpus."
        => "Name a corpus (a file ending in .marey), or motion files: a folder, a pattern or a file.";
    EMPTY_ARCHIVE = "command/empty-archive":
        "None of the motion files can be used."
        => "See the message for the first file; `marey inspect` shows what a file contains.";
    NO_CACHE = "command/no-cache":
        "There is no folder for corpora that are made of motion files."
        => "Set MAREY_CACHE to a folder, or make a corpus with `marey corpus new` and `marey corpus add`.";
    NO_THREADS = "command/no-threads":
        "The system cannot start the requested threads."
        => "Use fewer threads, or raise the limits on memory and processes (ulimit -a).";
    STUDY_CLIPS = "study/clips":
        "A condition of a study has no clips, or the corpus has too few for a study."
        => "Name motion files; for `marey study own`, use a corpus with several takes of one person each, or a smaller --secs.";
    STUDY_MAKE = "study/make":
        "The clips of a condition cannot be made as the definition says."
        => "Correct make = { verb = …, of = …, settings = … }; docs/study.md lists what makes clips.";
    STUDY_UNCHANGED = "study/unchanged":
        "A clip came back as it was: raters cannot tell it from its source."
        => "Use a longer clip, or other settings.";
    CLUSTER_NO_PYTHON = "cluster/no-python":
        "Python cannot be started."
        => "Install Python 3.10 or later, or set MAREY_PYTHON=/path/to/python.";
    CLUSTER_NO_PACKAGE = "cluster/no-package":
        "The Python installation does not have the package marey."
        => "Build it with `cargo xtask python`, which says where it is; then name that Python: MAREY_PYTHON=/path/to/venv/bin/python.";
    CLUSTER_NO_RAY = "cluster/no-ray":
        "Ray is not installed."
        => "Install it into the environment of marey: pip install 'marey[cluster]', or pip install ray fsspec.";
    PYTHON_ARRAY = "python/array":
        "An array has the wrong shape or type of numbers."
        => "See the message for the shape; rotations are frames × joints × 4 as x, y, z, w, positions frames × movers × 3 in metres.";
    PYTHON_VALUE = "python/value":
        "A value cannot be used here."
        => "See the type hints and the docstring of the function.";
    PYTHON_CLOSED = "python/closed":
        "The corpus is closed."
        => "Open it again with marey.Corpus.open(path), or use it inside its `with` block.";
    PYTHON_THREAD = "python/thread":
        "The system cannot start another thread."
        => "End other programs, or raise the limits on memory and processes (ulimit -a).";
    PYTHON_BUG = "python/bug":
        "An internal error: this is a bug in Marey."
        => "Please report it with the call and, if possible, the file.";
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
    #[cfg(feature = "render")]
    all.extend(crate::render::codes::ALL);
    #[cfg(feature = "study")]
    all.extend(crate::study::codes::ALL);
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
            let (area, name) = code.id.split_once('/').unwrap();
            let plain = |word: &str| {
                !word.is_empty()
                    && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
            };
            assert!(plain(area) && plain(name), "{}", code.id);
            for sentence in [code.summary, code.hint] {
                assert!(sentence.ends_with(['.', '?']), "{}: {sentence}", code.id);
            }
        }
    }
}
