//! Mutators that know the structure of a file: they change a valid file in its fields, so that readers get beyond their first checks.
//!
//! libFuzzer changes bytes anywhere, which most readers refuse at once: a length no longer fits, a checksum is wrong, a keyword is
//! misspelt. These mutators keep the structure and change numbers, words, entries and their order. One mutation in four is libFuzzer's
//! own. An input is always a file as a user would have it, so that a find can be kept as a fixture.

mod c3d;
mod fbx;
mod gltf;
mod json;
mod npz;
mod number;
mod osc;
mod png;
mod random;
mod shard;
mod text;

use self::random::Random;

/// The structure that a mutator keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Structure {
    /// Lines of words and numbers: BVH, Acclaim, TRC, CSV, SVG, TOML, commands.
    Text,
    /// JSON values.
    Json,
    /// JSON with binary buffers: GLB, or glTF as JSON.
    Gltf,
    /// A zip of arrays.
    Npz,
    /// A header, parameters and frames in blocks.
    C3d,
    /// A tree of nodes with typed properties, or its text form.
    Fbx,
    /// Chunks with checksums.
    Png,
    /// Bundles and messages of Open Sound Control.
    Osc,
    /// Takes of a corpus with their hashes.
    Shard,
    /// Paths and terrains: PNG, JSON or text, as the bytes begin.
    Drawing,
}

/// Changes the first `size` bytes of `data` and returns their new number, at most `max_size`.
///
/// The same seed and bytes give the same result.
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u32, structure: Structure) -> usize {
    let mut random = Random::new(seed);
    let Some(bytes) = data.get(..size).filter(|_| !random.one_in(4)) else {
        return libfuzzer_sys::fuzzer_mutate(data, size, max_size);
    };
    let mut changed = bytes.to_vec();
    for _ in 0..=random.below(3) {
        changed = change(&changed, structure, &mut random).unwrap_or(changed);
    }
    match data.get_mut(..changed.len()).filter(|_| changed.len() <= max_size) {
        Some(place) => {
            place.copy_from_slice(&changed);
            changed.len()
        }
        None => libfuzzer_sys::fuzzer_mutate(data, size, max_size),
    }
}

/// One change, or `None` if the bytes do not have the structure.
fn change(bytes: &[u8], structure: Structure, random: &mut Random) -> Option<Vec<u8>> {
    match structure {
        Structure::Text => text::change(bytes, random),
        Structure::Json => json::change(bytes, random),
        Structure::Gltf => gltf::change(bytes, random),
        Structure::Npz => npz::change(bytes, random),
        Structure::C3d => c3d::change(bytes, random),
        Structure::Fbx => fbx::change(bytes, random).or_else(|| text::change(bytes, random)),
        Structure::Png => png::change(bytes, random),
        Structure::Osc => osc::change(bytes, random),
        Structure::Shard => shard::change(bytes, random),
        Structure::Drawing if bytes.starts_with(b"\x89PNG") => png::change(bytes, random),
        Structure::Drawing => json::change(bytes, random).or_else(|| text::change(bytes, random)),
    }
}
