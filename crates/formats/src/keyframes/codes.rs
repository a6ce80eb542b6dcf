//! Errors and warnings of the reader of keyframe tables.

marey_motion::codes! {
    // Errors.
    NOT_TEXT = "keyframes/not-text":
        "The file is not text."
        => "Save the table as CSV or JSON.";
    BAD_JSON = "keyframes/bad-json":
        "The JSON is not well formed, or has no list of keyframes."
        => "docs/keyframes.md describes the supported forms.";
    COLUMNS = "keyframes/columns":
        "The first line does not name the columns, or a line has another number of fields."
        => "Start with a line of names: pose,t or pose,t,x,z,degrees.";
    NO_POSE = "keyframes/no-pose":
        "A keyframe has no pose."
        => "Write TAKE@FRAME of the corpus, or FILE@FRAME.";
    BAD_NUMBER = "keyframes/bad-number":
        "A number was expected, but something else was found."
        => "Check the table at the reported place.";
    NO_KEYFRAMES = "keyframes/no-keyframes":
        "The table contains no keyframes."
        => "Write one keyframe per line, after the names of the columns.";
    TIME_ORDER = "keyframes/time-order":
        "The time of a keyframe is not after that of the previous one, or only some keyframes have times."
        => "Sort the keyframes by time and give each one a time, or none.";
    PLACE = "keyframes/place":
        "A place has only one of x and z, or a heading without a place."
        => "Give both x and z, or leave both empty.";
    LIMIT = "keyframes/limit":
        "The table exceeds a limit of the reader."
        => "Divide it into several tables.";

    // Warnings.
    UNKNOWN_COLUMN = "keyframes/unknown-column":
        "A column or key is unknown; it was ignored."
        => "Known names are pose, t, ms, x, z and degrees.";
}
