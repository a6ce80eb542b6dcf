//! A piece of a plan taken out and another candidate put in its place.

use marey_motion::{Clip, Role, Vec3};
use marey_ops::align::align;
use marey_plan::{Candidate, Placement, Plan, Trace};
use marey_realise::Sources;

use crate::{Result, StudioError, codes};

/// At how many instants the two are laid on each other.
const INSTANTS: usize = 12;

/// The plan with a candidate of the trace in the place of what was taken, and the trace that says so. The candidate lasts as
/// long as what it replaces, at the pace it was recorded, and is laid where the hips of the two are nearest.
pub(crate) fn swap(
    plan: &Plan,
    trace: &Trace,
    sources: &dyn Sources,
    actor: usize,
    placement: usize,
    candidate: usize,
) -> Result<(Plan, Trace)> {
    let missing = |what: &str| StudioError::new(&codes::NO_PLAN, format!("there is no such {what}"));
    let (mut plan, mut trace) = (plan.clone(), trace.clone());
    let choice =
        trace.choices.iter_mut().find(|choice| (choice.actor, choice.placement) == (actor, placement));
    let choice = choice.ok_or_else(|| missing("choice"))?;
    let taken = choice.candidates.get(candidate).ok_or_else(|| missing("candidate"))?;
    let places = plan.actors.get_mut(actor).map(|actor| &mut actor.placements);
    let old = places.and_then(|places| places.get_mut(placement)).ok_or_else(|| missing("piece"))?;
    *old = laid(old, taken, plan.rate_hz, sources)?;
    choice.taken = candidate;
    Ok((plan, trace))
}

fn laid(old: &Placement, candidate: &Candidate, rate_hz: f64, sources: &dyn Sources) -> Result<Placement> {
    let (was, is) = (sources.source_clip(&old.source)?.clip, sources.source_clip(&candidate.source)?.clip);
    let wanted = (old.frames as f64 / rate_hz * is.rate_hz()).round().max(1.0) as usize;
    let source_start = candidate.from_frame.min(is.frames().saturating_sub(1));
    let new = Placement {
        source: candidate.source.clone(),
        source_start,
        source_end: (source_start + wanted).min(is.frames()),
        key_times: vec![],
        mirrored: false,
        ..old.clone()
    };
    let x: Vec<Vec3> = hips(old, &was).into_iter().map(|at| old.world_from_source.point(at)).collect();
    let a = hips(&new, &is);
    // What was mirrored, or has other hips, is laid by as much as both have.
    let both = x.len().min(a.len());
    let (x, a) = (x.get(..both).unwrap_or_default(), a.get(..both).unwrap_or_default());
    Ok(Placement { world_from_source: align(x, a, &vec![1.0; both])?.x_from_a, ..new })
}

/// Where both hips are at some instants of a placement, in the example's own world; where the root is, of who has no hips.
fn hips(placement: &Placement, clip: &Clip) -> Vec<Vec3> {
    let sides = clip.points(&[Role::LeftUpperLeg, Role::RightUpperLeg]).ok();
    let mut places = Vec::new();
    for instant in 0..INSTANTS {
        let at = placement.frames as f64 * instant as f64 / (INSTANTS - 1) as f64;
        let frame = (placement.source_frame_at(at).max(0.0) as usize).min(clip.frames() - 1);
        let found: Vec<Vec3> = match &sides {
            Some(points) => points.frame(frame).to_vec(),
            None => vec![clip.pose(frame).root_position()],
        };
        let across = |at: Vec3| if placement.mirrored { Vec3::new(-at.x, at.y, at.z) } else { at };
        places.extend(found.into_iter().map(across));
    }
    places
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use marey_examples::walk::{WalkSettings, walk};
    use marey_motion::Ground;
    use marey_plan::{ActorPlan, Choice, SourceRef};
    use marey_realise::SourceClip;

    use super::*;

    #[test]
    fn a_candidate_goes_where_the_piece_went() {
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
        let candidate = |from_frame| Candidate { source: source.clone(), from_frame, cost: BTreeMap::new() };
        let candidates = vec![candidate(120), candidate(200)];
        let trace = Trace { choices: vec![Choice { actor: 0, placement: 0, taken: 0, candidates }] };
        let actor = ActorPlan { name: "walker".into(), placements: vec![placement.clone()] };
        let plan = Plan::new(60.0, vec![actor]);
        let (same, _) = swap(&plan, &trace, &sources, 0, 0, 0).unwrap();
        let ground = same.actors[0].placements[0].world_from_source;
        assert!((ground.x - 3.0).abs() < 1e-3 && (ground.yaw_rad - 1.0).abs() < 1e-3, "{ground:?}");
        let (other, told) = swap(&plan, &trace, &sources, 0, 0, 1).unwrap();
        other.validate().unwrap();
        let piece = &other.actors[0].placements[0];
        assert_eq!(
            (piece.source_start, piece.source_end, piece.frames, told.choices[0].taken),
            (200, 260, 60, 1)
        );
        let middle = |placement: &Placement| {
            let all = hips(placement, &sources[&source].clip);
            let sum: Vec3 = all.iter().map(|at| placement.world_from_source.point(*at)).sum();
            sum / all.len() as f32
        };
        assert!((middle(&placement) - middle(piece)).with_y(0.0).length() < 1e-3);
        for (actor, placement, candidate) in [(1, 0, 0), (0, 1, 0), (0, 0, 2)] {
            let refused = swap(&plan, &trace, &sources, actor, placement, candidate).unwrap_err();
            assert_eq!(refused.code.id, "studio/no-plan");
        }
    }
}
