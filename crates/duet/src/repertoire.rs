//! The movements of each group, prepared for blending (section 5.1.2 of the paper).
//!
//! The movements of a group have key times: footfalls, and the contact. If these occur in the same
//! order in all movements of a group, the movements are aligned at all of them; otherwise at start,
//! contact and end only. The parameters are contact height, speed and turn. Blend weights follow
//! from them by scattered data interpolation ([`marey_ops::scatter`]).
//!
//! Change to the paper: the paper derives the parameters of each frame from the weights of the
//! previous frame (equations 27 to 30), and weights from parameters. Weights that reproduce their
//! parameters do not change. They are therefore computed once, at the start of a movement; the root
//! motion of the blend is that of the equations ([`marey_ops::blend`]).

use marey_body::BodyCapsules;
use marey_motion::{Clip, Contacts, Ground, Vec3, WorldPose};
use marey_ops::blend::{BlendSegment, blend};
use marey_ops::reduction::movement::to_common_length;
use marey_ops::scatter::Scatter;

use crate::contact_adjustment::overlap_depth_m;
use crate::exchange_graph::ExchangeGraph;
use crate::posture::Posture;
use crate::recorded_movement::{Event, RecordedMovement, StrikeGeometry, events};
use crate::subject::Subject;
use crate::{DuetLabelSettings, DuetModel, InteractionKind, LabelledMovement, RecordedPair, Result};

/// Maximum number of movements in a blend.
const MAX_BLENDED: usize = 3;
/// Movements with a smaller weight are left out, since they only blur the result.
const MIN_BLEND_WEIGHT: f64 = 0.08;
/// Standard deviation of the distance between the end of a movement and the start of the next, in
/// metres.
const CONTINUITY_M: f32 = 0.08;
/// Lower bound of interpolation weights, so that continuity can select any movement.
const MIN_INTERPOLATED_WEIGHT: f64 = 0.01;
/// Movements farther apart are not blended: root mean square over feet, hands, head and hips, in
/// metres.
const MAX_BLEND_DISTANCE_M: f32 = 0.1;
/// Overlap in recordings is measured in every third frame.
const OVERLAP_FRAME_STEP: usize = 3;

/// The movements of a group.
#[derive(Debug, Clone)]
pub(crate) struct Group {
    pub(crate) kind: InteractionKind,
    examples: Vec<RecordedMovement>,
    scatter: Scatter,
    /// Distances between all movements, row by row, in metres.
    distances_m: Vec<f32>,
    /// First and last posture of each movement.
    ends: Vec<[Posture; 2]>,
    /// Index of the key time that is the contact.
    contact_key: Option<usize>,
    /// Minimum and maximum of each parameter.
    ranges: [[f64; 2]; 3],
}

/// The groups of both people.
#[derive(Debug, Clone)]
pub(crate) struct Repertoire {
    pub(crate) people: [Vec<Group>; 2],
    /// The second person's part in each exchange; empty unless the two move in unison.
    pub(crate) followers: Vec<Group>,
    /// Which exchange can follow which; empty unless the two move in unison.
    pub(crate) exchange_graph: ExchangeGraph,
    /// The collision shapes of both.
    pub(crate) shapes: [BodyCapsules; 2],
    /// Maximum overlap of legs and trunks in the recordings, in metres.
    pub(crate) recorded_overlap_m: f32,
    /// Maximum overlap of whole bodies that move in unison, in metres; 0 for others.
    pub(crate) held_overlap_m: f32,
    pub(crate) rate_hz: f64,
}

/// A blended movement that starts at the origin, heading along +Z.
#[derive(Debug, Clone)]
pub(crate) struct BlendedMovement {
    pub(crate) clip: Clip,
    pub(crate) contacts: Contacts,
    /// Number of frames before the tail.
    pub(crate) frames: usize,
    /// Frame of the contact.
    pub(crate) contact_frame: Option<usize>,
    pub(crate) weights: Vec<(usize, f32)>,
    pub(crate) strike: Option<StrikeGeometry>,
    /// Contact height, in metres.
    pub(crate) contact_height_m: f64,
    /// Position of the partner at contact, or at the end, in this person's ground frame.
    pub(crate) partner_offset: Vec3,
}

