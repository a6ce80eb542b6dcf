//! The header of a C3D: counts and offsets.

use super::processor::Processor;

/// Bytes in a block.
pub(super) const BLOCK: usize = 512;

/// The second byte of a C3D.
pub(super) const KEY: u8 = 0x50;

/// The key of a header with events.
const EVENT_KEY: u16 = 12345;

/// A named event.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Event {
    /// Trimmed text.
    pub(super) name: Vec<u8>,
    /// Time in the recording.
    pub(super) secs: f64,
}

/// The content of the first block.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Header {
    /// Positions per frame.
    pub(super) points: usize,
    /// Analog samples per frame, of all channels.
    pub(super) analog_per_frame: usize,
    /// Analog samples per channel and frame.
    pub(super) samples_per_frame: usize,
    /// Numbers of the first and last frame.
    pub(super) first: usize,
    pub(super) last: usize,
    /// File units per integer step; negative if coordinates are floating-point numbers.
    pub(super) scale: f32,
    /// Block of the first frame, counted from 1.
    pub(super) data_block: usize,
    /// Frame rate in Hz.
    pub(super) rate_hz: f32,
    /// Up to 18 events.
    pub(super) events: Vec<Event>,
}

impl Header {
    /// Reads the first block. `None` if it is incomplete.
    pub(super) fn read(bytes: &[u8], processor: Processor) -> Option<Self> {
        let block = bytes.get(..BLOCK)?;
        let word = |number: usize| processor.word_at(block, (number - 1) * 2);
        let float = |number: usize| processor.float_at(block, (number - 1) * 2);
        Some(Self {
            points: word(2)?.into(),
            analog_per_frame: word(3)?.into(),
            samples_per_frame: word(10)?.into(),
            first: word(4)?.into(),
            last: word(5)?.into(),
            scale: float(7)?,
            data_block: word(9)?.into(),
            rate_hz: float(11)?,
            events: events(block, processor)?,
        })
    }

    /// The number of frames between the first and the last frame number, if these are plausible.
    pub(super) fn frames(&self) -> Option<usize> {
        // A last frame of 65535 means that the number did not fit.
        (self.last >= self.first && self.last > 0 && self.last < 0xffff).then(|| self.last - self.first + 1)
    }
}

/// Words 150 to 234: how many instants, when, and four letters for each.
fn events(block: &[u8], processor: Processor) -> Option<Vec<Event>> {
    if processor.word_at(block, 149 * 2)? != EVENT_KEY {
        return Some(Vec::new());
    }
    let count = usize::from(processor.word_at(block, 150 * 2)?).min(18);
    let event = |index: usize| {
        let secs = f64::from(processor.float_at(block, 152 * 2 + index * 4)?);
        let name = block.get(198 * 2 + index * 4..)?.first_chunk::<4>()?;
        Some(Event { name: name.trim_ascii().to_vec(), secs })
    };
    (0..count).map(event).collect()
}
