//! The reader of AMASS's NPZ.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| marey_fuzz::read_file(bytes, "npz"));
