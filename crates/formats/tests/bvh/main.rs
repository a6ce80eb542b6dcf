//! Tests of the BVH reader and writer: fixtures with their reports, damaged bytes, independently computed world positions, and round
//! trips.

mod changes;
mod fixtures;
mod golden;
mod little_data;
mod plain_reader;
mod round_trip;
#[path = "../support/mod.rs"]
mod support;
mod tolerance;
