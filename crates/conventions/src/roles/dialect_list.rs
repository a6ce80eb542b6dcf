//! The list of dialects: joint names of common sources of motion.
//!
//! Compiled from the joint lists that each source publishes or writes to its files. The same word means different joints in
//! different lists: `LeftShoulder` is the collar bone in MotionBuilder and the upper arm in Biovision; `L_Foot` is the ball of
//! the foot in SMPL and the ankle elsewhere. A whole skeleton is therefore read in one dialect, never word by word.

use super::dialect::{Dialect, Fingers};
use super::vocabulary::*;

/// All dialects. Of two that fit equally well, the first is used.
pub(super) static DIALECTS: &[Dialect] = &[
    Dialect {
        name: "CMU (BVH)",
        marks: &["lhipjoint", "rhipjoint"],
        sides: &[LEFT_RIGHT, L_R],
        words: &[MOTIONBUILDER, CMU_BVH],
        fingers: &[],
    },
    Dialect { name: "CMU (ASF)", marks: &[], sides: &[L_R], words: &[CMU_ASF], fingers: &[] },
    Dialect {
        name: "Mixamo",
        marks: &["mixamorig", "headtopend", "lefttoeend", "righttoeend"],
        sides: &[LEFT_RIGHT],
        words: &[MOTIONBUILDER, MIXAMO],
        fingers: &[MOTIONBUILDER_FINGERS],
    },
    Dialect {
        name: "Perception Neuron",
        marks: &["robot", "leftinhandindex", "rightinhandindex"],
        sides: &[LEFT_RIGHT],
        words: &[MOTIONBUILDER, PERCEPTION_NEURON],
        fingers: &[MOTIONBUILDER_FINGERS],
    },
    Dialect {
        name: "LAFAN1",
        marks: &["lefttoe", "righttoe"],
        sides: &[LEFT_RIGHT],
        words: &[MOTIONBUILDER, LAFAN1],
        fingers: &[],
    },
    Dialect {
        name: "MotionBuilder",
        marks: &[],
        sides: &[LEFT_RIGHT],
        words: &[MOTIONBUILDER, MOTIONBUILDER_EXTRA],
        fingers: &[MOTIONBUILDER_FINGERS],
    },
    Dialect { name: "Bandai-Namco", marks: &[], sides: &[L_R], words: &[BANDAI], fingers: &[] },
    Dialect {
        name: "VRM",
        marks: &[],
        sides: &[LEFT_RIGHT],
        words: &[VRM],
        fingers: &[Fingers { thumb: ["metacarpal", "proximal", "distal"], ..VRM_0_FINGERS }],
    },
    Dialect {
        name: "VRM 0",
        marks: &["leftthumbintermediate", "rightthumbintermediate"],
        sides: &[LEFT_RIGHT],
        words: &[VRM],
        fingers: &[VRM_0_FINGERS],
    },
    Dialect {
        name: "VRoid",
        marks: &[],
        sides: &[L_R],
        words: &[VROID],
        fingers: &[Fingers { pattern: "jbip*#%", ..COUNTED_FINGERS }],
    },
    Dialect {
        name: "SMPL",
        marks: &[],
        sides: &[LEFT_RIGHT, L_R],
        words: &[SMPL],
        fingers: &[Fingers { pattern: "*#%", names: PINKY, ..COUNTED_FINGERS }],
    },
    Dialect {
        name: "Rokoko",
        marks: &[],
        sides: &[LEFT_RIGHT],
        words: &[ROKOKO],
        fingers: &[ROKOKO_FINGERS, Fingers { pattern: "*digit#%", ..ROKOKO_FINGERS }],
    },
    Dialect {
        name: "Unreal",
        marks: &[],
        sides: &[L_R],
        words: &[UNREAL],
        fingers: &[Fingers {
            pattern: "#%*",
            names: PINKY,
            thumb: ["01", "02", "03"],
            others: ["01", "02", "03"],
            without_role: &["metacarpal"],
        }],
    },
    Dialect { name: "Biovision", marks: &[], sides: &[LEFT_RIGHT], words: &[BIOVISION], fingers: &[] },
    Dialect {
        name: "Biovision example",
        marks: &[],
        sides: &[LEFT_RIGHT],
        words: &[BIOVISION_EXAMPLE],
        fingers: &[],
    },
    Dialect {
        name: "3ds Max Biped",
        marks: &[],
        sides: &[L_R],
        words: &[BIPED],
        fingers: &[Fingers {
            pattern: "*finger#%",
            names: ["0", "1", "2", "3", "4"],
            thumb: ["", "1", "2"],
            others: ["", "1", "2"],
            without_role: &["nub"],
        }],
    },
    Dialect {
        name: "Poser and DAZ",
        marks: &[],
        sides: &[L_R, LEFT_RIGHT],
        words: &[POSER],
        fingers: &[Fingers {
            pattern: "*#%",
            names: ["thumb", "index", "mid", "ring", "pinky"],
            ..COUNTED_FINGERS
        }],
    },
    Dialect {
        name: "Xsens",
        marks: &[],
        sides: &[LEFT_RIGHT],
        words: &[XSENS],
        fingers: &[Fingers {
            pattern: "*#%",
            names: ["first", "second", "third", "fourth", "fifth"],
            thumb: ["mc", "pp", "dp"],
            others: ["pp", "mp", "dp"],
            without_role: &["mc"],
        }],
    },
    Dialect {
        name: "MakeHuman",
        marks: &[],
        sides: &[L_R],
        words: &[MAKEHUMAN],
        fingers: &[
            Fingers { pattern: "#%*", names: PINKY, ..COUNTED_FINGERS },
            Fingers { pattern: "finger#%*", names: ["1", "2", "3", "4", "5"], ..COUNTED_FINGERS },
        ],
    },
    Dialect {
        name: "Rigify",
        marks: &["spine006"],
        sides: &[L_R],
        words: &[RIGIFY],
        fingers: &[Fingers {
            pattern: "#%*",
            names: ["thumb", "findex", "fmiddle", "fring", "fpinky"],
            thumb: ["01", "02", "03"],
            others: ["01", "02", "03"],
            without_role: &[],
        }],
    },
    Dialect {
        name: "everyday words",
        marks: &[],
        sides: &[LEFT_RIGHT, L_R],
        words: &[EVERYDAY],
        fingers: &[
            Fingers { pattern: "*#%", ..COUNTED_FINGERS },
            Fingers { pattern: "#%*", ..COUNTED_FINGERS },
        ],
    },
];
