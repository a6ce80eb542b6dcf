//! Detects contact between two people: when, with which parts, and where.
//!
//! A limb end (a hand with its forearm, or a foot) is in contact when its capsule comes within a
//! tolerance of any capsule of the partner. Contacts that overlap in time are one interaction: a
//! blocked kick touches with the foot of one person and the forearm of the other. The faster limb
//! end strikes. Its person makes the offensive movement, the partner the defensive one (section
//! 5.1.2 of the paper).
//!
//! Change to the paper: a strike that misses is an interaction too. It is a limb that moves towards
//! the partner as fast as a strike and stops short. Otherwise a dodged kick would count as
//! footwork, and be used although the opponent does not dodge it.

use std::ops::Range;

use marey_body::{BodyCapsule, BodyCapsules, LIMB_ENDS};
use marey_motion::{Clip, Role, Vec3, WorldPose};
use serde::{Deserialize, Serialize};

/// Contact tolerance, in metres. Capsule radii are accurate to one or two centimetres.
const TOLERANCE_M: f32 = 0.015;
/// A hand or foot closer to the partner than this is within reach, in metres.
const REACH_M: f32 = 0.3;
/// Contacts separated by less than this are merged, in seconds.
const MERGE_SECS: f64 = 0.15;
/// Speeds are compared over this time before contact, in seconds.
const APPROACH_SECS: f64 = 0.2;
/// A limb that stops short by more than this is not a missed strike, in metres.
const MAX_MISS_M: f32 = 0.5;
/// Minimum approach of a missed strike during [`APPROACH_SECS`], measured from the hips, in metres.
const MIN_APPROACH_M: f32 = 0.35;
/// Minimum time between a missed strike and another contact, in seconds.
const MIN_GAP_SECS: f64 = 0.5;

/// A body part of one of two people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BodyPart {
    /// Index of the person, 0 or 1.
    pub person: usize,
    /// The joint's role.
    pub role: Role,
}

/// Contact between two people, or a strike that misses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PartnerContact {
    /// Frames of the contact.
    pub frames: Range<usize>,
    /// Frame of the smallest distance.
    pub frame: usize,
    /// The striking hand or foot.
    pub striker: BodyPart,
    /// The part that is struck.
    pub struck: BodyPart,
    /// Contact point on the struck part, in world space, in metres.
    pub point: Vec3,
    /// Vector from the struck joint to the striking joint, in world space, in metres.
    pub reach: Vec3,
    /// Smallest distance, in metres; negative if the parts overlap.
    pub gap_m: f32,
}

impl PartnerContact {
    /// Returns whether this is a strike that missed.
    pub fn is_miss(&self) -> bool {
        self.gap_m > TOLERANCE_M
    }
}

/// The part of the partner closest to a limb end in a frame.
#[derive(Debug, Clone, Copy)]
struct EndDistance {
    gap_m: f32,
    struck: Role,
    point: Vec3,
}

/// For each person, limb end and frame: the closest part of the partner, the position, and the
/// position relative to the hips.
struct ContactScan {
    near: [[Vec<EndDistance>; 4]; 2],
    ends: [[Vec<Vec3>; 4]; 2],
    from_hips: [[Vec<Vec3>; 4]; 2],
    frames: usize,
    /// Number of frames in [`APPROACH_SECS`].
    approach: usize,
}

/// Returns the contacts between two synchronised clips in order of time, and the number of frames
/// in which they are within reach.
pub(crate) fn partner_contacts(
    clips: [&Clip; 2],
    shapes: &[BodyCapsules; 2],
) -> (Vec<PartnerContact>, usize) {
    let scan = ContactScan::new(clips, shapes);
    let rate_hz = clips[0].rate_hz();
    let frames = |secs: f64| (secs * rate_hz).round() as usize;
    let spans = scan.contact_intervals(frames(MERGE_SECS));
    let mut all: Vec<PartnerContact> =
        spans.into_iter().filter_map(|span| scan.contact_in(span, clips)).collect();
    let min_gap = frames(MIN_GAP_SECS);
    for (frame, person, end) in scan.missed_strikes() {
        let is_new = |contact: &PartnerContact| {
            contact.frames.start > frame + min_gap || frame > contact.frames.end + min_gap
        };
        if all.iter().all(is_new) {
            all.extend(scan.contact_at(frame, person, end, frame..frame + 1, clips));
        }
    }
    all.sort_by_key(|contact| contact.frame);
    (all, scan.nearer_than(REACH_M).count())
}

