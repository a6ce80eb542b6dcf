//! A slow reference implementation of the planter: it has the whole motion and runs each step over all of it,
//! without ring buffers. The streaming planter must produce the same bits.

use std::sync::{Arc, OnceLock};

use marey_examples::walk::{WalkSettings, walk};
use marey_motion::{LocalPose, Quat, Side, Skeleton, Vec3, WorldPose, smoothstep};
use marey_ops::sole::SolePart;
use marey_plan::{Seed, SourceRef};
use proptest::prelude::*;
use rand::RngExt;

use super::floor::Level;
use super::footholds::{TIMING_SECS, TOUCHDOWN_SECS};
use super::leg::{Leg, LegAt, combined_turn};
use super::planter::{MAX_TILT_RAD_PER_SEC, PRESSED_M};
use super::root_shift::RootShift;
use super::smoothed_rotation::SmoothedRotation;
use super::toes::Toes;
use super::{PlantSettings, PlantSummary, Planter, StepWindows};
use crate::join::Joiner;
use crate::piece::Piece;
use crate::reference_joints::BodyMover;
use crate::sole_touch::SoleTouch;
use crate::{PlacementChain, SourceClip, Sources};

/// A joined motion, frame by frame.
struct Joined {
    poses: Vec<LocalPose>,
    plain: Vec<LocalPose>,
    between: Vec<f32>,
    touches: Vec<SoleTouch>,
}

type Places = Vec<[Option<Vec3>; 2]>;

