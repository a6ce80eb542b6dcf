//! glTF, shown from outside: fixtures with their reports, damaged bytes, world positions worked out another way, and what is
//! written read again.

mod changes;
mod fixtures;
mod made;
mod maker;
mod plain_reader;
mod real_data;
mod round_trip;
#[path = "../support/mod.rs"]
mod support;
