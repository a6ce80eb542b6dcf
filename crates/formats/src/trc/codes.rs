//! Every warning and refusal of the TRC reader.

marey_motion::codes! {
    // Refusals.
    NOT_TEXT = "trc/not-text":
        "The file is not text."
        => "Check that the file is a TRC and was not damaged or compressed.";
    NO_HEADER = "trc/no-header":
        "The lines that a TRC starts with are not there."
        => "A TRC starts with PathFileType, then names and values of its rate and unit, then the names of markers.";
    NO_MARKERS = "trc/no-markers":
        "The file names no marker."
        => "The fourth line has Frame#, Time, and the names of markers.";
    NO_FRAMES = "trc/no-frames":
        "The file has no rows of positions."
        => "The file may have been cut off.";
    BAD_NUMBER = "trc/bad-number":
        "Something stands where a number should."
        => "Look at the place; the file may be damaged there.";
    RATE = "trc/rate":
        "The file does not give a usable frame rate."
        => "Give the rate by hand: --rate 120.";
    LIMIT = "trc/limit":
        "The file goes beyond a limit of the reader."
        => "If the file is sound, raise the limit in the reader's options.";

    // Warnings: read, and lived with.
    ENCODING = "trc/encoding":
        "The text is not UTF-8; it was read as UTF-16 or Latin-1."
        => "Names may look odd; save the file as UTF-8.";
    MARKER_COUNT = "trc/marker-count":
        "The number of markers announced is not the number named; the names count."
        => "Check the markers that were read.";
    FRAME_COUNT = "trc/frame-count":
        "The number of frames announced is not the number found; what was found was read."
        => "Check whether the file was cut off.";
    FRAME_NUMBER = "trc/frame-number":
        "The numbers of frames do not go up by one; rows were read one after the other."
        => "Check whether rows are missing.";
    TIME = "trc/time":
        "The times of the rows do not agree with the rate; the rate was taken."
        => "Check the rate; --rate overrides it.";
    RATE_BY_TIME = "trc/rate-by-time":
        "The file does not give a usable rate; it was taken from the times of the rows."
        => "Check the rate; --rate overrides it.";
    UNLABELLED = "trc/unlabelled":
        "A marker has no name; it was given one."
        => "Name it in the capture program if it matters.";
    DUPLICATE_LABEL = "trc/duplicate-label":
        "Two markers have the same name; the later one was renamed."
        => "Rename it in the source if other tools look it up by name.";
    UNIT = "trc/unit":
        "The unit is missing or none that is known."
        => "Check the unit that was found; --unit overrides it.";
    PARTIAL_POSITION = "trc/partial-position":
        "A position has one or two coordinates of three; the marker is missing there."
        => "Look at the place; export the file again if it matters.";
    BAD_POSITION = "trc/bad-position":
        "A coordinate is infinite or impossibly large; the marker is missing there."
        => "Look at the place; export the file again if it matters.";
    AT_ORIGIN = "trc/at-origin":
        "A marker is exactly at the origin, as some programs write a gap; it is missing there."
        => "Nothing to do.";
    SHORT_ROW = "trc/short-row":
        "A row ends before its last marker; the markers behind are missing there."
        => "Check whether the file was cut off.";
    EXTRA_VALUES = "trc/extra-values":
        "A row has values behind its last marker; they were dropped."
        => "Check the names of markers.";
}
