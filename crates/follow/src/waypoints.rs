//! Paths as people write them: a few waypoints, with or without times.
//!
//! A path of many points is followed as it is. Between the points of a sparse path, a curve is assumed: each waypoint is a
//! station with a time and a velocity, and a cubic Hermite curve joins two stations.
//!
//! | at | station |
//! |---|---|
//! | a gentle bend | the point itself; its velocity is the mean of both sides, weighted by time |
//! | a sharp bend | two stations, before and after the point, so that the corner is rounded by what the examples can turn |
//! | a repeated point | a rest: two stations with velocity 0, and slower ones beside them |
//!
//! Waypoints without times are passed at the usual pace of the examples, or at the caller's.

use marey_motion::{Place, PointClip, Report, Vec3};
use marey_ops::OutOfRange;

use crate::mapping::check_points;
use crate::waypoint_curve::{CURVE_RATE_HZ, Stop, curve_through};
use crate::{ExamplePace, FollowError, Result, codes};

/// The points of a path on the floor, and when they are passed.
#[derive(Debug, Clone, PartialEq)]
pub struct Waypoints {
    /// Positions in metres; heights are ignored.
    pub positions: Vec<Vec3>,
    /// When they are passed.
    pub timing: WaypointTiming,
}

/// When the points of a path are passed.
#[derive(Debug, Clone, PartialEq)]
pub enum WaypointTiming {
    /// At a uniform rate, in points per second.
    Rate(f64),
    /// At these times in seconds, which increase; one for each point.
    Times(Vec<f64>),
    /// At these speeds in metres per second; one for each point.
    Speeds(Vec<f64>),
    /// At a pace that is assumed.
    Untimed,
}

/// Points that follow each other within this time are a drawn line, which is followed as it is. Others are waypoints.
const DRAWN_LINE_SECS: f64 = 0.21;
/// How long a path without times rests at a repeated point, in seconds.
const REST_SECS: f64 = 1.0;
/// Points that are nearer to each other are one, in metres.
const SAME_POINT_M: f32 = 1e-3;
/// The lowest speed in metres per second that a path without times may have, and its longest duration in seconds.
const MIN_SPEED_MPS: f64 = 0.05;
const MAX_SECS: f64 = 36_000.0;

impl Waypoints {
    /// The frames of a clip of one point.
    pub fn from_clip(clip: &PointClip) -> Result<Self> {
        if clip.labels().len() != 1 {
            return Err(FollowError::NotAPath { found: clip.labels().len() });
        }
        check_points("the path", clip, 1)?;
        Ok(Self { positions: clip.flat().to_vec(), timing: WaypointTiming::Rate(clip.rate_hz()) })
    }

    /// The path at a uniform rate. `speed_mps` replaces all times and speeds. What was assumed is reported.
    ///
    /// ```
    /// use marey_follow::{ExamplePace, WaypointTiming, Waypoints};
    /// use marey_motion::{Report, Vec3};
    /// let positions = vec![Vec3::ZERO, Vec3::Z * 3.0, Vec3::Z * 6.0];
    /// let path = Waypoints { positions, timing: WaypointTiming::Untimed };
    /// let pace = ExamplePace { usual_mps: 1.5, max_mps: 2.0, max_turn_rad_per_sec: 1.0 };
    /// let mut report = Report::default();
    /// let clip = path.clip(&pace, None, &mut report)?;
    /// assert!((clip.duration_secs() - 4.0).abs() < 0.1);
    /// assert!(report.codes().contains(&"follow/pace-assumed"));
    /// # Ok::<(), marey_follow::FollowError>(())
    /// ```
    pub fn clip(&self, pace: &ExamplePace, speed_mps: Option<f64>, report: &mut Report) -> Result<PointClip> {
        self.check(speed_mps)?;
        if let (WaypointTiming::Rate(rate_hz), None) = (&self.timing, speed_mps)
            && *rate_hz * DRAWN_LINE_SECS >= 1.0
        {
            return path_clip(self.positions.iter().copied(), *rate_hz);
        }
        let (stops, is_timed) = self.stops(pace, speed_mps, report)?;
        let is_sparse = !is_timed
            || stops.windows(2).any(|leg| leg[1].arrival_secs - leg[0].departure_secs > DRAWN_LINE_SECS);
        if is_sparse && stops.len() > 2 {
            let message = format!("{} waypoints", stops.len());
            report.warn(&codes::CURVE_ASSUMED, Place::default(), message);
        }
        let turn = if is_sparse { Some(pace.max_turn_rad_per_sec) } else { None };
        path_clip(curve_through(&stops, turn, is_timed).into_iter(), CURVE_RATE_HZ)
    }

