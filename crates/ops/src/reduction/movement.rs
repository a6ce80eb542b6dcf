//! Features by which movements are grouped.
//!
//! Park, Kwon, Shin and Shin, *Analysis and Synthesis of Interactive Two-Character Motions* (2004), section
//! 3.4.2 and table 2: positions of feet, hands and the top of the head relative to the hips, and the height
//! of the hips. Movements of different lengths are warped to the longest by dynamic time warping.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | e1 … e5 | left foot, right foot, left hand, right hand, top of the head, in the frame of the hips | m |
//! | e6 | height of the hips | m |
//! | e(m(i)) | a frame: [`FRAME`] numbers | m |
//! | E(M) | a movement: all frames concatenated | m |
//! | d(M, N) | distance of E(M) and E(N) | m |
//!
//! Changed: E is divided by the square root of the number of points and heights in it (six per frame), so
//! that d is a root mean square in metres and does not depend on the length.

use std::ops::Range;

use marey_motion::{Clip, Role, WorldPose};
use rayon::prelude::*;

use crate::Result;
use crate::dtw::dtw;

/// Numbers per frame: five points and a height.
pub const FRAME: usize = 16;

/// Points and heights per frame.
const ELEMENTS: usize = 6;

/// The features of a movement (table 2), frames × [`FRAME`]; or of two people, frames × twice as many.
#[derive(Debug, Clone, PartialEq)]
pub struct MovementFeatures {
    values: Vec<f32>,
    /// Numbers per frame.
    width: usize,
}

impl MovementFeatures {
    /// The features of a range of frames.
    pub fn of(clip: &Clip, frames: Range<usize>) -> Result<Self> {
        Self::seen_from(clip, clip, frames)
    }

    /// The features of two people, both relative to the first: what they do, and their relative position.
    pub fn of_two(clips: [&Clip; 2], frames: Range<usize>) -> Result<Self> {
        let [one, other] =
            [Self::of(clips[0], frames.clone())?, Self::seen_from(clips[1], clips[0], frames)?];
        let pairs = one.values.chunks(FRAME).zip(other.values.chunks(FRAME));
        Ok(Self { values: pairs.flat_map(|(one, other)| [one, other].concat()).collect(), width: 2 * FRAME })
    }

    /// The features of one person, relative to someone's hips.
    fn seen_from(clip: &Clip, viewer: &Clip, frames: Range<usize>) -> Result<Self> {
        let (segment, seen_by) = (clip.slice(frames.clone())?, viewer.slice(frames)?);
        let skeleton = clip.skeleton();
        let hips = skeleton.require(Role::Hips)?;
        let viewer = viewer.skeleton();
        let viewer_hips = viewer.require(Role::Hips)?;
        let roles = [Role::LeftFoot, Role::RightFoot, Role::LeftHand, Role::RightHand];
        let ends = roles.map(|role| skeleton.require(role));
        let head = skeleton.require(Role::Head)?;
        let crown = skeleton.tips().iter().find(|tip| tip.parent == head).map(|tip| tip.offset);
        let rest_from_hips = viewer.rest_world_rotations()[viewer_hips].inverse();
        let (mut world, mut eyes) = (WorldPose::scratch(skeleton), WorldPose::scratch(viewer));
        let mut values = Vec::with_capacity(segment.frames() * FRAME);
        for (pose, seen_by) in segment.poses().zip(seen_by.poses()) {
            world.set(pose);
            eyes.set(seen_by);
            let hips_from_world = (eyes.rotations[viewer_hips] * rest_from_hips).inverse();
            let from = eyes.positions[viewer_hips];
            for end in &ends {
                values.extend((hips_from_world * (world.positions[end.clone()?] - from)).to_array());
            }
            let top = world.positions[head] + world.rotations[head] * crown.unwrap_or_default();
            values.extend((hips_from_world * (top - from)).to_array());
            values.push(world.positions[hips].y);
        }
        Ok(Self { values, width: FRAME })
    }

