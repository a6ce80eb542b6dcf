//! One model of the human body for all of Marey.
//!
//! | item | purpose |
//! |---|---|
//! | [`BodyProportions`] | a skeleton from a height and a build, after published segment lengths |
//! | [`Masses`], [`FigureMasses`] | point masses of a human, or of any figure; centre of mass, inertia, angular momentum |
//! | [`BodyCapsules`] | the space that a body occupies: one [`Capsule`] for each bone |
//! | [`Mannequin`] | a skinned mesh for a skeleton, for export and drawing |
//! | [`RestSkeleton`] | the positions of the joints and bone tips of a skeleton at rest |
//! | [`TrunkFrame`], [`stature_m`] | the axes of a trunk, and the height of the person that a pose belongs to |
//!
//! ```
//! use marey_body::{BodyProportions, Mannequin, Masses, RestSkeleton};
//! let skeleton = BodyProportions { height_m: 1.6, ..Default::default() }.skeleton()?;
//! let rest = RestSkeleton::of(&skeleton);
//! let centre = Masses::of(&skeleton)?.centre(&rest.positions);
//! assert!((0.5..0.65).contains(&(centre.y / rest.height_m())));
//! assert!(Mannequin::of(&skeleton).is_some());
//! # Ok::<(), marey_body::BodyError>(())
//! ```

mod capsule;
mod capsules;
mod error;
mod figure_masses;
mod mannequin;
mod masses;
mod proportions;
mod rest_skeleton;
mod stature;
mod trunk;

pub use capsule::Capsule;
pub use capsules::{BodyCapsule, BodyCapsules, LIMB_ENDS};
pub use error::{BodyError, codes};
pub use figure_masses::FigureMasses;
pub use mannequin::{Mannequin, SkinnedMesh};
pub use masses::Masses;
pub use proportions::BodyProportions;
pub use rest_skeleton::RestSkeleton;
pub use stature::{HEAD_FRACTION, stature_m};
pub use trunk::{TrunkFrame, extra_joints};

pub(crate) type Result<T> = std::result::Result<T, BodyError>;
