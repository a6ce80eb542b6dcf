//! Filters a live stream: ignores invalid frames and smooths jumps.

use glam::{Quat, Vec3};
use marey_motion::{LocalPose, LocalPoseRef, Place, Report};

use crate::error::codes;

/// Filters the frames of a stream.
#[derive(Debug, Clone)]
pub(crate) struct StreamFilter {
    /// The last valid frame as it was received.
    raw: LocalPose,
    /// The filtered pose.
    pub(crate) pose: LocalPose,
    /// The decaying offset of the last jump, for each joint and each mover.
    rotation_offsets: Vec<Quat>,
    position_offsets: Vec<Vec3>,
    is_first_frame: bool,
    frame: usize,
    repeated_secs: f32,
    pub(crate) report: Report,
}

/// A change between two frames is a jump if it exceeds a constant plus a rate times the frame time.
const JUMP_RAD: f32 = 0.9;
const JUMP_RAD_PER_SEC: f32 = 30.0;
const JUMP_M: f32 = 0.3;
const JUMP_MPS: f32 = 12.0;
/// The decay rate of the offset of a jump, in 1/s.
const OFFSET_DECAY_PER_SEC: f32 = 9.0;
/// A stream that repeats a frame for this long has stalled, in seconds.
const STALL_SECS: f32 = 0.3;
/// The frame time that replaces an invalid one, in seconds.
const DEFAULT_FRAME_SECS: f32 = 1.0 / 60.0;
/// The largest valid coordinate, in metres.
const MAX_COORDINATE_M: f32 = 1000.0;

impl StreamFilter {
    pub(crate) fn new(rest: LocalPose) -> Self {
        let (joints, movers) = (rest.rotations.len(), rest.positions.len());
        Self {
            raw: rest.clone(),
            pose: rest,
            rotation_offsets: vec![Quat::IDENTITY; joints],
            position_offsets: vec![Vec3::ZERO; movers],
            is_first_frame: true,
            frame: 0,
            repeated_secs: 0.0,
            report: Report::default(),
        }
    }

    /// The frame time, or the default if it is invalid.
    pub(crate) fn valid_secs(&mut self, secs: f32) -> f32 {
        // False for NaN.
        let is_valid = secs > 1e-4 && secs <= 1.0;
        if !is_valid {
            let place = Place::default().frame(self.frame);
            self.report.warn(&codes::CLOCK, place, format!("{secs} s since the last frame"));
            return DEFAULT_FRAME_SECS;
        }
        secs
    }

    /// The number of the last frame.
    pub(crate) fn frame(&self) -> usize {
        self.frame.saturating_sub(1)
    }

    /// Accepts a frame and updates [`StreamFilter::pose`].
    pub(crate) fn accept(&mut self, pose: LocalPoseRef<'_>, secs: f32) {
        self.frame += 1;
        if !self.is_valid(&pose) {
            return self.repeat_last(secs);
        }
        let is_same = pose.rotations == self.raw.rotations && pose.positions == self.raw.positions;
        self.count_repeated(is_same && !self.is_first_frame, secs);
        if !self.is_first_frame && self.jumps(&pose, secs) {
            let place = Place::default().frame(self.frame - 1);
            self.report.warn(&codes::JUMP, place, "the pose jumped between two frames");
            let rotations = self.pose.rotations.iter().zip(pose.rotations);
            for (offset, (old, new)) in self.rotation_offsets.iter_mut().zip(rotations) {
                *offset = shortest(*old * new.inverse());
            }
            let positions = self.pose.positions.iter().zip(pose.positions);
            for (offset, (old, new)) in self.position_offsets.iter_mut().zip(positions) {
                *offset = *old - *new;
            }
        }
        self.raw.rotations.copy_from_slice(pose.rotations);
        self.raw.positions.copy_from_slice(pose.positions);
        self.is_first_frame = false;
        self.apply_offsets(secs);
    }

    /// Repeats the last frame because none was received.
    pub(crate) fn repeat_last(&mut self, secs: f32) {
        self.count_repeated(true, secs);
        self.apply_offsets(secs);
    }

    /// Reports a frame of another skeleton.
    pub(crate) fn report_skeleton(&mut self, joints: usize) {
        let message = format!("{joints} joints, but the session has {}", self.raw.rotations.len());
        self.report.warn(&codes::SKELETON, Place::default().frame(self.frame.saturating_sub(1)), message);
    }

    /// Reports once that hands grip without fingers.
    pub(crate) fn report_no_fingers(&mut self) {
        if !self.report.has(&codes::NO_FINGERS) {
            let place = Place::default().frame(self.frame());
            self.report.warn(&codes::NO_FINGERS, place, "hands grip by keeping still near a feature");
        }
    }

    /// Reports that a pose does not meet its constraints.
    pub(crate) fn report_unsolved(&mut self, error_m: f32) {
        let place = Place::default().frame(self.frame.saturating_sub(1));
        self.report.warn(
            &codes::UNSOLVED,
            place,
            format!("a hand or foot is {:.1} cm from its hold", 100.0 * error_m),
        );
    }

    /// Reports that the centre of mass had to be moved.
    pub(crate) fn report_centre_shift(&mut self, shift_m: f32) {
        let place = Place::default().frame(self.frame.saturating_sub(1));
        self.report.warn(
            &codes::GAVE_WAY,
            place,
            format!("the centre of mass moved by {:.1} cm", 100.0 * shift_m),
        );
    }

