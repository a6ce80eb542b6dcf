//! Points as they were drawn, before they have a rate.

use glam::DVec3;
use marey_motion::{Place, Report};

use super::codes;
use crate::{Error, Limits};

/// Coordinates beyond this, in file units, and times beyond this, in seconds, are damage.
const MAX_COORDINATE: f64 = 1e7;
const MAX_SECS: f64 = 1e13;

/// How fast a path is walked that does not say, in metres a second: a person's usual pace.
const WALKING_SPEED: f64 = 1.4;

/// How many points are taken in.
pub(super) fn most_points(limits: Limits) -> usize {
    limits.frames.min(limits.memory_bytes / (2 * size_of::<DrawnPoint>()))
}

/// What the numbers of a point are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Secs,
    Millisecs,
    X,
    Y,
    Z,
    Speed,
}

impl Field {
    /// By the name of a column or key, in any case, without what stands behind in brackets.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        let word = name.trim().trim_matches('"').split(['(', '[', ' ']).next().unwrap_or_default();
        match word.to_ascii_lowercase().as_str() {
            "t" | "time" | "s" | "sec" | "secs" | "seconds" | "time_s" | "t_s" | "time_secs" => {
                Some(Self::Secs)
            }
            "ms" | "t_ms" | "time_ms" | "millis" | "milliseconds" => Some(Self::Millisecs),
            "x" => Some(Self::X),
            "y" => Some(Self::Y),
            "z" => Some(Self::Z),
            "speed" | "v" | "velocity" => Some(Self::Speed),
            _ => None,
        }
    }

    /// What so many numbers without names are.
    pub(super) fn unnamed(count: usize) -> Option<&'static [Self]> {
        match count {
            2 => Some(&[Self::X, Self::Z]),
            3 => Some(&[Self::Secs, Self::X, Self::Z]),
            4 => Some(&[Self::Secs, Self::X, Self::Y, Self::Z]),
            _ => None,
        }
    }
}

/// One point.
#[derive(Debug, Clone)]
pub(super) struct DrawnPoint {
    x: Option<f64>,
    y: Option<f64>,
    z: Option<f64>,
    secs: Option<f64>,
    speed: Option<f64>,
    /// Where it stands in the file.
    place: Place,
}

impl DrawnPoint {
    pub(super) fn at(place: Place) -> Self {
        Self { x: None, y: None, z: None, secs: None, speed: None, place }
    }

    pub(super) fn set(&mut self, field: Field, value: f64) {
        match field {
            Field::Secs => self.secs = Some(value),
            Field::Millisecs => self.secs = Some(value / 1000.0),
            Field::X => self.x = Some(value),
            Field::Y => self.y = Some(value),
            Field::Z => self.z = Some(value),
            Field::Speed => self.speed = Some(value),
        }
    }
}

/// What was drawn.
#[derive(Debug, Default)]
pub(super) struct Drawn {
    pub(super) points: Vec<DrawnPoint>,
    /// Of the whole path.
    pub(super) speed: Option<f64>,
}

/// A path as a line through places, with the time of each.
#[derive(Debug, PartialEq)]
pub(super) struct Timed {
    /// At least one.
    pub(super) places: Vec<DVec3>,
    /// Increasing, from 0.
    pub(super) secs: Vec<f64>,
    /// How fast each place is passed, where that was said.
    pub(super) speeds: Option<Vec<f64>>,
    /// Whether the points have x and y but no z: a map, seen from above.
    pub(super) is_map: bool,
}

