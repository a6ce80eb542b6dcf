//! The motion of one character at a uniform rate.

use std::ops::Range;
use std::sync::Arc;

use glam::{Quat, Vec3};

use crate::skeleton::is_rotation;
use crate::{LocalPose, LocalPoseRef, MotionError, Result, Skeleton};

/// The arrays of a clip.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ClipParts {
    /// Local rotations, frames × joints.
    pub rotations: Vec<Quat>,
    /// Local translations of the movers, frames × movers, in metres.
    pub positions: Vec<Vec3>,
}

impl ClipParts {
    /// Appends a frame.
    pub fn push(&mut self, pose: LocalPoseRef<'_>) {
        self.rotations.extend_from_slice(pose.rotations);
        self.positions.extend_from_slice(pose.positions);
    }
}

/// A skeleton's motion: frames × joints local rotations and frames × movers local translations, in two flat arrays.
///
/// Invariants: at least one frame; a positive, finite rate; every number finite; every quaternion of unit
/// length, with the sign nearest to that of the previous frame (no sign flips). Slices and clones share the
/// arrays and are cheap.
///
/// ```
/// use std::sync::Arc;
/// use marey_motion::{Clip, ClipParts, Joint, Quat, Skeleton, Vec3};
/// let skeleton = Arc::new(Skeleton::new(
///     vec![
///         Joint::new("root", None, Vec3::ZERO),
///         Joint::new("arm", Some(0), Vec3::X),
///         Joint::new("hand", Some(1), Vec3::X),
///     ],
///     vec![],
/// )?);
/// // Two frames: straight, then the root turned a quarter about Z.
/// let quarter = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
/// let (i, o) = (Quat::IDENTITY, Vec3::ZERO);
/// let parts = ClipParts { rotations: vec![i, i, i, quarter, i, i], positions: vec![o, o] };
/// let clip = Clip::new(skeleton, 10.0, parts)?;
/// assert_eq!(clip.duration_secs(), 0.2);
/// // Half way in time, the arm is half way up: the hand is at (√2, √2).
/// let half = clip.sample(0.05);
/// let hand = marey_motion::WorldPose::of(clip.skeleton(), half.view()).positions[2];
/// assert!((hand - Vec3::new(2f32.sqrt(), 2f32.sqrt(), 0.0)).length() < 1e-6);
/// # Ok::<(), marey_motion::MotionError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Clip {
    skeleton: Arc<Skeleton>,
    rate_hz: f64,
    parts: Arc<ClipParts>,
    range: Range<usize>,
}

impl Clip {
    /// Checks the arrays and takes ownership without copying. Quaternions are normalised and made
    /// sign-continuous.
    pub fn new(skeleton: Arc<Skeleton>, rate_hz: f64, mut parts: ClipParts) -> Result<Self> {
        let joints = skeleton.len();
        let frames = check_all_but_rotations(&skeleton, rate_hz, &parts)?;
        if let Err(i) = make_unit_and_continuous(&mut parts.rotations, joints) {
            return Err(MotionError::NotFinite { what: "a rotation", frame: i / joints, joint: i % joints });
        }
        Ok(Self { skeleton, rate_hz, parts: Arc::new(parts), range: 0..frames })
    }

    /// [`Clip::new`] for rotations that are already of unit length and sign-continuous. That is checked only
    /// with debug assertions; everything else is checked.
    pub fn from_continuous(skeleton: Arc<Skeleton>, rate_hz: f64, parts: ClipParts) -> Result<Self> {
        let frames = check_all_but_rotations(&skeleton, rate_hz, &parts)?;
        debug_assert!(
            is_unit_and_continuous(&parts.rotations, skeleton.len()),
            "rotations are not of unit length or not sign-continuous"
        );
        Ok(Self { skeleton, rate_hz, parts: Arc::new(parts), range: 0..frames })
    }

    /// [`Clip::new`] for the arrays of an existing clip: rotations of unit length without sign flips keep
    /// every bit.
    pub(crate) fn new_keeping_bits(skeleton: Arc<Skeleton>, rate_hz: f64, parts: ClipParts) -> Result<Self> {
        if is_unit_and_continuous(&parts.rotations, skeleton.len()) {
            Self::from_continuous(skeleton, rate_hz, parts)
        } else {
            Self::new(skeleton, rate_hz, parts)
        }
    }

