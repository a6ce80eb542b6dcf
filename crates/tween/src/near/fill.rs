//! Filling a gap: examples, prediction, motion, feet.

use marey_motion::{CheckedAccess, Clip, ClipParts, Contacts, Ground, LocalPose};

use super::calibration::mean_distance;
use super::footing::plant;
use super::gap_curve::{Channels, inertia, pose_at};
use super::gap_problem::{GapEnd, GapProblem};
use super::model::{GapModel, kernel};
use super::neighbours::ExampleGap;
use super::residual::{ResidualSamples, SineTerms};
use super::{EndPlace, GapSettings, WORKING_RATE_HZ};
use crate::style_frames::{SoleBits, bits};
use crate::{ClipFrame, Result};

/// Lengths that are tried if none is given, in working frames.
const LENGTHS: [usize; 11] = [5, 7, 9, 12, 15, 19, 24, 30, 37, 46, 58];
/// The longest gap that is predicted as a whole, in working frames. Longer ones get movement of the corpus inserted.
pub(crate) const MAX_LENGTH: usize = 75;
/// Share of the weighted votes from which a sole is in contact.
const CONTACT_SHARE: f32 = 0.5;
/// Examples whose mean travel is used if the end is free.
const TRAVEL_NEIGHBOURS: usize = 16;

/// The frame of the examples that a gap is most like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearestExample {
    /// Index of the clip.
    pub clip: usize,
    /// Time in the clip at which the similar gap starts, in seconds.
    pub start_secs: f64,
    /// Whether it is the mirror image that is similar.
    pub is_mirrored: bool,
}

/// Motion that fills a gap.
#[derive(Debug, Clone, PartialEq)]
pub struct GapMotion {
    /// The motion, from the first pose to the last.
    pub clip: Clip,
    /// Foot contacts.
    pub contacts: Contacts,
    /// Distance of the gap from the corpus, relative to that of the corpus's own gaps from its other takes.
    pub distance: f32,
    /// The share of the prediction from the examples that was used, 0 to 1. The rest is interpolation with inertia.
    pub corpus_share: f32,
    /// The most similar example.
    pub nearest: Option<NearestExample>,
}

/// A prediction for a gap.
pub(crate) struct Prediction {
    pub(crate) terms: SineTerms,
    pub(crate) distance: f32,
    pub(crate) corpus_share: f32,
    pub(crate) gaps: Vec<ExampleGap>,
    pub(crate) length: usize,
}

impl GapModel {
    /// Fills the gap between two poses. Frames before the first pose and after the last one give its velocities, if the clips have them.
    /// The first and last frame are exactly those poses, apart from the place of the last one. The floor of both clips is at height 0.
    ///
    /// Never refuses: far from the corpus it interpolates.
    pub fn fill(&self, from: ClipFrame<'_>, to: ClipFrame<'_>, settings: &GapSettings) -> Result<GapMotion> {
        settings.validate()?;
        let (start, end) = (GapEnd::start(self, from)?, GapEnd::end(self, to)?);
        let problem = GapProblem::new(self, start, end, settings.end);
        let frames = match settings.frames {
            Some(frames) => frames,
            None => self.usual_frames(&problem, settings.rate_hz)?,
        };
        let working = (frames - 1) as f64 / settings.rate_hz * WORKING_RATE_HZ;
        let length = (working.round() as usize).max(1);
        if length > MAX_LENGTH {
            return self.fill_long(from, problem, frames, settings);
        }
        let problem = match settings.end {
            EndPlace::Free => {
                let travel = self.usual_travel(&problem, length)?;
                problem.with_travel(travel)
            }
            _ => problem,
        };
        self.fill_problem(&problem, frames, settings.rate_hz)
    }

    /// Fills a gap whose end has a place.
    pub(crate) fn fill_problem(
        &self,
        problem: &GapProblem,
        frames: usize,
        rate_hz: f64,
    ) -> Result<GapMotion> {
        let (mut poses, votes, prediction) = self.fill_unplanted(problem, frames, rate_hz)?;
        let contacts = plant(self.skeleton(), &mut poses, votes, rate_hz, self.settings().plants_feet)?;
        // Rotations are rebuilt from the first pose, so the last one is exact to rounding only.
        poses.iter_mut().last().into_iter().for_each(|last| last.clone_from(&problem.end.pose));
        poses.iter_mut().take(1).for_each(|first| first.clone_from(&problem.start.pose));
        let mut parts = ClipParts::default();
        poses.iter().for_each(|pose| parts.push(pose.view()));
        Ok(GapMotion {
            clip: Clip::new(self.skeleton().clone(), rate_hz, parts)?,
            contacts,
            distance: prediction.distance,
            corpus_share: prediction.corpus_share,
            nearest: prediction.gaps.first().map(|gap| self.nearest_example(gap)).transpose()?,
        })
    }

    /// The poses of a gap and the votes for contacts, before feet are planted.
    pub(crate) fn fill_unplanted(
        &self,
        problem: &GapProblem,
        frames: usize,
        rate_hz: f64,
    ) -> Result<(Vec<LocalPose>, Vec<SoleBits>, Prediction)> {
        let working = ((frames - 1) as f64 / rate_hz * WORKING_RATE_HZ) as f32;
        let prediction = self.predict(problem, (working.round() as usize).max(1))?;
        let poses = curve_poses(problem, &prediction.terms, working, frames);
        let votes = self.contact_votes(&prediction, frames)?;
        Ok((poses, votes, prediction))
    }

