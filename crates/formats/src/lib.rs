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
pub mod door;
mod error;
pub mod file;
mod format;
mod import;
mod limits;
mod lines;
pub mod neighbours;
mod number;
pub mod preset;
mod quick_rows;
mod read;
pub mod roles;
mod text;
mod unit;

pub use error::{Error, codes};
pub use format::Format;
pub use import::{Analog, Content, Import, Points, Reading};
pub use limits::Limits;
pub use neighbours::{Companion, Folder, Neighbours, NoNeighbours};
pub use read::{ReadOptions, read, read_with};
pub use unit::Unit;
