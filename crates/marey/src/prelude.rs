//! The types that most programs need.

pub use crate::corpus::{Corpus, Provenance};
pub use crate::formats::bvh::{self, BvhOptions};
pub use crate::formats::file::read_file;
pub use crate::formats::{ReadOptions, WriteOptions};
pub use crate::motion::{Clip, Observer, PointClip, Report, Role, Skeleton, Take, Terrain};
pub use crate::plan::{Plan, Seed};
pub use crate::{Context, Error, Outcome};
