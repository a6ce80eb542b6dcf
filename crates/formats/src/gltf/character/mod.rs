//! Characters: the user's own glTF, GLB or VRM, given back with motion.
//!
//! [`GltfCharacter::read`] reads the skeleton of a file and keeps the whole file. [`animate`] returns that file with animations
//! appended: meshes, materials, textures, morph targets, extensions, extras and names stay as they are, and so does every byte of
//! its buffers. Only these members change:
//!
//! - `byteLength` of the first buffer, to which the motion is appended;
//! - `uri` of buffers and images in files of their own, which are embedded;
//! - `matrix` of joints, which glTF does not allow to be animated and which becomes `translation`, `rotation` and `scale`.
//!
//! Several characters are merged into one file (`merge.rs`).

mod animate;
pub mod codes;
mod embed;
mod json_tree;
mod merge;
mod references;
mod soles;

use std::sync::Arc;

use animate::AnimatedRig;
use json_tree::JsonTree;
use marey_conventions::{
    DeclaredConventions, DetectedConventions, FindingSource, Unit, UpAxis, normalise_take,
};
use marey_motion::{Place, Report, Skeleton, Take};
use marey_ops::keyframes::KeyTolerance;
use soles::MeshDocument;

use super::accessor::Numbers;
use super::budget::Budget;
use super::buffers::Buffers;
use super::document::Document;
pub use super::rig::RigLayout;
use super::rig::{FileSpace, Rig};
use super::write::{check_times, reduced};
use super::{Form, GltfSettings, base64, container};
use crate::{FormatsError, Neighbours, ReadOptions};

/// Warnings of the reader that concern motion, which a character does not need.
const ABOUT_MOTION: [&str; 9] = [
    "gltf/no-motion",
    "gltf/resampled",
    "gltf/left-out",
    "gltf/extension",
    "gltf/renamed",
    "gltf/held-value",
    "gltf/repeated-key",
    "gltf/channel-twice",
    "conventions/rest-frame",
];

/// A figure of a glTF file that can be given motion.
#[derive(Debug, Clone)]
pub struct GltfCharacter {
    /// The name of the figure in its file.
    pub name: String,
    /// The skeleton in Marey's conventions, with soles as its mesh shows them.
    pub skeleton: Arc<Skeleton>,
    /// The conventions found.
    pub detected: DetectedConventions,
    tree: JsonTree,
    content: Vec<u8>,
    rig: Rig,
    space: FileSpace,
}

impl GltfCharacter {
    /// Reads a character. `figure` is the name or number, from 1, of one of several figures; without it, the one that is most like a
    /// person is used.
    pub fn read(
        bytes: &[u8],
        figure: Option<&str>,
        options: &ReadOptions,
        neighbours: &dyn Neighbours,
    ) -> Result<(Self, Report), FormatsError> {
        let settings = GltfSettings { limits: options.limits, rate_hz: options.conventions.rate_hz };
        let file = super::read(bytes, &settings, neighbours)?;
        let mut of_motion = file.report;
        let declared = DeclaredConventions {
            unit: Some(Unit::Metre),
            up: Some(UpAxis::Y),
            rate_source: FindingSource::Assumed,
        };
        let Some(take) = file.takes.into_iter().next() else {
            return Err(refused(&super::codes::NO_FIGURE, "the file has no figure"));
        };
        let (take, detected) = normalise_take(take, &declared, &options.conventions, &mut of_motion)?;
        let mut report = Report::default();
        for warning in of_motion.warnings().iter().filter(|warning| !ABOUT_MOTION.contains(&warning.code.id))
        {
            report.warn_many(warning.code, warning.place.clone(), warning.count, warning.message.clone());
        }
        let index = choose_figure(&file.rigs, &detected, figure, &mut report)?;
        let parts = file.rigs.into_iter().zip(detected).zip(take.into_actors()).nth(index);
        let Some(((rig, detected), actor)) = parts else {
            return Err(refused(&codes::NO_FIGURE, "the file has no such figure"));
        };
        if let Some(node) = rig.mirrored.first() {
            let message = format!("the scale of node {node:?} is not positive");
            return Err(FormatsError::refused(&codes::MIRRORED, Place::default().joint(node), message));
        }
        let space = FileSpace::of(&detected);
        let skeleton =
            with_soles(bytes, actor.clip.skeleton(), &rig, space, options, neighbours, &mut report)?;
        let container = container::open(bytes, &mut Report::default())?;
        let unreadable = || refused(&super::codes::JSON, "the description is nested too deeply");
        let mut tree = JsonTree::parse(container.json).ok_or_else(unreadable)?;
        replace_matrices(&mut tree, &rig, &mut report)?;
        let content = embed::embed(&mut tree, container.bin, neighbours, &mut report)?;
        Ok((Self { name: rig.name.clone(), skeleton, detected, tree, content, rig, space }, report))
    }

