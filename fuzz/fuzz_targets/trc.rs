//! The TRC reader.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| marey_fuzz::read_file(bytes, "trc"));
