//! How a figure is at an instant, as a row of numbers whose squared distance is d_state.
//!
//! Lamouret and van de Panne (1996), section 3.2. By mass (figure 5),
//!
//! ```text
//! d_state = Σ_m M_m |p_m − p*_m|²
//! ```
//!
//! so a row holds √M_m p_m, from where the figure stands and turned the way it goes. The paper leaves velocities out; here a
//! mass is also where its velocity would carry it in a time: √M_m τ v_m are further numbers of the row.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | M_m | share of a mass in that of the body | 1 |
//! | p_m | where it is, from the sole | m |
//! | v_m | its velocity | m/s |
//! | τ | `velocity_secs` | s |
//!
//! The raw state is the L² norm on a state vector that the paper advises against, kept to be compared with: the root's height, and every
//! rotation as a quaternion, all with weight 1.

use marey_motion::{Clip, Ground, Vec3, WorldPose};

use crate::masses::Body;
use crate::primitive::Stance;
use crate::{Metric, Settings};

/// Reads states of one body.
#[derive(Debug, Clone)]
pub(crate) struct StateReader {
    body: Body,
    roots: Vec<f32>,
    metric: Metric,
    velocity_secs: f32,
}

impl StateReader {
    pub(crate) fn new(skeleton: &marey_motion::Skeleton, settings: &Settings) -> Self {
        let body = Body::of(skeleton);
        let roots = body.shares().into_iter().map(f32::sqrt).collect();
        Self { body, roots, metric: settings.metric, velocity_secs: settings.velocity_secs }
    }

    /// The row of a frame, seen from a stance.
    pub(crate) fn row(&self, clip: &Clip, frame: usize, from: &Stance) -> Vec<f32> {
        let (before, after) = (frame.saturating_sub(1), (frame + 1).min(clip.frames() - 1));
        let secs = (after - before).max(1) as f32 / clip.rate_hz() as f32;
        let [before, here, after] = [before, frame, after].map(|frame| self.numbers(clip, frame, from));
        let scale = self.velocity_secs / secs;
        let velocities = before.iter().zip(&after).map(|(before, after)| scale * (after - before));
        let has_velocities = self.velocity_secs > 0.0;
        here.iter().copied().chain(velocities.take_while(|_| has_velocities)).collect()
    }

    /// What a frame is described by, velocities aside.
    fn numbers(&self, clip: &Clip, frame: usize, from: &Stance) -> Vec<f32> {
        let from_world = from.way.inverse();
        let pose = clip.pose(frame);
        match self.metric {
            Metric::Mass => {
                let places = self.body.places(&WorldPose::of(clip.skeleton(), pose));
                let here = |at: Vec3| from_world.point(at) - Vec3::Y * from.at.y;
                places
                    .into_iter()
                    .zip(&self.roots)
                    .flat_map(|(at, root)| (*root * here(at)).to_array())
                    .collect()
            }
            Metric::RawState => {
                let turned = Ground::new(0.0, 0.0, from_world.yaw_rad).rotation() * pose.root_rotation();
                let height = pose.root_position().y - from.at.y;
                let rotations = std::iter::once(turned).chain(pose.rotations.iter().skip(1).copied());
                // One of the two quaternions of each rotation, or the same turn would be far from itself.
                let one = |q: marey_motion::Quat| if q.w < 0.0 { (-q).to_array() } else { q.to_array() };
                std::iter::once(height).chain(rotations.flat_map(one)).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use marey_motion::{ClipParts, Joint, Quat, Skeleton};
    use marey_ops::state::state_distance;

    use super::*;
    use crate::index::squared_distance;

    /// Two bones that swing and travel.
    fn clip() -> Clip {
        let joints = vec![
            Joint::new("root", None, Vec3::ZERO),
            Joint::new("arm", Some(0), Vec3::Y),
            Joint::new("hand", Some(1), Vec3::Y * 2.0),
        ];
        let skeleton = Arc::new(Skeleton::new(joints, vec![]).unwrap());
        let mut parts = ClipParts::default();
        for frame in 0..5 {
            let turn = Quat::from_rotation_x(0.3 * frame as f32);
            parts.rotations.extend([Quat::IDENTITY, turn, turn]);
            parts.positions.push(Vec3::new(0.0, 0.1, 0.5 * frame as f32));
        }
        Clip::new(skeleton, 10.0, parts).unwrap()
    }

    fn stance(at: Vec3) -> Stance {
        Stance { at, slope_rad: 0.0, way: Ground::new(at.x, at.z, 0.0) }
    }

    #[test]
    fn rows_are_as_far_apart_as_masses_are() {
        let clip = clip();
        let settings = Settings { velocity_secs: 0.0, ..Settings::default() };
        let reader = StateReader::new(clip.skeleton(), &settings);
        let body = Body::of(clip.skeleton());
        let places = |frame: usize, from: Vec3| -> Vec<Vec3> {
            let pose = WorldPose::of(clip.skeleton(), clip.pose(frame));
            body.places(&pose).into_iter().map(|at| at - from).collect()
        };
        let (a, b) = (Vec3::ZERO, Vec3::new(0.0, 0.2, 1.5));
        let slow = state_distance(&places(1, a), &places(3, b), &body.shares()).unwrap();
        let rows = [reader.row(&clip, 1, &stance(a)), reader.row(&clip, 3, &stance(b))];
        assert!((f64::from(squared_distance(&rows[0], &rows[1])) - slow).abs() < 1e-5);
    }

    #[test]
    fn velocities_count_where_they_are_asked_for() {
        let clip = clip();
        let distance = |velocity_secs: f32, metric| {
            let settings = Settings { velocity_secs, metric, ..Settings::default() };
            let reader = StateReader::new(clip.skeleton(), &settings);
            let still = Clip::still(clip.skeleton().clone(), 10.0, clip.pose(2).to_owned()).unwrap();
            let from = stance(Vec3::ZERO);
            squared_distance(&reader.row(&clip, 2, &from), &reader.row(&still, 0, &from))
        };
        for metric in [Metric::Mass, Metric::RawState] {
            assert_eq!(distance(0.0, metric), 0.0);
            assert!(distance(0.1, metric) > 1e-3);
        }
    }
}
