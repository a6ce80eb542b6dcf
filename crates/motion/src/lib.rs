//! The vocabulary of Marey: bodies, motion, annotations, reports.
//!
//! Lengths are in metres, times in seconds, angles in radians; the world is right-handed with Y up, a
//! character at rest faces +Z (its left is +X), and quaternions are stored x y z w. Readers convert to these
//! conventions once.
//!
//! | concept | type | notes |
//! |---|---|---|
//! | body | [`Skeleton`], [`Role`] | joints and their anatomical roles |
//! | pose | [`LocalPose`], [`WorldPose`] | one type per coordinate space |
//! | motion | [`Clip`], [`Take`], [`PointClip`] | uniform rate, flat arrays, frames × joints |
//! | ground plane | [`Ground`] | x, z, yaw: the rigid motions that map the floor to itself |
//! | uneven ground | [`Terrain`] | polylines in profile, with steps, slopes and gaps |
//! | annotations | [`Contacts`], [`Tag`], [`Marker`] | sorted, within the clip |
//! | messages | [`Report`], [`Coded`] | coded warnings and errors with a place and a hint |
//! | slices | [`CheckedAccess`] | errors rather than panics where an index was computed |
//! | progress | [`Observer`], [`Progress`] | reports from any thread, and cancellation |
//!
//! The crate is pure: it uses no files, clocks or environment.

// Derived implementations of `Coded` refer to this crate by name.
extern crate self as marey_motion;

mod annotation;
mod checked_access;
mod clip;
mod clip_json;
mod easing;
mod error;
mod frame_range;
mod ground;
mod kinematics;
mod mirror;
mod points;
mod pose;
mod progress;
mod range;
mod report;
mod role;
mod sample;
mod skeleton;
mod take;
mod terrain;
mod track;

pub use annotation::{Contact, Contacts, Marker, Tag};
pub use checked_access::CheckedAccess;
pub use clip::{Clip, ClipParts};
pub use easing::{EaseNumber, smootherstep, smoothstep};
pub use error::{MotionError, codes};
pub use frame_range::FrameRange;
pub use glam::{Quat, Vec2, Vec3};
pub use ground::Ground;
pub use kinematics::WorldClip;
pub use marey_derive::Coded;
pub use mirror::MirrorMap;
pub use points::PointClip;
pub use pose::{LocalPose, LocalPoseRef, WorldPose};
pub use progress::{Observer, Progress};
pub use range::OutOfRange;
pub use report::{Code, Coded, Place, Report, Warning};
pub use role::{Role, Side};
pub use skeleton::{Joint, Skeleton, Tip};
pub use take::{Actor, Take};
pub use terrain::Terrain;
pub use track::GroundTrack;

/// Result of a fallible function of this crate.
pub(crate) type Result<T> = std::result::Result<T, MotionError>;