    /// This clip with other values in arrays of the same length; the operation keeps them finite.
    pub(crate) fn with_parts(&self, mut parts: ClipParts) -> Self {
        let checked = make_unit_and_continuous(&mut parts.rotations, self.skeleton.len());
        debug_assert!(checked.is_ok(), "an operation returned an invalid rotation");
        Self { parts: Arc::new(parts), range: 0..self.frames(), ..self.clone() }
    }

    /// A clip of one pose.
    pub fn still(skeleton: Arc<Skeleton>, rate_hz: f64, pose: LocalPose) -> Result<Self> {
        Self::new(skeleton, rate_hz, ClipParts { rotations: pose.rotations, positions: pose.positions })
    }

    /// The skeleton.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    /// Frames per second.
    pub fn rate_hz(&self) -> f64 {
        self.rate_hz
    }

    /// Number of frames; at least 1.
    pub fn frames(&self) -> usize {
        self.range.len()
    }

    /// Duration: every frame stands for one period, so durations of concatenated clips add up.
    pub fn duration_secs(&self) -> f64 {
        self.frames() as f64 / self.rate_hz
    }

    /// The time of a frame.
    pub fn time_of(&self, frame: usize) -> f64 {
        frame as f64 / self.rate_hz
    }

    /// All local rotations, frames × joints.
    pub fn rotations(&self) -> &[Quat] {
        let n = self.skeleton.len();
        &self.parts.rotations[self.range.start * n..self.range.end * n]
    }

    /// All local translations of the movers, frames × movers, in metres.
    pub fn positions(&self) -> &[Vec3] {
        let n = self.skeleton.movers().len();
        &self.parts.positions[self.range.start * n..self.range.end * n]
    }

    /// The pose of a frame.
    ///
    /// # Panics
    /// If there is no such frame.
    pub fn pose(&self, frame: usize) -> LocalPoseRef<'_> {
        let (joints, movers) = (self.skeleton.len(), self.skeleton.movers().len());
        LocalPoseRef {
            rotations: &self.rotations()[frame * joints..][..joints],
            positions: &self.positions()[frame * movers..][..movers],
        }
    }

    /// The poses of all frames.
    pub fn poses(&self) -> impl ExactSizeIterator<Item = LocalPoseRef<'_>> {
        let rotations = self.rotations().chunks_exact(self.skeleton.len());
        let positions = self.positions().chunks_exact(self.skeleton.movers().len());
        rotations.zip(positions).map(|(rotations, positions)| LocalPoseRef { rotations, positions })
    }

    /// The position of the root in each frame.
    pub fn root_positions(&self) -> impl ExactSizeIterator<Item = Vec3> + '_ {
        self.poses().map(|pose| pose.root_position())
    }

    /// A range of frames, sharing this clip's arrays.
    pub fn slice(&self, frames: Range<usize>) -> Result<Self> {
        if frames.is_empty() || frames.end > self.frames() {
            return Err(MotionError::Range { start: frames.start, end: frames.end, frames: self.frames() });
        }
        let range = self.range.start + frames.start..self.range.start + frames.end;
        Ok(Self { range, ..self.clone() })
    }

    /// Concatenates clips with the same skeleton and rate.
    pub fn concat(clips: &[Clip]) -> Result<Self> {
        let first = clips.first().ok_or(MotionError::Empty { what: "a list of clips" })?;
        let mut parts = ClipParts::default();
        for clip in clips {
            if clip.rate_hz != first.rate_hz {
                return Err(MotionError::Disagree {
                    what: "rate",
                    first: format!("{} Hz", first.rate_hz),
                    second: format!("{} Hz", clip.rate_hz),
                });
            }
            if !Arc::ptr_eq(&clip.skeleton, &first.skeleton) && clip.skeleton != first.skeleton {
                return Err(MotionError::Disagree {
                    what: "skeleton",
                    first: format!("{} joints", first.skeleton.len()),
                    second: format!("{} joints", clip.skeleton.len()),
                });
            }
            parts.rotations.extend_from_slice(clip.rotations());
            parts.positions.extend_from_slice(clip.positions());
        }
        Self::new(first.skeleton.clone(), first.rate_hz, parts)
    }

    /// The same frames at another rate, which changes the duration.
    pub fn with_rate(mut self, rate_hz: f64) -> Result<Self> {
        check_rate(rate_hz)?;
        self.rate_hz = rate_hz;
        Ok(self)
    }

    /// Scales the body and its path.
    pub fn scaled(self, factor: f32) -> Result<Self> {
        let skeleton = Arc::new(self.skeleton.scaled(factor)?);
        let range = self.range.clone();
        let rate_hz = self.rate_hz;
        let mut parts = Arc::try_unwrap(self.parts).unwrap_or_else(|shared| (*shared).clone());
        for position in &mut parts.positions {
            *position *= factor;
        }
        match parts.positions.iter().position(|p| !p.is_finite()) {
            None => Ok(Self { skeleton, rate_hz, parts: Arc::new(parts), range }),
            Some(i) => {
                let movers = skeleton.movers();
                let (frame, joint) = (i / movers.len(), movers[i % movers.len()]);
                Err(MotionError::NotFinite { what: "a position", frame, joint })
            }
        }
    }

    /// The same motion on a skeleton that differs in names, roles, offsets or rest only.
    pub fn with_skeleton(mut self, skeleton: Arc<Skeleton>) -> Result<Self> {
        if skeleton.len() != self.skeleton.len() || skeleton.movers() != self.skeleton.movers() {
            return Err(MotionError::Disagree {
                what: "joints",
                first: self.skeleton.len().to_string(),
                second: skeleton.len().to_string(),
            });
        }
        self.skeleton = skeleton;
        Ok(self)
    }

    /// The arrays, to be changed and passed to [`Clip::new`] again; copied only if they are shared or sliced.
    pub fn into_parts(self) -> ClipParts {
        let is_whole = self.range.start == 0 && self.parts.rotations.len() == self.rotations().len();
        if is_whole {
            Arc::try_unwrap(self.parts).unwrap_or_else(|shared| (*shared).clone())
        } else {
            ClipParts { rotations: self.rotations().to_vec(), positions: self.positions().to_vec() }
        }
    }
}

