//! Gaps that are too long to be predicted as a whole: movement of the corpus is inserted.
//!
//! The motion leaves the first pose as the most similar example does, walks through the examples, and arrives at the last pose as the most
//! similar example does. Where it changes from one example to another, a short gap is filled. Of several walks, the one that joins best and
//! ends nearest to the given place is used; what is missing to that place is spread over the walk.

use marey_motion::{CheckedAccess, Clip, ClipParts, Ground, LocalPose, Observer, Vec3, smoothstep};
use marey_plan::Seed;

use super::fill::GapMotion;
use super::footing::plant;
use super::gap_problem::{GapEnd, GapProblem};
use super::model::GapModel;
use super::walk::{WalkRun, WanderSettings};
use super::{EndPlace, GapSettings, WORKING_RATE_HZ};
use crate::style_frames::SoleBits;
use crate::synthesis::{position_at, rotations_at};
use crate::{ClipFrame, Result};

/// Number of working frames in which the motion changes from one example to another, or from a pose to an example.
const JOIN: usize = 14;
/// Number of walks that are tried.
const WALKS: u64 = 12;
/// Frames of the last example before the last pose, at most.
const MAX_ARRIVAL: usize = 60;
/// Cost of a metre that the end is away from its place, in units of squared distance.
const COST_PER_M: f32 = 0.5;

/// A walk with its costs.
struct Route {
    runs: Vec<WalkRun>,
    cost: f32,
}

impl GapModel {
    /// Fills a long gap.
    pub(crate) fn fill_long(
        &self,
        from: ClipFrame<'_>,
        problem: GapProblem,
        frames: usize,
        settings: &GapSettings,
    ) -> Result<GapMotion> {
        let working = ((frames - 1) as f64 / settings.rate_hz * WORKING_RATE_HZ).round() as usize;
        let wanted = match settings.end {
            EndPlace::Free => None,
            _ => Some(problem.start.ground().inverse() * problem.end.ground()),
        };
        let route = self.route(&problem, working, wanted)?;
        let mut motion = Assembly::new(self, &problem)?;
        for run in &route.runs {
            motion.play(run)?;
        }
        motion.arrive(&problem, working)?;
        let Assembly { poses, bits, .. } = motion;
        let mut poses = at_rate(&poses, frames)?;
        let reached = ground_of(self, poses.last())?;
        let end = match wanted {
            Some(_) => problem.end.clone(),
            None => problem.end.moved(reached * problem.end.ground().inverse()),
        };
        spread(&mut poses, problem.start.ground(), reached, end.ground());
        let last = (frames - 1) as f64;
        let votes: Vec<SoleBits> = (0..frames)
            .map(|frame| Ok(*bits.at((frame as f64 / last * (bits.len() - 1) as f64).round() as usize)?))
            .collect::<Result<_>>()?;
        let contacts =
            plant(self.skeleton(), &mut poses, votes, settings.rate_hz, self.settings().plants_feet)?;
        poses.iter_mut().last().into_iter().for_each(|last| last.clone_from(&end.pose));
        poses.iter_mut().take(1).for_each(|first| first.clone_from(&problem.start.pose));
        let mut parts = ClipParts::default();
        poses.iter().for_each(|pose| parts.push(pose.view()));
        let clip = Clip::new(self.skeleton().clone(), settings.rate_hz, parts)?;
        let usual = self.calibration_for(JOIN).usual;
        let moment = GapEnd::start(self, from)?.features(self, true);
        let like_start = self.like_start(&problem.start)?;
        let distance = self.index().moment_distance(&moment, like_start)?.max(0.0).sqrt() / usual;
        Ok(GapMotion { clip, contacts, distance, corpus_share: 1.0, nearest: None })
    }

