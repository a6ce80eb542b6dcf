//! Removal of keyframes within an error.
//!
//! Each rotation and translation keeps the frames from which interpolation (slerp, or a straight line) restores the others: the motion is
//! split at its worst frame until every part is within the tolerance, as Ramer, Douglas and Peucker simplify lines (1972, 1973). Errors of
//! joints add up along a limb, so a tolerance in metres is verified on the whole body and tightened until it holds.

use std::fmt;
use std::str::FromStr;

use marey_motion::{Clip, ClipParts, Quat, Vec3};
use serde::{Deserialize, Serialize};

use crate::{OutOfRange, Result};

/// Translations keep to this beside a tolerance in radians, in metres.
const TRANSLATION_M: f32 = 0.001;
/// Bones shorter than this count as this long, in metres.
const MIN_REACH_M: f32 = 0.02;
/// How often a tolerance is tightened by a third before all frames are kept.
const TIGHTENED: usize = 12;

/// The error that removed keyframes may cause, as text `1mm` or `0.5deg`.
///
/// ```
/// use marey_ops::keyframes::KeyTolerance;
/// assert_eq!("2mm".parse(), Ok(KeyTolerance::Metres(0.002)));
/// assert_eq!("0.5deg".parse::<KeyTolerance>()?.to_string(), "0.5deg");
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KeyTolerance {
    /// How far any joint may be from its place, in metres; 0 to 1.
    Metres(f32),
    /// How far any joint may turn from its rotation, in radians, with translations within 1 mm; 0 to 1.
    Radians(f32),
}

impl KeyTolerance {
    /// Checks the range.
    pub fn validate(&self) -> Result<()> {
        match *self {
            KeyTolerance::Metres(metres) => OutOfRange::check("reduce in metres", metres, 0.0..=1.0)?,
            KeyTolerance::Radians(radians) => OutOfRange::check("reduce in radians", radians, 0.0..=1.0)?,
        }
        Ok(())
    }
}

impl fmt::Display for KeyTolerance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            KeyTolerance::Metres(metres) => write!(f, "{}mm", rounded(metres * 1000.0)),
            KeyTolerance::Radians(radians) => write!(f, "{}deg", rounded(radians.to_degrees())),
        }
    }
}

/// Without the digits in which conversion errs.
fn rounded(value: f32) -> f32 {
    (value * 1e4).round() / 1e4
}

impl FromStr for KeyTolerance {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let number = |text: &str| text.trim().parse::<f32>().ok().filter(|value| *value >= 0.0);
        let metres = text.strip_suffix("mm").and_then(number).map(|mm| KeyTolerance::Metres(mm / 1000.0));
        let radians =
            || text.strip_suffix("deg").and_then(number).map(|deg| KeyTolerance::Radians(deg.to_radians()));
        let found = metres.or_else(radians).filter(|tolerance| tolerance.validate().is_ok());
        found.ok_or_else(|| format!("{text:?} is not a length or angle such as 1mm or 0.5deg"))
    }
}

/// The frames that each rotation and translation keeps, in order, always with the first and the last.
#[derive(Debug, Clone, PartialEq)]
pub struct Keyframes {
    /// Frames for each joint.
    pub rotations: Vec<Vec<usize>>,
    /// Frames for each mover.
    pub translations: Vec<Vec<usize>>,
    /// The largest error of a joint's position, in metres.
    pub error_m: f32,
}

impl Keyframes {
    /// Keeps as few frames as the tolerance allows.
    pub fn within(clip: &Clip, tolerance: KeyTolerance) -> Result<Self> {
        tolerance.validate()?;
        let metres = match tolerance {
            KeyTolerance::Radians(radians) => {
                let mut kept = Self::kept(clip, |_| radians, TRANSLATION_M);
                kept.error_m = error_m(clip, &kept.restored(clip)?);
                return Ok(kept);
            }
            KeyTolerance::Metres(metres) => metres,
        };
        let reaches = reaches_m(clip);
        let mut share = 1.0;
        for _ in 0..TIGHTENED {
            let mut kept = Self::kept(clip, |joint| share * metres / reaches[joint], share * metres);
            kept.error_m = error_m(clip, &kept.restored(clip)?);
            if kept.error_m <= metres {
                return Ok(kept);
            }
            share *= 2.0 / 3.0;
        }
        Ok(Self::kept(clip, |_| -1.0, -1.0))
    }

    /// Number of keyframes of all rotations and translations.
    pub fn len(&self) -> usize {
        self.rotations.iter().chain(&self.translations).map(Vec::len).sum()
    }

