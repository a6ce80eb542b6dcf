//! Feet, without contacts and without thresholds of contact.
//!
//! Contacts that a motion was made with leave out the feet that were let go, and contacts that are detected
//! leave out the feet that slide fast. So these figures use every frame of every foot joint:
//!
//! - *skate*: speed times 2 − 2^(h/H) for heights h below H, the mean over frames and joints (Zhang, Starke,
//!   Komura and Saito, *Mode-Adaptive Neural Networks for Quadruped Motion Control*, 2018, section 8.2);
//! - *slip*: the speed of the slowest foot joint, the mean over frames. Someone who walks always stands on
//!   something;
//! - *standing*: the share of frames in which a foot joint is low and slow;
//! - *sink*: how far toes go below where they usually stand;
//! - *swing*: the part of the skate that comes from feet that swing low over the floor, as captured ones do.
//!
//! Heights are relative to the level on which each joint rests, its 2nd percentile. Captured feet slide and
//! sink too: compare these figures with those of the sources.
//!
//! Limits. Slip means nothing while nobody stands, as in a jump.

use marey_motion::{Clip, Role, Vec3, WorldPose};
use serde::{Deserialize, Serialize};

/// H, in metres: higher joints are in the air.
const NEAR_M: f32 = 0.025;
/// Slower joints that are near the floor stand, in metres per second.
const STANDS_MPS: f32 = 0.1;
/// A foot swings if all its joints are faster, in metres per second: one that stands turns about a joint that is
/// slow, and one that slides by mistake is slower.
const SWINGS_MPS: f32 = 0.3;
/// The percentile of the heights of a joint that is its floor.
const FLOOR_SHARE: f64 = 0.02;
/// The percentile of the heights of toes that counts as their lowest.
const LOWEST_SHARE: f64 = 0.005;

const FOOT_ROLES: [Role; 4] = [Role::LeftFoot, Role::LeftToes, Role::RightFoot, Role::RightToes];

/// Figures about the feet of a clip.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct FootFigures {
    /// Speed near the floor, in centimetres per second.
    pub skate_cm_per_sec: f64,
    /// Speed of the slowest foot joint, in centimetres per second.
    pub slip_cm_per_sec: f64,
    /// The share of frames in which a foot stands, in percent.
    pub standing_pct: f64,
    /// Depth of the lowest toes below their floor, in centimetres.
    pub sink_cm: f64,
    /// The part of the skate of feet that swing, in centimetres per second.
    pub swing_cm_per_sec: f64,
}

impl FootFigures {
    /// The median of each figure; `None` without any.
    pub fn median(of: &[Self]) -> Option<Self> {
        let middle = |figure: fn(&Self) -> f64| {
            let mut values: Vec<f64> = of.iter().map(figure).collect();
            percentile(&mut values, 0.5)
        };
        Some(Self {
            skate_cm_per_sec: middle(|figures| figures.skate_cm_per_sec)?,
            slip_cm_per_sec: middle(|figures| figures.slip_cm_per_sec)?,
            standing_pct: middle(|figures| figures.standing_pct)?,
            sink_cm: middle(|figures| figures.sink_cm)?,
            swing_cm_per_sec: middle(|figures| figures.swing_cm_per_sec)?,
        })
    }
}

