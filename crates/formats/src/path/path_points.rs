//! The points of a path, before resampling.

use glam::DVec3;
use marey_motion::{Place, Report};

use super::codes;
use crate::{FormatsError, Limits};

/// Largest plausible coordinate in file units, and time in seconds.
const MAX_COORDINATE: f64 = 1e7;
const MAX_SECS: f64 = 1e13;

/// Speed of a path without times and speeds, in metres per second: a typical walking speed.
const WALKING_SPEED: f64 = 1.4;

/// Largest number of points.
pub(super) fn max_points(limits: Limits) -> usize {
    limits.frames.min(limits.memory_bytes / (2 * size_of::<PathPoint>()))
}

/// The fields of a point.
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
    /// Parses the name of a column or key, ignoring case and a unit in brackets.
    pub(super) fn from_name(name: &str) -> Option<Self> {
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

    /// The fields of a number of columns without names.
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
pub(super) struct PathPoint {
    x: Option<f64>,
    y: Option<f64>,
    z: Option<f64>,
    secs: Option<f64>,
    speed: Option<f64>,
    /// Position in the file.
    place: Place,
}

impl PathPoint {
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

/// The points of a path.
#[derive(Debug, Default)]
pub(super) struct PathPoints {
    pub(super) points: Vec<PathPoint>,
    /// Speed of the whole path.
    pub(super) speed: Option<f64>,
}

/// A polyline with the time of each corner.
#[derive(Debug, PartialEq)]
pub(super) struct TimedPath {
    /// At least one.
    pub(super) places: Vec<DVec3>,
    /// Increasing, from 0.
    pub(super) secs: Vec<f64>,
    /// Speed at each corner, if the file has speeds.
    pub(super) speeds: Option<Vec<f64>>,
    /// Whether the points have x and y but no z, as on a map.
    pub(super) is_map: bool,
}

impl PathPoints {
    /// Gives every point a time: its own, or the arrival time at the given speeds.
    pub(super) fn timed(self, report: &mut Report) -> Result<TimedPath, FormatsError> {
        let (mut path, has_time) = self.checked(report)?;
        if !has_time {
            path.at_speeds(&self, report)?;
        }
        Ok(path)
    }

    /// The points as they are written, with their times if they have any. Otherwise `secs` is empty, and there are speeds if
    /// the file has some.
    pub(super) fn written(self, report: &mut Report) -> Result<TimedPath, FormatsError> {
        let (mut path, has_time) = self.checked(report)?;
        if !has_time {
            path.secs.clear();
            let speeds: Vec<f64> =
                self.points.iter().filter_map(|point| point.speed.or(self.speed)).collect();
            path.speeds = (speeds.len() == self.points.len()).then_some(speeds);
            for (point, speed) in self.points.iter().zip(path.speeds.iter().flatten()) {
                if !(0.0..=MAX_COORDINATE).contains(speed) {
                    let message = format!("the speed is {speed}");
                    return Err(FormatsError::refused(&codes::SPEED, point.place.clone(), message));
                }
            }
        }
        Ok(path)
    }

    /// Checks the points. Returns them with their times, if they have any, and whether they do.
    fn checked(&self, report: &mut Report) -> Result<(TimedPath, bool), FormatsError> {
        let Some(first) = self.points.first() else {
            return Err(FormatsError::refused(&codes::NO_POINTS, Place::default(), "no points"));
        };
        let (has_time, has_speed) = (first.secs.is_some(), first.speed.is_some());
        let is_map = first.z.is_none();
        let mut path = TimedPath { places: Vec::new(), secs: Vec::new(), speeds: None, is_map };
        for point in &self.points {
            let place = point.place.clone();
            if (point.secs.is_some(), point.speed.is_some()) != (has_time, has_speed) {
                return Err(FormatsError::refused(
                    &codes::MIXED,
                    place,
                    "the point has other fields than the first",
                ));
            }
            let on_ground =
                if is_map { point.y.zip(Some(0.0)) } else { Some(point.y.unwrap_or(0.0)).zip(point.z) };
            let Some((x, (y, z))) = point.x.zip(on_ground) else {
                return Err(FormatsError::refused(&codes::COLUMNS, place, "the point has no x or no z"));
            };
            let at = DVec3::new(x, y, z);
            let secs = point.secs.unwrap_or(0.0);
            let is_possible = at.abs().max_element() <= MAX_COORDINATE && secs.abs() <= MAX_SECS;
            if !(is_possible && at.is_finite()) {
                return Err(FormatsError::refused(&codes::OUT_OF_RANGE, place, "a value is out of range"));
            }
            path.places.push(at);
            path.secs.push(secs);
        }
        if has_time {
            if has_speed || self.speed.is_some() {
                report.warn(&codes::SPEED_UNUSED, Place::default(), "the times were used");
            }
            path.check_order(&self.points, report)?;
        }
        Ok((path, has_time))
    }
}

impl TimedPath {
    /// Checks that times increase, removes repeated points, and shifts the first time to 0.
    fn check_order(&mut self, points: &[PathPoint], report: &mut Report) -> Result<(), FormatsError> {
        let start = self.secs.first().copied().unwrap_or(0.0);
        if start != 0.0 {
            report.warn(&codes::LATE_START, Place::default(), format!("the first point is at {start} s"));
        }
        let (places, secs) = (std::mem::take(&mut self.places), std::mem::take(&mut self.secs));
        for ((at, secs), point) in places.into_iter().zip(secs).zip(points) {
            let secs = secs - start;
            match self.secs.last().copied() {
                Some(last) if secs < last => {
                    let message = format!("{} s follows {} s", secs + start, last + start);
                    return Err(FormatsError::refused(&codes::TIME_ORDER, point.place.clone(), message));
                }
                Some(last) if secs == last => {
                    let message = format!("two points at {} s", secs + start);
                    if self.places.last() != Some(&at) {
                        return Err(FormatsError::refused(&codes::SAME_TIME, point.place.clone(), message));
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

    /// Computes the arrival time at each point. Between two points the speed changes linearly, so that its mean is that of both.
    fn at_speeds(&mut self, path: &PathPoints, report: &mut Report) -> Result<(), FormatsError> {
        if path.speed.is_none() && path.points.iter().all(|point| point.speed.is_none()) {
            let message = format!("{WALKING_SPEED} m/s");
            report.warn(&codes::SPEED_ASSUMED, Place::default(), message);
        }
        let default_speed = path.speed.unwrap_or(WALKING_SPEED);
        let places = std::mem::take(&mut self.places);
        self.secs.clear();
        let mut speeds: Vec<f64> = Vec::new();
        for (at, point) in places.into_iter().zip(&path.points) {
            let speed = point.speed.unwrap_or(default_speed);
            let refuse =
                |message: String| Err(FormatsError::refused(&codes::SPEED, point.place.clone(), message));
            if !(0.0..=MAX_COORDINATE).contains(&speed) {
                return refuse(format!("the speed is {speed}"));
            }
            let mut secs = 0.0;
            if let (Some(last), Some(before), Some(last_speed)) =
                (self.places.last(), self.secs.last(), speeds.last())
            {
                let length = last.distance(at);
                if length == 0.0 {
                    report.warn(&codes::REPEATED_POINT, point.place.clone(), "the position is repeated");
                    continue;
                }
                secs = before + 2.0 * length / (last_speed + speed);
                if !(0.0..=MAX_SECS).contains(&secs) {
                    return refuse(format!("the speed is {last_speed}, then {speed}"));
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
