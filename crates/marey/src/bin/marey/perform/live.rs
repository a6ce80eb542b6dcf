//! A performance as it comes: lines of JSON, each a frame, from the standard input or a socket.
//!
//! A line is `{"secs": 0.0167, "points": {"Hips": [x, y, z], "LeftHand": …}, "closed": [false, true]}`: seconds since the last frame,
//! the reduced set of markers in metres, and whether each hand is closed. A marker that is lost is left out.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufRead, BufReader};
use std::net::TcpStream;
use std::path::Path;
use std::time::SystemTime;

use marey::codes;
use marey::examples::Body;
use marey::formats::Error;
use marey::motion::{Report, Vec3};
use marey::perform::{Calibration, Markers, Puppet, Session, Settings};
use marey::performances::{Film, STANDING, motions};
use serde::Deserialize;

use super::read_world;
use crate::failure::Failure;

/// A line of the stream.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Line {
    #[serde(default = "usual_secs")]
    secs: f32,
    points: BTreeMap<String, [f32; 3]>,
    #[serde(default)]
    closed: [bool; 2],
}

fn usual_secs() -> f32 {
    1.0 / 60.0
}

impl Line {
    /// Whether the left and the right hand are closed.
    pub(crate) fn closed(&self) -> [bool; 2] {
        self.closed
    }

    /// What cameras see.
    pub(crate) fn markers(&self) -> Markers {
        let at = |name: &str| self.points.get(name).copied().map(Vec3::from);
        Markers {
            waist: at("Hips"),
            belt: [at("LeftUpperLeg"), at("RightUpperLeg")],
            hands: [at("LeftHand"), at("RightHand")],
            feet: [at("LeftFoot"), at("RightFoot")],
        }
    }
}

/// A stream that is open.
pub(super) struct Live {
    lines: Box<dyn BufRead>,
    number: usize,
    name: String,
}

/// The world file is looked at again after so many frames.
const LOOK_FRAMES: usize = 60;

impl Live {
    /// Opens a stream, where the input names one and no file.
    pub(super) fn opened(input: &str) -> Result<Option<Self>, Failure> {
        let lines: Box<dyn BufRead> = match input.strip_prefix("tcp:") {
            Some(address) => {
                let refused = |error: io::Error| Failure::from(Error::file(Path::new(input), error));
                Box::new(BufReader::new(TcpStream::connect(address).map_err(refused)?))
            }
            None if input == "-" => Box::new(BufReader::new(io::stdin())),
            None => return Ok(None),
        };
        Ok(Some(Self { lines, number: 0, name: input.to_owned() }))
    }

    /// Performs until the stream ends; the world is read again where its file changes.
    pub(super) fn perform(mut self, path: &Path) -> Result<(Film, Session, f64, Report), Failure> {
        let (world, folder) = read_world(path)?;
        let about_world = |failure: Failure| failure.in_file(path);
        let mut standing = Vec::new();
        while standing.len() < STANDING
            && let Some(line) = self.next()?
        {
            standing.push(line);
        }
        let seen: Vec<Markers> = standing.iter().map(Line::markers).collect();
        let skeleton = Body::default().skeleton()?;
        let mut puppet = Puppet::calibrate(&skeleton, &seen)?;
        let poses: Vec<_> = seen.iter().map(|markers| puppet.pose(markers).clone()).collect();
        let calibration = Calibration::of(puppet.skeleton().clone(), &poses)?;
        let found = motions(&world, &folder).map_err(|error| about_world(error.into()))?;
        let mut session = Session::new(world, &found, &calibration, Settings::default())
            .map_err(|error| about_world(error.into()))?;
        let mut film = Film::default();
        let mut secs = 0.0;
        let mut written = modified(path);
        let mut line = standing.into_iter();
        loop {
            let next = match line.next() {
                Some(line) => Some(line),
                None => self.next()?,
            };
            let Some(next) = next else { break };
            session.step(puppet.pose(&next.markers()).view(), next.closed, next.secs);
            secs += f64::from(next.secs.clamp(1e-4, 1.0));
            film.add(&session);
            if film.frames().is_multiple_of(LOOK_FRAMES) && modified(path) != written {
                written = modified(path);
                let (world, folder) = read_world(path)?;
                let found = motions(&world, &folder).map_err(|error| about_world(error.into()))?;
                session.reload(world, &found).map_err(|error| about_world(error.into()))?;
            }
        }
        let rate_hz = (film.frames() as f64 / secs.max(1e-3)).clamp(1.0, 1000.0).round();
        Ok((film, session, rate_hz, puppet.report().clone()))
    }

    /// The next frame.
    fn next(&mut self) -> Result<Option<Line>, Failure> {
        let mut text = String::new();
        loop {
            text.clear();
            self.number += 1;
            let refused = |error: io::Error| Failure::from(Error::file(Path::new(&self.name), error));
            if self.lines.read_line(&mut text).map_err(refused)? == 0 {
                return Ok(None);
            }
            if !text.trim().is_empty() {
                break;
            }
        }
        let wrong = |error: serde_json::Error| {
            Failure::new(&codes::NOT_A_FRAME, format!("line {}: {error}", self.number))
                .in_file(Path::new(&self.name))
        };
        serde_json::from_str(&text).map(Some).map_err(wrong)
    }
}

/// When a file was written.
fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|about| about.modified()).ok()
}
