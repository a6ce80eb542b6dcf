//! BVH (Biovision hierarchy): a tree of joints and a table of channels. Most motion capture is shared in this format.
//!
//! The reader accepts what exporters write: any rotation order, any mix of channels on any joint, several figures, any line
//! ends, decimal commas, numbers without separators, wrong counts. It parses the tree iteratively, never allocates by a
//! number that the file announces, and reports irregularities in a [`Report`]. Results are in the file's units and axes;
//! [`marey_conventions`] converts them.
//!
//! Differences from the 1999 description by M. Meredith and S. Maddock ("Motion capture file formats explained"): position
//! channels beside an OFFSET may replace it or add to it (see [`PositionChannels`]), and End Sites become
//! [tips](marey_motion::Tip), not joints.

mod actor_prefix;
mod assemble;
mod channel;
pub mod codes;
pub(crate) mod euler_angles;
mod euler_to_quat;
mod hierarchy;
mod position_channels;
mod rotation_order;
mod rows;
mod scan;
mod timing;
mod unit_mark;
mod write;

use marey_conventions::Unit;
use marey_motion::{Report, Take};

pub use position_channels::PositionChannels;
pub use rotation_order::RotationOrder;
use rows::RowResult;
use scan::Scanner;
pub use write::{BvhOptions, write};

use crate::text::Text;
use crate::{FormatsError, Limits};

/// The content of a BVH file, before conversion to Marey's conventions.
#[derive(Debug)]
pub struct BvhFile {
    /// One actor for each ROOT, in file units and axes.
    pub take: Take,
    /// The unit, if Marey wrote the file and marked it.
    pub unit: Option<Unit>,
    /// Warnings of the reader.
    pub report: Report,
}

/// Settings of the BVH reader.
#[derive(Debug, Clone, Copy, Default)]
pub struct BvhSettings {
    /// Bounds on the size of the content.
    pub limits: Limits,
    /// Frame rate in Hz, overriding the file's.
    pub rate_hz: Option<f64>,
    /// The meaning of position channels. If `None`, it is inferred from the bones.
    pub positions: Option<PositionChannels>,
}

/// Whether bytes look like a BVH: the first word is HIERARCHY or ROOT.
pub fn sniff(bytes: &[u8]) -> bool {
    let text = Text::of(bytes.get(..bytes.len().min(4096)).unwrap_or_default());
    let mut scan = Scanner::new(&text.bytes, Limits::default());
    let word = scan.peek_word();
    scan::is_word(word, "HIERARCHY") || scan::is_word(word, "ROOT")
}

/// Reads a BVH, in its own units and axes.
pub fn read(bytes: &[u8], settings: &BvhSettings) -> Result<BvhFile, FormatsError> {
    let text = Text::of(bytes);
    let mut scan = Scanner::new(&text.bytes, settings.limits);
    if let Some(zero) = text.zero_byte() {
        return scan.refuse(&codes::NOT_TEXT, zero, "the file has zero bytes");
    }
    if text.was_utf16 {
        scan.warn(&codes::ENCODING, 0, || "the text is UTF-16".into());
    }

    let mut hierarchy = hierarchy::read(&mut scan)?;
    let prefixes = actor_prefix::split_prefixes(&mut assemble::parts(&mut hierarchy.nodes));
    let mut figures = assemble::figures(&hierarchy.nodes);
    let mut rate_hz = settings.rate_hz;
    let mut frames = 0;
    if hierarchy.has_motion {
        let timing = timing::read(&mut scan, rate_hz.is_some())?;
        rate_hz = rate_hz.or(timing.rate_hz);
        let width = hierarchy.channels();
        if width > 0 {
            frames = read_rows(&mut scan, &mut figures, width, timing.frames)?;
        }
    }
    if frames == 0 {
        let (at, has_channels) = (scan.at(), hierarchy.channels() > 0);
        let message = if has_channels { "no frames" } else { "no joint has channels" };
        scan.warn(&codes::NO_MOTION, at, || message.into());
    }
    // A file without motion becomes one frame, whose rate does not matter.
    let rate_hz = rate_hz.unwrap_or(30.0);

    let mut actors = Vec::with_capacity(figures.len());
    for figure in figures {
        let (root, rest) = figure.decide(settings.positions);
        for (subject, decision, node) in [
            ("the root", &root, figure.first_mover(|joint| joint == 0)),
            ("joints", &rest, figure.first_mover(|joint| joint > 0)),
        ] {
            if let (Some(reason), Some(node)) = (&decision.reason, node) {
                let adds = decision.meaning == PositionChannels::Add;
                let verb = if adds { "are added to" } else { "replace" };
                scan.warn(&codes::POSITIONS, node.at, || {
                    format!("positions of {subject} {verb} OFFSET: {reason}")
                });
            }
        }
        actors.push(figure.finish(rate_hz, root.meaning, rest.meaning)?);
    }
    for (actor, prefix) in actors.iter_mut().zip(prefixes.into_iter().flatten()) {
        actor.name = prefix;
    }
    actor_prefix::make_unique(&mut actors.iter_mut().map(|actor| &mut actor.name).collect::<Vec<_>>());
    let name = actors.first().map(|a| a.name.clone()).unwrap_or_default();
    let unit = unit_mark::marked_unit(&text.bytes);
    Ok(BvhFile { take: Take::new(name, actors)?, unit, report: scan.notes.report })
}

/// Reads the table of channels into the figures.
fn read_rows(
    scan: &mut Scanner<'_>,
    figures: &mut [assemble::Figure<'_>],
    width: usize,
    announced: Option<usize>,
) -> Result<usize, FormatsError> {
    let memory = scan.limits().memory_bytes;
    let bytes_per_frame = figures.iter().map(|f| f.bytes_per_frame()).sum::<usize>().max(1);
    let room = memory / bytes_per_frame;
    let total = scan.rest().len();
    let mut taken = 0;
    let mut take = |row: &[f32], left: usize| {
        if taken == 1 {
            // Estimate the number of rows from the size of the first: at most as many as announced, and at most as
            // many as fit into the remaining bytes.
            let row_bytes = ((total - left) / 2).max(1);
            let expected = (left / row_bytes).saturating_add(left / row_bytes / 16).saturating_add(2);
            let expected = expected.min(announced.unwrap_or(usize::MAX)).min(room);
            if !figures.iter_mut().all(|f| f.reserve(expected)) {
                return RowResult::Full(format!("no memory for {expected} frames"));
            }
        }
        if taken >= room {
            return RowResult::Full(format!("more than {memory} bytes of motion"));
        }
        taken += 1;
        for figure in figures.iter_mut() {
            match figure.push(row) {
                RowResult::Accepted => {}
                other => return other,
            }
        }
        RowResult::Accepted
    };
    rows::read(scan, width, announced, &mut take)
}
