//! Moves joins by a few frames to where the feet of both pieces agree.
//!
//! A plan switches from one piece to the next at a frame that its engine chose, usually a step. Both pieces
//! can be shown a little before and after that frame, so the switch may move without changing the timing or
//! the place of either. The cost of a join is the squared distance between the soles of both pieces, averaged
//! over the crossfade that follows: how far planting would have to pull the feet.

use marey_motion::{LocalPose, Vec3, WorldPose, smoothstep};
use marey_ops::sole::SolePoint;
use marey_plan::Placement;

use crate::join::JoinSettings;
use crate::piece::Piece;
use crate::{RealiseSettings, Result, SourceClip, Sources};

/// Rate at which soles are compared, in Hz.
const SAMPLE_HZ: f64 = 30.0;

/// The cost of moving a join as far as possible, in m²: a mean distance of 2 cm. Smaller gains are noise.
const MOVE_COST_M2: f32 = 0.02 * 0.02;

/// Moves the joins between the placements of an actor by at most [`JoinSettings::move_secs`]. Returns the
/// number of joins that were moved. Joins of placements with key times stay.
///
/// # Errors
/// If a source cannot be read.
pub fn move_joins(
    placements: &mut [Placement],
    rate_hz: f64,
    sources: &dyn Sources,
    settings: &JoinSettings,
) -> Result<usize> {
    let mut moved = 0;
    for next in 1..placements.len() {
        let pair = [&placements[next - 1], &placements[next]];
        let sources = [sources.source_clip(&pair[0].source)?, sources.source_clip(&pair[1].source)?];
        let join = Join { pair, sources: &sources, rate_hz };
        if let Some(by) = join.best_move(settings)? {
            let [before, after] = join.moved(by);
            placements[next - 1] = before;
            placements[next] = after;
            moved += 1;
        }
    }
    Ok(moved)
}

/// Two placements that follow each other, and their sources.
struct Join<'a> {
    pair: [&'a Placement; 2],
    sources: &'a [SourceClip; 2],
    rate_hz: f64,
}

impl Join<'_> {
    /// The number of frames by which the join should move; `None` if it should stay.
    fn best_move(&self, settings: &JoinSettings) -> Result<Option<isize>> {
        let [before, after] = self.pair;
        let flows = before.source == after.source && before.source_end == after.source_start;
        if flows || !before.key_times.is_empty() || !after.key_times.is_empty() {
            return Ok(None);
        }
        let stride = ((self.rate_hz / SAMPLE_HZ).round() as usize).max(1);
        let most = (settings.move_secs * self.rate_hz).round() as usize / stride;
        let room = |by: isize| self.is_possible(by * stride as isize);
        let (back, ahead) = (
            (1..=most as isize).take_while(|by| room(-by)).count(),
            (1..=most as isize).take_while(|by| room(*by)).count(),
        );
        if back + ahead == 0 {
            return Ok(None);
        }
        let span = settings.window(self.rate_hz).div_ceil(stride);
        let soles = self.distances_m2(back, ahead + span, stride)?;
        let cost = |by: usize| {
            let far = by.abs_diff(back) as f32 / most as f32;
            fade_cost_m2(&soles[by..=by + span]) + MOVE_COST_M2 * far * far
        };
        let best = (0..=back + ahead).min_by(|a, b| cost(*a).total_cmp(&cost(*b))).unwrap_or(back);
        Ok((best != back).then_some((best as isize - back as isize) * stride as isize))
    }

    /// Both placements with the join moved by some frames. Each shows the same source frames at the same time.
    fn moved(&self, by: isize) -> [Placement; 2] {
        let [before, after] = self.pair.map(Placement::clone);
        let frames = before.frames.saturating_add_signed(by);
        let source_end = nearest_frame(before.source_frame_at(frames as f64));
        let source_start = nearest_frame(after.source_frame_at(by as f64));
        [
            Placement { frames, source_end, ..before },
            Placement {
                start: after.start.saturating_add_signed(by),
                frames: after.frames.saturating_add_signed(-by),
                source_start,
                ..after
            },
        ]
    }

    /// Whether both placements keep half of their frames and stay within their sources.
    fn is_possible(&self, by: isize) -> bool {
        let [before, after] = self.moved(by);
        let keeps_half = |old: &Placement, new: &Placement| 2 * new.frames > old.frames;
        let earliest = self.pair[1].source_frame_at(by as f64);
        keeps_half(self.pair[0], &before)
            && keeps_half(self.pair[1], &after)
            && before.source_end <= self.sources[0].clip.frames()
            && before.source_frames() >= 2
            && earliest >= 0.0
            && after.source_frames() >= 2
    }

    /// The mean squared distance between the soles of both pieces, from some samples before the join to some
    /// after it.
    fn distances_m2(&self, back: usize, ahead: usize, stride: usize) -> Result<Vec<f32>> {
        let [before, after] = self.moved(-((back * stride) as isize));
        let beyond = (back + ahead) * stride;
        let piece = |placement: &Placement, source: &SourceClip| {
            Piece::new(placement, source, self.rate_hz, &RealiseSettings::default(), beyond)
        };
        let (first, second) = (piece(&before, &self.sources[0])?, piece(&after, &self.sources[1])?);
        let skeleton = self.sources[0].clip.skeleton();
        let points = SolePoint::all(skeleton);
        let (mut pose, mut world) = (LocalPose::rest(skeleton), WorldPose::scratch(skeleton));
        let mut soles = |piece: &Piece, at: usize| -> Vec<Vec3> {
            piece.pose_at(at, &mut pose);
            world.set(pose.view());
            points.iter().map(|point| point.at(&world.positions, &world.rotations)).collect()
        };
        let mut distance = |sample: usize| {
            let from = soles(&first, first.frames() + sample * stride);
            let to = soles(&second, sample * stride);
            let squared = from.iter().zip(&to).map(|(a, b)| a.distance_squared(*b));
            squared.sum::<f32>() / points.len().max(1) as f32
        };
        Ok((0..=back + ahead).map(&mut distance).collect())
    }
}

