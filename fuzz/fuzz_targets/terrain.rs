//! The readers of terrains.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| marey_fuzz::read_terrain_file(bytes));
