//! The input of a performance, exactly as the session received it.
//!
//! A recording is text: a line of JSON about the performer, then one for each frame. It is written frame by frame, so that what was
//! performed is kept whatever happens.

use std::fs::File;
use std::io::Write;
use std::sync::Arc;

use marey_motion::{Clip, ClipParts, LocalPose, Place, Quat, Report, Skeleton, Vec3};
use marey_perform::CharacterState;
use serde::{Deserialize, Serialize};

use crate::{LiveError, PerformedFrame, Performer, Result, codes};

/// The rate of the clip of a recording whose frames are not evenly spaced.
const UNEVEN_HZ: f64 = 60.0;

/// Every frame of a performer, bit by bit. Performing it again gives the same motion.
#[derive(Debug, Clone, PartialEq)]
pub struct PerformerRecording {
    skeleton: Arc<Skeleton>,
    rate_hz: Option<f64>,
    frames: Vec<PerformedFrame>,
    next: usize,
    report: Report,
}

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PerformerLine {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rate_hz: Option<f64>,
    skeleton: Skeleton,
}

/// A line of a frame. Numbers that are not finite are null.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FrameLine {
    secs: Option<f32>,
    closed: [Option<bool>; 2],
    rotations: Vec<[Option<f32>; 4]>,
    positions: Vec<[Option<f32>; 3]>,
}

impl FrameLine {
    fn of(frame: &PerformedFrame) -> Self {
        let PerformedFrame { pose, closed, secs } = frame;
        let finite = |v: f32| v.is_finite().then_some(v);
        Self {
            secs: finite(*secs),
            closed: *closed,
            rotations: pose.rotations.iter().map(|rotation| rotation.to_array().map(finite)).collect(),
            positions: pose.positions.iter().map(|position| position.to_array().map(finite)).collect(),
        }
    }

    /// The frame; `None` if it is not one of the skeleton.
    fn into_frame(self, skeleton: &Skeleton) -> Option<PerformedFrame> {
        let Self { secs, closed, rotations, positions } = self;
        if (rotations.len(), positions.len()) != (skeleton.len(), skeleton.movers().len()) {
            return None;
        }
        let number = |v: Option<f32>| v.unwrap_or(f32::NAN);
        let rotations = rotations.into_iter().map(|rotation| Quat::from_array(rotation.map(number)));
        let positions = positions.into_iter().map(|position| Vec3::from_array(position.map(number)));
        let pose = LocalPose { rotations: rotations.collect(), positions: positions.collect() };
        Some(PerformedFrame { pose, closed, secs: number(secs) })
    }
}

/// A value as a line of text.
fn line(value: &impl Serialize) -> String {
    // The keys of these types are text, so they can always be written.
    serde_json::to_string(value).unwrap_or_default() + "\n"
}

impl PerformerRecording {
    /// A recording of these frames of a performer.
    pub fn new(skeleton: Arc<Skeleton>, rate_hz: Option<f64>, frames: Vec<PerformedFrame>) -> Self {
        Self { skeleton, rate_hz, frames, next: 0, report: Report::default() }
    }

    /// Reads a recording. A last line without end was being written when the performance was killed; it is left out and reported.
    ///
    /// # Errors
    /// If a line is not valid, with its number.
    pub fn from_text(text: &str) -> Result<Self> {
        let invalid =
            |line: usize, problem: String| LiveError::Line { name: "the recording".into(), line, problem };
        let (whole, rest) = match text.rfind('\n') {
            Some(end) => text.split_at(end + 1),
            None => ("", text),
        };
        let mut lines = whole.lines().enumerate();
        let first = lines.next().map_or(rest, |(_, first)| first);
        let PerformerLine { rate_hz, skeleton } =
            serde_json::from_str(first).map_err(|error| invalid(1, error.to_string()))?;
        if rate_hz.is_some_and(|rate_hz| !(rate_hz.is_finite() && rate_hz > 0.0)) {
            return Err(invalid(1, "the rate is not a positive number".into()));
        }
        let mut frames = Vec::new();
        for (number, text) in lines {
            let frame: FrameLine =
                serde_json::from_str(text).map_err(|error| invalid(number + 1, error.to_string()))?;
            let other_body = || invalid(number + 1, "the frame is not of the performer's skeleton".into());
            frames.push(frame.into_frame(&skeleton).ok_or_else(other_body)?);
        }
        let mut recording = Self::new(Arc::new(skeleton), rate_hz, frames);
        if !rest.is_empty() {
            let place = Place::default().frame(recording.frames.len());
            recording.report.warn(&codes::CUT_OFF, place, "the last frame is not complete");
        }
        Ok(recording)
    }