    /// The best of several walks from the start to the end in `working` frames.
    fn route(&self, problem: &GapProblem, working: usize, wanted: Option<Ground>) -> Result<Route> {
        let (first, last) = (self.like_start(&problem.start)?, self.like_end(&problem.end)?);
        let arrival = self.stretch_of(last)?.frames.clone();
        let settings = WanderSettings { min_piece_secs: 1.0, max_piece_secs: 3.0, choices: 6 };
        let room = self.stretch_of(first)?.frames.end - 1 - first;
        let begin = first + JOIN.min(room);
        // Both ends and the change to the last example are filled.
        let middle = working.saturating_sub(2 * JOIN).max(2);
        let index = self.index();
        let mut best: Option<Route> = None;
        for seed in 0..WALKS {
            let walked = self.run_walk(begin, middle, &settings, Seed(seed), Observer::ignore())?;
            for before in (2 * JOIN..=MAX_ARRIVAL).step_by(4) {
                let Some(entry) = last.checked_sub(before).filter(|entry| *entry >= arrival.start) else {
                    break;
                };
                let Some(mut runs) = truncated(&walked, middle.saturating_sub(before - JOIN)) else { break };
                let Some(exit) = runs.last().map(|run| run.frames.end - 1) else { break };
                let jump = index.moment_distance(&self.known_moment(exit)?, entry)?;
                runs.push(WalkRun { frames: entry..last.saturating_sub(JOIN).max(entry + 1), jump });
                let travel = self.travel_of(first, &runs, last)?;
                let off = wanted.map_or(0.0, |wanted| (travel.translation() - wanted.translation()).length());
                let cost = runs.iter().map(|run| run.jump).sum::<f32>() + COST_PER_M * off * off;
                if best.as_ref().is_none_or(|best| cost < best.cost) {
                    best = Some(Route { runs, cost });
                }
            }
            if best.is_none() {
                best = Some(Route { runs: walked, cost: f32::INFINITY });
            }
        }
        Ok(best.unwrap_or(Route { runs: Vec::new(), cost: f32::INFINITY }))
    }

    /// Ground motion of a route.
    fn travel_of(&self, first: usize, runs: &[WalkRun], last: usize) -> Result<Ground> {
        let mut travel = Ground::IDENTITY;
        let mut at = first;
        for run in runs {
            // Jumps are between similar moments, which are put on each other.
            let from = if run.jump == 0.0 { at } else { run.frames.start };
            at = run.frames.end - 1;
            travel = travel * self.frames.travel(from, at)?;
        }
        Ok(travel * self.frames.track.at(at)?.inverse() * *self.frames.track.at(last)?)
    }
}

/// The first `frames` frames of runs; `None` if nothing is left.
fn truncated(runs: &[WalkRun], frames: usize) -> Option<Vec<WalkRun>> {
    let mut left = frames;
    let mut kept = Vec::new();
    for run in runs {
        let length = run.frames.len().min(left);
        if length == 0 {
            break;
        }
        kept.push(WalkRun { frames: run.frames.start..run.frames.start + length, jump: run.jump });
        left -= length;
    }
    (!kept.is_empty()).then_some(kept)
}

/// Motion at the working rate that grows from the first pose on.
struct Assembly<'a> {
    model: &'a GapModel,
    poses: Vec<LocalPose>,
    bits: Vec<SoleBits>,
}

impl<'a> Assembly<'a> {
    fn new(model: &'a GapModel, problem: &GapProblem) -> Result<Self> {
        let first = model.like_start(&problem.start)?;
        Ok(Self {
            model,
            poses: vec![problem.start.pose.clone()],
            bits: vec![*model.frames.contact_bits.at(first)?],
        })
    }

    fn clip(&self) -> Result<Clip> {
        let mut parts = ClipParts::default();
        let recent = self.poses.len().saturating_sub(2 * JOIN);
        self.poses.iter().skip(recent).for_each(|pose| parts.push(pose.view()));
        Ok(Clip::new(self.model.skeleton().clone(), WORKING_RATE_HZ, parts)?)
    }

    /// Fills a gap to a pose and appends it.
    fn join(&mut self, end: GapEnd, place: EndPlace, frames: usize) -> Result<()> {
        let clip = self.clip()?;
        let start = GapEnd::start(self.model, (&clip, clip.frames() - 1))?;
        let problem = GapProblem::new(self.model, start, end, place);
        let problem = match place {
            EndPlace::Free => {
                let travel = self.model.usual_travel(&problem, frames)?;
                problem.with_travel(travel)
            }
            _ => problem,
        };
        let filled = self.model.fill_unplanted(&problem, frames + 1, WORKING_RATE_HZ)?;
        self.poses.extend(filled.0.into_iter().skip(1));
        self.bits.extend(filled.1.into_iter().skip(1));
        Ok(())
    }

