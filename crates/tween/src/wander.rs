//! Free movement in a style: a walk on the graphs, joint by joint, chance having a say.

use marey_ops::OutOfRange;
use marey_plan::Seed;
use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::{Posture, Result, Style};

/// How a walk is made.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WanderSettings {
    /// How adventurous it is; default 1, as likely as in the corpus; 0.01 to 100. Less keeps to what is usual, more does not mind.
    pub temperature: f64,
    /// How much less likely than in the corpus it is that a joint stays as it is; default 0.5; 0.001 to 1. Capture at
    /// high rates mostly stays.
    pub staying: f64,
}

impl Default for WanderSettings {
    fn default() -> Self {
        Self { temperature: 1.0, staying: 0.5 }
    }
}

impl WanderSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("temperature", self.temperature, 0.01..=100.0)?;
        OutOfRange::check("staying", self.staying, 0.001..=1.0)?;
        Ok(())
    }
}

/// Walks so many steps from a posture, which comes first. Where a joint was never seen to go on, it stays.
pub fn wander(
    style: &Style,
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
        let Some(here) = walk.last() else { break };
        let mut next = here.clone();
        for &joint in style.network().order() {
            let (Some(graph), Some(&state)) = (style.graphs().get(joint), here.get(joint)) else { continue };
            let other = style.network().parent(joint).and_then(|other| next.get(other)).copied();
            weights.clear();
            weights.extend(graph.edges(state).iter().map(|edge| {
                let together = other.map_or(0.0, |other| style.network().cost(joint, other, edge.to));
                let staying = if edge.to == state { settings.staying } else { 1.0 };
                staying * (-f64::from(edge.cost + together) / settings.temperature).exp()
            }));
            let all: f64 = weights.iter().sum();
            let mut at = rng.random::<f64>() * all;
            let chosen = weights.iter().position(|weight| {
                at -= weight;
                at <= 0.0
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