impl PartialEq for Clip {
    fn eq(&self, other: &Self) -> bool {
        self.rate_hz == other.rate_hz
            && self.skeleton == other.skeleton
            && self.rotations() == other.rotations()
            && self.positions() == other.positions()
    }
}

/// Checks that a rate is positive and finite.
pub(crate) fn check_rate(rate_hz: f64) -> Result<()> {
    if rate_hz.is_finite() && rate_hz > 0.0 { Ok(()) } else { Err(MotionError::Rate { rate_hz }) }
}

/// Checks rate, array lengths and positions, and returns the number of frames.
fn check_all_but_rotations(skeleton: &Skeleton, rate_hz: f64, parts: &ClipParts) -> Result<usize> {
    check_rate(rate_hz)?;
    let (joints, movers) = (skeleton.len(), skeleton.movers().len());
    let frames = parts.rotations.len() / joints;
    if frames == 0 {
        return Err(MotionError::Empty { what: "a clip" });
    }
    for (what, found, wanted) in [
        ("rotations", parts.rotations.len(), frames * joints),
        ("positions", parts.positions.len(), frames * movers),
    ] {
        if found != wanted {
            return Err(MotionError::Length { what, found, wanted });
        }
    }
    if let Some(i) = parts.positions.iter().position(|p| !p.is_finite()) {
        let joint = skeleton.movers()[i % movers];
        return Err(MotionError::NotFinite { what: "a position", frame: i / movers, joint });
    }
    Ok(frames)
}

/// Whether all rotations are of unit length and sign-continuous, up to rounding: at half a turn both signs
/// are equally near.
fn is_unit_and_continuous(rotations: &[Quat], joints: usize) -> bool {
    let unit = rotations.iter().all(|q| (q.length_squared() - 1.0).abs() <= 1e-5);
    unit && rotations.iter().zip(rotations.iter().skip(joints)).all(|(past, q)| q.dot(*past) >= -1e-5)
}

