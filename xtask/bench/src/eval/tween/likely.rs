//! How likely motion is in a style, whoever made it.

use marey_motion::Clip;
use marey_tween::{Posture, Style};

/// The share of any orientation of a joint in what may come next, so that a step that was never seen is unlikely rather than impossible.
const ANY: f64 = 0.01;

/// The log-likelihood of a step of motion that is cut in between the ends of another, both of one length: the mean over all steps of the
/// style's length, whole body, in nats.
pub(super) fn log_likelihood(
    style: &Style,
    made: &Clip,
    truth: &Clip,
) -> Result<f64, Box<dyn std::error::Error>> {
    let (made, mut postures) = (spelled(style, made)?, spelled(style, truth)?);
    let inside = 1..postures.len().saturating_sub(1);
    postures[inside.clone()].clone_from_slice(&made[inside]);
    let stride = (truth.rate_hz() / style.settings().rate_hz).round().max(1.0) as usize;
    let steps = postures.iter().zip(postures.iter().skip(stride));
    let sum: f64 = steps.clone().map(|(from, to)| step(style, from, to)).sum();
    Ok(sum / steps.count().max(1) as f64)
}

/// The posture of each frame.
fn spelled(style: &Style, clip: &Clip) -> Result<Vec<Posture>, Box<dyn std::error::Error>> {
    let in_place = clip.without_ground(&clip.ground_track())?;
    let postures: Result<_, _> = in_place.poses().map(|pose| style.posture(&pose.to_owned())).collect();
    Ok(postures?)
}

/// The log-likelihood of one step.
fn step(style: &Style, from: &[u16], to: &[u16]) -> f64 {
    let joints = style.graphs().iter().zip(from).zip(to).enumerate();
    let of_joint = |(joint, ((graph, &from), &orientation)): (usize, ((&marey_tween::Graph, &u16), &u16))| {
        let seen = graph.cost(from, orientation).map_or(0.0, |cost| (-f64::from(cost)).exp());
        let next = (1.0 - ANY) * seen + ANY / graph.len() as f64;
        let other = style.network().parent(joint).and_then(|other| to.get(other));
        let together = other.map_or(0.0, |other| style.network().cost(joint, *other, orientation));
        next.ln() - f64::from(together)
    };
    joints.map(of_joint).sum()
}