    /// Whether all numbers are finite and in range.
    fn is_valid(&mut self, pose: &LocalPoseRef<'_>) -> bool {
        if pose.rotations.len() != self.raw.rotations.len()
            || pose.positions.len() != self.raw.positions.len()
        {
            self.report_skeleton(pose.rotations.len());
            return false;
        }
        let is_unit = |q: &Quat| (q.length_squared() - 1.0).abs() < 0.1;
        let is_in_range = |p: &Vec3| p.is_finite() && p.abs().max_element() < MAX_COORDINATE_M;
        let is_valid = pose.rotations.iter().all(is_unit) && pose.positions.iter().all(is_in_range);
        if !is_valid {
            let place = Place::default().frame(self.frame - 1);
            self.report.warn(
                &codes::NOT_FINITE,
                place,
                "a rotation or position is not finite or out of range",
            );
        }
        is_valid
    }

    fn jumps(&self, pose: &LocalPoseRef<'_>, secs: f32) -> bool {
        let turned = self.raw.rotations.iter().zip(pose.rotations).any(|(old, new)| {
            // The angle is 2 acos |dot|; comparing cosines avoids the arc cosine.
            let max_half_angle = 0.5 * (JUMP_RAD + JUMP_RAD_PER_SEC * secs).min(3.0);
            old.dot(*new).abs() < max_half_angle.cos()
        });
        let moved = self.raw.positions.iter().zip(pose.positions);
        turned || moved.into_iter().any(|(old, new)| old.distance(*new) > JUMP_M + JUMP_MPS * secs)
    }

    fn count_repeated(&mut self, is_repeated: bool, secs: f32) {
        let before = self.repeated_secs;
        self.repeated_secs = if is_repeated { before + secs } else { 0.0 };
        if before < STALL_SECS && self.repeated_secs >= STALL_SECS {
            let place = Place::default().frame(self.frame.saturating_sub(1));
            self.report.warn(&codes::STALLED, place, "no new frame arrived");
        }
    }

    /// Sets the filtered pose: the last frame plus the decaying offset of the last jump.
    fn apply_offsets(&mut self, secs: f32) {
        let decay = (-OFFSET_DECAY_PER_SEC * secs).exp();
        for ((pose, raw), offset) in
            self.pose.rotations.iter_mut().zip(&self.raw.rotations).zip(&mut self.rotation_offsets)
        {
            if *offset != Quat::IDENTITY {
                *offset = Quat::IDENTITY.slerp(*offset, decay);
                if offset.w > 0.999_999 {
                    *offset = Quat::IDENTITY;
                }
            }
            *pose = (*offset * *raw).normalize();
        }
        for ((pose, raw), offset) in
            self.pose.positions.iter_mut().zip(&self.raw.positions).zip(&mut self.position_offsets)
        {
            *offset *= decay;
            *pose = *raw + *offset;
        }
    }
}

/// The quaternion of the same rotation with w ≥ 0, which is the shortest way around.
pub(crate) fn shortest(rotation: Quat) -> Quat {
    if rotation.w < 0.0 { -rotation } else { rotation }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pose(angle: f32, x: f32) -> LocalPose {
        LocalPose { rotations: vec![Quat::from_rotation_x(angle)], positions: vec![Vec3::X * x] }
    }

    #[test]
    fn invalid_frames_are_ignored_and_reported() {
        let mut filter = StreamFilter::new(pose(0.0, 0.0));
        let secs = 1.0 / 60.0;
        filter.accept(pose(0.1, 0.0).view(), secs);
        filter.accept(pose(f32::NAN, 0.0).view(), secs);
        filter.accept(pose(0.1, f32::INFINITY).view(), secs);
        let two = LocalPose { rotations: vec![Quat::IDENTITY; 2], positions: vec![Vec3::ZERO] };
        filter.accept(two.view(), secs);
        assert_eq!(filter.pose.rotations[0], Quat::from_rotation_x(0.1).normalize());
        assert_eq!(filter.report.codes(), ["perform/not-finite", "perform/skeleton"]);
        assert_eq!(filter.report.warnings()[0].place.frame, Some(1));
        for wrong in [0.0, -1.0, f32::NAN, 7.0] {
            assert_eq!(filter.valid_secs(wrong), 1.0 / 60.0);
        }
        assert!(filter.report.has(&codes::CLOCK));
    }

    #[test]
    fn jumps_are_smoothed_and_a_stall_is_reported_once() {
        let mut filter = StreamFilter::new(pose(0.0, 0.0));
        let secs = 1.0 / 60.0;
        filter.accept(pose(0.0, 0.0).view(), secs);
        let mut last = 0.0;
        for frame in 0..60 {
            filter.accept(pose(2.5, 3.0).view(), secs);
            let (_, angle) = filter.pose.rotations[0].to_axis_angle();
            assert!(angle - last < 0.5, "{frame}: {last} {angle}");
            last = angle;
        }
        assert!((last - 2.5).abs() < 0.02 && (filter.pose.positions[0].x - 3.0).abs() < 0.02);
        assert_eq!(filter.report.codes(), ["perform/jump", "perform/stalled"]);
        assert_eq!(filter.report.warnings()[1].count, 1);
    }
}
