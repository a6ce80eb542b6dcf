//! The Acclaim reader, shown from outside: fixtures with their reports, damaged bytes, world positions worked out another way,
//! and the same motions as BVH.

mod changes;
mod fixtures;
mod folder;
mod golden;
mod pairs;
mod plain_reader;
mod real_data;
#[path = "../support/mod.rs"]
mod support;
