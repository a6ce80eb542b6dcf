//! Every warning and refusal of the NPZ reader.

marey_motion::codes! {
    // Refusals.
    NOT_ARCHIVE = "npz/not-archive":
        "The file is not an archive that can be opened."
        => "An NPZ is a zip of arrays; the file may be damaged or cut off.";
    ENTRY = "npz/entry":
        "An array of the archive cannot be unpacked."
        => "Save the file again with numpy's savez or savez_compressed.";
    NO_POSES = "npz/no-poses":
        "The archive has no array of poses."
        => "In the AMASS layout the array is called poses; body shapes and labels alone are no motion.";
    ARRAY = "npz/array":
        "An array is not made of numbers, or is not what its header says."
        => "Save poses and trans as plain arrays of floating numbers.";
    POSE_WIDTH = "npz/pose-width":
        "The values of a pose are not those of a known body model."
        => "Poses have 66, 72 (SMPL), 156 (SMPL-H) or 165 (SMPL-X) values: three for each joint.";
    NO_FRAMES = "npz/no-frames":
        "The array of poses has no frames."
        => "Check how the file was made.";
    TRANS = "npz/trans":
        "The places of the body are not three numbers for each pose."
        => "Check how the file was made.";
    RATE = "npz/rate":
        "The frame rate is not a usable number."
        => "Give the rate by hand: --rate 120.";
    NOT_FINITE = "npz/not-finite":
        "A value of the first frame is not a number or infinite, and nothing before it can stand in."
        => "Leave the frame out.";
    OUT_OF_RANGE = "npz/out-of-range":
        "A value is too large to be an angle or a place."
        => "The file may be damaged, or its angles in degrees.";
    LIMIT = "npz/limit":
        "The file goes beyond a limit of the reader."
        => "If the file is sound, raise the limit: --limit inflated-bytes=N.";

    // Warnings: read, and lived with.
    DEFAULT_BODY = "npz/default-body":
        "The file has poses but no bones; an adult of 1.7 m was given them."
        => "Bone lengths are not the performer's, so feet may slide or sink a little.";
    NO_TRANS = "npz/no-trans":
        "The file does not say where the body is; it stays at one place."
        => "Nothing to do where only the poses matter.";
    RATE_ASSUMED = "npz/rate-assumed":
        "The file does not give its rate; a usual one was taken."
        => "Give the rate where that is wrong: --rate 60.";
    HELD_VALUE = "npz/held-value":
        "A value is not a number or infinite; the value of the frame before stands in."
        => "Look at the frame; save the motion again if it matters.";
    NOT_KEPT = "npz/not-kept":
        "The archive holds arrays that a clip has no place for; they were left aside."
        => "Nothing to do for the motion.";
}
