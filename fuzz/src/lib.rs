//! Shared by the fuzz targets: reads bytes as a file and checks the invariants of the reader.
//!
//! Keep an input that fails as a fixture with its report in `fixtures/NAME/bad`, or in `finds/NAME`; the tests replay both.

pub mod documents;
pub mod guard;
pub mod mutate;

use marey_formats::bvh::{self, BvhOptions};
use marey_formats::keyframes;
use marey_formats::path::read_waypoints;
use marey_formats::terrain::{TerrainSettings, read_terrain};
use marey_formats::{Companion, FileContent, FormatsError, Limits, MotionFile, ReadOptions, read};
use marey_motion::Coded;

/// Low limits, so that an input takes little time and memory.
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

/// Reads bytes as a file with a file name ending.
pub fn read_file(bytes: &[u8], ending: &str) {
    check(read(bytes, Some(ending), &options()));
}

/// Reads bytes as Acclaim motion with a fixed skeleton, and as a skeleton.
pub fn read_acclaim(bytes: &[u8]) {
    const SKELETON: &[u8] = include_bytes!("../../fixtures/acclaim/good/stretch.asf");
    read_file(bytes, "asf");
    let skeleton = Some(Companion::new("stretch.asf", SKELETON));
    check(read(bytes, Some("amc"), &ReadOptions { skeleton, ..options() }));
}

/// Reads bytes as a drawn path, as motion of one point and as waypoints.
pub fn read_path(bytes: &[u8]) {
    read_file(bytes, "csv");
    read_file(bytes, "json");
    for ending in ["csv", "json", "svg"] {
        match read_waypoints(bytes, Some(ending), &options()) {
            Some(Ok(path)) => assert!(path.positions.iter().all(|position| position.is_finite())),
            Some(Err(error)) => assert!(!error.to_string().is_empty() && !error.code().id.is_empty()),
            None => {}
        }
    }
}

/// Reads bytes as a table of keyframes. Times increase from 0, and places are finite.
pub fn read_keyframes(bytes: &[u8]) {
    match keyframes::read(bytes, options().limits) {
        Ok(table) => {
            let secs: Vec<f64> = table.keyframes.iter().filter_map(|keyframe| keyframe.secs).collect();
            assert!(secs.is_empty() || secs.len() == table.keyframes.len());
            assert!(secs.first().is_none_or(|first| *first == 0.0) && secs.is_sorted_by(|a, b| a < b));
            let mut places = table.keyframes.iter().filter_map(|keyframe| keyframe.place);
            assert!(places.all(|place| place.is_finite()));
        }
        Err(error) => assert!(!error.to_string().is_empty() && !error.code().id.is_empty()),
    }
}

/// Reads bytes as a terrain: as JSON, as a drawing and as a height map.
pub fn read_terrain_file(bytes: &[u8]) {
    let settings = TerrainSettings { limits: options().limits, ..TerrainSettings::default() };
    for ending in ["json", "svg", "png"] {
        match read_terrain(bytes, ending, None, &settings) {
            Ok(terrain) => assert!(terrain.pieces().iter().flatten().all(|point| point.is_finite())),
            Err(error) => assert!(!error.to_string().is_empty() && !error.code().id.is_empty()),
        }
    }
}

/// Reads bytes as a roles file.
pub fn read_roles(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Err(error) = marey_conventions::roles::RoleMap::from_toml(text)
    {
        assert!(!error.code().id.is_empty());
    }
}

/// Panics if an invariant is violated: errors have a message and a code, positions are finite, and takes can be written.
fn check(result: Result<MotionFile, FormatsError>) {
    let file = match result {
        Ok(file) => file,
        Err(error) => return assert!(!error.to_string().is_empty() && !error.code().id.is_empty()),
    };
    match file.content {
        FileContent::Figures(takes) => {
            assert!(!takes.is_empty());
            for take in takes.iter().map(|file_take| &file_take.take) {
                for actor in take.actors() {
                    assert!(actor.clip.world().positions.iter().all(|position| position.is_finite()));
                }
                bvh::write(take, &BvhOptions::default());
            }
        }
        FileContent::Points(points) => assert!(points.clip.flat().iter().all(|point| point.is_finite())),
    }
}
