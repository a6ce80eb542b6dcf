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
const RETURN_HEIGHT_M: f32 = 0.25;

/// Generates ground from before 0 to beyond the goal.
pub(super) fn random_terrain(settings: &LuxoSettings, rng: &mut impl Rng) -> Result<Terrain> {
    let mut course = Course { pieces: vec![vec![Vec2::new(-RUN_UP_M, 0.0)]], end: Vec2::ZERO };
    course.add_slope(RUN_UP_M, 0.0);
    let rough = settings.roughness;
    while course.end.x < settings.length_m {
        // Up if the ground is low, down if it is high, otherwise random.
        let down = 0.5 + 0.5 * (course.end.y / RETURN_HEIGHT_M).clamp(-1.0, 1.0);
        let sign = if rng.random::<f32>() < down { -1.0 } else { 1.0 };
        match rng.random_range(0..10) {
            0..2 => {}
            2..5 => {
                let length = rng.random_range(0.3..0.8);
                course.add_slope(length, sign * rough * rng.random_range(0.05..0.25) * length);
            }
            5..8 => course.add_step(sign * rough * rng.random_range(0.02..0.10)),
            _ if settings.gaps => course.add_gap(0.05 + rough * rng.random_range(0.0..0.15)),
            _ => {}
        }
        course.add_slope(rng.random_range(0.3..0.6), 0.0);
    }
    let rest = (settings.length_m + RUN_OUT_M - course.end.x).max(RUN_OUT_M);
    course.add_slope(rest, 0.0);
    Ok(Terrain::new(course.pieces)?)
}

/// Ground under construction: its pieces, and the current end.
struct Course {
    pieces: Vec<Vec<Vec2>>,
    end: Vec2,
}

impl Course {
    fn push_end(&mut self) {
        if let Some(piece) = self.pieces.last_mut() {
            piece.push(self.end);
        }
    }

    fn add_slope(&mut self, length_m: f32, up_m: f32) {
        self.end += Vec2::new(length_m, up_m);
        self.push_end();
    }

    fn add_step(&mut self, up_m: f32) {
        self.end.y += up_m;
        self.push_end();
    }

    fn add_gap(&mut self, width_m: f32) {
        self.end.x += width_m;
        self.pieces.push(vec![self.end]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::rng_stream;

    #[test]
    fn ground_has_all_features_and_reaches_the_goal() {
        let (mut gaps, mut steps, mut slopes) = (0, 0, 0);
        for seed in 0..20 {
            let settings = LuxoSettings { seed, ..LuxoSettings::default() };
            let terrain = random_terrain(&settings, &mut rng_stream(seed, 0)).unwrap();
            assert!(terrain.start_m() <= -RUN_UP_M && terrain.end_m() >= settings.length_m + RUN_OUT_M);
            assert_eq!(terrain.height_at(0.0), Some(0.0));
            assert!(terrain.gaps().all(|gap| gap.end - gap.start < 0.2));
            gaps += terrain.gaps().count();
            let corners = terrain.pieces().iter().flat_map(|piece| piece.windows(2));
            for pair in corners {
                steps += usize::from(pair[0].x == pair[1].x);
                slopes += usize::from(pair[0].x < pair[1].x && pair[0].y != pair[1].y);
            }
            let level = random_terrain(
                &LuxoSettings { roughness: 0.0, gaps: false, ..settings },
                &mut rng_stream(seed, 0),
            )
            .unwrap();
            assert!(level.pieces().iter().flatten().all(|push_end| push_end.y == 0.0));
        }
        assert!(gaps > 5 && steps > 20 && slopes > 20, "{gaps} {steps} {slopes}");
    }
}
