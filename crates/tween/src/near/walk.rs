//! A walk through the examples: they play on as recorded and jump between moments that look alike, with the same movement before and
//! after (L. Kovar, M. Gleicher and F. Pighin, *Motion Graphs*, 2002, with a search at each jump instead of a graph).
//!
//! A moment is compared by pose and by the movement around it, so the walk keeps its momentum. Limits: the walk does not look ahead
//! beyond its next jump.

use std::ops::Range;

use marey_motion::{CheckedAccess, Ground, Observer};
use marey_ops::OutOfRange;
use marey_plan::Seed;
use rand::RngExt;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::WORKING_RATE_HZ;
use super::example_frames::ExampleStretch;
use super::model::GapModel;
use crate::error::check_cancelled;
use crate::{ClipFrame, Result};

/// Frames that remain after a jump, at the working rate, if any moment has them.
const MIN_REMAINING: usize = 24;
/// Frames of the window in which the best moment to jump is searched.
const WINDOW: usize = 24;
/// Frames around a moment that are too close to jump to.
const APART: usize = 24;
/// Frames that a piece keeps to the end of its stretch, if it is long enough: a fade shows them.
const MARGIN: usize = 6;
/// Jumps to pieces that were used lately are avoided by this factor of their squared distance.
const REPEAT_FACTOR: f32 = 3.0;

/// How a walk through the examples is made.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WanderSettings {
    /// Shortest duration between jumps in seconds, if the examples are long enough; default 1.5; range 0.1 to 60.
    pub min_piece_secs: f64,
    /// Longest duration between jumps in seconds; default 5; range 0.1 to 3600. Long pieces keep more of the examples' structure, short
    /// ones give more that is new.
    pub max_piece_secs: f64,
    /// Number of most similar moments from which each jump is drawn; default 4; range 1 to 1000. With 1 the walk does not depend on
    /// the seed except in the length of its pieces.
    pub choices: usize,
}

impl Default for WanderSettings {
    fn default() -> Self {
        Self { min_piece_secs: 1.5, max_piece_secs: 5.0, choices: 4 }
    }
}

impl WanderSettings {
    /// Checks that every field is in its range.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("min_piece_secs", self.min_piece_secs, 0.1..=60.0)?;
        OutOfRange::check("max_piece_secs", self.max_piece_secs, self.min_piece_secs..=3600.0)?;
        OutOfRange::check("choices", u32::try_from(self.choices).unwrap_or(u32::MAX), 1..=1000)?;
        Ok(())
    }
}

/// A part of an example that a walk plays.
#[derive(Debug, Clone, PartialEq)]
pub struct WalkPiece {
    /// Index of the clip.
    pub clip: usize,
    /// Whether its mirror image is played.
    pub is_mirrored: bool,
    /// Times in the clip, in seconds.
    pub secs: Range<f64>,
    /// Where the clip, or its mirror image, is put.
    pub world_from_clip: Ground,
    /// Squared distance of the jump into the piece; 0 for the first.
    pub jump: f32,
}

/// Frames of the examples that are played, among all.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WalkRun {
    pub(crate) frames: Range<usize>,
    pub(crate) jump: f32,
}

impl GapModel {
    /// Walks through the examples for `secs` seconds. It starts at the moment most like a frame of a clip, or with the first example, and at
    /// the place of that frame.
    pub fn walk(
        &self,
        from: Option<ClipFrame<'_>>,
        secs: f64,
        settings: &WanderSettings,
        seed: Seed,
    ) -> Result<Vec<WalkPiece>> {
        self.walk_observed(from, secs, settings, seed, Observer::ignore())
    }

    /// [`GapModel::walk`], which can be cancelled by an observer.
    pub fn walk_observed(
        &self,
        from: Option<ClipFrame<'_>>,
        secs: f64,
        settings: &WanderSettings,
        seed: Seed,
        observer: Observer<'_>,
    ) -> Result<Vec<WalkPiece>> {
        settings.validate()?;
        let (start, world) = match from {
            Some(from) => {
                let end = super::gap_problem::GapEnd::start(self, from)?;
                (self.like_start(&end)?, end.ground())
            }
            None => (0, self.frames.track.first().copied().unwrap_or_default()),
        };
        let frames = (secs * WORKING_RATE_HZ).round().max(1.0) as usize;
        let runs = self.run_walk(start, frames, settings, seed, observer)?;
        let mut world_from_clip = world * self.frames.track.at(start)?.inverse();
        let mut pieces = Vec::with_capacity(runs.len());
        for (index, run) in runs.iter().enumerate() {
            if let Some(previous) = index.checked_sub(1).and_then(|previous| runs.get(previous)) {
                let last = (previous.frames.end).min(self.stretch_of(previous.frames.start)?.frames.end - 1);
                let (left, entered) = (self.frames.track.at(last)?, self.frames.track.at(run.frames.start)?);
                world_from_clip = world_from_clip * *left * entered.inverse();
            }
            let stretch = self.stretch_of(run.frames.start)?;
            let secs = |frame: usize| (frame - stretch.frames.start) as f64 / WORKING_RATE_HZ;
            pieces.push(WalkPiece {
                clip: stretch.clip,
                is_mirrored: stretch.is_mirrored,
                secs: secs(run.frames.start)..secs(run.frames.end),
                world_from_clip,
                jump: run.jump,
            });
        }
        Ok(pieces)
    }

