//! Clips and filled gaps, joined to one clip.

use super::filler::FilledGap;
use super::{GapDetails, StylePath};
use crate::motion::{Clip, ClipParts, Contact, Contacts, Ground};
use crate::ops::contacts::{ContactSettings, detect};
use crate::{Error, motion};

/// How much of the motion so far a gap looks at, in seconds; the modes need a third of it.
const RECENT_SECS: f64 = 1.0;

/// A clip that grows.
pub(super) struct Assembly {
    skeleton: std::sync::Arc<motion::Skeleton>,
    rate_hz: f64,
    parts: ClipParts,
    contacts: Vec<Contact>,
    pub(super) gaps: Vec<GapDetails>,
    pub(super) paths: Vec<StylePath>,
}

impl Assembly {
    pub(super) fn new(first: &Clip) -> Self {
        Self {
            skeleton: first.skeleton().clone(),
            rate_hz: first.rate_hz(),
            parts: ClipParts::default(),
            contacts: Vec::new(),
            gaps: Vec::new(),
            paths: Vec::new(),
        }
    }

    /// Number of frames so far.
    pub(super) fn frames(&self) -> usize {
        self.parts.rotations.len() / self.skeleton.len().max(1)
    }

    /// The motion so far.
    pub(super) fn clip(&self) -> Result<Clip, Error> {
        Ok(Clip::new(self.skeleton.clone(), self.rate_hz, self.parts.clone())?)
    }

    /// The last second of the motion so far.
    pub(super) fn recent(&self) -> Result<Clip, Error> {
        self.last_frames((RECENT_SECS * self.rate_hz).ceil() as usize + 1)
    }

    /// The ground under the hips in the last frame.
    pub(super) fn ground(&self) -> Result<Ground, Error> {
        Ok(self.last_frames(1)?.ground_track().frames.first().copied().unwrap_or_default())
    }

    fn last_frames(&self, count: usize) -> Result<Clip, Error> {
        fn last<T: Clone>(values: &[T], count: usize) -> Vec<T> {
            values.iter().skip(values.len().saturating_sub(count)).cloned().collect()
        }
        let parts = ClipParts {
            rotations: last(&self.parts.rotations, count * self.skeleton.len()),
            positions: last(&self.parts.positions, count * self.skeleton.movers().len()),
        };
        Ok(Clip::new(self.skeleton.clone(), self.rate_hz, parts)?)
    }

    /// Appends a clip as it is. Its contacts are detected.
    pub(super) fn play(&mut self, clip: &Clip) -> Result<(), Error> {
        let contacts = detect(clip, &ContactSettings::default())?.contacts;
        self.append(clip, &contacts, 0);
        Ok(())
    }

    /// Appends a gap. Its first frame is the last one so far.
    pub(super) fn fill(&mut self, gap: FilledGap) {
        let start = self.frames().saturating_sub(1);
        let skipped = usize::from(self.frames() > 0);
        self.append(&gap.clip, &gap.contacts, skipped);
        self.gaps.push(GapDetails { start, end: start + gap.details.end, ..gap.details });
        self.paths.extend(gap.path);
    }

    fn append(&mut self, clip: &Clip, contacts: &Contacts, skipped: usize) {
        let start = self.frames();
        for frame in skipped..clip.frames() {
            self.parts.push(clip.pose(frame));
        }
        for contact in contacts.all() {
            let range = contact.frames.start.max(skipped)..contact.frames.end;
            if range.is_empty() {
                continue;
            }
            let frames = start + range.start - skipped..start + range.end - skipped;
            let continued = self
                .contacts
                .iter_mut()
                .find(|other| other.role == contact.role && other.frames.end == frames.start);
            match continued {
                Some(other) => other.frames.end = frames.end,
                None => self.contacts.push(Contact { role: contact.role, frames }),
            }
        }
    }

    /// The motion and its contacts.
    pub(super) fn finish(self) -> Result<(Clip, Contacts), Error> {
        let frames = self.frames();
        Ok((Clip::new(self.skeleton, self.rate_hz, self.parts)?, Contacts::new(self.contacts, frames)?))
    }
}
