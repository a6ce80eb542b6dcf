//! A recorded performer.

use marey_motion::{Clip, LocalPose, PointClip, Report, Skeleton};

use crate::Result;
use crate::calibration::Calibration;
use crate::channels::{Fingers, MarkerSet};
use crate::puppet::Puppet;
use crate::session::PerformSession;

/// The poses of a performer, with the state of the hands and the calibration.
#[derive(Debug, Clone)]
pub struct Recording {
    /// Poses of the performer.
    pub poses: Vec<LocalPose>,
    /// Whether the left and the right hand are closed, frame by frame.
    pub closed: Vec<[bool; 2]>,
    /// Frames per second.
    pub rate_hz: f64,
    /// The calibration.
    pub calibration: Calibration,
    /// Warnings about lost markers.
    pub report: Report,
}

impl Recording {
    /// The number of frames at the beginning that calibrate a performer: half a second at 60 Hz.
    pub const STANDING: usize = 30;

    /// A recording of a skeleton. Bent fingers are closed hands.
    ///
    /// ```
    /// use marey_examples::playground::{PlaygroundSettings, stream};
    /// use marey_perform::Recording;
    /// let stream = stream(&PlaygroundSettings::default())?;
    /// let seen = Recording::of_clip(stream.example.take.first())?;
    /// assert_eq!(seen.poses.len(), seen.closed.len());
    /// // Of the same performer, the reduced set of markers.
    /// let skeleton = marey_body::BodyProportions::default().skeleton()?;
    /// let reduced = Recording::of_points(&stream.markers, &skeleton)?;
    /// assert!((reduced.calibration.height_m() - seen.calibration.height_m()).abs() < 0.05);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_clip(clip: &Clip) -> Result<Self> {
        let fingers = Fingers::of(clip.skeleton());
        let poses: Vec<LocalPose> = clip.poses().map(|pose| pose.to_owned()).collect();
        let closed = poses.iter().map(|pose| fingers.closed(pose.view())).collect();
        let calibration = Calibration::of(clip.skeleton().clone(), poses.iter().take(Self::STANDING))?;
        Ok(Self { poses, closed, rate_hz: clip.rate_hz(), calibration, report: Report::default() })
    }

    /// A recording of markers of hands, feet and waist, for a performer with the proportions of a skeleton. A hand whose palm marker is
    /// hidden is closed.
    pub fn of_points(points: &PointClip, skeleton: &Skeleton) -> Result<Self> {
        let set = MarkerSet::of(points)?;
        let standing: Vec<_> =
            (0..points.frames().min(Self::STANDING)).map(|frame| set.at(points, frame)).collect();
        let mut puppet = Puppet::calibrate(skeleton, &standing)?;
        let mut last = [false; 2];
        let (mut poses, mut closed) = (Vec::new(), Vec::new());
        for frame in 0..points.frames() {
            poses.push(puppet.pose(&set.at(points, frame)).clone());
            let seen = set.closed(points, frame);
            last = [0, 1].map(|side| seen[side].unwrap_or(last[side]));
            closed.push(last);
        }
        let calibration = Calibration::of(puppet.skeleton().clone(), poses.iter().take(Self::STANDING))?;
        let report = puppet.report().clone();
        Ok(Self { poses, closed, rate_hz: points.rate_hz(), calibration, report })
    }

    /// Steps a session through all frames; calls `see` after each.
    pub fn perform(&self, session: &mut PerformSession, mut see: impl FnMut(usize, &mut PerformSession)) {
        let secs = (1.0 / self.rate_hz) as f32;
        for (frame, (pose, closed)) in self.poses.iter().zip(&self.closed).enumerate() {
            session.step(pose.view(), *closed, secs);
            see(frame, session);
        }
    }
}
