//! The word lists of the dialects, and their names for fingers. Words are in lower case without separators; see [`Words`] for `*` and
//! `+`.

use Part::{Is, Known, OfNeck, OfSpine};
use Role::*;
use marey_motion::Role;

use super::dialect::{Fingers, Part, Words};

pub(super) const LEFT_RIGHT: [&str; 2] = ["left", "right"];
pub(super) const L_R: [&str; 2] = ["l", "r"];
pub(super) const PINKY: [&str; 5] = ["thumb", "index", "middle", "ring", "pinky"];

/// Fingers with joints that are numbered from 1 at the palm.
pub(super) const COUNTED_FINGERS: Fingers = Fingers {
    pattern: "",
    names: ["thumb", "index", "middle", "ring", "little"],
    thumb: ["1", "2", "3"],
    others: ["1", "2", "3"],
    without_role: &["4"],
};

/// Words that all descendants of MotionBuilder's character share.
pub(super) const MOTIONBUILDER: Words = &[
    ("hips", Is(Hips)),
    ("*upleg", Is(LeftUpperLeg)),
    ("*leg", Is(LeftLowerLeg)),
    ("*foot", Is(LeftFoot)),
    ("spine+", OfSpine),
    ("neck+", OfNeck),
    ("head", Is(Head)),
    ("*shoulder", Is(LeftShoulder)),
    ("*arm", Is(LeftUpperArm)),
    ("*forearm", Is(LeftLowerArm)),
    ("*hand", Is(LeftHand)),
];

pub(super) const MOTIONBUILDER_EXTRA: Words = &[
    ("reference", Known),
    ("root", Known),
    ("headend", Known),
    ("jaw", Is(Jaw)),
    ("*eye", Is(LeftEye)),
    ("*toebase", Is(LeftToes)),
    ("*toebaseend", Known),
    ("*uplegroll", Known),
    ("*legroll", Known),
    ("*armroll", Known),
    ("*forearmroll", Known),
    ("*shoulderextra", Known),
    ("*fingerbase", Known),
    ("*inhandthumb", Known),
    ("*inhandindex", Known),
    ("*inhandmiddle", Known),
    ("*inhandring", Known),
    ("*inhandpinky", Known),
];

pub(super) const MOTIONBUILDER_FINGERS: Fingers =
    Fingers { pattern: "*hand#%", names: PINKY, ..COUNTED_FINGERS };

/// A hand in CMU's files has one joint for all fingers, named after the index finger.
pub(super) const CMU_BVH: Words = &[
    ("*hipjoint", Known),
    ("*toebase", Is(LeftToes)),
    ("lowerback", OfSpine),
    ("*fingerbase", Known),
    ("*handindex1", Is(LeftIndexProximal)),
    ("*thumb", Is(LeftThumbMetacarpal)),
];

/// Joints are named after the bone that starts at them: `lfoot` is the ankle, `lwrist` the wrist.
pub(super) const CMU_ASF: Words = &[
    ("root", Is(Hips)),
    ("*hipjoint", Known),
    ("*femur", Is(LeftUpperLeg)),
    ("*tibia", Is(LeftLowerLeg)),
    ("*foot", Is(LeftFoot)),
    ("*toes", Is(LeftToes)),
    ("lowerback", OfSpine),
    ("upperback", OfSpine),
    ("thorax", OfSpine),
    ("lowerneck", OfNeck),
    ("upperneck", OfNeck),
    ("head", Is(Head)),
    ("*clavicle", Is(LeftShoulder)),
    ("*humerus", Is(LeftUpperArm)),
    ("*radius", Is(LeftLowerArm)),
    ("*wrist", Is(LeftHand)),
    ("*hand", Known),
    ("*fingers", Is(LeftIndexProximal)),
    ("*thumb", Is(LeftThumbMetacarpal)),
];

