//! Bytes ⇄ motion: every file format, and the one door where conventions are settled.
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
pub mod door;
mod error;
pub mod fbx;
pub mod file;
mod format;
pub mod gltf;
mod import;
mod labels;
mod limits;
mod lines;
pub mod neighbours;
pub mod npz;
mod number;
pub mod path;
pub mod preset;
mod quick_rows;
mod read;
pub mod roles;
mod text;
pub mod trc;
mod unit;
mod write;

pub use error::{Error, codes, every_code};
pub use format::Format;
pub use import::{Analog, Content, Import, Points, Reading};
pub use limits::Limits;
pub use neighbours::{Companion, Folder, Neighbours, NoNeighbours};
pub use read::{ReadOptions, read, read_with};
pub use unit::Unit;
pub use write::{WriteOptions, write};
