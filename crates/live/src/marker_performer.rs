//! A performer that is posed by markers.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use marey_body::BodyProportions;
use marey_motion::{Place, Report, Role, Skeleton, Vec3, WorldPose};
use marey_perform::{CharacterState, MarkerSolver, Markers};

use crate::finger_watch::FingerWatch;
use crate::stated_body::stated_body;
use crate::stream_conventions::StreamConventions;
use crate::{
    LiveError, MarkerFrame, MarkerRead, PerformedFrame, Performer, Result, StreamHeader, StreamTime, codes,
};

/// The frame time if the stream states none, in seconds.
const DEFAULT_SECS: f64 = 1.0 / 60.0;
/// Longer intervals are gaps, in seconds: the performer keeps the pose for that time.
const GAP_SECS: f64 = 0.25;
/// The longest gap that is performed, in seconds.
const MAX_GAP_SECS: f64 = 10.0;

/// A performer that is posed by markers of any number of joints.
pub struct MarkerPerformer<'a> {
    solver: MarkerSolver,
    source: Box<dyn FnMut() -> Result<MarkerRead> + 'a>,
    rate_hz: Option<f64>,
    opening: VecDeque<MarkerFrame>,
    conventions: StreamConventions,
    clock: StreamClock,
    /// The frames of a gap that are still to be performed, and the markers before and after it.
    gap_frames: usize,
    last: ShownFrame,
    after_gap: Option<ShownFrame>,
    /// Scratch: the pose in the world.
    world: WorldPose,
    fingers: FingerWatch,
    unknown: BTreeMap<String, usize>,
    frames: usize,
    report: Report,
}

/// What a frame shows of the performer.
#[derive(Debug, Clone, Copy, Default)]
struct ShownFrame {
    markers: Markers,
    /// The height of the lowest point of the body, if the hips have no position.
    lowest_m: Option<f32>,
    closed: [Option<bool>; 2],
}

/// The time of the last frame, for streams of timestamps.
#[derive(Debug, Clone, Copy, Default)]
struct StreamClock {
    last: Option<f64>,
}

impl StreamClock {
    /// The time since the last frame; `None` if a timestamp does not grow.
    fn interval(&mut self, time: StreamTime, secs: Option<f64>) -> Option<f64> {
        let secs = match (time, secs) {
            (_, None) => return Some(DEFAULT_SECS),
            (StreamTime::Intervals, Some(secs)) => return Some(secs),
            (StreamTime::Timestamps, Some(secs)) => secs,
        };
        let interval = self.last.map_or(DEFAULT_SECS, |last| secs - last);
        if interval > 0.0 {
            self.last = Some(secs);
        }
        (interval > 0.0).then_some(interval)
    }
}

impl<'a> MarkerPerformer<'a> {
    /// The number of frames that measure the performer and settle the conventions of the stream.
    pub const OPENING: usize = 30;