pub(super) const MIXAMO: Words = &[
    ("root", Known),
    ("headtopend", Known),
    ("jaw", Is(Jaw)),
    ("*eye", Is(LeftEye)),
    ("*toebase", Is(LeftToes)),
    ("*toeend", Known),
];

/// The suit has no toes.
pub(super) const PERCEPTION_NEURON: Words = &[
    ("*inhandthumb", Known),
    ("*inhandindex", Known),
    ("*inhandmiddle", Known),
    ("*inhandring", Known),
    ("*inhandpinky", Known),
];

pub(super) const LAFAN1: Words = &[("*toe", Is(LeftToes)), ("root", Known)];

pub(super) const BANDAI: Words = &[
    ("jointroot", Known),
    ("hips", Is(Hips)),
    ("spine", OfSpine),
    ("chest", OfSpine),
    ("neck", OfNeck),
    ("head", Is(Head)),
    ("shoulder*", Is(LeftShoulder)),
    ("upperarm*", Is(LeftUpperArm)),
    ("lowerarm*", Is(LeftLowerArm)),
    ("hand*", Is(LeftHand)),
    ("upperleg*", Is(LeftUpperLeg)),
    ("lowerleg*", Is(LeftLowerLeg)),
    ("foot*", Is(LeftFoot)),
    ("toes*", Is(LeftToes)),
];

pub(super) const VRM: Words = &[
    ("root", Known),
    ("hips", Is(Hips)),
    ("spine", OfSpine),
    ("chest", OfSpine),
    ("upperchest", OfSpine),
    ("neck", OfNeck),
    ("head", Is(Head)),
    ("jaw", Is(Jaw)),
    ("*eye", Is(LeftEye)),
    ("*shoulder", Is(LeftShoulder)),
    ("*upperarm", Is(LeftUpperArm)),
    ("*lowerarm", Is(LeftLowerArm)),
    ("*hand", Is(LeftHand)),
    ("*upperleg", Is(LeftUpperLeg)),
    ("*lowerleg", Is(LeftLowerLeg)),
    ("*foot", Is(LeftFoot)),
    ("*toes", Is(LeftToes)),
];

/// VRM 0 names the thumb like the other fingers, so its proximal joint is the metacarpal of VRM 1.
pub(super) const VRM_0_FINGERS: Fingers = Fingers {
    pattern: "*#%",
    thumb: ["proximal", "intermediate", "distal"],
    others: ["proximal", "intermediate", "distal"],
    ..COUNTED_FINGERS
};

pub(super) const VROID: Words = &[
    ("root", Known),
    ("jbipchips", Is(Hips)),
    ("jbipcspine", OfSpine),
    ("jbipcchest", OfSpine),
    ("jbipcupperchest", OfSpine),
    ("jbipcneck", OfNeck),
    ("jbipchead", Is(Head)),
    ("jadj*faceeye", Is(LeftEye)),
    ("jbip*shoulder", Is(LeftShoulder)),
    ("jbip*upperarm", Is(LeftUpperArm)),
    ("jbip*lowerarm", Is(LeftLowerArm)),
    ("jbip*hand", Is(LeftHand)),
    ("jbip*upperleg", Is(LeftUpperLeg)),
    ("jbip*lowerleg", Is(LeftLowerLeg)),
    ("jbip*foot", Is(LeftFoot)),
    ("jbip*toebase", Is(LeftToes)),
];

/// Joints are named after their place: the hip is the joint of the upper leg, and the foot is that of the ball.
pub(super) const SMPL: Words = &[
    ("root", Known),
    ("pelvis", Is(Hips)),
    ("*hip", Is(LeftUpperLeg)),
    ("*knee", Is(LeftLowerLeg)),
    ("*ankle", Is(LeftFoot)),
    ("*foot", Is(LeftToes)),
    ("spine+", OfSpine),
    ("neck", OfNeck),
    ("head", Is(Head)),
    ("jaw", Is(Jaw)),
    ("*eye", Is(LeftEye)),
    ("*eyesmplhf", Is(LeftEye)),
    ("*collar", Is(LeftShoulder)),
    ("*shoulder", Is(LeftUpperArm)),
    ("*elbow", Is(LeftLowerArm)),
    ("*wrist", Is(LeftHand)),
    ("*hand", Known),
];

