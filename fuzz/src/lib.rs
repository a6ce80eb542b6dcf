//! What every fuzz target does with its bytes: reads them as a file would be read, and holds the reader to its promises.
//!
//! A find is kept as a fixture beside its report (`fixtures/NAME/bad`), which the tests replay.

pub mod guard;

use marey_formats::bvh::{self, BvhOptions};
use marey_formats::{Companion, Content, Error, Import, Limits, ReadOptions, read};
use marey_motion::Coded;

/// Less than usual, so that one input takes little time and memory.
fn options() -> ReadOptions {
    let limits = Limits {
        joints: 512,
        frames: 20_000,
        memory_bytes: 64 << 20,
        inflated_bytes: 16 << 20,
        ..Limits::default()
    };
    ReadOptions { limits, ..ReadOptions::default() }
}

/// Reads bytes as a file with an ending.
pub fn reads(bytes: &[u8], ending: &str) {
    check(read(bytes, Some(ending), &options()));
}

/// Reads bytes as an Acclaim motion of a fixed skeleton, and as a skeleton.
pub fn reads_acclaim(bytes: &[u8]) {
    const SKELETON: &[u8] = include_bytes!("../../fixtures/acclaim/good/stretch.asf");
    reads(bytes, "asf");
    let skeleton = Some(Companion::new("stretch.asf", SKELETON));
    check(read(bytes, Some("amc"), &ReadOptions { skeleton, ..options() }));
}

/// Reads bytes as a drawn path, in lines of numbers and in JSON.
pub fn reads_path(bytes: &[u8]) {
    reads(bytes, "csv");
    reads(bytes, "json");
}

/// Reads bytes as a roles file.
pub fn reads_roles(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Err(error) = marey_formats::roles::RoleMap::from_toml(text)
    {
        assert!(!error.code().id.is_empty());
    }
}

/// Panics where a reading breaks a promise: errors say something, every joint is somewhere, and what was read can be written.
fn check(reading: Result<Import, Error>) {
    let import = match reading {
        Ok(import) => import,
        Err(error) => return assert!(!error.to_string().is_empty() && !error.code().id.is_empty()),
    };
    match import.content {
        Content::Figures(readings) => {
            assert!(!readings.is_empty());
            for take in readings.iter().map(|reading| &reading.take) {
                for actor in take.actors() {
                    assert!(actor.clip.world().positions.iter().all(|position| position.is_finite()));
                }
                bvh::write(take, &BvhOptions::default());
            }
        }
        Content::Points(points) => assert!(points.clip.flat().iter().all(|point| point.is_finite())),
    }
}
