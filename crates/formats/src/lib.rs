//! Reads and writes motion files.
//!
//! Readers return motion in Marey's conventions: [`marey_conventions`] finds the unit, axes, frame rate and roles.
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

pub mod acclaim;
pub mod bvh;
pub mod c3d;
mod error;
mod export;
mod fast_rows;
#[cfg(feature = "fbx")]
pub mod fbx;
pub mod file;
mod file_names;
mod find_files;
mod format;
pub mod gltf;
mod json_value;
pub mod keyframes;
mod limits;
mod lines;
mod motion_file;
pub mod neighbours;
#[cfg(feature = "npz")]
pub mod npz;
mod number;
pub mod path;
pub mod preset;
mod read;
mod read_request;
mod separator;
mod shape;
mod signature;
pub mod summary;
mod svg_lines;
pub mod terrain;
mod text;
pub mod trc;
mod unique_labels;
pub mod usd;
mod write;

pub use error::{FormatsError, codes, every_code};
pub use export::ExportOptions;
pub use file_names::{unique_file_names, with_format};
pub use find_files::{FoundFile, FoundFiles, find_files};
pub use format::Format;
pub use limits::Limits;
pub use motion_file::{FileContent, FileTake, MotionFile};
pub use neighbours::{Companion, Folder, Neighbours, NoNeighbours};
pub use read::{ReadOptions, read, read_with};
pub use read_request::ReadRequest;
pub use write::{WriteOptions, write};
