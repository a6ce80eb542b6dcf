//! Streaming and batch use give the same bits, whenever placements are pushed.

mod support;

use marey_motion::{Clip, ClipParts};
use marey_plan::{Plan, Seed};
use marey_realise::join::JoinMethod;
use marey_realise::{Machine, MachineStep, RealiseSettings, Sources, plant, realise};
use rand::RngExt;
use support::{Chain, RATE_HZ, bad_plan, bits, plan_of, walks};

/// Every join method with foot-skate clean-up at full or minimum look-ahead, or without.
fn all_settings() -> impl Iterator<Item = RealiseSettings> {
    JoinMethod::ALL.into_iter().flat_map(|method| {
        let mut planted = RealiseSettings::default();
        planted.join.method = method;
        let hasty = plant::PlantSettings {
            ease_secs: 0.0,
            settle_secs: 0.0,
            root_secs: 0.0,
            least_secs: 0.0,
            ..plant::PlantSettings::default()
        };
        [
            planted,
            RealiseSettings { plant: Some(hasty), ..planted },
            RealiseSettings { plant: None, ..planted },
        ]
    })
}

/// Plays a plan live: placements are pushed at random times, and frames taken as soon as they are known.
fn live(plan: &Plan, map: &support::Map, settings: RealiseSettings, seed: u64) -> Clip {
    let placements = &plan.actors[0].placements;
    let skeleton = map[&placements[0].source].clip.skeleton().clone();
    let mut machine = Machine::new(skeleton.clone(), plan.rate_hz, settings).unwrap();
    let mut rng = Seed(seed).rng(1);
    let mut parts = ClipParts::default();
    let mut next = placements.iter().peekable();
    loop {
        match machine.advance() {
            MachineStep::Frame(moment) => {
                parts.push(moment.pose);
                if rng.random_bool(0.7) {
                    continue;
                }
            }
            MachineStep::Wait => {}
            MachineStep::Done => break,
        }
        match next.next() {
            Some(placement) => machine.push(placement, &map.source_clip(&placement.source).unwrap()).unwrap(),
            None => machine.finish(),
        }
    }
    Clip::new(skeleton, plan.rate_hz, parts).unwrap()
}

#[test]
fn batch_equals_stream_bit_for_bit() {
    let map = walks(3, 10.0);
    for settings in all_settings() {
        for seed in 0..4 {
            let plan = bad_plan(&map, seed, 6);
            let batch = realise(&plan, &map, &settings).unwrap();
            assert_eq!(batch.take.frames(), plan.frames());
            for schedule in 0..3 {
                let live = live(&plan, &map, settings, schedule);
                assert!(bits(&live) == bits(batch.take.first()), "{settings:?}, plan {seed}");
            }
        }
    }
}

#[test]
fn frames_are_available_after_the_look_ahead() {
    let map = walks(2, 10.0);
    for settings in all_settings() {
        let plan = bad_plan(&map, 9, 5);
        let placements = &plan.actors[0].placements;
        let skeleton = map[&placements[0].source].clip.skeleton().clone();
        let mut machine = Machine::new(skeleton, RATE_HZ, settings).unwrap();
        let mut told = 0;
        for (i, placement) in placements.iter().enumerate() {
            machine.push(placement, &map[&placement.source]).unwrap();
            while let MachineStep::Frame(_) = machine.advance() {
                told += 1;
            }
            let known = match (settings.join.method.waits_for_next(), i) {
                (false, _) => placement.end(),
                (true, 0) => 0,
                (true, i) => placements[i - 1].end(),
            };
            assert_eq!(told, known.saturating_sub(machine.look_ahead_frames()), "{settings:?}");
        }
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let map = walks(3, 10.0);
    let actors = (0..5).map(|seed| {
        let mut chain = Chain::new(&map);
        chain.add(seed % 3, 100..200, 90);
        chain.add((seed + 1) % 3, 150..300, 160);
        chain.plan().actors.remove(0).placements
    });
    let plan = plan_of(actors.collect());
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let realised = pool.install(|| realise(&plan, &map, &RealiseSettings::default())).unwrap();
        let actors = realised.take.actors().iter().flat_map(|actor| bits(&actor.clip));
        (actors.collect::<Vec<u32>>(), realised.contacts)
    };
    let one = with(1);
    assert_eq!(one.1.len(), 5);
    assert!(with(2) == one && with(8) == one);
}

#[test]
fn live_frames_allocate_nothing() {
    let map = walks(3, 10.0);
    for settings in all_settings() {
        let plan = bad_plan(&map, 5, 6);
        let placements = &plan.actors[0].placements;
        let skeleton = map[&placements[0].source].clip.skeleton().clone();
        let mut machine = Machine::new(skeleton, RATE_HZ, settings).unwrap();
        for placement in placements {
            machine.push(placement, &map[&placement.source]).unwrap();
        }
        machine.finish();
        let mut frames = 0;
        let counted = allocation_counter::measure(|| {
            while let MachineStep::Frame(_) = machine.advance() {
                frames += 1;
            }
        });
        assert_eq!((frames, counted.count_total), (plan.frames(), 0), "{settings:?}");
    }
}