    /// Features of given values, frames × [`FRAME`], all finite.
    pub fn new(values: Vec<f32>) -> Result<Self> {
        if values.is_empty() {
            return Err(marey_motion::MotionError::Empty { what: "a movement" }.into());
        }
        if !values.len().is_multiple_of(FRAME) {
            let (found, wanted) = (values.len(), values.len().next_multiple_of(FRAME));
            return Err(
                marey_motion::MotionError::Length { what: "values of a movement", found, wanted }.into()
            );
        }
        if let Some(i) = values.iter().position(|v| !v.is_finite()) {
            let (frame, joint) = (i / FRAME, i % FRAME);
            return Err(
                marey_motion::MotionError::NotFinite { what: "a value of a movement", frame, joint }.into()
            );
        }
        Ok(Self { values, width: FRAME })
    }

    /// Number of frames; at least 1.
    pub fn frames(&self) -> usize {
        self.values.len() / self.width
    }

    /// The same with at most `most` frames, resampled evenly if there are more.
    pub fn at_most(self, frames: usize) -> Self {
        let frames = frames.max(1);
        if self.frames() <= frames {
            return self;
        }
        let step = (self.frames() - 1) as f64 / frames.saturating_sub(1).max(1) as f64;
        let values = (0..frames).flat_map(|frame| self.between(frame as f64 * step)).collect();
        Self { values, width: self.width }
    }

    fn frame(&self, frame: usize) -> &[f32] {
        &self.values[frame * self.width..][..self.width]
    }

    /// The values at a fractional frame, interpolated linearly.
    fn between(&self, at: f64) -> impl Iterator<Item = f32> {
        let before = at as usize;
        let share = (at - before as f64) as f32;
        let (a, b) = (self.frame(before), self.frame((before + 1).min(self.frames() - 1)));
        a.iter().zip(b).map(move |(a, b)| a + (b - a) * share)
    }

    /// The values warped in time to the frames of `reference`; `band` as in [`dtw`].
    fn warped_to(&self, reference: &MovementFeatures, band: f64) -> Result<Vec<f32>> {
        let cost = |i: usize, j: usize| {
            let pairs = reference.frame(i).iter().zip(self.frame(j));
            pairs.map(|(a, b)| f64::from(a - b).powi(2)).sum::<f64>()
        };
        let warp = dtw(reference.frames(), self.frames(), band, cost)?;
        Ok(warp.column_of_rows().into_iter().flat_map(|at| self.between(at)).collect())
    }
}

