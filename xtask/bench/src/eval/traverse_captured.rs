//! Captured people over fourteen grounds: crossed, or refused for a reason, and never with a broken leg.
//!
//! Every subject of the half crosses every ground with all of its takes. A crossing is sound if no knee folds further than in the
//! examples and the margin of the settings, no joint is faster than 1.3 times its fastest in them, and nothing is more than a
//! centimetre in the ground.

use std::collections::BTreeMap;
use std::path::PathBuf;

use marey::traverse::{self, TraverseRequest, TraverseSettings};
use marey_corpus::ImportRequest;
use marey_measure::sink::sink_in;
use marey_motion::{Clip, Observer, Role, Side, Vec3, WorldPose};

use super::foot_rows::FootTable;
use super::traverse_grounds::{self, CapturedGround};
use crate::BoxError;
use crate::args::Args;
use crate::data;
use crate::row::{Aim, Row};
use crate::scratch_corpus::ScratchCorpus;

/// How a subject moves, and the folders of their takes.
const KINDS: [(&str, &[&str]); 3] = [
    ("walks", &["walk_path", "uneven_terrain", "walk_styles"]),
    ("jumps", &["jump"]),
    ("runs, jumps and ducks", &["run_jump_duck"]),
];
/// Number of subjects per kind with `--quick`.
const QUICK: usize = 2;
/// Joints may be this much faster than the fastest example.
const FASTER: f64 = 1.3;

/// Rows for the captured subjects; none without captured motion.
pub(super) fn rows(args: &Args) -> Result<Vec<Row>, BoxError> {
    let Some(folder) = data::captured(args, "cmu") else { return Ok(Vec::new()) };
    let grounds = traverse_grounds::all()?;
    let mut rows = Vec::new();
    for (kind, folders) in KINDS {
        let mut subjects: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
        for name in folders {
            for file in marey_capture::files_of_half(&folder.join(name), "bvh", args.half) {
                let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                let subject = stem.split('_').next().unwrap_or_default();
                subjects.entry(format!("{name} {subject}")).or_default().push(file);
            }
        }
        let most = if args.quick { QUICK } else { usize::MAX };
        let mut tally = Tally::default();
        for files in subjects.values().take(most) {
            tally.add_subject(files, &grounds)?;
        }
        rows.extend(tally.rows(kind, &grounds).into_iter().map(|row| row.of_half(args.half)));
    }
    Ok(rows)
}

/// What became of the crossings of some subjects.
#[derive(Default)]
struct Tally {
    subjects: usize,
    /// Subjects that crossed each ground.
    crossed: BTreeMap<&'static str, usize>,
    refused: usize,
    /// Crossings within all limits.
    sound: usize,
    worst: Figures,
    made: FootTable,
    sources: FootTable,
}

/// The worst figures of some crossings.
#[derive(Debug, Clone, Copy, Default)]
struct Figures {
    /// Fold of a knee beyond the examples', in degrees.
    knee_deg: f64,
    /// Speed of a joint, as a multiple of its largest in the examples.
    speed: f64,
    depth_cm: f64,
    /// Depth in the first and in the last frame.
    end_depth_cm: f64,
}

/// How much further than in the examples a knee may fold by the default settings, in degrees.
fn margin_deg() -> f64 {
    f64::from(TraverseSettings::for_walkers().knee_margin_rad.to_degrees())
}

impl Figures {
    fn is_sound(&self) -> bool {
        self.knee_deg <= margin_deg() && self.speed <= FASTER && self.depth_cm <= 1.0
    }

    fn max(self, other: Self) -> Self {
        Self {
            knee_deg: self.knee_deg.max(other.knee_deg),
            speed: self.speed.max(other.speed),
            depth_cm: self.depth_cm.max(other.depth_cm),
            end_depth_cm: self.end_depth_cm.max(other.end_depth_cm),
        }
    }
}