impl Drawn {
    /// Gives every point a time: its own, or when one gets there at the speeds.
    pub(super) fn timed(self, report: &mut Report) -> Result<Timed, Error> {
        let Some(first) = self.points.first() else {
            return Err(Error::refused(&codes::NO_POINTS, Place::default(), "no points"));
        };
        let (has_time, has_speed) = (first.secs.is_some(), first.speed.is_some());
        let is_map = first.z.is_none();
        let mut path = Timed { places: Vec::new(), secs: Vec::new(), speeds: None, is_map };
        for point in &self.points {
            let place = point.place.clone();
            if (point.secs.is_some(), point.speed.is_some()) != (has_time, has_speed) {
                return Err(Error::refused(&codes::MIXED, place, "unlike the first point"));
            }
            let on_ground =
                if is_map { point.y.zip(Some(0.0)) } else { Some(point.y.unwrap_or(0.0)).zip(point.z) };
            let Some((x, (y, z))) = point.x.zip(on_ground) else {
                return Err(Error::refused(&codes::COLUMNS, place, "a point without x or z"));
            };
            let at = DVec3::new(x, y, z);
            let secs = point.secs.unwrap_or(0.0);
            let is_possible = at.abs().max_element() <= MAX_COORDINATE && secs.abs() <= MAX_SECS;
            if !(is_possible && at.is_finite()) {
                return Err(Error::refused(&codes::OUT_OF_RANGE, place, "a value is out of range"));
            }
            path.places.push(at);
            path.secs.push(secs);
        }
        if has_time {
            if has_speed || self.speed.is_some() {
                report.warn(&codes::SPEED_UNUSED, Place::default(), "the times were taken");
            }
            path.in_order(&self.points, report)?;
        } else {
            path.at_speeds(&self, report)?;
        }
        Ok(path)
    }
}

impl Timed {
    /// Checks that time goes on, leaves points out that are there twice, and starts the clock at 0.
    fn in_order(&mut self, points: &[DrawnPoint], report: &mut Report) -> Result<(), Error> {
        let start = self.secs.first().copied().unwrap_or(0.0);
        if start != 0.0 {
            report.warn(&codes::LATE_START, Place::default(), format!("the first point is at {start} s"));
        }
        let (places, secs) = (std::mem::take(&mut self.places), std::mem::take(&mut self.secs));
        for ((at, secs), point) in places.into_iter().zip(secs).zip(points) {
            let secs = secs - start;
            match self.secs.last().copied() {
                Some(last) if secs < last => {
                    let message = format!("{} s behind {} s", secs + start, last + start);
                    return Err(Error::refused(&codes::TIME_ORDER, point.place.clone(), message));
                }
                Some(last) if secs == last => {
                    let message = format!("two points at {} s", secs + start);
                    if self.places.last() != Some(&at) {
                        return Err(Error::refused(&codes::SAME_TIME, point.place.clone(), message));
                    }
                    report.warn(&codes::REPEATED_POINT, point.place.clone(), message);
                    continue;
                }
                _ => {}
            }
            self.places.push(at);
            self.secs.push(secs);
        }
        Ok(())
    }

    /// Works out when one gets to each point: between two, speed changes evenly, so that its mean is that of both.
    fn at_speeds(&mut self, drawn: &Drawn, report: &mut Report) -> Result<(), Error> {
        if drawn.speed.is_none() && drawn.points.iter().all(|point| point.speed.is_none()) {
            let message = format!("{WALKING_SPEED} m/s");
            report.warn(&codes::SPEED_ASSUMED, Place::default(), message);
        }
        let usual = drawn.speed.unwrap_or(WALKING_SPEED);
        let places = std::mem::take(&mut self.places);
        self.secs.clear();
        let mut speeds: Vec<f64> = Vec::new();
        for (at, point) in places.into_iter().zip(&drawn.points) {
            let speed = point.speed.unwrap_or(usual);
            let refuse = |message: String| Err(Error::refused(&codes::SPEED, point.place.clone(), message));
            if !(0.0..=MAX_COORDINATE).contains(&speed) {
                return refuse(format!("a speed of {speed}"));
            }
            let mut secs = 0.0;
            if let (Some(last), Some(before), Some(last_speed)) =
                (self.places.last(), self.secs.last(), speeds.last())
            {
                let length = last.distance(at);
                if length == 0.0 {
                    report.warn(&codes::REPEATED_POINT, point.place.clone(), "twice the same place");
                    continue;
                }
                secs = before + 2.0 * length / (last_speed + speed);
                if !(0.0..=MAX_SECS).contains(&secs) {
                    return refuse(format!("from a speed of {last_speed} to one of {speed}"));
                }
            }
            self.places.push(at);
            self.secs.push(secs);
            speeds.push(speed);
        }
        self.speeds = Some(speeds);
        Ok(())
    }
}