    /// The recording as text.
    pub fn to_text(&self) -> String {
        let first = PerformerLine { rate_hz: self.rate_hz, skeleton: (*self.skeleton).clone() };
        self.frames.iter().fold(line(&first), |text, frame| text + &line(&FrameLine::of(frame)))
    }

    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.frames.len()
    }

    /// The performer's motion.
    ///
    /// # Errors
    /// If there is no frame, or one is not finite.
    pub fn clip(&self) -> Result<Clip> {
        let mut parts = ClipParts::default();
        self.frames.iter().for_each(|frame| parts.push(frame.pose.view()));
        Ok(Clip::new(self.skeleton.clone(), self.rate_hz.unwrap_or(UNEVEN_HZ), parts)?)
    }
}

impl Performer for PerformerRecording {
    fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    fn rate_hz(&self) -> Option<f64> {
        self.rate_hz
    }

    fn next_frame(&mut self, _: &CharacterState) -> Result<Option<PerformedFrame>> {
        let frame = self.frames.get(self.next).cloned();
        self.next += usize::from(frame.is_some());
        Ok(frame)
    }

    fn report(&self) -> Report {
        self.report.clone()
    }
}

/// Writes a recording into a file while a performer performs. Each frame is in the file when it was written: only a loss of power can
/// take it back, and the file is synced at the end.
#[derive(Debug)]
pub struct RecordingWriter {
    file: File,
}

impl RecordingWriter {
    /// Starts the recording of a performer.
    pub fn new(mut file: File, performer: &dyn Performer) -> std::io::Result<Self> {
        let first =
            PerformerLine { rate_hz: performer.rate_hz(), skeleton: (**performer.skeleton()).clone() };
        file.write_all(line(&first).as_bytes())?;
        Ok(Self { file })
    }

    /// Adds a frame.
    pub fn write(&mut self, frame: &PerformedFrame) -> std::io::Result<()> {
        self.file.write_all(line(&FrameLine::of(frame)).as_bytes())
    }

    /// Waits until the file is on the disk.
    pub fn finish(self) -> std::io::Result<()> {
        self.file.sync_all()
    }
}

#[cfg(test)]
mod tests {
    use marey_motion::Joint;

    use super::*;

    fn recording() -> PerformerRecording {
        let arm = Joint::new("arm", Some(0), Vec3::new(0.1, 0.2, 0.3));
        let skeleton = Skeleton::new(vec![Joint::new("root", None, Vec3::Y), arm], vec![]).unwrap();
        let frame = |number: usize| {
            let angle = 0.1 + number as f32 / 3.0;
            PerformedFrame {
                pose: LocalPose {
                    rotations: vec![Quat::from_rotation_y(angle), -Quat::from_rotation_x(angle)],
                    positions: vec![Vec3::new(angle, -0.0, 1e-9)],
                },
                closed: [Some(number.is_multiple_of(2)), None],
                secs: 1.0 / (57.0 + angle),
            }
        };
        PerformerRecording::new(Arc::new(skeleton), None, (0..20).map(frame).collect())
    }

    #[test]
    fn a_recording_reads_back_to_the_bit() {
        let recording = recording();
        let text = recording.to_text();
        let read = PerformerRecording::from_text(&text).unwrap();
        assert_eq!(read, recording);
        assert_eq!(read.to_text(), text);
        assert_eq!(read.frames[3].pose.positions[0].y.to_bits(), (-0.0f32).to_bits());
        let path = std::env::temp_dir().join(format!("marey-recording-{}.json", std::process::id()));
        let mut writer = RecordingWriter::new(File::create(&path).unwrap(), &recording).unwrap();
        recording.frames.iter().for_each(|frame| writer.write(frame).unwrap());
        writer.finish().unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_recording_that_was_cut_off_has_all_frames_before() {
        let text = recording().to_text();
        let first = text.find('\n').unwrap();
        for end in (first + 1..text.len()).step_by(97) {
            let cut = PerformerRecording::from_text(&text[..end]).unwrap();
            let lines = text[..end].matches('\n').count() - 1;
            assert_eq!(cut.frames(), lines);
            assert_eq!(cut.frames[..], recording().frames[..lines]);
            assert_eq!(cut.report.has(&codes::CUT_OFF), !text[..end].ends_with('\n'));
        }
    }

    #[test]
    fn invalid_lines_are_refused_with_their_number() {
        let text = recording().to_text();
        let code = |text: &str| PerformerRecording::from_text(text).unwrap_err().to_string();
        assert!(code("").contains("line 1"));
        assert!(code(&text.replacen("{\"skeleton\"", "{\"rate_hz\":-1,\"skeleton\"", 1)).contains("line 1"));
        let mut lines: Vec<&str> = text.lines().collect();
        lines[4] = "{\"secs\":1,\"closed\":[true,true],\"rotations\":[],\"positions\":[]}";
        assert!(code(&(lines.join("\n") + "\n")).contains("line 5"));
        lines[4] = "nothing";
        assert!(code(&(lines.join("\n") + "\n")).contains("line 5"));
    }
}
