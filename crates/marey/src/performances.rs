//! Worlds, example motions and recorded streams for [`crate::perform`].

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use crate::examples::Body;
use crate::examples::playground::{Adventurer, Cycle, PlaygroundSettings, Seen, Stream, cycle};
use crate::failure::Failure;
use crate::formats::file::read_file;
use crate::formats::{Import, ReadOptions};
use crate::motion::{Clip, ClipParts, Code, Coded, LocalPose, Place};
use crate::perform::{self, ADVENTURE, Calibration, Effector, Now, Recording, Session, Settings, World};
use crate::scenery::Scenery;
use crate::{examples, formats, inputs, motion};

/// Why something cannot be performed.
#[derive(Debug)]
pub enum Error {
    /// The engine refused.
    Perform(perform::Error),
    /// A file could not be read.
    Formats(formats::Error),
    /// An example could not be made.
    Examples(examples::Error),
    /// Motion was refused.
    Motion(motion::Error),
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Perform(error) => error.fmt(f),
            Error::Formats(error) => error.fmt(f),
            Error::Examples(error) => error.fmt(f),
            Error::Motion(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl From<perform::Error> for Error {
    fn from(error: perform::Error) -> Self {
        Error::Perform(error)
    }
}

impl From<formats::Error> for Error {
    fn from(error: formats::Error) -> Self {
        Error::Formats(error)
    }
}

impl From<examples::Error> for Error {
    fn from(error: examples::Error) -> Self {
        Error::Examples(error)
    }
}

impl From<motion::Error> for Error {
    fn from(error: motion::Error) -> Self {
        Error::Motion(error)
    }
}

impl Coded for Error {
    fn code(&self) -> &'static Code {
        match self {
            Error::Perform(error) => error.code(),
            Error::Formats(error) => error.code(),
            Error::Examples(error) => error.code(),
            Error::Motion(error) => error.code(),
        }
    }

    fn place(&self) -> Place {
        match self {
            Error::Perform(error) => error.place(),
            Error::Formats(error) => error.place(),
            Error::Examples(error) => error.place(),
            Error::Motion(error) => error.place(),
        }
    }
}

/// A world from a file, or `adventure`, the one that comes along; and the example motions that its features name, from the folder that
/// the file is in.
pub fn world(path: &Path) -> Result<(World, BTreeMap<String, Clip>), Failure> {
    let comes_along = path == Path::new("adventure") && !path.exists();
    let text = if comes_along { ADVENTURE.to_owned() } else { inputs::text(path)? };
    let about = |failure: Failure| failure.in_file(path);
    let world = World::from_toml(&text).map_err(|error| about(error.into()))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let motions = motions(&world, folder).map_err(|error| about(error.into()))?;
    Ok((world, motions))
}

/// The example motions that a world's features name: those that Marey makes itself (`swing`, `climb`, `walk`, `breast-stroke`), and
/// motion files in a folder. One that is neither is left out, for the engine to refuse with its line.
pub fn motions(world: &World, folder: &Path) -> Result<BTreeMap<String, Clip>, Error> {
    let mut found = BTreeMap::new();
    for name in world.motions() {
        let made = Cycle::ALL.into_iter().find(|which| which.name() == name);
        let path = folder.join(name);
        if let Some(which) = made {
            let clip = cycle(which, &Body::default(), 60.0)?.take.first().clone();
            found.insert(name.to_owned(), clip);
        } else if path.is_file() {
            let clip = read_file(&path, &ReadOptions::default())?.take()?.first().clone();
            found.insert(name.to_owned(), clip);
        }
    }
    Ok(found)
}

/// What a file holds: the first actor of a figure's motion, or the reduced set of markers among points.
pub fn recording(import: &Import) -> Result<Recording, Error> {
    Ok(match import.points() {
        Some(points) => Recording::of_points(&points.clip, &*Body::default().skeleton()?)?,
        None => Recording::of_clip(import.take()?.first())?,
    })
}

/// What changed at a frame: who holds what, and what is imitated.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Moment {
    /// The frame.
    pub frame: usize,
    /// Which feature each end of a limb holds, by name.
    pub holds: BTreeMap<&'static str, String>,
    /// The feature whose example is imitated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imitates: Option<String>,
    /// The water that the character is in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub water: Option<String>,
    /// Where the centre of mass is, in metres.
    pub centre: [f32; 3],
}

