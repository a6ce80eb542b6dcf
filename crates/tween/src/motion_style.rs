//! The model that is learned from a corpus: orientations, transitions and dependences of joints.

use std::sync::Arc;

use glam::Quat;
use marey_motion::{CheckedAccess, Clip, LocalPose, Observer, Skeleton};
use rayon::prelude::*;

use crate::error::check_cancelled;
use crate::{
    DependenceTree, JointCodebook, Result, StyleCodes, StyleFrames, StyleSettings, TransitionGraph,
    TweenError,
};

/// Number of neighbouring orientations that smoothing allows unseen transitions to.
const SMOOTHED_NEIGHBOURS: usize = 3;

/// Maximum speed of unseen transitions between groups of orientations, in radians per second. Without them,
/// fingers that two performers hold differently would block the whole body.
const MAX_LEAP_RADPS: f64 = 20.0;

const MIN_FRAMES: usize = 2;

/// The orientation indices of all joints.
pub type Posture = Vec<u16>;

/// The motion style of a corpus.
#[derive(Debug, Clone)]
pub struct MotionStyle {
    skeleton: Arc<Skeleton>,
    settings: StyleSettings,
    codebooks: Vec<JointCodebook>,
    graphs: Vec<TransitionGraph>,
    dependence_tree: DependenceTree,
    frames: StyleFrames,
}

impl MotionStyle {
    /// Learns from clips of one skeleton. Position and heading on the floor do not matter.
    ///
    /// # Errors
    ///
    /// `tween/short` if no clip has two frames at the rate of the style; `tween/skeleton` if skeletons
    /// differ.
    pub fn learn(clips: &[Clip], settings: &StyleSettings) -> Result<Self> {
        Self::learn_observed(clips, settings, Observer::ignore())
    }

    /// [`MotionStyle::learn`], which can be cancelled by an observer.
    pub fn learn_observed(clips: &[Clip], settings: &StyleSettings, observer: Observer<'_>) -> Result<Self> {
        Self::learn_with(clips, settings, None, observer)
    }

    /// [`MotionStyle::learn_observed`], faster if the codes of the same clips and settings are known. Codes that do not fit the clips
    /// are learned again.
    pub fn learn_with(
        clips: &[Clip],
        settings: &StyleSettings,
        known: Option<StyleCodes>,
        observer: Observer<'_>,
    ) -> Result<Self> {
        settings.validate()?;
        let too_short = |frames| TweenError::TooShort { frames, rate_hz: settings.rate_hz, min: MIN_FRAMES };
        let skeleton = clips.first().ok_or(too_short(0))?.skeleton().clone();
        for (index, clip) in clips.iter().enumerate() {
            check_same(&skeleton, clip.skeleton(), || format!("clip {index}"))?;
        }
        let frames = StyleFrames::gather(clips, &skeleton, settings.rate_hz, observer)?;
        if frames.clips().all(|clip| clip.len() < MIN_FRAMES) {
            return Err(too_short(frames.len()));
        }
        let column = |joint: usize| -> Result<Vec<Quat>> {
            (0..frames.len()).map(|frame| Ok(*frames.pose(frame).rotations.at(joint)?)).collect()
        };
        let joints = skeleton.len();
        let StyleCodes { orientations, postures, parents } =
            known.filter(|codes| codes.fit(frames.len(), joints)).unwrap_or_default();
        let is_known = !orientations.is_empty();
        let codebooks: Vec<JointCodebook> = (0..joints)
            .into_par_iter()
            .map(|joint| {
                if let Some(known) = orientations.get(joint) {
                    return Ok(JointCodebook::from_orientations(known.clone()));
                }
                let (most, merge_angle_rad) = (settings.max_orientations, settings.merge_angle_rad);
                JointCodebook::learn(&column(joint)?, most, merge_angle_rad, observer)
            })
            .collect::<Result<_>>()?;
        let postures = if is_known { postures } else { frames.nearest_postures(&codebooks) };
        let frames = frames.with_postures(&codebooks, postures);
        check_cancelled(observer)?;
        let states_of = |joint: usize| -> Vec<u16> {
            frames.postures().iter().skip(joint).step_by(joints.max(1)).copied().collect()
        };
        let graph = |(joint, codebook): (usize, &JointCodebook)| {
            check_cancelled(observer)?;
            let states = states_of(joint);
            let sequences = || frames.clips().filter_map(|clip| states.get(clip));
            let step_angles = sequences()
                .flat_map(|states| states.array_windows())
                .map(|[from, to]| codebook.orientation(*from).angle_between(codebook.orientation(*to)));
            let neighbours = codebook.neighbours(
                SMOOTHED_NEIGHBOURS,
                step_angles.fold(0.0, f32::max),
                (MAX_LEAP_RADPS / settings.rate_hz) as f32,
            );
            Ok(TransitionGraph::learn(codebook.len(), sequences(), &neighbours, settings.smoothing))
        };
        let graphs = codebooks.par_iter().enumerate().map(graph).collect::<Result<_>>()?;
        let sizes: Vec<usize> = codebooks.iter().map(JointCodebook::len).collect();
        let body: Vec<Option<usize>> = skeleton.joints().iter().map(|joint| joint.parent).collect();
        let dependence_tree = match is_known {
            true => DependenceTree::with_parents(frames.postures(), &sizes, parents, observer)?,
            false => DependenceTree::learn(frames.postures(), &sizes, &body, settings.dependence, observer)?,
        };
        Ok(Self { skeleton, settings: *settings, codebooks, graphs, dependence_tree, frames })
    }