pub(super) const ROKOKO: Words = &[
    ("root", Known),
    ("hips", Is(Hips)),
    ("spine+", OfSpine),
    ("neck", OfNeck),
    ("head", Is(Head)),
    ("headend", Known),
    ("*shoulder", Is(LeftShoulder)),
    ("*arm", Is(LeftUpperArm)),
    ("*forearm", Is(LeftLowerArm)),
    ("*hand", Is(LeftHand)),
    ("*thigh", Is(LeftUpperLeg)),
    ("*shin", Is(LeftLowerLeg)),
    ("*foot", Is(LeftFoot)),
    ("*toe", Is(LeftToes)),
    ("*toetip", Known),
    ("*toeend", Known),
];

pub(super) const ROKOKO_FINGERS: Fingers = Fingers {
    pattern: "*finger#%",
    names: ["1", "2", "3", "4", "5"],
    thumb: ["metacarpal", "proximal", "distal"],
    others: ["proximal", "medial", "distal"],
    without_role: &["metacarpal", "tip"],
};

pub(super) const UNREAL: Words = &[
    ("root", Known),
    ("pelvis", Is(Hips)),
    ("spine0+", OfSpine),
    ("neck0+", OfNeck),
    ("head", Is(Head)),
    ("clavicle*", Is(LeftShoulder)),
    ("upperarm*", Is(LeftUpperArm)),
    ("lowerarm*", Is(LeftLowerArm)),
    ("hand*", Is(LeftHand)),
    ("thigh*", Is(LeftUpperLeg)),
    ("calf*", Is(LeftLowerLeg)),
    ("foot*", Is(LeftFoot)),
    ("ball*", Is(LeftToes)),
    ("upperarmtwist0+*", Known),
    ("lowerarmtwist0+*", Known),
    ("thightwist0+*", Known),
    ("calftwist0+*", Known),
    ("ikfootroot", Known),
    ("ikfoot*", Known),
    ("ikhandroot", Known),
    ("ikhandgun", Known),
    ("ikhand*", Known),
];

/// Like SMPL's, joints are named after their place: the shoulder is the joint of the upper arm.
pub(super) const BIOVISION: Words = &[
    ("hips", Is(Hips)),
    ("chest+", OfSpine),
    ("neck+", OfNeck),
    ("head", Is(Head)),
    ("*collar", Is(LeftShoulder)),
    ("*shoulder", Is(LeftUpperArm)),
    ("*elbow", Is(LeftLowerArm)),
    ("*wrist", Is(LeftHand)),
    ("*hip", Is(LeftUpperLeg)),
    ("*knee", Is(LeftLowerLeg)),
    ("*ankle", Is(LeftFoot)),
    ("*toe", Is(LeftToes)),
];

pub(super) const BIOVISION_EXAMPLE: Words = &[
    ("hips", Is(Hips)),
    ("chest+", OfSpine),
    ("neck", OfNeck),
    ("head", Is(Head)),
    ("*collar", Is(LeftShoulder)),
    ("*uparm", Is(LeftUpperArm)),
    ("*lowarm", Is(LeftLowerArm)),
    ("*hand", Is(LeftHand)),
    ("*upleg", Is(LeftUpperLeg)),
    ("*lowleg", Is(LeftLowerLeg)),
    ("*foot", Is(LeftFoot)),
    ("*toe", Is(LeftToes)),
];

