//! Replaces a piece of a plan by another candidate of its trace.

use marey_motion::{Clip, Role, Vec3};
use marey_ops::align::align;
use marey_plan::{Candidate, Placement, Plan, Trace};

use crate::{RealiseError, Result, Sources};

/// Number of instants at which the hips of both pieces are aligned.
const INSTANTS: usize = 12;

/// Replaces a placement of a plan by a candidate of its trace. Returns the plan and the trace with that choice.
///
/// The candidate lasts as long as the piece that it replaces, at the speed of its recording. It is placed so that the hips of both
/// are as close as possible.
///
/// # Errors
/// If the trace or the plan has no such choice, candidate or placement, or a source cannot be read.
pub fn swap_candidate(
    plan: &Plan,
    trace: &Trace,
    sources: &dyn Sources,
    actor: usize,
    placement: usize,
    candidate: usize,
) -> Result<(Plan, Trace)> {
    let missing = |what| RealiseError::NoCandidate { what, actor, placement, candidate };
    let (mut plan, mut trace) = (plan.clone(), trace.clone());
    let choice =
        trace.choices.iter_mut().find(|choice| (choice.actor, choice.placement) == (actor, placement));
    let choice = choice.ok_or_else(|| missing("choice"))?;
    let taken = choice.candidates.get(candidate).ok_or_else(|| missing("candidate"))?;
    let placements = plan.actors.get_mut(actor).map(|actor| &mut actor.placements);
    let old = placements.and_then(|all| all.get_mut(placement)).ok_or_else(|| missing("placement"))?;
    *old = replacement(old, taken, plan.rate_hz, sources)?;
    choice.taken = candidate;
    Ok((plan, trace))
}

fn replacement(
    old: &Placement,
    candidate: &Candidate,
    rate_hz: f64,
    sources: &dyn Sources,
) -> Result<Placement> {
    let old_clip = sources.source_clip(&old.source)?.clip;
    let new_clip = sources.source_clip(&candidate.source)?.clip;
    let frames = (old.frames as f64 / rate_hz * new_clip.rate_hz()).round().max(1.0) as usize;
    let source_start = candidate.from_frame.min(new_clip.frames().saturating_sub(1));
    let new = Placement {
        source: candidate.source.clone(),
        source_start,
        source_end: (source_start + frames).min(new_clip.frames()),
        key_times: vec![],
        mirrored: false,
        ..old.clone()
    };
    let x: Vec<Vec3> = hips(old, &old_clip).into_iter().map(|at| old.world_from_source.point(at)).collect();
    let a = hips(&new, &new_clip);
    // Skeletons with and without hips give different numbers of points.
    let both = x.len().min(a.len());
    Ok(Placement { world_from_source: align(&x[..both], &a[..both], &vec![1.0; both])?.x_from_a, ..new })
}

/// Positions of both hips at some instants of a placement, in the world of its source. A skeleton without hips gives its root.
fn hips(placement: &Placement, clip: &Clip) -> Vec<Vec3> {
    let sides = clip.points(&[Role::LeftUpperLeg, Role::RightUpperLeg]).ok();
    let mut positions = Vec::new();
    for instant in 0..INSTANTS {
        let at = placement.frames as f64 * instant as f64 / (INSTANTS - 1) as f64;
        let frame = (placement.source_frame_at(at).max(0.0) as usize).min(clip.frames() - 1);
        let found: Vec<Vec3> = match &sides {
            Some(points) => points.frame(frame).to_vec(),
            None => vec![clip.pose(frame).root_position()],
        };
        let mirror = |at: Vec3| if placement.mirrored { Vec3::new(-at.x, at.y, at.z) } else { at };
        positions.extend(found.into_iter().map(mirror));
    }
    positions
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use marey_examples::walk::{WalkSettings, walk};
    use marey_motion::{Coded, Ground};
    use marey_plan::{ActorPlan, Choice, SourceRef};

    use super::*;
    use crate::SourceClip;

    #[test]
    fn a_candidate_takes_the_place_of_the_piece() {
        let take = walk(&WalkSettings { duration_secs: 8.0, ..WalkSettings::default() }).unwrap().take;
        let source = SourceRef { take: "walk".into(), actor: 0 };
        let clip = take.first().clone();
        let example = SourceClip { clip, contacts: Default::default(), holds: vec![] };
        let sources = BTreeMap::from([(source.clone(), example)]);
        let placement = Placement {
            source: source.clone(),
            source_start: 120,
            source_end: 180,
            start: 0,
            frames: 60,
            key_times: vec![],
            world_from_source: Ground { x: 3.0, z: -2.0, yaw_rad: 1.0 },
            mirrored: false,
        };
        let candidate = |from_frame| Candidate {
            source: source.clone(),
            from_frame,
            label: String::new(),
            cost: BTreeMap::new(),
        };
        let candidates = vec![candidate(120), candidate(200)];
        let trace = Trace { choices: vec![Choice { actor: 0, placement: 0, taken: 0, candidates }] };
        let actor = ActorPlan { name: "walker".into(), placements: vec![placement.clone()] };
        let plan = Plan::new(60.0, vec![actor]);
        let (same, _) = swap_candidate(&plan, &trace, &sources, 0, 0, 0).unwrap();
        let ground = same.actors[0].placements[0].world_from_source;
        assert!((ground.x - 3.0).abs() < 1e-3 && (ground.yaw_rad - 1.0).abs() < 1e-3, "{ground:?}");
        let (other, swapped) = swap_candidate(&plan, &trace, &sources, 0, 0, 1).unwrap();
        other.validate().unwrap();
        let piece = &other.actors[0].placements[0];
        assert_eq!(
            (piece.source_start, piece.source_end, piece.frames, swapped.choices[0].taken),
            (200, 260, 60, 1)
        );
        let middle = |placement: &Placement| {
            let all = hips(placement, &sources[&source].clip);
            let sum: Vec3 = all.iter().map(|at| placement.world_from_source.point(*at)).sum();
            sum / all.len() as f32
        };
        assert!((middle(&placement) - middle(piece)).with_y(0.0).length() < 1e-3);
        for (actor, placement, candidate) in [(1, 0, 0), (0, 1, 0), (0, 0, 2)] {
            let error = swap_candidate(&plan, &trace, &sources, actor, placement, candidate).unwrap_err();
            assert_eq!(error.code().id, "realise/no-candidate");
        }
    }
}
