//! Filters a live stream: rejects invalid frames and smooths jumps.

use glam::{Quat, Vec3};
use marey_motion::{LocalPose, LocalPoseRef, Place, Report};

use crate::error::codes;

/// Filters the frames of a stream.
#[derive(Debug, Clone)]
pub(crate) struct Guard {
    /// The last valid frame as it was received.
    raw: LocalPose,
    /// The filtered pose.
    pub(crate) pose: LocalPose,
    /// The decaying offset of the last jump: rotations of joints, translations of movers.
    turns: Vec<Quat>,
    shifts: Vec<Vec3>,
    fresh: bool,
    frame: usize,
    repeated_secs: f32,
    pub(crate) report: Report,
}

/// Larger changes between two frames are jumps: a constant part, and a part per second between the frames.
const JUMP_RAD: f32 = 0.9;
const JUMP_RAD_PER_SEC: f32 = 30.0;
const JUMP_M: f32 = 0.3;
const JUMP_MPS: f32 = 12.0;
/// The decay rate of jumps, in 1/s.
const EASE_PER_SEC: f32 = 9.0;
/// A stream that repeats a frame for this long has stalled, in seconds.
const STALL_SECS: f32 = 0.3;
/// The frame time that replaces an invalid one, in seconds.
const USUAL_SECS: f32 = 1.0 / 60.0;
/// The largest valid coordinate, in metres.
const FARTHEST_M: f32 = 1000.0;

impl Guard {
    pub(crate) fn new(rest: LocalPose) -> Self {
        let (joints, movers) = (rest.rotations.len(), rest.positions.len());
        Self {
            raw: rest.clone(),
            pose: rest,
            turns: vec![Quat::IDENTITY; joints],
            shifts: vec![Vec3::ZERO; movers],
            fresh: true,
            frame: 0,
            repeated_secs: 0.0,
            report: Report::default(),
        }
    }

    /// The frame time, replaced if it is invalid.
    pub(crate) fn secs(&mut self, secs: f32) -> f32 {
        // False for NaN.
        let possible = secs > 1e-4 && secs <= 1.0;
        if !possible {
            let place = Place::default().frame(self.frame);
            self.report.warn(&codes::CLOCK, place, format!("{secs} s since the last frame"));
            return USUAL_SECS;
        }
        secs
    }

    /// Takes a frame; [`Guard::pose`] is then the filtered pose.
    pub(crate) fn take(&mut self, pose: LocalPoseRef<'_>, secs: f32) {
        self.frame += 1;
        if !self.is_whole(&pose) {
            return self.wait(secs);
        }
        let same = pose.rotations == self.raw.rotations && pose.positions == self.raw.positions;
        self.repeat(same && !self.fresh, secs);
        if !self.fresh && self.jumps(&pose, secs) {
            let place = Place::default().frame(self.frame - 1);
            self.report.warn(&codes::JUMP, place, "the pose jumped between two frames");
            let turns = self.turns.iter_mut().zip(self.pose.rotations.iter().zip(pose.rotations));
            turns.for_each(|(turn, (old, new))| *turn = near(*old * new.inverse()));
            let shifts = self.shifts.iter_mut().zip(self.pose.positions.iter().zip(pose.positions));
            shifts.for_each(|(shift, (old, new))| *shift = *old - *new);
        }
        self.raw.rotations.copy_from_slice(pose.rotations);
        self.raw.positions.copy_from_slice(pose.positions);
        self.fresh = false;
        self.ease(secs);
    }

    /// Repeats the last frame, because none was received.
    pub(crate) fn wait(&mut self, secs: f32) {
        self.repeat(true, secs);
        self.ease(secs);
    }

    /// Reports a frame of another skeleton.
    pub(crate) fn refuse_skeleton(&mut self, joints: usize) {
        let message = format!("{joints} joints, but the session has {}", self.raw.rotations.len());
        self.report.warn(&codes::SKELETON, Place::default().frame(self.frame.saturating_sub(1)), message);
    }

    /// Reports a pose that does not meet its constraints.
    pub(crate) fn tell_unsolved(&mut self, error_m: f32) {
        let place = Place::default().frame(self.frame.saturating_sub(1));
        self.report.warn(
            &codes::UNSOLVED,
            place,
            format!("a limb end is {:.1} cm from its hold", 100.0 * error_m),
        );
    }

    /// Reports a centre of mass that had to be moved.
    pub(crate) fn tell_gave_way(&mut self, gave_m: f32) {
        let place = Place::default().frame(self.frame.saturating_sub(1));
        self.report.warn(
            &codes::GAVE_WAY,
            place,
            format!("the centre of mass moved by {:.1} cm", 100.0 * gave_m),
        );
    }

