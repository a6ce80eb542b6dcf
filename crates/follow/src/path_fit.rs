//! A path that asks for more than the examples can do, rounded and slowed until it does not.
//!
//! First the line is smoothed in space, by no more than needed and at most half a metre, so that corners become bends. Where
//! the path is still too fast or too sharp, time is stretched: each frame lasts longer by the factor by which its demand
//! exceeds the examples, and the frames around it by less.

use marey_motion::{Place, PointClip, Report, Vec3};

use crate::example_pace::{PathDemand, TOLERANCE};
use crate::path_control::{gaussian_smooth, smooth_positions};
use crate::{ExamplePace, PathControlSettings, Result, codes, control_from_path};

/// Standard deviations that rounding tries, in metres.
const ROUNDINGS_M: [f64; 6] = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5];
/// The slowest that a frame may become.
const MAX_SLOWING: f64 = 6.0;
/// Standard deviation over which slowing fades in and out, in seconds.
const FADE_SECS: f64 = 0.25;

/// What of a path may be changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathFit {
    /// Its times only: the line stays as it is.
    Slow,
    /// Its line first, then its times.
    RoundAndSlow,
}

impl ExamplePace {
    /// The path, a clip of one point, changed so that the examples can follow it. What was changed is reported.
    pub fn fit(&self, path: &PointClip, fit: PathFit, report: &mut Report) -> Result<PointClip> {
        let mut line = path.flat().to_vec();
        let mut rounded_m = 0.0;
        if fit == PathFit::RoundAndSlow {
            for smooth_m in ROUNDINGS_M {
                let settings = PathControlSettings { smooth_m, ..PathControlSettings::default() };
                line = smooth_positions(path.flat(), path.rate_hz(), &settings);
                rounded_m = smooth_m;
                let demands = demands(&line, path)?;
                if demands.iter().all(|at| at.turn_rad_per_sec <= TOLERANCE * self.max_turn_rad_per_sec) {
                    break;
                }
            }
        }
        let demands = demands(&line, path)?;
        let slowing = |at: &PathDemand| {
            let share = (at.speed_mps / self.max_mps).max(at.turn_rad_per_sec / self.max_turn_rad_per_sec);
            if share > TOLERANCE { share.min(MAX_SLOWING) } else { 1.0 }
        };
        let slowing: Vec<f64> = demands.iter().map(slowing).collect();
        let is_slowed = slowing.iter().any(|factor| *factor > 1.0);
        if rounded_m > 0.0 || is_slowed {
            let line = if is_slowed { retimed(&line, &slowing, path.rate_hz()) } else { line };
            let secs = (line.len() as f64 / path.rate_hz(), path.duration_secs());
            let message = format!("rounded by {rounded_m} m; {:.1} s instead of {:.1} s", secs.0, secs.1);
            report.warn(&codes::PATH_FITTED, Place::default(), message);
            return Ok(PointClip::new(
                path.labels().to_vec(),
                path.rate_hz(),
                line.into_iter().map(Some).collect(),
            )?);
        }
        Ok(path.clone())
    }
}

fn demands(line: &[Vec3], path: &PointClip) -> Result<Vec<PathDemand>> {
    let line = line.iter().copied().map(Some).collect();
    let line = PointClip::new(path.labels().to_vec(), path.rate_hz(), line)?;
    Ok(PathDemand::of(&control_from_path(&line, &PathControlSettings::default())?))
}

/// The line with each frame longer by its factor.
fn retimed(line: &[Vec3], factors: &[f64], rate_hz: f64) -> Vec<Vec3> {
    // The largest factor nearby, then smoothed, so that the frame itself gets its own.
    let reach = (FADE_SECS * rate_hz).ceil() as usize;
    let nearby = |frame: usize| {
        let range = frame.saturating_sub(reach)..(frame + reach + 1).min(factors.len());
        factors[range].iter().copied().fold(1.0, f64::max)
    };
    let largest: Vec<f64> = (0..factors.len()).map(nearby).collect();
    let factors = gaussian_smooth(&largest, 0.5 * FADE_SECS * rate_hz);
    // The new time of each frame, in frames.
    let mut times = vec![0.0];
    for pair in factors.windows(2) {
        times.push(times[times.len() - 1] + 0.5 * (pair[0] + pair[1]).max(1.0));
    }
    let last = times[times.len() - 1];
    let mut frame = 0;
    (0..=last.round() as usize)
        .map(|at| {
            let at = (at as f64).min(last);
            while frame + 2 < times.len() && times[frame + 1] < at {
                frame += 1;
            }
            let next = (frame + 1).min(line.len() - 1);
            let length = (times[next] - times[frame]).max(1e-9);
            line[frame].lerp(line[next], ((at - times[frame]) / length).clamp(0.0, 1.0) as f32)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACE: ExamplePace = ExamplePace { usual_mps: 1.2, max_mps: 1.5, max_turn_rad_per_sec: 1.5 };

    /// Straight ahead, then sharply to the left.
    fn corner(speed: f32) -> PointClip {
        let at = |frame: usize| {
            let along = speed * frame as f32 / 30.0;
            if along < 4.0 { Vec3::Z * along } else { Vec3::new(along - 4.0, 0.0, 4.0) }
        };
        let frames = (8.0 / speed * 30.0) as usize;
        PointClip::new(vec!["path".into()], 30.0, (0..frames).map(|f| Some(at(f))).collect()).unwrap()
    }

    fn largest(path: &PointClip) -> (f64, f64) {
        let of = demands(path.flat(), path).unwrap();
        let most = |value: fn(&PathDemand) -> f64| of.iter().map(value).fold(0.0, f64::max);
        (most(|at| at.speed_mps), most(|at| at.turn_rad_per_sec))
    }

    #[test]
    fn a_path_within_reach_is_kept_to_the_bit() {
        let straight = PointClip::new(
            vec!["path".into()],
            30.0,
            (0..60).map(|f| Some(Vec3::Z * (0.04 * f as f32))).collect(),
        )
        .unwrap();
        let mut report = Report::default();
        for fit in [PathFit::Slow, PathFit::RoundAndSlow] {
            assert_eq!(PACE.fit(&straight, fit, &mut report).unwrap(), straight);
        }
        assert!(report.is_empty());
    }

    #[test]
    fn fast_paths_are_slowed_and_sharp_ones_rounded() {
        let path = corner(3.0);
        assert!(largest(&path).0 > PACE.max_mps && largest(&path).1 > PACE.max_turn_rad_per_sec);
        let mut report = Report::default();
        let slowed = PACE.fit(&path, PathFit::Slow, &mut report).unwrap();
        assert_eq!(report.codes(), ["follow/path-fitted"]);
        let after = largest(&slowed);
        assert!(after.0 < 1.1 * PACE.max_mps, "{after:?}");
        // The line is the same: every point lies on one of its two legs.
        let off = |p: &Vec3| p.x.abs().min((p.z - 4.0).abs());
        assert!(slowed.flat().iter().all(|p| off(p) < 1e-3));
        let rounded = PACE.fit(&corner(1.2), PathFit::RoundAndSlow, &mut report).unwrap();
        assert!(rounded.flat().iter().any(|p| off(p) > 0.05));
        assert!(largest(&rounded).1 < 1.15 * PACE.max_turn_rad_per_sec, "{:?}", largest(&rounded));
    }
}