    /// Whether there is no keyframe: never for a clip.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn kept(clip: &Clip, angle_rad: impl Fn(usize) -> f32, shift_m: f32) -> Self {
        let (joints, movers) = (clip.skeleton().len(), clip.skeleton().movers().len());
        let turns = (0..joints).map(|joint| {
            let rotations: Vec<Quat> = clip.rotations().iter().skip(joint).step_by(joints).copied().collect();
            let error = |a: usize, b: usize, at: usize| {
                small_angle_rad(rotations[a].slerp(rotations[b], part(a, b, at)), rotations[at])
            };
            simplified(rotations.len(), angle_rad(joint), error)
        });
        let rotations = turns.collect();
        let shifts = (0..movers).map(|mover| {
            let places: Vec<Vec3> = clip.positions().iter().skip(mover).step_by(movers).copied().collect();
            let error = |a: usize, b: usize, at: usize| {
                places[a].lerp(places[b], part(a, b, at)).distance(places[at])
            };
            simplified(places.len(), shift_m, error)
        });
        Self { rotations, translations: shifts.collect(), error_m: 0.0 }
    }

    /// The motion that interpolation between the keyframes gives.
    pub fn restored(&self, clip: &Clip) -> Result<Clip> {
        let (joints, movers) = (clip.skeleton().len(), clip.skeleton().movers().len());
        let (mut rotations, mut positions) = (clip.rotations().to_vec(), clip.positions().to_vec());
        for (joint, keys) in self.rotations.iter().enumerate() {
            for pair in keys.windows(2) {
                let [from, to] = [pair[0], pair[1]].map(|frame| clip.rotations()[frame * joints + joint]);
                for frame in pair[0] + 1..pair[1] {
                    rotations[frame * joints + joint] = from.slerp(to, part(pair[0], pair[1], frame));
                }
            }
        }
        for (mover, keys) in self.translations.iter().enumerate() {
            for pair in keys.windows(2) {
                let [from, to] = [pair[0], pair[1]].map(|frame| clip.positions()[frame * movers + mover]);
                for frame in pair[0] + 1..pair[1] {
                    positions[frame * movers + mover] = from.lerp(to, part(pair[0], pair[1], frame));
                }
            }
        }
        Ok(Clip::new(clip.skeleton().clone(), clip.rate_hz(), ClipParts { rotations, positions })?)
    }
}

/// The angle between two rotations, from the length of the chord: an arc cosine is imprecise below half a milliradian.
fn small_angle_rad(one: Quat, other: Quat) -> f32 {
    let chord = (one - other).length().min((one + other).length());
    4.0 * (0.5 * chord).min(1.0).asin()
}

/// Where a frame lies between two others, from 0 to 1.
fn part(from: usize, to: usize, frame: usize) -> f32 {
    (frame - from) as f32 / (to - from) as f32
}

/// The frames to keep so that `error` of every other between its neighbours is at most `tolerance`.
fn simplified(frames: usize, tolerance: f32, error: impl Fn(usize, usize, usize) -> f32) -> Vec<usize> {
    let Some(last) = frames.checked_sub(1) else { return Vec::new() };
    let mut kept = vec![0, last];
    let mut open = vec![(0, last)];
    while let Some((from, to)) = open.pop() {
        let worst =
            (from + 1..to).map(|at| (error(from, to, at), at)).reduce(|a, b| if b.0 > a.0 { b } else { a });
        if let Some((_, at)) = worst.filter(|(error, _)| *error > tolerance) {
            kept.push(at);
            open.extend([(from, at), (at, to)]);
        }
    }
    kept.sort_unstable();
    kept.dedup();
    kept
}

/// The distance from each joint to the farthest joint or tip below it at rest, in metres.
fn reaches_m(clip: &Clip) -> Vec<f32> {
    let skeleton = clip.skeleton();
    let (positions, rotations) = (skeleton.rest_positions(), skeleton.rest_world_rotations());
    let tips = skeleton
        .tips()
        .iter()
        .map(|tip| (tip.parent, positions[tip.parent] + rotations[tip.parent] * tip.offset));
    let ends: Vec<(usize, Vec3)> = positions.iter().copied().enumerate().chain(tips).collect();
    let mut reaches = vec![MIN_REACH_M; skeleton.len()];
    for (joint, end) in ends {
        let mut above = Some(joint);
        while let Some(joint) = above {
            reaches[joint] = reaches[joint].max(positions[joint].distance(end));
            above = skeleton.joints()[joint].parent;
        }
    }
    reaches
}

/// The largest distance of a joint or tip between two motions of one body.
fn error_m(one: &Clip, other: &Clip) -> f32 {
    let skeleton = one.skeleton();
    let (one, other) = (one.world(), other.world());
    let mut most: f32 = 0.0;
    for frame in 0..one.frames() {
        let (at, turned) = (one.positions_at(frame), one.rotations_at(frame));
        let (other_at, other_turned) = (other.positions_at(frame), other.rotations_at(frame));
        for (a, b) in at.iter().zip(other_at) {
            most = most.max(a.distance(*b));
        }
        for tip in skeleton.tips() {
            let end = |at: &[Vec3], turned: &[Quat]| at[tip.parent] + turned[tip.parent] * tip.offset;
            most = most.max(end(at, turned).distance(end(other_at, other_turned)));
        }
    }
    most
}
