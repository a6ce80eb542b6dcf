//! Motion from one pose to another, in a style.

use marey_motion::{Clip, Contacts, Ground, LocalPose};
use marey_ops::{OutOfRange, floor};
use marey_plan::Seed;

use crate::played::{Stage, legs, played};
use crate::recovered::recovered;
use crate::{Frames, Result, SearchSettings, Style, WanderSettings, Way, wander, way};

/// What is asked of an in-between.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TweenSettings {
    /// Frames a second of what is made; default 60; 1 to 1000.
    pub rate_hz: f64,
    /// How many frames, both ends among them, 2 to 100000; default none: as many as the likeliest way has.
    pub frames: Option<usize>,
    /// Whether it ends at the place of the pose it goes to; default false: it ends where its steps lead.
    pub arrives: bool,
    /// How the way is searched.
    pub search: SearchSettings,
}

impl Default for TweenSettings {
    fn default() -> Self {
        Self { rate_hz: 60.0, frames: None, arrives: false, search: SearchSettings::default() }
    }
}

impl TweenSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        check_stage(self.rate_hz, self.frames)?;
        self.search.validate()
    }
}

/// Motion in a style.
#[derive(Debug, Clone, PartialEq)]
pub struct Tween {
    /// From the first pose to the last.
    pub clip: Clip,
    /// What stands when.
    pub contacts: Contacts,
    /// The way behind it, at the working rate.
    pub way: Way,
}

/// The floor of a shorter clip is not looked for, and taken to be at 0, in seconds.
const LEAST_FLOOR_SECS: f64 = 1.0;

/// A pose: a frame of a clip.
pub type PoseOf<'a> = (&'a Clip, usize);

/// Makes motion from one pose to another. The first and the last frame are those poses, to the bit; the last stands where the steps
/// lead, unless it [arrives](TweenSettings::arrives).
pub fn tween(style: &Style, from: PoseOf<'_>, to: PoseOf<'_>, settings: &TweenSettings) -> Result<Tween> {
    settings.validate()?;
    let given = (from, to);
    let (first, start, floor_m) = in_place(style, from, "the first pose")?;
    let (last, end, last_floor_m) = in_place(style, to, "the last pose")?;
    let working_hz = style.settings().rate_hz;
    let steps = settings.frames.map(|frames| steps_of(frames, settings.rate_hz, working_hz));
    let (from, to) = (style.posture(&first)?, style.posture(&last)?);
    let mut way = way(style, &from, &to, steps, &settings.search)?;
    if way.postures.len() < 2 {
        // The same posture, and yet perhaps not the same pose.
        way.postures.push(to);
    }
    let found =
        recovered(style, &way.postures, [Some(first.view()), Some(last.view())], &legs(style.skeleton()));
    let frames =
        settings.frames.unwrap_or_else(|| frames_of(way.postures.len() - 1, settings.rate_hz, working_hz));
    let stage = Stage {
        rate_hz: settings.rate_hz,
        frames,
        start,
        end: settings.arrives.then_some(end),
        has_last: true,
        floors_m: [floor_m, if settings.arrives { last_floor_m } else { floor_m }],
    };
    let (clip, contacts) = played(style, &found, &first, &stage)?;
    let clip = with_ends(clip, given.0, settings.arrives.then_some(given.1))?;
    Ok(Tween { clip, contacts, way })
}

/// Makes free motion of so many frames at a rate, from a pose on.
pub fn improvise(
    style: &Style,
    from: PoseOf<'_>,
    frames: usize,
    rate_hz: f64,
    settings: &WanderSettings,
    seed: Seed,
) -> Result<Tween> {
    check_stage(rate_hz, Some(frames))?;
    let given = from;
    let (first, start, floor_m) = in_place(style, from, "the first pose")?;
    let from = style.posture(&first)?;
    let steps = steps_of(frames, rate_hz, style.settings().rate_hz);
    let postures = wander(style, &from, steps, settings, seed)?;
    let cost = postures.windows(2).map(|pair| style.step_cost(&pair[0], &pair[1])).sum();
    let found = recovered(style, &postures, [Some(first.view()), None], &legs(style.skeleton()));
    let stage = Stage { rate_hz, frames, start, end: None, has_last: false, floors_m: [floor_m; 2] };
    let (clip, contacts) = played(style, &found, &first, &stage)?;
    let clip = with_ends(clip, given, None)?;
    Ok(Tween { clip, contacts, way: Way { postures, cost, proven: false } })
}

fn check_stage(rate_hz: f64, frames: Option<usize>) -> Result<()> {
    OutOfRange::check("rate_hz", rate_hz, 1.0..=1000.0)?;
    let frames = frames.map_or(2, |frames| u32::try_from(frames).unwrap_or(u32::MAX));
    Ok(OutOfRange::check("frames", frames, 2..=100_000)?)
}

/// A pose in place, facing ahead and on the floor; where it stood; and how high the floor of its clip is.
fn in_place(style: &Style, (clip, frame): PoseOf<'_>, what: &str) -> Result<(LocalPose, Ground, f32)> {
    style.check(clip.skeleton(), what)?;
    // A few frames do not tell a step from a jump.
    let is_long = clip.frames() as f64 >= LEAST_FLOOR_SECS * clip.rate_hz();
    let floor_m = if is_long { Frames::floor_m(&floor::estimate(clip)) } else { 0.0 };
    let one = clip.slice(frame..frame.saturating_add(1))?.lifted(-floor_m)?;
    let track = one.ground_track();
    let place = track.frames.first().copied().unwrap_or_default();
    Ok((one.without_ground(&track)?.pose(0).to_owned(), place, floor_m))
}

/// The same with the poses at its ends that were given: taking their places from them and giving them back has cost the last bits.
fn with_ends(clip: Clip, first: PoseOf<'_>, last: Option<PoseOf<'_>>) -> Result<Clip> {
    let (joints, movers) = (clip.skeleton().len(), clip.skeleton().movers().len());
    let (skeleton, rate_hz, frames) = (clip.skeleton().clone(), clip.rate_hz(), clip.frames());
    let mut parts = clip.into_parts();
    for (at, (given, frame)) in
        [(0, Some(first)), (frames - 1, last)].into_iter().filter_map(|(at, end)| Some((at, end?)))
    {
        let pose = given.pose(frame);
        let turns = parts.rotations.iter_mut().skip(at * joints);
        turns.zip(pose.rotations).for_each(|(turn, given)| *turn = *given);
        let places = parts.positions.iter_mut().skip(at * movers);
        places.zip(pose.positions).for_each(|(place, given)| *place = *given);
    }
    Ok(Clip::new(skeleton, rate_hz, parts)?)
}

/// How many steps so many frames are, to the nearest.
fn steps_of(frames: usize, rate_hz: f64, working_hz: f64) -> usize {
    ((frames.saturating_sub(1) as f64 / rate_hz * working_hz).round() as usize).max(1)
}

/// How many frames so many steps are, both ends among them.
fn frames_of(steps: usize, rate_hz: f64, working_hz: f64) -> usize {
    ((steps as f64 / working_hz * rate_hz).round() as usize).max(1) + 1
}