    /// Whether all numbers are finite and in range.
    fn is_whole(&mut self, pose: &LocalPoseRef<'_>) -> bool {
        if pose.rotations.len() != self.raw.rotations.len()
            || pose.positions.len() != self.raw.positions.len()
        {
            self.refuse_skeleton(pose.rotations.len());
            return false;
        }
        let unit = |q: &Quat| (q.length_squared() - 1.0).abs() < 0.1;
        let near = |p: &Vec3| p.is_finite() && p.abs().max_element() < FARTHEST_M;
        let whole = pose.rotations.iter().all(unit) && pose.positions.iter().all(near);
        if !whole {
            let place = Place::default().frame(self.frame - 1);
            self.report.warn(
                &codes::NOT_FINITE,
                place,
                "a rotation or position is not finite or out of range",
            );
        }
        whole
    }

    fn jumps(&self, pose: &LocalPoseRef<'_>, secs: f32) -> bool {
        let turned = self.raw.rotations.iter().zip(pose.rotations).any(|(old, new)| {
            // The angle is 2 acos |dot|; comparing cosines avoids the arc cosine.
            let most = 0.5 * (JUMP_RAD + JUMP_RAD_PER_SEC * secs).min(3.0);
            old.dot(*new).abs() < most.cos()
        });
        let moved = self.raw.positions.iter().zip(pose.positions);
        turned || moved.into_iter().any(|(old, new)| old.distance(*new) > JUMP_M + JUMP_MPS * secs)
    }

    fn repeat(&mut self, same: bool, secs: f32) {
        let before = self.repeated_secs;
        self.repeated_secs = if same { before + secs } else { 0.0 };
        if before < STALL_SECS && self.repeated_secs >= STALL_SECS {
            let place = Place::default().frame(self.frame.saturating_sub(1));
            self.report.warn(&codes::STALLED, place, "no new frame arrived");
        }
    }

    /// The filtered pose: the last frame with the decaying offset of the last jump.
    fn ease(&mut self, secs: f32) {
        let left = (-EASE_PER_SEC * secs).exp();
        for ((pose, raw), turn) in
            self.pose.rotations.iter_mut().zip(&self.raw.rotations).zip(&mut self.turns)
        {
            if *turn != Quat::IDENTITY {
                *turn = Quat::IDENTITY.slerp(*turn, left);
                if turn.w > 0.999_999 {
                    *turn = Quat::IDENTITY;
                }
            }
            *pose = (*turn * *raw).normalize();
        }
        for ((pose, raw), shift) in
            self.pose.positions.iter_mut().zip(&self.raw.positions).zip(&mut self.shifts)
        {
            *shift *= left;
            *pose = *raw + *shift;
        }
    }
}

/// The sign that makes a quaternion the shorter rotation.
pub(crate) fn near(turn: Quat) -> Quat {
    if turn.w < 0.0 { -turn } else { turn }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pose(angle: f32, x: f32) -> LocalPose {
        LocalPose { rotations: vec![Quat::from_rotation_x(angle)], positions: vec![Vec3::X * x] }
    }

    #[test]
    fn what_cannot_be_is_kept_out_and_told() {
        let mut guard = Guard::new(pose(0.0, 0.0));
        let secs = 1.0 / 60.0;
        guard.take(pose(0.1, 0.0).view(), secs);
        guard.take(pose(f32::NAN, 0.0).view(), secs);
        guard.take(pose(0.1, f32::INFINITY).view(), secs);
        let two = LocalPose { rotations: vec![Quat::IDENTITY; 2], positions: vec![Vec3::ZERO] };
        guard.take(two.view(), secs);
        assert_eq!(guard.pose.rotations[0], Quat::from_rotation_x(0.1).normalize());
        assert_eq!(guard.report.codes(), ["perform/not-finite", "perform/skeleton"]);
        assert_eq!(guard.report.warnings()[0].place.frame, Some(1));
        for wrong in [0.0, -1.0, f32::NAN, 7.0] {
            assert_eq!(guard.secs(wrong), 1.0 / 60.0);
        }
        assert!(guard.report.has(&codes::CLOCK));
    }

    #[test]
    fn jumps_are_eased_over_and_stalls_told_once() {
        let mut guard = Guard::new(pose(0.0, 0.0));
        let secs = 1.0 / 60.0;
        guard.take(pose(0.0, 0.0).view(), secs);
        let mut last = 0.0;
        for frame in 0..60 {
            guard.take(pose(2.5, 3.0).view(), secs);
            let (_, angle) = guard.pose.rotations[0].to_axis_angle();
            assert!(angle - last < 0.5, "{frame}: {last} {angle}");
            last = angle;
        }
        assert!((last - 2.5).abs() < 0.02 && (guard.pose.positions[0].x - 3.0).abs() < 0.02);
        assert_eq!(guard.report.codes(), ["perform/jump", "perform/stalled"]);
        assert_eq!(guard.report.warnings()[1].count, 1);
    }
}