pub(super) const BIPED: Words = &[
    ("footsteps", Known),
    ("pelvis", Is(Hips)),
    ("spine+", OfSpine),
    ("neck+", OfNeck),
    ("head", Is(Head)),
    ("headnub", Known),
    ("*clavicle", Is(LeftShoulder)),
    ("*upperarm", Is(LeftUpperArm)),
    ("*forearm", Is(LeftLowerArm)),
    ("*hand", Is(LeftHand)),
    ("*thigh", Is(LeftUpperLeg)),
    ("*calf", Is(LeftLowerLeg)),
    ("*foot", Is(LeftFoot)),
    ("*toe0", Is(LeftToes)),
    ("*toe0nub", Known),
];

pub(super) const POSER: Words = &[
    ("hip", Is(Hips)),
    ("pelvis", Known),
    ("waist", OfSpine),
    ("abdomen+", OfSpine),
    ("abdomenlower", OfSpine),
    ("abdomenupper", OfSpine),
    ("chest", OfSpine),
    ("chestlower", OfSpine),
    ("chestupper", OfSpine),
    ("neck", OfNeck),
    ("necklower", OfNeck),
    ("neckupper", OfNeck),
    ("head", Is(Head)),
    ("lowerjaw", Is(Jaw)),
    ("*eye", Is(LeftEye)),
    ("*collar", Is(LeftShoulder)),
    ("*shldr", Is(LeftUpperArm)),
    ("*shldrbend", Is(LeftUpperArm)),
    ("*shldrtwist", Known),
    ("*forearm", Is(LeftLowerArm)),
    ("*forearmbend", Is(LeftLowerArm)),
    ("*forearmtwist", Known),
    ("*hand", Is(LeftHand)),
    ("*carpal+", Known),
    ("*buttock", Known),
    ("*thigh", Is(LeftUpperLeg)),
    ("*thighbend", Is(LeftUpperLeg)),
    ("*thightwist", Known),
    ("*shin", Is(LeftLowerLeg)),
    ("*foot", Is(LeftFoot)),
    ("*metatarsals", Known),
    ("*toe", Is(LeftToes)),
];

pub(super) const XSENS: Words = &[
    ("pelvis", Is(Hips)),
    ("l5", OfSpine),
    ("l3", OfSpine),
    ("t12", OfSpine),
    ("t8", OfSpine),
    ("neck", OfNeck),
    ("head", Is(Head)),
    ("*shoulder", Is(LeftShoulder)),
    ("*upperarm", Is(LeftUpperArm)),
    ("*forearm", Is(LeftLowerArm)),
    ("*hand", Is(LeftHand)),
    ("*carpus", Known),
    ("*upperleg", Is(LeftUpperLeg)),
    ("*lowerleg", Is(LeftLowerLeg)),
    ("*foot", Is(LeftFoot)),
    ("*toe", Is(LeftToes)),
];

/// The rig of the BVH examples, then that of the default skeleton, in which bones are split in two.
pub(super) const MAKEHUMAN: Words = &[
    ("root", Known),
    ("hips", Is(Hips)),
    ("spine+", OfSpine),
    ("neck", OfNeck),
    ("head", Is(Head)),
    ("jaw", Is(Jaw)),
    ("tongue+", Known),
    ("eye*", Is(LeftEye)),
    ("clavicle*", Is(LeftShoulder)),
    ("uparm*", Is(LeftUpperArm)),
    ("loarm*", Is(LeftLowerArm)),
    ("hand*", Is(LeftHand)),
    ("upleg*", Is(LeftUpperLeg)),
    ("loleg*", Is(LeftLowerLeg)),
    ("foot*", Is(LeftFoot)),
    ("toe*", Is(LeftToes)),
    ("pelvis*", Known),
    ("spine0+", OfSpine),
    ("neck0+", OfNeck),
    ("shoulder01*", Known),
    ("upperarm01*", Is(LeftUpperArm)),
    ("upperarm02*", Known),
    ("lowerarm01*", Is(LeftLowerArm)),
    ("lowerarm02*", Known),
    ("wrist*", Is(LeftHand)),
    ("metacarpal+*", Known),
    ("upperleg01*", Is(LeftUpperLeg)),
    ("upperleg02*", Known),
    ("lowerleg01*", Is(LeftLowerLeg)),
    ("lowerleg02*", Known),
];