    /// Measures the performer by the first frames of `source` that show the hips and both feet, whatever the pose. They are performed
    /// first.
    ///
    /// # Errors
    /// If the source fails, or ends before it shows the performer.
    pub fn new(mut source: impl FnMut() -> Result<MarkerRead> + 'a) -> Result<Self> {
        let (mut opening, mut header) = (Vec::new(), StreamHeader::default());
        let (mut report, mut unusable) = (Report::default(), Unusable::default());
        let mut lines = 0;
        while opening.len() < Self::OPENING {
            match source()? {
                MarkerRead::Frame(frame) if shows_body(&frame) => opening.push(frame),
                MarkerRead::Frame(frame) => unusable.add(frame),
                MarkerRead::Header(stated) => header = stated,
                MarkerRead::Skipped { line, problem } => report_skipped(&mut report, line, problem),
                MarkerRead::Dropped { count, problem } => report_dropped(&mut report, count, problem),
                MarkerRead::Pending | MarkerRead::Reconnected => continue,
                MarkerRead::End => break,
            }
            lines += 1;
        }
        if opening.is_empty() {
            let mut seen = String::new();
            if !unusable.names.is_empty() {
                seen += &format!("; its joints are: {}", unusable.names.join(", "));
            }
            if let Some(skipped) = report.warnings().first() {
                seen += &format!("; a line was skipped: {}", skipped.message);
            }
            return Err(LiveError::NoPerformer { lines, seen });
        }
        if unusable.frames > 0 {
            let message = "the stream began with frames without hips or feet";
            report.warn_many(&codes::NOT_VISIBLE, Place::default().frame(0), unusable.frames, message);
        }
        let conventions = StreamConventions::settle(&header, &opening, &mut report);
        let skeleton = BodyProportions::default().skeleton()?;
        let solver = match stated_body(&skeleton, &opening, &conventions, &mut report)? {
            Some(stated) => MarkerSolver::new(stated)?,
            None => {
                let markers =
                    opening.iter().map(|frame| conventions.markers(frame, &skeleton, &mut BTreeMap::new()));
                MarkerSolver::calibrate(&skeleton, &markers.collect::<Vec<_>>())?
            }
        };
        Ok(Self {
            world: WorldPose::scratch(solver.skeleton()),
            fingers: FingerWatch::new(solver.skeleton()),
            solver,
            source: Box::new(source),
            rate_hz: None,
            opening: opening.into(),
            conventions,
            clock: StreamClock::default(),
            gap_frames: 0,
            last: ShownFrame::default(),
            after_gap: None,
            unknown: BTreeMap::new(),
            frames: 0,
            report,
        })
    }

    /// The same performer with a body that was measured before.
    ///
    /// # Errors
    /// If the skeleton is not that of a human.
    pub fn with_body(mut self, skeleton: Arc<Skeleton>) -> Result<Self> {
        self.solver = MarkerSolver::new(skeleton)?;
        self.world = WorldPose::scratch(self.solver.skeleton());
        self.fingers = FingerWatch::new(self.solver.skeleton());
        Ok(self)
    }

    /// The last frame that measured the performer.
    pub(crate) fn last_opening(&self) -> Option<&MarkerFrame> {
        self.opening.back()
    }

    /// The same performer, whose frames after the first come from another source.
    pub(crate) fn continued_by<'b>(
        self,
        source: impl FnMut() -> Result<MarkerRead> + 'b,
        rate_hz: Option<f64>,
    ) -> MarkerPerformer<'b> {
        MarkerPerformer { source: Box::new(source), rate_hz, ..self }
    }

    /// The next frame of the stream; `None` at its end.
    fn next_marker_frame(&mut self) -> Result<Option<MarkerFrame>> {
        loop {
            if let Some(frame) = self.opening.pop_front() {
                return Ok(Some(frame));
            }
            match (self.source)()? {
                MarkerRead::Frame(frame) => return Ok(Some(frame)),
                MarkerRead::Header(header) => {
                    self.conventions.restate(&header, &mut self.report);
                    self.clock = StreamClock::default();
                }
                MarkerRead::Skipped { line, problem } => report_skipped(&mut self.report, line, problem),
                MarkerRead::Dropped { count, problem } => report_dropped(&mut self.report, count, problem),
                MarkerRead::Reconnected => {
                    self.clock = StreamClock::default();
                    let place = Place::default().frame(self.frames);
                    self.report.warn(&codes::RECONNECTED, place, "the connection was lost and opened again");
                }
                MarkerRead::Pending => {}
                MarkerRead::End => return Ok(None),
            }
        }
    }

    /// What a frame shows. Hips without a position are above the root, until their height is known.
    fn shown(&mut self, frame: &MarkerFrame) -> ShownFrame {
        let mut markers = self.conventions.markers(frame, self.solver.skeleton(), &mut self.unknown);
        let root = frame.root.filter(|_| markers.point(Role::Hips).is_none());
        let root = root.map(|root| self.conventions.position(root)).filter(|root| root.is_finite());
        if let Some(root) = root {
            let standing_m = self.solver.skeleton().offsets().first().map_or(0.0, |offset| offset.y);
            markers.set_point(Role::Hips, root + standing_m * Vec3::Y);
        }
        ShownFrame { markers, lowest_m: root.map(|root| root.y), closed: frame.closed }
    }

    fn performed(&mut self, shown: ShownFrame, secs: f64) -> PerformedFrame {
        self.last = shown;
        self.frames += 1;
        let mut pose = self.solver.solve(&shown.markers).clone();
        if let Some((lowest_m, root)) = shown.lowest_m.zip(pose.positions.first_mut()) {
            self.world.set(self.solver.pose().view());
            root.y += lowest_m - self.world.lowest();
        }
        let closed = self.fingers.closed(shown.closed, &shown.markers, pose.view());
        PerformedFrame { pose, closed, secs: secs as f32 }
    }
}

