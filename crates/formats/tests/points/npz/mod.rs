//! NPZ files in the AMASS layout.

mod fixtures;
mod golden;
mod numpy;
mod recipes;
mod round_trip;
mod writer;
