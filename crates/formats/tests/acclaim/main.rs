//! Tests of the Acclaim reader: fixtures with their reports, damaged bytes, independently computed world positions, and the same
//! motions as BVH.

mod changes;
mod fixtures;
mod folder;
mod golden;
mod pairs;
mod plain_reader;
mod real_data;
#[path = "../support/mod.rs"]
mod support;