    /// Rejects paths without points, and times, speeds and rates that cannot be followed.
    fn check(&self, speed_mps: Option<f64>) -> Result<()> {
        let refuse = |point: usize, problem: &str| {
            Err(FollowError::BadWaypoint { point, problem: problem.to_owned() })
        };
        if self.positions.len() < 2 {
            return refuse(0, "a path has at least two points");
        }
        if let Some(point) = self.positions.iter().position(|p| !p.is_finite()) {
            return refuse(point, "its position is not finite");
        }
        if let Some(speed_mps) = speed_mps {
            OutOfRange::check("speed_mps", speed_mps, MIN_SPEED_MPS..=100.0)?;
        }
        match &self.timing {
            WaypointTiming::Rate(rate_hz) => OutOfRange::check("rate_hz", *rate_hz, 1e-3..=10_000.0)?,
            WaypointTiming::Times(secs) | WaypointTiming::Speeds(secs)
                if secs.len() != self.positions.len() =>
            {
                return refuse(secs.len().min(self.positions.len()), "it has no time or speed");
            }
            WaypointTiming::Times(secs) => {
                // Written so that it is false for NaN.
                let increases = |pair: &[f64]| pair[0] < pair[1];
                if let Some(point) = secs.windows(2).position(|pair| !increases(pair)) {
                    return refuse(point + 1, "its time does not increase");
                }
            }
            WaypointTiming::Speeds(speeds) => {
                if let Some(point) = speeds.iter().position(|speed| !(0.0..=100.0).contains(speed)) {
                    return refuse(point, "its speed is not 0 to 100 m/s");
                }
            }
            WaypointTiming::Untimed => {}
        }
        Ok(())
    }

    /// The waypoints with their times, and whether the times are the caller's.
    fn stops(
        &self,
        pace: &ExamplePace,
        speed_mps: Option<f64>,
        report: &mut Report,
    ) -> Result<(Vec<Stop>, bool)> {
        let positions = || self.positions.iter().map(|p| Vec3::new(p.x, 0.0, p.z));
        let times: Option<Vec<f64>> = match (&self.timing, speed_mps) {
            (WaypointTiming::Rate(rate_hz), None) => {
                Some((0..self.positions.len()).map(|point| point as f64 / rate_hz).collect())
            }
            (WaypointTiming::Times(secs), None) => {
                Some(secs.iter().map(|at| at - secs.first().copied().unwrap_or(0.0)).collect())
            }
            _ => None,
        };
        let mut stops: Vec<Stop> = Vec::new();
        let mut rests = 0;
        for (point, position) in positions().enumerate() {
            let speed = |point: usize| match (&self.timing, speed_mps) {
                (_, Some(speed)) => speed,
                (WaypointTiming::Speeds(speeds), None) => speeds.get(point).copied().unwrap_or(0.0),
                _ => pace.usual_mps,
            };
            let time = times.as_ref().and_then(|times| times.get(point)).copied();
            match stops.last_mut() {
                Some(last) if last.position.distance(position) < SAME_POINT_M => {
                    rests += 1;
                    last.departure_secs = time.unwrap_or(last.departure_secs + REST_SECS);
                }
                Some(&mut last) => {
                    let mean_mps = (0.5 * (speed(point - 1) + speed(point))).max(MIN_SPEED_MPS);
                    let leg_secs = f64::from(last.position.distance(position)) / mean_mps;
                    let arrival_secs = time.unwrap_or(last.departure_secs + leg_secs);
                    stops.push(Stop { position, arrival_secs, departure_secs: arrival_secs });
                }
                None => stops.push(Stop { position, arrival_secs: 0.0, departure_secs: 0.0 }),
            }
        }
        let secs = stops.last().map_or(0.0, |last| last.departure_secs);
        if secs > MAX_SECS {
            let problem = format!("it is passed after {secs:.0} s, later than {MAX_SECS:.0} s");
            return Err(FollowError::BadWaypoint { point: self.positions.len() - 1, problem });
        }
        let is_timed = times.is_some();
        if !is_timed {
            if speed_mps.is_none() && self.timing == WaypointTiming::Untimed {
                let message = format!("{:.2} m/s, {secs:.1} s", pace.usual_mps);
                report.warn(&codes::PACE_ASSUMED, Place::default(), message);
            }
            let message = format!("{REST_SECS} s each");
            report.warn_many(&codes::REST_ASSUMED, Place::default(), rests, message);
        }
        Ok((stops, is_timed))
    }
}

