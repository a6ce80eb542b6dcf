//! Every warning and refusal of the reader of drawn paths.

marey_motion::codes! {
    // Refusals.
    NOT_TEXT = "path/not-text":
        "The file is not text."
        => "Save the path as CSV or JSON.";
    BAD_JSON = "path/bad-json":
        "The JSON is not well formed, or its points are not lists or objects of numbers."
        => "See docs/paths.md for the forms that are read.";
    BAD_NUMBER = "path/bad-number":
        "Something stands where a number should."
        => "Look at the place; names of columns stand in the first line only.";
    COLUMNS = "path/columns":
        "The columns do not give a place on the ground."
        => "Name them t,x,z or x,z,speed; without names, two are x,z, three t,x,z, four t,x,y,z.";
    NO_POINTS = "path/no-points":
        "The file holds no points."
        => "A path has one point at least.";
    TIME_ORDER = "path/time-order":
        "A point's time is before that of the point before it."
        => "Sort the points by time.";
    SAME_TIME = "path/same-time":
        "Two points have the same time and different places."
        => "Keep one of them, or give times with more decimals.";
    MIXED = "path/mixed":
        "Some points have a time or a speed, and others have not."
        => "Give every point a time, or every point a speed.";
    SPEED = "path/speed":
        "A speed is negative or not a number, or two points in a row have speed zero and the path could not go on."
        => "Speeds are metres a second; give a time where the path rests.";
    OUT_OF_RANGE = "path/out-of-range":
        "A coordinate or time is not a number or impossibly large."
        => "Paths are in metres and seconds; give the unit of lengths with --unit.";
    LIMIT = "path/limit":
        "The path goes beyond a limit of the reader, or lasts very long for its number of points."
        => "Check that times are in seconds; if the path is sound, raise the limit or lower --rate.";

    // Warnings: read, and lived with.
    ENCODING = "path/encoding":
        "The text is UTF-16."
        => "Nothing to do; other tools may not read this file.";
    UNKNOWN_COLUMN = "path/unknown-column":
        "A column or key has no meaning for a path; it was left out."
        => "Known are t, ms, x, y, z and speed.";
    SPEED_ASSUMED = "path/speed-assumed":
        "The points have neither times nor speeds; walking speed was taken."
        => "Give a speed: a column speed, a line # speed 1.4, or \"speed\" beside \"points\".";
    SPEED_UNUSED = "path/speed-unused":
        "The points have times and speeds; the times were taken."
        => "Leave one of them out.";
    REPEATED_POINT = "path/repeated-point":
        "A point is where the one before it is, at the same time or in a path with speeds, which cannot rest; it was left out."
        => "Give times instead of speeds where the path rests.";
    LATE_START = "path/late-start":
        "The first point is not at time 0; it is frame 0 here."
        => "Nothing to do, unless the path belongs to another motion's clock.";
    RESAMPLED = "path/resampled":
        "The points are not at a uniform rate; the path was followed at one, along the lines between them."
        => "Give the rate that you want: --rate 30.";
}
