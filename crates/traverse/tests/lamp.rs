//! A lamp crosses ground that it has never seen.

use std::sync::OnceLock;

use marey_examples::luxo::{self, Crossing as Hopped, LuxoSettings};
use marey_motion::{Coded, Contacts, Role, Terrain, Vec2, WorldPose};
use marey_plan::{Plan, Seed, SourceRef, Trace, answer};
use marey_traverse::{
    Amount, Crossed, Crossing, Database, Error, Example, Metric, Phase, Settings, Taste, seen_contacts,
};

/// The hops of the paper's dataset 2: a lamp over rough ground with gaps.
fn examples() -> Vec<Example> {
    static HOPPED: OnceLock<Hopped> = OnceLock::new();
    let settings = LuxoSettings { seed: 1, length_m: 8.0, ..LuxoSettings::default() };
    let crossing = HOPPED.get_or_init(|| luxo::luxo(&settings).unwrap());
    vec![Example {
        source: SourceRef { take: "luxo-2".into(), actor: 0 },
        clip: crossing.example.take.first().clone(),
        contacts: crossing.example.truth.contacts().cloned().unwrap_or_default(),
        tags: crossing.example.truth.labels().to_vec(),
    }]
}

fn database(settings: &Settings) -> Database {
    Database::new(examples(), settings).unwrap()
}

fn ground(seed: u64) -> Terrain {
    luxo::terrain(&LuxoSettings { seed, length_m: 3.0, ..LuxoSettings::default() }).unwrap()
}

fn cross(database: &Database, terrain: &Terrain, seed: u64) -> Result<(Plan, Crossed), Error> {
    let brief = Crossing::of(terrain.clone(), database.rate_hz());
    let plan = answer(database, &brief, Seed(seed), None)?;
    let crossed = database.realise(&plan, &database.footings(terrain))?;
    Ok((plan, crossed))
}

