//! A performance: calibrate the performer, then step the session frame by frame.

use std::collections::{BTreeMap, VecDeque};

use serde::Serialize;

use super::{
    Calibration, CharacterState, Effector, FeatureLine, FeatureLines, PerformSession, PerformSettings,
    PerformedFrame, Performer, PerformerRecording, Recording, RecordingWriter, VmcSender, WorldFile,
};
use crate::live::{self, FrameClock};
use crate::motion::{Clip, ClipParts, Contacts, Place, Report, Take};
use crate::render::Prop;
use crate::{Context, Error, Outcome};

/// The world file is checked for changes after this many frames.
const CHECK_FRAMES: usize = 60;

/// The result of a performance.
pub type PerformOutcome = Outcome<PerformDetails>;

/// What `perform` reports besides the motion.
#[derive(Debug, Clone, PartialEq)]
pub struct PerformDetails {
    /// What the character held and imitated, from which frame on.
    pub events: Vec<PerformEvent>,
    /// The frame in which the character reached the end of the course.
    pub finished: Option<usize>,
    /// How far the character moved over the floor, from the first to the last frame, in metres.
    pub distance_m: f32,
    /// The features of the world as lines, for pictures.
    pub scenery: Vec<Prop>,
    /// The input: performing it in the same world gives the same motion.
    pub recording: PerformerRecording,
}

/// A change of what the character holds, imitates or swims in.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PerformEvent {
    /// The frame.
    pub frame: usize,
    /// The feature that each limb end holds, by name.
    pub holds: BTreeMap<&'static str, String>,
    /// The feature whose example is imitated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imitates: Option<String>,
    /// The water that the character is in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub water: Option<String>,
    /// The centre of mass, in metres.
    pub centre: [f32; 3],
}

/// A performer and a character in a world, frame by frame.
pub struct Performance<'a> {
    world: WorldFile,
    performer: Box<dyn Performer + 'a>,
    /// Frames that the performer was calibrated by and that are still to be performed.
    calibrating: VecDeque<PerformedFrame>,
    calibration: Calibration,
    session: PerformSession,
    character: ClipParts,
    performed: Vec<PerformedFrame>,
    /// Where frames are recorded as they are performed.
    writer: Option<RecordingWriter>,
    /// Where poses of the character are sent, and the clock that paces them unless the performer does.
    sender: Option<(VmcSender, Option<FrameClock>)>,
    events: Vec<PerformEvent>,
    finished: Option<usize>,
    scenery: FeatureLines,
    report: Report,
}

impl<'a> Performance<'a> {
    /// Calibrates a performer by its first frames and puts the character into a world.
    ///
    /// # Errors
    /// If the performer fails or cannot be calibrated, or if the world names a motion that does not exist.
    pub fn start(world: WorldFile, mut performer: Box<dyn Performer + 'a>) -> Result<Self, Error> {
        let mut calibrating = VecDeque::new();
        while calibrating.len() < Recording::OPENING
            && let Some(frame) = performer.next_frame(&CharacterState::default())?
        {
            calibrating.push_back(frame);
        }
        let poses = calibrating.iter().map(|frame: &PerformedFrame| &frame.pose);
        let calibration = Calibration::of(performer.skeleton().clone(), poses)?;
        let settings = PerformSettings::default();
        let session = PerformSession::new(world.world.clone(), &world.motions, &calibration, settings)
            .map_err(|error| world.in_file(error))?;
        Ok(Self {
            world,
            performer,
            calibrating,
            calibration,
            session,
            character: ClipParts::default(),
            performed: Vec::new(),
            writer: None,
            sender: None,
            events: Vec::new(),
            finished: None,
            scenery: FeatureLines::default(),
            report: Report::default(),
        })
    }

    /// The same performance on the floor of a calibration of the same room.
    ///
    /// # Errors
    /// If the session cannot start again.
    pub fn calibrated_by(mut self, calibration: &Calibration) -> Result<Self, Error> {
        self.calibration = self.calibration.on_floor_of(calibration);
        let WorldFile { world, motions, .. } = &self.world;
        let settings = PerformSettings::default();
        let session = PerformSession::new(world.clone(), motions, &self.calibration, settings);
        self.session = session.map_err(|error| self.world.in_file(error))?;
        Ok(self)
    }

    /// The same performance, whose frames are recorded in a file as they are performed.
    pub fn recorded_in(self, writer: RecordingWriter) -> Self {
        Self { writer: Some(writer), ..self }
    }

    /// The same performance, whose character is sent to another program. A performer that does not perform at a pace of its own
    /// `is_paced`: each frame waits until it is due.
    pub fn sent_to(self, sender: VmcSender, is_paced: bool) -> Self {
        Self { sender: Some((sender, is_paced.then(FrameClock::start))), ..self }
    }

