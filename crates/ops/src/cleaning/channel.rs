//! The rotations of one joint, or the positions of one mover, through a clip.

use std::ops::Range;

use glam::{Quat, Vec3};

/// Values that can be compared with the middle of their neighbours, and interpolated.
pub(super) trait ChannelValue: Copy {
    /// Distance of two values: radians or metres.
    fn distance(self, other: Self) -> f32;
    /// The value at a share of the way to another.
    fn between(self, other: Self, share: f32) -> Self;
    /// Whether the distance from the middle of two neighbours exceeds a limit. Called for every value of a clip.
    fn deviates(self, before: Self, after: Self, limit: f32) -> bool {
        self.distance(before.between(after, 0.5)) > limit
    }
}

impl ChannelValue for Quat {
    fn distance(self, other: Self) -> f32 {
        self.angle_between(other)
    }

    fn between(self, other: Self, share: f32) -> Self {
        self.slerp(other, share)
    }

    fn deviates(self, before: Self, after: Self, limit: f32) -> bool {
        // Without trigonometry: the cosine of half the angle, with a middle that is not of unit length.
        let middle = if before.dot(after) < 0.0 { before - after } else { before + after };
        let cos = (0.5 * limit).cos();
        let dot = self.dot(middle);
        dot * dot < cos * cos * middle.length_squared()
    }
}

impl ChannelValue for Vec3 {
    fn distance(self, other: Self) -> f32 {
        Vec3::distance(self, other)
    }

    fn between(self, other: Self, share: f32) -> Self {
        self.lerp(other, share)
    }
}

/// The number of frames from which the usual deviation is estimated.
const MOST_SAMPLES: usize = 400;

/// Every `stride`-th value of a flat array, from `offset` on.
pub(super) struct Channel<'a, T> {
    pub(super) values: &'a mut [T],
    pub(super) offset: usize,
    pub(super) stride: usize,
}

impl<T: ChannelValue> Channel<'_, T> {
    pub(super) fn frames(&self) -> usize {
        self.values.len() / self.stride
    }

    pub(super) fn at(&self, frame: usize) -> T {
        self.values[frame * self.stride + self.offset]
    }

    /// The median distance of a value from the middle of its neighbours, over some hundred frames; 0 for fewer than three frames.
    pub(super) fn median_deviation(&self) -> f32 {
        let inner = 1..self.frames().saturating_sub(1).max(1);
        let step = inner.len().div_ceil(MOST_SAMPLES).max(1);
        let deviation =
            |frame: usize| self.at(frame).distance(self.at(frame - 1).between(self.at(frame + 1), 0.5));
        let mut sampled: Vec<f32> = inner.step_by(step).map(deviation).collect();
        let middle = sampled.len() / 2;
        if sampled.is_empty() { 0.0 } else { *sampled.select_nth_unstable_by(middle, f32::total_cmp).1 }
    }

    /// The frames whose value deviates from the middle of its neighbours, in runs that are `join` or less apart.
    pub(super) fn deviations(&self, limit: f32, join: usize) -> Vec<Range<usize>> {
        let mut runs: Vec<Range<usize>> = Vec::new();
        for frame in 1..self.frames().saturating_sub(1) {
            if !self.at(frame).deviates(self.at(frame - 1), self.at(frame + 1), limit) {
                continue;
            }
            match runs.last_mut() {
                Some(last) if frame - last.end < join.max(1) => last.end = frame + 1,
                _ => runs.push(frame..frame + 1),
            }
        }
        runs
    }

    /// Speed per frame from the value before a range to the value after it; `None` at an end of the clip.
    pub(super) fn speed_across(&self, range: &Range<usize>) -> Option<f32> {
        let before = range.start.checked_sub(1)?;
        let after = Some(range.end).filter(|&frame| frame < self.frames())?;
        Some(self.at(before).distance(self.at(after)) / (range.len() + 1) as f32)
    }

    /// Replaces the values of a range, which must not touch an end of the clip, by interpolated ones.
    pub(super) fn interpolate(&mut self, range: &Range<usize>) {
        for frame in range.clone() {
            self.values[frame * self.stride + self.offset] = self.interpolated(range, frame);
        }
    }

    /// The largest change that [`interpolate`](Self::interpolate) would make.
    pub(super) fn change(&self, range: &Range<usize>) -> f32 {
        range
            .clone()
            .map(|frame| self.at(frame).distance(self.interpolated(range, frame)))
            .fold(0.0, f32::max)
    }

    fn interpolated(&self, range: &Range<usize>, frame: usize) -> T {
        let share = (frame + 1 - range.start) as f32 / (range.len() + 1) as f32;
        self.at(range.start - 1).between(self.at(range.end), share)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rotation() -> impl Strategy<Value = Quat> {
        (-1f32..1.0, -1f32..1.0, -1f32..1.0, 0.0f32..3.0).prop_map(|(x, y, z, angle)| {
            let axis = Vec3::new(x, y, z).try_normalize().unwrap_or(Vec3::X);
            Quat::from_axis_angle(axis, angle)
        })
    }

    proptest! {
        #[test]
        fn deviation_without_trigonometry_equals_the_angle(
            a in rotation(), b in rotation(), c in rotation(), limit in 0.05f32..1.5,
        ) {
            // Opposite neighbours have no middle.
            prop_assume!(a.angle_between(c) < 3.0);
            let angle = b.angle_between(a.slerp(c, 0.5));
            prop_assume!((angle - limit).abs() > 2e-3);
            prop_assert_eq!(b.deviates(a, c, limit), angle > limit);
        }
    }
}
