//! Reads and writes FBX.
//!
//! Files, binary and ASCII, are read through [ufbx](https://github.com/ufbx/ufbx).
//!
//! ufbx parses the file and evaluates curves, layers and node transforms. This module decides which nodes form a figure
//! (`figures`), when it is sampled (`sampling`), its rest pose (`rest`) and how it becomes rigid motion (`bake`). Each animation
//! stack with keys for joints becomes a take; the figures of a file are its actors.
//!
//! Motion is in the file's unit and axes, which the file declares; [`marey_conventions`] converts them. Only left-handed axes,
//! which no clip can have, are mirrored here.
//!
//! Limits: no allocation depends on a count in the file alone. ufbx has a memory limit, and the size of the file bounds the
//! number of frames in addition to the reader's limits. ufbx reports what is wrong with a file, but not where.

mod bake;
mod bare_words;
pub mod codes;
mod figures;
mod keys;
mod load;
mod names;
mod nodes;
mod rest;
mod sampling;
mod scale;
mod write;

use glam::{DVec3, Vec3};
use marey_conventions::{Unit, UpAxis};
use marey_motion::{Place, Report, Take};
use ufbx::{CoordinateAxes, CoordinateAxis, Scene};

use bake::{SamplerState, SceneSampler, StackMotion};
use keys::Keys;
use names::Names;
use nodes::{Nodes, World};
use rest::Pose;
use sampling::{DeclaredRate, SampleTimes};

pub use write::{FbxOptions, write};

use crate::{FormatsError, Limits};

/// Follows the name of a joint in that of its tip.
const TIP_SUFFIX: &str = "_end";

/// The content of an FBX file, before conversion to Marey's conventions.
#[derive(Debug, Clone)]
pub struct FbxFile {
    /// One take for each animation stack with motion, at least one. In file units and axes.
    pub takes: Vec<Take>,
    /// The unit of length that the file declares.
    pub unit: Option<Unit>,
    /// The up axis that the file declares.
    pub up: Option<UpAxis>,
    /// Whether a rate was assumed, because neither the file, its keys nor the caller define one.
    pub rate_assumed: bool,
    /// Warnings of the reader.
    pub report: Report,
}

/// Settings of the FBX reader.
#[derive(Debug, Clone, Copy, Default)]
pub struct FbxSettings {
    /// Bounds on the size of the content.
    pub limits: Limits,
    /// Sampling rate in Hz, overriding that of the file or its keys. The duration is unchanged.
    pub rate_hz: Option<f64>,
}

/// Reads an FBX, in its own unit and axes.
pub fn read(bytes: &[u8], settings: &FbxSettings) -> Result<FbxFile, FormatsError> {
    let mut report = Report::default();
    let scene = load::load(bytes, settings.limits)?;
    load::report_repairs(&scene, &mut report);
    if scene.metadata.ascii {
        bare_words::report_bare_words(bytes, &mut report);
    }
    let nodes = Nodes::of(&scene);
    let figures = figures::find(&scene, &nodes, settings.limits, &mut report)?;

    let mut is_wanted = vec![false; nodes.len()];
    for node in figures.iter().flat_map(|figure| figure.nodes()) {
        nodes.mark_with_ancestors(node, &mut is_wanted);
    }
    let wanted: Vec<usize> =
        is_wanted.iter().enumerate().filter(|(_, wanted)| **wanted).map(|(place, _)| place).collect();
    let mut world = World::new(&nodes);
    world.set(&nodes, &wanted, None);
    let bind = rest::bind_matrices(&scene, &nodes);
    let rests: Vec<Pose> = figures
        .iter()
        .map(|figure| rest::choose(&nodes, figure, &Pose::of(figure, &world), &world, &bind))
        .collect();
    let tips: Vec<Vec<DVec3>> = figures.iter().map(|figure| rest::tip_offsets(figure, &world)).collect();

    let is_left_handed = is_left_handed(&scene.settings.axes);
    if is_left_handed {
        let message = "x was negated";
        report.warn(&codes::LEFT_HANDED, Place::default(), message);
    }
    let sampler = SceneSampler {
        nodes: &nodes,
        figures: &figures,
        rests: &rests,
        tips: &tips,
        wanted: &wanted,
        is_left_handed,
        limits: settings.limits,
        file_bytes: bytes.len(),
    };
    let state = SamplerState::new(world);
    let (takes, rate_assumed) = takes(&scene, &sampler, state, &is_wanted, settings.rate_hz, &mut report)?;
    report_not_kept(&scene, &nodes, &is_wanted, &mut report);
    let (unit, up) = (unit(scene.settings.unit_meters), up(scene.settings.axes.up));
    Ok(FbxFile { takes, unit, up, rate_assumed, report })
}

