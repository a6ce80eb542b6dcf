//! How far feet slide during known contacts.
//!
//! A part of a sole that stands should not move along the floor (Kovar, Schreiner and Gleicher, *Footskate
//! Cleanup for Motion Capture Editing*, 2002). The path length of each part of the sole during its contacts
//! is summed and divided by the contact time.
//!
//! This measures how well known contacts are kept. It does not judge a motion: contacts that the motion was
//! made with leave out the feet that were let go, and detected contacts leave out the feet that slide fast.
//! Use [`feet`](mod@crate::feet) for that.

use marey_motion::{Clip, Contacts};
use marey_ops::sole::SolePoint;

/// The slide of feet during contacts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactSlide {
    /// Path length of the parts of soles while they stand, in centimetres per second of contact; 0 without
    /// contacts.
    pub cm_per_sec: f64,
    /// Total contact time of all parts of soles, in seconds.
    pub contact_secs: f64,
    /// The largest distance of a part from where it came to stand, in millimetres.
    pub farthest_mm: f64,
}

/// Measures how far the feet of a clip slide during contacts.
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
/// let slide = marey_measure::contact_slide::contact_slide(&clip, &contacts);
/// // 5 cm in a second.
/// assert!((slide.cm_per_sec - 5.0).abs() < 1e-3 && (slide.contact_secs - 1.0).abs() < 1e-3);
/// assert!((slide.farthest_mm - 50.0).abs() < 1e-3);
/// # Ok::<(), marey_motion::MotionError>(())
/// ```
pub fn contact_slide(clip: &Clip, contacts: &Contacts) -> ContactSlide {
    let points = SolePoint::all(clip.skeleton());
    let paths = SolePoint::paths(&points, clip);
    let (mut slid_m, mut farthest_m) = (0.0, 0f32);
    let mut intervals = 0;
    for (point, path) in points.iter().zip(&paths) {
        for frames in contacts.of(point.part.role(point.side)) {
            let stood = path.get(frames.clone()).unwrap_or_default();
            let Some(first) = stood.first() else { continue };
            let from = stood.iter().map(|place| place.distance(*first));
            farthest_m = from.fold(farthest_m, f32::max);
            for [from, to] in stood.array_windows() {
                slid_m += f64::from((to - from).with_y(0.0).length());
                intervals += 1;
            }
        }
    }
    let contact_secs = f64::from(intervals) / clip.rate_hz();
    ContactSlide {
        cm_per_sec: if intervals > 0 { 100.0 * slid_m / contact_secs } else { 0.0 },
        contact_secs,
        farthest_mm: 1000.0 * f64::from(farthest_m),
    }
}
