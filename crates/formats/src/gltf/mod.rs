//! glTF 2.0 and its binary form GLB: scenes of nodes with animations, the format of the web and of most engines.
//!
//! After the Khronos Group, "glTF 2.0 Specification" (2021). Of a scene, the figures are read: which nodes those are, see
//! `figures.rs`; where their rest pose comes from, see `bind.rs`; how scales are taken out, see `nodes.rs`; which rate
//! frames are at, see `clock.rs`. Lengths are metres and Y is up by the format's word.
//!
//! The description is read with `serde_json` into structs of our own, not with the `gltf` crate: that one refuses a file for
//! faults in parts that motion does not need, and reaches into buffers by slices that panic where a file is damaged. All
//! that a file asks for in memory is counted before it is given (see `budget.rs`).
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
//! // The leg hangs down, then the hip swings it ahead by a quarter.
//! let (i, quarter) = (Quat::IDENTITY, Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2));
//! let hip = Vec3::new(0.0, 0.8, 0.0);
//! let parts = ClipParts { rotations: vec![i, i, i, quarter, i, i], positions: vec![hip, hip] };
//! let clip = Clip::new(Skeleton::new(joints, vec![])?.into(), 30.0, parts)?;
//! let (glb, _) = gltf::write(&Take::solo("leg", clip), &GltfOptions::default())?;
//! let file = gltf::read(&glb, &GltfSettings::default(), &NoNeighbours)?;
//! let read = file.takes[0].first();
//! let ankle = read.world().positions_at(1)[2];
//! assert!(ankle.distance(Vec3::new(0.0, 0.8, 0.8)) < 1e-6 && read.rate_hz() == 30.0);
//! # Ok::<(), marey_formats::Error>(())
//! ```

mod accessor;
mod animation;
mod base64;
mod bind;
mod body;
mod budget;
mod buffers;
mod clock;
pub mod codes;
mod container;
mod curve;
mod document;
mod figures;
mod mannequin;
mod nodes;
mod takes;
mod vrm;
mod write;

use std::collections::BTreeMap;
use std::sync::Arc;

use accessor::Numbers;
use animation::{Moves, Reader};
use body::skeleton;
use budget::Budget;
use buffers::Buffers;
use clock::Clock;
use document::Document;
use marey_motion::{Place, Report, Take};
use nodes::Nodes;
use takes::Body;
pub use write::{Form, GltfOptions, Mannequin, RootMotion, Shape, SkinnedMesh, write};

use crate::{Error, Format, Limits, Neighbours};

/// How a glTF is read.
#[derive(Debug, Clone, Copy, Default)]
pub struct GltfSettings {
    /// How much is taken in.
    pub limits: Limits,
    /// Frames a second that animations are sampled at, instead of the rate that their keys are at.
    pub rate_hz: Option<f64>,
}

/// What is read from a glTF before conventions are settled.
#[derive(Debug)]
pub struct GltfFile {
    /// A take for each animation of a figure, each with all figures of the file; at least one. In metres, Y up.
    pub takes: Vec<Take>,
    /// Whether the rate of a take was assumed: its keys are at none, or it has no motion.
    pub rate_assumed: bool,
    /// What the reader had to live with.
    pub report: Report,
}

/// Which of the two forms of glTF bytes look like.
pub fn sniff(bytes: &[u8]) -> Option<Format> {
    if container::is_glb(bytes) {
        Some(Format::Glb)
    } else {
        container::is_text(bytes).then_some(Format::Gltf)
    }
}

/// Reads a glTF or GLB; buffers in files of their own come from the neighbours.
pub fn read(bytes: &[u8], settings: &GltfSettings, neighbours: &dyn Neighbours) -> Result<GltfFile, Error> {
    let mut report = Report::default();
    let limits = settings.limits;
    let container = container::open(bytes, &mut report)?;
    let document = Document::of(container.json, limits)?;
    for extension in document.extensions_required.iter().filter(|name| !name.starts_with("VRM")) {
        report.warn(&codes::EXTENSION, Place::default(), format!("{extension} is required"));
    }
    let nodes = Nodes::of(&document, limits, &mut report)?;
    let roles = vrm::roles(&document, &mut report);
    let moving = animation::moving(&document)?;
    let parts_of_people: Vec<usize> = roles.values().copied().collect();
    let figures = figures::find(&document, &nodes, &moving, &parts_of_people, limits)?;

    let buffers = Buffers::new(&document, container.bin, neighbours);
    let budget = Budget::of(bytes.len(), limits.memory_bytes);
    let mut wanted = vec![false; document.nodes.len()];
    for node in
        figures.iter().flat_map(|figure| nodes.upwards(figure.root()).chain(figure.nodes.iter().copied()))
    {
        if let Some(slot) = wanted.get_mut(node) {
            *slot = true;
        }
    }
    let numbers = Numbers { document: &document, buffers, budget };
    let mut reader = Reader { numbers, nodes: &nodes, wanted: &wanted, times: BTreeMap::new() };
    let mut moves: Vec<Moves> = Vec::new();
    for animation in &document.animations {
        let read = reader.read(animation, &mut report)?;
        if !(read.translations.is_empty() && read.rotations.is_empty()) {
            moves.push(read);
        }
    }
    let mut numbers = reader.numbers;
    let mut bodies = Vec::with_capacity(figures.len());
    for figure in figures {
        let skeleton = skeleton(&document, &nodes, &figure, &roles, &moves, &mut numbers, &mut report)?;
        bodies.push(Body { figure, skeleton: Arc::new(skeleton) });
    }
    takes(&nodes, &bodies, &moves, settings, &mut numbers.budget, report)
}

/// A take for each animation; the pose of the nodes, where there is none.
fn takes(
    nodes: &Nodes,
    bodies: &[Body],
    moves: &[Moves],
    settings: &GltfSettings,
    budget: &mut Budget,
    mut report: Report,
) -> Result<GltfFile, Error> {
    let still = [Moves::default()];
    let mut rate_assumed = moves.is_empty();
    if rate_assumed {
        report.warn(&codes::NO_MOTION, Place::default(), "no animation moves a figure");
    }
    let mut takes: Vec<Take> = Vec::with_capacity(moves.len());
    for (index, moves) in if moves.is_empty() { still.as_slice() } else { moves }.iter().enumerate() {
        let name = moves.name.clone().filter(|name| !name.is_empty());
        let name = name.unwrap_or_else(|| format!("take {}", index + 1));
        let times = moves.times();
        let clock = Clock::of(&times, settings.rate_hz, settings.limits)?;
        if clock.is_resampled {
            let message =
                format!("{name:?}: {} keys in {:.3} s", times.len(), clock.frames as f64 / clock.rate_hz);
            report.warn(&codes::RESAMPLED, Place::default(), message);
        }
        rate_assumed |= clock.is_resampled || times.is_empty();
        takes.push(takes::take(name, nodes, bodies, moves, &clock, budget)?);
    }
    Ok(GltfFile { takes, rate_assumed, report })
}
