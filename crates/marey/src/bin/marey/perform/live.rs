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
use marey::perform::{Calibration, Markers, Puppet, Recording, Session, Settings};
use marey::performances::{Film, world};
use serde::Deserialize;

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

    /// Performs until the stream ends. The world is read again where its file changes; one that cannot be read is told of, and the old
    /// one goes on.
    pub(super) fn perform(mut self, path: &Path) -> Result<(Film, Session, f64, Report), Failure> {
        let mut written = stamp(path);
        let (ground, found) = world(path)?;
        let mut standing = Vec::new();
        while standing.len() < Recording::STANDING
            && let Some(line) = self.next()?
        {
            standing.push(line);
        }
        let seen: Vec<Markers> = standing.iter().map(Line::markers).collect();
        let skeleton = Body::default().skeleton()?;
        let mut puppet = Puppet::calibrate(&skeleton, &seen)?;
        let poses: Vec<_> = seen.iter().map(|markers| puppet.pose(markers).clone()).collect();
        let calibration = Calibration::of(puppet.skeleton().clone(), &poses)?;
        let mut session = Session::new(ground, &found, &calibration, Settings::default())
            .map_err(|error| Failure::from(error).in_file(path))?;
        let (mut film, mut report) = (Film::default(), Report::default());
        let mut secs = 0.0;
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
            if film.frames().is_multiple_of(LOOK_FRAMES) && stamp(path) != written {
                written = stamp(path);
                let read = world(path);
                match read.and_then(|(world, found)| Ok(session.reload(world, &found)?)) {
                    Ok(()) => film.scenery.forget(),
                    Err(failure) => report.warn(failure.code, *failure.place, failure.message),
                }
            }
        }
        report.absorb(puppet.report().clone());
        let rate_hz = (film.frames() as f64 / secs.max(1e-3)).clamp(1.0, 1000.0).round();
        Ok((film, session, rate_hz, report))
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

/// When a file was written, and how long it is.
fn stamp(path: &Path) -> Option<(SystemTime, u64)> {
    fs::metadata(path).and_then(|about| Ok((about.modified()?, about.len()))).ok()
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::path::PathBuf;

    use super::*;

    const WORLD: &str =
        "[[feature]]\nname = \"ground\"\nlike = \"floor\"\ngeometry = { plane = { at = [0, 0, 0] } }\n";
    const FRAME: &str = r#"{"points": {"Hips": [0, 0.94, 0], "LeftHand": [0.3, 0.85, 0], "RightHand": [-0.3, 0.85, 0], "LeftFoot": [0.1, 0.07, 0], "RightFoot": [-0.1, 0.07, 0]}}
"#;

    /// Someone who stands, while the world is written anew.
    struct Standing {
        world: PathBuf,
        /// What the file is in which frame.
        changes: Vec<(usize, String)>,
        frame: usize,
        frames: usize,
        at: usize,
    }

    impl Read for Standing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("lines only"))
        }
    }

    impl BufRead for Standing {
        fn fill_buf(&mut self) -> io::Result<&[u8]> {
            Ok(if self.frame < self.frames { &FRAME.as_bytes()[self.at..] } else { &[] })
        }

        fn consume(&mut self, amount: usize) {
            self.at += amount;
            if self.at == FRAME.len() {
                (self.at, self.frame) = (0, self.frame + 1);
                for (_, text) in self.changes.iter().filter(|(frame, _)| *frame == self.frame) {
                    fs::write(&self.world, text).unwrap();
                }
            }
        }
    }

    #[test]
    fn a_world_is_read_again_when_its_file_changes_and_a_wrong_one_is_told_of() {
        let world = std::env::temp_dir().join(format!("marey-live-{}.toml", std::process::id()));
        fs::write(&world, WORLD).unwrap();
        let changes = vec![
            (100, WORLD.replace("ground", "lawn beside the house")),
            (200, WORLD.replace("like", "lke")),
        ];
        let lines = Standing { world: world.clone(), changes, frame: 0, frames: 400, at: 0 };
        let live = Live { lines: Box::new(lines), number: 0, name: "-".to_owned() };
        let (film, session, rate_hz, report) = live.perform(&world).unwrap();
        fs::remove_file(&world).unwrap();
        assert_eq!((film.frames(), rate_hz), (400, 60.0));
        let stood_on =
            |name: &str| film.moments.iter().any(|moment| moment.holds.values().any(|held| held == name));
        assert!(stood_on("ground") && stood_on("lawn beside the house"), "{:?}", film.moments);
        // What cannot be read changes nothing.
        assert_eq!(session.world().features[0].name, "lawn beside the house");
        assert_eq!(report.codes(), ["perform/toml"]);
        assert_eq!(report.warnings()[0].place.line, Some(3));
    }
}