impl ContactScan {
    fn new(clips: [&Clip; 2], shapes: &[BodyCapsules; 2]) -> Self {
        let mut worlds = clips.map(|clip| WorldPose::scratch(clip.skeleton()));
        let mut placed: [Vec<BodyCapsule>; 2] = [Vec::new(), Vec::new()];
        let frames = clips[0].frames().min(clips[1].frames());
        let approach = ((APPROACH_SECS * clips[0].rate_hz()).round() as usize).max(1);
        let mut scan = Self {
            near: Default::default(),
            ends: Default::default(),
            from_hips: Default::default(),
            frames,
            approach,
        };
        for frame in 0..frames {
            for (person, world) in worlds.iter_mut().enumerate() {
                world.set(clips[person].pose(frame));
                shapes[person].place(world, &mut placed[person]);
                let hips = world.skeleton().joint_of(Role::Hips).unwrap_or(0);
                for (end, role) in LIMB_ENDS.into_iter().enumerate() {
                    let joint = world.skeleton().joint_of(role).unwrap_or(0);
                    scan.ends[person][end].push(world.positions[joint]);
                    scan.from_hips[person][end].push(world.positions[joint] - world.positions[hips]);
                }
            }
            for (person, near) in scan.near.iter_mut().enumerate() {
                for (end, role) in LIMB_ENDS.into_iter().enumerate() {
                    near[end].push(nearest_part(role, &placed[person], &placed[1 - person]));
                }
            }
        }
        scan
    }

    /// Returns the frames in which any limb end is closer than `gap_m`.
    fn nearer_than(&self, gap_m: f32) -> impl Iterator<Item = usize> {
        let is_near = move |frame: &usize| self.near.iter().flatten().any(|ends| ends[*frame].gap_m <= gap_m);
        (0..self.frames).filter(is_near)
    }

    /// Returns the intervals of contact, merging those that are close in time.
    fn contact_intervals(&self, merge_frames: usize) -> Vec<Range<usize>> {
        let mut spans: Vec<Range<usize>> = Vec::new();
        for frame in self.nearer_than(TOLERANCE_M) {
            match spans.last_mut() {
                Some(last) if frame - last.end < merge_frames.max(1) => last.end = frame + 1,
                _ => spans.push(frame..frame + 1),
            }
        }
        spans
    }

