//! Every warning and refusal of the Acclaim reader.

marey_motion::codes! {
    // Refusals of either file.
    NOT_TEXT = "acclaim/not-text":
        "The file is not text."
        => "Check that the file is an ASF or AMC and was not damaged or compressed.";
    BAD_NUMBER = "acclaim/bad-number":
        "Something stands where a number should."
        => "Look at the place; the file may be damaged there.";
    NOT_FINITE = "acclaim/not-finite":
        "A value is not a number or infinite and nothing before it can stand in."
        => "Export the motion again, or delete the frame.";
    OUT_OF_RANGE = "acclaim/out-of-range":
        "A value is too large to be an angle or a position, or a length is negative."
        => "Look at the place; the file may be damaged there.";
    LIMIT = "acclaim/limit":
        "The file goes beyond a limit of the reader."
        => "If the file is sound, raise the limit in the reader's options.";

    // Refusals of a skeleton.
    NO_BONES = "acclaim/no-bones":
        "The skeleton file has no bones."
        => "An ASF has a section :bonedata; check that this is the right file.";
    NO_HIERARCHY = "acclaim/no-hierarchy":
        "The skeleton file does not say which bone hangs from which."
        => "An ASF has a section :hierarchy whose first line starts with root; the file may have been cut off.";
    TRUNCATED = "acclaim/truncated":
        "The skeleton file ends inside a bone."
        => "The file was cut off; get it again from its source.";
    UNNAMED_BONE = "acclaim/unnamed-bone":
        "A bone has no name."
        => "Name it; the hierarchy and the motion speak of bones by name.";
    DUPLICATE_NAME = "acclaim/duplicate-name":
        "Two bones have the same name, or one is called root."
        => "Rename one; capital letters make no difference in this format.";
    DOF = "acclaim/dof":
        "A degree of freedom is unknown or named twice."
        => "A dof line has each of tx ty tz rx ry rz l once at most.";
    ROTATION_ORDER = "acclaim/rotation-order":
        "A rotation order is not made of X, Y and Z."
        => "Write it as in axis 0 0 20 XYZ.";
    ANGLE_UNIT = "acclaim/angle-unit":
        "The unit of angles is neither deg nor rad."
        => "Write angle deg or angle rad below :units.";
    HIERARCHY = "acclaim/hierarchy":
        "The hierarchy names a bone that is not there, hangs one from two others, or hangs the root from one."
        => "Compare the lines below :hierarchy with the names below :bonedata.";

    // Refusals of a motion.
    NO_SKELETON = "acclaim/no-skeleton":
        "The skeleton file that the motion belongs to was not found."
        => "Put the .asf beside the .amc, or name it: --asf FILE.asf.";
    WRONG_SKELETON = "acclaim/wrong-skeleton":
        "The motion names no bone of the skeleton, or hardly any."
        => "Check that the .asf belongs to the .amc; --asf FILE.asf names another.";
    FRAME_NUMBER = "acclaim/frame-number":
        "A line of the motion is neither a frame's number nor a bone with its values, or bones come before the first number."
        => "Look at the place; each frame starts with its number in a line of its own.";
    VALUE_COUNT = "acclaim/value-count":
        "A bone does not have as many values as the skeleton gives it degrees of freedom."
        => "Check that the .asf belongs to the .amc; numbers are written with a point, not a comma.";

    // Warnings about either file: read, and lived with.
    ENCODING = "acclaim/encoding":
        "The text is not UTF-8; it was read as UTF-16 or Latin-1."
        => "Names may look odd; save the file as UTF-8.";
    UNKNOWN_KEYWORD = "acclaim/unknown-keyword":
        "A line starts with a word that the format does not have there; it was passed over."
        => "Check whether the line matters to you.";
    NO_MOTION = "acclaim/no-motion":
        "The file holds no frames; the rest pose stands for one."
        => "Use it as a skeleton only.";

    // Warnings about a skeleton.
    SKELETON_GUESSED = "acclaim/skeleton-guessed":
        "The skeleton file is not named after the motion; it is the only one beside it."
        => "Check that the figure looks right; --asf FILE.asf names another.";
    MISSING_FIELD = "acclaim/missing-field":
        "The root or a bone lacks a line that it should have; a usual value stands in."
        => "Check the figure at rest.";
    DIRECTION = "acclaim/direction":
        "A bone's direction is not of length 1; it was brought to that."
        => "Check the bone's length.";
    LIMITS = "acclaim/limits":
        "The limits of a bone are not a pair of numbers, the lower first, for each degree of freedom."
        => "Nothing to do for the motion: limits are not used.";
    NOT_KEPT = "acclaim/not-kept":
        "The skeleton file says things that a skeleton has no place for; they were read and dropped."
        => "Nothing to do for the motion.";
    LOOSE_BONE = "acclaim/loose-bone":
        "A bone does not hang from the root; it was left out."
        => "Compare the lines below :hierarchy with the names below :bonedata.";
    UNCLOSED = "acclaim/unclosed":
        "The word end is missing behind a bone or the hierarchy."
        => "Check that the skeleton is whole.";
    ROOT_OFFSET = "acclaim/root-offset":
        "The root has a place or orientation of its own: tools disagree how it goes with the motion."
        => "Here the whole motion is turned by the orientation, then moved to the place.";
    BONE_TRANSLATION = "acclaim/bone-translation":
        "A bone has translations: the format does not say from where."
        => "Here they go along the bone's own axes, from where it is at rest.";
    STRETCHED_TIP = "acclaim/stretched-tip":
        "The last bone of a chain changes its length; its end stays where it is at rest."
        => "Add a bone behind it if its end matters.";

    // Warnings about a motion.
    RATE_ASSUMED = "acclaim/rate-assumed":
        "The file does not say how many frames a second it has; 120 were assumed."
        => "Give the rate it was captured at: --rate 60.";
    FIRST_FRAME = "acclaim/first-frame":
        "The first frame does not have the number 1."
        => "Nothing to do where the motion was cut out of a longer one.";
    FRAME_GAP = "acclaim/frame-gap":
        "Frames are missing between two numbers; nothing was put in their place."
        => "The motion jumps there; export it again if it matters.";
    FRAME_ORDER = "acclaim/frame-order":
        "A frame's number is not above the one before; frames were read in the order of the file."
        => "Look at the place; two files may have been joined.";
    MISSING_BONE = "acclaim/missing-bone":
        "A frame lacks a bone; its last values stand in, or its rest pose."
        => "Check that the .asf belongs to the .amc.";
    REPEATED_BONE = "acclaim/repeated-bone":
        "A frame has a bone twice; the last line counts."
        => "Look at the place; a frame's number may be missing.";
    UNKNOWN_BONE = "acclaim/unknown-bone":
        "The motion has values for a bone that the skeleton does not have or does not let move; they were dropped."
        => "Check that the .asf belongs to the .amc.";
    DAMAGED_LINE = "acclaim/damaged-line":
        "A bone has too many or too few values in a frame; its last ones stand in."
        => "Look at the place; export the motion again if it matters.";
    HELD_VALUE = "acclaim/held-value":
        "A value is not a number or infinite; the bone's values of the frame before stand in."
        => "Look at the place; export the motion again if it matters.";
    TRUNCATED_FRAME = "acclaim/truncated-frame":
        "The last frame is incomplete and was left out."
        => "The file was cut off; get it again from its source.";
}
