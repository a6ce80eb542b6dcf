//! The leader as a part of the plan.

use super::{ExampleSet, Interpretation};
use crate::plan::{ActorJoint, ActorPlan, Meeting, Placement, Plan, PlanClip, SourceRef, Trace};
use crate::realise::SourceClip;

/// Puts the leader before the follower: as an actor, and as a clip that the plan carries. Hands hold as they did in the
/// examples.
pub(super) fn add_leader(
    plan: &mut Plan,
    trace: &mut Trace,
    (name, leader): &(String, SourceClip),
    interpretation: &Interpretation,
    examples: &ExampleSet,
) {
    let follower = plan.actors.iter().flat_map(|actor| &actor.placements);
    for (piece, placement) in interpretation.pieces.iter().zip(follower) {
        let source = &examples.mapping.example_of(piece.instance).source;
        for hold in examples.holds.get(source).into_iter().flatten() {
            let is_held = |frame: &usize| {
                let at = placement.source_frame_at(*frame as f64);
                at >= hold.frames.start as f64 && at < hold.frames.end as f64
            };
            let held: Vec<usize> = (0..placement.frames).filter(is_held).collect();
            if let (Some(first), Some(last)) = (held.first(), held.last()) {
                plan.meetings.push(Meeting {
                    one: ActorJoint { actor: 0, role: hold.with_role },
                    other: ActorJoint { actor: 1, role: hold.role },
                    start: placement.start + first,
                    end: placement.start + last + 1,
                    gap_m: hold.gap_m,
                });
            }
        }
    }
    let source = unused_name(examples);
    let frames = leader.clip.frames();
    let placement = Placement {
        source: source.clone(),
        source_start: 0,
        source_end: frames,
        start: 0,
        frames,
        key_times: vec![],
        world_from_source: Default::default(),
        mirrored: false,
    };
    plan.actors.insert(0, ActorPlan { name: name.clone(), placements: vec![placement] });
    trace.choices.iter_mut().for_each(|choice| choice.actor += 1);
    let SourceClip { clip, contacts, .. } = leader.clone();
    plan.clips.push(PlanClip { source, clip, contacts, holds: vec![] });
}

/// A name for the leader's clip that no example has.
fn unused_name(examples: &ExampleSet) -> SourceRef {
    let mut source = SourceRef { take: "leader".into(), actor: 0 };
    while examples.mapping.examples().iter().any(|other| other.source.take == source.take) {
        source.take.push('\'');
    }
    source
}
