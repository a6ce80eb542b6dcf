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

/// Largest number of degrees of freedom of a bone.
const MAX_VALUES: usize = 7;

/// The values of all lines, and the frame in which each was read. Frames are counted from 1 here.
pub(super) struct Values<'f> {
    figure: &'f Figure,
    /// The index of the line with each name.
    line_of: HashMap<&'f [u8], usize>,
    values: Vec<f32>,
    /// The frame in which each line was last read; 0 if in none yet.
    read_in: Vec<usize>,
    /// The first line of the previous frame, then for each line the one that followed it.
    follower: Vec<usize>,
    /// Position in that list: 0 at the start of a frame, n + 1 after line n.
    position: usize,
    /// The last line of the previous frame.
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
            position: 0,
            last_line: None,
        }
    }

    /// The current values.
    pub(super) fn all(&self) -> &[f32] {
        &self.values
    }

    /// The line with a name.
    pub(super) fn find(&self, name: &[u8]) -> Option<(usize, &'f Line)> {
        let index = *self.line_of.get(key(name).as_slice())?;
        Some((index, self.figure.lines.get(index)?))
    }

    /// The values of a line, for writing.
    pub(super) fn of_line(&mut self, line: &Line) -> &mut [f32] {
        self.values.get_mut(line.slots.clone()).unwrap_or_default()
    }

    /// The frame in which a line was last read; 0 if in none yet.
    pub(super) fn read_in(&self, index: usize) -> usize {
        self.read_in.get(index).copied().unwrap_or(0)
    }

    /// Whether the last line of the previous frame was read in this one.
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

    /// Starts a frame, and expects its first line.
    pub(super) fn start_frame(&mut self) {
        self.last_line = self.position.checked_sub(1);
        self.position = 0;
    }

    /// Records that a line was read, and expects it at this position in the next frame.
    pub(super) fn record_read(&mut self, index: usize, frame: usize) {
        if let Some(follower) = self.follower.get_mut(self.position) {
            *follower = index;
        }
        if let Some(read_in) = self.read_in.get_mut(index) {
            *read_in = frame;
        }
        self.position = index + 1;
    }

    /// Reads the expected line at the start of a text, and returns its length in bytes. `None`, without a change, if the line is
    /// another one or has values that are not plain.
    pub(super) fn read_expected(&mut self, text: &[u8], frame: usize) -> Option<usize> {
        let index = *self.follower.get(self.position)?;
        let line = self.figure.lines.get(index)?;
        let mut rest = text.strip_prefix(line.name.as_slice())?;
        if rest.first().is_some_and(|byte| !is_blank(*byte)) || self.read_in(index) == frame {
            return None;
        }
        let mut fresh = [0.0; MAX_VALUES];
        let fresh = fresh.get_mut(..line.slots.len())?;
        for value in fresh.iter_mut() {
            rest = skip_spaces(rest);
            let (number, length) = decimal::read(rest)?;
            *value = number;
            rest = rest.get(length..)?;
        }
        rest = skip_spaces(rest);
        if rest.first().is_some_and(|byte| !is_line_end(*byte)) {
            return None;
        }
        self.of_line(line).copy_from_slice(fresh);
        self.record_read(index, frame);
        Some(text.len() - rest.len())
    }
}

fn skip_spaces(text: &[u8]) -> &[u8] {
    let spaces = text.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    text.get(spaces..).unwrap_or_default()
}
