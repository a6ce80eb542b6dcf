//! The motion database: one SQLite file (`name.marey`) with takes, annotations, segments and derived data.
//!
//! | subject | type | in short |
//! |---|---|---|
//! | file | [`Corpus`] | created, opened, checked; every change is atomic, and durable when its call returns |
//! | motion | [`Added`], [`Prepared`], [`TakeInfo`] | stored in packed chunks that are read on demand |
//! | origin | [`Provenance`] | source, licence, credit |
//! | annotations | [`Annotation`], [`Said`], [`Touch`], [`Maker`] | tags, markers, contacts, labels; by a person or a method |
//! | segments | [`Segment`], [`Span`], [`CutMethod`] | ranges that can be reused as a unit |
//! | manual edits | [`Edit`], [`PutSegment`] | tags and segments moved, renamed, removed and restored |
//! | similarity | [`Clustered`], [`Moments`] | clusters of segments; nearest-neighbour search of frames |
//!
//! When a method of [`Corpus`] returns `Ok`, its change is in the file, whatever happens to the process next. A change
//! whose call has not returned is applied whole or not at all. `docs/corpus.md` describes the tables, the layout of stored
//! frames, and the guarantees after a power loss.
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
pub use error::{CorpusError, codes};
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
pub(crate) type Result<T> = std::result::Result<T, CorpusError>;