/// Normalises rotations and flips signs for continuity. Returns the index of the first invalid rotation as an
/// error.
fn make_unit_and_continuous(rotations: &mut [Quat], joints: usize) -> std::result::Result<(), usize> {
    let frames = rotations.len() / joints;
    for frame in 0..frames {
        let (before, rest) = rotations.split_at_mut(frame * joints);
        let past = &before[before.len().saturating_sub(joints)..];
        for (joint, q) in rest[..joints].iter_mut().enumerate() {
            // False for NaN.
            let is_unit = (q.length_squared() - 1.0).abs() <= 1e-6;
            if !is_unit {
                if !is_rotation(*q) {
                    return Err(frame * joints + joint);
                }
                *q = q.normalize();
            }
            if past.get(joint).is_some_and(|past| q.dot(*past) < 0.0) {
                *q = -*q;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Coded, Joint};

    fn skeleton() -> Arc<Skeleton> {
        let joints = vec![Joint::new("a", None, Vec3::ZERO), Joint::new("b", Some(0), Vec3::Y)];
        Arc::new(Skeleton::new(joints, vec![]).unwrap())
    }

    fn turning(frames: usize) -> Clip {
        let mut parts = ClipParts::default();
        for f in 0..frames {
            let q = Quat::from_rotation_y(f as f32 * 0.3);
            parts.rotations.extend([q, q]);
            parts.positions.push(Vec3::X * f as f32);
        }
        Clip::new(skeleton(), 30.0, parts).unwrap()
    }

    #[test]
    fn invalid_clips_are_rejected() {
        let make = |rate, rotations, positions| {
            Clip::new(skeleton(), rate, ClipParts { rotations, positions }).unwrap_err().code().id
        };
        let (i, o) = (Quat::IDENTITY, Vec3::ZERO);
        assert_eq!(make(30.0, vec![], vec![]), "motion/mismatch");
        assert_eq!(make(0.0, vec![i, i], vec![o]), "motion/rate");
        assert_eq!(make(f64::NAN, vec![i, i], vec![o]), "motion/rate");
        assert_eq!(make(30.0, vec![i, i, i], vec![o]), "motion/length");
        assert_eq!(make(30.0, vec![i, i], vec![]), "motion/length");
        assert_eq!(make(30.0, vec![i, Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)], vec![o]), "motion/not-finite");
        assert_eq!(make(30.0, vec![i, i], vec![Vec3::NAN]), "motion/not-finite");
    }

    #[test]
    fn rotations_are_normalised_and_sign_continuous() {
        let rotations = vec![Quat::IDENTITY * 2.0, Quat::IDENTITY, -Quat::IDENTITY, -Quat::IDENTITY];
        let clip =
            Clip::new(skeleton(), 1.0, ClipParts { rotations, positions: vec![Vec3::ZERO; 2] }).unwrap();
        assert!(clip.rotations().iter().all(|&q| q == Quat::IDENTITY));
    }

    #[test]
    fn rotations_that_cannot_be_normalised_are_rejected() {
        for length in [0.0, 1e-7, 1e25, f32::INFINITY, f32::NAN] {
            let rotations = vec![Quat::IDENTITY, Quat::from_xyzw(0.0, length, 0.0, 0.0)];
            let parts = ClipParts { rotations, positions: vec![Vec3::ZERO] };
            let error = Clip::new(skeleton(), 1.0, parts).unwrap_err();
            assert_eq!(error.code().id, "motion/not-finite", "{length}");
        }
    }

    #[test]
    fn from_continuous_detects_broken_invariants() {
        let continuous = turning(9);
        assert!(is_unit_and_continuous(continuous.rotations(), 2));
        let parts = continuous.clone().into_parts();
        assert_eq!(Clip::from_continuous(skeleton(), 30.0, parts.clone()).unwrap(), continuous);
        let mut flipped = parts.rotations.clone();
        flipped[6] = -flipped[6];
        assert!(!is_unit_and_continuous(&flipped, 2));
        let mut long = parts.rotations.clone();
        long[3] *= 1.1;
        assert!(!is_unit_and_continuous(&long, 2));
        let short = ClipParts { positions: vec![], ..parts };
        assert_eq!(Clip::from_continuous(skeleton(), 30.0, short).unwrap_err().code().id, "motion/length");
    }

    #[test]
    fn concatenated_slices_equal_the_clip() {
        let clip = turning(9);
        let parts = [clip.slice(0..4).unwrap(), clip.slice(4..5).unwrap(), clip.slice(5..9).unwrap()];
        assert_eq!(Clip::concat(&parts).unwrap(), clip);
        assert_eq!(parts[2].slice(1..3).unwrap().pose(0), clip.pose(6));
        assert_eq!(parts[1].clone().into_parts().positions, [Vec3::X * 4.0]);
        let backwards = Range { start: 3, end: 2 };
        for bad in [3..3, 0..10, backwards] {
            assert_eq!(clip.slice(bad).unwrap_err().code().id, "motion/range");
        }
    }

    #[test]
    fn concat_rejects_mismatched_clips() {
        let clip = turning(2);
        let slower = clip.clone().with_rate(15.0).unwrap();
        assert_eq!(Clip::concat(&[clip.clone(), slower]).unwrap_err().code().id, "motion/mismatch");
        assert_eq!(Clip::concat(&[]).unwrap_err().code().id, "motion/mismatch");
    }
}
