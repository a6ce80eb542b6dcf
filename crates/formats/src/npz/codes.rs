//! Errors and warnings of the NPZ reader and writer.

marey_motion::codes! {
    // Errors.
    NOT_ARCHIVE = "npz/not-archive":
        "The file is not a readable archive."
        => "An NPZ is a zip of arrays; the file may be damaged or truncated.";
    ENTRY = "npz/entry":
        "An array of the archive cannot be unpacked."
        => "Save the file again with numpy's savez or savez_compressed.";
    NO_POSES = "npz/no-poses":
        "The archive has no array of poses."
        => "In the AMASS layout the array is called poses; body shapes and labels alone are not motion.";
    ARRAY = "npz/array":
        "An array is not numeric, or does not match its header."
        => "Save poses and trans as plain arrays of floating-point numbers.";
    POSE_WIDTH = "npz/pose-width":
        "The number of values per pose is not that of a known body model."
        => "Poses have 66, 72 (SMPL), 156 (SMPL-H) or 165 (SMPL-X) values: three for each joint.";
    NO_FRAMES = "npz/no-frames":
        "The array of poses has no frames."
        => "Check how the file was made.";
    TRANS = "npz/trans":
        "The translations are not three numbers for each pose."
        => "Check how the file was made.";
    RATE = "npz/rate":
        "The frame rate is not a valid number."
        => "Set the rate: --rate 120.";
    NOT_FINITE = "npz/not-finite":
        "A value of the first frame is NaN or infinite, and there is no earlier value to replace it."
        => "Remove the frame.";
    OUT_OF_RANGE = "npz/out-of-range":
        "A value is too large for an angle or a position."
        => "The file may be damaged, or its angles in degrees.";
    LIMIT = "npz/limit":
        "The file exceeds a limit of the reader."
        => "If the file is valid, raise the limit: --limit inflated-bytes=N.";

    // Warnings.
    DEFAULT_BODY = "npz/default-body":
        "The file has poses but no bone lengths; those of an adult of 1.7 m were used."
        => "Bone lengths are not the performer's, so feet may slide or sink a little.";
    REPLACED_BODY = "npz/replaced-body":
        "The format has no bone lengths; the motion was retargeted to the joints of the body model."
        => "Nothing to do; write a .fbx or .glb to keep the body.";
    NO_TRANS = "npz/no-trans":
        "The file has no translations; the body stays in one place."
        => "Nothing to do if only the poses matter.";
    RATE_ASSUMED = "npz/rate-assumed":
        "The file has no frame rate; a default was assumed."
        => "If that is wrong, set the rate: --rate 60.";
    HELD_VALUE = "npz/held-value":
        "A value is NaN or infinite; the value of the previous frame replaces it."
        => "Check the frame in the message; save the motion again if it matters.";
    NOT_KEPT = "npz/not-kept":
        "The archive contains arrays that Marey does not keep."
        => "Nothing to do for the motion.";
}
