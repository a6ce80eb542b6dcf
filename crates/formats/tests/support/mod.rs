//! What the tests of all formats share: fixtures beside their reports, promises that every reading keeps, real files.
#![allow(dead_code, reason = "each format's tests use a part of it")]

pub(crate) mod cmu;
pub(crate) mod expectation;
pub(crate) mod fixtures;
pub(crate) mod invariants;
