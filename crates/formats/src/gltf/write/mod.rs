//! Writes glTF and GLB.

mod humanoid;
pub(super) mod motion;
pub(super) mod pack;
pub(super) mod scene;
mod skeleton;
mod vrma;

use marey_body::RestSkeleton;
use marey_motion::{Actor, Clip, Place, Report, Take};
use marey_ops::keyframes::{KeyTolerance, Keyframes};
use pack::Pack;
use scene::{Animation, Material, Mesh, Node, Primitive, Scene, Skin};
use skeleton::add_nodes;
pub use vrma::write_vrma;

use super::{base64, codes, container};
use crate::FormatsError;
use crate::shape::{ColouredMannequin, Shape};

/// The two forms of glTF.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Form {
    /// One binary file, `.glb`.
    #[default]
    Binary,
    /// Text with embedded buffers, `.gltf`; a third larger.
    Text,
}

/// Options of the glTF writer.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct GltfOptions {
    /// Text or binary. Default: binary.
    pub form: Form,
    /// The visible shape. Default: a mannequin.
    pub shape: Shape,
    /// Removes keyframes within this error. Default: every frame is a keyframe.
    pub reduce: Option<KeyTolerance>,
}

/// Writes a take as one scene with one animation.
///
/// Each actor is a node with its name, with the skeleton below it, a skin of all joints, and a mannequin. Nodes are in the rest pose,
/// on the floor. Every joint has a rotation channel and every mover a translation channel, with a key for each frame k at the time
/// k / rate, or a single key if nothing changes. The root's translation always has all keys, which preserves duration and rate. Tips are nodes
/// without a channel, named after their joint with `_end`. The report lists figures without a mesh.
pub fn write(take: &Take, options: &GltfOptions) -> Result<(Vec<u8>, Report), FormatsError> {
    write_scene(take, options, true)
}

/// Writes the figures of a take as [`write()`] does, without an animation.
pub fn write_model(take: &Take, options: &GltfOptions) -> Result<Vec<u8>, FormatsError> {
    write_scene(take, options, false).map(|(bytes, _)| bytes)
}

fn write_scene(
    take: &Take,
    options: &GltfOptions,
    is_animated: bool,
) -> Result<(Vec<u8>, Report), FormatsError> {
    check_times(take)?;
    let mut report = Report::default();
    let mut scene = Scene::default();
    let mut pack = Pack::default();
    let mut animation = Animation { name: take.name().to_owned(), ..Animation::default() };
    let clock = is_animated.then(|| motion::Clock::of(take, &mut pack));
    let mut shown = Vec::new();
    for (index, actor) in take.actors().iter().enumerate() {
        let clip = &actor.clip;
        let rest = RestSkeleton::on_floor(clip.skeleton());
        let first = add_nodes(&rest, &actor.name, &mut scene);
        if let Some(clock) = &clock {
            let keys = reduced(clip, options.reduce, &mut report)?;
            motion::add_channels(clip, first + 1, clock, keys.as_ref(), &mut animation, &mut pack);
        }
        let skin = scene.skins.len();
        scene.skins.push(Skin {
            inverse_bind_matrices: pack.matrices(&rest.inverse_bind_matrices()),
            joints: (first + 1..first + 1 + clip.skeleton().len()).collect(),
            name: actor.name.clone(),
        });
        if let Some(body) = options.shape.body(&actor.name, index, &rest, &mut report) {
            shown.push(add_mesh(actor, &body, clip.skeleton().len(), skin, &mut scene, &mut pack));
        }
    }
    // Skinned meshes are at the top of the scene, because their parents' transforms are ignored.
    for node in shown {
        scene.add_root(node);
    }
    if is_animated {
        scene.animations.push(animation);
    }
    let bytes = match options.form {
        Form::Binary => close_binary(&scene, &pack)?,
        Form::Text => {
            let uri = format!("data:application/octet-stream;base64,{}", base64::encode(&pack.bytes));
            scene.to_json(&pack, Some(uri))
        }
    };
    Ok((bytes, report))
}

/// The bytes of a GLB.
fn close_binary(scene: &Scene, pack: &Pack) -> Result<Vec<u8>, FormatsError> {
    let too_long =
        || FormatsError::refused(&codes::TOO_LONG, Place::default(), "the file would be larger than 4 GiB");
    container::close_glb(&scene.to_json(pack, None), &pack.bytes).ok_or_else(too_long)
}

/// The keyframes that a clip keeps; `None` for all. The report says how many they are.
pub(super) fn reduced(
    clip: &Clip,
    tolerance: Option<KeyTolerance>,
    report: &mut Report,
) -> Result<Option<Keyframes>, FormatsError> {
    let Some(tolerance) = tolerance else { return Ok(None) };
    let keys = Keyframes::within(clip, tolerance)?;
    let all = clip.rotations().len() + clip.positions().len();
    let message =
        format!("{} of {all} keyframes; joints are within {:.2} mm", keys.len(), 1000.0 * keys.error_m);
    report.warn(&codes::REDUCED, Place::default(), message);
    Ok(Some(keys))
}

/// An error if single floats cannot distinguish the times of the last frames.
pub(super) fn check_times(take: &Take) -> Result<(), FormatsError> {
    let last = take.frames().saturating_sub(1);
    let time = |frame: usize| (frame as f64 / take.rate_hz()) as f32;
    if last > 0 && time(last) <= time(last - 1) {
        let message = format!("{:.0} s at {} Hz", take.first().duration_secs(), take.rate_hz());
        return Err(FormatsError::refused(&codes::TOO_LONG, Place::default().frame(last), message));
    }
    Ok(())
}

/// Adds the body of an actor, and returns its node.
fn add_mesh(
    actor: &Actor,
    body: &ColouredMannequin,
    joints: usize,
    skin: usize,
    scene: &mut Scene,
    pack: &mut Pack,
) -> Node {
    let mut primitives = Vec::new();
    for (mesh, colour) in body.mannequin.parts.iter().zip(&body.colours) {
        if mesh.is_empty() {
            continue;
        }
        let material = scene.materials.len();
        scene.materials.push(Material::matt(&format!("{} {}", actor.name, primitives.len() + 1), *colour));
        primitives.push(Primitive::of(mesh, joints, material, pack));
    }
    let mesh = scene.meshes.len();
    scene.meshes.push(Mesh { primitives, name: actor.name.clone() });
    let name = format!("{} body", actor.name);
    Node { name, mesh: Some(mesh), skin: Some(skin), ..Node::default() }
}
