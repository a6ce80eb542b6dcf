//! Samples a stack: position and rotation of every joint in every frame.
//!
//! A clip has no scale, so local values cannot be used. Joints are evaluated in world space with everything that FBX defines
//! (pivots, rotation orders, pre-rotations, scale and its inheritance), then converted to rigid rotations and offsets. World
//! positions are therefore always those of the file. A joint whose offset changes becomes a mover.

use std::sync::Arc;

use glam::{DVec3, Quat, Vec3};
use marey_motion::{Actor, Clip, ClipParts, Joint, Place, Report, Skeleton, Take, Tip};
use ufbx::Anim;

use super::codes;
use super::figures::Figure;
use super::nodes::{AnimationAt, Nodes, World};
use super::rest::Pose;
use super::sampling::SampleTimes;
use super::scale::ScaleTracker;
use crate::{FormatsError, Limits};

/// Largest plausible coordinate in file units: a million kilometres in centimetres.
const MAX_COORDINATE: f64 = 1e11;

/// Largest change of a constant offset, as a fraction of the figure's size: 0.02 mm for a person.
const STILL: f64 = 1e-5;

/// Joints × frames that a file of any size may have: minutes of a person at 30 Hz, from keys set by hand.
const SAMPLES_FLOOR: usize = 250_000;

/// Joints × frames that each byte of a file allows in addition. A baked joint takes some bytes per frame even if compressed, but
/// two keys a year apart are as small as any two keys.
const SAMPLES_PER_BYTE: usize = 64;

/// Bytes of memory per joint and frame: a rotation, and the offset twice.
const SAMPLE_BYTES: usize = size_of::<Quat>() + 2 * size_of::<Vec3>();

/// A scene, ready to be sampled.
pub(super) struct SceneSampler<'s> {
    pub(super) nodes: &'s Nodes<'s>,
    pub(super) figures: &'s [Figure],
    /// The figures' rest poses.
    pub(super) rests: &'s [Pose],
    /// The offsets of the figures' tips.
    pub(super) tips: &'s [Vec<DVec3>],
    /// The nodes of figures and their ancestors, parents before children.
    pub(super) wanted: &'s [usize],
    /// Whether the file's axes are left-handed.
    pub(super) is_left_handed: bool,
    pub(super) limits: Limits,
    pub(super) file_bytes: usize,
}

/// State that the takes of a file share.
pub(super) struct SamplerState {
    pub(super) world: World,
    /// Joints × frames of the previous takes.
    samples: usize,
}

impl SamplerState {
    pub(super) fn new(world: World) -> Self {
        Self { world, samples: 0 }
    }
}

/// The animation of a stack, and the nodes it animates.
#[derive(Clone, Copy)]
pub(super) struct StackMotion<'a> {
    pub(super) anim: &'a Anim,
    pub(super) animated: &'a [bool],
}

/// The joints of a figure in every frame, in their parents' frames.
struct Track {
    rotations: Vec<Quat>,
    offsets: Vec<Vec3>,
}

