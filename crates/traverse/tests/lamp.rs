//! A lamp crosses terrains that are not among its examples.

use std::sync::OnceLock;

use marey_examples::luxo::{self, Crossing as LuxoCrossing, LuxoSettings};
use marey_motion::{Coded, Contacts, Role, Terrain, Vec2, WorldPose};
use marey_plan::{Plan, Seed, SourceRef, Trace};
use marey_traverse::{
    AdaptationEasing, AdaptedMotion, CrossingRequest, GroundPath, Landing, PreferredAmount,
    PrimitiveDatabase, StateMetric, TraverseError, TraverseExample, TraversePreferences, TraverseSettings,
    detect_base_contacts,
};

/// The hops of the paper's dataset 2: a lamp on rough terrain with gaps.
fn examples() -> Vec<TraverseExample> {
    static CROSSING: OnceLock<LuxoCrossing> = OnceLock::new();
    let settings = LuxoSettings { seed: 1, length_m: 8.0, ..LuxoSettings::default() };
    let crossing = CROSSING.get_or_init(|| luxo::luxo(&settings).unwrap());
    vec![TraverseExample {
        source: SourceRef { take: "luxo-2".into(), actor: 0 },
        clip: crossing.example.take.first().clone(),
        contacts: crossing.example.truth.contacts().cloned().unwrap_or_default(),
        tags: crossing.example.truth.labels().to_vec(),
        unusable: Vec::new(),
    }]
}

fn database(settings: &TraverseSettings) -> PrimitiveDatabase {
    PrimitiveDatabase::new(examples(), settings).unwrap()
}

fn random_terrain(seed: u64) -> Terrain {
    luxo::terrain(&LuxoSettings { seed, length_m: 3.0, ..LuxoSettings::default() }).unwrap()
}

fn cross(
    database: &PrimitiveDatabase,
    terrain: &Terrain,
    seed: u64,
) -> Result<(Plan, AdaptedMotion), TraverseError> {
    let footings = database.footings(terrain);
    let (plan, _) = database.plan(&footings, &CrossingRequest::new(terrain.clone()), Seed(seed), None)?;
    let motion = database.realise(&plan, &footings, &GroundPath::straight())?;
    Ok((plan, motion))
}

#[test]
fn hops_reach_from_stance_to_stance() {
    let database = database(&TraverseSettings::default());
    let example = &database.examples()[0];
    let contact_intervals = example.contacts.of(Role::Hips).count();
    assert_eq!(database.primitives().len(), contact_intervals - 1, "one hop between two consecutive stances");
    for pair in database.primitives().windows(2) {
        assert_eq!(pair[0].frames.end, pair[1].frames.start, "consecutive hops share a frame");
    }
    for hop in database.primitives() {
        assert!(
            hop.frames.start < hop.take_off && hop.take_off < hop.landing && hop.landing <= hop.frames.end
        );
        assert!(hop.length_m > 0.0 && hop.length_m < 0.6 && hop.clearance_m > 0.0, "{hop:?}");
        assert!(hop.style.ends_with("hop") || hop.style == "nudge", "{}", hop.style);
    }
}

#[test]
fn missing_contacts_are_detected() {
    let annotated = database(&TraverseSettings::default());
    let without_contacts =
        |example: TraverseExample| TraverseExample { contacts: Contacts::default(), ..example };
    let detected = PrimitiveDatabase::new(
        examples().into_iter().map(without_contacts).collect(),
        &TraverseSettings::default(),
    )
    .unwrap();
    assert_eq!(detected.primitives().len(), annotated.primitives().len());
    for (found, expected) in detected.primitives().iter().zip(annotated.primitives()) {
        assert!((found.length_m - expected.length_m).abs() < 0.01);
        assert!(found.take_off.abs_diff(expected.take_off) < 8);
    }
    let contacts = detect_base_contacts(&examples()[0].clip).unwrap();
    assert_eq!(contacts.all().len(), annotated.primitives().len() + 1);
}

