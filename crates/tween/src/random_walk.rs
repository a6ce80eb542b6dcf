//! Free movement in a style: a random walk on the transition graphs of the joints.

use marey_ops::OutOfRange;
use marey_plan::Seed;
use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::{MotionStyle, Posture, Result};

/// How a random walk chooses its transitions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WanderSettings {
    /// Sampling temperature; default 1, the likelihoods of the corpus; range 0.01 to 100. Lower values prefer
    /// frequent transitions.
    pub temperature: f64,
    /// Factor for the probability that a joint keeps its orientation; default 0.5; range 0.001 to 1. At high
    /// capture rates joints mostly keep theirs.
    pub stay_weight: f64,
}

impl Default for WanderSettings {
    fn default() -> Self {
        Self { temperature: 1.0, stay_weight: 0.5 }
    }
}

impl WanderSettings {
    /// Checks that every field is in its range.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("temperature", self.temperature, 0.01..=100.0)?;
        OutOfRange::check("stay_weight", self.stay_weight, 0.001..=1.0)?;
        Ok(())
    }
}

/// Returns a random walk of `steps` steps, starting with `from`. A joint without a seen transition keeps its
/// orientation.
pub fn random_walk(
    style: &MotionStyle,
    from: &[u16],
    steps: usize,
    settings: &WanderSettings,
    seed: Seed,
) -> Result<Vec<Posture>> {
    settings.validate()?;
    let mut rng = seed.rng(0);
    let mut walk = vec![from.to_vec()];
    let mut weights: Vec<f64> = Vec::new();
    for _ in 0..steps {
        let Some(current) = walk.last() else { break };
        let mut next = current.clone();
        for &joint in style.dependence_tree().order() {
            let (Some(graph), Some(&state)) = (style.graphs().get(joint), current.get(joint)) else {
                continue;
            };
            let parent = style.dependence_tree().parent(joint).and_then(|parent| next.get(parent)).copied();
            weights.clear();
            weights.extend(graph.edges(state).iter().map(|edge| {
                let pair_cost =
                    parent.map_or(0.0, |parent| style.dependence_tree().cost(joint, parent, edge.to));
                let stay_weight = if edge.to == state { settings.stay_weight } else { 1.0 };
                stay_weight * (-f64::from(edge.cost + pair_cost) / settings.temperature).exp()
            }));
            let total: f64 = weights.iter().sum();
            let mut remaining = rng.random::<f64>() * total;
            let chosen = weights.iter().position(|weight| {
                remaining -= weight;
                remaining <= 0.0
            });
            let edge = chosen.and_then(|chosen| graph.edges(state).get(chosen));
            if let (Some(slot), Some(edge)) = (next.get_mut(joint), edge) {
                *slot = edge.to;
            }
        }
        walk.push(next);
    }
    Ok(walk)
}