/// Movements as vectors of one length, E(M): all warped to the longest, the first of several. `band` as in
/// [`dtw`]; 0.25 allows a quarter of the movement early or late. All are of one person, or all of two.
///
/// ```
/// use marey_ops::reduction::movement::{FRAME, MovementFeatures, to_common_length};
/// // Hips that rise from 0 to 2 m in three frames, and in two; nothing else moves.
/// let hips = |heights: &[f32]| {
///     MovementFeatures::new(heights.iter().flat_map(|&y| [0.0; FRAME - 1].into_iter().chain([y])).collect())
/// };
/// let vectors = to_common_length(&[hips(&[0.0, 1.0, 2.0])?, hips(&[0.0, 2.0])?], 1.0)?;
/// assert_eq!((vectors[0].len(), vectors[1].len()), (3 * FRAME, 3 * FRAME));
/// // The quick one has nothing at 1 m: its frames go with those that are nearest, and one is 1 m off, of 18 elements.
/// let squares: f32 = vectors[0].iter().zip(&vectors[1]).map(|(a, b)| (a - b) * (a - b)).sum();
/// assert!((squares - 1.0 / 18.0).abs() < 1e-6);
/// # Ok::<(), marey_ops::OpsError>(())
/// ```
pub fn to_common_length(movements: &[MovementFeatures], band: f64) -> Result<Vec<Vec<f32>>> {
    let longest =
        movements.iter().reduce(|best, next| if next.frames() > best.frames() { next } else { best });
    let Some(reference) = longest else { return Ok(Vec::new()) };
    if let Some(other) = movements.iter().find(|movement| movement.width != reference.width) {
        let (found, wanted) = (other.width, reference.width);
        return Err(marey_motion::MotionError::Length { what: "values of a frame", found, wanted }.into());
    }
    let elements = ELEMENTS * reference.width / FRAME;
    let share = 1.0 / ((reference.frames() * elements) as f32).sqrt();
    let vector = |movement: &MovementFeatures| {
        let mut vector = movement.warped_to(reference, band)?;
        vector.iter_mut().for_each(|v| *v *= share);
        Ok(vector)
    };
    movements.par_iter().map(vector).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Frames that are all `values`, one after the other.
    fn movement(values: &[f32]) -> MovementFeatures {
        MovementFeatures::new(values.iter().flat_map(|&v| [v; FRAME]).collect()).unwrap()
    }

    #[test]
    fn slower_movements_match_after_warping() {
        let quick: Vec<f32> = (0..20).map(|f| (f as f32 * 0.3).sin()).collect();
        let slow: Vec<f32> = quick.iter().flat_map(|&v| [v, v]).collect();
        let vectors = to_common_length(&[movement(&quick), movement(&slow)], 0.3).unwrap();
        let away: f32 = vectors[0].iter().zip(&vectors[1]).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(away < 1e-6, "{away}");
    }

    #[test]
    fn resampled_movements_keep_their_ends() {
        let ramp = movement(&(0..11).map(|f| f as f32).collect::<Vec<_>>());
        assert_eq!(ramp.clone().at_most(5), movement(&[0.0, 2.5, 5.0, 7.5, 10.0]));
        assert_eq!(ramp.clone().at_most(11), ramp);
        assert_eq!(ramp.at_most(0), movement(&[0.0]));
    }

    #[test]
    fn side_by_side_movement_is_relative_to_the_first_person() {
        use marey_examples::walk::{WalkSettings, walk};
        use marey_motion::Ground;
        let made =
            walk(&WalkSettings { duration_secs: 6.0, rate_hz: 30.0, ..WalkSettings::default() }).unwrap();
        let one = made.take.first().clone();
        let two = |world: Ground| {
            let [one, other] = [one.clone(), one.moved(Ground::new(0.5, 0.0, 0.0))];
            MovementFeatures::of_two([&one.moved(world), &other.moved(world)], 10..40).unwrap()
        };
        let (here, there) = (two(Ground::IDENTITY), two(Ground::new(2.0, -1.0, 1.0)));
        assert_eq!((here.frames(), here.frame(0).len()), (30, 2 * FRAME));
        let away = here.values.iter().zip(&there.values).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(away < 1e-4, "{away}");
        // The first as alone, the second at its distance to the side.
        let alone = MovementFeatures::of(&one, 10..40).unwrap();
        assert_eq!(&here.frame(7)[..FRAME], alone.frame(7));
        let off: f32 = (0..3).map(|axis| (here.frame(7)[FRAME + axis] - here.frame(7)[axis]).powi(2)).sum();
        assert!((off.sqrt() - 0.5).abs() < 1e-4);
        assert!(to_common_length(&[here, alone], 0.2).is_err());
    }

    #[test]
    fn invalid_movements_are_rejected() {
        assert!(MovementFeatures::new(vec![]).is_err() && MovementFeatures::new(vec![0.0; 5]).is_err());
        assert!(MovementFeatures::new(vec![f32::NAN; FRAME]).is_err());
        assert_eq!(to_common_length(&[], 0.2).unwrap(), Vec::<Vec<f32>>::new());
        assert!(to_common_length(&[movement(&[0.0])], 2.0).is_err());
    }
}
