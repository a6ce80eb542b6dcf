//! When which part of which foot stands on the floor.
//!
//! A foot is planted while it is low and slow. That is the usual test, and the one by which motion is prepared for the
//! removal of foot skate (Kovar, Schreiner and Gleicher, *Footskate Cleanup for Motion Capture Editing*, 2002), often with
//! bounds that are found, and results that are corrected, by hand. A walk is then cut at its plants (Hsu, Gentry and
//! Popović, *Example-Based Control of Human Motion*, 2004, section 6.1). Changed here, so that no hand is needed:
//!
//! - heel and ball are followed apart, each by a point of the sole rather than by its joint where the skeleton tells;
//! - paths are smoothed first, without delay, by a time and not by a number of frames, so that rate and noise matter
//!   little;
//! - heights are not taken from y = 0. Whether a foot may stand at all is judged from the level at which both feet rest
//!   in the seconds around, and when it does, from the level at which that one plant rests. So it does not matter that a
//!   floor is off, or slopes a little, or that a joint is not at the sole;
//! - a contact starts at tight bounds and ends at wide ones, short gaps are closed and short contacts dropped;
//! - its ends are then put where the motion began and ended rather than where it crossed a bound.
//!
//! Limits. A foot that slides is not planted. A foot that hangs still for seconds, no higher than the floor is elsewhere,
//! is. A skeleton without a heel has its heel under the ankle: it is then found to land when the foot is flat. A heel that
//! rises very slowly, as in strolling, is found to leave up to a tenth of a second late.

mod edges;
mod ground;
mod settings;
mod sole;
mod spans;

use std::ops::Range;

use edges::Motion;
use ground::Ground;
use marey_motion::{Clip, Contact, Contacts, Role};
pub use settings::Settings;
use sole::SolePoint;

use crate::floor::{self, Floor};
use crate::smooth::SmoothPath;
use crate::{Result, level};

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Detected {
    /// `LeftFoot` is the left heel, `LeftToes` the ball of the left foot; and so on the right.
    pub contacts: Contacts,
    /// The floor under the whole figure.
    pub floor: Floor,
}

/// Finds the contacts of feet and toes. A skeleton without roles for them has none.
///
/// ```
/// use std::sync::Arc;
/// use marey_motion::{Clip, ClipParts, Joint, Quat, Role, Skeleton, Vec3};
/// use marey_ops::contacts::{Settings, detect};
/// // A leg that hops: it stands for 20 frames, is in the air for 10 (up 5 cm a frame, and down), stands for 10.
/// let joints = vec![
///     Joint::new("hip", None, Vec3::ZERO).with_role(Role::LeftUpperLeg),
///     Joint::new("knee", Some(0), Vec3::Y * -0.5).with_role(Role::LeftLowerLeg),
///     Joint::new("ankle", Some(1), Vec3::Y * -0.5).with_role(Role::LeftFoot),
/// ];
/// let skeleton = Arc::new(Skeleton::new(joints, vec![])?);
/// let hop = |f: i32| if (20..30).contains(&f) { 0.05 * (f - 19).min(30 - f) as f32 } else { 0.0 };
/// let positions = (0..40).map(|f| Vec3::Y * (1.0 + hop(f))).collect();
/// let clip = Clip::new(skeleton, 30.0, ClipParts { rotations: vec![Quat::IDENTITY; 120], positions })?;
/// let found = detect(&clip, &Settings::default())?;
/// let stands: Vec<_> = found.contacts.of(Role::LeftFoot).cloned().collect();
/// // Two contacts, found to two frames: smoothing rounds off the corners of a hop.
/// assert_eq!(stands.len(), 2);
/// assert!(stands[0].start == 0 && stands[0].end.abs_diff(20) <= 2);
/// assert!(stands[1].start.abs_diff(30) <= 2 && stands[1].end == 40);
/// assert!(found.floor.height_m.abs() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn detect(clip: &Clip, settings: &Settings) -> Result<Detected> {
    settings.validate()?;
    let points = SolePoint::all(clip.skeleton());
    let paths: Vec<(Role, SmoothPath)> = points
        .iter()
        .zip(SolePoint::paths(&points, clip))
        .map(|(point, path)| (point.role, SmoothPath::fit(&path, clip.rate_hz(), settings.smoothing_secs)))
        .collect();
    let mut contacts = Vec::new();
    for kind in [Role::LeftFoot, Role::LeftToes] {
        let pair: Vec<&(Role, SmoothPath)> =
            paths.iter().filter(|(role, _)| *role == kind || *role == kind.mirrored()).collect();
        let both: Vec<&SmoothPath> = pair.iter().map(|(_, path)| path).collect();
        let Some(ground) = Ground::under(&both, clip.rate_hz(), settings) else { continue };
        for (role, path) in pair {
            let spans = planted(path, &ground, clip.rate_hz(), settings);
            contacts.extend(spans.into_iter().map(|frames| Contact { role: *role, frames }));
        }
    }
    Ok(Detected { contacts: Contacts::new(contacts, clip.frames())?, floor: floor::estimate(clip) })
}

