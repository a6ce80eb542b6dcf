//! glTF 2.0 and its binary form GLB: scenes of nodes with animations, the format of the web and of most engines.
//!
//! After the Khronos Group, "glTF 2.0 Specification" (2021). The reader extracts the figures of a scene: `figures.rs` decides
//! which nodes belong to them, `bind.rs` finds their rest pose, `nodes.rs` removes scales, and `sampling.rs` chooses the frame
//! rate. By the format's definition, lengths are metres and Y is up.
//!
//! The description is parsed with `serde_json` into this crate's structs rather than with the `gltf` crate, which rejects a
//! file for errors in parts that motion does not need, and slices buffers in a way that panics on damaged files. Every
//! allocation that a file requests is charged to a budget first (see `budget.rs`).
//!
//! ```
//! use marey_formats::gltf::{self, GltfOptions, GltfSettings};
//! use marey_formats::NoNeighbours;
//! use marey_motion::{Clip, ClipParts, Joint, Quat, Skeleton, Take, Vec3};
//! let joints = vec![
//!     Joint::new("hip", None, Vec3::ZERO),
//!     Joint::new("knee", Some(0), Vec3::new(0.0, -0.4, 0.0)),
//!     Joint::new("ankle", Some(1), Vec3::new(0.0, -0.4, 0.0)),
//! ];
//! // The leg hangs down, then the hip swings it forward by 90°.
//! let (i, quarter) = (Quat::IDENTITY, Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2));
//! let hip = Vec3::new(0.0, 0.8, 0.0);
//! let parts = ClipParts { rotations: vec![i, i, i, quarter, i, i], positions: vec![hip, hip] };
//! let clip = Clip::new(Skeleton::new(joints, vec![])?.into(), 30.0, parts)?;
//! let (glb, _) = gltf::write(&Take::solo("leg", clip), &GltfOptions::default())?;
//! let file = gltf::read(&glb, &GltfSettings::default(), &NoNeighbours)?;
//! let read = file.takes[0].first();
//! let ankle = read.world().positions_at(1)[2];
//! assert!(ankle.distance(Vec3::new(0.0, 0.8, 0.8)) < 1e-6 && read.rate_hz() == 30.0);
//! # Ok::<(), marey_formats::FormatsError>(())
//! ```

mod accessor;
mod animation;
mod base64;
mod bind;
mod budget;
mod buffers;
pub mod character;
pub mod codes;
mod container;
mod curve;
mod document;
mod figures;
mod nodes;
mod rig;
mod sampling;
mod skeleton;
mod takes;
mod vrm;
mod write;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use crate::shape::Shape;
use accessor::Numbers;
use animation::{AnimationCurves, AnimationReader};
use budget::Budget;
use buffers::Buffers;
use document::Document;
use marey_motion::{Place, Report, Take};
use nodes::Nodes;
use rig::Rig;
use sampling::SampleTimes;
use skeleton::skeleton;
use takes::Body;
pub use write::{Form, GltfOptions, write, write_model, write_vrma};

use crate::{Format, FormatsError, Limits, Neighbours};

/// Settings of the glTF reader.
#[derive(Debug, Clone, Copy, Default)]
pub struct GltfSettings {
    /// Bounds on the size of the content.
    pub limits: Limits,
    /// Sampling rate in Hz, overriding that of the keys.
    pub rate_hz: Option<f64>,
}

/// The content of a glTF file, before conversion to Marey's conventions.
#[derive(Debug)]
pub struct GltfFile {
    /// A take for each animation of a figure, each with all figures of the file; at least one. In metres, Y up.
    pub takes: Vec<Take>,
    /// Whether the rate of a take was assumed, because its keys have no uniform rate or it has no motion.
    pub rate_assumed: bool,
    /// Warnings of the reader.
    pub report: Report,
    /// The nodes of each figure, in the order of the actors.
    pub(crate) rigs: Vec<Rig>,
}

/// Recognises the two forms of glTF.
pub fn sniff(bytes: &[u8]) -> Option<Format> {
    if container::is_glb(bytes) {
        Some(Format::Glb)
    } else {
        container::is_text(bytes).then_some(Format::Gltf)
    }
}

