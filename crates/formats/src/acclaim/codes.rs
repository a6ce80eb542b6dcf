//! Errors and warnings of the Acclaim reader.

marey_motion::codes! {
    // Errors in either file.
    NOT_TEXT = "acclaim/not-text":
        "The file is not text."
        => "Check that the file is an ASF or AMC and was not damaged or compressed.";
    BAD_NUMBER = "acclaim/bad-number":
        "A number was expected, but something else was found."
        => "Check the file at the reported place; it may be damaged.";
    NOT_FINITE = "acclaim/not-finite":
        "A value is NaN or infinite, and there is no earlier value to replace it."
        => "Export the motion again, or delete the frame.";
    OUT_OF_RANGE = "acclaim/out-of-range":
        "A value is too large for an angle or a position, or a length is negative."
        => "Check the file at the reported place; it may be damaged.";
    LIMIT = "acclaim/limit":
        "The file exceeds a limit of the reader."
        => "If the file is valid, raise the limit in the reader's options.";

    // Errors in a skeleton file.
    NO_BONES = "acclaim/no-bones":
        "The skeleton file has no bones."
        => "An ASF has a section :bonedata; check that this is the right file.";
    NO_HIERARCHY = "acclaim/no-hierarchy":
        "The skeleton file has no hierarchy of bones."
        => "An ASF has a section :hierarchy whose first line starts with root; the file may be truncated.";
    TRUNCATED = "acclaim/truncated":
        "The skeleton file ends inside a bone."
        => "The file is truncated; get it again from its source.";
    UNNAMED_BONE = "acclaim/unnamed-bone":
        "A bone has no name."
        => "Name it; the hierarchy and the motion refer to bones by name.";
    DUPLICATE_NAME = "acclaim/duplicate-name":
        "Two bones have the same name, or one is called root."
        => "Rename one; the format ignores case.";
    DOF = "acclaim/dof":
        "A degree of freedom is unknown or named twice."
        => "A dof line has each of tx ty tz rx ry rz l at most once.";
    ROTATION_ORDER = "acclaim/rotation-order":
        "A rotation order is not made of X, Y and Z."
        => "Write it as in axis 0 0 20 XYZ.";
    ANGLE_UNIT = "acclaim/angle-unit":
        "The unit of angles is neither deg nor rad."
        => "Write angle deg or angle rad below :units.";
    HIERARCHY = "acclaim/hierarchy":
        "The hierarchy names an unknown bone, gives a bone two parents, or gives the root a parent."
        => "Compare the lines below :hierarchy with the names below :bonedata.";

    // Errors in a motion file.
    NO_SKELETON = "acclaim/no-skeleton":
        "The skeleton file that the motion belongs to was not found."
        => "Put the .asf beside the .amc, or name it: --asf FILE.asf.";
    WRONG_SKELETON = "acclaim/wrong-skeleton":
        "The motion names few or none of the bones of the skeleton."
        => "Check that the .asf belongs to the .amc; --asf FILE.asf names another.";
    FRAME_NUMBER = "acclaim/frame-number":
        "A line of the motion is neither a frame number nor a bone with values, or bones come before the first frame number."
        => "Check the file at the reported place; each frame starts with a line that contains only its number.";
    VALUE_COUNT = "acclaim/value-count":
        "The number of values of a bone differs from its degrees of freedom in the skeleton."
        => "Check that the .asf belongs to the .amc; numbers are written with a point, not a comma.";

    // Warnings about either file.
    ENCODING = "acclaim/encoding":
        "The text is not UTF-8; it was read as UTF-16 or Latin-1."
        => "Names may be garbled; save the file as UTF-8.";
    UNKNOWN_KEYWORD = "acclaim/unknown-keyword":
        "A line starts with a word that is not valid there; it was skipped."
        => "Check whether you need the line.";
    NO_MOTION = "acclaim/no-motion":
        "The file contains no frames; the rest pose is used as the only frame."
        => "Use it as a skeleton only.";

    // Warnings about a skeleton.
    SKELETON_GUESSED = "acclaim/skeleton-guessed":
        "The skeleton file is not named after the motion; it is the only one beside it."
        => "Check that the figure looks right; --asf FILE.asf names another.";
    MISSING_FIELD = "acclaim/missing-field":
        "The root or a bone lacks a required line; a default value replaces it."
        => "Check the figure at rest.";
    DIRECTION = "acclaim/direction":
        "A bone's direction does not have length 1; it was normalised."
        => "Check the bone's length.";
    LIMITS = "acclaim/limits":
        "The limits of a bone are not a pair of numbers, the lower first, for each degree of freedom."
        => "Nothing to do for the motion: limits are not used.";
    NOT_KEPT = "acclaim/not-kept":
        "The skeleton file contains data that Marey does not keep."
        => "Nothing to do for the motion.";
    LOOSE_BONE = "acclaim/loose-bone":
        "A bone is not connected to the root; it was omitted."
        => "Compare the lines below :hierarchy with the names below :bonedata.";
    UNCLOSED = "acclaim/unclosed":
        "The word end is missing after a bone or the hierarchy."
        => "Check that the skeleton is complete.";
    ROOT_OFFSET = "acclaim/root-offset":
        "The root has a position or orientation of its own; tools disagree how to combine it with the motion."
        => "Marey rotates the whole motion by the orientation, then moves it to the position.";
    BONE_TRANSLATION = "acclaim/bone-translation":
        "A bone has translations; the format does not define their origin."
        => "Marey applies them along the bone's own axes, from its rest position.";
    STRETCHED_TIP = "acclaim/stretched-tip":
        "The last bone of a chain changes its length; its end stays at its rest position."
        => "Add a bone after it if its end matters.";

    // Warnings about a motion.
    RATE_ASSUMED = "acclaim/rate-assumed":
        "The file has no frame rate; 120 Hz was assumed."
        => "Set the rate it was captured at: --rate 60.";
    FIRST_FRAME = "acclaim/first-frame":
        "The first frame does not have the number 1."
        => "Nothing to do if the motion is part of a longer one.";
    FRAME_GAP = "acclaim/frame-gap":
        "Frames are missing between two numbers; they were not filled."
        => "The motion jumps there; export it again if it matters.";
    FRAME_ORDER = "acclaim/frame-order":
        "A frame number does not increase; frames were read in the order of the file."
        => "Check the file at the reported place; two files may have been joined.";
    MISSING_BONE = "acclaim/missing-bone":
        "A frame lacks a bone; its last values or its rest pose replace it."
        => "Check that the .asf belongs to the .amc.";
    REPEATED_BONE = "acclaim/repeated-bone":
        "A frame lists a bone twice; the last line was used."
        => "Check the file at the reported place; a frame number may be missing.";
    UNKNOWN_BONE = "acclaim/unknown-bone":
        "The motion has values for a bone that the skeleton does not have or that has no degrees of freedom; they were dropped."
        => "Check that the .asf belongs to the .amc.";
    DAMAGED_LINE = "acclaim/damaged-line":
        "A bone has too many or too few values in a frame; its last values replace them."
        => "Check the file at the reported place; export the motion again if it matters.";
    HELD_VALUE = "acclaim/held-value":
        "A value is NaN or infinite; the bone's values of the previous frame replace it."
        => "Check the file at the reported place; export the motion again if it matters.";
    TRUNCATED_FRAME = "acclaim/truncated-frame":
        "The last frame is incomplete and was omitted."
        => "The file is truncated; get it again from its source.";
}
