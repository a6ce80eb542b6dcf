//! The motion database: one SQLite file (`name.marey`) with takes, annotations, segments and derived data.
//!
//! | subject | request, method | in short |
//! |---|---|---|
//! | file | [`Corpus::create`], [`Corpus::open`], [`Corpus::check`], [`Corpus::vacuum`] | every change is atomic, and durable when its call returns |
//! | import | [`ImportRequest`], [`Corpus::import`] | motion files, with their conventions and [`Provenance`] |
//! | takes | [`ListRequest`], [`Corpus::list`], [`Corpus::details`] | motion in packed chunks that are read on demand |
//! | annotations | [`AnnotateRequest`], [`Corpus::apply_annotations`] | tags, markers, contacts, labels; by a person or a method ([`Maker`]) |
//! | segments | [`Corpus::segment_by_method`], [`Corpus::segment_by_spans`] | ranges that can be reused as a unit |
//! | manual edits | [`Edit`], [`Corpus::edit`] | tags and segments moved, renamed, removed and restored |
//! | similarity | [`ClusterRequest`], [`Corpus::cluster`]; [`QueryRequest`], [`Corpus::query`] | clusters of segments; nearest-neighbour search of frames |
//! | bodies | [`Corpus::bodies`], [`Corpus::skeleton`], [`Corpus::retargeted`] | who has which body; motion on another body, stored once it was computed |
//! | names | [`RenameRequest`], [`Corpus::rename`] | of takes and their actors |
//! | characters | [`Corpus::add_character`], [`Corpus::characters`] | files of figures that motion is shown on |
//! | rating studies | [`StoredStudy`], [`Corpus::put_study_answer`] | clips, raters and their answers |
//! | removal | [`RemoveRequest`], [`Corpus::remove`] | takes, or the annotations and segments of a maker |
//! | exchange | [`ExportRequest`], [`Corpus::export`], [`Corpus::import_folder_into`], [`shard`] | a folder of plain files; files read on many machines |
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

mod annotate;
mod annotations;
mod batch;
mod body;
mod body_listing;
mod characters;
mod chunk;
mod clusters;
mod contact;
mod corpus;
mod corpus_file;
mod csv;
mod cut_detection;
mod derived;
mod edit;
mod error;
mod folder;
mod ids;
pub mod import;
mod integrity;
mod learned;
mod listing;
mod maker;
mod models;
mod moments;
mod pack;
mod pieces;
mod prepared_take;
mod provenance;
mod query;
mod redundancy;
mod removal;
mod rename;
mod retargeted;
mod schema;
mod segmentation;
mod segments;
pub mod shard;
mod study_store;
mod summaries;
pub mod tables;
mod takes;
mod transfer;
mod unusable;

pub use annotate::{AnnotateRequest, NewAnnotation};
pub use annotations::{Annotation, AnnotationChanges, AnnotationContent};
pub use batch::BatchItem;
pub use body_listing::BodyRow;
pub use characters::CharacterInfo;
pub use clusters::{ClusterMethod, ClusterMethodName, ClusterRequest, ClusterSettings, Clustered};
pub use contact::{ContactInterval, ContactTarget};
pub use corpus::{Corpus, FileSizes};
pub use corpus_file::CorpusFile;
pub use cut_detection::{CutMethod, DetectedCuts};
pub use edit::{Edit, SegmentEdit};
pub use error::{CorpusError, codes};
pub use folder::{ExportRequest, ImportedPage};
pub use ids::{CharacterId, SegmentId, TakeId};
pub use import::{ImportRequest, ImportedFile, ImportedTake};
pub use integrity::IntegrityReport;
pub use listing::{AnnotationRow, ListRequest, TakeDetails, TakeRow};
pub use maker::Maker;
pub use moments::{FoundMoment, Gait, Moment, Moments};
pub use prepared_take::PreparedTake;
pub use provenance::Provenance;
pub use query::{QueryFilter, QueryMatch, QueryRequest};
pub use redundancy::Redundancy;
pub use removal::{RemoveRequest, Removed};
pub use rename::{RenameRequest, RenamedTake};
pub use retargeted::RETARGETED_METHOD;
pub use segmentation::{SegmentCounts, SegmentedTakes, SpansByMaker};
pub use segments::{Segment, Span};
pub use study_store::{StoredAnswer, StoredClip, StoredRater, StoredStudy};
pub use summaries::SegmentSummary;
pub use takes::{ActorInfo, Added, TakeInfo};
pub use unusable::UNUSABLE_TAG;

/// What a fallible function of this crate returns.
pub(crate) type Result<T> = std::result::Result<T, CorpusError>;