    /// Returns frame, person and limb end of each missed strike, closest first.
    fn missed_strikes(&self) -> Vec<(usize, usize, usize)> {
        let mut found: Vec<(f32, usize, usize, usize)> = Vec::new();
        for (person, ends) in self.near.iter().enumerate() {
            for (end, near) in ends.iter().enumerate() {
                let from_hips = &self.from_hips[person][end];
                for frame in self.approach..self.frames {
                    let gap_m = near[frame].gap_m;
                    let around = frame - self.approach..(frame + self.approach + 1).min(self.frames);
                    let is_closest = near[around].iter().all(|other| other.gap_m >= gap_m);
                    let own_approach_m = from_hips[frame].distance(from_hips[frame - self.approach]);
                    let closing_m = near[frame - self.approach].gap_m - gap_m;
                    let is_near = gap_m > TOLERANCE_M && gap_m <= MAX_MISS_M;
                    if is_near && is_closest && own_approach_m.min(closing_m) >= MIN_APPROACH_M {
                        found.push((gap_m, frame, person, end));
                    }
                }
            }
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        found.into_iter().map(|(_, frame, person, end)| (frame, person, end)).collect()
    }

    /// Returns the contact in an interval. The fastest limb end strikes.
    fn contact_in(&self, span: Range<usize>, clips: [&Clip; 2]) -> Option<PartnerContact> {
        let mut best: Option<(f32, usize, usize, usize)> = None;
        for (person, ends) in self.near.iter().enumerate() {
            for (end, near) in ends.iter().enumerate() {
                let contact_frames = span.clone().filter(|&frame| near[frame].gap_m <= TOLERANCE_M);
                let Some(first) = contact_frames.clone().next() else { continue };
                let closer =
                    |best: usize, next: usize| if near[next].gap_m < near[best].gap_m { next } else { best };
                let frame = contact_frames.reduce(closer).unwrap_or(first);
                let path = &self.ends[person][end][first.saturating_sub(self.approach)..=first];
                let distance_m: f32 = path.windows(2).map(|p| p[0].distance(p[1])).sum();
                if best.is_none_or(|best| distance_m > best.0) {
                    best = Some((distance_m, frame, person, end));
                }
            }
        }
        let (_, frame, person, end) = best?;
        self.contact_at(frame, person, end, span, clips)
    }

    /// Describes the contact of a limb end in a frame.
    fn contact_at(
        &self,
        frame: usize,
        person: usize,
        end: usize,
        frames: Range<usize>,
        clips: [&Clip; 2],
    ) -> Option<PartnerContact> {
        let EndDistance { gap_m, struck, point } = self.near[person][end][frame];
        let partner_pose = WorldPose::of(clips[1 - person].skeleton(), clips[1 - person].pose(frame));
        let joint = partner_pose.skeleton().joint_of(struck)?;
        Some(PartnerContact {
            frames,
            frame,
            striker: BodyPart { person, role: LIMB_ENDS[end] },
            struck: BodyPart { person: 1 - person, role: struck },
            point,
            reach: self.ends[person][end][frame] - partner_pose.positions[joint],
            gap_m,
        })
    }
}

/// Returns the part of the partner that is closest to a limb end.
fn nearest_part(end: Role, own: &[BodyCapsule], partner: &[BodyCapsule]) -> EndDistance {
    let mut best = EndDistance { gap_m: f32::INFINITY, struck: Role::Hips, point: Vec3::ZERO };
    for own_capsule in own.iter().filter(|capsule| capsule.end == Some(end)) {
        for partner_capsule in partner {
            let gap_m = own_capsule.capsule.gap_m(&partner_capsule.capsule);
            if gap_m < best.gap_m {
                let (_, point) = own_capsule.capsule.nearest_points(&partner_capsule.capsule);
                best = EndDistance { gap_m, struck: partner_capsule.role, point };
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use marey_examples::taekwondo::{Movement, MovementKind, TaekwondoSettings, taekwondo};

    use crate::RecordedPair;

    #[test]
    fn contacts_of_a_bout_are_found_with_their_striker() {
        let settings = TaekwondoSettings {
            seed: 11,
            duration_secs: 60.0,
            rate_hz: 30.0,
            ..TaekwondoSettings::default()
        };
        let example = taekwondo(&settings).unwrap();
        let pair = RecordedPair::from_take(&example.take).unwrap();
        let real = &example.truth.bout().unwrap().touches;
        let found = |truth: &&marey_examples::taekwondo::Strike| {
            pair.partner_contacts.iter().any(|contact| {
                contact.frame.abs_diff(truth.frame) <= 3 && contact.striker.person == truth.striker.actor
            })
        };
        let matched = real.iter().filter(found).count();
        assert!(matched * 10 >= real.len() * 9, "{matched} of {}", real.len());
        let (missed, hits): (Vec<_>, Vec<_>) =
            pair.partner_contacts.iter().partition(|contact| contact.is_miss());
        assert!(hits.len() <= real.len() + real.len() / 5, "{} of {}", hits.len(), real.len());
        // A missed strike is an attack, and the partner dodges it.
        let moves = &example.truth.bout().unwrap().movements;
        let movement_at = |actor: usize, frame: usize| {
            moves.iter().find(|moved| moved.actor == actor && (moved.start..moved.end).contains(&frame))
        };
        for contact in &missed {
            let [attack, defence] =
                [contact.striker.person, contact.struck.person].map(|p| movement_at(p, contact.frame));
            assert_eq!(attack.unwrap().kind, MovementKind::Offensive, "{contact:?}");
            assert_eq!(defence.unwrap().movement, Movement::Dodge, "{contact:?}");
        }
        assert!(missed.len() > 2, "{}", missed.len());
    }
}
