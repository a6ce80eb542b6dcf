//! Detection of foot contacts: when heels and balls stand on the floor.
//!
//! A foot is planted while it is low and slow. That is the usual test before foot-skate removal (Kovar,
//! Schreiner and Gleicher, *Footskate Cleanup for Motion Capture Editing*, 2002), often with manual
//! thresholds and corrections. Walks are then cut at foot plants (Hsu, Gentry and Popović, *Example-Based
//! Control of Human Motion*, 2004, section 6.1). Changed here, so that no manual work is needed:
//!
//! - heel and ball are tracked separately, by a point of the sole rather than by a joint if the skeleton
//!   defines one;
//! - paths are smoothed without delay, over a time and not over a number of frames, so that rate and noise
//!   matter little;
//! - heights are not relative to y = 0. Whether a foot may stand at all depends on the level at which both
//!   feet rest in the seconds around; when it stands, on the level at which this plant rests. An uneven or
//!   sloping floor, or a joint above the sole, therefore does not matter;
//! - a standing foot may drift up or down, as feet of captured skeletons do: heel and ball then move together
//!   (`drift`), whereas a foot that leaves pitches first, or is fast;
//! - a contact starts at tight thresholds and ends at wide ones, short gaps are closed and short contacts
//!   dropped;
//! - its ends are then moved to where the motion stopped and started rather than where it crossed a
//!   threshold.
//!
//! Limits. A foot that slides is not planted. A foot that hangs still for seconds, no higher than the floor
//! elsewhere, is. A foot that is lifted flat and slowly leaves late, at `drift_m`. Without a heel tip the heel
//! is where heels usually are. A heel that rises very slowly, as in strolling, leaves up to a tenth of a second
//! late. A ball stands until it speeds up: people roll over the tips of their toes for a few hundredths of a
//! second longer.

mod drift;
mod edges;
mod footing;
mod settings;
mod spans;

use std::cell::Cell;
use std::ops::Range;

use drift::DriftLimits;
use edges::Motion;
use footing::Footing;
use marey_motion::{Clip, Contact, Contacts, Observer, Vec3};
use serde::Serialize;
pub use settings::ContactSettings;

use crate::error::check_cancelled;
use crate::floor::{self, FloorEstimate};
use crate::smooth::SmoothPath;
use crate::sole::{SolePart, SolePoint};
use crate::{Result, level};

/// The contacts of a clip, and its floor.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DetectedContacts {
    /// `LeftFoot` is the left heel, `LeftToes` the ball of the left foot; likewise on the right.
    pub contacts: Contacts,
    /// The floor under the whole character.
    pub floor: FloorEstimate,
}

/// Detects the contacts of heels and balls. A skeleton without these roles has none.
///
/// ```
/// use std::sync::Arc;
/// use marey_motion::{Clip, ClipParts, Joint, Quat, Role, Skeleton, Vec3};
/// use marey_ops::contacts::{ContactSettings, detect};
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
/// let found = detect(&clip, &ContactSettings::default())?;
/// let stands: Vec<_> = found.contacts.of(Role::LeftFoot).cloned().collect();
/// // Two contacts, found to two frames: smoothing rounds off the corners of a hop.
/// assert_eq!(stands.len(), 2);
/// assert!(stands[0].start == 0 && stands[0].end.abs_diff(20) <= 2);
/// assert!(stands[1].start.abs_diff(30) <= 2 && stands[1].end == 40);
/// assert!(found.floor.height_m.abs() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn detect(clip: &Clip, settings: &ContactSettings) -> Result<DetectedContacts> {
    detect_observed(clip, settings, Observer::ignore())
}

