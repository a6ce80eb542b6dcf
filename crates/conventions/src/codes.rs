//! Warnings about conventions.

marey_motion::codes! {
    ROLES_UNSURE = "conventions/roles-unsure" alias "door/roles-unsure":
        "The roles of the joints could not be detected with confidence."
        => "Set them in a roles file: --roles roles.toml. `marey inspect --save-roles` writes one to start from.";
    UP_AXIS = "conventions/up-axis" alias "door/up-axis":
        "The file's up axis is not Y; the motion was rotated."
        => "Nothing to do if the figure stands upright; --up overrides it.";
    UP_AXIS_DOUBTFUL = "conventions/up-axis-doubtful" alias "door/up-axis-doubtful":
        "The body does not stand along the up axis that the file declares; the declared axis was used."
        => "Check a picture. If the figure lies but should stand, set the axis: --up z.";
    FACING = "conventions/facing" alias "door/facing":
        "The body does not face +Z at rest; its rest pose was rotated."
        => "Nothing to do; --facing overrides it.";
    MIRRORED = "conventions/mirrored" alias "door/mirrored":
        "The feet point opposite to the direction that the body faces."
        => "Check in a picture whether left and right are swapped; a roles file can correct them.";
    UNIT_UNKNOWN = "conventions/unit-unknown" alias "door/unit-unknown":
        "No common unit gives the figure a human height."
        => "Set the unit: --unit cm, or a number of metres.";
    UNIT_ASSUMED = "conventions/unit-assumed" alias "door/unit-assumed":
        "There is no person to infer the unit from."
        => "Set the unit: --unit cm, or a number of metres.";
    UNIT_DOUBTFUL = "conventions/unit-doubtful" alias "door/unit-doubtful":
        "The unit that the file declares gives the figure an impossible height; a human height was assumed."
        => "If that is wrong, set the unit: --unit cm, or a number of metres.";
    REST_POSE = "conventions/rest-pose" alias "door/rest-pose":
        "Joints without rotation do not form a standing person; a T-pose was built from the bones."
        => "Nothing to do if feet and hands look right; otherwise set a frame in which the person stands: --rest 0.";
    REST_FRAME = "conventions/rest-frame" alias "door/rest-frame":
        "The first frame is a calibration pose, not motion."
        => "Remove it with --trim-rest; `marey corpus add` removes it.";
    RATE_DOUBTFUL = "conventions/rate-doubtful" alias "door/rate-doubtful":
        "The motion contradicts the frame rate in the file."
        => "Set the rate it was captured at: --rate 60, or --fix-rate for the one that fits.";
    RATE_CORRECTED = "conventions/rate-corrected":
        "The motion contradicts the frame rate in the file; the rate was corrected."
        => "Check a picture; --rate sets another rate.";
}
