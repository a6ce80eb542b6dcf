//! The adventure from start to finish, by players of three sizes who look at the character.

use marey::examples::Body;
use marey::examples::playground::{PlaygroundSettings, cycles};
use marey::perform::{ADVENTURE, Recording, Template, World};
use marey::performances::{Adventure, play, play_adventure};

/// Floors, and every other kind of feature in the order of the course.
const COURSE: [Template; 8] = [
    Template::Floor,
    Template::Bar,
    Template::Rope,
    Template::Pole,
    Template::Rock,
    Template::Trampoline,
    Template::Water,
    Template::Web,
];

#[test]
fn players_of_every_size_use_everything_in_order_and_reach_the_finish() {
    let motions = cycles(&Body::default()).unwrap();
    for (height_m, seed) in [(1.4, 11), (1.72, 0), (1.9, 12)] {
        let body = Body { height_m, ..Body::default() };
        let mut used: Vec<Template> = Vec::new();
        let (mut frames, mut missed, mut deep, mut gave) = (0, 0, 0, 0);
        let settings = PlaygroundSettings { seed, body, ..PlaygroundSettings::default() };
        let world = World::from_toml(ADVENTURE).unwrap();
        let Adventure { film, session, .. } = play_adventure(world, &motions, &settings, |session| {
            let now = *session.now();
            for feature in now.holds.into_iter().flatten().chain(now.water) {
                let template = session.world().features[feature].template;
                if !used.contains(&template) {
                    used.push(template);
                }
            }
            let pose = session.world_pose();
            assert!(pose.positions.iter().all(|at| at.is_finite()));
            assert!(session.body().centre(&pose.positions).distance(now.centre) < 1e-3);
            frames += 1;
            missed += usize::from(now.settled && now.solved.error_m > 1e-3);
            deep += usize::from(now.solved.depth_m > 5e-3);
            gave += usize::from(now.solved.gave.length() > 0.02);
        })
        .unwrap();
        assert_eq!(used, COURSE, "{height_m} m");
        assert!(
            film.finished.is_some() && session.now().centre.z > 24.0,
            "{height_m} m: {:?}",
            session.now()
        );
        assert_eq!(film.frames(), frames);
        // Ends are where they hold, nothing is in a solid, and the centre of mass gives way, but for one frame in two hundred: between
        // rocks, hands and feet now and then hold what no pose can.
        assert!(
            200 * missed.max(deep).max(gave) <= frames,
            "{height_m} m: {missed} {deep} {gave} of {frames}"
        );
    }
}

#[test]
fn what_a_player_did_can_be_performed_again() {
    let (world, motions) = (World::from_toml(ADVENTURE).unwrap(), cycles(&Body::default()).unwrap());
    let settings = PlaygroundSettings::default();
    let Adventure { stream, film, .. } = play_adventure(world.clone(), &motions, &settings, |_| {}).unwrap();
    let recorded = Recording::of_clip(stream.example.take.first()).unwrap();
    let (again, _) = play(world, &motions, &recorded).unwrap();
    assert_eq!(again.moments, film.moments);
    assert_eq!(again.finished, film.finished);
}
