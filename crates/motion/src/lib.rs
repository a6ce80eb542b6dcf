//! The vocabulary every room of Marey speaks: what a body is, how it moves, and what can be said about it.
//!
//! Inside Marey, lengths are metres, times seconds, angles radians; the world is right-handed with Y up, a figure
//! at rest faces +Z (so its left is +X), and quaternions are stored x y z w. Formats convert to this once, at the
//! door; nothing after them asks about units or axes again.
//!
//! | word | type | in short |
//! |---|---|---|
//! | body | [`Skeleton`], [`Role`] | joints, and what each is for |
//! | instant | [`LocalPose`], [`WorldPose`] | two spaces, two types |
//! | motion | [`Clip`], [`Take`], [`PointClip`] | uniform rate, flat arrays, frames × joints |
//! | floor | [`Ground`] | x, z, yaw: the rigid motions that keep a figure standing |
//! | uneven ground | [`Terrain`] | polylines in profile, with steps, slopes and gaps |
//! | marks | [`Contacts`], [`Tag`], [`Marker`] | sorted, in bounds |
//! | what happened | [`Report`], [`Coded`] | coded warnings and errors with a place and a hint |
//!
//! The crate is pure: it touches no files, clocks or environment.

mod annotation;
mod clip;
mod error;
mod ground;
mod kinematics;
mod mirror;
mod points;
mod pose;
mod report;
mod role;
mod sample;
mod skeleton;
mod take;
mod terrain;
mod track;

pub use annotation::{Contact, Contacts, Marker, Tag};
pub use clip::{Clip, ClipParts};
pub use error::{Error, codes};
pub use glam::{Quat, Vec2, Vec3};
pub use ground::Ground;
pub use kinematics::WorldClip;
pub use mirror::MirrorMap;
pub use points::PointClip;
pub use pose::{LocalPose, LocalPoseRef, WorldPose};
pub use report::{Code, Coded, Place, Report, Warning};
pub use role::{Role, Side};
pub use skeleton::{Joint, Skeleton, Tip};
pub use take::{Actor, Take};
pub use terrain::Terrain;
pub use track::GroundTrack;

/// What a fallible function of this crate returns.
pub type Result<T> = std::result::Result<T, Error>;