    /// Predicts the residual of a gap of `length` working frames.
    pub(crate) fn predict(&self, problem: &GapProblem, length: usize) -> Result<Prediction> {
        let settings = self.settings();
        let gaps = self.index().nearest(&problem.query, length, settings.neighbours, &|_, _| false)?;
        let calibration = self.calibration_for(length);
        let distance = mean_distance(&gaps);
        let share = if gaps.is_empty() { 0.0 } else { calibration.share(distance) };
        let samples = ResidualSamples::new(length);
        let terms = if share == 0.0 || length < 2 {
            SineTerms::default()
        } else {
            let ridge = self.ridge(&problem.query, &gaps, length, settings)?;
            let weights = ridge.weights(f64::from(calibration.penalty));
            let weighted: Vec<(usize, f32)> =
                gaps.iter().zip(weights).map(|(gap, weight)| (gap.start, weight)).collect();
            samples.terms(&samples.weighted_sum(&self.frames, &weighted, problem.knows())?).scaled(share)
        };
        Ok(Prediction { terms, distance: distance / calibration.usual, corpus_share: share, gaps, length })
    }

    /// The number of frames that people take for such a change: that of the most similar examples.
    fn usual_frames(&self, problem: &GapProblem, rate_hz: f64) -> Result<usize> {
        let mut distances = Vec::with_capacity(LENGTHS.len());
        for length in LENGTHS {
            let gaps = self.index().nearest(&problem.query, length, 8, &|_, _| false)?;
            distances.push((mean_distance(&gaps), length));
        }
        let best = distances.into_iter().min_by(|a, b| a.0.total_cmp(&b.0));
        let length = best.map_or(LENGTHS[4], |(_, length)| length);
        Ok(((length as f64 / WORKING_RATE_HZ * rate_hz).round() as usize).max(1) + 1)
    }

    /// How far people get in such a gap: the mean of the most similar examples.
    pub(crate) fn usual_travel(&self, problem: &GapProblem, length: usize) -> Result<Ground> {
        let gaps = self.index().nearest(&problem.query, length, TRAVEL_NEIGHBOURS, &|_, _| false)?;
        let weights = kernel(&gaps, self.settings().falloff);
        let (mut x, mut z, mut sin, mut cos) = (0f32, 0f32, 0f32, 0f32);
        for (gap, weight) in gaps.iter().zip(weights) {
            let travel = self.frames.travel(gap.start, gap.start + length)?;
            x += weight * travel.x;
            z += weight * travel.z;
            sin += weight * travel.yaw_rad.sin();
            cos += weight * travel.yaw_rad.cos();
        }
        Ok(Ground::new(x, z, sin.atan2(cos)))
    }

    /// Which soles are in contact in each frame, by the votes of the examples.
    fn contact_votes(&self, prediction: &Prediction, frames: usize) -> Result<Vec<SoleBits>> {
        let weights = kernel(&prediction.gaps, self.settings().falloff);
        let vote = |frame: usize| {
            let offset = (frame as f64 / (frames - 1) as f64 * prediction.length as f64).round() as usize;
            let mut votes = [0f32; SoleBits::BITS as usize];
            for (gap, weight) in prediction.gaps.iter().zip(&weights) {
                let bits = self.frames.contact_bits.at(gap.start + offset)?;
                let standing = votes.iter_mut().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1);
                standing.for_each(|(_, votes)| *votes += weight);
            }
            Ok(bits(votes.into_iter().map(|votes| votes > CONTACT_SHARE)))
        };
        (0..frames).map(vote).collect()
    }

    fn nearest_example(&self, gap: &ExampleGap) -> Result<NearestExample> {
        let stretch = self.stretch_of(gap.start)?;
        Ok(NearestExample {
            clip: stretch.clip,
            start_secs: (gap.start - stretch.frames.start) as f64 / WORKING_RATE_HZ,
            is_mirrored: stretch.is_mirrored,
        })
    }
}

/// The poses of a gap: base plus residual, with the known velocities at its ends.
fn curve_poses(problem: &GapProblem, terms: &SineTerms, working: f32, frames: usize) -> Vec<LocalPose> {
    let ends = problem.ends(working);
    let knows = problem.knows();
    let slopes = terms.slopes(ends.change.len());
    let pose = |frame: usize| {
        let share = frame as f32 / (frames - 1) as f32;
        let at = share * working;
        let mut x: Channels = terms.sample(share, ends.change.len());
        let (from_start, to_end) = (inertia(at, working), inertia(working - at, working));
        for (x, (base, [start, end])) in x.iter_mut().zip(ends.base(at).zip(&slopes)) {
            *x += base;
            // The residual of the examples has no slope at ends with known velocity; its sine terms have a little.
            if knows[0] {
                *x -= *start / working * from_start;
            }
            if knows[1] {
                *x += *end / working * to_end;
            }
        }
        pose_at(problem.start.pose.view(), problem.start.ground(), &x)
    };
    (0..frames).map(pose).collect()
}
