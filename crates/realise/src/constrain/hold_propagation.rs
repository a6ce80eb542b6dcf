//! Propagation of holds from the source clips to the plan.

use std::ops::Range;

use marey_motion::Role;
use marey_plan::{ActorJoint, Meeting, Placement, Plan};

use crate::{Result, Sources};

/// The meetings that follow from the holds of the source clips: two actors of the plan show the two actors of
/// a hold at the same time. Sorted by actor, then start. Mirrored placements swap the hands.
pub fn propagate_holds(plan: &Plan, sources: &dyn Sources) -> Result<Vec<Meeting>> {
    let mut meetings = Vec::new();
    for (one, actor) in plan.actors.iter().enumerate() {
        for placement in &actor.placements {
            for hold in sources.source_clip(&placement.source)?.holds {
                let role =
                    |role: Role, other: &Placement| if other.mirrored { role.mirrored() } else { role };
                for (other, partner) in plan.actors.iter().enumerate().filter(|(other, _)| *other != one) {
                    let shows = |p: &&Placement| {
                        p.source.take == placement.source.take
                            && p.source.actor == hold.with_actor
                            && p.mirrored == placement.mirrored
                    };
                    for with in partner.placements.iter().filter(shows) {
                        let ends = [
                            ActorJoint { actor: one, role: role(hold.role, placement) },
                            ActorJoint { actor: other, role: role(hold.with_role, with) },
                        ];
                        for span in together(placement, with, &hold.frames) {
                            let (start, end) = (span.start, span.end);
                            meetings.push(Meeting {
                                one: ends[0],
                                other: ends[1],
                                start,
                                end,
                                gap_m: hold.gap_m,
                            });
                        }
                    }
                }
            }
        }
    }
    Ok(meetings)
}

/// The frames of the plan in which two placements both show frames of a range.
fn together(a: &Placement, b: &Placement, range: &Range<usize>) -> Vec<Range<usize>> {
    let mut spans: Vec<Range<usize>> = Vec::new();
    for frame in a.start.max(b.start)..a.end().min(b.end()) {
        let shows = |p: &Placement| {
            let at = p.source_frame_at((frame - p.start) as f64);
            at >= range.start as f64 && at < range.end as f64
        };
        if shows(a) && shows(b) {
            match spans.last_mut() {
                Some(last) if last.end == frame => last.end = frame + 1,
                _ => spans.push(frame..frame + 1),
            }
        }
    }
    spans
}
