//! Cycles: motion that repeats without a visible seam.
//!
//! A cycle is a range of frames whose ends look alike: the same posture and movement, apart from position and heading on the floor.
//! [`find_cycle`] compares all pairs of frames by where the joints are a moment before, at and after each, seen from the ground under the first
//! actor's hips, as Kovar, Gleicher and Pighin find transitions (*Motion Graphs*, 2002). [`close_cycle`] spreads the remaining difference
//! over the whole cycle. A foot takes its share of the difference only while it is in the air, so that it does not slide.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | w | share of the difference that a frame takes: from −½ at the start to ½ at the end | |
//!
//! Limits: the path over the floor is kept, so that a cycle that turns walks in a circle when it is repeated.

use std::ops::Range;

use marey_motion::{Clip, ClipParts, Ground, GroundTrack, Quat, Role, Vec3, smoothstep};
use serde::{Deserialize, Serialize};

use crate::contacts::{self, ContactSettings};
use crate::foot_path::{FootPath, follow};
use crate::{OpsError, OutOfRange, Result};

/// The joints that are compared besides [`Role::CORE`].
const ALSO_COMPARED: [Role; 2] = [Role::LeftToes, Role::RightToes];
/// Postures this long before and after are compared too, in seconds.
const MOMENT_SECS: f64 = 0.1;
/// Number of frames that are compared with each other at first.
const COARSE_FRAMES: usize = 300;
/// Of cycles whose seams are this much worse than the best, and this many metres, the longest is used.
const AS_GOOD: f32 = 1.1;
const AS_GOOD_M: f32 = 0.002;
/// A cycle moves at least this much of what the whole motion does on average, so that standing still is not the best cycle of a walk.
const LEAST_MOVEMENT: f32 = 0.5;

/// Settings of the search for a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CycleSettings {
    /// The shortest cycle, in seconds; default 0.6, which is shorter than two steps of a run; 0.1 to 60.
    pub min_secs: f64,
}

impl Default for CycleSettings {
    fn default() -> Self {
        Self { min_secs: 0.6 }
    }
}

impl CycleSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        Ok(OutOfRange::check("min_secs", self.min_secs, 0.1..=60.0)?)
    }
}

/// A cycle of a motion.
#[derive(Debug, Clone, PartialEq)]
pub struct MotionCycle {
    /// The frames from the first to one past the last. The last looks like the first.
    pub frames: Range<usize>,
    /// Root mean square distance of the joints between the first and the last frame, and a moment around them, in metres.
    pub seam_m: f32,
}

/// Finds the cycle with the best seam; of several that are almost as good, the longest. Actors who move together are given together.
pub fn find_cycle(actors: &[&Clip], settings: &CycleSettings) -> Result<MotionCycle> {
    settings.validate()?;
    let Some(first) = actors.first() else { return Err(OpsError::NoCycle { frames: 0 }) };
    let frames = first.frames();
    let least = ((settings.min_secs * first.rate_hz()).ceil() as usize).max(2);
    if frames <= least {
        return Err(OpsError::NoCycle { frames });
    }
    let postures = Postures::of(actors);
    let stride = frames.div_ceil(COARSE_FRAMES);
    let coarse = best_pair(&postures, (0..frames).step_by(stride), |_| (0..frames).step_by(stride), least);
    let Some(coarse) = coarse else { return Err(OpsError::NoCycle { frames }) };
    let near = |frame: usize| frame.saturating_sub(stride)..(frame + stride + 1).min(frames);
    let (start, end) = (coarse.frames.start, coarse.frames.end - 1);
    Ok(best_pair(&postures, near(start), |_| near(end), least).unwrap_or(coarse))
}

/// The best cycle among pairs of a first and a last frame.
fn best_pair<E: Iterator<Item = usize>>(
    postures: &Postures,
    starts: impl Iterator<Item = usize>,
    ends: impl Fn(usize) -> E,
    least: usize,
) -> Option<MotionCycle> {
    let mut all = Vec::new();
    for start in starts {
        for end in ends(start).filter(|end| *end >= start + least && postures.moves(start, *end)) {
            all.push(MotionCycle { frames: start..end + 1, seam_m: postures.distance_m(start, end) });
        }
    }
    let best_m = all.iter().map(|cycle| cycle.seam_m).min_by(f32::total_cmp)?;
    let good = all.into_iter().filter(|cycle| cycle.seam_m <= best_m * AS_GOOD + AS_GOOD_M);
    // The first of the longest.
    good.reduce(|best, next| if next.frames.len() > best.frames.len() { next } else { best })
}

