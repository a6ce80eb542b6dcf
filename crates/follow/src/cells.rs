//! The cells of the search table: each instance at each duration it may be stretched to, with its points.
//!
//! Section 4.3 of the paper indexes its table by the legal combinations of s and d; a cell is one of them. If the control
//! may start or end inside an instance, there are additional cells for parts of instances, which may only come first or
//! last. Parts keep the pace of their example.

use std::collections::BTreeMap;
use std::ops::Range;

use marey_motion::{PointClip, Vec3};

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
    /// Duration as a multiple of the example's.
    pub(crate) stretch: f64,
    /// Offsets of α(bₛᵈ) and ω(bₛᵈ) in `Cells::end_points`.
    head_at: usize,
    tail_at: usize,
}

/// All cells and their points.
#[derive(Debug)]
pub(crate) struct Cells {
    pub(crate) all: Vec<Cell>,
    /// The points at the ends of cells, `join_points` each. The cells of an instance share those that are equal.
    end_points: Vec<Vec3>,
    join_points: usize,
    /// The first cell of each instance, then the number of cells.
    first_cells: Vec<usize>,
    /// The instances that begin at a frame of an example.
    by_start: BTreeMap<(usize, usize), Vec<usize>>,
    /// For each instance, the example and frame at which it ends.
    ends: Vec<(usize, usize)>,
}

impl Cells {
    /// Lists every cell that fits into a control of `input_frames` frames, ordered by instance, duration and part.
    pub(crate) fn new(mapping: &Mapping, settings: &FollowSettings, input_frames: usize) -> Self {
        let join_points = mapping.target_weights().len() * usize::from(settings.join_frames);
        let mut cells = Self {
            all: Vec::new(),
            end_points: Vec::new(),
            join_points,
            first_cells: Vec::new(),
            by_start: BTreeMap::new(),
            ends: Vec::new(),
        };
        for (instance, info) in mapping.instances().iter().enumerate() {
            cells.first_cells.push(cells.all.len());
            cells.by_start.entry((info.example, info.frames.start)).or_default().push(instance);
            cells.ends.push((info.example, info.frames.end));
            let (from, to) = (info.frames.start as f64, info.frames.end as f64);
            let mut add = |frames: usize, from: f64, to: f64, position| {
                if frames <= input_frames {
                    let own_secs = (to - from) / mapping.example_of(instance).control.rate_hz();
                    let stretch = frames as f64 / settings.rate_hz / own_secs;
                    let cell = Cell { instance, frames, from, to, position, stretch, head_at: 0, tail_at: 0 };
                    cells.add(mapping, settings, cell);
                }
            };
            for frames in durations(mapping.duration_secs(instance), settings) {
                add(frames, from, to, CellPosition::Anywhere);
            }
            let own = own_frames(mapping.duration_secs(instance), settings);
            let step = (to - from) / own as f64;
            for part in 1..own {
                if settings.free_start {
                    add(part, to - part as f64 * step, to, CellPosition::First);
                }
                if settings.free_end {
                    add(part, from, from + part as f64 * step, CellPosition::Last);
                }
            }
        }
        cells.first_cells.push(cells.all.len());
        cells
    }

    fn add(&mut self, mapping: &Mapping, settings: &FollowSettings, cell: Cell) {
        let target = &mapping.example_of(cell.instance).target;
        let step = (cell.to - cell.from) / cell.frames as f64;
        let end = |at: f64| {
            let mut points = Vec::with_capacity(self.join_points);
            for before in (0..settings.join_frames).rev() {
                sample(target, at - f64::from(before) * step, &mut points);
            }
            points
        };
        let (head, tail) = (end(cell.from), end(cell.to));
        let before = self.all.get(self.first_cells.last().copied().unwrap_or(0)).copied();
        let head_at = self.stored_end(before.map(|before| before.head_at), head);
        let tail_at = self.stored_end(before.map(|before| before.tail_at), tail);
        self.all.push(Cell { head_at, tail_at, ..cell });
    }

    /// The offset of points: that of equal ones of another cell, or else a new one.
    fn stored_end(&mut self, other: Option<usize>, points: Vec<Vec3>) -> usize {
        match other.filter(|&at| self.end_points[at..][..self.join_points] == points) {
            Some(at) => at,
            None => {
                self.end_points.extend(points);
                self.end_points.len() - self.join_points
            }
        }
    }

    /// aₛᵈ of a cell, out of the control of its example: (frames + 1) samples × points. It is sampled when it is needed, because
    /// the cells of a large corpus would take gigabytes.
    pub(crate) fn control(&self, control: &PointClip, cell: usize) -> Vec<Vec3> {
        let cell = &self.all[cell];
        let step = (cell.to - cell.from) / cell.frames as f64;
        let mut points = Vec::with_capacity((cell.frames + 1) * control.labels().len());
        for frame in 0..=cell.frames {
            sample(control, cell.from + frame as f64 * step, &mut points);
        }
        points
    }

    /// α(bₛᵈ).
    pub(crate) fn head(&self, cell: usize) -> &[Vec3] {
        &self.end_points[self.all[cell].head_at..][..self.join_points]
    }

    /// ω(bₛᵈ).
    pub(crate) fn tail(&self, cell: usize) -> &[Vec3] {
        &self.end_points[self.all[cell].tail_at..][..self.join_points]
    }

    /// The cells of an instance.
    pub(crate) fn of_instance(&self, instance: usize) -> Range<usize> {
        match self.first_cells.get(instance..instance + 2) {
            Some(ends) => ends[0]..ends[1],
            None => 0..0,
        }
    }

    /// The instances that begin where an instance of the same example ends.
    pub(crate) fn continuations(&self, instance: usize) -> &[usize] {
        self.ends.get(instance).and_then(|end| self.by_start.get(end)).map_or(&[], Vec::as_slice)
    }

    /// Number of cells that are whole instances.
    pub(crate) fn whole_count(&self) -> usize {
        self.all.iter().filter(|cell| cell.position == CellPosition::Anywhere).count()
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
    let nearest = own_frames(own_secs, settings);
    let factor = 1.0 + settings.stretch;
    let least = ((own / factor - 1e-9).ceil().max(1.0) as usize).min(nearest);
    let most = ((own * factor + 1e-9).floor() as usize).max(nearest);
    least..most + 1
}

/// The duration nearest to an instance's own, in frames of the working rate.
fn own_frames(own_secs: f64, settings: &FollowSettings) -> usize {
    (own_secs * settings.rate_hz).round().max(1.0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_respect_the_limit() {
        let settings = |rate_hz, stretch| FollowSettings { rate_hz, stretch, ..FollowSettings::default() };
        assert_eq!(durations(0.6, &settings(10.0, 0.25)), 5..8);
        assert_eq!(durations(0.8, &settings(7.5, 0.5)), 4..10);
        assert_eq!(durations(0.64, &settings(10.0, 0.0)), 6..7);
        assert_eq!(durations(0.02, &settings(10.0, 0.25)), 1..2);
        assert_eq!(durations(2.0, &settings(10.0, 0.25)), 16..26);
    }
}
