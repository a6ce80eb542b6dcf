//! What `tween` reports.

use serde::Serialize;

use super::{GapMotion, LearnedGaps, MotionStyle, PosePath, TransitionGraph, TweenMode};

/// What is known about motion through poses.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TweenDetails {
    /// How it was made.
    pub mode: TweenMode,
    /// Each gap that was filled.
    pub gaps: Vec<GapDetails>,
    /// The path of each gap through the style; empty in the near mode.
    pub paths: Vec<StylePath>,
    /// Takes that were learned from.
    pub takes: Vec<String>,
}

/// A gap that was filled.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GapDetails {
    /// Frame of the result that is the pose before the gap.
    pub start: usize,
    /// Frame of the result that is the pose after the gap.
    pub end: usize,
    /// Distance from the corpus, relative to that of its own gaps from its other takes; `None` in the style mode.
    pub distance: Option<f32>,
    /// The share of the prediction from examples that was used, 0 to 1; the rest is interpolation. `None` in the style mode.
    pub corpus_share: Option<f32>,
    /// The start of the most similar example, in the form in which it can be requested.
    pub nearest: Option<String>,
}

impl GapDetails {
    pub(crate) fn near(start: usize, motion: &GapMotion, learned: &LearnedGaps) -> Self {
        Self {
            start,
            end: start + motion.clip.frames() - 1,
            distance: Some(motion.distance),
            corpus_share: Some(motion.corpus_share),
            nearest: motion.nearest.as_ref().and_then(|nearest| learned.selector(nearest)),
        }
    }
}

/// A path through a style.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StylePath {
    /// Number of steps of the path.
    pub steps: usize,
    /// Negative log-likelihood of the path, in nats.
    pub neg_log_likelihood: f64,
    /// Whether no path can be likelier.
    pub is_optimal: bool,
    /// Duration of a step in seconds.
    pub step_secs: f64,
    /// The path of each joint.
    pub joints: Vec<JointPath>,
}

/// The path of one joint through its transition graph.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JointPath {
    /// Name of the joint.
    pub joint: String,
    /// Number of orientations of the joint.
    pub orientations: usize,
    /// Orientation at each step.
    pub states: Vec<u16>,
    /// Cost of each transition in nats.
    pub costs: Vec<Option<f32>>,
}

impl StylePath {
    pub(crate) fn new(style: &MotionStyle, path: &PosePath) -> Self {
        Self {
            steps: path.postures.len().saturating_sub(1),
            neg_log_likelihood: path.cost,
            is_optimal: path.is_optimal,
            step_secs: 1.0 / style.settings().rate_hz,
            joints: joint_paths(style, path),
        }
    }
}

fn joint_paths(style: &MotionStyle, path: &PosePath) -> Vec<JointPath> {
    let joints = style.skeleton().joints().iter().zip(style.graphs()).enumerate();
    let of_joint = |(index, (joint, graph)): (usize, (&crate::motion::Joint, &TransitionGraph))| {
        let states: Vec<u16> =
            path.postures.iter().filter_map(|posture| posture.get(index).copied()).collect();
        let cost = |pair: &[u16]| match pair {
            [from, to] => graph.cost(*from, *to),
            _ => None,
        };
        let costs = states.windows(2).map(cost).collect();
        JointPath { joint: joint.name.clone(), orientations: graph.len(), states, costs }
    };
    joints.map(of_joint).collect()
}
