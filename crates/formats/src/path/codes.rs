//! Errors and warnings of the reader of drawn paths.

marey_motion::codes! {
    // Errors.
    NOT_TEXT = "path/not-text":
        "The file is not text."
        => "Save the path as CSV or JSON.";
    BAD_JSON = "path/bad-json":
        "The JSON is not well formed, or its points are not lists or objects of numbers."
        => "docs/paths.md describes the supported forms.";
    BAD_NUMBER = "path/bad-number":
        "A number was expected, but something else was found."
        => "Check the file at the reported place; only the first line contains column names.";
    COLUMNS = "path/columns":
        "The columns do not define a position on the ground."
        => "Name them t,x,z or x,z,speed; without names, two are x,z, three t,x,z, four t,x,y,z.";
    NO_POINTS = "path/no-points":
        "The file contains no points."
        => "A path has at least one point.";
    TIME_ORDER = "path/time-order":
        "The time of a point is before that of the previous point."
        => "Sort the points by time.";
    SAME_TIME = "path/same-time":
        "Two points have the same time but different positions."
        => "Keep one of them, or give times with more decimals.";
    MIXED = "path/mixed":
        "Some points have a time or a speed, and others do not."
        => "Give every point a time, or every point a speed.";
    SPEED = "path/speed":
        "A speed is negative or not a number, or two consecutive points have speed zero, so that the path cannot continue."
        => "Speeds are in metres per second; use times if the path pauses.";
    OUT_OF_RANGE = "path/out-of-range":
        "A coordinate or time is NaN or impossibly large."
        => "Paths are in metres and seconds; set the unit of length with --unit.";
    LIMIT = "path/limit":
        "The path exceeds a limit of the reader, or is very long for its number of points."
        => "Check that times are in seconds; if the path is valid, raise the limit or lower --rate.";
    BAD_SVG = "path/bad-svg":
        "A line of the drawing is not well formed."
        => "Save the drawing again as plain SVG.";
    UNSUPPORTED_SVG = "path/unsupported-svg":
        "The drawing contains arcs or transforms."
        => "Apply transforms, and convert arcs to curves or lines, before saving the drawing.";

    // Warnings.
    SVG_SCALE = "path/svg-scale":
        "A drawing has no unit of length; a centimetre was assumed."
        => "Set the length of a unit with --unit.";
    MORE_LINES = "path/more-lines":
        "The drawing has several lines; the first was used."
        => "Join the lines, or delete those that are not the path.";
    ENCODING = "path/encoding":
        "The text is UTF-16."
        => "Nothing to do; other tools may not read this file.";
    UNKNOWN_COLUMN = "path/unknown-column":
        "A column or key is unknown; it was ignored."
        => "Known names are t, ms, x, y, z and speed.";
    SPEED_ASSUMED = "path/speed-assumed":
        "The points have neither times nor speeds; walking speed was assumed."
        => "Give a speed: a column speed, a line # speed 1.4, or \"speed\" beside \"points\".";
    SPEED_UNUSED = "path/speed-unused":
        "The points have times and speeds; the times were used."
        => "Remove one of them.";
    REPEATED_POINT = "path/repeated-point":
        "A point repeats the previous one, at the same time or in a path with speeds, which cannot pause; it was omitted."
        => "Use times instead of speeds if the path pauses.";
    LATE_START = "path/late-start":
        "The first point is not at time 0; it becomes frame 0."
        => "Nothing to do, unless the path shares its clock with another motion.";
    RESAMPLED = "path/resampled":
        "The points are not uniform in time; the path was resampled along the lines between them."
        => "Set the rate you want: --rate 30.";
}
