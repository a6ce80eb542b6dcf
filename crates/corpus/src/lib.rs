//! The motion database: one SQLite file (`name.marey`) that holds takes, what was said about them, how they are cut, and
//! what is derived from them.
//!
//! | word | type | in short |
//! |---|---|---|
//! | the file | [`Corpus`] | made, opened, checked; every change is whole and safe once its call has returned |
//! | motion | [`Added`], [`Prepared`], [`TakeInfo`] | stored packed, in chunks that are read only when asked for |
//! | where from | [`Provenance`] | source, licence, credit |
//! | what was said | [`Annotation`], [`Said`], [`Touch`], [`Maker`] | tags, markers, contacts, labels; by a person or a method |
//! | how it is cut | [`Segment`], [`Span`], [`CutMethod`] | pieces that may be reused as a unit |
//! | by hand | [`Edit`], [`PutSegment`] | tags and segments moved, renamed, taken out, and put back |
//! | what is alike | [`Clustered`], [`Moments`] | clusters of segments; the moments nearest to a moment |
//!
//! A change that a method of [`Corpus`] has answered with `Ok` is in the file, whatever happens to the process next; one
//! that it has not answered is there whole or not at all. The tables, the layout of stored frames and what holds after a
//! loss of power are written down in `docs/corpus.md`.
//!
//! ```
//! use marey_corpus::{Added, Corpus, Provenance};
//! # use std::sync::Arc;
//! # use marey_motion::{Clip, Joint, LocalPose, Skeleton, Take, Vec3};
//! # let joints = vec![Joint::new("a", None, Vec3::ZERO), Joint::new("b", Some(0), Vec3::Y), Joint::new("c", Some(1), Vec3::Y)];
//! # let skeleton = Arc::new(Skeleton::new(joints, vec![])?);
//! # let take = Take::solo("still", Clip::still(skeleton.clone(), 30.0, LocalPose::rest(&skeleton))?);
//! # let folder = std::env::temp_dir().join(format!("marey-corpus-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! # let path = folder.join("mine.marey");
//! let mut corpus = Corpus::create(&path)?;
//! let added = corpus.add(&take, &Provenance::default())?;
//! assert!(matches!(added, Added::New(_)));
//! assert_eq!(corpus.add(&take, &Provenance::default())?, Added::Already(added.id()));
//! assert_eq!(corpus.take(added.id())?, take);
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
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

mod annotations;
mod body;
mod check;
mod chunk;
mod clusters;
mod corpus;
mod csv;
mod cutting;
mod derived;
mod edit;
mod error;
pub mod folder;
mod ids;
mod maker;
mod models;
mod moments;
mod pack;
mod pieces;
mod prepare;
mod provenance;
mod redundancy;
mod removal;
mod schema;
mod segments;
pub mod sheets;
mod shipped;
mod summaries;
mod takes;
mod touch;

pub use annotations::{Annotation, Said, Wrote};
pub use check::Checked;
pub use clusters::{ClusterMethod, ClusterSettings, Clustered};
pub use corpus::Corpus;
pub use cutting::{CutMethod, Cutting, FoundCuts};
pub use edit::{Edit, PutSegment};
pub use error::{Error, codes};
pub use ids::{SegmentId, TakeId};
pub use maker::Maker;
pub use moments::{FoundMoment, Gait, Moment, Moments};
pub use prepare::Prepared;
pub use provenance::Provenance;
pub use redundancy::Redundancy;
pub use removal::{Removal, Removed};
pub use segments::{Segment, Span};
pub use summaries::SegmentSummary;
pub use takes::{ActorInfo, Added, TakeInfo};
pub use touch::{Touch, Touched};

/// What a fallible function of this crate returns.
pub type Result<T> = std::result::Result<T, Error>;
