//! Detects the conventions of a motion file: unit of length, up axis, facing, frame rate, rest pose and joint roles.
//!
//! Most files do not state their conventions, so Marey infers them from the body: a person is between 1.2 and 2.2 m tall,
//! stands along the up axis and falls at 9.81 m/s². [`normalise_take`] and [`normalise_points`] convert what a reader
//! returns to Marey's conventions (metres, Y up, facing +Z at rest) and return a [`Finding`] for each: the value, where
//! it comes from and the reason. [`ConventionOverrides`] replaces any of them.
//!
//! [`roles`] finds what each joint of a skeleton is for.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unreachable
    )
)]

mod body_measurements;
mod centre_of_mass;
pub mod codes;
mod declared;
mod error;
mod finding;
mod frame_rate;
mod marker_cloud;
mod normalise;
mod normalise_points;
mod overrides;
mod point_recording;
mod rest_pose;
pub mod roles;
#[cfg(test)]
mod tests;
mod transform;
mod unit;
mod unit_detection;
mod up_axis;
mod up_axis_detection;

pub use body_measurements::is_standing;
pub use declared::DeclaredConventions;
pub use error::ConventionsError;
pub use finding::{DetectedConventions, DetectedPointConventions, Finding, FindingSource, RestPoseSource};
pub use normalise::normalise_take;
pub use normalise_points::normalise_points;
pub use overrides::{ConventionOverrides, FloorHeight};
pub use point_recording::{AnalogSignals, PointRecording, RawPoints};
pub use transform::share_rate;
pub use unit::Unit;
pub use unit_detection::is_unit_evident;
pub use up_axis::UpAxis;

pub(crate) type Result<T> = std::result::Result<T, ConventionsError>;

/// Every code of this crate.
pub fn every_code() -> Vec<&'static marey_motion::Code> {
    [codes::ALL, roles::codes::ALL].concat()
}