fn path_clip(positions: impl Iterator<Item = Vec3>, rate_hz: f64) -> Result<PointClip> {
    Ok(PointClip::new(vec!["path".into()], rate_hz, positions.map(Some).collect())?)
}

#[cfg(test)]
mod tests {
    use marey_motion::Coded;
    use proptest::prelude::*;

    use super::*;

    const PACE: ExamplePace = ExamplePace { usual_mps: 1.25, max_mps: 2.0, max_turn_rad_per_sec: 1.5 };

    fn path(points: &[[f32; 2]], timing: WaypointTiming) -> Waypoints {
        Waypoints { positions: points.iter().map(|[x, z]| Vec3::new(*x, 0.0, *z)).collect(), timing }
    }

    fn clip(path: &Waypoints, speed_mps: Option<f64>) -> (PointClip, Report) {
        let mut report = Report::default();
        (path.clip(&PACE, speed_mps, &mut report).unwrap(), report)
    }

    fn speeds(clip: &PointClip) -> Vec<f32> {
        clip.flat().windows(2).map(|two| two[0].distance(two[1]) * clip.rate_hz() as f32).collect()
    }

    #[test]
    fn a_drawn_line_is_kept_as_it_is() {
        let points: Vec<[f32; 2]> = (0..20).map(|i| [0.1 * i as f32, (i % 3) as f32]).collect();
        let drawn = path(&points, WaypointTiming::Rate(10.0));
        let (found, report) = clip(&drawn, None);
        assert_eq!((found.flat(), found.rate_hz(), report.is_empty()), (&drawn.positions[..], 10.0, true));
    }

    #[test]
    fn sparse_points_are_passed_on_time_by_a_smooth_curve() {
        let points = [[0.0, 0.0], [0.0, 2.4], [0.4, 4.8], [1.6, 6.8]];
        let (found, report) = clip(&path(&points, WaypointTiming::Rate(0.5)), None);
        assert_eq!((found.rate_hz(), found.frames()), (60.0, 361));
        for (i, [x, z]) in points.iter().enumerate() {
            assert!(found.frame(i * 120)[0].distance(Vec3::new(*x, 0.0, *z)) < 1e-3);
        }
        assert_eq!(report.codes(), ["follow/curve-assumed"]);
        assert!(speeds(&found).iter().all(|speed| (0.9..1.6).contains(speed)));
    }

