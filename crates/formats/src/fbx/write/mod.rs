//! Writes binary FBX, version 7500.
//!
//! | part | how it is written |
//! |---|---|
//! | axes, unit | Y up, facing +Z, right-handed; centimetres |
//! | actor | a node with its name at the origin; the skeleton and the mesh are below it |
//! | joint | a bone. Its rest rotation is a pre-rotation, so that a figure without rotations is at rest |
//! | tip | a bone without keys, named after its joint with `_end` |
//! | rest pose | on the floor, as the bind pose of skeleton and skin |
//! | motion | an animation stack with the name of the take; linear keys of Euler angles, continuous from frame to frame |
//!
//! Arrays are not compressed: bytes depend on the motion only. Object names hold neither of the two characters that end them.

mod curves;
mod document;
mod figure;
mod mesh;
mod objects;
mod records;

use glam::DQuat;
use marey_motion::{Report, Take};

use super::{TIP_SUFFIX, codes};
use crate::FormatsError;
use crate::bvh::RotationOrder;
use crate::bvh::euler_angles::angles_of;
use crate::gltf::Shape;
use document::FrameTimes;
use figure::{Figure, plain_name};
use mesh::Body;
use objects::{ObjectCounts, Objects};
use records::Records;

const CM_PER_M: f64 = 100.0;

/// Options of the FBX writer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FbxOptions {
    /// The visible shape. Default: a mannequin.
    pub shape: Shape,
}

/// Writes a take as one scene with one animation stack.
///
/// Every joint has rotation curves and every mover translation curves, with a key for each frame k at the time k / rate, or a single
/// key if nothing changes. The root always has all keys. The report lists figures without a mesh and renamed joints.
pub fn write(take: &Take, options: &FbxOptions) -> Result<(Vec<u8>, Report), FormatsError> {
    let mut report = Report::default();
    let name = plain_name(take.name(), &mut report);
    let mut counts = ObjectCounts::default();
    let mut figures = Vec::new();
    for (index, actor) in take.actors().iter().enumerate() {
        let clip = &actor.clip;
        let mut figure = Figure::new(&actor.name, clip, &mut report);
        let body = options.shape.body(&actor.name, index, &figure.rest, &mut report);
        figure.body = body.map(|body| Body::new(&body, clip.skeleton().len()));
        figure.add_counts(&mut counts);
        figures.push(figure);
    }
    let times = FrameTimes { rate_hz: take.rate_hz(), frames: take.frames() };
    let (mut records, mut objects) = (Records::new(), Objects::new());
    document::begin(&mut records, &times, &name, &counts);
    records.record("Objects", &[], |records| {
        let mut written = Vec::new();
        for figure in figures {
            let ids = figure.write(records, &mut objects);
            written.push((figure, ids));
        }
        curves::write_animation(&name, &written, &times, records, &mut objects);
    });
    objects.write_connections(&mut records);
    document::write_takes(&mut records, &times, &name);
    Ok((records.finish(), report))
}

/// The angles of a rotation about x, then y, then z, in degrees, closest to those of the previous frame.
fn euler_degrees(rotation: DQuat, past: Option<[f64; 3]>) -> [f64; 3] {
    let reversed = |[a, b, c]: [f64; 3]| [c, b, a];
    let past = past.map(|angles| reversed(angles).map(f64::to_radians));
    reversed(angles_of(rotation, RotationOrder::Zyx, past)).map(f64::to_degrees)
}
