//! Log-likelihood of any motion in a style.

use marey_motion::Clip;
use marey_tween::{MotionStyle, Posture};

use crate::BoxError;

/// Probability of a transition to a uniformly distributed orientation, so that unseen transitions are unlikely instead of impossible.
const UNIFORM: f64 = 0.01;

/// Mean log-likelihood of a step of the whole body, in nats, for motion that replaces the inside of a gap in `truth`. A step has the length
/// of the style's.
pub(super) fn log_likelihood(style: &MotionStyle, made: &Clip, truth: &Clip) -> Result<f64, BoxError> {
    let (made, mut postures) = (postures_of(style, made)?, postures_of(style, truth)?);
    let inside = 1..postures.len().saturating_sub(1);
    postures[inside.clone()].clone_from_slice(&made[inside]);
    let stride = (truth.rate_hz() / style.settings().rate_hz).round().max(1.0) as usize;
    let steps = postures.iter().zip(postures.iter().skip(stride));
    let sum: f64 = steps.clone().map(|(from, to)| step(style, from, to)).sum();
    Ok(sum / steps.count().max(1) as f64)
}

/// Returns the posture of each frame.
fn postures_of(style: &MotionStyle, clip: &Clip) -> Result<Vec<Posture>, BoxError> {
    let in_place = clip.without_ground(&clip.ground_track())?;
    let postures: Result<_, _> = in_place.poses().map(|pose| style.posture(&pose.to_owned())).collect();
    Ok(postures?)
}

/// The log-likelihood of one step.
fn step(style: &MotionStyle, from: &[u16], to: &[u16]) -> f64 {
    let joints = style.graphs().iter().zip(from).zip(to).enumerate();
    let of_joint =
        |(joint, ((graph, &from), &orientation)): (usize, ((&marey_tween::TransitionGraph, &u16), &u16))| {
            let seen = graph.cost(from, orientation).map_or(0.0, |cost| (-f64::from(cost)).exp());
            let next = (1.0 - UNIFORM) * seen + UNIFORM / graph.len() as f64;
            let other = style.dependence_tree().parent(joint).and_then(|other| to.get(other));
            let together =
                other.map_or(0.0, |other| style.dependence_tree().cost(joint, *other, orientation));
            next.ln() - f64::from(together)
        };
    joints.map(of_joint).sum()
}