    /// Appends a run of frames of the examples, after a short gap.
    fn play(&mut self, run: &WalkRun) -> Result<()> {
        let model = self.model;
        let entry = (run.frames.start + JOIN).min(run.frames.end - 1);
        let stretch = model.stretch_of(run.frames.start)?.frames.clone();
        let clip = model.frames.clip(stretch.clone())?;
        let frames = (entry - run.frames.start).max(1);
        self.join(GapEnd::end(model, (&clip, entry - stretch.start))?, EndPlace::Free, frames)?;
        let there = ground_of(model, self.poses.last())? * model.frames.track.at(entry)?.inverse();
        for frame in entry + 1..run.frames.end {
            self.poses.push(moved(&model.frames.pose(frame)?.to_owned(), there));
            self.bits.push(*model.frames.contact_bits.at(frame)?);
        }
        Ok(())
    }

    /// Fills what is left up to the last pose.
    fn arrive(&mut self, problem: &GapProblem, working: usize) -> Result<()> {
        // Always leave time for the arrival.
        self.poses.truncate((working + 1).saturating_sub(JOIN).max(1));
        self.bits.truncate(self.poses.len());
        let frames = (working + 1).saturating_sub(self.poses.len()).max(1);
        self.join(problem.end.clone(), EndPlace::Free, frames)
    }
}

fn ground_of(model: &GapModel, pose: Option<&LocalPose>) -> Result<Ground> {
    let Some(pose) = pose else { return Ok(Ground::IDENTITY) };
    let still = Clip::still(model.skeleton().clone(), WORKING_RATE_HZ, pose.clone())?;
    Ok(still.ground_track().frames.first().copied().unwrap_or_default())
}

fn moved(pose: &LocalPose, by: Ground) -> LocalPose {
    let mut pose = pose.clone();
    pose.rotations.iter_mut().take(1).for_each(|root| *root = (by.rotation() * *root).normalize());
    pose.positions.iter_mut().take(1).for_each(|root| *root = by.point(*root));
    pose
}

/// Moves poses over the ground so that the last one gets from `reached` to `wanted`; the first one stays.
fn spread(poses: &mut [LocalPose], start: Ground, reached: Ground, wanted: Ground) {
    let correction = start.inverse() * wanted * reached.inverse() * start;
    let last = poses.len().saturating_sub(1).max(1) as f32;
    for (frame, pose) in poses.iter_mut().enumerate() {
        let share = smoothstep(frame as f32 / last);
        let part = Ground::new(share * correction.x, share * correction.z, share * correction.yaw_rad);
        *pose = moved(pose, start * part * start.inverse());
    }
}

/// Poses at another number of frames, interpolated by cubic curves.
fn at_rate(poses: &[LocalPose], frames: usize) -> Result<Vec<LocalPose>> {
    let last = poses.len() - 1;
    let pose = |frame: usize| {
        let at = frame as f64 / (frames - 1) as f64 * last as f64;
        let before = (at as usize).min(last);
        let share = (at - before as f64) as f32;
        let [a, b] = [poses.at(before.saturating_sub(1))?, poses.at(before)?];
        let [c, d] = [poses.at((before + 1).min(last))?, poses.at((before + 2).min(last))?];
        let rotations = [&a.rotations[..], &b.rotations, &c.rotations, &d.rotations];
        let positions = a.positions.iter().zip(&b.positions).zip(c.positions.iter().zip(&d.positions));
        let position =
            |((a, b), (c, d)): ((&Vec3, &Vec3), (&Vec3, &Vec3))| position_at([*a, *b, *c, *d], share);
        Ok(LocalPose {
            rotations: rotations_at(rotations, share).collect(),
            positions: positions.map(position).collect(),
        })
    };
    (0..frames).map(pose).collect()
}