/// Reads a glTF or GLB. `neighbours` gives access to buffers in separate files.
pub fn read(
    bytes: &[u8],
    settings: &GltfSettings,
    neighbours: &dyn Neighbours,
) -> Result<GltfFile, FormatsError> {
    let mut report = Report::default();
    let limits = settings.limits;
    let container = container::open(bytes, &mut report)?;
    let document = Document::of(container.json, limits)?;
    for extension in document.extensions_required.iter().filter(|name| !name.starts_with("VRM")) {
        report.warn(&codes::EXTENSION, Place::default(), format!("the file requires {extension}"));
    }
    let nodes = Nodes::of(&document, limits, &mut report)?;
    let roles = vrm::roles(&document, &mut report);
    let animated_nodes = animation::animated_nodes(&document)?;
    let parts_of_people: Vec<usize> = roles.values().copied().collect();
    let figures = figures::find(&document, &nodes, &animated_nodes, &parts_of_people, limits)?;

    let buffers = Buffers::new(&document, container.bin, neighbours);
    let budget = Budget::of(bytes.len(), limits.memory_bytes);
    let mut wanted = vec![false; document.nodes.len()];
    for node in figures
        .iter()
        .flat_map(|figure| nodes.with_ancestors(figure.root()).chain(figure.nodes.iter().copied()))
    {
        if let Some(slot) = wanted.get_mut(node) {
            *slot = true;
        }
    }
    let numbers = Numbers { document: &document, buffers, budget };
    let mut reader = AnimationReader { numbers, nodes: &nodes, wanted: &wanted, times: BTreeMap::new() };
    let mut curves: Vec<AnimationCurves> = Vec::new();
    for animation in &document.animations {
        let read = reader.read(animation, &mut report)?;
        if !(read.translations.is_empty() && read.rotations.is_empty()) {
            curves.push(read);
        }
    }
    let mut numbers = reader.numbers;
    let mut bodies = Vec::with_capacity(figures.len());
    for figure in figures {
        let skeleton = skeleton(&document, &nodes, &figure, &roles, &curves, &mut numbers, &mut report)?;
        bodies.push(Body { figure, skeleton: Arc::new(skeleton) });
    }
    let rigs = bodies.iter().map(|body| Rig::of(&document, &nodes, &body.figure)).collect();
    takes(&nodes, &bodies, rigs, &curves, settings, &mut numbers.budget, report)
}

/// A take for each animation, or the pose of the nodes if there is none.
fn takes(
    nodes: &Nodes,
    bodies: &[Body],
    rigs: Vec<Rig>,
    curves: &[AnimationCurves],
    settings: &GltfSettings,
    budget: &mut Budget,
    mut report: Report,
) -> Result<GltfFile, FormatsError> {
    let still = [AnimationCurves::default()];
    let mut rate_assumed = curves.is_empty();
    if rate_assumed {
        report.warn(&codes::NO_MOTION, Place::default(), "no animation moves a figure");
    }
    let mut takes: Vec<Take> = Vec::with_capacity(curves.len());
    for (index, curves) in if curves.is_empty() { still.as_slice() } else { curves }.iter().enumerate() {
        let name = curves.name.clone().filter(|name| !name.is_empty());
        let name = name.unwrap_or_else(|| format!("take {}", index + 1));
        let times = curves.times();
        let sample_times = SampleTimes::of(&times, settings.rate_hz, settings.limits)?;
        if sample_times.is_resampled {
            let message = format!(
                "{name:?}: {} keys in {:.3} s",
                times.len(),
                sample_times.frames as f64 / sample_times.rate_hz
            );
            report.warn(&codes::RESAMPLED, Place::default(), message);
        }
        rate_assumed |= sample_times.is_resampled || times.is_empty();
        takes.push(takes::take(name, nodes, bodies, curves, &sample_times, budget)?);
    }
    Ok(GltfFile { takes, rate_assumed, report, rigs })
}