/// The mean of squared distances over a crossfade, weighted by how much both pieces are mixed.
fn fade_cost_m2(distances_m2: &[f32]) -> f32 {
    let (mut sum, mut weights) = (0.0, 0.0);
    for (age, distance_m2) in distances_m2.iter().enumerate() {
        let share = smoothstep((age + 1) as f32 / (distances_m2.len() + 1) as f32);
        sum += share * (1.0 - share) * distance_m2;
        weights += share * (1.0 - share);
    }
    sum / weights
}

fn nearest_frame(frame: f64) -> usize {
    frame.round().max(0.0) as usize
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use marey_examples::walk::{WalkSettings, walk};
    use marey_motion::Ground;
    use marey_plan::{ActorPlan, Plan, SourceRef};

    use super::*;

    /// A walk in two pieces that continue each other, from two sources with the same motion.
    fn divided_walk() -> (BTreeMap<SourceRef, SourceClip>, Plan) {
        let made = walk(&WalkSettings { duration_secs: 8.0, ..WalkSettings::default() }).unwrap();
        let clip = made.take.first().clone();
        let example = SourceClip { clip, contacts: Default::default(), holds: vec![] };
        let [one, other] = ["one", "other"].map(|take| SourceRef { take: take.into(), actor: 0 });
        let placement = |source: &SourceRef, source_start, source_end, start| Placement {
            source: source.clone(),
            source_start,
            source_end,
            start,
            frames: source_end - source_start,
            key_times: vec![],
            world_from_source: Ground::IDENTITY,
            mirrored: false,
        };
        let placements = vec![placement(&one, 100, 160, 0), placement(&other, 160, 260, 60)];
        let actor = ActorPlan { name: "walker".into(), placements };
        (BTreeMap::from([(one, example.clone()), (other, example)]), Plan::new(60.0, vec![actor]))
    }

    #[test]
    fn joins_that_agree_stay() {
        let (sources, plan) = divided_walk();
        let mut moved = plan.clone();
        assert_eq!(
            move_joins(&mut moved.actors[0].placements, 60.0, &sources, &JoinSettings::default()).unwrap(),
            0
        );
        assert_eq!(moved, plan);
    }

    #[test]
    fn joins_move_to_where_the_soles_agree_and_nothing_else_changes() {
        let (sources, plan) = divided_walk();
        let settings = JoinSettings { move_secs: 0.15, ..JoinSettings::default() };
        let cost = |placements: &[Placement]| {
            let pair = [&placements[0], &placements[1]];
            let clips = pair.map(|placement| sources[&placement.source].clone());
            let join = Join { pair, sources: &clips, rate_hz: 60.0 };
            fade_cost_m2(&join.distances_m2(0, 18, 2).unwrap())
        };
        let (mut moved, mut costs) = (0, [0.0; 2]);
        for late in (4..28).step_by(4) {
            // The second piece is in another phase of the stride.
            let mut plan = plan.clone();
            plan.actors[0].placements[1].source_start += late;
            plan.actors[0].placements[1].source_end += late;
            let old = plan.actors[0].placements.clone();
            moved += move_joins(&mut plan.actors[0].placements, 60.0, &sources, &settings).unwrap();
            plan.validate().unwrap();
            let new = &plan.actors[0].placements;
            costs[0] += cost(&old);
            costs[1] += cost(new);
            assert_eq!((new[0].start, new[1].end()), (old[0].start, old[1].end()));
            // Each piece shows the same source frame at the same time as before.
            let shown =
                |placement: &Placement, frame: f64| placement.source_frame_at(frame - placement.start as f64);
            for frame in [20.0, 50.0] {
                assert!((shown(&new[0], frame) - shown(&old[0], frame)).abs() < 1e-6);
                assert!((shown(&new[1], frame + 60.0) - shown(&old[1], frame + 60.0)).abs() < 1e-6);
            }
        }
        assert!(moved >= 3 && costs[1] < 0.9 * costs[0], "{moved} {costs:?}");
    }

    #[test]
    fn joins_do_not_move_beyond_their_sources() {
        let (sources, mut plan) = divided_walk();
        let frames = sources.values().next().unwrap().clip.frames();
        plan.actors[0].placements[0].source_start = frames - 60;
        plan.actors[0].placements[0].source_end = frames;
        plan.actors[0].placements[1].source_start = 0;
        plan.actors[0].placements[1].source_end = 100;
        let old = plan.clone();
        assert_eq!(
            move_joins(&mut plan.actors[0].placements, 60.0, &sources, &JoinSettings::default()).unwrap(),
            0
        );
        assert_eq!(plan, old);
    }
}