    /// The number of animations that the file has itself.
    pub fn own_animations(&self) -> usize {
        self.tree.items("animations").len()
    }

    /// The nodes of its joints, for a program that shows the file and poses it.
    pub fn layout(&self) -> RigLayout {
        self.rig.layout(self.space)
    }

    /// The file as a GLB with everything embedded, for a program that shows it.
    pub fn to_glb(&self) -> Result<Vec<u8>, FormatsError> {
        close(self.tree.clone(), &self.content, Form::Binary)
    }
}

/// The files of characters, merged if there are several, with an animation for each take. Actor n of every take moves character n.
///
/// The clips must have the skeletons of the characters. Animations that a file has stay, before the new ones.
/// `reduce` removes keyframes within an error.
pub fn animate(
    characters: &[&GltfCharacter],
    takes: &[&Take],
    reduce: Option<KeyTolerance>,
    form: Form,
) -> Result<(Vec<u8>, Report), FormatsError> {
    let mut report = Report::default();
    let malformed = || refused(&super::codes::JSON, "a list of the description is not an array");
    let Some((first, others)) = characters.split_first() else {
        return Err(refused(&codes::ACTORS, "there is no character"));
    };
    let (mut tree, mut content) = (first.tree.clone(), first.content.clone());
    let mut rigs = vec![first.animated_from(0)];
    for other in others {
        let before = merge::merge(&mut tree, &mut content, other.tree.clone(), &other.content, &mut report);
        rigs.push(other.animated_from(before.ok_or_else(malformed)?));
    }
    let own = tree.items("animations").len();
    for take in takes {
        check_times(take)?;
        check_actors(take, characters)?;
        let keys = take.actors().iter().map(|actor| reduced(&actor.clip, reduce, &mut report));
        let keys = keys.collect::<Result<Vec<_>, FormatsError>>()?;
        animate::append(&mut tree, &mut content, take, &keys, &rigs).ok_or_else(malformed)?;
    }
    if own > 0 {
        let names: Vec<String> = takes.iter().map(|take| format!("{:?}", take.name())).collect();
        let message = format!("{own} animations, then {}", names.join(", "));
        report.warn(&codes::OWN_ANIMATIONS, Place::default(), message);
    }
    Ok((close(tree, &content, form)?, report))
}

impl GltfCharacter {
    fn animated_from(&self, first_node: usize) -> AnimatedRig<'_> {
        AnimatedRig { rig: &self.rig, space: self.space, first_node }
    }
}

/// Fails if the actors of a take are not on the skeletons of the characters.
fn check_actors(take: &Take, characters: &[&GltfCharacter]) -> Result<(), FormatsError> {
    let (found, wanted) = (take.actors().len(), characters.len());
    if found != wanted {
        let message = format!("{found} actors in {:?}, {wanted} characters", take.name());
        return Err(refused(&codes::ACTORS, &message));
    }
    for (actor, character) in take.actors().iter().zip(characters) {
        let (found, wanted) = (actor.clip.skeleton(), &character.skeleton);
        if found.len() != wanted.len() || found.movers() != wanted.movers() {
            let message = format!("{:?} of {:?} has another skeleton", actor.name, take.name());
            return Err(refused(&codes::ACTORS, &message));
        }
    }
    Ok(())
}

