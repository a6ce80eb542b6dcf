//! Every warning and refusal of the FBX reader.

marey_motion::codes! {
    // Refusals.
    NOT_FBX = "fbx/not-fbx":
        "The file is not an FBX file."
        => "Check that it is the right file; an FBX file starts with `Kaydara FBX Binary` or `; FBX`.";
    TRUNCATED = "fbx/truncated":
        "The file ends too early."
        => "The file was cut off; get it again from its source.";
    DAMAGED = "fbx/damaged":
        "The content does not follow the format, or holds numbers that are none."
        => "Export the file again; a binary FBX of version 7.4 or later is read best.";
    UNSUPPORTED = "fbx/unsupported":
        "The file is of a version of the format that cannot be read."
        => "Open it in a program that reads old FBX files and export it as FBX 2014 or later.";
    NO_SKELETON = "fbx/no-skeleton":
        "There is no skeleton in the file: no bones, and no tree of nodes that move."
        => "Export the bones along with the animation.";
    OUT_OF_RANGE = "fbx/out-of-range":
        "A joint is too far away to be, or is moved or turned by what is no number."
        => "Look at the joint in the program the file comes from; the file may be damaged.";
    LIMIT = "fbx/limit":
        "The file goes beyond a limit of the reader."
        => "If the file is sound, raise the limit in the reader's options.";

    // Warnings: read, and lived with.
    REPAIRED = "fbx/repaired":
        "Parts of the file do not fit together; they were put right or passed over."
        => "Look at a picture of the motion; export the file again where it looks wrong.";
    BARE_WORD = "fbx/bare-word":
        "A word stands where a number should; it was taken for the code of its first letter."
        => "Look at the place and put it right, or export the file as binary.";
    UNKNOWN_VERSION = "fbx/unknown-version":
        "The file is of a version of the format that is not known; it was read as if it were the nearest."
        => "Look at a picture of the motion; export the file as FBX 2020 where it looks wrong.";
    NO_BONES = "fbx/no-bones":
        "There are no bones; a tree of other nodes that move stands for the skeleton."
        => "Check the joints that were read with `marey inspect`.";
    STRAY_BONES = "fbx/stray-bones":
        "Chains of bones beside the figures do not branch as a body does; they were left out."
        => "Nothing to do where they are targets and controls; else put them under the figure's own root.";
    RENAMED = "fbx/renamed":
        "Joints, actors or takes have no name or one that is taken; they were given another."
        => "Name them where roles or takes are found wrong.";
    NO_MOTION = "fbx/no-motion":
        "The file holds a skeleton but no motion of it; the pose it was left in stands for one frame."
        => "Export the animation along with the skeleton.";
    EMPTY_STACK = "fbx/empty-stack":
        "An animation stack has no keys for any joint; it was left out."
        => "Nothing to do where the motion is in another stack.";
    KEYS_OUTSIDE = "fbx/keys-outside":
        "Keys lie outside the time span that their stack states; they were left out."
        => "Widen the time range in the program the file comes from, and export it again.";
    STILL_ENDS = "fbx/still-ends":
        "A stack's time span is longer than its keys; the still time before or after them was left out."
        => "Nothing to do, unless the pose should be held.";
    BETWEEN_FRAMES = "fbx/between-frames":
        "Keys lie between frames; the motion was sampled at the frames."
        => "Nothing to do where the rate is high enough; else give another: --rate 120.";
    RATE_ASSUMED = "fbx/rate-assumed":
        "The file states no frame rate that could be, and its keys do not tell one."
        => "Give the rate: --rate 30.";
    SCALE_CHANGES = "fbx/scale-changes":
        "A node's scale changes in time; the joints below it move away from it and back, and sizes are not kept."
        => "Nothing to do where it looks right; bake or delete the scale keys where it does not.";
    UNEVEN_SCALE = "fbx/uneven-scale":
        "A node is scaled more along one axis than along another; joints are where they should be, shapes are not kept."
        => "Nothing to do where it looks right; freeze the scale in the program the file comes from where it does not.";
    NO_SIZE = "fbx/no-size":
        "A node is scaled to nothing; the joints below it fall together there."
        => "Nothing to do where that hides a part; else set its scale in the program the file comes from.";
    KEY_ORDER = "fbx/key-order":
        "Keys are not in the order of time; what lies between them may be wrong."
        => "Look at a picture of the motion; export the file again where it looks wrong.";
    LEFT_HANDED = "fbx/left-handed":
        "The axes that the file states are left-handed; the motion was mirrored to right-handed ones."
        => "Check in a picture whether left and right are exchanged.";
    NOT_KEPT = "fbx/not-kept":
        "The file holds more than the motion of skeletons; that was not kept."
        => "Nothing to do, unless the motion depends on it: bake constraints to keys before export.";
}
