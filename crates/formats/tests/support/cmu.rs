//! The skeletons of CMU's archive.

/// Bones of its AMC files, and the joints of BVH and FBX files made from them that stand at their starts: all but those
/// beyond the thorax, whose length the latter lack.
pub(crate) const BELOW_THE_THORAX: [(&str, &str); 14] = [
    ("root", "Hips"),
    ("lhipjoint", "LHipJoint"),
    ("lfemur", "LeftUpLeg"),
    ("ltibia", "LeftLeg"),
    ("lfoot", "LeftFoot"),
    ("ltoes", "LeftToeBase"),
    ("rhipjoint", "RHipJoint"),
    ("rfemur", "RightUpLeg"),
    ("rtibia", "RightLeg"),
    ("rfoot", "RightFoot"),
    ("rtoes", "RightToeBase"),
    ("lowerback", "LowerBack"),
    ("upperback", "Spine"),
    ("thorax", "Spine1"),
];
