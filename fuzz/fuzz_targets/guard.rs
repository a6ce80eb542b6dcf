//! The studio's guard.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| marey_fuzz::guard::check_request(bytes));
