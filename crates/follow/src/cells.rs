//! The cells of the search table: each instance at each duration it may be stretched to, with its points.
//!
//! Section 4.3 of the paper indexes its table by the legal combinations of s and d; a cell is one of them. If the control
//! may start or end inside an instance, there are additional cells for parts of instances, which may only come first or
//! last.

use std::ops::Range;

use marey_motion::Vec3;

use crate::mapping::sample;
use crate::{FollowSettings, Mapping};

/// The range of the control in which a cell may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum CellPosition {
    Anywhere,
    /// The end of an instance; only at the start of the control.
    First,
    /// The beginning of an instance; only at the end of the control.
    Last,
}

/// An instance, or a part of one, stretched to a duration.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cell {
    pub(crate) instance: usize,
    /// Duration in frames of the working rate; the cell has one sample more.
    pub(crate) frames: usize,
    /// The example frames at which the cell begins and ends; may be fractional.
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) position: CellPosition,
    /// Offset of the stretched control in `Cells::control`.
    control_at: usize,
}

/// All cells and their points.
#[derive(Debug)]
pub(crate) struct Cells {
    pub(crate) all: Vec<Cell>,
    /// aₛᵈ of each cell: (frames + 1) samples × points.
    control: Vec<Vec3>,
    control_points: usize,
    /// α(bₛᵈ) and ω(bₛᵈ) of each cell: `join_points` points each.
    heads: Vec<Vec3>,
    tails: Vec<Vec3>,
    join_points: usize,
}

impl Cells {
    /// Lists every cell that fits into a control of `input_frames` frames, ordered by instance, duration and part.
    pub(crate) fn new(mapping: &Mapping, settings: &FollowSettings, input_frames: usize) -> Self {
        let control_points = mapping.control_weights().len();
        let join_points = mapping.target_weights().len() * usize::from(settings.join_frames);
        let mut cells = Self {
            all: Vec::new(),
            control: Vec::new(),
            control_points,
            heads: Vec::new(),
            tails: Vec::new(),
            join_points,
        };
        for (instance, info) in mapping.instances().iter().enumerate() {
            let (from, to) = (info.frames.start as f64, info.frames.end as f64);
            for frames in durations(mapping.duration_secs(instance), settings) {
                let step = (to - from) / frames as f64;
                let mut add = |frames: usize, from, to, position| {
                    if frames <= input_frames {
                        cells.add(
                            mapping,
                            settings,
                            Cell { instance, frames, from, to, position, control_at: 0 },
                        );
                    }
                };
                add(frames, from, to, CellPosition::Anywhere);
                for part in 1..frames {
                    if settings.free_start {
                        add(part, to - part as f64 * step, to, CellPosition::First);
                    }
                    if settings.free_end {
                        add(part, from, from + part as f64 * step, CellPosition::Last);
                    }
                }
            }
        }
        cells
    }

    fn add(&mut self, mapping: &Mapping, settings: &FollowSettings, cell: Cell) {
        let example = mapping.example_of(cell.instance);
        let control_at = self.control.len();
        let step = (cell.to - cell.from) / cell.frames as f64;
        for frame in 0..=cell.frames {
            sample(&example.control, cell.from + frame as f64 * step, &mut self.control);
        }
        for before in (0..settings.join_frames).rev() {
            let before = f64::from(before) * step;
            sample(&example.target, cell.from - before, &mut self.heads);
            sample(&example.target, cell.to - before, &mut self.tails);
        }
        self.all.push(Cell { control_at, ..cell });
    }

    pub(crate) fn control(&self, cell: usize) -> &[Vec3] {
        let cell = &self.all[cell];
        &self.control[cell.control_at..][..(cell.frames + 1) * self.control_points]
    }

    pub(crate) fn head(&self, cell: usize) -> &[Vec3] {
        &self.heads[cell * self.join_points..][..self.join_points]
    }

    pub(crate) fn tail(&self, cell: usize) -> &[Vec3] {
        &self.tails[cell * self.join_points..][..self.join_points]
    }

    /// Number of points that are compared at a join.
    pub(crate) fn join_points(&self) -> usize {
        self.join_points
    }
}

/// The durations, in frames of the working rate, that an instance may be stretched to. The duration nearest to the
/// instance's own is always included.
pub(crate) fn durations(own_secs: f64, settings: &FollowSettings) -> Range<usize> {
    let own = own_secs * settings.rate_hz;
    let slack = settings.stretch_secs * settings.rate_hz + 1e-9;
    let nearest = own.round().max(1.0) as usize;
    let least = ((own - slack).ceil().max(1.0) as usize).min(nearest);
    let most = ((own + slack).floor() as usize).max(nearest);
    least..most + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_respect_the_limit() {
        let settings =
            |rate_hz, stretch_secs| FollowSettings { rate_hz, stretch_secs, ..FollowSettings::default() };
        assert_eq!(durations(0.6, &settings(10.0, 0.2)), 4..9);
        assert_eq!(durations(0.8, &settings(7.5, 0.15)), 5..8);
        assert_eq!(durations(0.64, &settings(10.0, 0.0)), 6..7);
        assert_eq!(durations(0.02, &settings(10.0, 0.3)), 1..4);
        assert_eq!(durations(0.01, &settings(10.0, 0.0)), 1..2);
    }
}