/// A character's motion as it comes about, with what happened.
#[derive(Debug, Clone, Default)]
pub struct Film {
    parts: ClipParts,
    /// What changed when.
    pub moments: Vec<Moment>,
    /// The frame in which the end of the course was reached.
    pub finished: Option<usize>,
    /// What is around the character.
    pub scenery: Scenery,
    frames: usize,
}

impl Film {
    /// Adds the present frame of a session.
    pub fn add(&mut self, session: &Session) {
        self.parts.push(session.pose().view());
        self.scenery.add(session);
        let (now, world) = (session.now(), session.world());
        let name = |feature: usize| world.features[feature].name.clone();
        let holds = Effector::ALL.into_iter().zip(now.holds);
        let holds = holds.filter_map(|(end, feature)| Some((end.role().name(), name(feature?))));
        let moment = Moment {
            frame: self.frames,
            holds: holds.collect(),
            imitates: now.imitates.map(name),
            water: now.water.map(name),
            centre: now.centre.to_array(),
        };
        let same = self.moments.last().is_some_and(|last| {
            last.holds == moment.holds && last.imitates == moment.imitates && last.water == moment.water
        });
        if !same {
            self.moments.push(moment);
        }
        if now.finished && self.finished.is_none() {
            self.finished = Some(self.frames);
        }
        self.frames += 1;
    }

    /// How many frames there are.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// The motion.
    pub fn into_clip(self, session: &Session, rate_hz: f64) -> Result<Clip, Error> {
        Ok(Clip::new(session.body().skeleton().clone(), rate_hz, self.parts)?)
    }
}

/// Performs a recording in a world, as fast as it goes.
///
/// ```
/// use marey::examples::playground::{PlaygroundSettings, stream};
/// use marey::perform::{ADVENTURE, Recording, World};
/// use marey::performances::{motions, play};
/// let world = World::from_toml(ADVENTURE)?;
/// let motions = motions(&world, std::path::Path::new("."))?;
/// let performer = stream(&PlaygroundSettings::default())?.example.take.first().slice(0..90)?;
/// let (film, session) = play(world, &motions, &Recording::of_clip(&performer)?)?;
/// assert_eq!(film.frames(), 90);
/// assert!(session.now().centre.y > 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn play(
    world: World,
    motions: &BTreeMap<String, Clip>,
    recorded: &Recording,
) -> Result<(Film, Session), Error> {
    let mut session = Session::new(world, motions, &recorded.calibration, Settings::default())?;
    let mut film = Film::default();
    recorded.perform(&mut session, |_, session| film.add(session));
    Ok((film, session))
}

/// The adventure, played.
pub struct Adventure {
    /// What the player did, as it is captured.
    pub stream: Stream,
    /// What became of the character.
    pub film: Film,
    /// The session as it was left.
    pub session: Session,
}

/// Lets an [`Adventurer`] play the adventure: one who looks at the character and does what there is to do. `see` is shown the session
/// after each frame.
pub fn play_adventure(
    world: World,
    motions: &BTreeMap<String, Clip>,
    settings: &PlaygroundSettings,
    mut see: impl FnMut(&Session),
) -> Result<Adventure, Error> {
    let mut player = Adventurer::new(settings)?;
    let own = |(pose, closed): (&LocalPose, [bool; 2])| (pose.clone(), closed);
    // Who is measured stands, and sees nothing yet.
    let standing: Vec<(LocalPose, [bool; 2])> =
        (0..Recording::STANDING).map_while(|_| player.next(&Seen::default()).map(own)).collect();
    let calibration = Calibration::of(player.skeleton().clone(), standing.iter().map(|(pose, _)| pose))?;
    let mut session = Session::new(world, motions, &calibration, Settings::default())?;
    let mut film = Film::default();
    let secs = (1.0 / settings.rate_hz) as f32;
    let mut measured = standing.into_iter();
    while let Some((pose, closed)) = measured.next().or_else(|| player.next(&seen(session.now())).map(own)) {
        session.step(pose.view(), closed, secs);
        film.add(&session);
        see(&session);
    }
    Ok(Adventure { stream: player.into_stream()?, film, session })
}

/// What a player sees.
pub fn seen(now: &Now) -> Seen {
    Seen {
        centre: now.centre,
        velocity: now.velocity,
        yaw_rad: now.yaw_rad,
        holds: now.holds.map(|held| held.is_some()),
        swims: now.water.is_some(),
    }
}
