//! Every warning of the door.

marey_motion::codes! {
    ROLES_UNSURE = "door/roles-unsure":
        "What the joints are for could not be told with confidence."
        => "Say it in a roles file: --roles roles.toml; `marey inspect --save-roles` writes one to start from.";
    UP_AXIS = "door/up-axis":
        "The file's up axis is not Y; the motion was turned."
        => "Nothing to do where the figure stands; --up overrides it.";
    UP_AXIS_DOUBTFUL = "door/up-axis-doubtful":
        "The body does not stand along the up axis that the file states; the file's word was taken."
        => "Look at a picture; where the figure lies that should stand, give the axis: --up z.";
    FACING = "door/facing":
        "The body at rest does not face +Z; its frame was turned."
        => "Nothing to do; --facing overrides it.";
    MIRRORED = "door/mirrored":
        "The feet point against the way that left and right sides face."
        => "Check in a picture whether left and right are exchanged; a roles file can put them right.";
    UNIT_UNKNOWN = "door/unit-unknown":
        "No usual unit makes the figure as tall as a person."
        => "Give the unit: --unit cm, or a number of metres.";
    UNIT_ASSUMED = "door/unit-assumed":
        "There is no person to take the unit from."
        => "Give the unit: --unit cm, or a number of metres.";
    UNIT_DOUBTFUL = "door/unit-doubtful":
        "By the unit that the file states the figure would be a giant or a doll; its height was taken for a person's."
        => "Give the unit where that is wrong: --unit cm, or a number of metres.";
    REST_POSE = "door/rest-pose":
        "Joints without rotation do not make a person's pose; a frame of the motion stands for the rest pose."
        => "Nothing to do, unless the motion has no frame in which the person stands.";
    REST_FRAME = "door/rest-frame":
        "The first frame is a calibration pose, not motion."
        => "Take it off with --trim-rest.";
    RATE_DOUBTFUL = "door/rate-doubtful":
        "The motion contradicts the frame rate in the file."
        => "Give the rate it was captured at: --rate 60.";
}
