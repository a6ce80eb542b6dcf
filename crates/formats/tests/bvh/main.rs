//! The BVH reader and writer, shown from outside: fixtures with their reports, damaged bytes, world positions worked out
//! another way, and files that are written and read again.

mod changes;
mod fixtures;
mod golden;
mod little_data;
mod plain_reader;
mod round_trip;
#[path = "../support/mod.rs"]
mod support;
mod tolerance;