/// [`detect`], which can be cancelled by an observer.
pub fn detect_observed(
    clip: &Clip,
    settings: &ContactSettings,
    observer: Observer<'_>,
) -> Result<DetectedContacts> {
    settings.validate()?;
    let steps = Cell::new(0);
    let look = || check_cancelled(observer, "contacts", steps.replace(steps.get() + 1), 0);
    look()?;
    let points = SolePoint::all(clip.skeleton());
    let captured = SolePoint::paths(&points, clip);
    let smooth = |path: &Vec<Vec3>| {
        look()?;
        Ok(SmoothPath::fit(path, clip.rate_hz(), settings.smoothing_secs))
    };
    let mut paths: Vec<SmoothPath> = captured.iter().map(smooth).collect::<Result<_>>()?;
    let mut footings = [const { None }; SolePart::ALL.len()];
    for (footing, part) in footings.iter_mut().zip(SolePart::ALL) {
        look()?;
        let both = points.iter().zip(&paths).filter(|(point, _)| point.part == part);
        let both: Vec<&SmoothPath> = both.map(|(_, path)| path).collect();
        *footing = Footing::under(&both, clip.rate_hz(), settings);
    }
    if let [Some(heels), Some(balls)] = &footings {
        let limits = DriftLimits::of(&captured, &paths, settings);
        let mut feet: Vec<(&SolePoint, &mut SmoothPath)> = points.iter().zip(&mut paths).collect();
        for foot in feet.chunk_by_mut(|one, next| one.0.side == next.0.side) {
            // Heel and ball, in this order.
            if let [(_, heel), (_, ball)] = foot {
                look()?;
                drift::remove([heel, ball], [heels, balls], clip.rate_hz(), settings, limits);
            }
        }
    }
    let mut plants: Vec<Contact> = Vec::new();
    for (point, path) in points.iter().zip(&paths) {
        let Some(footing) = &footings[point.part as usize] else { continue };
        look()?;
        let role = point.part.role(point.side);
        let spans = planted(path, footing, point.part, clip.rate_hz(), settings);
        plants.extend(spans.into_iter().map(|frames| Contact { role, frames }));
    }
    look()?;
    let contacts = Contacts::new(united(plants), clip.frames())?;
    Ok(DetectedContacts { contacts, floor: floor::estimate(clip) })
}

/// The intervals in which a point of the sole is planted.
fn planted(
    path: &SmoothPath,
    footing: &Footing,
    part: SolePart,
    rate_hz: f64,
    settings: &ContactSettings,
) -> Vec<Range<usize>> {
    let mut plants = Vec::new();
    for range in near_footing(&[(path, footing)], rate_hz, settings) {
        let rests = range.clone().filter(|&f| path.speeds_mps[f] < settings.enter_speed_mps);
        if let Some(level) = level::lowest(rests.map(|f| path.points[f].y).collect()) {
            let motion = Motion { path, level_m: level.height_m, part, rate_hz };
            plants.extend(low_and_slow(range, &motion, settings));
        }
    }
    plants
}

/// The intervals in which points may all stand: slow, and not far above the level of both feet.
fn near_footing(
    points: &[(&SmoothPath, &Footing)],
    rate_hz: f64,
    settings: &ContactSettings,
) -> Vec<Range<usize>> {
    let frame_count = points.iter().map(|(path, _)| path.points.len()).min().unwrap_or(0);
    let over =
        |path: &SmoothPath, footing: &Footing, f: usize| path.points[f].y - footing.at(f) - settings.uneven_m;
    let is_near = |f: usize| {
        points.iter().all(|&(path, footing)| {
            path.speeds_mps[f] < settings.enter_speed_mps && over(path, footing, f) < 0.0
        })
    };
    let is_away = |f: usize| {
        points.iter().any(|&(path, footing)| {
            path.speeds_mps[f] > settings.leave_speed_mps || over(path, footing, f) > settings.leave_height_m
        })
    };
    let spans = spans::with_hysteresis(0..frame_count, is_near, is_away);
    spans::without_gaps(spans, frames(settings.least_gap_secs, rate_hz))
}

/// The intervals in which it stands, with heights relative to its own level.
fn low_and_slow(range: Range<usize>, motion: &Motion<'_>, settings: &ContactSettings) -> Vec<Range<usize>> {
    let spans = spans::with_hysteresis(
        range,
        |f| motion.speed(f) < settings.enter_speed_mps && motion.height(f) < settings.enter_height_m,
        |f| motion.speed(f) > settings.leave_speed_mps || motion.height(f) > settings.leave_height_m,
    );
    let mut spans = spans::without_gaps(spans, frames(settings.least_gap_secs, motion.rate_hz));
    let least = frames(settings.least_contact_secs, motion.rate_hz);
    // A contact at the start or end of the clip may be longer than it is seen.
    let is_cut_off = |span: &Range<usize>| span.start == 0 || span.end == motion.path.points.len();
    spans.retain(|span| span.len() >= least || is_cut_off(span));
    spans.into_iter().map(|span| edges::refined(span, motion, settings)).collect()
}

fn frames(secs: f64, rate_hz: f64) -> usize {
    (secs * rate_hz).round() as usize
}

/// Merges contacts of one role that overlap or touch.
fn united(mut plants: Vec<Contact>) -> Vec<Contact> {
    plants.sort_by_key(|plant| (plant.role, plant.frames.start));
    let mut united: Vec<Contact> = Vec::new();
    for plant in plants {
        match united.last_mut() {
            Some(last) if last.role == plant.role && plant.frames.start <= last.frames.end => {
                last.frames.end = last.frames.end.max(plant.frames.end);
            }
            _ => united.push(plant),
        }
    }
    united
}
