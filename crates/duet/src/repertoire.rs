//! What can be played: the movements of each group, ready to be blended (section 5.1.2 of the paper).
//!
//! The movements of a group have key times: when feet come down, and when the two touch. Where all movements of a group have these in
//! the same order they are aligned by all of them, else by start, touch and end. Parameters are the height at which they touch,
//! speed, and turn; weights of movements come from these by scattered data interpolation ([`marey_ops::scatter`]).
//!
//! Changed: the paper finds the parameters of each frame from those of the frame before by the weights of that frame (equations 27 to
//! 30), and weights from parameters: weights that reproduce their parameters stay as they are. So weights are found once, when a
//! movement starts, and the blend's steps over the floor are those of the equations ([`marey_ops::blend`]).

use marey_motion::{Clip, Contacts, Ground, Vec3, WorldPose};
use marey_ops::blend::{Segment, blend};
use marey_ops::reduction::movement::to_common_length;
use marey_ops::scatter::Scatter;

use crate::example::{Encounter, Event, Example, events};
use crate::meeting::crowded_m;
use crate::posture::Posture;
use crate::who::Who;
use crate::{Kind, LabelSettings, Labelled, Model, Pair, Result, Shape};

/// How many movements are blended at the most.
const MOST_BLENDED: usize = 3;
/// What is hardly there only smears: no movement has a smaller weight.
const LEAST_WEIGHT: f64 = 0.08;
/// A movement that begins further from where the one before ended is less likely, in metres.
const FITS_M: f32 = 0.08;
/// The weight of what is not asked for, before it is judged by how it begins.
const MERE_WEIGHT: f64 = 0.01;
/// Movements that are further apart are not blended, root mean square over feet, hands, head and hips, in metres.
const MOST_APART_M: f32 = 0.1;
/// One of so many frames is looked at for how near bodies come.
const CROWDED_STEP: usize = 3;

/// The movements of a group.
#[derive(Debug, Clone)]
pub(crate) struct Group {
    pub(crate) kind: Kind,
    examples: Vec<Example>,
    scatter: Scatter,
    /// How far every two of them are apart, row by row, in metres.
    apart_m: Vec<f32>,
    /// How each begins and ends.
    ends: Vec<[Posture; 2]>,
    /// Which key time is the touch.
    touch_key: Option<usize>,
    /// The least and the most of each parameter.
    ranges: [[f64; 2]; 3],
}

/// The groups of both.
#[derive(Debug, Clone)]
pub(crate) struct Repertoire {
    pub(crate) people: [Vec<Group>; 2],
    /// What the second does in each group of the first, for couples that move as one.
    pub(crate) followers: Vec<Group>,
    /// The space their bodies take.
    pub(crate) shapes: [Shape; 2],
    /// How deep legs and trunks are in each other in the examples, at the most, in metres.
    pub(crate) crowded_m: f32,
    pub(crate) rate_hz: f64,
}

/// A movement that was blended: over the middle of the floor, heading along +Z.
#[derive(Debug, Clone)]
pub(crate) struct Blended {
    pub(crate) clip: Clip,
    pub(crate) contacts: Contacts,
    /// How many frames it has before its tail.
    pub(crate) frames: usize,
    /// The frame in which the two touch.
    pub(crate) touch: Option<usize>,
    pub(crate) weights: Vec<(usize, f32)>,
    pub(crate) encounter: Option<Encounter>,
    /// At what height they touch, in metres.
    pub(crate) height_m: f64,
    /// Where the other should be, as this one sees them, at the touch or the end.
    pub(crate) other_at: Vec3,
}

impl Blended {
    /// Whether the two meet in it; not where one got away.
    pub(crate) fn meets(&self) -> bool {
        self.encounter.is_some_and(|encounter| !encounter.misses)
    }
}

impl Repertoire {
    pub(crate) fn of(pairs: &[Pair], model: &Model) -> Result<Self> {
        let tracks: Vec<[Vec<Ground>; 2]> = pairs
            .iter()
            .map(|pair| pair.people.each_ref().map(|person| person.clip.ground_track().frames))
            .collect();
        // Of a person, in the movements of a person: the same, but for followers.
        let groups = |person: usize, cut: usize| -> Result<Vec<Group>> {
            let who = if model.in_unison { Who::Both } else { Who::One(person) };
            let states = model.people[cut].states.iter().enumerate();
            let of = |(group, state): (usize, &crate::State)| {
                let all = model.labels.people[cut].all.iter();
                let members: Vec<&Labelled> = all.filter(|movement| movement.group == group).collect();
                Group::of(pairs, &tracks, [person, cut], who, state.kind, &members)
            };
            states.map(of).collect()
        };
        let followers = if model.in_unison { groups(1, 0)? } else { Vec::new() };
        let shapes = pairs[0].people.each_ref().map(|person| Shape::of(person.clip.skeleton()));
        Ok(Self {
            people: [groups(0, 0)?, groups(1, 1)?],
            followers,
            crowded_m: pairs.iter().map(|pair| crowded(pair, &shapes)).fold(0.0, f32::max),
            shapes,
            rate_hz: pairs[0].rate_hz(),
        })
    }
}