impl BlendedMovement {
    /// Returns whether it includes a contact that does not miss.
    pub(crate) fn makes_contact(&self) -> bool {
        self.strike.is_some_and(|strike| !strike.is_miss)
    }
}

impl Repertoire {
    pub(crate) fn new(pairs: &[RecordedPair], model: &DuetModel) -> Result<Self> {
        let tracks: Vec<[Vec<Ground>; 2]> = pairs
            .iter()
            .map(|pair| pair.people.each_ref().map(|person| person.clip.ground_track().frames))
            .collect();
        // `labelled` is the person whose labels define the groups. It differs from `person` only
        // for followers.
        let groups = |person: usize, labelled: usize| -> Result<Vec<Group>> {
            let subject = if model.in_unison { Subject::Couple } else { Subject::One(person) };
            let states = model.people[labelled].states.iter().enumerate();
            let build = |(group, state): (usize, &crate::MovementState)| {
                let all = model.labels.people[labelled].all.iter();
                let members: Vec<&LabelledMovement> =
                    all.filter(|movement| movement.group == group).collect();
                Group::new(pairs, &tracks, [person, labelled], subject, state.kind, &members)
            };
            states.map(build).collect()
        };
        let followers = if model.in_unison { groups(1, 0)? } else { Vec::new() };
        let exchanges = if model.in_unison { &model.labels.people[0].all[..] } else { &[] };
        let exchange_graph = ExchangeGraph::new(pairs, exchanges, followers.len());
        let shapes = pairs[0].people.each_ref().map(|person| BodyCapsules::of(person.clip.skeleton()));
        let max_depth_m = |step: usize, depth_m: &dyn Fn([&WorldPose; 2]) -> f32| {
            pairs.iter().map(|pair| max_overlap_m(pair, step, depth_m)).fold(0.0, f32::max)
        };
        Ok(Self {
            people: [groups(0, 0)?, groups(1, 1)?],
            followers,
            exchange_graph,
            recorded_overlap_m: max_depth_m(OVERLAP_FRAME_STEP, &|bodies| {
                overlap_depth_m(bodies, shapes.each_ref(), None)
            }),
            held_overlap_m: if model.in_unison {
                max_depth_m(1, &|bodies| BodyCapsules::overlap_m(shapes.each_ref(), bodies))
            } else {
                0.0
            },
            shapes,
            rate_hz: pairs[0].rate_hz(),
        })
    }
}

/// Returns the maximum overlap in every `step`th frame of a recording, as `depth_m` measures it.
fn max_overlap_m(pair: &RecordedPair, step: usize, depth_m: &dyn Fn([&WorldPose; 2]) -> f32) -> f32 {
    let mut worlds = pair.people.each_ref().map(|person| WorldPose::scratch(person.clip.skeleton()));
    let frames = (0..pair.frames()).step_by(step);
    let depth_in = |frame: usize| {
        for (world, person) in worlds.iter_mut().zip(&pair.people) {
            world.set(person.clip.pose(frame));
        }
        depth_m(worlds.each_ref())
    };
    frames.map(depth_in).fold(0.0, f32::max)
}

/// Returns the distances between all movements, row by row, in metres.
fn distances_m(
    pairs: &[RecordedPair],
    subject: Subject,
    movements: &[&LabelledMovement],
) -> Result<Vec<f32>> {
    let features =
        movements.iter().map(|movement| subject.movement(&pairs[movement.pair], movement.frames.clone()));
    let vectors =
        to_common_length(&features.collect::<Result<Vec<_>>>()?, DuetLabelSettings::default().warp)?;
    let distance = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f32>().sqrt();
    Ok(vectors.iter().flat_map(|a| vectors.iter().map(move |b| distance(a, b))).collect())
}

/// Returns the first and last posture of each movement.
fn ends(
    pairs: &[RecordedPair],
    subject: Subject,
    movements: &[&LabelledMovement],
) -> Result<Vec<[Posture; 2]>> {
    let last = |movement: &LabelledMovement| movement.frames.end.min(pairs[movement.pair].frames() - 1);
    let firsts = Posture::from_frames(
        subject,
        movements.iter().map(|movement| (&pairs[movement.pair], movement.frames.start)),
    )?;
    let lasts = Posture::from_frames(
        subject,
        movements.iter().map(|movement| (&pairs[movement.pair], last(movement))),
    )?;
    Ok(firsts.into_iter().zip(lasts).map(|(first, last)| [first, last]).collect())
}

