//! What is learned from a corpus: the orientations of each joint, how it moves between them, and how joints go together.

use std::sync::Arc;

use glam::Quat;
use marey_motion::{Clip, LocalPose, Skeleton};
use rayon::prelude::*;

use crate::{Alphabet, Error, Frames, Graph, Network, Result, StyleSettings};

/// How many orientations beside its own a joint may be in doubt about; none farther than it was ever seen to go in a step.
const FEW_NEIGHBOURS: usize = 3;

/// Up to this speed a joint gets from a group of orientations to another though it was never seen to, in radians a second: fingers
/// that two performers hold differently must not keep the whole body from moving.
const LEAP_RADPS: f64 = 20.0;

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
    frames: Frames,
}

impl Style {
    /// Learns from clips of one skeleton. Where figures are and which way they head is left out: a style is the same
    /// anywhere.
    pub fn learn(clips: &[Clip], settings: &StyleSettings) -> Result<Self> {
        settings.validate()?;
        let short = |frames| Error::Short { frames, rate_hz: settings.rate_hz, least: LEAST_FRAMES };
        let skeleton = clips.first().ok_or(short(0))?.skeleton().clone();
        for (index, clip) in clips.iter().enumerate() {
            check_same(&skeleton, clip.skeleton(), || format!("clip {index}"))?;
        }
        let frames = Frames::gather(clips, &skeleton, settings.rate_hz)?;
        if frames.clips().all(|clip| clip.len() < LEAST_FRAMES) {
            return Err(short(frames.len()));
        }
        let column = |joint: usize| -> Vec<Quat> {
            (0..frames.len()).map(|frame| frames.pose(frame).rotations[joint]).collect()
        };
        let joints = skeleton.len();
        let alphabets: Vec<Alphabet> = (0..joints)
            .into_par_iter()
            .map(|joint| Alphabet::learn(&column(joint), settings.most_orientations, settings.nearness_rad))
            .collect();
        let frames = frames.spelled(&alphabets);
        let of_joint = |joint: usize| -> Vec<u16> {
            frames.postures().iter().skip(joint).step_by(joints.max(1)).copied().collect()
        };
        let graph = |(joint, alphabet): (usize, &Alphabet)| {
            let states = of_joint(joint);
            let sequences = || frames.clips().filter_map(|clip| states.get(clip));
            let fastest = sequences()
                .flat_map(|states| states.windows(2))
                .map(|step| alphabet.orientation(step[0]).angle_between(alphabet.orientation(step[1])));
            let neighbours = alphabet.neighbours(
                FEW_NEIGHBOURS,
                fastest.fold(0.0, f32::max),
                (LEAP_RADPS / settings.rate_hz) as f32,
            );
            Graph::learn(alphabet.len(), sequences(), &neighbours, settings.doubt)
        };
        let graphs = alphabets.par_iter().enumerate().map(graph).collect();
        let sizes: Vec<usize> = alphabets.iter().map(Alphabet::len).collect();
        let body: Vec<Option<usize>> = skeleton.joints().iter().map(|joint| joint.parent).collect();
        let network = Network::learn(frames.postures(), &sizes, &body, settings.dependence);
        Ok(Self { skeleton, settings: *settings, alphabets, graphs, network, frames })
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

    /// What was learned from.
    pub fn frames(&self) -> &Frames {
        &self.frames
    }

    /// The posture nearest to a pose that is in place and faces ahead, joint by joint. Refused where a joint is farther than a
    /// [setting](StyleSettings::farthest_rad) from all that was seen of it.
    pub fn posture(&self, pose: &LocalPose) -> Result<Posture> {
        let mut posture = Vec::with_capacity(self.alphabets.len());
        for (joint, (turn, alphabet)) in pose.rotations.iter().zip(&self.alphabets).enumerate() {
            let state = alphabet.nearest(*turn);
            let off_rad = alphabet.orientation(state).angle_between(*turn);
            // Written so that it is refused where it is no number.
            let is_near = off_rad <= self.settings.farthest_rad;
            if !is_near {
                let joint = self.skeleton.joints().get(joint).map(|joint| joint.name.clone());
                return Err(Error::Outside {
                    joint: joint.unwrap_or_default(),
                    off_deg: off_rad.to_degrees(),
                });
            }
            posture.push(state);
        }
        Ok(posture)
    }

    /// How unlikely a step of the whole body is, in nats: the steps of all joints, and how they go together where they end.
    /// Infinite where a joint was never seen to take it.
    pub fn step_cost(&self, from: &[u16], to: &[u16]) -> f64 {
        let mut cost = 0.0;
        for (joint, ((graph, &from), &orientation)) in self.graphs.iter().zip(from).zip(to).enumerate() {
            cost += graph.cost(from, orientation).map_or(f64::INFINITY, f64::from);
            if let Some(other) = self.network.parent(joint).and_then(|other| to.get(other)) {
                cost += f64::from(self.network.cost(joint, *other, orientation));
            }
        }
        cost
    }

    /// Refuses a skeleton that is not the style's; `what` has it.
    pub(crate) fn check(&self, skeleton: &Skeleton, what: &str) -> Result<()> {
        check_same(&self.skeleton, skeleton, || what.to_owned())
    }
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