#[test]
fn hops_are_cut_from_standing_to_standing() {
    let database = database(&Settings::default());
    let example = &database.examples()[0];
    let stands = example.contacts.of(Role::Hips).count();
    assert_eq!(database.primitives().len(), stands - 1, "one hop between every two stands");
    for pair in database.primitives().windows(2) {
        assert_eq!(pair[0].frames.end, pair[1].frames.start, "hops share the instant at which they meet");
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
fn where_nothing_is_said_of_contacts_they_are_seen() {
    let told = database(&Settings::default());
    let unsaid = |example: Example| Example { contacts: Contacts::default(), ..example };
    let seen = Database::new(examples().into_iter().map(unsaid).collect(), &Settings::default()).unwrap();
    assert_eq!(seen.primitives().len(), told.primitives().len());
    for (seen, told) in seen.primitives().iter().zip(told.primitives()) {
        assert!((seen.length_m - told.length_m).abs() < 0.01 && seen.take_off.abs_diff(told.take_off) < 8);
    }
    let contacts = seen_contacts(&examples()[0].clip).unwrap();
    assert_eq!(contacts.all().len(), told.primitives().len() + 1);
}

#[test]
fn landings_are_on_the_ground_and_nothing_is_in_it() {
    for phase in [Phase::Linear, Phase::Ease] {
        let database = database(&Settings { phase, ..Settings::default() });
        for seed in 20..26 {
            let terrain = ground(seed);
            let Ok((plan, crossed)) = cross(&database, &terrain, seed) else { continue };
            assert_eq!(crossed.landings.len(), plan.actors[0].placements.len());
            for (frame, pose) in crossed.clip.poses().enumerate() {
                let world = WorldPose::of(crossed.clip.skeleton(), pose);
                let points = world.positions.iter().copied().chain(world.tips());
                let depth = points.map(|p| terrain.depth_m(Vec2::new(p.z, p.y))).fold(0.0, f32::max);
                assert!(depth < 1e-4, "seed {seed}, frame {frame}: {depth} m deep");
            }
            for (frame, footing) in &crossed.landings {
                let world = WorldPose::of(crossed.clip.skeleton(), crossed.clip.pose(*frame));
                let root = Vec2::new(world.positions[0].z, world.positions[0].y);
                assert!(root.distance(footing.at) < 1e-4, "seed {seed}, frame {frame}");
            }
        }
    }
}

#[test]
fn a_base_that_stands_does_not_slide() {
    let database = database(&Settings::default());
    let (_, crossed) = cross(&database, &ground(21), 0).unwrap();
    let at = |frame: usize| crossed.clip.pose(frame).root_position();
    // From each rest to the next take-off it moves no more than in the example: rocking before it leaves.
    let rest = crossed.landings.iter().map(|landing| landing.0);
    let stands: Vec<_> = crossed.contacts.of(Role::Hips).cloned().collect();
    for rest in rest.filter(|rest| *rest + 1 < crossed.clip.frames()) {
        let stand = stands.iter().find(|stand| stand.contains(&rest)).expect("it stands when it rests");
        let until = rest + (stand.end - rest) / 2;
        assert!(at(rest).distance(at(until)) < 5e-3, "frame {rest}: {}", at(rest).distance(at(until)));
    }
}

#[test]
fn the_same_seed_is_the_same_way_and_a_trace_changes_nothing() {
    let database = database(&Settings { variety: 0.5, ..Settings::default() });
    let terrain = ground(22);
    let (plan, crossed) = cross(&database, &terrain, 3).unwrap();
    let mut trace = Trace::default();
    let brief = Crossing::of(terrain.clone(), database.rate_hz());
    assert_eq!(answer(&database, &brief, Seed(3), Some(&mut trace)).unwrap(), plan);
    assert_eq!(cross(&database, &terrain, 3).unwrap().1.clip, crossed.clip);
    assert_eq!(trace.choices.len() + 1, plan.actors[0].placements.len());
    for choice in &trace.choices {
        let placement = &plan.actors[0].placements[choice.placement];
        assert_eq!(choice.candidates[choice.taken].from_frame, placement.source_start);
    }
    let others = (4..10).filter(|seed| cross(&database, &terrain, *seed).unwrap().0.actors != plan.actors);
    assert!(others.count() > 0, "another seed may choose another of equals");
}

#[test]
fn preferring_short_hops_shortens_them_and_a_style_is_kept_to() {
    let database = database(&Settings::default());
    let terrain = ground(23);
    let mean_m = |taste: Taste| {
        let brief = Crossing { taste, ..Crossing::of(terrain.clone(), database.rate_hz()) };
        let plan = answer(&database, &brief, Seed(0), None).unwrap();
        let hops = plan.actors[0].placements.len() - 1;
        let footings = database.footings(&terrain);
        let landings = database.realise(&plan, &footings).unwrap().landings;
        (landings.last().unwrap().1.at.x - landings[0].1.at.x) / hops as f32
    };
    let usual = mean_m(Taste::default());
    let short = mean_m("length=short".parse().unwrap());
    let long = mean_m(Taste { length: Some(Amount::Much), ..Taste::default() });
    assert!(short < 0.7 * long && short < usual, "{short} {usual} {long}");
}

#[test]
fn what_cannot_be_crossed_is_told_before_it_is_tried() {
    let database = database(&Settings::default());
    let piece = |from: f32, to: f32| vec![Vec2::new(from, 0.0), Vec2::new(to, 0.0)];
    let wide = Terrain::new(vec![piece(-0.5, 1.5), piece(3.0, 5.0)]).unwrap();
    let refused = cross(&database, &wide, 0).unwrap_err();
    assert_eq!(refused.code().id, "traverse/unreachable");
    assert!(refused.to_string().contains("gap from 1.500 to 3.000 m"), "{refused}");
    let wall = vec![Vec2::new(-0.5, 0.0), Vec2::X, Vec2::new(1.0, 1.0), Vec2::new(3.0, 1.0)];
    let refused = cross(&database, &Terrain::new(vec![wall]).unwrap(), 0).unwrap_err();
    let Error::Unreachable { until_m, up_m, gap: None, .. } = refused else { panic!("{refused}") };
    assert!(until_m > 0.5 && until_m < 1.0 && up_m > 0.9);
    // No room for a base, and no hop at all.
    let post = Terrain::new(vec![piece(0.0, 0.05)]).unwrap();
    assert_eq!(cross(&database, &post, 0).unwrap_err().code().id, "traverse/no-footing");
    let none = Database::new(vec![], &Settings::default()).unwrap_err();
    assert_eq!(none.code().id, "traverse/empty");
    let mut still = examples();
    still[0].clip = still[0].clip.slice(0..10).unwrap();
    still[0].contacts = Contacts::default();
    assert_eq!(Database::new(still, &Settings::default()).unwrap_err().code().id, "traverse/empty");
    let nowhere = Crossing { start_m: Some(f32::NAN), ..Crossing::of(ground(1), database.rate_hz()) };
    assert_eq!(answer(&database, &nowhere, Seed(0), None).unwrap_err().code().id, "traverse/no-footing");
}

#[test]
fn unlike_examples_and_unknown_sources_are_refused() {
    let mut two = examples();
    two.push(Example { clip: two[0].clip.clone().with_rate(30.0).unwrap(), ..two[0].clone() });
    assert_eq!(Database::new(two, &Settings::default()).unwrap_err().code().id, "traverse/unlike");
    let database = database(&Settings::default());
    let terrain = ground(21);
    let mut plan = cross(&database, &terrain, 0).unwrap().0;
    plan.actors[0].placements[1].source.take = "other".into();
    let refused = database.realise(&plan, &database.footings(&terrain)).unwrap_err();
    assert_eq!(refused.code().id, "traverse/unknown-source");
}

#[test]
fn what_is_there_already_is_left_out() {
    let twice = || examples().into_iter().chain(examples()).collect();
    let all = Database::new(twice(), &Settings::default()).unwrap();
    let thin = Database::new(twice(), &Settings { redundant_m: 1e-4, ..Settings::default() }).unwrap();
    assert_eq!(
        (thin.primitives().len(), thin.redundant()),
        (all.primitives().len() / 2, all.primitives().len() / 2)
    );
    let thinner = Database::new(examples(), &Settings { redundant_m: 0.05, ..Settings::default() }).unwrap();
    assert!(thinner.redundant() > 0 && thinner.primitives().len() > 2);
}

#[test]
fn metrics_and_velocities_are_choices() {
    for (metric, velocity_secs) in [(Metric::RawState, 0.05), (Metric::Mass, 0.0)] {
        let database = database(&Settings { metric, velocity_secs, ..Settings::default() });
        assert!(cross(&database, &ground(21), 0).is_ok());
    }
}