/// All steps over a whole motion, one foot after the other.
fn planted(
    skeleton: &Arc<Skeleton>,
    rate_hz: f64,
    settings: &PlantSettings,
    joined: &Joined,
) -> (Vec<LocalPose>, Vec<SoleTouch>, PlantSummary) {
    let reach = StepWindows::of(settings, rate_hz);
    let frames = joined.poses.len();
    let (mut poses, mut touches) = (joined.poses.clone(), vec![SoleTouch::default(); frames]);
    let mut need = vec![0f32; frames];
    let mut feet = Vec::new();
    let mut summary = PlantSummary::default();
    let both = Side::BOTH.map(|side| Leg::of(skeleton, side, settings.min_knee_rad).unwrap());
    let at = |leg: &Leg, poses: &[LocalPose]| -> Vec<LegAt> {
        poses.iter().map(|pose| leg.at(&WorldPose::of(skeleton, pose.view()))).collect()
    };
    let roots = root_shifts(&both.map(|leg| at(&leg, &joined.poses)), &joined.touches, rate_hz, settings);
    for (side, leg) in Side::BOTH.into_iter().zip(both) {
        let legs: Vec<LegAt> =
            at(&leg, &joined.poses).into_iter().zip(&roots).map(|(at, root)| at.moved(*root)).collect();
        let own = at(&leg, &joined.plain);
        let foot = FootMotion {
            leg: &leg,
            legs: &legs,
            own: &own,
            side,
            touches: &joined.touches,
            rate_hz,
            settings,
        };
        let holds = foot.holds(&mut summary);
        let tilts: Vec<Option<Vec3>> = (0..frames).map(|f| tilt(&legs[f], holds[f])).collect();
        let most = MAX_TILT_RAD_PER_SEC / rate_hz as f32;
        let tilts: Vec<Vec3> = (0..frames).map(|f| faded(&tilts, f, reach.ease, most)).collect();
        let mut raised = SmoothedRotation::default();
        let turned = |f: usize| {
            let Some(floor_m) = settings.floor_m else { return tilts[f] };
            let lowest_m =
                [0, 1].map(|part| (floor_m + leg.rest_m(part)).min(own[f].sole[part].y) - PRESSED_M);
            let is_free = holds[f].contains(&None);
            let wanted = is_free.then(|| leg.raised(&legs[f], holds[f], tilts[f], lowest_m));
            let raised = raised.towards(wanted, 1.0 / rate_hz as f32);
            let soon = (f + 1..frames).find(|f| !holds[*f].contains(&None)).map_or(frames, |soon| soon - f);
            let share = if soon < reach.drop { smoothstep(soon as f32 / reach.drop as f32) } else { 1.0 };
            combined_turn(tilts[f], raised * share)
        };
        let tilts: Vec<Vec3> = (0..frames).map(turned).collect();
        let exact = |f: usize| {
            let part = holds[f].iter().position(Option::is_some)?;
            Some(leg.ankle_over(&legs[f], part, holds[f][part]?, tilts[f]) - legs[f].ankle)
        };
        let exact: Vec<Option<Vec3>> = (0..frames).map(exact).collect();
        let shifts: Vec<Vec3> = (0..frames).map(|f| faded(&exact, f, reach.ease, f32::INFINITY)).collect();
        for f in (0..frames).filter(|f| exact[*f].is_some()) {
            need[f] = need[f].max(leg.need_m(&legs[f], shifts[f]));
        }
        let is = |f: usize, part: usize| leg.sole_at(&legs[f], part, shifts[f], tilts[f]);
        let speed = |from: Vec3, to: Vec3| (to - from).with_y(0.0).length() * rate_hz as f32;
        let lacks = |f: usize| {
            let Some(floor_m) = settings.floor_m else { return 0.0 };
            let before = f.saturating_sub(1);
            let of = |part: usize| {
                let (stands_m, slow_mps) = (floor_m + leg.rest_m(part), settings.slide_mps);
                Level { stands_m, clearance_m: settings.clearance_m, slow_mps }.lift_m(
                    (is(f, part), speed(is(before, part), is(f, part))),
                    (own[f].sole[part], speed(own[before].sole[part], own[f].sole[part])),
                )
            };
            joined.between[f] * of(0).max(of(1))
        };
        let lifts = eased(&(0..frames).map(lacks).collect::<Vec<f32>>(), reach.drop);
        feet.push((side, leg, legs, holds, tilts, shifts, lifts));
    }
    let need: Vec<f32> = need.into_iter().map(|need| need.min(settings.most_drop_m)).collect();
    let drops = eased(&need, reach.drop);
    let mut was_missed = [false; 2];
    for f in 0..frames {
        BodyMover::of(skeleton).shift(&mut poses[f], roots[f] - Vec3::Y * drops[f]);
        for (foot, (side, leg, legs, holds, tilts, shifts, lifts)) in feet.iter().enumerate() {
            let stands = |f: &usize| holds[*f].iter().any(Option::is_some);
            let around = f.saturating_sub(reach.drop)..(f + reach.drop + 1).min(frames);
            let away = around.filter(stands).map(|other| f.abs_diff(other)).min();
            let share = away.map_or(1.0, |away| smoothstep(away as f32 / (reach.drop + 1) as f32));
            let shift = shifts[f] + Vec3::Y * (lifts[f] * share);
            let missed_m = leg.reach(&mut poses[f], &legs[f], drops[f], shift, tilts[f]);
            let is_missed = missed_m > 1e-3 && stands(&f);
            if is_missed && !was_missed[foot] {
                summary.too_far += 1;
                summary.first_released = Some(summary.first_released.map_or(f, |first| first.min(f)));
            }
            was_missed[foot] = is_missed;
            for part in SolePart::ALL {
                if missed_m <= 1e-3 && holds[f][part as usize].is_some() {
                    touches[f] = touches[f].with(*side, part);
                }
            }
        }
        let [world, own] = [&poses[f], &joined.plain[f]].map(|pose| WorldPose::of(skeleton, pose.view()));
        for toes in Side::BOTH.into_iter().filter_map(|side| Toes::of(skeleton, side)) {
            if let Some(floor_m) = settings.floor_m {
                let missing_m = toes.missing_height_m(&world, toes.tip_m(&own), floor_m);
                toes.bend(&mut poses[f], &world, joined.between[f] * missing_m);
            }
        }
    }
    (poses, touches, summary)
}

/// The displacement of the root in every frame: the slides of standing feet around it, weighted.
fn root_shifts(
    legs: &[Vec<LegAt>; 2],
    touches: &[SoleTouch],
    rate_hz: f64,
    settings: &PlantSettings,
) -> Vec<Vec3> {
    let shift = RootShift::new(settings, rate_hz);
    let frames = touches.len();
    let mut slides = vec![Vec3::ZERO; frames];
    for f in 1..frames {
        let parts = (0..2).flat_map(|foot| (0..2).map(move |part| (foot, part)));
        let stands =
            |f: usize, foot: usize, part: usize| touches[f].has(Side::BOTH[foot], SolePart::ALL[part]);
        let standing = parts.filter(|(foot, part)| stands(f - 1, *foot, *part) && stands(f, *foot, *part));
        let moved = standing.map(|(foot, part)| legs[foot][f].sole[part] - legs[foot][f - 1].sole[part]);
        slides[f] = shift.agreed(moved);
    }
    let slide = |f: usize| slides.get(f).copied().unwrap_or_default();
    (0..frames).map(|f| shift.displacement(f, slide)).collect()
}