    /// Performs the next frame; false if the performer has ended.
    ///
    /// A world file that has changed is read again. If that fails, the report says why and the performance goes on in the old world.
    pub fn step(&mut self) -> Result<bool, Error> {
        let frame = match self.calibrating.pop_front() {
            Some(frame) => frame,
            None => match self.performer.next_frame(self.session.state())? {
                Some(frame) => frame,
                None => return Ok(false),
            },
        };
        self.session.step(frame.pose.view(), frame.closed, frame.secs);
        self.character.push(self.session.pose().view());
        self.scenery.add(&self.session);
        self.add_event();
        self.record(&frame);
        self.send(frame.secs);
        self.performed.push(frame);
        if self.performed.len().is_multiple_of(CHECK_FRAMES) {
            self.reload_world();
        }
        Ok(true)
    }

    /// The session.
    pub fn session(&self) -> &PerformSession {
        &self.session
    }

    /// The performer.
    pub fn performer(&self) -> &dyn Performer {
        &*self.performer
    }

    /// The performer, to command it.
    pub fn performer_mut(&mut self) -> &mut (dyn Performer + 'a) {
        &mut *self.performer
    }

    /// The last frame of the performer.
    pub fn last_frame(&self) -> Option<&PerformedFrame> {
        self.performed.last()
    }

    /// How the performer was measured.
    pub fn calibration(&self) -> &Calibration {
        &self.calibration
    }

    /// Frames performed so far.
    pub fn frames(&self) -> usize {
        self.performed.len()
    }

    /// Performs until the performer ends, the observer cancels, or the budget of the context is used up. If the input breaks off, the
    /// report says why. What was performed until then is returned.
    pub(super) fn run(mut self, context: &Context<'_>) -> Result<PerformOutcome, Error> {
        loop {
            match self.step() {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) if self.frames() == 0 => return Err(error),
                Err(error) => {
                    self.report.warn(error.code, *error.place, error.message);
                    break;
                }
            }
            let frames = self.frames();
            if let Err(limit) = context.budget().check_frames((frames + 1) as f64) {
                self.report.warn(limit.code, Place::default().frame(frames), limit.message);
                break;
            }
            if context.observer().report("perform", frames, 0).is_break() {
                break;
            }
        }
        self.finish()
    }

    /// The motion so far.
    ///
    /// # Errors
    /// If no frame was performed.
    pub fn finish(mut self) -> Result<PerformOutcome, Error> {
        if let Some(Err(error)) = self.writer.take().map(RecordingWriter::finish) {
            self.warn_not_recorded(&error);
        }
        if let Some((sender, _)) = self.sender.take() {
            // The receiver notices the end of the stream without being told.
            let _ = sender.finish();
        }
        let secs: f64 = self.performed.iter().map(|frame| f64::from(frame.secs.clamp(1e-4, 1.0))).sum();
        let measured_hz = (self.performed.len() as f64 / secs.max(1e-3)).clamp(1.0, 1000.0).round();
        let rate_hz = self.performer.rate_hz().unwrap_or(measured_hz);
        let skeleton = self.session.body().skeleton().clone();
        let clip = Clip::new(skeleton, rate_hz, self.character)?;
        let place = |frame: usize| clip.pose(frame).root_position().with_y(0.0);
        let distance_m = place(0).distance(place(clip.frames() - 1));
        let mut report = self.performer.report();
        report.absorb(self.report);
        report.absorb(self.session.report().clone());
        let recording = PerformerRecording::new(
            self.performer.skeleton().clone(),
            self.performer.rate_hz(),
            self.performed,
        );
        let prop = |line: FeatureLine| Prop::moving(line.points, line.points_per_frame, line.radius_m);
        let scenery = self.scenery.into_lines(self.session.world()).into_iter().map(prop).collect();
        Ok(Outcome {
            take: Take::solo("perform", clip),
            contacts: vec![Contacts::default()],
            plan: None,
            trace: Default::default(),
            report,
            details: PerformDetails {
                events: self.events,
                finished: self.finished,
                distance_m,
                scenery,
                recording,
            },
        })
    }

    /// Adds a frame to the recording. If that fails, the recording ends, and the performance goes on.
    fn record(&mut self, frame: &PerformedFrame) {
        if let Some(Err(error)) = self.writer.as_mut().map(|writer| writer.write(frame)) {
            self.writer = None;
            self.warn_not_recorded(&error);
        }
    }

    /// Sends the pose of the character. If that fails, the report says why, and the performance goes on.
    fn send(&mut self, secs: f32) {
        let Some((sender, clock)) = &mut self.sender else { return };
        if let Some(clock) = clock {
            clock.wait(1.0 / f64::from(secs));
        }
        if let Err(error) = sender.send(self.session.pose().view(), secs) {
            let place = Place::default().frame(self.performed.len());
            self.report.warn(&live::codes::NOT_SENT, place, error.to_string());
        }
    }

    fn warn_not_recorded(&mut self, error: &std::io::Error) {
        let place = Place::default().frame(self.performed.len());
        self.report.warn(&live::codes::NOT_RECORDED, place, error.to_string());
    }

    fn add_event(&mut self) {
        let (state, world) = (self.session.state(), self.session.world());
        let name = |feature: usize| world.features.get(feature).map(|feature| feature.name.clone());
        let holds = Effector::ALL.into_iter().zip(state.holds);
        let event = PerformEvent {
            frame: self.performed.len(),
            holds: holds.filter_map(|(end, feature)| Some((end.role().name(), name(feature?)?))).collect(),
            imitates: state.imitated_feature.and_then(name),
            water: state.water.and_then(name),
            centre: state.centre.to_array(),
        };
        let is_same = self.events.last().is_some_and(|last| {
            last.holds == event.holds && last.imitates == event.imitates && last.water == event.water
        });
        if state.has_finished && self.finished.is_none() {
            self.finished = Some(event.frame);
        }
        if !is_same {
            self.events.push(event);
        }
    }

    fn reload_world(&mut self) {
        let Some(read) = self.world.reread() else { return };
        let reloaded = read.and_then(|()| {
            let WorldFile { world, motions, .. } = &self.world;
            self.session.reload(world.clone(), motions).map_err(|error| self.world.in_file(error))
        });
        match reloaded {
            Ok(()) => self.scenery.clear_moving(),
            Err(error) => self.report.warn(error.code, *error.place, error.message),
        }
    }
}

