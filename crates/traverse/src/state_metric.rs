//! The state of a character as a row of numbers whose squared distance is d_state.
//!
//! Lamouret and van de Panne (1996), section 3.2. By mass (figure 5),
//!
//! ```text
//! d_state = Σ_m M_m |p_m − p*_m|²
//! ```
//!
//! so a row holds √M_m p_m, relative to the sole and the direction of travel. The paper ignores velocities. Here the row
//! also holds √M_m τ v_m, the displacement of each mass by its velocity in the time τ.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | M_m | mass, as a fraction of the total mass | 1 |
//! | p_m | its position relative to the sole | m |
//! | v_m | its velocity | m/s |
//! | τ | `velocity_secs` | s |
//!
//! The raw state metric is the L² norm on a state vector, which the paper advises against. It is kept for comparison: the
//! root's height and every rotation as a quaternion, all with weight 1.

use marey_body::FigureMasses;
use marey_motion::{Clip, Ground, Vec3, WorldPose};

use crate::primitive::Stance;
use crate::{StateMetric, TraverseSettings};

/// Computes the state rows of one character.
#[derive(Debug, Clone)]
pub(crate) struct StateReader {
    masses: FigureMasses,
    /// √M_m.
    sqrt_fractions: Vec<f32>,
    metric: StateMetric,
    velocity_secs: f32,
}

impl StateReader {
    pub(crate) fn new(skeleton: &marey_motion::Skeleton, settings: &TraverseSettings) -> Self {
        let masses = FigureMasses::of(skeleton);
        let sqrt_fractions = masses.mass_fractions().into_iter().map(f32::sqrt).collect();
        Self { masses, sqrt_fractions, metric: settings.metric, velocity_secs: settings.velocity_secs }
    }

    /// The row of a frame, relative to a stance.
    pub(crate) fn row(&self, clip: &Clip, frame: usize, from: &Stance) -> Vec<f32> {
        let (before, after) = (frame.saturating_sub(1), (frame + 1).min(clip.frames() - 1));
        let secs = (after - before).max(1) as f32 / clip.rate_hz() as f32;
        let [before, current, after] = [before, frame, after].map(|frame| self.positions(clip, frame, from));
        let scale = self.velocity_secs / secs;
        let velocities = before.iter().zip(&after).map(|(before, after)| scale * (after - before));
        let has_velocities = self.velocity_secs > 0.0;
        current.iter().copied().chain(velocities.take_while(|_| has_velocities)).collect()
    }

    /// The row of a frame without velocities.
    fn positions(&self, clip: &Clip, frame: usize, from: &Stance) -> Vec<f32> {
        let from_world = from.heading.inverse();
        let pose = clip.pose(frame);
        match self.metric {
            StateMetric::Mass => {
                let positions = self.masses.positions(&WorldPose::of(clip.skeleton(), pose));
                let relative = |position: Vec3| from_world.point(position) - Vec3::Y * from.position.y;
                positions
                    .into_iter()
                    .zip(&self.sqrt_fractions)
                    .flat_map(|(position, sqrt_fraction)| (*sqrt_fraction * relative(position)).to_array())
                    .collect()
            }
            StateMetric::RawState => {
                let root = Ground::new(0.0, 0.0, from_world.yaw_rad).rotation() * pose.root_rotation();
                let height = pose.root_position().y - from.position.y;
                let rotations = std::iter::once(root).chain(pose.rotations.iter().skip(1).copied());
                // q and −q are the same rotation: use the one with w ≥ 0.
                let canonical =
                    |q: marey_motion::Quat| if q.w < 0.0 { (-q).to_array() } else { q.to_array() };
                std::iter::once(height).chain(rotations.flat_map(canonical)).collect()
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
    use crate::primitive_index::squared_distance;

    /// Two bones that swing and move ahead.
    fn clip() -> Clip {
        let joints = vec![
            Joint::new("root", None, Vec3::ZERO),
            Joint::new("arm", Some(0), Vec3::Y),
            Joint::new("hand", Some(1), Vec3::Y * 2.0),
        ];
        let skeleton = Arc::new(Skeleton::new(joints, vec![]).unwrap());
        let mut parts = ClipParts::default();
        for frame in 0..5 {
            let rotation = Quat::from_rotation_x(0.3 * frame as f32);
            parts.rotations.extend([Quat::IDENTITY, rotation, rotation]);
            parts.positions.push(Vec3::new(0.0, 0.1, 0.5 * frame as f32));
        }
        Clip::new(skeleton, 10.0, parts).unwrap()
    }

    fn stance(position: Vec3) -> Stance {
        Stance { position, slope_rad: 0.0, heading: Ground::new(position.x, position.z, 0.0) }
    }

    #[test]
    fn row_distance_equals_mass_distance() {
        let clip = clip();
        let settings = TraverseSettings { velocity_secs: 0.0, ..TraverseSettings::default() };
        let reader = StateReader::new(clip.skeleton(), &settings);
        let masses = FigureMasses::of(clip.skeleton());
        let positions = |frame: usize, from: Vec3| -> Vec<Vec3> {
            let pose = WorldPose::of(clip.skeleton(), clip.pose(frame));
            masses.positions(&pose).into_iter().map(|position| position - from).collect()
        };
        let (a, b) = (Vec3::ZERO, Vec3::new(0.0, 0.2, 1.5));
        let slow = state_distance(&positions(1, a), &positions(3, b), &masses.mass_fractions()).unwrap();
        let rows = [reader.row(&clip, 1, &stance(a)), reader.row(&clip, 3, &stance(b))];
        assert!((f64::from(squared_distance(&rows[0], &rows[1])) - slow).abs() < 1e-5);
    }

    #[test]
    fn velocities_count_if_requested() {
        let clip = clip();
        let distance = |velocity_secs: f32, metric| {
            let settings = TraverseSettings { velocity_secs, metric, ..TraverseSettings::default() };
            let reader = StateReader::new(clip.skeleton(), &settings);
            let still = Clip::still(clip.skeleton().clone(), 10.0, clip.pose(2).to_owned()).unwrap();
            let from = stance(Vec3::ZERO);
            squared_distance(&reader.row(&clip, 2, &from), &reader.row(&still, 0, &from))
        };
        for metric in [StateMetric::Mass, StateMetric::RawState] {
            assert_eq!(distance(0.0, metric), 0.0);
            assert!(distance(0.1, metric) > 1e-3);
        }
    }
}
