//! Clips as JSON: readable headers, and arrays that keep every bit.
//!
//! `{"rate_hz": …, "frames": …, "skeleton": {…}, "rotations": "…", "positions": "…"}`. The arrays are base64 (RFC 4648, with
//! padding) of little-endian 32-bit floats: rotations frames × joints × x y z w, positions frames × movers × x y z in metres.

use std::borrow::Cow;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use glam::{Quat, Vec3};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Clip, ClipParts, Skeleton};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClipJson<'a> {
    rate_hz: f64,
    frames: usize,
    skeleton: Cow<'a, Skeleton>,
    rotations: String,
    positions: String,
}

impl Serialize for Clip {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let json = ClipJson {
            rate_hz: self.rate_hz(),
            frames: self.frames(),
            skeleton: Cow::Borrowed(self.skeleton()),
            rotations: encode(self.rotations().iter().map(Quat::to_array)),
            positions: encode(self.positions().iter().map(Vec3::to_array)),
        };
        json.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Clip {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = ClipJson::deserialize(deserializer)?;
        let rotations = decode("rotations", &json.rotations).map_err(D::Error::custom)?;
        let positions = decode("positions", &json.positions).map_err(D::Error::custom)?;
        let parts = ClipParts {
            rotations: rotations.into_iter().map(Quat::from_array).collect(),
            positions: positions.into_iter().map(Vec3::from_array).collect(),
        };
        let skeleton = Arc::new(json.skeleton.into_owned());
        let clip = Clip::new_keeping_bits(skeleton, json.rate_hz, parts).map_err(D::Error::custom)?;
        if clip.frames() != json.frames {
            let found = clip.frames();
            return Err(D::Error::custom(format!("the arrays hold {found} frames, not {}", json.frames)));
        }
        Ok(clip)
    }
}

fn encode<const N: usize>(values: impl Iterator<Item = [f32; N]>) -> String {
    let bytes: Vec<u8> = values.flatten().flat_map(f32::to_le_bytes).collect();
    STANDARD.encode(bytes)
}

fn decode<const N: usize>(what: &str, text: &str) -> Result<Vec<[f32; N]>, String> {
    let bytes = STANDARD.decode(text).map_err(|error| format!("{what} are not base64: {error}"))?;
    let (floats, rest) = bytes.as_chunks::<4>();
    let floats: Vec<f32> = floats.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    let (values, left) = floats.as_chunks::<N>();
    if !rest.is_empty() || !left.is_empty() {
        return Err(format!("{what} have {} bytes, not a multiple of {}", bytes.len(), 4 * N));
    }
    Ok(values.to_vec())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Joint;

    fn bits(clip: &Clip) -> Vec<u32> {
        let rotations = clip.rotations().iter().flat_map(Quat::to_array);
        rotations.chain(clip.positions().iter().flat_map(Vec3::to_array)).map(f32::to_bits).collect()
    }

    fn skeleton(offset: Vec3, rest: Quat) -> Arc<Skeleton> {
        let mut arm = Joint::new("arm", Some(0), offset);
        arm.rest_rotation = rest;
        Arc::new(Skeleton::new(vec![Joint::new("root", None, Vec3::Y), arm], vec![]).unwrap())
    }

    fn quat() -> impl Strategy<Value = Quat> {
        [-1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0, 0.1f32..1.0].prop_map(Quat::from_array)
    }

    proptest! {
        #[test]
        fn a_clip_reads_back_to_the_bit(
            rotations in prop::collection::vec(quat(), 2..40),
            position in [-1e6f32..1e6, -1e-6f32..1e-6, -1.0f32..1.0],
            offset in [-1e6f32..1e6, -1e-6f32..1e-6, -1.0f32..1.0],
            rest in quat(),
            rate_hz in 0.01f64..1e4,
        ) {
            let rotations = rotations[..rotations.len() / 2 * 2].to_vec();
            let positions = (0..rotations.len() / 2).map(|i| Vec3::from_array(position) / (i + 1) as f32);
            let parts = ClipParts { positions: positions.collect(), rotations };
            let clip = Clip::new(skeleton(Vec3::from_array(offset), rest), rate_hz, parts).unwrap();
            let text = serde_json::to_string(&clip).unwrap();
            let read: Clip = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(bits(&read), bits(&clip));
            prop_assert_eq!(read.rate_hz().to_bits(), clip.rate_hz().to_bits());
            prop_assert_eq!(read.skeleton(), clip.skeleton());
            prop_assert_eq!(serde_json::to_string(&read).unwrap(), text);
        }
    }

    #[test]
    fn damaged_clips_are_rejected() {
        let parts = ClipParts { rotations: vec![Quat::IDENTITY; 4], positions: vec![Vec3::ZERO; 2] };
        let clip = Clip::new(skeleton(Vec3::Y, Quat::IDENTITY), 30.0, parts).unwrap();
        let good = serde_json::to_value(&clip).unwrap();
        serde_json::from_value::<Clip>(good.clone()).unwrap();
        let not_finite = encode([[f32::NAN; 3], [0.0; 3]].into_iter());
        for (field, value) in [
            ("rate_hz", serde_json::json!(0)),
            ("frames", serde_json::json!(3)),
            ("rotations", serde_json::json!("####")),
            ("rotations", serde_json::json!("AAAA")),
            ("rotations", serde_json::json!("")),
            ("positions", serde_json::json!("AAAAAAAAAAAAAAAA")),
            ("positions", serde_json::json!(not_finite)),
            ("skeleton", serde_json::json!({"joints": []})),
            ("other", serde_json::json!(1)),
        ] {
            let mut bad = good.clone();
            bad[field] = value;
            assert!(serde_json::from_value::<Clip>(bad).is_err(), "{field}");
        }
    }
}
