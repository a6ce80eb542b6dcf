//! The current values of a figure, updated line by line.
//!
//! They persist from frame to frame, so that a bone missing from a frame keeps its values. A line is parsed fast if it follows
//! the same line as in the previous frame and all its values are plain.

use std::collections::HashMap;

use super::decimal;
use super::figure::{Figure, Line};
use super::scan::key;
use crate::number::is_blank;
use crate::text::is_line_end;

/// A bone has seven degrees of freedom at most.
const MAX_VALUES: usize = 7;

/// All lines' values, and when each was read. Frames are counted from 1 here.
pub(super) struct Values<'f> {
    figure: &'f Figure,
    /// The line of a name.
    line_of: HashMap<&'f [u8], usize>,
    values: Vec<f32>,
    /// For each line the frame it was last read in; 0 where in none yet.
    read_in: Vec<usize>,
    /// The line that came first in the last frame, and for each line the one that came after it.
    follower: Vec<usize>,
    /// How far in that list: 0 at the start of a frame, behind line n at n + 1.
    behind: usize,
    /// The line that ended the frame before.
    last_line: Option<usize>,
}

impl<'f> Values<'f> {
    /// The values of the rest pose.
    pub(super) fn of(figure: &'f Figure) -> Self {
        Self {
            figure,
            line_of: figure.lines.iter().enumerate().map(|(i, line)| (line.key.as_slice(), i)).collect(),
            values: figure.rest_values.clone(),
            read_in: vec![0; figure.lines.len()],
            // Initially, expect lines in the order of the skeleton.
            follower: (0..=figure.lines.len()).collect(),
            behind: 0,
            last_line: None,
        }
    }

    /// The values as last read.
    pub(super) fn all(&self) -> &[f32] {
        &self.values
    }

    /// The line with a name.
    pub(super) fn find(&self, name: &[u8]) -> Option<(usize, &'f Line)> {
        let index = *self.line_of.get(key(name).as_slice())?;
        Some((index, self.figure.lines.get(index)?))
    }

    /// The values of a line, to be changed.
    pub(super) fn of_line(&mut self, line: &Line) -> &mut [f32] {
        self.values.get_mut(line.slots.clone()).unwrap_or_default()
    }

    /// The frame that a line was last read in; 0 where in none yet.
    pub(super) fn read_in(&self, index: usize) -> usize {
        self.read_in.get(index).copied().unwrap_or(0)
    }

    /// Whether the line that ended the frame before has come in this one.
    pub(super) fn has_ended(&self, frame: usize) -> bool {
        self.last_line.is_none_or(|line| self.read_in(line) == frame)
    }

    /// The lines with values that were not read in a frame.
    pub(super) fn missing_in(&self, frame: usize) -> impl Iterator<Item = &'f Line> {
        let lines = self.figure.lines.iter().zip(&self.read_in);
        lines
            .filter(move |(line, read_in)| **read_in != frame && !line.slots.is_empty())
            .map(|(line, _)| line)
    }

    /// Ends a frame, and expects the first line of the next.
    pub(super) fn start_frame(&mut self) {
        self.last_line = self.behind.checked_sub(1);
        self.behind = 0;
    }

    /// Notes that a line was read, and that it is the one to expect here.
    pub(super) fn note_read(&mut self, index: usize, frame: usize) {
        if let Some(follower) = self.follower.get_mut(self.behind) {
            *follower = index;
        }
        if let Some(read_in) = self.read_in.get_mut(index) {
            *read_in = frame;
        }
        self.behind = index + 1;
    }

    /// Reads the line that is expected from the start of a text, and says how many bytes it takes. `None`, and nothing
    /// changed, where another line is there, or one with anything but plain values.
    pub(super) fn read_expected(&mut self, text: &[u8], frame: usize) -> Option<usize> {
        let index = *self.follower.get(self.behind)?;
        let line = self.figure.lines.get(index)?;
        let mut rest = text.strip_prefix(line.name.as_slice())?;
        if rest.first().is_some_and(|byte| !is_blank(*byte)) || self.read_in(index) == frame {
            return None;
        }
        let mut fresh = [0.0; MAX_VALUES];
        let fresh = fresh.get_mut(..line.slots.len())?;
        for value in fresh.iter_mut() {
            rest = past_spaces(rest);
            let (number, length) = decimal::read(rest)?;
            *value = number;
            rest = rest.get(length..)?;
        }
        rest = past_spaces(rest);
        if rest.first().is_some_and(|byte| !is_line_end(*byte)) {
            return None;
        }
        self.of_line(line).copy_from_slice(fresh);
        self.note_read(index, frame);
        Some(text.len() - rest.len())
    }
}

fn past_spaces(text: &[u8]) -> &[u8] {
    let spaces = text.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    text.get(spaces..).unwrap_or_default()
}
