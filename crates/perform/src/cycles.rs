//! The built-in example motions, which every world can name: one cycle each of swinging on a bar, climbing a rope, walking and swimming.
//!
//! They are stored as the frames of a body of [default proportions](BodyProportions) at 60 Hz. Each frame is the rotations of its
//! joints (x, y, z, w) and the translation of its root, as little-endian `f32`. `marey-examples` generates them
//! (`playground::cycle`), and `MAREY_BLESS=1 cargo test -p marey-perform --test cycles` writes the files.

use std::collections::BTreeMap;

use glam::{Quat, Vec3};
use marey_body::BodyProportions;
use marey_motion::{Clip, ClipParts};

use crate::Result;

/// Frames per second of the built-in example motions.
const RATE_HZ: f64 = 60.0;

const CYCLES: [(&str, &[u8]); 4] = [
    ("swing", include_bytes!("../cycles/swing.f32")),
    ("climb", include_bytes!("../cycles/climb.f32")),
    ("walk", include_bytes!("../cycles/walk.f32")),
    ("breast-stroke", include_bytes!("../cycles/breast-stroke.f32")),
];

/// The built-in example motions by name: `swing`, `climb`, `walk` and `breast-stroke`.
///
/// ```
/// let motions = marey_perform::built_in_motions()?;
/// assert_eq!(motions["climb"].frames(), 120);
/// assert!(motions.contains_key("breast-stroke"));
/// # Ok::<(), marey_perform::PerformError>(())
/// ```
pub fn built_in_motions() -> Result<BTreeMap<String, Clip>> {
    let skeleton = BodyProportions::default().skeleton()?;
    let joints = skeleton.len();
    let motion = |(name, bytes): (&str, &[u8])| {
        let numbers: Vec<f32> = bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        let mut parts = ClipParts::default();
        for frame in numbers.chunks_exact(4 * joints + 3) {
            let (rotations, root) = frame.split_at(4 * joints);
            parts.rotations.extend(rotations.chunks_exact(4).map(Quat::from_slice));
            parts.positions.push(Vec3::from_slice(root));
        }
        Ok((name.to_owned(), Clip::new(skeleton.clone(), RATE_HZ, parts)?))
    };
    CYCLES.into_iter().map(motion).collect()
}