#[test]
fn motion_lands_on_footings_and_never_penetrates_the_terrain() {
    for easing in [AdaptationEasing::Linear, AdaptationEasing::Smoothstep] {
        let database = database(&TraverseSettings { easing, ..TraverseSettings::default() });
        let mut crossed = 0;
        for seed in 20..26 {
            let terrain = random_terrain(seed);
            let (plan, motion) = match cross(&database, &terrain, seed) {
                Ok(crossing) => crossing,
                Err(TraverseError::Unreachable { .. }) => continue,
                Err(error) => panic!("seed {seed}: {error}"),
            };
            crossed += 1;
            assert_eq!(motion.landings.len(), plan.actors[0].placements.len());
            for (frame, pose) in motion.clip.poses().enumerate() {
                let world = WorldPose::of(motion.clip.skeleton(), pose);
                let points = world.positions.iter().copied().chain(world.tips());
                let depth = points.map(|p| terrain.depth_m(Vec2::new(p.z, p.y))).fold(0.0, f32::max);
                assert!(depth < 1e-4, "seed {seed}, frame {frame}: {depth} m deep");
            }
            for Landing { frame, footing } in &motion.landings {
                let world = WorldPose::of(motion.clip.skeleton(), motion.clip.pose(*frame));
                let root = Vec2::new(world.positions[0].z, world.positions[0].y);
                assert!(root.distance(footing.position) < 1e-4, "seed {seed}, frame {frame}");
            }
        }
        assert!(crossed >= 5, "{easing:?}: only {crossed} of 6 terrains were crossed");
    }
}

#[test]
fn standing_base_does_not_slide() {
    let database = database(&TraverseSettings::default());
    let (_, motion) = cross(&database, &random_terrain(21), 0).unwrap();
    let at = |frame: usize| motion.clip.pose(frame).root_position();
    // Between rest and take-off the base may rock, as it does in the example.
    let rest = motion.landings.iter().map(|landing| landing.frame);
    let contact_intervals: Vec<_> = motion.contacts.of(Role::Hips).cloned().collect();
    for rest in rest.filter(|rest| *rest + 1 < motion.clip.frames()) {
        let interval = contact_intervals
            .iter()
            .find(|interval| interval.contains(&rest))
            .expect("a resting base is in contact");
        let until = rest + (interval.end - rest) / 2;
        assert!(at(rest).distance(at(until)) < 5e-3, "frame {rest}: {}", at(rest).distance(at(until)));
    }
}

#[test]
fn plan_depends_on_the_seed_but_not_on_tracing() {
    let database = database(&TraverseSettings { variety: 0.5, ..TraverseSettings::default() });
    let terrain = random_terrain(22);
    let (plan, motion) = cross(&database, &terrain, 3).unwrap();
    let mut trace = Trace::default();
    let request = CrossingRequest::new(terrain.clone());
    let traced = database.plan(&database.footings(&terrain), &request, Seed(3), Some(&mut trace));
    assert_eq!(traced.unwrap().0, plan);
    assert_eq!(cross(&database, &terrain, 3).unwrap().1.clip, motion.clip);
    assert_eq!(trace.choices.len() + 1, plan.actors[0].placements.len());
    for choice in &trace.choices {
        let placement = &plan.actors[0].placements[choice.placement];
        assert_eq!(choice.candidates[choice.taken].from_frame, placement.source_start);
    }
    let others = (4..10).filter(|seed| cross(&database, &terrain, *seed).unwrap().0.actors != plan.actors);
    assert!(others.count() > 0, "other seeds choose other candidates of equal cost");
}

#[test]
fn length_preferences_change_the_mean_hop() {
    let database = database(&TraverseSettings::default());
    let terrain = random_terrain(23);
    let mean_m = |preferences: TraversePreferences| {
        let request = CrossingRequest { preferences, ..CrossingRequest::new(terrain.clone()) };
        let footings = database.footings(&terrain);
        let (plan, _) = database.plan(&footings, &request, Seed(0), None).unwrap();
        let hops = plan.actors[0].placements.len() - 1;
        let landings = database.realise(&plan, &footings, &GroundPath::straight()).unwrap().landings;
        (landings.last().unwrap().footing.position.x - landings[0].footing.position.x) / hops as f32
    };
    let default = mean_m(TraversePreferences::default());
    let short = mean_m("length=short".parse().unwrap());
    let long =
        mean_m(TraversePreferences { length: Some(PreferredAmount::High), ..TraversePreferences::default() });
    assert!(short < 0.7 * long && short < default, "{short} {default} {long}");
}

