//! Writes USD as text, with UsdSkel.
//!
//! | part | how it is written |
//! |---|---|
//! | layer | Y up, metres, as many time codes a second as frames; frame k is at time code k |
//! | actor | a `SkelRoot` with a `Skeleton`, a `SkelAnimation` and the meshes of the mannequin |
//! | joint | a path of names that are valid in USD. Original names are in `jointNames` and in display names |
//! | rest pose | on the floor, as bind and rest transforms |
//!
//! Limits: UsdSkel has no bone ends, so tips are not written. Every frame has the translations and rotations of all joints, as
//! UsdSkel demands.

mod figure;
mod layer;
mod mesh;
mod prim_names;

use marey_motion::{Report, Take};

use crate::FormatsError;
use crate::gltf::Shape;
use figure::Figure;
use layer::{Layer, quoted};
use prim_names::PrimNames;

/// Options of the USD writer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UsdOptions {
    /// The visible shape. Default: a mannequin.
    pub shape: Shape,
}

/// Writes a take as a layer with one skeleton, animation and body for each actor. The report lists figures without a mesh.
pub fn write(take: &Take, options: &UsdOptions) -> Result<(Vec<u8>, Report), FormatsError> {
    let mut report = Report::default();
    let mut names = PrimNames::default();
    let top = names.claim(take.name(), "motion");
    let mut layer = Layer::default();
    layer.line("#usda 1.0");
    layer.line("(");
    layer.inside(|layer| {
        layer.line(&format!("defaultPrim = \"{top}\""));
        layer.line(&format!("endTimeCode = {}", take.frames().saturating_sub(1)));
        layer.line(&format!("framesPerSecond = {}", take.rate_hz()));
        layer.line("metersPerUnit = 1");
        layer.line("startTimeCode = 0");
        layer.line(&format!("timeCodesPerSecond = {}", take.rate_hz()));
        layer.line("upAxis = \"Y\"");
    });
    layer.line(")");
    layer.line("");
    let mut actor_names = PrimNames::default();
    let mut figures = Vec::new();
    for (index, actor) in take.actors().iter().enumerate() {
        figures.push((index, actor, actor_names.claim(&actor.name, "actor"), &actor.clip));
    }
    layer.prim("Xform", &top, &[format!("displayName = {}", quoted(take.name()))], |layer| {
        for (index, actor, name, clip) in &figures {
            let figure = Figure::new(&actor.name, format!("/{top}/{name}"), clip);
            let body = options.shape.body(&actor.name, *index, &figure.rest, &mut report);
            figure.write(name, body.as_ref(), layer);
        }
    });
    Ok((layer.into_bytes(), report))
}