    /// The part of the style that takes long to learn.
    pub fn codes(&self) -> StyleCodes {
        StyleCodes {
            orientations: self.codebooks.iter().map(|codebook| codebook.orientations().to_vec()).collect(),
            postures: self.frames.postures().to_vec(),
            parents: self.dependence_tree.parents().to_vec(),
        }
    }

    /// The skeleton of the style.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    /// The settings that the style was learned with.
    pub fn settings(&self) -> &StyleSettings {
        &self.settings
    }

    /// The orientations of each joint.
    pub fn codebooks(&self) -> &[JointCodebook] {
        &self.codebooks
    }

    /// The transitions of each joint.
    pub fn graphs(&self) -> &[TransitionGraph] {
        &self.graphs
    }

    /// The dependences between joints.
    pub fn dependence_tree(&self) -> &DependenceTree {
        &self.dependence_tree
    }

    /// The frames that the style was learned from.
    pub fn frames(&self) -> &StyleFrames {
        &self.frames
    }

    /// Returns the posture nearest to a pose, joint by joint. The pose must be at the origin and face +Z.
    ///
    /// # Errors
    ///
    /// `tween/outside` if a joint is farther than [`StyleSettings::max_pose_error_rad`] from every
    /// orientation.
    pub fn posture(&self, pose: &LocalPose) -> Result<Posture> {
        let mut posture = Vec::with_capacity(self.codebooks.len());
        for (joint, (rotation, codebook)) in pose.rotations.iter().zip(&self.codebooks).enumerate() {
            let state = codebook.nearest(*rotation);
            let error_rad = codebook.orientation(state).angle_between(*rotation);
            // False for NaN.
            let is_near = error_rad <= self.settings.max_pose_error_rad;
            if !is_near {
                let joint = self.skeleton.joints().get(joint).map(|joint| joint.name.clone());
                return Err(TweenError::OutsideStyle {
                    joint: joint.unwrap_or_default(),
                    error_deg: error_rad.to_degrees(),
                });
            }
            posture.push(state);
        }
        Ok(posture)
    }

    /// Returns the cost of a step of the whole body in nats: the transitions of all joints, and the pairs of
    /// orientations that they end in. Infinite if a transition is impossible.
    pub fn step_cost(&self, from: &[u16], to: &[u16]) -> f64 {
        let mut cost = 0.0;
        for (joint, ((graph, &from), &orientation)) in self.graphs.iter().zip(from).zip(to).enumerate() {
            cost += graph.cost(from, orientation).map_or(f64::INFINITY, f64::from);
            if let Some(other) = self.dependence_tree.parent(joint).and_then(|other| to.get(other)) {
                cost += f64::from(self.dependence_tree.cost(joint, *other, orientation));
            }
        }
        cost
    }

    /// Returns an error if the skeleton of `subject` is not that of the style.
    pub(crate) fn check_skeleton(&self, skeleton: &Skeleton, subject: &str) -> Result<()> {
        check_same(&self.skeleton, skeleton, || subject.to_owned())
    }
}

pub(crate) fn check_same(expected: &Skeleton, found: &Skeleton, subject: impl Fn() -> String) -> Result<()> {
    let mismatch = |problem: String| Err(TweenError::Skeleton { subject: subject(), problem });
    if found.len() != expected.len() {
        return mismatch(format!("{} joints instead of {}", found.len(), expected.len()));
    }
    let mut pairs = found.joints().iter().zip(expected.joints());
    match pairs.find(|(a, b)| a.name != b.name || a.parent != b.parent) {
        Some((a, b)) => mismatch(format!("joint {:?} instead of {:?}", a.name, b.name)),
        None => Ok(()),
    }
}