impl SceneSampler<'_> {
    /// Samples a stack, or the current pose of the nodes if there is none.
    pub(super) fn take(
        &self,
        name: String,
        motion: Option<StackMotion<'_>>,
        times: SampleTimes,
        state: &mut SamplerState,
        report: &mut Report,
    ) -> Result<Take, FormatsError> {
        let frames = times.frames();
        state.samples =
            state.samples.saturating_add(self.samples_within_limits(&name, frames, state.samples)?);
        let mut tracks = self.tracks(frames)?;
        let world = &mut state.world;
        let mut scales = ScaleTracker::new(self.wanted);
        for frame in 0..frames {
            let animation = motion.map(|StackMotion { anim, animated }| AnimationAt {
                anim,
                animated,
                secs: times.secs(frame),
            });
            world.set(self.nodes, self.wanted, animation);
            scales.observe(world);
            for (figure, track) in self.figures.iter().zip(&mut tracks) {
                self.sample(figure, world, frame, track)?;
            }
        }
        scales.report(self.nodes, report);
        let mut actors = Vec::with_capacity(self.figures.len());
        let rests = self.rests.iter().zip(self.tips);
        for ((figure, track), (rest, tips)) in self.figures.iter().zip(tracks).zip(rests) {
            let tips = figure.tips.iter().zip(tips).map(|(tip, offset)| self.tip(tip.parent, *offset));
            let clip = self.clip(figure, rest, tips.collect(), track, times.rate_hz)?;
            actors.push(Actor { name: figure.name.clone(), clip });
        }
        Ok(Take::new(name, actors)?)
    }

    /// Joints × frames of a take, if that and the earlier takes are within the limits.
    fn samples_within_limits(&self, name: &str, frames: usize, before: usize) -> Result<usize, FormatsError> {
        let refuse = |message: String| Err(FormatsError::refused(&codes::LIMIT, Place::default(), message));
        let limits = self.limits;
        if frames > limits.frames {
            return refuse(format!("{name:?} has {frames} frames; the limit is {}", limits.frames));
        }
        let joints: usize = self.figures.iter().map(|figure| figure.joints.len()).sum();
        let samples = frames.saturating_mul(joints);
        let all = samples.saturating_add(before);
        if all > self.file_bytes.saturating_mul(SAMPLES_PER_BYTE).saturating_add(SAMPLES_FLOOR) {
            return refuse(format!(
                "{frames} frames of {joints} joints in {name:?} and the previous takes are too many for a file of {} bytes",
                self.file_bytes
            ));
        }
        let bytes = all.saturating_mul(SAMPLE_BYTES);
        if bytes > limits.memory_bytes {
            return refuse(format!(
                "{name:?} and the previous takes need {bytes} bytes; the limit is {}",
                limits.memory_bytes
            ));
        }
        Ok(samples)
    }

    /// Reserves memory for all frames.
    fn tracks(&self, frames: usize) -> Result<Vec<Track>, FormatsError> {
        let mut tracks = Vec::with_capacity(self.figures.len());
        for figure in self.figures {
            let samples = frames.saturating_mul(figure.joints.len());
            let mut track = Track { rotations: Vec::new(), offsets: Vec::new() };
            let has_room = track.rotations.try_reserve_exact(samples).is_ok()
                && track.offsets.try_reserve_exact(samples).is_ok();
            if !has_room {
                let message = format!("no memory for {frames} frames");
                return Err(FormatsError::refused(&codes::LIMIT, Place::default(), message));
            }
            tracks.push(track);
        }
        Ok(tracks)
    }

    /// Adds a frame of a figure.
    fn sample(
        &self,
        figure: &Figure,
        world: &World,
        frame: usize,
        track: &mut Track,
    ) -> Result<(), FormatsError> {
        let Pose { rotations, offsets } = Pose::of(figure, world);
        for (joint, (rotation, offset)) in figure.joints.iter().zip(rotations.into_iter().zip(offsets)) {
            let is_plausible = offset.is_finite() && offset.abs().max_element() <= MAX_COORDINATE;
            if !rotation.is_finite() || !is_plausible {
                let place = Place::default().frame(frame).joint(joint.name.clone());
                let message = format!("{} has position {offset} and rotation {rotation}", joint.name);
                return Err(FormatsError::refused(&codes::OUT_OF_RANGE, place, message));
            }
            track.rotations.push(self.right_handed_rotation(rotation.as_quat()));
            track.offsets.push(self.right_handed(offset.as_vec3()));
        }
        Ok(())
    }

    /// Mirrors x if the file's axes are left-handed.
    fn right_handed(&self, v: Vec3) -> Vec3 {
        if self.is_left_handed { Vec3::new(-v.x, v.y, v.z) } else { v }
    }

    fn right_handed_rotation(&self, q: Quat) -> Quat {
        if self.is_left_handed { Quat::from_xyzw(q.x, -q.y, -q.z, q.w) } else { q }
    }

    fn tip(&self, parent: usize, offset: DVec3) -> Tip {
        Tip { parent, offset: self.right_handed(offset.as_vec3()) }
    }

    fn clip(
        &self,
        figure: &Figure,
        rest: &Pose,
        tips: Vec<Tip>,
        track: Track,
        rate_hz: f64,
    ) -> Result<Clip, FormatsError> {
        let joints = figure.joints.len();
        let ranges = offset_ranges(&track.offsets, joints);
        let still = STILL * size_of_figure(&ranges);
        let rest = rest.rotations.iter().zip(&rest.offsets);
        let skeleton: Vec<Joint> = figure
            .joints
            .iter()
            .zip(rest.zip(&ranges))
            .map(|(joint, ((rotation, offset), range))| {
                let moves =
                    joint.parent.is_none() || f64::from((range.high - range.low).max_element()) > still;
                let rest_offset = self.right_handed(offset.as_vec3());
                let offset = if moves { rest_offset } else { (range.low + range.high) * 0.5 };
                let rest_rotation = self.right_handed_rotation(rotation.as_quat());
                Joint { rest_rotation, moves, ..Joint::new(joint.name.as_str(), joint.parent, offset) }
            })
            .collect();
        let is_mover: Vec<bool> = skeleton.iter().map(|joint| joint.moves).collect();
        let movers = track.offsets.chunks_exact(joints).flat_map(|frame| frame.iter().zip(&is_mover));
        let positions = movers.filter(|(_, moves)| **moves).map(|(offset, _)| *offset).collect();
        let skeleton = Arc::new(Skeleton::new(skeleton, tips)?);
        Ok(Clip::new(skeleton, rate_hz, ClipParts { rotations: track.rotations, positions })?)
    }
}

/// The bounding box of an offset.
#[derive(Debug, Clone, Copy)]
struct OffsetRange {
    low: Vec3,
    high: Vec3,
}

fn offset_ranges(offsets: &[Vec3], joints: usize) -> Vec<OffsetRange> {
    let mut frames = offsets.chunks_exact(joints);
    let first = frames.next().unwrap_or_default();
    let mut ranges: Vec<OffsetRange> =
        first.iter().map(|offset| OffsetRange { low: *offset, high: *offset }).collect();
    for frame in frames {
        for (range, offset) in ranges.iter_mut().zip(frame) {
            range.low = range.low.min(*offset);
            range.high = range.high.max(*offset);
        }
    }
    ranges
}

/// The approximate height of a figure: a quarter of the total length of its bones.
fn size_of_figure(ranges: &[OffsetRange]) -> f64 {
    let lengths = ranges.iter().skip(1).map(|range| DVec3::from((range.low + range.high) * 0.5).length());
    lengths.sum::<f64>() / 4.0
}
