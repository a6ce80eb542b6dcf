//! The reader of keyframe tables.
#![no_main]

use marey_fuzz::mutate::{Structure, mutate};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| marey_fuzz::read_keyframes(bytes));
libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate(data, size, max_size, seed, Structure::Drawing)
});
