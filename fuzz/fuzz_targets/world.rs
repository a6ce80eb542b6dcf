//! The reader of worlds, and a performance in them.
#![no_main]

use marey_fuzz::mutate::{Structure, mutate};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| marey_fuzz::documents::read_world(bytes));
libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate(data, size, max_size, seed, Structure::Text)
});