/// Measures the feet of a clip; `None` without two frames, or without joints that have the role of a foot.
///
/// ```
/// use std::sync::Arc;
/// use marey_motion::{Clip, ClipParts, Joint, Quat, Role, Skeleton, Vec3};
/// // A foot that stands for half a second and then slides at 20 cm/s, at 10 Hz.
/// let joints = vec![
///     Joint::new("hip", None, Vec3::Y),
///     Joint::new("ankle", Some(0), Vec3::NEG_Y).with_role(Role::LeftFoot),
/// ];
/// let skeleton = Arc::new(Skeleton::new(joints, vec![])?);
/// let positions = (0..11).map(|f: i32| Vec3::new(0.0, 1.0, 0.02 * (f - 5).max(0) as f32)).collect();
/// let clip = Clip::new(skeleton, 10.0, ClipParts { rotations: vec![Quat::IDENTITY; 22], positions })?;
/// let feet = marey_measure::feet::feet(&clip).unwrap();
/// assert!((feet.skate_cm_per_sec - 10.0).abs() < 1e-3 && (feet.slip_cm_per_sec - 10.0).abs() < 1e-3);
/// assert_eq!((feet.standing_pct, feet.sink_cm, feet.swing_cm_per_sec), (50.0, 0.0, 0.0));
/// # Ok::<(), marey_motion::MotionError>(())
/// ```
pub fn feet(clip: &Clip) -> Option<FootFigures> {
    let joints: Vec<(Role, usize)> =
        FOOT_ROLES.into_iter().filter_map(|role| Some((role, clip.skeleton().joint_of(role)?))).collect();
    if joints.is_empty() || clip.frames() < 2 {
        return None;
    }
    let mut paths: Vec<Vec<Vec3>> = vec![Vec::with_capacity(clip.frames()); joints.len()];
    let mut world = WorldPose::scratch(clip.skeleton());
    for pose in clip.poses() {
        world.set(pose);
        for (path, (_, joint)) in paths.iter_mut().zip(&joints) {
            path.push(*world.positions.get(*joint)?);
        }
    }
    let heights = |path: &[Vec3]| -> Vec<f64> { path.iter().map(|place| f64::from(place.y)).collect() };
    let floors =
        paths.iter().map(|path| percentile(&mut heights(path), FLOOR_SHARE)).collect::<Option<Vec<f64>>>()?;
    let steps = clip.frames() - 1;
    let (mut skate, mut swing, mut slip, mut standing) = (0.0, 0.0, 0.0, 0usize);
    for frame in 1..=steps {
        // The slowest joint of each foot, and how much the foot skates.
        let mut of_feet = [(f32::INFINITY, 0.0); 2];
        let mut stands = false;
        for ((path, floor), (role, _)) in paths.iter().zip(&floors).zip(&joints) {
            let [before, place] = path.get(frame - 1..=frame)? else { return None };
            let speed = (place - before).with_y(0.0).length() * clip.rate_hz() as f32;
            let height = place.y - *floor as f32;
            let [left, right] = &mut of_feet;
            let (slowest, skate) = if is_right(*role) { right } else { left };
            *skate += f64::from(speed * (2.0 - (height / NEAR_M).exp2()).clamp(0.0, 1.0));
            *slowest = slowest.min(speed);
            stands |= height < NEAR_M && speed < STANDS_MPS;
        }
        let [(left, _), (right, _)] = of_feet;
        slip += f64::from(left.min(right));
        skate += of_feet.iter().map(|(_, skate)| skate).sum::<f64>();
        let swinging = of_feet.iter().filter(|(slowest, _)| *slowest > SWINGS_MPS);
        swing += swinging.map(|(_, skate)| skate).sum::<f64>();
        standing += usize::from(stands);
    }
    let is_toe = |role: Role| matches!(role, Role::LeftToes | Role::RightToes);
    let has_toes = joints.iter().any(|(role, _)| is_toe(*role));
    let toes =
        || joints.iter().zip(&floors).zip(&paths).filter(|((joint, _), _)| !has_toes || is_toe(joint.0));
    let floor_m = percentile(&mut toes().map(|((_, floor), _)| *floor).collect::<Vec<_>>(), 0.5)?;
    let mut all: Vec<f64> = toes().flat_map(|(_, path)| heights(path)).collect();
    let lowest_m = percentile(&mut all, LOWEST_SHARE)?;
    Some(FootFigures {
        skate_cm_per_sec: 100.0 * skate / (steps * joints.len()) as f64,
        slip_cm_per_sec: 100.0 * slip / steps as f64,
        standing_pct: 100.0 * standing as f64 / steps as f64,
        sink_cm: 100.0 * (floor_m - lowest_m).max(0.0),
        swing_cm_per_sec: 100.0 * swing / (steps * joints.len()) as f64,
    })
}

fn is_right(role: Role) -> bool {
    matches!(role, Role::RightFoot | Role::RightToes)
}

/// A percentile, interpolated linearly between neighbours; `None` without values.
pub(crate) fn percentile(values: &mut [f64], share: f64) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let place = share * values.len().checked_sub(1)? as f64;
    let (low, high) = (values.get(place.floor() as usize)?, values.get(place.ceil() as usize)?);
    Some(low + (high - low) * place.fract())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_interpolated() {
        assert_eq!(percentile(&mut [3.0, 1.0, 2.0], 0.5), Some(2.0));
        assert_eq!(percentile(&mut [3.0, 1.0], 0.25), Some(1.5));
        assert_eq!(percentile(&mut [], 0.5), None);
    }

    #[test]
    fn low_swings_are_a_part_of_the_skate() {
        use marey_examples::walk::{WalkSettings, walk};
        let made = walk(&WalkSettings::default()).unwrap();
        let of_walk = feet(made.take.first()).unwrap();
        assert!(of_walk.swing_cm_per_sec > 0.0);
        assert!(of_walk.swing_cm_per_sec < of_walk.skate_cm_per_sec);
    }

    #[test]
    fn clips_without_feet_have_no_figures() {
        use std::sync::Arc;

        use marey_motion::{ClipParts, Joint, Quat, Skeleton};
        let skeleton = Arc::new(Skeleton::new(vec![Joint::new("p", None, Vec3::ZERO)], vec![]).unwrap());
        let parts = ClipParts { rotations: vec![Quat::IDENTITY; 2], positions: vec![Vec3::ZERO; 2] };
        assert_eq!(feet(&Clip::new(skeleton, 10.0, parts).unwrap()), None);
    }
}