    #[test]
    fn without_times_the_usual_pace_is_used_and_corners_are_rounded() {
        let corner = path(&[[0.0, 0.0], [0.0, 4.0], [4.0, 4.0]], WaypointTiming::Untimed);
        let (found, report) = clip(&corner, None);
        assert_eq!(report.codes(), ["follow/pace-assumed", "follow/curve-assumed"]);
        assert!((found.duration_secs() - 6.4).abs() < 0.05);
        // The corner is cut by less than the radius of the turn, and nowhere is the heading changed at once.
        let nearest = found.flat().iter().map(|p| p.distance(Vec3::new(0.0, 0.0, 4.0))).fold(9.0, f32::min);
        assert!((0.05..0.6).contains(&nearest), "{nearest}");
        let headings: Vec<Vec3> =
            found.flat().windows(2).map(|two| (two[1] - two[0]).normalize_or_zero()).collect();
        let sharpest = headings.windows(2).map(|two| two[0].angle_between(two[1])).fold(0.0, f32::max);
        assert!(f64::from(sharpest) * 60.0 < 2.0 * PACE.max_turn_rad_per_sec, "{sharpest}");
        let (faster, report) = clip(&corner, Some(2.0));
        assert!((faster.duration_secs() - 4.0).abs() < 0.05);
        assert_eq!(report.codes(), ["follow/curve-assumed"]);
    }

    #[test]
    fn repeated_points_are_rests() {
        let points = [[0.0, 0.0], [0.0, 3.0], [0.0, 3.0], [0.0, 6.0]];
        let (found, report) = clip(&path(&points, WaypointTiming::Untimed), None);
        assert!(report.codes().contains(&"follow/rest-assumed"));
        let speeds = speeds(&found);
        assert!(speeds.iter().filter(|speed| **speed < 0.01).count() >= 59);
        assert!(speeds.iter().all(|speed| *speed < 1.3), "{:?}", speeds.iter().copied().fold(0.0, f32::max));
        let (timed, _) = clip(&path(&points, WaypointTiming::Times(vec![0.0, 2.0, 5.0, 7.0])), None);
        assert!(timed.frame(150)[0].distance(Vec3::Z * 3.0) < 1e-4);
        assert_eq!(timed.frames(), 421);
    }

    #[test]
    fn paths_that_cannot_be_followed_are_refused() {
        let code = |path: Waypoints, speed_mps| {
            path.clip(&PACE, speed_mps, &mut Report::default()).unwrap_err().code().id
        };
        let two = [[0.0, 0.0], [1.0, 0.0]];
        assert_eq!(code(path(&two[..1], WaypointTiming::Untimed), None), "follow/bad-waypoint");
        assert_eq!(
            code(path(&[[0.0, 0.0], [f32::NAN, 0.0]], WaypointTiming::Untimed), None),
            "follow/bad-waypoint"
        );
        assert_eq!(code(path(&two, WaypointTiming::Times(vec![1.0, 1.0])), None), "follow/bad-waypoint");
        assert_eq!(code(path(&two, WaypointTiming::Times(vec![1.0])), None), "follow/bad-waypoint");
        assert_eq!(code(path(&two, WaypointTiming::Times(vec![0.0, 1e9])), None), "follow/bad-waypoint");
        assert_eq!(code(path(&two, WaypointTiming::Speeds(vec![1.0, -1.0])), None), "follow/bad-waypoint");
        assert_eq!(code(path(&two, WaypointTiming::Rate(0.0)), None), "ops/setting");
        assert_eq!(code(path(&two, WaypointTiming::Untimed), Some(0.0)), "ops/setting");
    }

    proptest! {
        #[test]
        fn every_path_starts_and_ends_at_its_points(
            points in proptest::collection::vec((-5f32..5.0, -5f32..5.0), 2..9),
            speed in 0.3f64..3.0,
        ) {
            let points: Vec<[f32; 2]> = points.into_iter().map(|(x, z)| [x, z]).collect();
            let (found, _) = clip(&path(&points, WaypointTiming::Untimed), Some(speed));
            let ends = [&points[0], &points[points.len() - 1]].map(|[x, z]| Vec3::new(*x, 0.0, *z));
            prop_assert!(found.flat()[0].distance(ends[0]) < 1e-3);
            prop_assert!(found.flat()[found.frames() - 1].distance(ends[1]) < 0.1);
            prop_assert!(found.flat().iter().all(|p| p.is_finite() && p.length() < 15.0));
        }
    }
}