/// When a point of the sole is planted.
fn planted(path: &SmoothPath, ground: &Ground, rate_hz: f64, settings: &Settings) -> Vec<Range<usize>> {
    let mut plants = Vec::new();
    for range in near_ground(path, ground, rate_hz, settings) {
        let rests = range.clone().filter(|&f| path.speeds_mps[f] < settings.enter_speed_mps);
        let Some(level) = level::lowest(rests.map(|f| path.points[f].y).collect()) else { continue };
        let heights: Vec<f32> = path.points.iter().map(|point| point.y - level.height_m).collect();
        let motion = Motion { speeds: &path.speeds_mps, heights: &heights, rate_hz };
        plants.extend(low_and_slow(range, &motion, settings));
    }
    apart(plants.into_iter())
}

/// Where a point may be standing: slow, and not high over the level of the floor around.
fn near_ground(path: &SmoothPath, ground: &Ground, rate_hz: f64, settings: &Settings) -> Vec<Range<usize>> {
    let over = |f: usize| path.points[f].y - ground.at(f) - settings.uneven_m;
    let spans = spans::with_hysteresis(
        0..path.points.len(),
        |f| path.speeds_mps[f] < settings.enter_speed_mps && over(f) < 0.0,
        |f| path.speeds_mps[f] > settings.leave_speed_mps || over(f) > settings.leave_height_m,
    );
    spans::without_flicker(spans, frames(settings.least_gap_secs, rate_hz), 1)
}

/// Where it does stand, heights taken from its own rest.
fn low_and_slow(range: Range<usize>, motion: &Motion<'_>, settings: &Settings) -> Vec<Range<usize>> {
    let (speeds, heights) = (motion.speeds, motion.heights);
    let spans = spans::with_hysteresis(
        range,
        |f| speeds[f] < settings.enter_speed_mps && heights[f] < settings.enter_height_m,
        |f| speeds[f] > settings.leave_speed_mps || heights[f] > settings.leave_height_m,
    );
    let least_gap = frames(settings.least_gap_secs, motion.rate_hz);
    let spans = spans::without_flicker(spans, least_gap, frames(settings.least_contact_secs, motion.rate_hz));
    spans.into_iter().map(|span| edges::refined(span, motion, settings)).collect()
}

fn frames(secs: f64, rate_hz: f64) -> usize {
    (secs * rate_hz).round() as usize
}

/// Keeps contacts whose ends were moved from overlapping.
fn apart(spans: impl Iterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut kept: Vec<Range<usize>> = Vec::new();
    for span in spans {
        let start = span.start.max(kept.last().map_or(0, |last| last.end));
        if start < span.end {
            kept.push(start..span.end);
        }
    }
    kept
}
