//! Variations differ from the original but keep its short sequences; plans of varied dances are continuous.

use std::collections::BTreeSet;
use std::sync::Arc;

use marey_motion::{Coded, Ground};
use marey_plan::{Placement, Plan, Seed};
use marey_vary::{
    CellMap, ChaoticSystem, Chunk, Dance, Itinerary, Phrase, TravelMode, VariationStatistics, VaryError,
    VarySettings, chunks, shuffle_chunks, shuffle_elements,
};

const CELLS: usize = 2000;

fn systems() -> [ChaoticSystem; 3] {
    [ChaoticSystem::Lorenz, ChaoticSystem::Rossler, ChaoticSystem::Chua]
}

fn played(chunks: &[Chunk]) -> Vec<usize> {
    chunks.iter().flat_map(Chunk::range).collect()
}

fn vary(settings: &VarySettings, seed: u64) -> Vec<usize> {
    let cell_map = CellMap::new(CELLS, settings).unwrap();
    let whole = 0..CELLS;
    let split = |itinerary: &Itinerary| chunks(&itinerary.cells, std::slice::from_ref(&whole), settings);
    played(&cell_map.variation(settings, Seed(seed), CELLS, split).unwrap().1)
}

/// Number of cells that two variations share at the start.
fn common_prefix(a: &[usize], b: &[usize]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

#[test]
fn a_variation_moves_elements_and_keeps_short_runs() {
    let original: Vec<usize> = (0..CELLS).collect();
    for system in systems() {
        for seed in 0..5 {
            let settings = VarySettings { system: system.clone(), ..VarySettings::default() };
            let found = VariationStatistics::new(&original, &vary(&settings, seed));
            let random = VariationStatistics::new(&original, &shuffle_elements(CELLS, Seed(seed)));
            assert!(found.moved > 0.5, "{system} {seed}: {found:?}");
            // Chua's scrolls are closer together than Lorenz's wings, so trajectories switch between them
            // more often.
            assert!(found.windows[0] > 0.85 && found.windows[2] > 0.25, "{system} {seed}: {found:?}");
            assert!(random.windows[0] < 0.02, "{system} {seed}: {random:?}");
        }
    }
}

#[test]
fn half_of_the_first_turn_is_another_dance_for_every_seed() {
    for cells in [40, 90, 200, 600, 2000] {
        for system in systems() {
            let settings = VarySettings { system, ..VarySettings::for_motion(30.0, cells) };
            let cell_map = CellMap::new(cells, &settings).unwrap();
            let whole = 0..cells;
            let split =
                |itinerary: &Itinerary| chunks(&itinerary.cells, std::slice::from_ref(&whole), &settings);
            let mut all = BTreeSet::new();
            for seed in 0..8 {
                let (_, found) = cell_map.variation(&settings, Seed(seed), cells, split).unwrap();
                let played = played(&found);
                let turn = settings.cells_per_turn.ceil() as usize;
                for places in [turn, cells] {
                    let moved = (0..places).filter(|place| played[*place] != *place).count();
                    assert!(2 * moved >= places, "{moved} of {places} places; {settings:?}");
                }
                all.insert(played);
            }
            assert_eq!(all.len(), 8, "each seed is another variation");
        }
    }
}

#[test]
fn what_cannot_be_varied_is_refused() {
    let vary = |settings: &VarySettings, cells: usize| {
        let whole = 0..cells;
        let split = |itinerary: &Itinerary| chunks(&itinerary.cells, std::slice::from_ref(&whole), settings);
        CellMap::new(cells, settings)?.variation(settings, Seed(1), cells, split)
    };
    let long_chunks = VarySettings { min_chunk_cells: 20, ..VarySettings::default() };
    let near = VarySettings { shift: Some(1e-9), ..VarySettings::default() };
    for (settings, cells) in [(long_chunks, 20), (near, 60)] {
        let error = vary(&settings, cells).unwrap_err();
        assert!(matches!(error, VaryError::Unchanged { .. }), "{error}");
    }
    // A poem of a few lines.
    for lines in [5, 8, 14, 40] {
        let (_, chunks) = vary(&VarySettings::for_symbols(lines), lines).unwrap();
        assert_ne!(played(&chunks), (0..lines).collect::<Vec<_>>());
    }
}

#[test]
fn a_smaller_shift_follows_the_original_for_longer() {
    for system in systems() {
        // A mean over seeds, because trajectories hardly separate if the shift is along the flow.
        let mean = |shift: f64| {
            let settings =
                VarySettings { system: system.clone(), shift: Some(shift), ..VarySettings::default() };
            let kept = |seed| common_prefix(&vary(&settings, seed), &(0..CELLS).collect::<Vec<_>>()) as f64;
            (0..8).map(kept).sum::<f64>() / 8.0
        };
        let [far, near, nearest] = [1e-1, 1e-4, 1e-8].map(mean);
        assert!(far < near && near < nearest, "{system}: {far}, {near}, {nearest}");
        assert!(nearest < CELLS as f64, "{system} never leaves the original");
    }
}

/// The largest Lyapunov exponent, from two neighbouring trajectories whose distance is reset after each step.
fn lyapunov_exponent(system: &ChaoticSystem, time: f64) -> f64 {
    let (step, gap) = (0.05, 1e-7);
    let distance =
        |a: [f64; 3], b: [f64; 3]| a.iter().zip(&b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
    let advance = |at: [f64; 3]| marey_vary::Trajectory::new(system, at, step).samples(2).unwrap()[1];
    let mut a = (0..400).fold(system.start(), |at, _| advance(at));
    let mut b = [a[0] + gap, a[1], a[2]];
    let steps = (time / step) as usize;
    let mut sum = 0.0;
    for _ in 0..steps {
        (a, b) = (advance(a), advance(b));
        let distance_after = distance(a, b);
        sum += (distance_after / gap).ln();
        b = [0, 1, 2].map(|axis| a[axis] + (b[axis] - a[axis]) * gap / distance_after);
    }
    sum / (steps as f64 * step)
}

#[test]
fn lyapunov_exponents_match_the_literature() {
    // A. Wolf et al., "Determining Lyapunov exponents from a time series" (1985), table 1: 2.16 bits a second
    // for Lorenz with 16, 45.92 and 4; 0.13 bits for Rössler with 0.15, 0.20 and 10.
    let lorenz: ChaoticSystem = "16*(y-x); x*(45.92-z)-y; x*y-4*z".parse().unwrap();
    let rossler: ChaoticSystem = "-y-z; x+0.15*y; 0.2+z*(x-10)".parse().unwrap();
    let bits = |system: &ChaoticSystem, time| lyapunov_exponent(system, time) / std::f64::consts::LN_2;
    assert!((bits(&lorenz, 300.0) - 2.16).abs() < 0.1, "{}", bits(&lorenz, 300.0));
    assert!((bits(&rossler, 3000.0) - 0.13).abs() < 0.02, "{}", bits(&rossler, 3000.0));
}

#[test]
fn shuffled_chunks_have_the_requested_mean_length() {
    let original: Vec<usize> = (0..CELLS).collect();
    for seed in 0..5 {
        let found = VariationStatistics::new(&original, &shuffle_chunks(CELLS, 20.0, Seed(seed)));
        assert!((14.0..27.0).contains(&found.mean_run), "{found:?}");
    }
    assert_eq!(shuffle_chunks(7, 1e12, Seed(0)).len(), 7);
    assert_eq!(shuffle_chunks(7, f64::NAN, Seed(0)).len(), 7);
}

/// A phrase that walks in a circle.
fn circle_walk(take: &str, frames: usize, span: std::ops::Range<usize>) -> Phrase {
    let ground_at = |frame: usize| Ground::new(frame as f32 * 0.02, 1.0, frame as f32 * 0.01);
    Phrase { take: take.into(), span, track: (0..frames).map(ground_at).collect::<Arc<[Ground]>>() }
}

/// Maps a dance to cells, and varies it once.
fn plan(
    dance: &Dance,
    settings: &VarySettings,
    travel: TravelMode,
    frames: Option<usize>,
    seed: u64,
) -> Result<Plan, VaryError> {
    let cell_map = dance.cell_map(settings)?;
    Ok(dance.vary(&cell_map, settings, None, travel, frames, Seed(seed))?.plan)
}

fn dance() -> Dance {
    let phrases = vec![
        circle_walk("one", 700, 100..500),
        circle_walk("two", 300, 0..300),
        circle_walk("one", 700, 550..690),
    ];
    Dance { phrases, rate_hz: 30.0, actors: vec!["Anna".into(), "Ben".into()] }
}

#[test]
fn the_plan_of_a_dance_is_continuous_on_the_ground() {
    let dance = dance();
    for (elements_per_cell, frames) in [(1, None), (7, Some(1234)), (50, Some(90))] {
        let settings = VarySettings { elements_per_cell, min_chunk_cells: 2, ..VarySettings::default() };
        let plan = plan(&dance, &settings, TravelMode::Onward, frames, 3).unwrap();
        plan.validate().unwrap();
        assert_eq!(plan.frames(), frames.unwrap_or(840));
        let [anna, ben] = plan.actors.as_slice() else { panic!("expected two actors") };
        // Partners play the same frames with the same placement.
        for (a, b) in anna.placements.iter().zip(&ben.placements) {
            assert_eq!((a.source.actor, b.source.actor), (0, 1));
            assert_eq!((a.source_start, a.world_from_source), (b.source_start, b.world_from_source));
        }
        let inside = |p: &Placement| {
            let spans = dance.phrases.iter().filter(|phrase| phrase.take == p.source.take);
            spans
                .into_iter()
                .any(|phrase| phrase.span.start <= p.source_start && p.source_end <= phrase.span.end)
        };
        assert!(anna.placements.iter().all(inside));
        for pair in anna.placements.windows(2) {
            let at = |p: &Placement, frame: usize| {
                let track = &dance.phrases.iter().find(|phrase| phrase.take == p.source.take).unwrap().track;
                p.world_from_source * track[frame.min(track.len() - 1)]
            };
            let (end, start) = (at(&pair[0], pair[0].source_end), at(&pair[1], pair[1].source_start));
            assert!(end.translation().distance(start.translation()) < 1e-3);
        }
    }
    let absolute = plan(&dance, &VarySettings::default(), TravelMode::Absolute, None, 3).unwrap();
    assert!(absolute.actors[0].placements.iter().all(|p| p.world_from_source == Ground::IDENTITY));
}

#[test]
fn keep_first_and_keep_last_keep_the_ends() {
    let settings = VarySettings { keep_first: true, keep_last: true, ..VarySettings::default() };
    let plan = plan(&dance(), &settings, TravelMode::Onward, None, 1).unwrap();
    let placements = &plan.actors[0].placements;
    assert_eq!((placements[0].source.take.as_str(), placements[0].source_start), ("one", 100));
    let last = placements.last().unwrap();
    assert_eq!((last.source.take.as_str(), last.source_end), ("one", 690));
}

#[test]
fn equal_seeds_give_equal_plans() {
    let plan = |seed| plan(&dance(), &VarySettings::default(), TravelMode::Onward, None, seed).unwrap();
    assert_eq!(plan(5), plan(5));
    assert_ne!(plan(5), plan(6));
}

#[test]
fn invalid_input_is_an_error_with_a_code() {
    let code = |dance: Dance, settings: &VarySettings, frames| {
        plan(&dance, settings, TravelMode::Onward, frames, 0).err().map(|error| error.code().id)
    };
    let plain = VarySettings::default();
    let with = |phrases| Dance { phrases, ..dance() };
    assert_eq!(code(with(vec![]), &plain, None), Some("vary/phrase"));
    assert_eq!(code(with(vec![circle_walk("one", 50, 20..60)]), &plain, None), Some("vary/phrase"));
    assert_eq!(code(with(vec![circle_walk("one", 50, 20..20)]), &plain, None), Some("vary/phrase"));
    assert_eq!(code(Dance { actors: vec![], ..dance() }, &plain, None), Some("vary/phrase"));
    assert_eq!(code(with(vec![circle_walk("one", 50, 0..3)]), &plain, None), Some("vary/short"));
    assert_eq!(code(dance(), &plain, Some(0)), Some("vary/short"));
    for bad in [
        VarySettings { shift: Some(f64::NAN), ..plain.clone() },
        VarySettings { cells_per_turn: 0.0, ..plain.clone() },
        VarySettings { elements_per_cell: 0, ..plain.clone() },
        VarySettings { min_chunk_cells: 0, ..plain.clone() },
        VarySettings { drift_cells: usize::MAX, ..plain.clone() },
    ] {
        assert_eq!(code(dance(), &bad, None), Some("vary/setting"));
    }
    let far =
        VarySettings { system: "0.1*x*(x*x+y*y-1)-y; 0.1*y*(x*x+y*y-1)+x; cos(x)".parse().unwrap(), ..plain };
    assert!(matches!(
        CellMap::new(100, &far),
        Err(VaryError::Diverges { .. } | VaryError::NoOscillation { .. })
    ));
}
