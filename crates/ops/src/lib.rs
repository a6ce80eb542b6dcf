//! Operations on motion: pure functions of clips and poses.
//!
//! | module | purpose |
//! |---|---|
//! | [`align`] | best horizontal alignment of two sequences of points |
//! | [`beats`] | beats and tempo of a dance |
//! | [`blend`] | blending of segments that are aligned by key times |
//! | [`chain_ik`] | inverse kinematics for several end effectors, by damped least squares |
//! | [`cleaning`] | spikes, jumps and gaps of captured motion: found, repaired or reported |
//! | [`cloud`] | motion segments as point clouds of a common length |
//! | [`contacts`] | detection of heel and ball contacts |
//! | [`cycle`] | cycles: motion that repeats without a seam |
//! | [`cut`] | cuts and the segments between them |
//! | [`distances`] | distances of all pairs of segments |
//! | [`dtw`] | dynamic time warping |
//! | [`features`] | motion-matching features |
//! | [`floor`] | floor detection |
//! | [`gait`] | foot plants, steps and gait cycles |
//! | [`ik`] | two-bone inverse kinematics |
//! | [`instants`] | instants at which feet have settled |
//! | [`kd_tree`] | nearest neighbours in few dimensions |
//! | [`keyframes`] | removal of keyframes within an error |
//! | [`leg`] | joints, bone lengths and soles of legs |
//! | [`limit`] | joint limits learnt from examples |
//! | [`limb_bends`] | the directions in which elbows and knees bend |
//! | [`nearest`] | exact nearest neighbours in a large table |
//! | [`reach`] | moves a hand or foot of a pose by two-bone inverse kinematics |
//! | [`reduction`] | removal of redundant examples |
//! | [`retarget`] | retargeting to another body, with feet kept on the floor |
//! | [`root`] | root motion: on the hips, on a root bone, or none |
//! | [`mod@rotation_mean`] | mean of rotations, correct for large spreads |
//! | [`scatter`] | scattered-data interpolation: weights of examples |
//! | [`smoothing`] | smoothing, with feet that stay where they stand |
//! | [`sole`] | heel and ball of a foot |
//! | [`state`] | distance of poses by their mass distribution |
//! | [`summary`] | a motion segment in a few numbers |
//! | [`t_pose`] | the canonical rest pose, from roles and offsets |
//! | [`zero_rest`] | joint frames in which the rest pose has no rotation |

pub mod align;
pub mod beats;
pub mod blend;
pub mod chain_ik;
pub mod cleaning;
pub mod cloud;
pub mod contacts;
pub mod cut;
pub mod cycle;
pub mod distances;
pub mod dtw;
mod error;
pub mod features;
pub mod floor;
mod foot_path;
pub mod gait;
pub mod ik;
pub mod instants;
pub mod kd_tree;
pub mod keyframes;
pub mod leg;
mod level;
pub mod limb_bends;
pub mod limit;
pub mod nearest;
pub mod reach;
pub mod reduction;
pub mod retarget;
pub mod root;
pub mod rotation_mean;
pub mod scatter;
mod smooth;
pub mod smoothing;
pub mod sole;
pub mod state;
pub mod summary;
pub mod t_pose;
pub mod zero_rest;

pub use error::{OpsError, codes};
pub use marey_motion::OutOfRange;

/// Result of a fallible function of this crate.
pub(crate) type Result<T> = std::result::Result<T, OpsError>;
