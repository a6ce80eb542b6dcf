//! The decoder of VMC packets.
#![no_main]

use marey_fuzz::mutate::{Structure, mutate};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| marey_fuzz::documents::read_vmc(bytes));
libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate(data, size, max_size, seed, Structure::Osc)
});