/// Performs until the performer ends, the observer cancels, or the budget of the context is used up. What was performed until then is
/// returned.
pub fn perform(
    world: WorldFile,
    performer: Box<dyn Performer + '_>,
    context: &Context<'_>,
) -> Result<PerformOutcome, Error> {
    Performance::start(world, performer)?.run(context)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::{self, BufRead, Read};
    use std::path::PathBuf;

    use super::*;
    use crate::perform::{MarkerLines, MarkerPerformer};

    const WORLD: &str =
        "[[feature]]\nname = \"ground\"\nlike = \"floor\"\ngeometry = { plane = { at = [0, 0, 0] } }\n";
    const FRAME: &str = r#"{"points": {"Hips": [0, 0.94, 0], "LeftHand": [0.3, 0.85, 0], "RightHand": [-0.3, 0.85, 0], "LeftFoot": [0.1, 0.07, 0], "RightFoot": [-0.1, 0.07, 0]}}
"#;

    /// Lines of a performer who stands. Before some frames, the world file changes.
    struct Standing {
        world: PathBuf,
        changes: Vec<(usize, String)>,
        frame: usize,
        frames: usize,
        at: usize,
    }

    impl Read for Standing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("only lines can be read"))
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
    fn a_changed_world_file_is_read_again_and_an_invalid_one_is_reported() {
        let path = std::env::temp_dir().join(format!("marey-live-{}.toml", std::process::id()));
        fs::write(&path, WORLD).unwrap();
        let changes = vec![
            (100, WORLD.replace("ground", "lawn beside the house")),
            (200, WORLD.replace("like", "lke")),
        ];
        let reader = Standing { world: path.clone(), changes, frame: 0, frames: 400, at: 0 };
        let mut lines = MarkerLines::new(reader, "test");
        let performer = MarkerPerformer::new(move || lines.read()).unwrap();
        let world = WorldFile::open(&path).unwrap();
        let mut performance = Performance::start(world, Box::new(performer)).unwrap();
        while performance.step().unwrap() {}
        fs::remove_file(&path).unwrap();
        // An invalid file changes nothing.
        assert_eq!(performance.session().world().features[0].name, "lawn beside the house");
        let PerformOutcome { take, report, details, .. } = performance.finish().unwrap();
        assert_eq!((take.frames(), take.rate_hz()), (400, 60.0));
        let stood_on =
            |name: &str| details.events.iter().any(|event| event.holds.values().any(|held| held == name));
        assert!(stood_on("ground") && stood_on("lawn beside the house"), "{:?}", details.events);
        // The session also reports that the performer does not move.
        assert_eq!(report.codes(), ["perform/toml", "perform/stalled"]);
        assert_eq!(report.warnings()[0].place.line, Some(3));
    }

    #[test]
    #[cfg(unix)]
    fn a_recording_that_cannot_be_written_ends_and_is_reported() {
        let mut lines = MarkerLines::new(FRAME.repeat(60).into_bytes().leak() as &[u8], "test");
        let performer = MarkerPerformer::new(move || lines.read()).unwrap();
        let performance = Performance::start(WorldFile::adventure().unwrap(), Box::new(performer)).unwrap();
        let (reader, writer) = std::os::unix::net::UnixStream::pair().unwrap();
        let file = fs::File::from(std::os::fd::OwnedFd::from(writer));
        let writer = RecordingWriter::new(file, performance.performer()).unwrap();
        drop(reader);
        let outcome = performance.recorded_in(writer).run(&Context::new()).unwrap();
        assert_eq!((outcome.take.frames(), outcome.details.recording.frames()), (60, 60));
        assert!(outcome.report.codes().contains(&"live/not-recorded"), "{:?}", outcome.report.codes());
    }
}