impl Tally {
    fn add_subject(&mut self, files: &[PathBuf], grounds: &[CapturedGround]) -> Result<(), BoxError> {
        let corpus = ScratchCorpus::create()?;
        let sources = import(&corpus, files)?;
        let limits = Extremes::of(&sources);
        self.subjects += 1;
        for ground in grounds {
            let request = TraverseRequest { terrain: ground.terrain.clone(), ..TraverseRequest::default() };
            match traverse::run(&request, corpus.context()) {
                Ok(outcome) => {
                    let figures = figures(outcome.take.first(), &limits, ground);
                    *self.crossed.entry(ground.name).or_default() += 1;
                    self.sound += usize::from(figures.is_sound());
                    self.worst = self.worst.max(figures);
                    if ground.is_level {
                        self.made.add(outcome.take.first());
                        sources.iter().for_each(|clip| self.sources.add(clip));
                    }
                }
                Err(error) if error.code.id.starts_with("traverse/") => self.refused += 1,
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    fn rows(&self, kind: &str, grounds: &[CapturedGround]) -> Vec<Row> {
        let tried = self.subjects * grounds.len();
        if tried == 0 {
            return Vec::new();
        }
        let subject = format!("{} captured subjects ({kind}) over {} grounds", self.subjects, grounds.len());
        let row =
            |name: &str, value: f64, unit| Row::new(&format!("traverse: {name}"), &subject, value, unit);
        let percent = |count: usize| 100.0 * count as f64 / tried as f64;
        let crossed: usize = self.crossed.values().sum();
        let mut rows = vec![
            row("crossed", percent(crossed), "%"),
            row("crossed within all limits, or refused", percent(self.sound + self.refused), "%")
                .aim(Aim::AtLeast(100.0)),
            row("fold of a knee beyond the examples', largest", self.worst.knee_deg, "°")
                .aim(Aim::AtMost(0.0)),
            row("speed of a joint over its largest in the examples, largest", self.worst.speed, "×")
                .aim(Aim::AtMost(FASTER)),
            row("depth of joints and toe tips in the ground, largest", self.worst.depth_cm, "cm")
                .aim(Aim::AtMost(1.0)),
            row("depth in the first and last frame, largest", self.worst.end_depth_cm, "cm")
                .aim(Aim::AtMost(1.0)),
        ];
        for ground in grounds {
            let count = self.crossed.get(ground.name).copied().unwrap_or(0);
            let name = format!("traverse: subjects that cross ({kind})");
            rows.push(
                Row::new(&name, ground.name, count as f64, "").against("subjects", self.subjects as f64),
            );
        }
        rows.extend(self.made.rows(
            "traverse",
            &format!("{kind}, level ground"),
            "the sources",
            &self.sources,
        ));
        rows
    }
}

/// Imports files as the command does. Returns their clips without unusable frames.
fn import(corpus: &ScratchCorpus, files: &[PathBuf]) -> Result<Vec<Clip>, BoxError> {
    let mut corpus = corpus.context().corpus()?;
    corpus
        .import(&ImportRequest { inputs: files.to_vec(), ..ImportRequest::default() }, Observer::ignore())?;
    let mut clips = Vec::new();
    for info in corpus.takes()? {
        let take = corpus.take(info.id)?;
        let unusable = corpus.unusable(info.id)?;
        let first =
            unusable.iter().filter(|range| range.start == 0).map(|range| range.end).max().unwrap_or(0);
        clips.push(take.first().slice(first.min(info.frames.saturating_sub(2))..take.frames())?);
    }
    Ok(clips)
}

/// The largest knee fold and joint speeds of some clips of one body.
#[derive(Default)]
struct Extremes {
    knee_rad: f32,
    speeds_mps: Vec<f32>,
}

impl Extremes {
    fn of(clips: &[Clip]) -> Self {
        let mut extremes = Self::default();
        for clip in clips {
            let other = Self::of_clip(clip);
            extremes.knee_rad = extremes.knee_rad.max(other.knee_rad);
            extremes.speeds_mps.resize(other.speeds_mps.len(), 0.0);
            let speeds = extremes.speeds_mps.iter_mut().zip(other.speeds_mps);
            speeds.for_each(|(most, speed)| *most = most.max(speed));
        }
        extremes
    }

    fn of_clip(clip: &Clip) -> Self {
        let skeleton = clip.skeleton();
        let leg = |side: Side| {
            let joint = |role: Role| skeleton.joint_of(role.on(side));
            Some([joint(Role::LeftUpperLeg)?, joint(Role::LeftLowerLeg)?, joint(Role::LeftFoot)?])
        };
        let legs: Vec<[usize; 3]> = Side::BOTH.into_iter().filter_map(leg).collect();
        let mut world = WorldPose::scratch(skeleton);
        let mut extremes = Self { knee_rad: 0.0, speeds_mps: vec![0.0; skeleton.len()] };
        let mut before: Vec<Vec3> = Vec::new();
        for pose in clip.poses() {
            world.set(pose);
            for leg in &legs {
                let [hip, knee, ankle] = leg.map(|joint| world.positions[joint]);
                extremes.knee_rad = extremes.knee_rad.max((knee - hip).angle_between(ankle - knee));
            }
            let moved = before.iter().zip(&world.positions);
            for (most, (from, to)) in extremes.speeds_mps.iter_mut().zip(moved) {
                *most = most.max(from.distance(*to) * clip.rate_hz() as f32);
            }
            before.clone_from(&world.positions);
        }
        extremes
    }
}

fn figures(clip: &Clip, limits: &Extremes, ground: &CapturedGround) -> Figures {
    let own = Extremes::of_clip(clip);
    let ratios = own.speeds_mps.iter().zip(&limits.speeds_mps).filter(|(_, most)| **most > 0.0);
    let speed = ratios.map(|(speed, most)| f64::from(speed / most)).fold(0.0, f64::max);
    let last = clip.frames().saturating_sub(1);
    let end_depth_cm = [0, last].map(|frame| {
        clip.slice(frame..frame + 1).map_or(0.0, |one| sink_in(&one, &ground.terrain).deepest_cm)
    });
    Figures {
        knee_deg: f64::from((own.knee_rad - limits.knee_rad).to_degrees()),
        speed,
        depth_cm: sink_in(clip, &ground.terrain).deepest_cm,
        end_depth_cm: end_depth_cm[0].max(end_depth_cm[1]),
    }
}
