//! The curve through the stops of a path, as `waypoints.rs` describes it.

use marey_motion::{Vec3, smoothstep};

/// Rate of the curve through waypoints, in frames per second.
pub(crate) const CURVE_RATE_HZ: f64 = 60.0;
/// Bends above this angle are rounded as corners, in radians.
const CORNER_RAD: f32 = 1.0;
/// The share of a leg that a rounded corner or the approach to a rest may take.
const MAX_LEG_SHARE: f32 = 0.4;
/// Length of the approach to a rest, in metres.
const APPROACH_M: f32 = 0.6;
/// The shortest leg that is divided by, in metres.
const MIN_LEG_M: f32 = 1e-3;

/// A point of the curve.
#[derive(Debug, Clone, Copy)]
struct Station {
    position: Vec3,
    secs: f64,
    /// Velocity in metres per second; `None` for the mean of both sides.
    velocity: Option<Vec3>,
}

/// A waypoint without its repetitions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stop {
    pub(crate) position: Vec3,
    pub(crate) arrival_secs: f64,
    pub(crate) departure_secs: f64,
}

/// The curve through stops at [`CURVE_RATE_HZ`]. Corners are rounded for a turn rate, if one is given. `is_timed` states that
/// the times are the caller's; otherwise rests are approached more slowly, which takes more time.
pub(crate) fn curve_through(stops: &[Stop], turn_rad_per_sec: Option<f64>, is_timed: bool) -> Vec<Vec3> {
    sample_curve(&stations(stops, turn_rad_per_sec, is_timed))
}

/// The stations of a curve through stops. Corners are rounded for a turn rate, if one is given.
fn stations(stops: &[Stop], turn_rad_per_sec: Option<f64>, is_timed: bool) -> Vec<Station> {
    let mut stations: Vec<Station> = Vec::new();
    // Time that approaches to rests add to all that follows.
    let mut delay_secs = 0.0;
    for (number, stop) in stops.iter().enumerate() {
        let before = number.checked_sub(1).and_then(|i| stops.get(i));
        let after = stops.get(number + 1);
        let is_rest = stop.departure_secs > stop.arrival_secs;
        let arrival = before.map(|before| Leg::between(before, stop));
        let departure = after.map(|after| Leg::between(stop, after));
        if is_rest {
            let approach = |leg: Option<Leg>| leg.filter(|_| !is_timed).map(|leg| leg.approach());
            if let Some((length_m, leg)) = approach(arrival) {
                let secs = stop.arrival_secs - leg.secs_for(length_m) + delay_secs;
                stations.push(leg.station(stop.position - length_m * leg.dir, secs));
                delay_secs += 0.5 * leg.secs_for(length_m);
            }
            for secs in [stop.arrival_secs, stop.departure_secs] {
                let (position, velocity) = (stop.position, Some(Vec3::ZERO));
                stations.push(Station { position, secs: secs + delay_secs, velocity });
            }
            if let Some((length_m, leg)) = approach(departure) {
                delay_secs += 0.5 * leg.secs_for(length_m);
                let secs = stop.departure_secs + leg.secs_for(length_m) + delay_secs;
                stations.push(leg.station(stop.position + length_m * leg.dir, secs));
            }
            continue;
        }
        let secs = stop.arrival_secs + delay_secs;
        if let (Some(turn), Some(arrival), Some(departure)) = (turn_rad_per_sec, arrival, departure) {
            let bend_rad = arrival.dir.angle_between(departure.dir);
            if bend_rad > CORNER_RAD {
                let speed = arrival.speed().min(departure.speed());
                let radius_m = (speed / turn.max(0.1)) as f32;
                // A turn about has no circle through both legs: it is rounded as far as the legs allow.
                let length_m = radius_m * (0.5 * bend_rad.min(2.8)).tan();
                let most_m = MAX_LEG_SHARE * arrival.length_m.min(departure.length_m);
                let length_m = length_m.min(most_m);
                for (leg, way) in [(arrival, -1.0), (departure, 1.0)] {
                    let at = stop.position + way * length_m * leg.dir;
                    stations.push(leg.station(at, secs + f64::from(way) * leg.secs_for(length_m)));
                }
                continue;
            }
        }
        stations.push(Station { position: stop.position, secs, velocity: None });
    }
    stations
}

/// The straight line between two stops.
#[derive(Debug, Clone, Copy)]
struct Leg {
    dir: Vec3,
    length_m: f32,
    secs: f64,
}

impl Leg {
    fn between(from: &Stop, to: &Stop) -> Self {
        let offset = to.position - from.position;
        let secs = (to.arrival_secs - from.departure_secs).max(1e-6);
        Self { dir: offset.normalize_or_zero(), length_m: offset.length(), secs }
    }

    fn speed(&self) -> f64 {
        f64::from(self.length_m) / self.secs
    }

    /// The time that a part of the leg takes.
    fn secs_for(&self, length_m: f32) -> f64 {
        f64::from(length_m / self.length_m.max(MIN_LEG_M)) * self.secs
    }

    /// The length over which the speed changes beside a rest, with the leg.
    fn approach(self) -> (f32, Self) {
        (APPROACH_M.min(MAX_LEG_SHARE * self.length_m), self)
    }

    /// A station on the leg.
    fn station(&self, position: Vec3, secs: f64) -> Station {
        Station { position, secs, velocity: Some(self.dir * self.speed() as f32) }
    }
}

/// Samples a curve at [`CURVE_RATE_HZ`].
fn sample_curve(stations: &[Station]) -> Vec<Vec3> {
    let last_secs = stations.last().map_or(0.0, |last| last.secs);
    let frames = (last_secs * CURVE_RATE_HZ - 1e-6).ceil().max(0.0) as usize + 1;
    let mean = |a: &Station, b: &Station| (b.position - a.position) / (b.secs - a.secs).max(1e-6) as f32;
    let velocity = |number: usize| {
        let station = &stations[number];
        let before = number.checked_sub(1).map(|i| mean(&stations[i], station));
        let after = stations.get(number + 1).map(|next| mean(station, next));
        match (station.velocity, before, after) {
            (Some(velocity), _, _) => velocity,
            (None, Some(before), Some(after)) => {
                let (past, coming) =
                    (station.secs - stations[number - 1].secs, stations[number + 1].secs - station.secs);
                let share = (past / (past + coming).max(1e-9)) as f32;
                let mean = before.lerp(after, share);
                // Beside a slow leg, a fast velocity would swing the curve back and forth.
                mean.clamp_length_max(2.0 * before.length().min(after.length()))
            }
            (None, one, other) => one.or(other).unwrap_or(Vec3::ZERO),
        }
    };
    let velocities: Vec<Vec3> = (0..stations.len()).map(velocity).collect();
    let mut number = 0;
    (0..frames)
        .map(|frame| {
            let secs = frame as f64 / CURVE_RATE_HZ;
            while number + 2 < stations.len() && stations[number + 1].secs <= secs {
                number += 1;
            }
            let (Some(from), Some(to)) = (stations.get(number), stations.get(number + 1)) else {
                return stations.first().map_or(Vec3::ZERO, |only| only.position);
            };
            let duration = (to.secs - from.secs).max(1e-6);
            let u = ((secs - from.secs) / duration).clamp(0.0, 1.0) as f32;
            let (m0, m1) = (velocities[number] * duration as f32, velocities[number + 1] * duration as f32);
            from.position.lerp(to.position, smoothstep(u)) + u * (1.0 - u) * (m0 * (1.0 - u) - m1 * u)
        })
        .collect()
}