/// A take for each stack with keys for figures. If there are none, a take of the current pose.
fn takes(
    scene: &Scene,
    sampler: &SceneSampler<'_>,
    mut state: SamplerState,
    is_wanted: &[bool],
    override_hz: Option<f64>,
    report: &mut Report,
) -> Result<(Vec<Take>, bool), FormatsError> {
    let file_hz = scene.settings.frames_per_second;
    let mut names = Names::default();
    let mut takes = Vec::new();
    let mut assumed = false;
    for stack in &scene.anim_stacks {
        let name = &*stack.element.name;
        let keys = Keys::of(stack, sampler.nodes, is_wanted);
        let declared = DeclaredRate { span_secs: (stack.time_begin, stack.time_end), file_hz, override_hz };
        let Some(times) = SampleTimes::of(name, &keys, declared, report) else {
            let message =
                format!("{name:?} has no keys for joints, but {} other animated properties", keys.others);
            report.warn(&codes::EMPTY_STACK, Place::default(), message);
            continue;
        };
        let message = format!("in {} curves of {name:?}", keys.disordered);
        report.warn_many(&codes::KEY_ORDER, Place::default(), keys.disordered, message);
        let name = names.claim(name, "take", report);
        let motion = StackMotion { anim: &stack.anim, animated: &keys.animated };
        takes.push(sampler.take(name, Some(motion), times, &mut state, report)?);
        assumed |= times.assumed;
    }
    if takes.is_empty() {
        let message = format!("{} animation stacks, none with keys for joints", scene.anim_stacks.len());
        report.warn(&codes::NO_MOTION, Place::default(), message);
        let times = SampleTimes::still(DeclaredRate { span_secs: (0.0, 0.0), file_hz, override_hz });
        let name = sampler.figures.first().map(|figure| figure.name.clone()).unwrap_or_default();
        takes.push(sampler.take(name, None, times, &mut state, report)?);
        assumed |= times.assumed;
    }
    Ok((takes, assumed))
}

/// Reports content of the file that is not kept.
fn report_not_kept(scene: &Scene, nodes: &Nodes<'_>, is_wanted: &[bool], report: &mut Report) {
    let is_apart =
        |node: &ufbx::Node| nodes.place(node).and_then(|place| is_wanted.get(place)) == Some(&false);
    let mut moved: Vec<usize> = scene
        .anim_layers
        .iter()
        .flat_map(|layer| layer.anim_props.iter())
        .filter_map(|prop| ufbx::as_node(&prop.element).filter(|node| is_apart(node)))
        .filter_map(|node| nodes.place(node))
        .collect();
    moved.sort_unstable();
    moved.dedup();
    let kinds = [
        (scene.meshes.len(), "meshes"),
        (scene.blend_channels.len(), "blend shapes"),
        (scene.cameras.len(), "cameras"),
        (scene.lights.len(), "lights"),
        (scene.constraints.len(), "constraints"),
        (moved.len(), "moving nodes that are not joints"),
    ];
    let found: Vec<String> =
        kinds.iter().filter(|(count, _)| *count > 0).map(|(count, kind)| format!("{count} {kind}")).collect();
    let count = kinds.iter().map(|(count, _)| count).sum();
    report.warn_many(&codes::NOT_KEPT, Place::default(), count, found.join(", "));
}

/// The unit of a length in metres, as a named unit if possible.
fn unit(metres: f64) -> Option<Unit> {
    let named = Unit::NAMED.into_iter().find(|unit| (unit.metres() / metres - 1.0).abs() < 1e-6);
    named.or_else(|| (1e-9..1e9).contains(&metres).then_some(Unit::Metres(metres)))
}

fn up(axis: CoordinateAxis) -> Option<UpAxis> {
    Some(match axis {
        CoordinateAxis::PositiveX => UpAxis::X,
        CoordinateAxis::NegativeX => UpAxis::MinusX,
        CoordinateAxis::PositiveY => UpAxis::Y,
        CoordinateAxis::NegativeY => UpAxis::MinusY,
        CoordinateAxis::PositiveZ => UpAxis::Z,
        CoordinateAxis::NegativeZ => UpAxis::MinusZ,
        CoordinateAxis::Unknown => return None,
    })
}

/// Whether right, up and front form a left-handed system.
fn is_left_handed(axes: &CoordinateAxes) -> bool {
    let [right, upward, front] =
        [axes.right, axes.up, axes.front].map(|axis| up(axis).map_or(Vec3::ZERO, UpAxis::direction));
    right.cross(upward).dot(front) < 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_have_names_and_invalid_ones_are_none() {
        assert_eq!(unit(0.01), Some(Unit::Centimetre));
        assert_eq!(unit(0.0254), Some(Unit::Inch));
        assert_eq!(unit(0.5), Some(Unit::Metres(0.5)));
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e300] {
            assert_eq!(unit(bad), None);
        }
    }

    #[test]
    fn handedness_is_detected() {
        use CoordinateAxis::{NegativeY, PositiveX, PositiveY, PositiveZ, Unknown};
        let left = |right, up, front| is_left_handed(&CoordinateAxes { right, up, front });
        assert!(!left(PositiveX, PositiveY, PositiveZ));
        assert!(!left(PositiveX, PositiveZ, NegativeY));
        assert!(left(PositiveX, PositiveZ, PositiveY));
        assert!(!left(PositiveX, Unknown, PositiveY));
    }
}
