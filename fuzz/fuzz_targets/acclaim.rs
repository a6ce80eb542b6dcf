//! The readers of Acclaim's skeletons and motions.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| marey_fuzz::read_acclaim(bytes));
