//! Foot skate: how far feet slide while they stand.
//!
//! A part of a sole that stands should not move along the floor (Kovar, Schreiner and Gleicher, *Footskate
//! Cleanup for Motion Capture Editing*, 2002). Given the contacts, the path length of each part of the sole
//! during its contacts is summed and divided by the contact time. Without contacts there is the measure of
//! Zhang, Starke, Komura and Saito (*Mode-Adaptive Neural Networks for Quadruped Motion Control*, 2018,
//! section 8.2): the speed of every sole weighted by its height, 2 − 2^(h/H) for heights h below H.
//!
//! Limits. Detected contacts are where feet are slow, so that a foot that slides fast is not counted: pass
//! the contacts that the motion was made with. Noise counts as skate: 5 mm at 30 Hz is about 20 cm/s.

use marey_motion::{Clip, Contacts, Role};
use marey_ops::sole::SolePoint;
use serde::Serialize;

use crate::Worst;

/// H, in metres: higher feet are in the air.
const NEAR_M: f32 = 0.025;

/// Foot skate.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Skate {
    /// Path length of the parts of soles while they stand, in centimetres per second of contact; 0 without
    /// contacts.
    pub cm_per_sec: f64,
    /// Total contact time of all parts of soles, in seconds.
    pub contact_secs: f64,
    /// The highest speed of a part that stands, in centimetres per second.
    pub fastest_cm_per_sec: f64,
    /// Its role and frame.
    pub worst: Option<Worst>,
    /// The largest distance of a part from where it came to stand, in millimetres.
    pub farthest_mm: f64,
    /// Speed near the floor without contacts, in centimetres per second, averaged over frames and parts of
    /// soles.
    pub near_floor_cm_per_sec: f64,
}

/// Measures the foot skate of a clip with the contacts that it should have.
///
/// ```
/// use std::sync::Arc;
/// use marey_motion::{Clip, ClipParts, Contact, Contacts, Joint, Quat, Role, Skeleton, Vec3};
/// // A foot that stands for a second and slides ahead by 1 cm a frame in its second half, at 10 Hz.
/// let joints = vec![
///     Joint::new("hip", None, Vec3::Y),
///     Joint::new("knee", Some(0), Vec3::Y * -0.5),
///     Joint::new("ankle", Some(1), Vec3::Y * -0.5).with_role(Role::LeftFoot),
/// ];
/// let skeleton = Arc::new(Skeleton::new(joints, vec![])?);
/// let positions = (0..11).map(|f: i32| Vec3::new(0.0, 1.0, 0.01 * (f - 5).max(0) as f32)).collect();
/// let clip = Clip::new(skeleton, 10.0, ClipParts { rotations: vec![Quat::IDENTITY; 33], positions })?;
/// let contacts = Contacts::new(vec![Contact { role: Role::LeftFoot, frames: 0..11 }], 11)?;
/// let skate = marey_measure::skate::skate(&clip, &contacts, 0.0);
/// // 5 cm in a second; 10 cm/s at its worst.
/// assert!((skate.cm_per_sec - 5.0).abs() < 1e-3 && (skate.fastest_cm_per_sec - 10.0).abs() < 1e-3);
/// assert!((skate.farthest_mm - 50.0).abs() < 1e-3);
/// assert_eq!(skate.worst.unwrap().frame, 5);
/// # Ok::<(), marey_motion::MotionError>(())
/// ```
pub fn skate(clip: &Clip, contacts: &Contacts, floor_m: f32) -> Skate {
    let points = SolePoint::all(clip.skeleton());
    let paths = SolePoint::paths(&points, clip);
    let (mut slid_m, mut farthest_m) = (0.0, 0f32);
    let mut intervals = 0;
    let mut fastest: Option<(f64, Role, usize)> = None;
    let mut near_m = 0.0;
    for (point, path) in points.iter().zip(&paths) {
        let role = point.part.role(point.side);
        let moved = |frame: usize| f64::from((path[frame + 1] - path[frame]).with_y(0.0).length());
        for frames in contacts.of(role) {
            let stood = path.get(frames.clone()).unwrap_or_default();
            let from = stood.iter().map(|place| place.distance(stood[0]));
            farthest_m = from.fold(farthest_m, f32::max);
            for frame in frames.start..frames.end.saturating_sub(1) {
                slid_m += moved(frame);
                intervals += 1;
                if fastest.is_none_or(|(most, ..)| moved(frame) > most) {
                    fastest = Some((moved(frame), role, frame));
                }
            }
        }
        for (frame, place) in path.iter().enumerate().take(path.len() - 1) {
            let height = (place.y - floor_m - point.rest_m()).max(0.0);
            if height < NEAR_M {
                near_m += moved(frame) * f64::from(2.0 - (height / NEAR_M).exp2());
            }
        }
    }
    let rate_hz = clip.rate_hz();
    let contact_secs = f64::from(intervals) / rate_hz;
    let all = (paths.len() * (clip.frames() - 1)).max(1);
    Skate {
        cm_per_sec: if intervals > 0 { 100.0 * slid_m / contact_secs } else { 0.0 },
        contact_secs,
        fastest_cm_per_sec: fastest.map_or(0.0, |(moved, ..)| 100.0 * moved * rate_hz),
        worst: fastest.map(|(_, role, frame)| Worst { what: role.name().to_owned(), frame }),
        farthest_mm: 1000.0 * f64::from(farthest_m),
        near_floor_cm_per_sec: 100.0 * near_m * rate_hz / all as f64,
    }
}
