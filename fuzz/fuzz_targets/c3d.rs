//! The C3D reader.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| marey_fuzz::reads(bytes, "c3d"));
