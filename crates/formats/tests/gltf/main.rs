//! Tests of the glTF reader and writer: fixtures with their reports, damaged bytes, independently computed world positions, and round
//! trips.

mod changes;
mod character;
mod fixtures;
mod made;
mod maker;
mod plain_reader;
mod real_data;
mod round_trip;
#[path = "../support/mod.rs"]
mod support;
mod vrma;