/// How deep legs and trunks of a pair are in each other, at the most.
fn crowded(pair: &Pair, shapes: &[Shape; 2]) -> f32 {
    let mut worlds = pair.people.each_ref().map(|person| WorldPose::scratch(person.clip.skeleton()));
    let frames = (0..pair.frames()).step_by(CROWDED_STEP);
    let depth_m = |frame: usize| {
        for (world, person) in worlds.iter_mut().zip(&pair.people) {
            world.set(person.clip.pose(frame));
        }
        crowded_m(worlds.each_ref(), shapes.each_ref(), None)
    };
    frames.map(depth_m).fold(0.0, f32::max)
}

/// How far every two movements are apart, row by row, in metres.
fn apart_m(pairs: &[Pair], who: Who, movements: &[&Labelled]) -> Result<Vec<f32>> {
    let seen = movements.iter().map(|of| who.movement(&pairs[of.pair], of.frames.clone()));
    let vectors = to_common_length(&seen.collect::<Result<Vec<_>>>()?, LabelSettings::default().warp)?;
    let apart = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f32>().sqrt();
    Ok(vectors.iter().flat_map(|a| vectors.iter().map(move |b| apart(a, b))).collect())
}

/// How movements begin and end.
fn ends(pairs: &[Pair], who: Who, movements: &[&Labelled]) -> Result<Vec<[Posture; 2]>> {
    let last = |of: &Labelled| of.frames.end.min(pairs[of.pair].frames() - 1);
    let firsts = Posture::all(who, movements.iter().map(|of| (&pairs[of.pair], of.frames.start)))?;
    let lasts = Posture::all(who, movements.iter().map(|of| (&pairs[of.pair], last(of))))?;
    Ok(firsts.into_iter().zip(lasts).map(|(first, last)| [first, last]).collect())
}

impl Group {
    fn of(
        pairs: &[Pair],
        tracks: &[[Vec<Ground>; 2]],
        [person, cut]: [usize; 2],
        who: Who,
        kind: Kind,
        members: &[&Labelled],
    ) -> Result<Self> {
        let events: Vec<Vec<(Event, f64)>> =
            members.iter().map(|movement| events(&pairs[movement.pair], cut, movement)).collect();
        let order = |events: &[(Event, f64)]| events.iter().map(|event| event.0).collect::<Vec<Event>>();
        let is_alike = events.iter().all(|own| order(own) == order(&events[0]));
        let is_touch = |event: &&(Event, f64)| event.0 == Event::Touches;
        let all_touch = events.iter().all(|own| own.iter().any(|event| event.0 == Event::Touches));
        let kept = |own: &[(Event, f64)]| -> Vec<(Event, f64)> {
            if is_alike {
                own.to_vec()
            } else if all_touch {
                own.iter().filter(is_touch).take(1).copied().collect()
            } else {
                Vec::new()
            }
        };
        let touch_key = kept(&events[0]).iter().position(|event| event.0 == Event::Touches).map(|at| at + 1);
        let examples = members.iter().zip(&events).map(|(movement, own)| {
            let keys: Vec<f64> = kept(own).iter().map(|event| event.1).collect();
            Example::of(&pairs[movement.pair], &tracks[movement.pair], person, movement, &keys)
        });
        let examples: Vec<Example> = examples.collect::<Result<_>>()?;
        let parameters: Vec<Vec<f64>> = examples.iter().map(|example| example.parameters.to_vec()).collect();
        let range = |i: usize| {
            let all = examples.iter().map(|example| example.parameters[i]);
            [all.clone().fold(f64::INFINITY, f64::min), all.fold(f64::NEG_INFINITY, f64::max)]
        };
        let ranges = [range(0), range(1), range(2)];
        let (apart_m, ends) = (apart_m(pairs, who, members)?, ends(pairs, who, members)?);
        Ok(Self { kind, examples, scatter: Scatter::new(&parameters)?, apart_m, ends, touch_key, ranges })
    }

    /// A parameter at a share of its range: 0 is the least, 1 the most.
    pub(crate) fn parameter(&self, which: usize, share: f64) -> f64 {
        let [least, most] = self.ranges[which];
        least + share.clamp(0.0, 1.0) * (most - least)
    }

    /// The same, as near to a wish as its range allows.
    pub(crate) fn nearest_parameter(&self, which: usize, wish: f64) -> f64 {
        let [least, most] = self.ranges[which];
        wish.clamp(least, most)
    }

    /// When its movements touch, on average, in frames; nothing where they do not.
    pub(crate) fn touch_frame(&self) -> Option<f64> {
        let key = self.touch_key?;
        Some(self.examples.iter().map(|example| example.keys[key]).sum::<f64>() / self.examples.len() as f64)
    }

