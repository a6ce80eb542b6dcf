//! Chunks: a range of one actor's frames as bytes.
//!
//! All numbers are little-endian. A joint or mover that does not change within the chunk is stored once.
//!
//! | bytes | what |
//! |---|---|
//! | 4 | layout: 1 packed, 2 plain |
//! | 4, 4, 4 | frames, joints, movers |
//! | ⌈joints / 8⌉ | a bit for each joint, lowest first: 1 if it does not change |
//! | ⌈movers / 8⌉ | the same for each mover |
//! | … | for each joint, its rotations: one if it does not change, otherwise one per frame. Packed: 8 bytes (see `pack`). Plain: x y z w as f32 |
//! | … | for each mover, its translations: one if it does not change, otherwise one per frame; x y z as f32, in metres |
//!
//! The packed layout is used if it keeps every joint and tip within [`TOLERANCE_M`] of its position in every frame,
//! which is measured when a chunk is made; else the plain one, which keeps every bit.

use marey_motion::{Clip, ClipParts, Quat, Skeleton, Vec3, WorldPose};

use crate::pack::{pack, unpack};
use crate::{CorpusError, Result};

/// Number of frames per chunk; the last chunk of a clip can be shorter.
pub(crate) const CHUNK_FRAMES: usize = 256;

/// Maximum error of a joint's position, in metres.
pub(crate) const TOLERANCE_M: f32 = 1e-4;

const PACKED: u32 = 1;
const PLAIN: u32 = 2;

/// Encodes a clip of any length.
pub(crate) fn encode(clip: &Clip) -> Vec<u8> {
    let packed = encode_as(PACKED, clip);
    if keeps_joints(clip, &packed) { packed } else { encode_as(PLAIN, clip) }
}

/// Decodes the frames of a chunk. Fails for bytes that do not fit the skeleton or that [`encode`] never writes.
pub(crate) fn decode(bytes: &[u8], skeleton: &Skeleton) -> Result<ClipParts> {
    read(bytes, skeleton).ok_or_else(|| CorpusError::damaged("stored frames are cut short or garbled"))
}

/// Whether the bytes hold unpacked rotations of 16 bytes each.
pub(crate) fn is_plain(bytes: &[u8]) -> bool {
    bytes.first_chunk() == Some(&PLAIN.to_le_bytes())
}

fn encode_as(layout: u32, clip: &Clip) -> Vec<u8> {
    let (frames, joints, movers) = (clip.frames(), clip.skeleton().len(), clip.skeleton().movers().len());
    let mut out = Vec::with_capacity(16 + joints + frames * (joints * 8 + movers * 12));
    for number in [layout, frames as u32, joints as u32, movers as u32] {
        out.extend_from_slice(&number.to_le_bytes());
    }
    let rotations = columns(clip.rotations(), joints);
    let positions = columns(clip.positions(), movers);
    push_flags(&mut out, rotations.iter().map(|column| is_still(column, Quat::to_array)));
    push_flags(&mut out, positions.iter().map(|column| is_still(column, Vec3::to_array)));
    for column in &rotations {
        for q in stored(column, Quat::to_array) {
            match layout {
                PACKED => out.extend_from_slice(&pack(*q).to_le_bytes()),
                _ => q.to_array().iter().for_each(|c| out.extend_from_slice(&c.to_le_bytes())),
            }
        }
    }
    for column in &positions {
        for p in stored(column, Vec3::to_array) {
            p.to_array().iter().for_each(|c| out.extend_from_slice(&c.to_le_bytes()));
        }
    }
    out
}

/// One column per joint of an interleaved array.
fn columns<T: Copy>(flat: &[T], width: usize) -> Vec<Vec<T>> {
    (0..width).map(|column| flat.iter().skip(column).step_by(width).copied().collect()).collect()
}

/// Whether every value has the bits of the first.
fn is_still<T: Copy, const N: usize>(column: &[T], numbers: impl Fn(&T) -> [f32; N]) -> bool {
    let bits = |value: &T| numbers(value).map(f32::to_bits);
    column.windows(2).all(|pair| matches!(pair, [a, b] if bits(a) == bits(b)))
}

