//! Tests of the FBX reader and writer: round trips, fixtures with their reports, damaged bytes, independently computed world positions, and the same motions
//! in other formats.

mod binary;
mod changes;
mod document;
mod evaluated;
mod fixtures;
mod golden;
mod pairs;
mod plain_reader;
mod real_data;
mod rest;
mod round_trip;
#[path = "../support/mod.rs"]
mod support;