/// The motion of one foot, and the contacts of its sources.
struct FootMotion<'a> {
    leg: &'a Leg,
    legs: &'a [LegAt],
    own: &'a [LegAt],
    side: Side,
    touches: &'a [SoleTouch],
    rate_hz: f64,
    settings: &'a PlantSettings,
}

impl FootMotion<'_> {
    /// Positions of heel and ball of the foot that stand, in every frame.
    fn holds(&self, summary: &mut PlantSummary) -> Places {
        let reach = StepWindows::of(self.settings, self.rate_hz);
        let timing = (TIMING_SECS * self.rate_hz).round() as usize;
        let mut holds: Places = Vec::new();
        let mut released = Vec::new();
        for f in 0..self.legs.len() {
            let before = holds.last().copied().unwrap_or_default();
            let mut now = [None; 2];
            for part in [1, 0] {
                let Some(place) = before[part].filter(|_| self.touches(f, part)) else { continue };
                match self.strain(f, part, place, now[1 - part]) {
                    None => now[part] = Some(place),
                    Some(strain) if self.contact_from(f, part) > timing => released.push((f, strain)),
                    Some(_) => {}
                }
            }
            for part in 0..2 {
                if now[part].is_none() && self.touches(f, part) && !self.is_short(f, part) {
                    now[part] = self.landing(f, part, now[1 - part], &holds, &reach);
                }
            }
            holds.push(now);
        }
        for (start, end, part) in self.contacts() {
            if self.is_short(start, part) {
                continue;
            }
            summary.contacts += 1;
            // The last contact may still be planted.
            if end < self.legs.len() && (start..end).all(|f| holds[f][part].is_none()) {
                released.push((end, Strain::Fast));
            }
        }
        for (frame, strain) in released {
            match strain {
                Strain::Far => summary.too_far += 1,
                Strain::Turn => summary.turned += 1,
                Strain::Fast => summary.too_fast += 1,
            }
            summary.first_released = Some(summary.first_released.map_or(frame, |first| first.min(frame)));
        }
        holds
    }

    fn touches(&self, f: usize, part: usize) -> bool {
        self.touches[f].has(self.side, SolePart::ALL[part])
    }

    /// Start, end and part of every contact.
    fn contacts(&self) -> Vec<(usize, usize, usize)> {
        let mut contacts = Vec::new();
        for part in 0..2 {
            for f in 0..self.legs.len() {
                if self.touches(f, part) && (f == 0 || !self.touches(f - 1, part)) {
                    let end = (f..self.legs.len()).find(|f| !self.touches(*f, part));
                    contacts.push((f, end.unwrap_or(self.legs.len()), part));
                }
            }
        }
        contacts
    }

    /// The number of frames of a contact from a frame on, as far as the planter looks.
    fn contact_from(&self, f: usize, part: usize) -> usize {
        let last = (f + StepWindows::of(self.settings, self.rate_hz).stand()).min(self.legs.len() - 1);
        (f..=last).take_while(|f| self.touches(*f, part)).count()
    }

    /// Whether the contact around a frame is too short to count.
    fn is_short(&self, f: usize, part: usize) -> bool {
        let reach = StepWindows::of(self.settings, self.rate_hz);
        let start = (0..=f).rev().take_while(|f| self.touches(*f, part)).last().unwrap_or(f);
        reach.least > 0 && self.contact_from(start, part) <= reach.least
    }

    fn strain(&self, f: usize, part: usize, place: Vec3, other: Option<Vec3>) -> Option<Strain> {
        let at = &self.legs[f];
        let shift = place - at.sole[part];
        let is_far = shift.length() > self.settings.most_pull_m
            || self.leg.least_drop_m(at, shift) > self.settings.most_drop_m;
        let along = at.sole[part] - at.sole[1 - part];
        let stood =
            [Some(self.own[f].sole[part] - self.own[f].sole[1 - part]), other.map(|other| place - other)];
        let mut stood = stood.into_iter().flatten();
        let is_turned = stood.any(|stood| stood.angle_between(along) > self.settings.most_turn_rad);
        if is_far { Some(Strain::Far) } else { is_turned.then_some(Strain::Turn) }
    }

    fn landing(
        &self,
        f: usize,
        part: usize,
        other: Option<Vec3>,
        holds: &Places,
        reach: &StepWindows,
    ) -> Option<Vec3> {
        let fit = |place: Vec3| match other {
            Some(other) => Some(other + (place - other).try_normalize()? * self.leg.foot_m()),
            None => Some(place),
        };
        let stands =
            |place: Vec3, count: usize| (f..f + count).all(|f| self.strain(f, part, place, other).is_none());
        let length = self.contact_from(f, part);
        let last_of = |part: usize| (0..f).rev().find_map(|f| Some((f, holds[f][part]?)));
        let (last, last_of_other) = (last_of(part), last_of(1 - part));
        let was_on_other = match (last, last_of_other) {
            (_, None) => false,
            (None, Some(_)) => true,
            (Some((own, _)), Some((other, _))) => other > own,
        };
        if other.is_none() && was_on_other && last_of_other.is_some_and(|(last, _)| f - last <= reach.ease) {
            return None;
        }
        if let Some((_, place)) = last.filter(|(last, _)| f - last <= reach.ease) {
            return fit(place).filter(|place| stands(*place, length.min(reach.least + 1)));
        }
        let shorter = |count: &usize| (*count > reach.least + 1).then(|| (count / 2).max(reach.least + 1));
        for count in std::iter::successors(Some(length), shorter) {
            let points: Vec<Vec3> = self.legs[f..f + count].iter().map(|leg| leg.sole[part]).collect();
            let mean = points.iter().sum::<Vec3>() / points.len() as f32;
            let touchdown = (TOUCHDOWN_SECS * self.rate_hz).round() as usize;
            let own = self.own[f..f + count].iter().take(touchdown + 1);
            let low = own.map(|leg| leg.sole[part].y).fold(f32::INFINITY, f32::min);
            let place = fit(mean.with_y(low))?;
            if stands(place, count) {
                return Some(place);
            }
        }
        None
    }
}