impl Group {
    fn new(
        pairs: &[RecordedPair],
        tracks: &[[Vec<Ground>; 2]],
        [person, labelled]: [usize; 2],
        subject: Subject,
        kind: InteractionKind,
        members: &[&LabelledMovement],
    ) -> Result<Self> {
        let events: Vec<Vec<(Event, f64)>> =
            members.iter().map(|movement| events(&pairs[movement.pair], labelled, movement)).collect();
        let order = |events: &[(Event, f64)]| events.iter().map(|event| event.0).collect::<Vec<Event>>();
        let have_same_order = events.iter().all(|own| order(own) == order(&events[0]));
        let is_contact = |event: &&(Event, f64)| event.0 == Event::PartnerContact;
        let all_have_contact =
            events.iter().all(|own| own.iter().any(|event| event.0 == Event::PartnerContact));
        let kept = |own: &[(Event, f64)]| -> Vec<(Event, f64)> {
            if have_same_order {
                own.to_vec()
            } else if all_have_contact {
                own.iter().filter(is_contact).take(1).copied().collect()
            } else {
                Vec::new()
            }
        };
        let contact_key =
            kept(&events[0]).iter().position(|event| event.0 == Event::PartnerContact).map(|at| at + 1);
        let examples = members.iter().zip(&events).map(|(movement, own)| {
            let keys: Vec<f64> = kept(own).iter().map(|event| event.1).collect();
            let (pair, tracks) = (&pairs[movement.pair], &tracks[movement.pair]);
            RecordedMovement::new(pair, tracks, person, movement, &keys, subject == Subject::Couple)
        });
        let examples: Vec<RecordedMovement> = examples.collect::<Result<_>>()?;
        let parameters: Vec<Vec<f64>> = examples.iter().map(|example| example.parameters.to_vec()).collect();
        let range = |i: usize| {
            let all = examples.iter().map(|example| example.parameters[i]);
            [all.clone().fold(f64::INFINITY, f64::min), all.fold(f64::NEG_INFINITY, f64::max)]
        };
        let ranges = [range(0), range(1), range(2)];
        let (distances_m, ends) = (distances_m(pairs, subject, members)?, ends(pairs, subject, members)?);
        Ok(Self {
            kind,
            examples,
            scatter: Scatter::new(&parameters)?,
            distances_m,
            ends,
            contact_key,
            ranges,
        })
    }

    /// Returns a parameter at a fraction of its range.
    pub(crate) fn parameter(&self, index: usize, fraction: f64) -> f64 {
        let [min, max] = self.ranges[index];
        min + fraction.clamp(0.0, 1.0) * (max - min)
    }

    /// Clamps a parameter to its range.
    pub(crate) fn nearest_parameter(&self, index: usize, value: f64) -> f64 {
        let [min, max] = self.ranges[index];
        value.clamp(min, max)
    }

    /// Returns the mean contact frame; `None` if the movements have no contact.
    pub(crate) fn mean_contact_frame(&self) -> Option<f64> {
        let key = self.contact_key?;
        Some(self.examples.iter().map(|example| example.keys[key]).sum::<f64>() / self.examples.len() as f64)
    }

    /// Returns the partner's mean position at contact or at the end, in this person's ground frame,
    /// in metres.
    pub(crate) fn partner_offset(&self) -> Vec3 {
        self.examples.iter().map(|example| example.partner_offset).sum::<Vec3>() / self.examples.len() as f32
    }

    /// Returns the weighted mean of the second person's start relative to the first.
    pub(crate) fn second_from_first_mean(&self, weights: &[(usize, f32)]) -> Ground {
        let (mut place, mut heading) = (Vec3::ZERO, Vec3::ZERO);
        for &(example, weight) in weights {
            let start = self.examples[example].second_from_first;
            place += start.translation() * weight;
            heading += start.direction(Vec3::Z) * weight;
        }
        Ground::new(place.x, place.z, heading.x.atan2(heading.z))
    }

