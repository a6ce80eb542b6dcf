//! w of section 6.1: positions and velocities of the hands, normalised by the height of the body.

use glam::Vec3;

/// The length of w.
pub(crate) const DIMS: usize = 12;
/// The time by which velocities are multiplied to be comparable with positions, in seconds.
pub(crate) const VELOCITY_SECS: f32 = 0.2;

/// w: positions and velocities of both hands in one frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct HandMotion(pub(crate) [f32; DIMS]);

impl HandMotion {
    /// Makes w from the positions of the hands relative to the shoulders, without heading, and their velocities.
    pub(crate) fn new(positions: [Vec3; 2], velocities: [Vec3; 2], height_m: f32) -> Self {
        let scaled = velocities.map(|velocity| velocity * VELOCITY_SECS);
        let mut w = [0.0; DIMS];
        for (index, vector) in positions.into_iter().chain(scaled).enumerate() {
            w[3 * index..3 * index + 3].copy_from_slice(&(vector / height_m).to_array());
        }
        Self(w)
    }

    /// The hand motion of each frame of a cyclic motion.
    pub(crate) fn of_cycle(hands: &[[Vec3; 2]], secs: f32, height_m: f32) -> Vec<Self> {
        let frames = hands.len();
        let motion = |frame: usize| {
            let (before, after) = (hands[(frame + frames - 1) % frames], hands[(frame + 1) % frames]);
            let velocity = |hand: usize| (after[hand] - before[hand]) / (2.0 * secs);
            Self::new(hands[frame], [velocity(0), velocity(1)], height_m)
        };
        (0..frames).map(motion).collect()
    }

    pub(crate) fn minus(&self, other: &Self) -> [f32; DIMS] {
        std::array::from_fn(|i| self.0[i] - other.0[i])
    }

    /// The speed of the hands in units of w.
    pub(crate) fn speed(&self) -> f32 {
        self.0[DIMS / 2..].iter().map(|v| v * v).sum::<f32>().sqrt()
    }
}

/// Hands that move in circles, for tests.
#[cfg(test)]
pub(crate) fn circle(frames: usize, radius: f32) -> Vec<HandMotion> {
    let hand = |frame: usize| {
        let angle = std::f32::consts::TAU * frame as f32 / frames as f32;
        [
            Vec3::new(0.2, radius * angle.cos(), radius * angle.sin()),
            Vec3::new(-0.2, radius * angle.cos(), 0.0),
        ]
    };
    let hands: Vec<[Vec3; 2]> = (0..frames).map(hand).collect();
    HandMotion::of_cycle(&hands, 2.0 / frames as f32, 1.7)
}