#[test]
fn impossible_requests_are_rejected_with_their_reason() {
    let database = database(&TraverseSettings::default());
    let piece = |from: f32, to: f32| vec![Vec2::new(from, 0.0), Vec2::new(to, 0.0)];
    let wide_gap = Terrain::new(vec![piece(-0.5, 1.5), piece(3.0, 5.0)]).unwrap();
    let error = cross(&database, &wide_gap, 0).unwrap_err();
    assert_eq!(error.code().id, "traverse/unreachable");
    assert!(error.to_string().contains("gap from 1.500 to 3.000 m"), "{error}");
    let wall = vec![Vec2::new(-0.5, 0.0), Vec2::X, Vec2::new(1.0, 1.0), Vec2::new(3.0, 1.0)];
    let error = cross(&database, &Terrain::new(vec![wall]).unwrap(), 0).unwrap_err();
    let TraverseError::Unreachable { until_m, up_m, gap: None, .. } = error else { panic!("{error}") };
    assert!(until_m > 0.5 && until_m < 1.0 && up_m > 0.9);
    // A terrain without room for the base, and examples without a hop.
    let post = Terrain::new(vec![piece(0.0, 0.05)]).unwrap();
    assert_eq!(cross(&database, &post, 0).unwrap_err().code().id, "traverse/no-footing");
    let empty = PrimitiveDatabase::new(vec![], &TraverseSettings::default()).unwrap_err();
    assert_eq!(empty.code().id, "traverse/empty");
    let mut still = examples();
    still[0].clip = still[0].clip.slice(0..10).unwrap();
    still[0].contacts = Contacts::default();
    assert_eq!(
        PrimitiveDatabase::new(still, &TraverseSettings::default()).unwrap_err().code().id,
        "traverse/empty"
    );
    let terrain = random_terrain(1);
    let footings = database.footings(&terrain);
    let invalid = CrossingRequest { start_m: Some(f32::NAN), ..CrossingRequest::new(terrain) };
    assert_eq!(
        database.plan(&footings, &invalid, Seed(0), None).unwrap_err().code().id,
        "traverse/no-footing"
    );
}

#[test]
fn mismatched_examples_and_unknown_sources_are_rejected() {
    let mut two = examples();
    two.push(TraverseExample { clip: two[0].clip.clone().with_rate(30.0).unwrap(), ..two[0].clone() });
    assert_eq!(
        PrimitiveDatabase::new(two, &TraverseSettings::default()).unwrap_err().code().id,
        "traverse/mismatch"
    );
    let database = database(&TraverseSettings::default());
    let terrain = random_terrain(21);
    let mut plan = cross(&database, &terrain, 0).unwrap().0;
    plan.actors[0].placements[1].source.take = "other".into();
    let path = GroundPath::straight();
    let error = database.realise(&plan, &database.footings(&terrain), &path).unwrap_err();
    assert_eq!(error.code().id, "traverse/unknown-source");
}

#[test]
fn redundant_primitives_are_omitted() {
    let twice = || examples().into_iter().chain(examples()).collect();
    let all = PrimitiveDatabase::new(twice(), &TraverseSettings::default()).unwrap();
    let sparse = PrimitiveDatabase::new(
        twice(),
        &TraverseSettings { redundancy_radius_m: 1e-4, ..TraverseSettings::default() },
    )
    .unwrap();
    assert_eq!(
        (sparse.primitives().len(), sparse.redundant_count()),
        (all.primitives().len() / 2, all.primitives().len() / 2)
    );
    let sparser = PrimitiveDatabase::new(
        examples(),
        &TraverseSettings { redundancy_radius_m: 0.05, ..TraverseSettings::default() },
    )
    .unwrap();
    assert!(sparser.redundant_count() > 0 && sparser.primitives().len() > 2);
}

#[test]
fn all_metrics_can_cross() {
    for (metric, velocity_secs) in [(StateMetric::RawState, 0.05), (StateMetric::Mass, 0.0)] {
        let database = database(&TraverseSettings { metric, velocity_secs, ..TraverseSettings::default() });
        assert!(cross(&database, &random_terrain(21), 0).is_ok());
    }
}

#[test]
fn edited_landing_changes_its_placement_and_the_next_only() {
    let database = database(&TraverseSettings::default());
    let terrain = random_terrain(21);
    let footings = database.footings(&terrain);
    let (plan, motion) = cross(&database, &terrain, 0).unwrap();
    let edited_index = 3;
    let mut edited = plan.clone();
    edited.actors[0].placements[edited_index].world_from_source.z += 0.03;
    let changed = database.realise(&edited, &footings, &GroundPath::straight()).unwrap();
    let placements = &plan.actors[0].placements;
    let affected = placements[edited_index].start..placements[edited_index + 1].end();
    assert_eq!(changed.clip.frames(), motion.clip.frames());
    for frame in (0..motion.clip.frames()).filter(|frame| !affected.contains(frame)) {
        assert_eq!(changed.clip.pose(frame), motion.clip.pose(frame), "frame {frame}");
    }
    let landing = placements[edited_index].end();
    assert_ne!(changed.clip.pose(landing), motion.clip.pose(landing));
}