    /// Returns the mean travel in the frame of the start, and the mean length in frames.
    pub(crate) fn travel(&self) -> (Vec3, f64) {
        let n = self.examples.len() as f32;
        let ends = self.examples.iter().map(|example| example.travel);
        let frames: f64 = self.examples.iter().map(RecordedMovement::frames).sum();
        (ends.sum::<Vec3>() / n, frames / f64::from(n))
    }

    /// Returns the last posture of a blend with these weights.
    pub(crate) fn last_posture(&self, weights: &[(usize, f32)]) -> &Posture {
        &self.ends[weights.first().map_or(0, |heaviest| heaviest.0)][1]
    }

    /// Computes blend weights for height, speed and turn (the paper's weight computation).
    ///
    /// Movements that start near the end of the previous one get more weight, and all are similar
    /// to the heaviest one. People who repeat themselves little have groups whose movements are
    /// similar, but not enough to be blended or to follow everything that the others follow.
    pub(crate) fn weights(
        &self,
        parameters: [f64; 3],
        before: Option<&Posture>,
    ) -> Result<Vec<(usize, f32)>> {
        let all = self.scatter.weights(&parameters)?;
        let gap =
            |[first, _]: &[Posture; 2]| before.map_or(0.0, |before| before.distance_m(first) / CONTINUITY_M);
        let squared_gaps: Vec<f64> = self.ends.iter().map(|ends| f64::from(gap(ends)).powi(2)).collect();
        // Relative to the best fit, so that one movement is selected even if none fits well.
        let smallest = squared_gaps.iter().copied().fold(f64::INFINITY, f64::min);
        let continuity = |example: usize| (0.5 * (smallest - squared_gaps[example])).exp();
        let mut chosen: Vec<(usize, f64)> = all
            .into_iter()
            .enumerate()
            .map(|(example, weight)| (example, weight.max(MIN_INTERPOLATED_WEIGHT) * continuity(example)))
            .collect();
        chosen.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let heaviest = chosen.first().map_or(0, |(example, _)| *example);
        let row = &self.distances_m[heaviest * self.examples.len()..][..self.examples.len()];
        chosen.retain(|(example, _)| row[*example] <= MAX_BLEND_DISTANCE_M);
        chosen.truncate(MAX_BLENDED);
        if chosen.is_empty() {
            chosen.push((0, 1.0));
        }
        let sum: f64 = chosen.iter().map(|(_, w)| w).sum();
        chosen.retain(|(_, w)| w / sum > MIN_BLEND_WEIGHT);
        let sum: f64 = chosen.iter().map(|(_, w)| w).sum();
        Ok(chosen.into_iter().map(|(example, w)| (example, (w / sum) as f32)).collect())
    }

    /// Blends movements (equation 25).
    pub(crate) fn blend(&self, weights: &[(usize, f32)], rate_hz: f64) -> Result<BlendedMovement> {
        let movement_of = |&(example, _): &(usize, f32)| &self.examples[example];
        let segments: Vec<BlendSegment<'_>> = weights
            .iter()
            .map(movement_of)
            .map(|example| BlendSegment { clip: &example.clip, keys: &example.keys })
            .collect();
        let factors: Vec<f32> = weights.iter().map(|(_, w)| *w).collect();
        let clip = blend(&segments, &factors, rate_hz)?;
        let heaviest = movement_of(&weights[0]);
        let mean = |key: usize| {
            weights.iter().map(|pair| f64::from(pair.1) * movement_of(pair).keys[key]).sum::<f64>()
        };
        let keys: Vec<f64> = (0..heaviest.keys.len()).map(mean).collect();
        let frames = (keys[keys.len() - 2].round() as usize).clamp(1, clip.frames());
        let contact_frame = self.contact_key.map(|key| (keys[key].round() as usize).min(frames - 1));
        let contacts = heaviest.contacts_at(&keys, &clip)?;
        let partner_offset = weights.iter().map(|pair| movement_of(pair).partner_offset * pair.1).sum();
        Ok(BlendedMovement {
            clip,
            contacts,
            frames,
            contact_frame,
            weights: weights.to_vec(),
            strike: heaviest.strike,
            contact_height_m: weights
                .iter()
                .map(|pair| f64::from(pair.1) * movement_of(pair).parameters[0])
                .sum(),
            partner_offset,
        })
    }
}
