//! What is learned from a corpus: the orientations of each joint, how it moves between them, and how joints go together.

use std::sync::Arc;

use glam::Quat;
use marey_motion::{Clip, Skeleton};
use rayon::prelude::*;

use crate::{Alphabet, Error, Graph, Network, Result, StyleSettings};

/// How few postures make a style.
const LEAST_FRAMES: usize = 2;

/// A whole body's orientations, a number for each joint.
pub type Posture = Vec<u16>;

/// The style of a corpus.
#[derive(Debug, Clone)]
pub struct Style {
    skeleton: Arc<Skeleton>,
    settings: StyleSettings,
    alphabets: Vec<Alphabet>,
    graphs: Vec<Graph>,
    network: Network,
    /// The clips at the working rate, every figure in place and facing ahead.
    clips: Vec<Clip>,
    /// For each clip, frames × joints.
    postures: Vec<Vec<u16>>,
}

impl Style {
    /// Learns from clips of one skeleton. Where figures are and which way they head is left out: a style is the same
    /// anywhere.
    pub fn learn(clips: &[Clip], settings: &StyleSettings) -> Result<Self> {
        settings.validate()?;
        let short = |frames| Error::Short { frames, rate_hz: settings.rate_hz, least: LEAST_FRAMES };
        let skeleton = clips.first().ok_or(short(0))?.skeleton().clone();
        let mut in_place = Vec::with_capacity(clips.len());
        for (index, clip) in clips.iter().enumerate() {
            check_same(&skeleton, clip.skeleton(), || format!("clip {index}"))?;
            let clip = clip.without_ground(&clip.ground_track())?;
            in_place.push(if clip.rate_hz() == settings.rate_hz {
                clip
            } else {
                clip.resampled(settings.rate_hz)?
            });
        }
        let frames = in_place.iter().map(Clip::frames).sum();
        if frames < LEAST_FRAMES || in_place.iter().all(|clip| clip.frames() < LEAST_FRAMES) {
            return Err(short(frames));
        }
        let joints = skeleton.len();
        let column = |joint: usize| -> Vec<Quat> {
            let turns = in_place
                .iter()
                .flat_map(|clip| clip.poses().map(move |pose| pose.rotations.get(joint).copied()));
            turns.flatten().collect()
        };
        let alphabets: Vec<Alphabet> = (0..joints)
            .into_par_iter()
            .map(|joint| Alphabet::learn(&column(joint), settings.most_orientations, settings.nearness_rad))
            .collect();
        let postures: Vec<Vec<u16>> = in_place.par_iter().map(|clip| postures(clip, &alphabets)).collect();
        let of_joint = |joint: usize| -> Vec<Vec<u16>> {
            postures.iter().map(|all| all.iter().skip(joint).step_by(joints).copied().collect()).collect()
        };
        let graphs = alphabets
            .par_iter()
            .enumerate()
            .map(|(joint, alphabet)| Graph::learn(alphabet.len(), of_joint(joint).iter().map(Vec::as_slice)));
        let graphs = graphs.collect();
        let sizes: Vec<usize> = alphabets.iter().map(Alphabet::len).collect();
        let body: Vec<Option<usize>> = skeleton.joints().iter().map(|joint| joint.parent).collect();
        let network = Network::learn(&postures.concat(), &sizes, &body, settings.dependence);
        Ok(Self { skeleton, settings: *settings, alphabets, graphs, network, clips: in_place, postures })
    }

    /// The skeleton that the style is of.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    /// How it was learned.
    pub fn settings(&self) -> &StyleSettings {
        &self.settings
    }

    /// The orientations of each joint.
    pub fn alphabets(&self) -> &[Alphabet] {
        &self.alphabets
    }

    /// How each joint moves.
    pub fn graphs(&self) -> &[Graph] {
        &self.graphs
    }

    /// How joints go together.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The clips that were learned from, at the working rate, in place and facing ahead.
    pub fn clips(&self) -> &[Clip] {
        &self.clips
    }

    /// The posture of a clip's frame, at the working rate.
    pub fn posture_of(&self, clip: usize, frame: usize) -> Option<&[u16]> {
        let joints = self.skeleton.len();
        self.postures.get(clip)?.chunks_exact(joints.max(1)).nth(frame)
    }

    /// The posture nearest to a pose of a skeleton, joint by joint. Where the figure heads is left out.
    pub fn posture(&self, clip: &Clip, frame: usize) -> Result<Posture> {
        check_same(&self.skeleton, clip.skeleton(), || format!("frame {frame}"))?;
        let one = clip.slice(frame..frame + 1)?;
        let one = one.without_ground(&one.ground_track())?;
        Ok(postures(&one, &self.alphabets))
    }

    /// How unlikely a step of the whole body is, in nats: the steps of all joints, and how they go together where they end.
    /// Infinite where a joint was never seen to take it.
    pub fn step_cost(&self, from: &[u16], to: &[u16]) -> f64 {
        let mut cost = 0.0;
        for (joint, ((graph, &from), &orientation)) in self.graphs.iter().zip(from).zip(to).enumerate() {
            let edge = graph.edges(from).iter().find(|edge| edge.to == orientation);
            cost += edge.map_or(f64::INFINITY, |edge| f64::from(edge.cost));
            if let Some(other) = self.network.parent(joint).and_then(|other| to.get(other)) {
                cost += f64::from(self.network.cost(joint, *other, orientation));
            }
        }
        cost
    }
}

/// The postures of a clip, frames × joints.
fn postures(clip: &Clip, alphabets: &[Alphabet]) -> Vec<u16> {
    let of_pose = |rotations: &[Quat]| -> Vec<u16> {
        rotations.iter().zip(alphabets).map(|(turn, alphabet)| alphabet.nearest(*turn)).collect()
    };
    clip.poses().flat_map(|pose| of_pose(pose.rotations)).collect()
}

fn check_same(wanted: &Skeleton, found: &Skeleton, what: impl Fn() -> String) -> Result<()> {
    let refuse = |problem: String| Err(Error::Skeleton { what: what(), problem });
    if found.len() != wanted.len() {
        return refuse(format!("{} joints, not {}", found.len(), wanted.len()));
    }
    match found.joints().iter().zip(wanted.joints()).find(|(a, b)| a.name != b.name || a.parent != b.parent) {
        Some((a, b)) => refuse(format!("{:?} where {:?} is", a.name, b.name)),
        None => Ok(()),
    }
}