/// Why a foot does not stand.
enum Strain {
    Far,
    Turn,
    Fast,
}

fn tilt(at: &LegAt, holds: [Option<Vec3>; 2]) -> Option<Vec3> {
    let [Some(heel), Some(ball)] = holds else { return None };
    let (from, to) = ((at.sole[1] - at.sole[0]).try_normalize()?, (ball - heel).try_normalize()?);
    Some(Quat::from_rotation_arc(from, to).to_scaled_axis())
}

/// A correction: exact in the frames in which it is known, else a blend of the nearest ones before and after.
fn faded(exact: &[Option<Vec3>], f: usize, ease: usize, most: f32) -> Vec3 {
    if let Some(own) = exact[f] {
        return own;
    }
    let part = |nearest: Option<usize>, beyond: Option<Vec3>| {
        let Some(nearest) = nearest.filter(|nearest| f.abs_diff(*nearest) < ease) else {
            return (0.0, Vec3::ZERO);
        };
        let (away, correction) = (f.abs_diff(nearest), exact[nearest].unwrap());
        let velocity = beyond.map_or(Vec3::ZERO, |beyond| correction - beyond).clamp_length_max(most);
        let s = away as f32 / ease as f32;
        let left = (1.0 - s) * (1.0 - s);
        let weight = left * (1.0 + 2.0 * s);
        (weight, correction * weight + velocity * (left * away as f32))
    };
    let before = (0..f).rev().find(|f| exact[*f].is_some());
    let after = (f..exact.len()).find(|f| exact[*f].is_some());
    let (w0, c0) = part(before, before.and_then(|f| exact[f.checked_sub(1)?]));
    let (w1, c1) = part(after, after.and_then(|f| *exact.get(f + 1)?));
    let share = 1.0 / (1.0 - w0 * w1);
    (c0 * (1.0 - w1) + c1 * (1.0 - w0)) * share
}