/// Positions of joints around each frame, seen from the ground under the first actor.
struct Postures {
    points: Vec<Vec3>,
    per_frame: usize,
    /// Distance that the joints have moved up to each frame, on average.
    moved_m: Vec<f32>,
}

impl Postures {
    fn of(actors: &[&Clip]) -> Self {
        let Some(first) = actors.first() else {
            return Self { points: Vec::new(), per_frame: 0, moved_m: Vec::new() };
        };
        let (frames, track) = (first.frames(), first.ground_track());
        let moment = ((MOMENT_SECS * first.rate_hz()).round() as usize).max(1);
        let worlds: Vec<_> = actors.iter().map(|clip| clip.world()).collect();
        let joints: Vec<Vec<usize>> = actors.iter().map(|clip| compared_joints(clip)).collect();
        let mut points = Vec::new();
        for frame in 0..frames {
            let here = track.frames[frame].inverse();
            for at in [frame.saturating_sub(moment), frame, (frame + moment).min(frames - 1)] {
                for (world, joints) in worlds.iter().zip(&joints) {
                    let positions = world.positions_at(at.min(world.frames() - 1));
                    points.extend(joints.iter().map(|&joint| here.point(positions[joint])));
                }
            }
        }
        let mut moved_m = vec![0.0];
        for frame in 1..frames {
            let mut steps = Vec::new();
            for (world, joints) in worlds.iter().zip(&joints) {
                let [from, to] = [frame - 1, frame].map(|at| world.positions_at(at.min(world.frames() - 1)));
                steps.extend(joints.iter().map(|&joint| from[joint].distance(to[joint])));
            }
            moved_m.push(moved_m[frame - 1] + steps.iter().sum::<f32>() / steps.len().max(1) as f32);
        }
        Self { per_frame: points.len() / frames, points, moved_m }
    }

    /// Whether the motion between two frames is not much calmer than the whole.
    fn moves(&self, start: usize, end: usize) -> bool {
        let speed = |from: usize, to: usize| (self.moved_m[to] - self.moved_m[from]) / (to - from) as f32;
        speed(start, end) >= LEAST_MOVEMENT * speed(0, self.moved_m.len() - 1)
    }

    /// Root mean square distance of the points of two frames.
    fn distance_m(&self, one: usize, other: usize) -> f32 {
        let of = |frame: usize| &self.points[frame * self.per_frame..][..self.per_frame];
        let sum: f32 = of(one).iter().zip(of(other)).map(|(a, b)| a.distance_squared(*b)).sum();
        (sum / self.per_frame.max(1) as f32).sqrt()
    }
}

/// The joints that show a posture; all joints of a body without roles.
fn compared_joints(clip: &Clip) -> Vec<usize> {
    let roles = Role::CORE.into_iter().chain(ALSO_COMPARED);
    let found: Vec<usize> = roles.filter_map(|role| clip.skeleton().joint_of(role)).collect();
    if found.is_empty() { (0..clip.skeleton().len()).collect() } else { found }
}

/// The motions of a cycle, closed: apart from position and heading on the floor, the last frame equals the first.
pub fn close_cycle(actors: &[&Clip], cycle: &MotionCycle) -> Result<Vec<Clip>> {
    let Some(first) = actors.first() else { return Ok(Vec::new()) };
    let track = GroundTrack { frames: first.slice(cycle.frames.clone())?.ground_track().frames };
    actors.iter().map(|clip| close(clip, cycle.frames.clone(), &track)).collect()
}

fn close(clip: &Clip, frames: Range<usize>, track: &GroundTrack) -> Result<Clip> {
    let source = clip.slice(frames.clone())?;
    let contacts = contacts::detect(clip, &ContactSettings::default())?.contacts;
    let spread = spread(&source.without_ground(track)?)?.with_ground(track)?;
    let mut paths = FootPath::all(&source);
    for path in &mut paths {
        let in_air: Vec<bool> = frames.clone().map(|frame| !path.stands(&contacts, frame)).collect();
        close_path(path, &shares(&in_air), track);
    }
    let followed = follow(&spread, &paths, |_, _| 1.0)?;
    // What is left is rounding.
    let body = followed.without_ground(track)?;
    let (joints, movers) = (clip.skeleton().len(), clip.skeleton().movers().len());
    let last = body.frames() - 1;
    let mut parts = body.into_parts();
    parts.rotations.copy_within(0..joints, last * joints);
    parts.positions.copy_within(0..movers, last * movers);
    Ok(Clip::new(clip.skeleton().clone(), clip.rate_hz(), parts)?.with_ground(track)?)
}