/// The index of a figure by its name or number, or of the one with most roles of a person.
fn choose_figure(
    rigs: &[Rig],
    detected: &[DetectedConventions],
    wanted: Option<&str>,
    report: &mut Report,
) -> Result<usize, FormatsError> {
    let names = || rigs.iter().map(|rig| format!("{:?}", rig.name)).collect::<Vec<String>>().join(", ");
    if let Some(wanted) = wanted {
        let number = wanted.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let named = rigs.iter().position(|rig| rig.name == wanted);
        return named
            .or(number.filter(|number| *number < rigs.len()))
            .ok_or_else(|| refused(&codes::NO_FIGURE, &format!("no figure {wanted:?} among {}", names())));
    }
    let roles = |found: &DetectedConventions| found.roles.value.iter().flatten().count();
    let counts: Vec<usize> = detected.iter().map(roles).collect();
    let best =
        (0..counts.len()).reduce(|best, next| if counts.get(next) > counts.get(best) { next } else { best });
    let best = best.unwrap_or(0);
    if let (true, Some(rig)) = (rigs.len() > 1, rigs.get(best)) {
        let message = format!("{:?} of {}", rig.name, names());
        report.warn(&codes::SEVERAL_FIGURES, Place::default(), message);
    }
    Ok(best)
}

/// The skeleton with the soles of the mesh. A mesh that cannot be read is reported.
fn with_soles(
    bytes: &[u8],
    skeleton: &Arc<Skeleton>,
    rig: &Rig,
    space: FileSpace,
    options: &ReadOptions,
    neighbours: &dyn Neighbours,
    report: &mut Report,
) -> Result<Arc<Skeleton>, FormatsError> {
    let container = container::open(bytes, &mut Report::default())?;
    let document = Document::of(container.json, options.limits)?;
    let Ok(meshes) = serde_json::from_slice::<MeshDocument>(container.json) else {
        report.warn(&codes::SOLES, Place::default(), "the meshes are not valid glTF");
        return Ok(skeleton.clone());
    };
    let buffers = Buffers::new(&document, container.bin, neighbours);
    let budget = Budget::of(bytes.len(), options.limits.memory_bytes);
    let mut numbers = Numbers { document: &document, buffers, budget };
    match soles::with_soles(skeleton, rig, space, &meshes, &mut numbers) {
        Ok(found) => Ok(found.map_or_else(|| skeleton.clone(), Arc::new)),
        Err(error) => {
            report.warn(&codes::SOLES, Place::default(), error.to_string());
            Ok(skeleton.clone())
        }
    }
}

/// Replaces the matrices of joints by translations, rotations and scales.
fn replace_matrices(tree: &mut JsonTree, rig: &Rig, report: &mut Report) -> Result<(), FormatsError> {
    let with_matrix: Vec<_> = rig.joints.iter().filter(|joint| joint.has_matrix).collect();
    for joint in &with_matrix {
        let Some(node) = tree.items_mut("nodes").and_then(|nodes| nodes.get_mut(joint.node)) else {
            continue;
        };
        if joint.is_sheared {
            let message = format!("the matrix of node {}", joint.node);
            return Err(refused(&codes::SHEARED, &message));
        }
        node.remove("matrix");
        let local = joint.local;
        for (name, values) in [
            ("translation", local.translation.to_array().to_vec()),
            ("rotation", local.rotation.to_array().to_vec()),
            ("scale", local.scale.to_array().to_vec()),
        ] {
            node.set(name, JsonTree::of(&values).unwrap_or(JsonTree::Array(Vec::new())));
        }
    }
    if !with_matrix.is_empty() {
        report.warn(&codes::MATRIX, Place::default(), format!("{} joints", with_matrix.len()));
    }
    Ok(())
}

/// The file in one of its two forms.
fn close(mut tree: JsonTree, content: &[u8], form: Form) -> Result<Vec<u8>, FormatsError> {
    let bytes = match form {
        Form::Binary if content.is_empty() => container::close_json(tree.to_json().as_bytes()),
        Form::Binary => container::close_glb(tree.to_json().as_bytes(), content),
        Form::Text => {
            let uri = format!("data:application/octet-stream;base64,{}", base64::encode(content));
            if let Some(first) = tree.items_mut("buffers").and_then(|buffers| buffers.first_mut()) {
                first.set("uri", JsonTree::string(&uri));
            }
            Some(tree.to_json().into_bytes())
        }
    };
    bytes.ok_or_else(|| refused(&super::codes::TOO_LONG, "the file would be larger than 4 GiB"))
}

fn refused(code: &'static marey_motion::Code, message: &str) -> FormatsError {
    FormatsError::refused(code, Place::default(), message)
}