/// The part of a column that is stored.
fn stored<T: Copy, const N: usize>(column: &[T], numbers: impl Fn(&T) -> [f32; N]) -> &[T] {
    let kept = if is_still(column, numbers) { 1 } else { column.len() };
    column.get(..kept).unwrap_or_default()
}

fn push_flags(out: &mut Vec<u8>, flags: impl Iterator<Item = bool>) {
    let flags: Vec<bool> = flags.collect();
    for eight in flags.chunks(8) {
        out.push(eight.iter().enumerate().fold(0, |byte, (bit, still)| byte | u8::from(*still) << bit));
    }
}

/// Whether every joint and tip keeps its position within the tolerance.
fn keeps_joints(clip: &Clip, packed: &[u8]) -> bool {
    let Some(parts) = read(packed, clip.skeleton()) else { return false };
    let Ok(back) = Clip::new(clip.skeleton().clone(), clip.rate_hz(), parts) else { return false };
    let mut here = WorldPose::scratch(clip.skeleton());
    let mut there = WorldPose::scratch(clip.skeleton());
    clip.poses().zip(back.poses()).all(|(was, is)| {
        here.set(was);
        there.set(is);
        let joints = here.positions.iter().zip(&there.positions).all(|(a, b)| a.distance(*b) <= TOLERANCE_M);
        joints && here.tips().zip(there.tips()).all(|(a, b)| a.distance(b) <= TOLERANCE_M)
    })
}

/// Reads bytes from the front.
struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(*head)
    }

    fn number(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.array()?))
    }

    fn float(&mut self) -> Option<f32> {
        Some(f32::from_le_bytes(self.array()?)).filter(|f| f.is_finite())
    }

    fn flags(&mut self, count: usize) -> Option<Vec<bool>> {
        let (bytes, rest) = self.rest.split_at_checked(count.div_ceil(8))?;
        self.rest = rest;
        let bits = bytes.iter().flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1 == 1));
        Some(bits.take(count).collect())
    }

    fn rotation(&mut self, layout: u32) -> Option<Quat> {
        if layout == PACKED {
            return unpack(u64::from_le_bytes(self.array()?));
        }
        let q = Quat::from_xyzw(self.float()?, self.float()?, self.float()?, self.float()?);
        Some(q).filter(|q| (q.length_squared() - 1.0).abs() < 1e-3)
    }
}

fn read(bytes: &[u8], skeleton: &Skeleton) -> Option<ClipParts> {
    let mut reader = Reader { rest: bytes };
    let layout = reader.number()?;
    let frames = reader.number()? as usize;
    let (joints, movers) = (reader.number()? as usize, reader.number()? as usize);
    let fits = joints == skeleton.len() && movers == skeleton.movers().len();
    if !fits || frames == 0 || frames > CHUNK_FRAMES || ![PACKED, PLAIN].contains(&layout) {
        return None;
    }
    let (still_joints, still_movers) = (reader.flags(joints)?, reader.flags(movers)?);
    let mut rotations = vec![Quat::IDENTITY; frames * joints];
    for (joint, still) in still_joints.into_iter().enumerate() {
        fill(&mut rotations, joint, joints, still, || reader.rotation(layout))?;
    }
    let mut positions = vec![Vec3::ZERO; frames * movers];
    for (mover, still) in still_movers.into_iter().enumerate() {
        fill(&mut positions, mover, movers, still, || {
            Some(Vec3::new(reader.float()?, reader.float()?, reader.float()?))
        })?;
    }
    reader.rest.is_empty().then_some(ClipParts { rotations, positions })
}

