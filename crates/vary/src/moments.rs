//! What a dance is like at the borders of cells: where it can be cut.

use marey_motion::{Clip, Ground, Role, WorldPose};

use crate::{Dance, Result, VaryError};

/// With fewer landmarks, other joints are compared.
const MIN_ROLES: usize = 4;
/// Largest number of joints that are compared if a skeleton has no roles.
const MAX_JOINTS: usize = 16;

/// Number of moments whose nearest others are sought.
const SAMPLED: usize = 64;

/// Velocities count like the way that is travelled in this time, in seconds.
const VELOCITY_SECS: f32 = 0.15;

/// The postures and velocities of all actors at the borders of the cells of a dance: the first frame of each cell, and the end of each
/// phrase.
///
/// Seen from the ground under the first actor, so that the distance between two moments does not depend on where the dancers are.
#[derive(Debug, Clone, PartialEq)]
pub struct DanceMoments {
    /// Numbers per row.
    width: usize,
    /// Rows of metres.
    rows: Vec<f32>,
    /// Number of joints that a row is about.
    joints: usize,
}

impl DanceMoments {
    /// The moments of a dance. `clips` returns the motion of all actors of a take.
    ///
    /// # Errors
    /// If a take has no motion, or less of it than the dance says.
    pub fn of<'a>(
        dance: &Dance,
        frames_per_cell: usize,
        clips: impl Fn(&str) -> Vec<&'a Clip>,
    ) -> Result<Self> {
        let (mut rows, mut joints) = (Vec::new(), 0);
        for phrase in &dance.phrases {
            let clips = clips(&phrase.take);
            let missing = || VaryError::Phrase { problem: format!("{:?} has no motion", phrase.take) };
            if clips.is_empty() || clips.iter().any(|clip| clip.frames() < phrase.span.end) {
                return Err(missing());
            }
            let mut actors: Vec<(Vec<usize>, WorldPose, &Clip)> = clips
                .into_iter()
                .map(|clip| (compared_joints(clip), WorldPose::scratch(clip.skeleton()), clip))
                .collect();
            joints = actors.iter().map(|(joints, ..)| joints.len()).sum();
            let last = phrase.span.end - 1;
            let borders = phrase.span.clone().step_by(frames_per_cell.max(1)).chain([last]);
            for frame in borders {
                let ground = phrase.track.get(frame).copied().unwrap_or_default();
                for (joints, world, clip) in &mut actors {
                    add_row(&mut rows, world, clip, joints, frame, ground);
                }
            }
        }
        Ok(Self { width: 6 * joints, rows, joints: joints.max(1) })
    }

    /// Moments from rows of 6 numbers for each joint.
    #[cfg(test)]
    pub(crate) fn from_rows(joints: usize, rows: Vec<f32>) -> Self {
        Self { width: 6 * joints, rows, joints }
    }

    /// How far a moment usually is from the nearest other one, squared: the median over some moments, without those of the same `near`
    /// borders.
    pub(crate) fn usual_squared_distance(&self, near: usize) -> f32 {
        let count = self.rows.len().checked_div(self.width).unwrap_or_default();
        let nearest = |border: usize| {
            let others = (0..count).filter(|other| other.abs_diff(border) > near);
            others.map(|other| self.squared_distance(border, other)).reduce(f32::min)
        };
        let step = count.div_ceil(SAMPLED).max(1);
        let mut distances: Vec<f32> = (0..count).step_by(step).filter_map(nearest).collect();
        distances.sort_by(f32::total_cmp);
        distances.get(distances.len() / 2).copied().unwrap_or_default()
    }

    /// The mean squared distance of the joints at two borders in square metres, with a share for velocities.
    pub(crate) fn squared_distance(&self, a: usize, b: usize) -> f32 {
        let row = |border: usize| self.rows.get(border * self.width..(border + 1) * self.width);
        let (Some(a), Some(b)) = (row(a), row(b)) else { return f32::INFINITY };
        let sum: f32 = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
        sum / self.joints as f32
    }
}

/// The joints of a clip that are compared.
fn compared_joints(clip: &Clip) -> Vec<usize> {
    let skeleton = clip.skeleton();
    let with_roles: Vec<usize> = Role::LANDMARKS.iter().filter_map(|role| skeleton.joint_of(*role)).collect();
    if with_roles.len() >= MIN_ROLES {
        return with_roles;
    }
    (0..skeleton.len()).step_by(skeleton.len().div_ceil(MAX_JOINTS).max(1)).collect()
}

/// Adds the positions and velocities of joints at a frame.
fn add_row(
    rows: &mut Vec<f32>,
    world: &mut WorldPose,
    clip: &Clip,
    joints: &[usize],
    frame: usize,
    ground: Ground,
) {
    let here_from_world = ground.inverse();
    let half = ((clip.rate_hz() / 30.0).round() as usize).max(1);
    let (before, after) = (frame.saturating_sub(half), (frame + half).min(clip.frames() - 1));
    let secs = ((after - before).max(1) as f64 / clip.rate_hz()) as f32;
    let mut positions_at = |frame: usize| {
        world.set(clip.pose(frame));
        let position = |joint: &usize| world.positions.get(*joint).copied().unwrap_or_default();
        joints.iter().map(position).collect::<Vec<_>>()
    };
    let (before, here, after) = (positions_at(before), positions_at(frame), positions_at(after));
    for position in here {
        rows.extend(here_from_world.point(position).to_array());
    }
    for (before, after) in before.into_iter().zip(after) {
        let velocity = here_from_world.direction(after - before) / secs;
        rows.extend((VELOCITY_SECS * velocity).to_array());
    }
}
