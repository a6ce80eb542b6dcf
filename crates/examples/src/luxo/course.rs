//! Random ground: level stretches, slopes, steps and gaps.

use marey_motion::{Terrain, Vec2};
use rand::{Rng, RngExt};

use super::LuxoSettings;
use crate::Result;

/// Length of level ground before and after the start, and at the end, in metres.
const RUN_UP_M: f32 = 0.5;
/// Distance from the goal to the end of the ground, in metres.
pub(super) const RUN_OUT_M: f32 = 0.9;
/// Height beyond which the ground tends back to zero, in metres.
const HIGH_M: f32 = 0.25;

/// Generates ground from before 0 to beyond the goal.
pub(super) fn draw(settings: &LuxoSettings, rng: &mut impl Rng) -> Result<Terrain> {
    let mut course = Course { pieces: vec![vec![Vec2::new(-RUN_UP_M, 0.0)]], at: Vec2::ZERO };
    course.go(RUN_UP_M, 0.0);
    let rough = settings.roughness;
    while course.at.x < settings.length_m {
        // Up if the ground is low, down if it is high, otherwise random.
        let down = 0.5 + 0.5 * (course.at.y / HIGH_M).clamp(-1.0, 1.0);
        let sign = if rng.random::<f32>() < down { -1.0 } else { 1.0 };
        match rng.random_range(0..10) {
            0..2 => {}
            2..5 => {
                let length = rng.random_range(0.3..0.8);
                course.go(length, sign * rough * rng.random_range(0.05..0.25) * length);
            }
            5..8 => course.step(sign * rough * rng.random_range(0.02..0.10)),
            _ if settings.gaps => course.jump(0.05 + rough * rng.random_range(0.0..0.15)),
            _ => {}
        }
        course.go(rng.random_range(0.3..0.6), 0.0);
    }
    let rest = (settings.length_m + RUN_OUT_M - course.at.x).max(RUN_OUT_M);
    course.go(rest, 0.0);
    Ok(Terrain::new(course.pieces)?)
}

/// Ground under construction: its pieces, and the current end.
struct Course {
    pieces: Vec<Vec<Vec2>>,
    at: Vec2,
}

impl Course {
    fn point(&mut self) {
        if let Some(piece) = self.pieces.last_mut() {
            piece.push(self.at);
        }
    }

    /// Adds a slope.
    fn go(&mut self, length_m: f32, up_m: f32) {
        self.at += Vec2::new(length_m, up_m);
        self.point();
    }

    fn step(&mut self, up_m: f32) {
        self.at.y += up_m;
        self.point();
    }

    /// Adds a gap.
    fn jump(&mut self, width_m: f32) {
        self.at.x += width_m;
        self.pieces.push(vec![self.at]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wander::stream;

    #[test]
    fn ground_has_all_features_and_reaches_the_goal() {
        let (mut gaps, mut steps, mut slopes) = (0, 0, 0);
        for seed in 0..20 {
            let settings = LuxoSettings { seed, ..LuxoSettings::default() };
            let terrain = draw(&settings, &mut stream(seed, 0)).unwrap();
            assert!(terrain.start_m() <= -RUN_UP_M && terrain.end_m() >= settings.length_m + RUN_OUT_M);
            assert_eq!(terrain.height_at(0.0), Some(0.0));
            assert!(terrain.gaps().all(|gap| gap.end - gap.start < 0.2));
            gaps += terrain.gaps().count();
            let corners = terrain.pieces().iter().flat_map(|piece| piece.windows(2));
            for two in corners {
                steps += usize::from(two[0].x == two[1].x);
                slopes += usize::from(two[0].x < two[1].x && two[0].y != two[1].y);
            }
            let level = draw(&LuxoSettings { roughness: 0.0, gaps: false, ..settings }, &mut stream(seed, 0))
                .unwrap();
            assert!(level.pieces().iter().flatten().all(|point| point.y == 0.0));
        }
        assert!(gaps > 5 && steps > 20 && slopes > 20, "{gaps} {steps} {slopes}");
    }
}
