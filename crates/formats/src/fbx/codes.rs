//! Errors and warnings of the FBX reader and writer.

marey_motion::codes! {
    // Errors.
    NOT_FBX = "fbx/not-fbx":
        "The file is not an FBX file."
        => "Check that it is the right file; an FBX file starts with `Kaydara FBX Binary` or `; FBX`.";
    TRUNCATED = "fbx/truncated":
        "The file ends too early."
        => "The file is truncated; get it again from its source.";
    DAMAGED = "fbx/damaged":
        "The content is malformed, or contains invalid numbers."
        => "Export the file again; a binary FBX of version 7.4 or later is read best.";
    UNSUPPORTED = "fbx/unsupported":
        "The file has an unsupported version of the format."
        => "Open it in a program that reads old FBX files and export it as FBX 2014 or later.";
    NO_SKELETON = "fbx/no-skeleton":
        "The file contains no skeleton: no bones, and no animated hierarchy of nodes."
        => "Export the bones along with the animation.";
    OUT_OF_RANGE = "fbx/out-of-range":
        "The position or rotation of a joint is impossibly large or not a number."
        => "Check the joint in the program that wrote the file; the file may be damaged.";
    LIMIT = "fbx/limit":
        "The file exceeds a limit of the reader."
        => "If the file is valid, raise the limit in the reader's options.";

    // Warnings.
    REPAIRED = "fbx/repaired":
        "Parts of the file are inconsistent; they were repaired or skipped."
        => "Check a picture of the motion; export the file again if it looks wrong.";
    BARE_WORD = "fbx/bare-word":
        "A word was found in place of a number; it was read as the character code of its first letter."
        => "Correct the file at the reported place, or export it as binary.";
    UNKNOWN_VERSION = "fbx/unknown-version":
        "The version of the format is unknown; the file was read as the nearest known version."
        => "Check a picture of the motion; export the file as FBX 2020 if it looks wrong.";
    NO_BONES = "fbx/no-bones":
        "There are no bones; an animated hierarchy of other nodes was used as the skeleton."
        => "Check the joints that were read with `marey inspect`.";
    STRAY_BONES = "fbx/stray-bones":
        "Chains of bones outside the figures do not branch like a body; they were omitted."
        => "Nothing to do if they are targets and controls; otherwise move them below the figure's root.";
    RENAMED = "fbx/renamed":
        "Joints, actors or takes have no name, a duplicate name, or one with characters that the format reserves; they were renamed."
        => "Name them if roles or takes are wrong.";
    NO_MOTION = "fbx/no-motion":
        "The file contains a skeleton without motion; its current pose is used as the only frame."
        => "Export the animation along with the skeleton.";
    EMPTY_STACK = "fbx/empty-stack":
        "An animation stack has no keys for any joint; it was omitted."
        => "Nothing to do if the motion is in another stack.";
    KEYS_OUTSIDE = "fbx/keys-outside":
        "Keys are outside the time range of their stack; they were omitted."
        => "Extend the time range in the program that wrote the file, and export it again.";
    STILL_ENDS = "fbx/still-ends":
        "A stack's time range is longer than its keys; the time before and after the keys was omitted."
        => "Nothing to do, unless the pose should be held.";
    BETWEEN_FRAMES = "fbx/between-frames":
        "Keys are between frames; the motion was sampled at the frames."
        => "Nothing to do if the rate is high enough; otherwise set it: --rate 120.";
    RATE_ASSUMED = "fbx/rate-assumed":
        "The file has no valid frame rate, and its keys do not imply one."
        => "Set the rate: --rate 30.";
    SCALE_CHANGES = "fbx/scale-changes":
        "A node's scale changes over time; the positions of the joints below it follow, but sizes are not kept."
        => "If the motion looks wrong, bake or delete the scale keys.";
    UNEVEN_SCALE = "fbx/uneven-scale":
        "A node is scaled non-uniformly; joint positions are correct, but shapes are not kept."
        => "If the motion looks wrong, freeze the scale in the program that wrote the file.";
    NO_SIZE = "fbx/no-size":
        "A node has scale zero; the joints below it collapse to its position."
        => "Nothing to do if that hides a part; otherwise set its scale in the program that wrote the file.";
    KEY_ORDER = "fbx/key-order":
        "Keys are not sorted by time; the motion between them may be wrong."
        => "Check a picture of the motion; export the file again if it looks wrong.";
    LEFT_HANDED = "fbx/left-handed":
        "The file declares left-handed axes; the motion was mirrored to right-handed ones."
        => "Check in a picture whether left and right are swapped.";
    NOT_KEPT = "fbx/not-kept":
        "The file contains more than skeletal motion; the rest was not kept."
        => "Nothing to do, unless the motion depends on it: bake constraints to keys before export.";
}
