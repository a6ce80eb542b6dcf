//! Beats and tempo of rhythmic motion.
//!
//! Kim, Park and Shin, *Rhythmic-Motion Synthesis Based on Motion-Beat Analysis* (2003), as Hsu, Gentry and Popović (2004, section
//! 3) and Park, Kwon, Shin and Shin (2004) use it: dancers stop or turn their limbs on the beat, so beats are among the
//! instants at which the speed of a joint is smallest and its acceleration crosses zero; a regular grid of *reference beats* is
//! estimated from those candidates.
//!
//! Taken: candidates are minima of speed, and the grid comes from all joints together. Changed, for two
//! reasons. The steps of dancers are on the beat, while the body is slowest somewhere between; so steps define
//! the beats if they are regular, and stopping limbs only otherwise. And a dancer's tempo drifts, so instead
//! of one period there is a path from beat to beat that is as regular as possible and stays on candidates,
//! found by dynamic programming (Ellis, *Beat Tracking by Dynamic Programming*, 2007, for music).
//!
//! 1. Evidence O, in standard deviations, sampled at least 100 times per second: the density of steps ([`crate::gait`]) above its mean
//!    over a slow beat around.
//! 2. The period τ: the lag, within the range of tempi, at which the autocorrelation of O is largest.
//! 3. The path t₁, t₂ … with the largest Σ O(tᵢ) − α Σ log²((tᵢ − tᵢ₋₁) / τ). If there is also evidence halfway between its beats, τ was
//!    two beats: it is halved, and the path is computed again.
//! 4. The path once more, with the local τ around each instant from step 3. Each beat is moved to the nearest frame.
//! 5. If too few of these beats have a step, the same with other evidence: the distance of S below its local mean. S is the mean over
//!    joints of their smoothed speeds, each divided by its own mean: all joints, or feet alone, whichever has the larger
//!    autocorrelation at one beat.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | S | `mean_speed` | 1 |
//! | O | `evidence` | deviations |
//! | τ | `period` | samples of O |
//! | α | `steadiness` | deviations |
//!
//! Limits: whether a dance has 80 or 160 beats per minute can be ambiguous; if limbs stop twice per beat as
//! clearly as once, the faster tempo is used. Motion without a rhythm has no beats: [`Beats::strength`]
//! states the confidence. Steps that leave out beats are seldom understood: salsa dancers (CMU's subjects 60
//! and 61) take three steps to four beats, about evenly, so that steps define no beat; the motion repeats
//! every two beats, at 81 to 95 per minute, and most clearly every four.

mod evidence;
mod footfalls;
mod period;
mod settings;
mod track;

use evidence::Evidence;
use marey_motion::{Clip, Role};
pub use settings::BeatSettings;

use crate::Result;
use crate::cut::{Cut, CutBy};

/// Beats that were found.
#[derive(Debug, Clone, PartialEq)]
pub struct Beats {
    /// The frames of the beats, ascending; empty without a rhythm.
    pub frames: Vec<usize>,
    /// The tempo in beats per minute, by the median interval; 0 without a rhythm.
    pub tempo_bpm: f64,
    /// Autocorrelation at one beat, compared with half a beat: about 0 without a rhythm, up to 1.
    pub strength: f32,
}

impl Beats {
    fn new(frames: Vec<usize>, strength: f32, rate_hz: f64) -> Self {
        let tempo_bpm = track::median_interval(&frames).map_or(0.0, |frames| 60.0 * rate_hz / frames);
        Self { frames, tempo_bpm, strength }
    }

    /// Cuts at every `beats`-th beat from the first on, labelled by the number of the beat.
    ///
    /// ```
    /// use marey_ops::beats::Beats;
    /// let beats = Beats { frames: vec![3, 13, 23, 33, 43], tempo_bpm: 180.0, strength: 0.8 };
    /// let frames: Vec<usize> = beats.cuts(2).iter().map(|cut| cut.frame).collect();
    /// assert_eq!(frames, [3, 23, 43]);
    /// ```
    pub fn cuts(&self, beats: usize) -> Vec<Cut> {
        let numbered = self.frames.iter().enumerate().step_by(beats.max(1));
        numbered.map(|(i, &frame)| Cut { frame, label: (i + 1).to_string(), by: CutBy::Beat }).collect()
    }
}

/// Finds the beats of a clip.
///
/// ```
/// use std::sync::Arc;
/// use marey_motion::{Clip, ClipParts, Joint, Quat, Role, Skeleton, Vec3};
/// use marey_ops::beats::{BeatSettings, beats};
/// // An arm swings to and fro, once a second: it stops every 15 frames, at 0, 15, 30 … That is 120 beats a minute.
/// let joints = vec![
///     Joint::new("shoulder", None, Vec3::ZERO).with_role(Role::LeftUpperArm),
///     Joint::new("elbow", Some(0), Vec3::Y * -0.3).with_role(Role::LeftLowerArm),
///     Joint::new("wrist", Some(1), Vec3::Y * -0.3).with_role(Role::LeftHand),
/// ];
/// let skeleton = Arc::new(Skeleton::new(joints, vec![])?);
/// let mut parts = ClipParts::default();
/// for frame in 0..300 {
///     let angle = (std::f32::consts::TAU * frame as f32 / 30.0).cos();
///     parts.rotations.extend([Quat::from_rotation_x(angle), Quat::IDENTITY, Quat::IDENTITY]);
///     parts.positions.push(Vec3::ZERO);
/// }
/// let found = beats(&Clip::new(skeleton, 30.0, parts)?, &BeatSettings::default())?;
/// assert!((found.tempo_bpm - 120.0).abs() < 3.0);
/// assert!(found.frames.iter().filter(|&&f| (5..295).contains(&f)).all(|f| (f + 1) % 15 <= 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn beats(clip: &Clip, settings: &BeatSettings) -> Result<Beats> {
    settings.validate()?;
    match footfalls::beats(clip, settings)? {
        Some(stepped) => Ok(stepped),
        None => Ok(stopped(clip, settings)),
    }
}

/// Beats on which limbs stop: all joints, or feet alone.
fn stopped(clip: &Clip, settings: &BeatSettings) -> Beats {
    let candidates = [settings.roles.as_slice(), &[Role::LeftFoot, Role::RightFoot]].map(|roles| {
        let evidence = Evidence::of_stops(clip, roles, settings)?;
        period::find(&evidence, settings).map(|period| (evidence, period))
    });
    let stronger = candidates
        .into_iter()
        .flatten()
        .reduce(|best, next| if next.1.strength > best.1.strength { next } else { best });
    match stronger {
        Some((evidence, period)) if period.strength >= settings.least_strength => {
            let frames = track::frames(&evidence, period.samples, settings);
            Beats::new(frames, period.strength, clip.rate_hz())
        }
        found => Beats::new(Vec::new(), found.map_or(0.0, |(_, period)| period.strength), clip.rate_hz()),
    }
}
