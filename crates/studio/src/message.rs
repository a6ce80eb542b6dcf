//! A motion as bytes: everything that the page needs to draw it, in one message.
//!
//! | bytes | content |
//! |---|---|
//! | 0..8 | `marey 1` and a line break |
//! | 8..12 | length of the description, u32 |
//! | 12.. | the description: JSON in UTF-8, padded with spaces to a multiple of 4 |
//! | then | arrays, each at a multiple of 4 bytes from the end of the description |
//!
//! All numbers are little-endian. The description gives each array as `[start, length]` in bytes, counted from its own end:
//!
//! | array | type | shape |
//! |---|---|---|
//! | `rotations` | f32 | frames × joints × 4: parent-relative quaternions x y z w |
//! | `positions` | f32 | frames × movers × 3: parent-relative positions of the movers, the root first, in metres |
//! | `inverse_binds` | f32 | joints × 16: joint from world at rest, column by column |
//! | `positions`, `normals` | f32 | vertices × 3: the body at rest |
//! | `joints`, `weights` | u16, u8 | vertices × 4: the joints that a vertex follows, and their weights in 255ths |
//! | `triangles` | u32 | triangles × 3 |

use marey_body::{Mannequin, SkinnedMesh};
use marey_motion::{Clip, Role};
use serde::Serialize;

use crate::Motion;

/// The first bytes of a message.
pub const MAGIC: &[u8; 8] = b"marey 1\n";

/// The position of an array: first byte and number of bytes.
type Span = [usize; 2];

#[derive(Debug, Serialize)]
struct Description<'a> {
    name: &'a str,
    rate_hz: f64,
    frames: usize,
    floor_m: f32,
    actors: Vec<Actor<'a>>,
}

#[derive(Debug, Serialize)]
struct Actor<'a> {
    name: &'a str,
    joints: Vec<Joint<'a>>,
    /// The joints with a translation of their own.
    movers: &'a [usize],
    rotations: Span,
    positions: Span,
    /// Ground contacts: role, first frame, one past the last frame.
    contacts: Vec<(Role, usize, usize)>,
    body: Option<Body>,
}

#[derive(Debug, Serialize)]
struct Joint<'a> {
    name: &'a str,
    parent: Option<usize>,
    offset: [f32; 3],
    role: Option<Role>,
}

#[derive(Debug, Serialize)]
struct Body {
    inverse_binds: Span,
    parts: Vec<Part>,
}

#[derive(Debug, Serialize)]
struct Part {
    positions: Span,
    normals: Span,
    joints: Span,
    weights: Span,
    triangles: Span,
}