    /// The stretch of a frame.
    pub(crate) fn stretch_of(&self, frame: usize) -> Result<&ExampleStretch> {
        let index = self.frames.stretches.partition_point(|stretch| stretch.frames.end <= frame);
        Ok(self.frames.stretches.at(index.min(self.frames.stretches.len().saturating_sub(1)))?)
    }

    /// Runs of frames that add up to `frames`. Fails if `observer` cancels.
    pub(crate) fn run_walk(
        &self,
        start: usize,
        frames: usize,
        settings: &WanderSettings,
        seed: Seed,
        observer: Observer<'_>,
    ) -> Result<Vec<WalkRun>> {
        let mut rng = seed.rng(0);
        let shortest = (settings.min_piece_secs * WORKING_RATE_HZ).round().max(1.0) as usize;
        let longest = ((settings.max_piece_secs * WORKING_RATE_HZ).round() as usize).max(shortest);
        let mut runs: Vec<WalkRun> = Vec::new();
        let (mut at, mut jump, mut left) = (start, 0.0, frames);
        loop {
            let end = self.stretch_of(at)?.frames.end;
            let planned = rng.random_range(shortest..=longest);
            if left <= end - at && left <= planned + WINDOW {
                runs.push(WalkRun { frames: at..at + left, jump });
                return Ok(runs);
            }
            let last = end.saturating_sub(MARGIN).max(at + 1);
            let latest = (at + planned + WINDOW).min(last);
            let earliest = (latest.saturating_sub(WINDOW)).max(at + 1).min(latest);
            let exits: Vec<usize> = (earliest..=latest).step_by(2).collect();
            let candidates = self.jumps(&exits, &runs, settings.choices, observer)?;
            // Without a jump, the walk starts again.
            let chosen = candidates.get(rng.random_range(0..candidates.len().max(1)));
            let (exit, entry, distance) = chosen.copied().unwrap_or((last, 0, 0.0));
            let exit = exit.min(at + left);
            runs.push(WalkRun { frames: at..exit, jump });
            left -= exit - at;
            if left == 0 {
                return Ok(runs);
            }
            (at, jump) = (entry, distance);
        }
    }

    /// The best jumps from any of some frames: frame to leave, frame to enter, squared distance.
    fn jumps(
        &self,
        exits: &[usize],
        runs: &[WalkRun],
        choices: usize,
        observer: Observer<'_>,
    ) -> Result<Vec<(usize, usize, f32)>> {
        let recent = runs.at(runs.len().saturating_sub(4)..)?;
        let best_of = |exit: usize| -> Result<Option<(usize, usize, f32)>> {
            let moment = self.known_moment(exit.min(self.frames.len() - 1))?;
            let own = self.stretch_of(exit)?;
            let index = self.index();
            let mut best: Option<(bool, f32, usize)> = None;
            for stretch in &self.frames.stretches {
                for entry in stretch.frames.clone() {
                    if stretch == own && entry.abs_diff(exit) < APART {
                        continue;
                    }
                    let is_short = stretch.frames.end - entry < MIN_REMAINING;
                    let distance = index.moment_distance(&moment, entry)?;
                    let was_used = recent
                        .iter()
                        .any(|run| run.frames.start.abs_diff(entry) < APART || run.frames.contains(&entry));
                    let distance = if was_used { REPEAT_FACTOR * distance } else { distance };
                    if best.is_none_or(|(short, least, _)| (is_short, distance) < (short, least)) {
                        best = Some((is_short, distance, entry));
                    }
                }
            }
            Ok(best.map(|(_, distance, entry)| (exit, entry, distance)))
        };
        let each = exits.par_iter().map(|exit| check_cancelled(observer).and_then(|()| best_of(*exit)));
        let each: Vec<Option<(usize, usize, f32)>> = each.collect::<Result<_>>()?;
        let mut all: Vec<(usize, usize, f32)> = each.into_iter().flatten().collect();
        all.sort_by(|a, b| a.2.total_cmp(&b.2).then(a.0.cmp(&b.0)));
        all.truncate(choices);
        Ok(all)
    }

    /// The frame most like the start of a gap, by pose and by the movement before it.
    pub(crate) fn like_start(&self, end: &super::gap_problem::GapEnd) -> Result<usize> {
        let moment = end.features(self, true);
        self.most_like(&moment, |stretch, frame| stretch.frames.end - frame)
    }

    /// The frame most like the end of a gap, by pose and by the movement after it.
    pub(crate) fn like_end(&self, end: &super::gap_problem::GapEnd) -> Result<usize> {
        let moment = end.features(self, false);
        self.most_like(&moment, |stretch, frame| frame - stretch.frames.start)
    }

    /// The most similar frame; frames with few others on the side that `room` counts come last.
    fn most_like(
        &self,
        moment: &super::moment_features::MomentFeatures,
        room: impl Fn(&ExampleStretch, usize) -> usize + Sync,
    ) -> Result<usize> {
        let index = self.index();
        let order = |a: &(bool, f32, usize), b: &(bool, f32, usize)| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1));
        let best = |stretch: &ExampleStretch| -> Result<Option<(bool, f32, usize)>> {
            let mut best = None;
            for frame in stretch.frames.clone() {
                let distance = index.moment_distance(moment, frame)?;
                let found = (room(stretch, frame) < MIN_REMAINING, distance, frame);
                if best.as_ref().is_none_or(|best| order(&found, best).is_lt()) {
                    best = Some(found);
                }
            }
            Ok(best)
        };
        let all: Vec<_> = self.frames.stretches.par_iter().map(best).collect::<Result<_>>()?;
        Ok(all.into_iter().flatten().min_by(order).map_or(0, |(.., frame)| frame))
    }
}
