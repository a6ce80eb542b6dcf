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

pub mod bvh;
mod error;
mod limits;
mod lines;
mod number;
mod quick_rows;
mod unit;

pub use error::Error;
pub use limits::Limits;
pub use unit::Unit;
