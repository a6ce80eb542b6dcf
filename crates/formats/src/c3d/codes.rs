//! Every warning and refusal of the C3D reader.

marey_motion::codes! {
    // Refusals.
    NOT_C3D = "c3d/not-c3d":
        "The file does not start as a C3D does."
        => "Check that the file is a C3D and was not damaged or compressed.";
    TRUNCATED = "c3d/truncated":
        "The file ends before its parameters or its first frame."
        => "The file was cut off; get it again from its source.";
    NO_POINTS = "c3d/no-points":
        "The file holds no positions of markers."
        => "Files of analog signals alone have no motion to read.";
    RATE = "c3d/rate":
        "The file does not give a usable frame rate."
        => "Give the rate by hand: --rate 120.";
    SCALE = "c3d/scale":
        "The file does not give a usable scale, which tells whole numbers from floating ones."
        => "The file is damaged or not finished; export it again.";
    LIMIT = "c3d/limit":
        "The file goes beyond a limit of the reader."
        => "If the file is sound, raise the limit in the reader's options.";

    // Warnings: read, and lived with.
    PROCESSOR = "c3d/processor":
        "The file does not say which kind of processor wrote it; Intel was taken."
        => "Check that the markers are where they should be.";
    PARAMETERS = "c3d/parameters":
        "A parameter does not fit its place in the file, or there are more than any program writes; it and what follows were passed over."
        => "Check labels, unit and rate; export the file again if they matter.";
    DISAGREEMENT = "c3d/disagreement":
        "The header and the parameters do not agree; see which was taken."
        => "Check the number of frames, markers and the rate that were read.";
    FRAME_COUNT = "c3d/frame-count":
        "The number of frames announced is not the number found; what was found was read."
        => "Check whether the file was cut off.";
    FIRST_FRAME = "c3d/first-frame":
        "The file is a piece of a longer recording; its first frame is frame 0 here."
        => "Subtract the number of the first frame from frame numbers of other programs.";
    UNLABELLED = "c3d/unlabelled":
        "A marker has no label; it was given one."
        => "Label it in the capture program if it matters.";
    DUPLICATE_LABEL = "c3d/duplicate-label":
        "Two markers have the same label; the later one was renamed."
        => "Rename it in the source if other tools look it up by name.";
    SPARE_LABELS = "c3d/spare-labels":
        "There are more labels than markers; the last ones were passed over."
        => "Check that the labels belong to the markers.";
    ENCODING = "c3d/encoding":
        "A text is not UTF-8; it was read as Latin-1."
        => "Labels may look odd; rename them if they do.";
    UNIT = "c3d/unit":
        "The unit of positions is none that is known."
        => "Check the unit that was found; --unit overrides it.";
    SCREEN_AXES = "c3d/screen-axes":
        "The vertical axis of the screen points down in the world, or is none; its direction was not taken from it."
        => "Check that the markers stand upright; --up overrides it.";
    NOT_POSITIONS = "c3d/not-positions":
        "Some points are angles, forces, moments or powers, not positions; they were left out."
        => "Nothing to do for the motion.";
    BAD_POSITION = "c3d/bad-position":
        "A coordinate is not a number or impossibly large; the marker is missing there."
        => "Export the file again if it matters.";
    BAD_RESIDUAL = "c3d/bad-residual":
        "A residual is not a number that the format can have; the position was taken without it."
        => "Nothing to do, unless residuals matter to you.";
    AT_ORIGIN = "c3d/at-origin":
        "A marker is exactly at the origin without a residual, as some programs write a gap; it is missing there."
        => "Nothing to do.";
    NO_RESIDUAL = "c3d/no-residual":
        "Some positions have no residual, though others do: a program filled or computed them before they were saved."
        => "Trust them less than the others.";
    ANALOG_LAYOUT = "c3d/analog-layout":
        "The analog samples of a frame do not divide into channels; they were left out."
        => "Export the file again if the signals matter.";
    ANALOG_SCALE = "c3d/analog-scale":
        "The scale of an analog channel is missing or no number; its samples are as they were recorded."
        => "Scale the channel by hand if it matters.";
    ANALOG_VALUE = "c3d/analog-value":
        "An analog sample is not a number or infinite; it is not a number now."
        => "Leave such samples out.";
    EVENTS = "c3d/events":
        "The file names instants, which have no place in a clip; they were left out."
        => "Note the times that are listed, if they matter.";
    NOT_KEPT = "c3d/not-kept":
        "The file says things that markers have no place for; they were read and dropped."
        => "Nothing to do for the motion.";
}
