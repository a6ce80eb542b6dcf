//! Shared by the tests of all formats: fixtures with their reports, invariants of every reading, captured files.
#![allow(dead_code, reason = "each format's tests use a part of it")]

pub(crate) mod characters;
pub(crate) mod cmu;
pub(crate) mod expectation;
pub(crate) mod fixtures;
pub(crate) mod invariants;
pub(crate) mod takes;
