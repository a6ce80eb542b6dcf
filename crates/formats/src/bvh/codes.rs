//! Errors and warnings of the BVH reader and writer.

marey_motion::codes! {
    // Errors.
    NOT_TEXT = "bvh/not-text":
        "The file is not text."
        => "Check that the file is a BVH and was not damaged or compressed.";
    NO_HIERARCHY = "bvh/no-hierarchy":
        "No joint was found before the motion or the end of the file."
        => "A BVH starts with HIERARCHY and ROOT; check that this is the right file.";
    TRUNCATED_HIERARCHY = "bvh/truncated-hierarchy":
        "The file ends inside the joint tree."
        => "The file is truncated; get it again from its source.";
    MISSING_BRACE = "bvh/missing-brace":
        "A joint has no opening brace after its name."
        => "Put { after the joint's name.";
    BAD_NUMBER = "bvh/bad-number":
        "A number was expected, but something else was found."
        => "Check the file at the reported place; it may be damaged.";
    NOT_FINITE = "bvh/not-finite":
        "A value is NaN or infinite, and there is no earlier value to replace it."
        => "Export the motion again, or delete the frame.";
    OUT_OF_RANGE = "bvh/out-of-range":
        "A value is too large for an angle or a position."
        => "Check the file at the reported place; it may be damaged.";
    FRAME_WIDTH = "bvh/frame-width":
        "The lines of the motion do not have as many values as the joints have channels."
        => "Compare the CHANNELS lines with the number of values in a line.";
    FRAME_TIME = "bvh/frame-time":
        "The frame time is missing, zero or not a number."
        => "Set the rate: --rate 120.";
    DUPLICATE_CHANNEL = "bvh/duplicate-channel":
        "A joint has the same position channel twice."
        => "Correct the joint's CHANNELS line.";
    LIMIT = "bvh/limit":
        "The file exceeds a limit of the reader."
        => "If the file is valid, raise the limit in the reader's options.";

    // Warnings.
    ENCODING = "bvh/encoding":
        "The text is not UTF-8; it was read as UTF-16 or Latin-1."
        => "Names may be garbled; save the file as UTF-8.";
    NO_HIERARCHY_KEYWORD = "bvh/no-hierarchy-keyword":
        "The word HIERARCHY is missing at the start."
        => "Nothing to do; the joints were read.";
    JOINT_AS_ROOT = "bvh/joint-as-root":
        "A JOINT is outside every other joint, or a ROOT is inside one; each was read by its position."
        => "Check the tree that was read.";
    EXTRA_BRACE = "bvh/extra-brace":
        "There is an extra closing brace."
        => "Check the tree that was read.";
    UNCLOSED = "bvh/unclosed":
        "The motion starts before all braces are closed."
        => "Check the tree that was read.";
    UNKNOWN_KEYWORD = "bvh/unknown-keyword":
        "A line starts with a word that is not part of BVH; the line was skipped."
        => "Check whether you need the line.";
    UNNAMED_JOINT = "bvh/unnamed-joint":
        "A joint has no name; it was given one."
        => "Name the joint if its role is wrong.";
    DUPLICATE_NAME = "bvh/duplicate-name":
        "Two joints have the same name; the later one was renamed."
        => "Rename it in the source if other tools look it up by name.";
    OFFSET_VALUES = "bvh/offset-values":
        "An OFFSET is missing, repeated, or does not have three numbers; missing numbers are 0, extra ones were dropped."
        => "Check the bone's length.";
    CHANNEL_COUNT = "bvh/channel-count":
        "A CHANNELS line names more or fewer channels than it announces; the names were used."
        => "Check the figure; correct the number.";
    UNKNOWN_CHANNEL = "bvh/unknown-channel":
        "A channel is neither a position nor a rotation; its values were dropped."
        => "Marey does not keep scale and custom channels.";
    END_SITE_JOINT = "bvh/end-site-joint":
        "An End Site has channels or joints of its own; it was kept as a joint."
        => "Nothing to do.";
    NO_MOTION = "bvh/no-motion":
        "The file contains no frames; the rest pose is used as the only frame."
        => "Use it as a skeleton only.";
    FRAME_COUNT = "bvh/frame-count":
        "The file announces a different number of frames than it contains; all frames found were read."
        => "Check whether the file is truncated.";
    TRUNCATED_FRAME = "bvh/truncated-frame":
        "The last frame is incomplete and was omitted."
        => "The file is truncated; get it again from its source.";
    WRAPPED_FRAMES = "bvh/wrapped-frames":
        "Frames do not match lines; values were read in order instead."
        => "Nothing to do if the figure moves correctly.";
    DAMAGED_FRAME = "bvh/damaged-frame":
        "A line has too many or too few values; the previous frame replaces it."
        => "Check the file at the reported place; export the motion again if it matters.";
    HELD_VALUE = "bvh/held-value":
        "A value is NaN or infinite; the value of the previous frame replaces it."
        => "Check the file at the reported place; export the motion again if it matters.";
    TRAILING_TEXT = "bvh/trailing-text":
        "Text after the last frame was skipped."
        => "Check whether you need it.";
    DECIMAL_COMMA = "bvh/decimal-comma":
        "Numbers are written with decimal commas."
        => "Nothing to do; other tools may not read this file.";
    FRAME_TIME_REPAIRED = "bvh/frame-time-repaired":
        "The frame time was negative, or given as a rate or in milliseconds."
        => "Check the rate shown; --rate overrides it.";
    POSITIONS = "bvh/positions":
        "Position channels beside a non-zero OFFSET: dialects disagree whether they replace or add to it."
        => "The message states which was chosen; --positions replace or --positions add overrides it.";
    RENAMED = "bvh/renamed":
        "A joint's name is not valid in a BVH and was changed."
        => "Look the joint up by its new name.";
    REST_OFFSET = "bvh/rest-offset":
        "A joint moves so far from its OFFSET that readers would add its positions to it; its OFFSET was written as zero."
        => "Nothing to do for the motion; the rest pose of such joints is not in the file.";
}