/// Frames that do not show the body.
#[derive(Default)]
struct Unusable {
    frames: usize,
    names: Vec<String>,
}

impl Unusable {
    fn add(&mut self, frame: MarkerFrame) {
        self.frames += 1;
        for name in frame.points.into_keys().chain(frame.rotations.into_keys()) {
            if self.names.len() < 16 && !self.names.contains(&name) {
                self.names.push(name);
            }
        }
    }
}

/// Whether a frame shows the waist and the feet, or the waist and the rotation of the hips.
fn shows_body(frame: &MarkerFrame) -> bool {
    let has = |role: Role| frame.points.keys().any(|name| name.eq_ignore_ascii_case(role.name()));
    let is_turned = frame.rotations.keys().any(|name| name.eq_ignore_ascii_case(Role::Hips.name()));
    let has_waist = has(Role::Hips) || has(Role::LeftUpperLeg) && has(Role::RightUpperLeg);
    let has_waist = has_waist || frame.root.is_some();
    has_waist && (has(Role::LeftFoot) && has(Role::RightFoot) || is_turned)
}

fn report_skipped(report: &mut Report, line: usize, problem: String) {
    report.warn(&codes::SKIPPED, Place::default().line(line), problem);
}

fn report_dropped(report: &mut Report, count: usize, problem: String) {
    report.warn_many(&codes::DROPPED, Place::default(), count, problem);
}

impl Performer for MarkerPerformer<'_> {
    fn skeleton(&self) -> &Arc<Skeleton> {
        self.solver.skeleton()
    }

    fn rate_hz(&self) -> Option<f64> {
        self.rate_hz
    }

    fn next_frame(&mut self, _: &CharacterState) -> Result<Option<PerformedFrame>> {
        loop {
            if self.gap_frames > 0 {
                self.gap_frames -= 1;
                let last = self.last;
                return Ok(Some(self.performed(last, DEFAULT_SECS)));
            }
            if let Some(shown) = self.after_gap.take() {
                return Ok(Some(self.performed(shown, DEFAULT_SECS)));
            }
            let Some(frame) = self.next_marker_frame()? else { return Ok(None) };
            let place = Place::default().frame(self.frames);
            let Some(secs) = self.clock.interval(self.conventions.time, frame.secs) else {
                self.report.warn(&codes::OUT_OF_ORDER, place, "a frame is not later than the one before");
                continue;
            };
            for key in frame.unknown.iter().take(16) {
                self.report.warn(&codes::UNKNOWN_KEY, place.clone(), format!("{key} has no meaning"));
            }
            let before: usize = self.unknown.values().sum();
            let shown = self.shown(&frame);
            let unknown = self.unknown.values().sum::<usize>() - before;
            if unknown > 0 {
                let names: Vec<&str> = self.unknown.keys().map(String::as_str).collect();
                let message = format!("no joint has the role {}", names.join(", "));
                self.report.warn_many(&codes::UNKNOWN_JOINT, place.clone(), unknown, message);
            }
            if secs > GAP_SECS && self.frames > 0 {
                let message = format!("no frame for {secs:.1} s");
                self.report.warn(&codes::GAP, place, message);
                self.gap_frames = (secs.min(MAX_GAP_SECS) / DEFAULT_SECS) as usize;
                self.after_gap = Some(shown);
                continue;
            }
            return Ok(Some(self.performed(shown, secs)));
        }
    }

    fn report(&self) -> Report {
        let mut report = self.report.clone();
        report.absorb(self.solver.report().clone());
        report
    }
}
