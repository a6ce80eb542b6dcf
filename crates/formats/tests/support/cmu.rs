//! The skeletons of CMU's archive.

/// Bones of AMC files, and the joints at their starts in BVH and FBX files converted from them. Joints beyond the thorax are
/// excluded, because the converted files lack its length.
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
