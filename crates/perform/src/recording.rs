//! A recorded performer: poses, states of the hands, and the calibration.

use marey_motion::{Clip, LocalPose, PointClip, Report, Skeleton};

use crate::Result;
use crate::calibration::Calibration;
use crate::fingers::Fingers;
use crate::marker_set::MarkerSet;
use crate::marker_solver::MarkerSolver;
use crate::session::PerformSession;

/// The poses of a performer, with the state of the hands and the calibration.
#[derive(Debug, Clone)]
pub struct Recording {
    /// Poses of the performer.
    pub poses: Vec<LocalPose>,
    /// Whether the left and the right hand are closed, frame by frame; `None` if the capture does not show it.
    pub closed: Vec<[Option<bool>; 2]>,
    /// Frames per second.
    pub rate_hz: f64,
    /// The calibration.
    pub calibration: Calibration,
    /// Warnings about lost markers.
    pub report: Report,
}

impl Recording {
    /// The number of first frames that calibrate a performer: half a second at 60 Hz.
    pub const OPENING: usize = 30;

    /// A recording of a clip. A hand with bent fingers counts as closed. Fingers that never move were not captured.
    ///
    /// ```
    /// use marey_examples::playground::{PlaygroundSettings, stream};
    /// use marey_perform::Recording;
    /// let stream = stream(&PlaygroundSettings::default())?;
    /// let whole = Recording::of_clip(stream.example.take.first())?;
    /// assert_eq!(whole.poses.len(), whole.closed.len());
    /// // The same performer by the reduced marker set.
    /// let skeleton = marey_body::BodyProportions::default().skeleton()?;
    /// let reduced = Recording::of_points(&stream.markers, &skeleton)?;
    /// assert!((reduced.calibration.height_m() - whole.calibration.height_m()).abs() < 0.05);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_clip(clip: &Clip) -> Result<Self> {
        let fingers = Fingers::captured(clip);
        let poses: Vec<LocalPose> = clip.poses().map(|pose| pose.to_owned()).collect();
        let closed = poses.iter().map(|pose| fingers.closed(pose.view())).collect();
        let calibration = Calibration::of(clip.skeleton().clone(), poses.iter().take(Self::OPENING))?;
        Ok(Self { poses, closed, rate_hz: clip.rate_hz(), calibration, report: Report::default() })
    }

    /// A recording of markers of hands, feet and waist, for a performer with the proportions of a skeleton. A hand whose palm marker is
    /// hidden counts as closed.
    pub fn of_points(points: &PointClip, skeleton: &Skeleton) -> Result<Self> {
        let set = MarkerSet::of(points)?;
        let standing: Vec<_> =
            (0..points.frames().min(Self::OPENING)).map(|frame| set.at(points, frame)).collect();
        let mut solver = MarkerSolver::calibrate(skeleton, &standing)?;
        let mut last = [None; 2];
        let (mut poses, mut closed) = (Vec::new(), Vec::new());
        for frame in 0..points.frames() {
            poses.push(solver.solve(&set.at(points, frame)).clone());
            let visible = set.closed(points, frame);
            last = [0, 1].map(|side| visible[side].or(last[side]));
            closed.push(last);
        }
        let calibration = Calibration::of(solver.skeleton().clone(), poses.iter().take(Self::OPENING))?;
        let report = solver.report().clone();
        Ok(Self { poses, closed, rate_hz: points.rate_hz(), calibration, report })
    }

    /// Steps a session through all frames and calls `observe` after each.
    pub fn perform(&self, session: &mut PerformSession, mut observe: impl FnMut(usize, &mut PerformSession)) {
        let secs = (1.0 / self.rate_hz) as f32;
        for (frame, (pose, closed)) in self.poses.iter().zip(&self.closed).enumerate() {
            session.step(pose.view(), *closed, secs);
            observe(frame, session);
        }
    }
}
