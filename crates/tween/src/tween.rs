//! Motion between two poses in a style.

use marey_motion::{Clip, Contacts, Ground, LocalPose, Observer};
use marey_ops::{OutOfRange, floor};

use crate::recovery::recover;
use crate::synthesis::{OutputSpec, leg_joints, synthesise};
use crate::{MotionStyle, PathSearchSettings, PosePath, Result, StyleFrames, find_path_observed};

/// How motion between two poses is made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TweenSettings {
    /// Frame rate of the motion in Hz; default 60; range 1 to 1000.
    pub rate_hz: f64,
    /// Number of frames, including both poses; range 2 to 100000; default `None`: the length of the likeliest
    /// path.
    pub frames: Option<usize>,
    /// Whether the motion ends at the position of the last pose; default false: it ends where its steps lead.
    pub keeps_end_position: bool,
    /// How the path is searched.
    pub search: PathSearchSettings,
}

impl Default for TweenSettings {
    fn default() -> Self {
        Self { rate_hz: 60.0, frames: None, keeps_end_position: false, search: PathSearchSettings::default() }
    }
}

impl TweenSettings {
    /// Checks that every field is in its range.
    pub fn validate(&self) -> Result<()> {
        check_output(self.rate_hz, self.frames)?;
        self.search.validate()
    }
}

/// Motion in a style.
#[derive(Debug, Clone, PartialEq)]
pub struct TweenMotion {
    /// The motion, from the first pose to the last.
    pub clip: Clip,
    /// Foot contacts.
    pub contacts: Contacts,
    /// The path of postures, at the rate of the style.
    pub path: PosePath,
}

/// Shorter clips are assumed to have their floor at 0, in seconds: a few frames do not distinguish a step
/// from a jump.
const MIN_FLOOR_SECS: f64 = 1.0;

/// A pose, given as a frame of a clip.
pub type ClipFrame<'a> = (&'a Clip, usize);

/// Makes motion from one pose to another. The first and last frame are exactly those poses, except that the
/// last one is where the steps lead, unless [`TweenSettings::keeps_end_position`] is set.
///
/// # Errors
///
/// `tween/skeleton`, `tween/outside` or `tween/not-connected` if the style has no path between the poses.
pub fn tween(
    style: &MotionStyle,
    from: ClipFrame<'_>,
    to: ClipFrame<'_>,
    settings: &TweenSettings,
) -> Result<TweenMotion> {
    tween_observed(style, from, to, settings, Observer::ignore())
}

/// [`tween`], which can be cancelled by an observer.
pub fn tween_observed(
    style: &MotionStyle,
    from: ClipFrame<'_>,
    to: ClipFrame<'_>,
    settings: &TweenSettings,
    observer: Observer<'_>,
) -> Result<TweenMotion> {
    settings.validate()?;
    let (first, start, floor_m) = at_origin(style, from, "the first pose")?;
    let (last, end, last_floor_m) = at_origin(style, to, "the last pose")?;
    let style_hz = style.settings().rate_hz;
    let steps = settings.frames.map(|frames| steps_for_frames(frames, settings.rate_hz, style_hz));
    let (first_posture, last_posture) = (style.posture(&first)?, style.posture(&last)?);
    let mut path =
        find_path_observed(style, &first_posture, &last_posture, steps, &settings.search, observer)?;
    if path.postures.len() < 2 {
        // Different poses may have the same posture.
        path.postures.push(last_posture);
    }
    let recovered = recover(
        style,
        &path.postures,
        [Some(first.view()), Some(last.view())],
        &leg_joints(style.skeleton()),
    )?;
    let frames = settings
        .frames
        .unwrap_or_else(|| frames_for_steps(path.postures.len() - 1, settings.rate_hz, style_hz));
    let output = OutputSpec {
        rate_hz: settings.rate_hz,
        frames,
        start,
        end: settings.keeps_end_position.then_some(end),
        has_last: true,
        floors_m: [floor_m, if settings.keeps_end_position { last_floor_m } else { floor_m }],
    };
    let (clip, contacts) = synthesise(style, &recovered, &first, &output)?;
    let clip = with_exact_ends(clip, from, settings.keeps_end_position.then_some(to))?;
    Ok(TweenMotion { clip, contacts, path })
}

pub(crate) fn check_output(rate_hz: f64, frames: Option<usize>) -> Result<()> {
    OutOfRange::check("rate_hz", rate_hz, 1.0..=1000.0)?;
    let frames = frames.map_or(2, |frames| u32::try_from(frames).unwrap_or(u32::MAX));
    Ok(OutOfRange::check("frames", frames, 2..=100_000)?)
}

/// Returns a pose at the origin, facing +Z and on the floor; its ground position; and the floor height of its
/// clip.
fn at_origin(
    style: &MotionStyle,
    (clip, frame): ClipFrame<'_>,
    subject: &str,
) -> Result<(LocalPose, Ground, f32)> {
    style.check_skeleton(clip.skeleton(), subject)?;
    let is_long = clip.frames() as f64 >= MIN_FLOOR_SECS * clip.rate_hz();
    let floor_m = if is_long { StyleFrames::floor_m(&floor::estimate(clip)) } else { 0.0 };
    let single = clip.slice(frame..frame.saturating_add(1))?.lifted(-floor_m)?;
    let track = single.ground_track();
    let ground = track.frames.first().copied().unwrap_or_default();
    Ok((single.without_ground(&track)?.pose(0).to_owned(), ground, floor_m))
}

/// Replaces the end poses by the given ones, because moving them to the origin and back changes their last
/// bits.
fn with_exact_ends(clip: Clip, first: ClipFrame<'_>, last: Option<ClipFrame<'_>>) -> Result<Clip> {
    let (joints, movers) = (clip.skeleton().len(), clip.skeleton().movers().len());
    let (skeleton, rate_hz, frames) = (clip.skeleton().clone(), clip.rate_hz(), clip.frames());
    let mut parts = clip.into_parts();
    for (at, (given, frame)) in
        [(0, Some(first)), (frames - 1, last)].into_iter().filter_map(|(at, end)| Some((at, end?)))
    {
        let pose = given.pose(frame);
        let rotations = parts.rotations.iter_mut().skip(at * joints);
        rotations.zip(pose.rotations).for_each(|(rotation, given)| *rotation = *given);
        let positions = parts.positions.iter_mut().skip(at * movers);
        positions.zip(pose.positions).for_each(|(position, given)| *position = *given);
    }
    Ok(Clip::new(skeleton, rate_hz, parts)?)
}

/// Number of steps at the rate of the style that is nearest to a number of frames.
fn steps_for_frames(frames: usize, rate_hz: f64, style_hz: f64) -> usize {
    ((frames.saturating_sub(1) as f64 / rate_hz * style_hz).round() as usize).max(1)
}

/// Number of frames of a number of steps, including both ends.
fn frames_for_steps(steps: usize, rate_hz: f64, style_hz: f64) -> usize {
    ((steps as f64 / style_hz * rate_hz).round() as usize).max(1) + 1
}