/// The mean around every frame of the maxima around each.
fn eased(values: &[f32], reach: usize) -> Vec<f32> {
    let around = |f: usize| f.saturating_sub(reach)..(f + reach + 1).min(values.len());
    let most: Vec<f32> =
        (0..values.len()).map(|f| values[around(f)].iter().fold(0f32, |a, b| a.max(*b))).collect();
    let mean = |f: usize| {
        let (mut sum, mut weights) = (0.0, 0.0);
        for other in around(f) {
            let weight = smoothstep(1.0 - f.abs_diff(other) as f32 / (reach + 1) as f32);
            sum += weight * most[other];
            weights += weight;
        }
        sum / weights
    };
    (0..values.len()).map(mean).collect()
}

/// Three generated walks, cached.
fn walks() -> &'static std::collections::BTreeMap<SourceRef, SourceClip> {
    static WALKS: OnceLock<std::collections::BTreeMap<SourceRef, SourceClip>> = OnceLock::new();
    WALKS.get_or_init(|| {
        let example = |seed: u64| {
            let settings =
                WalkSettings { seed, duration_secs: 8.0, rate_hz: 30.0, ..WalkSettings::default() };
            let made = walk(&settings).unwrap();
            let contacts = made.truth.contacts().unwrap().clone();
            let source = SourceRef { take: format!("walk-{seed}"), actor: 0 };
            (source, SourceClip { clip: made.take.first().clone(), contacts, holds: vec![] })
        };
        (0..3).map(example).collect()
    })
}

/// A joiner with all pieces of a scrambled plan.
fn joiner(seed: u64, settings: &crate::RealiseSettings) -> (Joiner, Arc<Skeleton>) {
    let map = walks();
    let mut rng = Seed(seed).rng(0);
    let mut chain = PlacementChain::new(map);
    let sources: Vec<&SourceRef> = map.keys().collect();
    for _ in 0..rng.random_range(1..6) {
        let length = rng.random_range(1..50);
        let start = rng.random_range(0..180);
        let frames = rng.random_range(length / 2 + 1..2 * length + 1);
        chain.add(sources[rng.random_range(0..3)], start..start + length, frames).unwrap();
    }
    let skeleton = map[sources[0]].clip.skeleton().clone();
    let mut joiner = Joiner::new(&skeleton, 30.0, &settings.join);
    for placement in chain.placements() {
        let example = map.source_clip(&placement.source).unwrap();
        joiner.push(
            Piece::new(placement, &example, 30.0, settings, settings.join.longest_of_arms(30.0)).unwrap(),
        );
    }
    (joiner, skeleton)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn streaming_equals_the_reference(
        seed in any::<u64>(), ease_secs in 0.0f64..0.5, settle_secs in 0.0f64..0.6, least_secs in 0.0f64..0.4,
        root_secs in 0.0f64..1.0, most_pull_m in 0.0f32..0.3, floor in any::<bool>(), method in 0usize..6,
    ) {
        let mut all = crate::RealiseSettings::default();
        all.join.method = crate::join::JoinMethod::ALL[method];
        let floor_m = floor.then_some(0.0);
        let settings = PlantSettings { ease_secs, settle_secs, least_secs, root_secs, most_pull_m, floor_m, ..PlantSettings::default() };
        let (mut source, skeleton) = joiner(seed, &all);
        let mut joined = Joined { poses: vec![], plain: vec![], between: vec![], touches: vec![] };
        let mut pose = LocalPose::rest(&skeleton);
        while let Some(touch) = source.next(true, &mut pose) {
            joined.poses.push(pose.clone());
            joined.plain.push(source.plain().clone());
            joined.between.push(source.between());
            joined.touches.push(touch);
        }
        let (wanted, wanted_touches, wanted_summary) = planted(&skeleton, 30.0, &settings, &joined);

        let (mut source, _) = joiner(seed, &all);
        let mut planter = Planter::new(&skeleton, 30.0, &settings).unwrap();
        let (mut found, mut has_all) = (0, false);
        loop {
            while let Some(touch) = planter.next_frame(has_all, &mut pose) {
                prop_assert_eq!(&pose, &wanted[found], "frame {} of {}", found, wanted.len());
                prop_assert_eq!(touch, wanted_touches[found]);
                found += 1;
            }
            if has_all {
                break;
            }
            has_all = !planter.feed(&mut source, true);
        }
        prop_assert_eq!(found, wanted.len());
        prop_assert_eq!(*planter.summary(), wanted_summary);
    }
}
