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
use super::leg::{Leg, LegAt, combined_turn};
use super::planter::{ASSUMED_DROP_SHARE, MAX_TILT_RAD_PER_SEC};
use super::smoothed_rotation::SmoothedRotation;
use super::{PlantSettings, Planter, StepWindows};
use crate::join::Joiner;
use crate::piece::Piece;
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

/// Steps 1 to 5 over a whole motion, one foot after the other.
fn planted(
    skeleton: &Arc<Skeleton>,
    rate_hz: f64,
    settings: &PlantSettings,
    joined: &Joined,
) -> (Vec<LocalPose>, Vec<SoleTouch>) {
    let reach = StepWindows::of(settings, rate_hz);
    let frames = joined.poses.len();
    let (mut poses, mut touches) = (joined.poses.clone(), vec![SoleTouch::default(); frames]);
    let mut need = vec![0f32; frames];
    let mut feet = Vec::new();
    for side in Side::BOTH {
        let leg = Leg::of(skeleton, side, settings.min_knee_rad).unwrap();
        let at = |poses: &[LocalPose]| -> Vec<LegAt> {
            poses.iter().map(|pose| leg.at(&WorldPose::of(skeleton, pose.view()))).collect()
        };
        let (legs, own) = (at(&joined.poses), at(&joined.plain));
        let holds = holds(&leg, &legs, side, &joined.touches, rate_hz, settings);
        let tilts: Vec<Option<Vec3>> = (0..frames).map(|f| tilt(&legs[f], holds[f])).collect();
        let most = MAX_TILT_RAD_PER_SEC / rate_hz as f32;
        let tilts: Vec<Vec3> = (0..frames).map(|f| faded(&tilts, f, reach.ease, most)).collect();
        let mut raised = SmoothedRotation::default();
        let turned = |f: usize| {
            let Some(floor_m) = settings.floor_m else { return tilts[f] };
            let lowest_m = [0, 1].map(|part| (floor_m + leg.rest_m(part)).min(own[f].sole[part].y));
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
    for f in 0..frames {
        poses[f].positions[0].y -= drops[f];
        for (side, leg, legs, holds, tilts, shifts, lifts) in &feet {
            let stands = |f: &usize| holds[*f].iter().any(Option::is_some);
            let around = f.saturating_sub(reach.drop)..(f + reach.drop + 1).min(frames);
            let away = around.filter(stands).map(|other| f.abs_diff(other)).min();
            let share = away.map_or(1.0, |away| smoothstep(away as f32 / (reach.drop + 1) as f32));
            let shift = shifts[f] + Vec3::Y * (lifts[f] * share);
            let missed_m = leg.reach(&mut poses[f], &legs[f], drops[f], shift, tilts[f]);
            for part in SolePart::ALL {
                if missed_m <= 1e-3 && holds[f][part as usize].is_some() {
                    touches[f] = touches[f].with(*side, part);
                }
            }
        }
    }
    (poses, touches)
}

/// Positions of heel and ball of a foot that stand, in every frame.
fn holds(
    leg: &Leg,
    legs: &[LegAt],
    side: Side,
    touches: &[SoleTouch],
    rate_hz: f64,
    settings: &PlantSettings,
) -> Places {
    let reach = StepWindows::of(settings, rate_hz);
    let mut holds: Places = Vec::new();
    let mut last_held: Option<usize> = None;
    for f in 0..legs.len() {
        let before = holds.last().copied().unwrap_or_default();
        let touching = SolePart::ALL.map(|part| touches[f].has(side, part));
        let mut now = [0, 1].map(|part| before[part].filter(|_| touching[part]));
        let far = |part: usize, place: Vec3| {
            let last = (f + reach.gather).min(legs.len() - 1);
            let mut stood = (f..=last).take_while(|f| touches[*f].has(side, SolePart::ALL[part]));
            stood.any(|f| !may_hold(leg, &legs[f], part, place, settings))
        };
        if (0..2).any(|part| now[part].is_some_and(|place| far(part, place))) {
            holds.push([None; 2]);
            continue;
        }
        let is_rested = last_held.is_none_or(|last| f > last + reach.ease);
        for part in 0..2 {
            if now[part].is_none() && touching[part] && (is_rested || now[1 - part].is_some()) {
                now[part] = landing(leg, legs, (f, part, side), now[1 - part], touches, rate_hz, settings);
            }
        }
        last_held = if now != [None; 2] { Some(f) } else { last_held };
        holds.push(now);
    }
    holds
}

fn may_hold(leg: &Leg, at: &LegAt, part: usize, place: Vec3, settings: &PlantSettings) -> bool {
    let shift = place - at.sole[part];
    shift.length() <= settings.most_pull_m
        && leg.need_m(at, shift) <= ASSUMED_DROP_SHARE * settings.most_drop_m
}

fn landing(
    leg: &Leg,
    legs: &[LegAt],
    (f, part, side): (usize, usize, Side),
    other: Option<Vec3>,
    touches: &[SoleTouch],
    rate_hz: f64,
    settings: &PlantSettings,
) -> Option<Vec3> {
    let reach = StepWindows::of(settings, rate_hz);
    let last = (f + reach.gather).min(legs.len() - 1);
    let points: Vec<Vec3> = legs[f..=last].iter().map(|leg| leg.sole[part]).collect();
    let end = points[points.len() - 1];
    let went_m = |to: Vec3| (to - points[0]).with_y(0.0).length();
    let next_m = points.get(1).map_or(0.0, |next| went_m(*next));
    let mean_mps = went_m(end) / ((points.len() - 1) as f32 / rate_hz as f32);
    if mean_mps > settings.slide_mps || next_m * rate_hz as f32 > settings.slide_mps {
        return None;
    }
    let mean = points.iter().sum::<Vec3>() / points.len() as f32;
    let mean = mean.with_y(points.iter().map(|point| point.y).fold(f32::INFINITY, f32::min));
    let place = match other {
        Some(other) => other + (mean - other).try_normalize()? * leg.foot_m(),
        None => mean,
    };
    let until = (f + reach.gather.max(reach.least)).min(legs.len() - 1);
    let stands = |f: usize| {
        touches[f].has(side, SolePart::ALL[part]) && may_hold(leg, &legs[f], part, place, settings)
    };
    (f..=until).all(stands).then_some(place)
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
        joiner.push(Piece::new(placement, &example, 30.0, settings, settings.join.window(30.0)).unwrap());
    }
    (joiner, skeleton)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn streaming_equals_the_reference(
        seed in any::<u64>(), ease_secs in 0.0f64..0.5, gather_secs in 0.0f64..0.2, least_secs in 0.0f64..0.4,
        most_pull_m in 0.0f32..0.3, floor in any::<bool>(), method in 0usize..6,
    ) {
        let mut all = crate::RealiseSettings::default();
        all.join.method = crate::join::JoinMethod::ALL[method];
        let floor_m = floor.then_some(0.0);
        let settings = PlantSettings { ease_secs, gather_secs, least_secs, most_pull_m, floor_m, ..PlantSettings::default() };
        let (mut source, skeleton) = joiner(seed, &all);
        let mut joined = Joined { poses: vec![], plain: vec![], between: vec![], touches: vec![] };
        let mut pose = LocalPose::rest(&skeleton);
        while let Some(touch) = source.next(true, &mut pose) {
            joined.poses.push(pose.clone());
            joined.plain.push(source.plain().clone());
            joined.between.push(source.between());
            joined.touches.push(touch);
        }
        let (wanted, wanted_touches) = planted(&skeleton, 30.0, &settings, &joined);

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
    }
}
