//! Errors and warnings of the C3D reader.

marey_motion::codes! {
    // Errors.
    NOT_C3D = "c3d/not-c3d":
        "The file does not start with a C3D header."
        => "Check that the file is a C3D and was not damaged or compressed.";
    TRUNCATED = "c3d/truncated":
        "The file ends before its parameters or its first frame."
        => "The file is truncated; get it again from its source.";
    NO_POINTS = "c3d/no-points":
        "The file contains no marker positions."
        => "Files with only analog signals contain no motion.";
    RATE = "c3d/rate":
        "The file has no valid frame rate."
        => "Set the rate: --rate 120.";
    SCALE = "c3d/scale":
        "The file has no valid scale, which distinguishes integers from floating-point numbers."
        => "The file is damaged or incomplete; export it again.";
    LIMIT = "c3d/limit":
        "The file exceeds a limit of the reader."
        => "If the file is valid, raise the limit in the reader's options.";

    // Warnings.
    PROCESSOR = "c3d/processor":
        "The file does not declare the type of processor that wrote it; Intel was assumed."
        => "Check the positions of the markers.";
    PARAMETERS = "c3d/parameters":
        "A parameter exceeds its space in the file, or there are too many; it and all following parameters were skipped."
        => "Check labels, unit and rate; export the file again if they matter.";
    DISAGREEMENT = "c3d/disagreement":
        "The header and the parameters disagree; the message states which was used."
        => "Check the number of frames and markers, and the rate.";
    FRAME_COUNT = "c3d/frame-count":
        "The file announces a different number of frames than it contains; all frames found were read."
        => "Check whether the file is truncated.";
    FIRST_FRAME = "c3d/first-frame":
        "The file is part of a longer recording; its first frame is frame 0 in Marey."
        => "Subtract the number of the first frame from frame numbers of other programs.";
    UNLABELLED = "c3d/unlabelled":
        "A marker has no label; it was given one."
        => "Label it in the capture program if it matters.";
    DUPLICATE_LABEL = "c3d/duplicate-label":
        "Two markers have the same label; the later one was renamed."
        => "Rename it in the source if other tools look it up by name.";
    SPARE_LABELS = "c3d/spare-labels":
        "There are more labels than markers; the extra labels were skipped."
        => "Check that the labels belong to the markers.";
    ENCODING = "c3d/encoding":
        "A text is not UTF-8; it was read as Latin-1."
        => "Labels may be garbled; rename them if they are.";
    UNIT = "c3d/unit":
        "The unit of positions is unknown."
        => "Check the detected unit; --unit overrides it.";
    SCREEN_AXES = "c3d/screen-axes":
        "The vertical axis of the screen points down or is invalid; it was not used as the up axis."
        => "Check that the markers stand upright; --up overrides it.";
    NOT_POSITIONS = "c3d/not-positions":
        "Some points are angles, forces, moments or powers, not positions; they were omitted."
        => "Nothing to do for the motion.";
    BAD_POSITION = "c3d/bad-position":
        "A coordinate is NaN or impossibly large; the marker is missing in that frame."
        => "Export the file again if it matters.";
    BAD_RESIDUAL = "c3d/bad-residual":
        "A residual is invalid; the position was kept without it."
        => "Nothing to do, unless you need residuals.";
    AT_ORIGIN = "c3d/at-origin":
        "A marker is exactly at the origin without a residual, which some programs write for a gap; it is missing in that frame."
        => "Nothing to do.";
    NO_RESIDUAL = "c3d/no-residual":
        "Some positions have no residual although others do; a program probably computed them to fill gaps."
        => "Trust them less than the others.";
    ANALOG_LAYOUT = "c3d/analog-layout":
        "The analog samples of a frame do not divide into channels; they were omitted."
        => "Export the file again if the signals matter.";
    ANALOG_SCALE = "c3d/analog-scale":
        "The scale of an analog channel is missing or invalid; its samples are unscaled."
        => "Scale the channel by hand if it matters.";
    ANALOG_VALUE = "c3d/analog-value":
        "An analog sample is NaN or infinite; it was replaced by NaN."
        => "Ignore such samples.";
    EVENTS = "c3d/events":
        "The file contains events, which Marey does not keep."
        => "Note the times in the message if you need them.";
    NOT_KEPT = "c3d/not-kept":
        "The file contains data that Marey does not keep."
        => "Nothing to do for the motion.";
}
