//! Errors and warnings of the TRC reader.

marey_motion::codes! {
    // Errors.
    NOT_TEXT = "trc/not-text":
        "The file is not text."
        => "Check that the file is a TRC and was not damaged or compressed.";
    NO_HEADER = "trc/no-header":
        "The header lines of a TRC are missing."
        => "A TRC starts with PathFileType, then the names and values of its rate and unit, then the marker names.";
    NO_MARKERS = "trc/no-markers":
        "The file has no marker names."
        => "The fourth line has Frame#, Time, and the marker names.";
    NO_FRAMES = "trc/no-frames":
        "The file has no rows of positions."
        => "The file may be truncated.";
    BAD_NUMBER = "trc/bad-number":
        "A number was expected, but something else was found."
        => "Check the file at the reported place; it may be damaged.";
    RATE = "trc/rate":
        "The file has no valid frame rate."
        => "Set the rate: --rate 120.";
    LIMIT = "trc/limit":
        "The file exceeds a limit of the reader."
        => "If the file is valid, raise the limit in the reader's options.";

    // Warnings.
    ENCODING = "trc/encoding":
        "The text is not UTF-8; it was read as UTF-16 or Latin-1."
        => "Names may be garbled; save the file as UTF-8.";
    MARKER_COUNT = "trc/marker-count":
        "The file announces a different number of markers than it names; the names were used."
        => "Check the markers that were read.";
    FRAME_COUNT = "trc/frame-count":
        "The file announces a different number of frames than it contains; all frames found were read."
        => "Check whether the file is truncated.";
    FRAME_NUMBER = "trc/frame-number":
        "The frame numbers do not increase by one; rows were read in order."
        => "Check whether rows are missing.";
    TIME = "trc/time":
        "The times of the rows disagree with the rate; the rate was used."
        => "Check the rate; --rate overrides it.";
    RATE_BY_TIME = "trc/rate-by-time":
        "The file has no valid rate; it was computed from the times of the rows."
        => "Check the rate; --rate overrides it.";
    UNLABELLED = "trc/unlabelled":
        "A marker has no name; it was given one."
        => "Name it in the capture program if it matters.";
    DUPLICATE_LABEL = "trc/duplicate-label":
        "Two markers have the same name; the later one was renamed."
        => "Rename it in the source if other tools look it up by name.";
    UNIT = "trc/unit":
        "The unit is missing or unknown."
        => "Check the detected unit; --unit overrides it.";
    PARTIAL_POSITION = "trc/partial-position":
        "A position has one or two coordinates of three; the marker is missing in that frame."
        => "Check the file at the reported place; export it again if it matters.";
    BAD_POSITION = "trc/bad-position":
        "A coordinate is infinite or impossibly large; the marker is missing in that frame."
        => "Check the file at the reported place; export it again if it matters.";
    AT_ORIGIN = "trc/at-origin":
        "A marker is exactly at the origin, which some programs write for a gap; it is missing in that frame."
        => "Nothing to do.";
    SHORT_ROW = "trc/short-row":
        "A row ends before its last marker; the remaining markers are missing in that frame."
        => "Check whether the file is truncated.";
    EXTRA_VALUES = "trc/extra-values":
        "A row has values after its last marker; they were dropped."
        => "Check the marker names.";
}