/// Fills one column of an interleaved array.
fn fill<T: Copy>(
    flat: &mut [T],
    column: usize,
    width: usize,
    still: bool,
    mut next: impl FnMut() -> Option<T>,
) -> Option<()> {
    let mut value = None;
    for slot in flat.iter_mut().skip(column).step_by(width) {
        if value.is_none() || !still {
            value = Some(next()?);
        }
        *slot = value?;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use marey_motion::Joint;
    use proptest::prelude::*;

    use super::*;

    /// A chain of bones of the given length, with random rotations.
    fn chain(bones: &[f32], frames: usize, angles: &[f32]) -> Clip {
        let mut joints = vec![Joint::new("0", None, Vec3::ZERO)];
        for (i, bone) in bones.iter().enumerate() {
            let mut joint = Joint::new(format!("{}", i + 1), Some(i), Vec3::new(0.0, *bone, 0.0));
            joint.moves = i % 4 == 3;
            joints.push(joint);
        }
        let skeleton = Arc::new(Skeleton::new(joints, vec![]).unwrap());
        let mut angle = angles.iter().cycle();
        let mut next = || *angle.next().unwrap();
        let mut parts = ClipParts::default();
        for frame in 0..frames {
            for joint in 0..skeleton.len() {
                let turn = Quat::from_euler(glam::EulerRot::XYZ, next(), next(), next());
                parts.rotations.push(if joint == 1 { Quat::IDENTITY } else { turn });
            }
            let movers = skeleton.movers().len();
            parts.positions.extend((0..movers).map(|m| Vec3::new(0.01 * (frame * m) as f32, 0.3, 0.0)));
        }
        Clip::new(skeleton, 30.0, parts).unwrap()
    }

    fn farthest_m(a: &Clip, b: &Clip) -> f32 {
        let (a, b) = (a.world(), b.world());
        a.positions.iter().zip(&b.positions).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
    }

    #[test]
    fn what_is_far_away_is_stored_plain_and_comes_back_to_the_bit() {
        let angles = [0.3, 1.2, -0.7, 2.2, 0.01];
        let near = chain(&[0.4; 6], 9, &angles);
        assert!(!is_plain(&encode(&near)));
        // A bone of a hundred metres: four microradians are more than a tenth of a millimetre.
        let far = chain(&[100.0; 6], 9, &angles);
        let bytes = encode(&far);
        assert!(is_plain(&bytes));
        let back = decode(&bytes, far.skeleton()).unwrap();
        assert_eq!(
            (back.rotations.as_slice(), back.positions.as_slice()),
            (far.rotations(), far.positions())
        );
    }

    #[test]
    fn a_joint_that_is_still_costs_next_to_nothing() {
        let clip = chain(&[0.4], 200, &[0.1, 0.2, 0.7, -0.2]);
        // 16 bytes of numbers, two of flags; the root turns, joint 1 does not; the root's translation is still.
        assert_eq!(encode(&clip).len(), 16 + 2 + 200 * 8 + 8 + 12);
    }

    #[test]
    fn bytes_of_any_kind_are_refused_without_a_panic() {
        let clip = chain(&[0.4; 3], 5, &[0.1, 0.2]);
        let good = encode(&clip);
        for cut in 0..good.len() {
            assert!(decode(&good[..cut], clip.skeleton()).is_err(), "{cut}");
        }
        assert!(decode(&[good.clone(), vec![0]].concat(), clip.skeleton()).is_err());
        for i in 0..good.len() {
            for bit in 0..8 {
                let mut bad = good.clone();
                bad[i] ^= 1 << bit;
                // What is read has the right size; only the checksum detects changed numbers.
                if let Ok(parts) = decode(&bad, clip.skeleton()) {
                    assert_eq!(parts.rotations.len() % clip.skeleton().len(), 0);
                }
            }
        }
    }

    proptest! {
        #[test]
        fn joints_stay_within_a_tenth_of_a_millimetre_however_the_body_is_made(
            bones in prop::collection::vec(0.0f32..60.0, 1..16), frames in 1usize..20,
            angles in prop::collection::vec(-3.1f32..3.1, 7..31),
        ) {
            // Rounding of the world positions themselves, apart from what packing does.
            let reach: f32 = bones.iter().sum();
            let clip = chain(&bones, frames, &angles);
            let parts = decode(&encode(&clip), clip.skeleton()).unwrap();
            let back = Clip::new(clip.skeleton().clone(), 30.0, parts).unwrap();
            prop_assert!(farthest_m(&clip, &back) <= TOLERANCE_M + reach * 1e-6);
        }

        #[test]
        fn a_body_of_human_size_is_always_packed(
            bones in prop::collection::vec(0.05f32..0.5, 4..12), angles in prop::collection::vec(-3.1f32..3.1, 7..31),
        ) {
            let clip = chain(&bones, 12, &angles);
            prop_assert!(!is_plain(&encode(&clip)));
        }
    }
}