/// Encodes a motion.
pub fn encode(motion: &Motion) -> Vec<u8> {
    let mut arrays = Arrays::default();
    let take = &motion.take;
    let mut actors = Vec::new();
    for (index, actor) in take.actors().iter().enumerate() {
        let contacts = motion.contacts.get(index).map_or(&[][..], |contacts| contacts.all());
        actors.push(Actor {
            contacts: contacts.iter().map(|c| (c.role, c.frames.start, c.frames.end)).collect(),
            ..figure(&actor.name, &actor.clip, &mut arrays)
        });
    }
    let description = Description {
        name: take.name(),
        rate_hz: take.rate_hz(),
        frames: take.frames(),
        floor_m: motion.floor_m,
        actors,
    };
    // The description holds only strings, numbers and lists, which JSON can always represent.
    let mut json = serde_json::to_vec(&description).unwrap_or_default();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut bytes = Vec::with_capacity(12 + json.len() + arrays.bytes.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&(json.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&json);
    bytes.extend_from_slice(&arrays.bytes);
    bytes
}

fn figure<'a>(name: &'a str, clip: &'a Clip, arrays: &mut Arrays) -> Actor<'a> {
    let skeleton = clip.skeleton();
    let joints = skeleton.joints().iter().map(|joint| Joint {
        name: &joint.name,
        parent: joint.parent,
        offset: joint.offset.to_array(),
        role: joint.role,
    });
    Actor {
        name,
        joints: joints.collect(),
        movers: skeleton.movers(),
        rotations: arrays.floats(clip.rotations().iter().flat_map(|q| q.to_array())),
        positions: arrays.floats(clip.positions().iter().flat_map(|p| p.to_array())),
        contacts: Vec::new(),
        body: Mannequin::of(skeleton).map(|body| Body {
            inverse_binds: arrays.floats(body.inverse_binds.iter().flatten().copied()),
            parts: body.parts.iter().map(|mesh| part(mesh, arrays)).collect(),
        }),
    }
}

fn part(mesh: &SkinnedMesh, arrays: &mut Arrays) -> Part {
    Part {
        positions: arrays.floats(mesh.positions.iter().flat_map(|p| p.to_array())),
        normals: arrays.floats(mesh.normals.iter().flat_map(|n| n.to_array())),
        joints: arrays.add(mesh.joints.iter().flatten().flat_map(|joint| joint.to_le_bytes())),
        weights: arrays.add(mesh.weights.iter().flatten().copied()),
        triangles: arrays.add(mesh.triangles.iter().flatten().flat_map(|corner| corner.to_le_bytes())),
    }
}

/// Concatenated arrays, each at a multiple of four bytes.
#[derive(Debug, Default)]
struct Arrays {
    bytes: Vec<u8>,
}

impl Arrays {
    fn floats(&mut self, values: impl Iterator<Item = f32>) -> Span {
        self.add(values.flat_map(f32::to_le_bytes))
    }

    fn add(&mut self, bytes: impl Iterator<Item = u8>) -> Span {
        let start = self.bytes.len();
        self.bytes.extend(bytes);
        let length = self.bytes.len() - start;
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        [start, length]
    }
}

#[cfg(test)]
mod tests {
    use marey_examples::walk::{WalkSettings, walk};
    use serde_json::Value;

    use super::*;

    #[test]
    fn a_message_contains_the_motion() {
        let example = walk(&WalkSettings { duration_secs: 6.0, ..WalkSettings::default() }).unwrap();
        let motion = Motion::from_take(example.take.clone()).unwrap();
        let bytes = encode(&motion);
        assert_eq!(&bytes[..8], MAGIC);
        let length = u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize;
        assert_eq!(length % 4, 0);
        let description: Value = serde_json::from_slice(&bytes[12..12 + length]).unwrap();
        let arrays = &bytes[12 + length..];
        let clip = example.take.first();
        assert_eq!(description["frames"], clip.frames());
        let array = |actor: &Value, name: &str| {
            let [start, length]: [usize; 2] = serde_json::from_value(actor[name].clone()).unwrap();
            assert_eq!(start % 4, 0);
            arrays[start..start + length].to_vec()
        };
        let floats = |bytes: Vec<u8>| -> Vec<f32> {
            bytes.chunks_exact(4).map(|four| f32::from_le_bytes(four.try_into().unwrap())).collect()
        };
        let actor = &description["actors"][0];
        let rotations = floats(array(actor, "rotations"));
        assert!(rotations.iter().copied().eq(clip.rotations().iter().flat_map(|q| q.to_array())));
        let positions = floats(array(actor, "positions"));
        assert!(positions.iter().copied().eq(clip.positions().iter().flat_map(|p| p.to_array())));
        let joints = actor["joints"].as_array().unwrap();
        assert_eq!(joints.len(), clip.skeleton().len());
        assert!(joints.iter().any(|joint| joint["role"] == "Hips"));
        let body = &actor["body"];
        assert_eq!(array(body, "inverse_binds").len(), 64 * joints.len());
        for part in body["parts"].as_array().unwrap() {
            let vertices = array(part, "positions").len() / 12;
            assert_eq!(
                (array(part, "joints").len(), array(part, "weights").len()),
                (8 * vertices, 4 * vertices)
            );
            let corners = array(part, "triangles");
            let mut corners = corners.chunks_exact(4).map(|c| u32::from_le_bytes(c.try_into().unwrap()));
            assert!(corners.all(|corner| (corner as usize) < vertices));
        }
    }
}