    /// Where the other is at the point of its movements, on average, as this one sees them, in metres.
    pub(crate) fn other_at(&self) -> Vec3 {
        self.examples.iter().map(|example| example.other_at).sum::<Vec3>() / self.examples.len() as f32
    }

    /// Where movements of the second begin, as the first sees it: the mean of some, by their weights.
    pub(crate) fn beside_first(&self, weights: &[(usize, f32)]) -> Ground {
        let (mut place, mut heading) = (Vec3::ZERO, Vec3::ZERO);
        for &(example, weight) in weights {
            let begins = self.examples[example].from_first;
            place += begins.translation() * weight;
            heading += begins.direction(Vec3::Z) * weight;
        }
        Ground::new(place.x, place.z, heading.x.atan2(heading.z))
    }

    /// How far its movements go and turn, on average, as seen at their start; and how long they take, in frames.
    pub(crate) fn travel(&self) -> (Vec3, f64) {
        let n = self.examples.len() as f32;
        let ends = self.examples.iter().map(|example| example.travel);
        let frames: f64 = self.examples.iter().map(Example::frames).sum();
        (ends.sum::<Vec3>() / n, frames / f64::from(n))
    }

    /// How a movement ends that is blended with these weights.
    pub(crate) fn ends(&self, weights: &[(usize, f32)]) -> &Posture {
        &self.ends[weights.first().map_or(0, |heaviest| heaviest.0)][1]
    }

    /// The weights of a few movements for height, speed and turn (the paper's weight computation). Movements that begin as the one before
    /// ended have more; and all are near the one that has most: groups of people who repeat themselves little hold movements that are alike,
    /// but not enough to be blended, or to follow what the others do.
    pub(crate) fn weights(
        &self,
        parameters: [f64; 3],
        before: Option<&Posture>,
    ) -> Result<Vec<(usize, f32)>> {
        let all = self.scatter.weights(&parameters)?;
        let off = |[first, _]: &[Posture; 2]| before.map_or(0.0, |before| before.apart_m(first) / FITS_M);
        let off: Vec<f64> = self.ends.iter().map(|ends| f64::from(off(ends)).powi(2)).collect();
        // Beside the one that fits best: where none does, one is still taken.
        let least = off.iter().copied().fold(f64::INFINITY, f64::min);
        let fits = |example: usize| (0.5 * (least - off[example])).exp();
        let mut some: Vec<(usize, f64)> = all
            .into_iter()
            .enumerate()
            .map(|(example, weight)| (example, weight.max(MERE_WEIGHT) * fits(example)))
            .collect();
        some.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let heaviest = some.first().map_or(0, |(example, _)| *example);
        let row = &self.apart_m[heaviest * self.examples.len()..][..self.examples.len()];
        some.retain(|(example, _)| row[*example] <= MOST_APART_M);
        some.truncate(MOST_BLENDED);
        if some.is_empty() {
            some.push((0, 1.0));
        }
        let sum: f64 = some.iter().map(|(_, w)| w).sum();
        some.retain(|(_, w)| w / sum > LEAST_WEIGHT);
        let sum: f64 = some.iter().map(|(_, w)| w).sum();
        Ok(some.into_iter().map(|(example, w)| (example, (w / sum) as f32)).collect())
    }

    /// Blends movements (equation 25).
    pub(crate) fn blend(&self, weights: &[(usize, f32)], rate_hz: f64) -> Result<Blended> {
        let of = |&(example, _): &(usize, f32)| &self.examples[example];
        let segments: Vec<Segment<'_>> = weights
            .iter()
            .map(of)
            .map(|example| Segment { clip: &example.clip, keys: &example.keys })
            .collect();
        let shares: Vec<f32> = weights.iter().map(|(_, w)| *w).collect();
        let clip = blend(&segments, &shares, rate_hz)?;
        let heaviest = of(&weights[0]);
        let mean =
            |key: usize| weights.iter().map(|pair| f64::from(pair.1) * of(pair).keys[key]).sum::<f64>();
        let keys: Vec<f64> = (0..heaviest.keys.len()).map(mean).collect();
        let frames = (keys[keys.len() - 2].round() as usize).clamp(1, clip.frames());
        let touch = self.touch_key.map(|key| (keys[key].round() as usize).min(frames - 1));
        let contacts = heaviest.contacts_at(&keys, &clip)?;
        let other_at = weights.iter().map(|pair| of(pair).other_at * pair.1).sum();
        Ok(Blended {
            clip,
            contacts,
            frames,
            touch,
            weights: weights.to_vec(),
            encounter: heaviest.encounter,
            height_m: weights.iter().map(|pair| f64::from(pair.1) * of(pair).parameters[0]).sum(),
            other_at,
        })
    }
}
