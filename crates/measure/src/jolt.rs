//! Acceleration and jerk of joints.
//!
//! At a bad join, velocities jump. A jump appears as an acceleration: the change of the velocity of a joint
//! from one frame to the next, divided by the frame time. Captured motion has large accelerations too, when
//! feet hit the floor; so values are compared with a level that examples hardly ever exceed. Jerk, the change
//! of acceleration, is the usual measure of the smoothness of a whole motion.
//!
//! Limits: motions can be compared at the same rate only, because a higher rate shows sharper jumps.

use marey_motion::{Clip, Vec3, WorldPose};
use serde::Serialize;

use crate::Worst;

/// The largest acceleration of any joint per frame, and the jerk.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Jolts {
    /// Per frame, in m/s²: the acceleration of frame f is between the frames before and after it; 0 for the
    /// first and the last.
    #[serde(skip)]
    pub by_frame_mps2: Vec<f32>,
    /// The joint with the largest acceleration in each frame.
    #[serde(skip)]
    pub joint_by_frame: Vec<usize>,
    /// The largest of all, in m/s².
    pub largest_mps2: f32,
    /// Its joint and frame.
    pub worst: Option<Worst>,
    /// Root mean square of the jerk of all joints, in m/s³.
    pub jerk_mps3: f64,
}

impl Jolts {
    /// A percentile of the acceleration, in m/s²: the median for 0.5.
    pub fn percentile_mps2(&self, share: f64) -> f32 {
        percentile_mps2(std::slice::from_ref(self), share)
    }

    /// The largest acceleration within some frames, in m/s², and its frame.
    pub fn largest_within(&self, frames: std::ops::Range<usize>) -> Option<(f32, usize)> {
        let frames = frames.start.min(self.by_frame_mps2.len())..frames.end.min(self.by_frame_mps2.len());
        let within = frames.clone().zip(self.by_frame_mps2.get(frames)?).map(|(frame, a)| (*a, frame));
        within.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
    }
}

/// A percentile of the acceleration over several clips, in m/s².
pub fn percentile_mps2(of: &[Jolts], share: f64) -> f32 {
    let mut all: Vec<f32> = of.iter().flat_map(|jolts| jolts.by_frame_mps2.iter().copied()).collect();
    all.sort_unstable_by(f32::total_cmp);
    let rank = (share.clamp(0.0, 1.0) * all.len().saturating_sub(1) as f64).round() as usize;
    all.get(rank).copied().unwrap_or(0.0)
}

/// Measures the accelerations of the joints of a clip.
///
/// ```
/// use std::sync::Arc;
/// use marey_motion::{Clip, ClipParts, Joint, Quat, Skeleton, Vec3};
/// // A point that stands, and from frame 3 on goes 2 m/s, at 10 Hz: a jump of 2 m/s in a tenth of a second.
/// let skeleton = Arc::new(Skeleton::new(vec![Joint::new("point", None, Vec3::ZERO)], vec![])?);
/// let positions = (0..8).map(|f: i32| Vec3::X * 0.2 * (f - 3).max(0) as f32).collect();
/// let clip = Clip::new(skeleton, 10.0, ClipParts { rotations: vec![Quat::IDENTITY; 8], positions })?;
/// let jolts = marey_measure::jolt::jolts(&clip);
/// assert!((jolts.largest_mps2 - 20.0).abs() < 1e-3);
/// assert_eq!(jolts.worst.as_ref().unwrap().frame, 3);
/// assert_eq!(jolts.percentile_mps2(0.5), 0.0);
/// # Ok::<(), marey_motion::MotionError>(())
/// ```
pub fn jolts(clip: &Clip) -> Jolts {
    let rate = clip.rate_hz() as f32;
    let mut world = WorldPose::scratch(clip.skeleton());
    // The last three frames, newest last; empty at first.
    let mut before: [Vec<Vec3>; 3] = Default::default();
    let (mut by_frame_mps2, mut joint_by_frame) = (vec![0.0; clip.frames()], vec![0; clip.frames()]);
    let mut worst: Option<(f32, usize, usize)> = None;
    let (mut jerk, mut count) = (0.0f64, 0usize);
    for (frame, pose) in clip.poses().enumerate() {
        world.set(pose);
        let [earliest, earlier, last] = &before;
        let tracks = earlier.iter().zip(last).zip(&world.positions).enumerate();
        for (joint, ((&p0, &p1), &p2)) in tracks {
            let acceleration = ((p2 - p1) - (p1 - p0)) * rate * rate;
            let size = acceleration.length();
            if size > by_frame_mps2[frame - 1] {
                (by_frame_mps2[frame - 1], joint_by_frame[frame - 1]) = (size, joint);
            }
            if worst.is_none_or(|(most, ..)| size > most) {
                worst = Some((size, joint, frame - 1));
            }
            if let Some(&first) = earliest.get(joint) {
                let before = ((p1 - p0) - (p0 - first)) * rate * rate;
                jerk += f64::from(((acceleration - before) * rate).length_squared());
                count += 1;
            }
        }
        before.rotate_left(1);
        before[2].clone_from(&world.positions);
    }
    let named = |(_, joint, frame): (f32, usize, usize)| Worst {
        what: clip.skeleton().joints()[joint].name.clone(),
        frame,
    };
    Jolts {
        by_frame_mps2,
        joint_by_frame,
        largest_mps2: worst.map_or(0.0, |(size, ..)| size),
        worst: worst.map(named),
        jerk_mps3: (jerk / count.max(1) as f64).sqrt(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use marey_motion::{ClipParts, Joint, Quat, Skeleton};

    use super::*;

    #[test]
    fn jerk_of_a_cubic_is_exact() {
        // x = t³: the jerk is 6 m/s³ everywhere, and third differences are exact.
        let skeleton = Arc::new(Skeleton::new(vec![Joint::new("p", None, Vec3::ZERO)], vec![]).unwrap());
        let positions = (0..20).map(|f| Vec3::X * (f as f32 / 10.0).powi(3)).collect();
        let parts = ClipParts { rotations: vec![Quat::IDENTITY; 20], positions };
        let found = jolts(&Clip::new(skeleton, 10.0, parts).unwrap());
        assert!((found.jerk_mps3 - 6.0).abs() < 0.01, "{}", found.jerk_mps3);
        // Acceleration 6 t: at frame 18, 10.8.
        assert!((found.largest_mps2 - 10.8).abs() < 0.01);
        assert_eq!(found.largest_within(0..6).unwrap().1, 5);
        assert_eq!(found.largest_within(40..50), None);
    }

    #[test]
    fn short_clips_have_no_jolts() {
        let skeleton = Arc::new(Skeleton::new(vec![Joint::new("p", None, Vec3::ZERO)], vec![]).unwrap());
        let parts = ClipParts { rotations: vec![Quat::IDENTITY; 2], positions: vec![Vec3::ZERO, Vec3::X] };
        let found = jolts(&Clip::new(skeleton, 10.0, parts).unwrap());
        assert_eq!((found.largest_mps2, found.jerk_mps3, found.worst), (0.0, 0.0, None));
    }
}
