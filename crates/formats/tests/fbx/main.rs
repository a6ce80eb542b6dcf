//! The FBX reader, shown from outside: fixtures with their reports, damaged bytes, world positions worked out another way, and
//! the same motions in other formats.

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
#[path = "../support/mod.rs"]
mod support;