/// Spreads the difference between the last and the first frame evenly: w grows from −½ to ½.
fn spread(clip: &Clip) -> Result<Clip> {
    let last = clip.frames() - 1;
    let (start, end) = (clip.pose(0), clip.pose(last));
    let turns: Vec<Quat> = start
        .rotations
        .iter()
        .zip(end.rotations)
        .map(|(start, end)| shortest(end.inverse() * *start))
        .collect();
    let shifts: Vec<Vec3> =
        start.positions.iter().zip(end.positions).map(|(start, end)| *start - *end).collect();
    let mut parts = ClipParts::default();
    for (frame, pose) in clip.poses().enumerate() {
        let w = frame as f32 / last as f32 - 0.5;
        parts
            .rotations
            .extend(pose.rotations.iter().zip(&turns).map(|(at, turn)| (*at * power(*turn, w)).normalize()));
        parts.positions.extend(pose.positions.iter().zip(&shifts).map(|(at, shift)| *at + *shift * w));
    }
    Ok(Clip::new(clip.skeleton().clone(), clip.rate_hz(), parts)?)
}

/// Closes the path of a foot. Each frame takes its share, w + ½, of the difference.
fn close_path(path: &mut FootPath, shares: &[f32], track: &GroundTrack) {
    let (Some(&start), Some(&end)) = (track.frames.first(), track.frames.last()) else { return };
    let last = path.positions.len() - 1;
    let shift = start.inverse().point(path.positions[0]) - end.inverse().point(path.positions[last]);
    let from_start = start.rotation().inverse() * path.rotations[0];
    let from_end = end.rotation().inverse() * path.rotations[last];
    let turn = shortest(from_start * from_end.inverse());
    let turned_rad = wrapped(end.yaw_rad - start.yaw_rad);
    for (frame, share) in shares.iter().enumerate() {
        // The heading changes only with the share, so that nothing moves while the foot stands.
        let heading = Ground::new(0.0, 0.0, start.yaw_rad + share * turned_rad);
        let w = share - 0.5;
        path.positions[frame] += heading.direction(shift * w);
        let turn = heading.rotation() * power(turn, w) * heading.rotation().inverse();
        path.rotations[frame] = (turn * path.rotations[frame]).normalize();
    }
}

/// The share of a difference that a foot has taken in each frame, from 0 to 1. It grows only in the air, smoothly in each swing; evenly if
/// the foot is never in the air.
fn shares(in_air: &[bool]) -> Vec<f32> {
    let last = in_air.len().saturating_sub(1).max(1);
    // Steps from one frame to the next that end in the air.
    let steps = in_air.iter().skip(1).filter(|is_in_air| **is_in_air).count();
    if steps == 0 {
        return (0..in_air.len()).map(|frame| frame as f32 / last as f32).collect();
    }
    let mut shares = vec![0.0; in_air.len()];
    let (mut done, mut frame) = (0, 1);
    while frame < in_air.len() {
        let length = in_air[frame..].iter().take_while(|is_in_air| **is_in_air).count();
        for step in 0..length {
            let within = smoothstep((step + 1) as f32 / length as f32);
            shares[frame + step] = (done as f32 + within * length as f32) / steps as f32;
        }
        done += length;
        frame += length;
        if let Some(share) = shares.get_mut(frame) {
            *share = done as f32 / steps as f32;
        }
        frame += 1;
    }
    shares
}

/// The same rotation with a positive real part.
fn shortest(rotation: Quat) -> Quat {
    if rotation.w < 0.0 { -rotation } else { rotation }
}

/// A part of a rotation; negative parts turn back.
fn power(rotation: Quat, part: f32) -> Quat {
    Quat::from_scaled_axis(rotation.to_scaled_axis() * part)
}

/// An angle between −π and π.
fn wrapped(angle_rad: f32) -> f32 {
    (angle_rad + std::f32::consts::PI).rem_euclid(std::f32::consts::TAU) - std::f32::consts::PI
}