/// The numbers of the spine continue through neck and head.
pub(super) const RIGIFY: Words = &[
    ("spine", Is(Hips)),
    ("spine001", OfSpine),
    ("spine002", OfSpine),
    ("spine003", OfSpine),
    ("spine004", OfNeck),
    ("spine005", OfNeck),
    ("spine006", Is(Head)),
    ("pelvis*", Known),
    ("shoulder*", Is(LeftShoulder)),
    ("upperarm*", Is(LeftUpperArm)),
    ("forearm*", Is(LeftLowerArm)),
    ("hand*", Is(LeftHand)),
    ("thigh*", Is(LeftUpperLeg)),
    ("shin*", Is(LeftLowerLeg)),
    ("foot*", Is(LeftFoot)),
    ("toe*", Is(LeftToes)),
    ("heel02*", Known),
    ("breast*", Known),
];

/// Unambiguous words, for rigs that follow no list. The tree decides ambiguous joints (a leg, a hip, an arm, a shoulder).
pub(super) const EVERYDAY: Words = &[
    ("root", Known),
    ("armature", Known),
    ("hips", Is(Hips)),
    ("pelvis", Is(Hips)),
    ("spine+", OfSpine),
    ("spine0+", OfSpine),
    ("abdomen", OfSpine),
    ("torso", OfSpine),
    ("chest+", OfSpine),
    ("upperchest", OfSpine),
    ("neck+", OfNeck),
    ("neck0+", OfNeck),
    ("head", Is(Head)),
    ("jaw", Is(Jaw)),
    ("*eye", Is(LeftEye)),
    ("eye*", Is(LeftEye)),
    ("*clavicle", Is(LeftShoulder)),
    ("clavicle*", Is(LeftShoulder)),
    ("*collar", Is(LeftShoulder)),
    ("collar*", Is(LeftShoulder)),
    ("*upperarm", Is(LeftUpperArm)),
    ("upperarm*", Is(LeftUpperArm)),
    ("*uparm", Is(LeftUpperArm)),
    ("uparm*", Is(LeftUpperArm)),
    ("*lowerarm", Is(LeftLowerArm)),
    ("lowerarm*", Is(LeftLowerArm)),
    ("*forearm", Is(LeftLowerArm)),
    ("forearm*", Is(LeftLowerArm)),
    ("*elbow", Is(LeftLowerArm)),
    ("elbow*", Is(LeftLowerArm)),
    ("*hand", Is(LeftHand)),
    ("hand*", Is(LeftHand)),
    ("*wrist", Is(LeftHand)),
    ("wrist*", Is(LeftHand)),
    ("*thigh", Is(LeftUpperLeg)),
    ("thigh*", Is(LeftUpperLeg)),
    ("*upperleg", Is(LeftUpperLeg)),
    ("upperleg*", Is(LeftUpperLeg)),
    ("*upleg", Is(LeftUpperLeg)),
    ("upleg*", Is(LeftUpperLeg)),
    ("*lowerleg", Is(LeftLowerLeg)),
    ("lowerleg*", Is(LeftLowerLeg)),
    ("*shin", Is(LeftLowerLeg)),
    ("shin*", Is(LeftLowerLeg)),
    ("*calf", Is(LeftLowerLeg)),
    ("calf*", Is(LeftLowerLeg)),
    ("*knee", Is(LeftLowerLeg)),
    ("knee*", Is(LeftLowerLeg)),
    ("*foot", Is(LeftFoot)),
    ("foot*", Is(LeftFoot)),
    ("*ankle", Is(LeftFoot)),
    ("ankle*", Is(LeftFoot)),
    ("*toe", Is(LeftToes)),
    ("toe*", Is(LeftToes)),
    ("*toes", Is(LeftToes)),
    ("toes*", Is(LeftToes)),
];
