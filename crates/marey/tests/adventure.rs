//! The adventure from start to finish, by players of three sizes who look at the character.

use marey::Context;
use marey::body::BodyProportions;
use marey::examples::playground::PlaygroundSettings;
use marey::perform::{
    FeatureTemplate, Performance, Player, RecordedPerformer, Recording, WorldFile, perform,
};

/// Floors, and every other kind of feature in the order of the course.
const COURSE: [FeatureTemplate; 8] = [
    FeatureTemplate::Floor,
    FeatureTemplate::Bar,
    FeatureTemplate::Rope,
    FeatureTemplate::Pole,
    FeatureTemplate::Rock,
    FeatureTemplate::Trampoline,
    FeatureTemplate::Water,
    FeatureTemplate::Web,
];

#[test]
fn players_of_every_size_use_everything_in_order_and_reach_the_finish() {
    for (height_m, seed) in [(1.4, 11), (1.72, 0), (1.9, 12)] {
        let body = BodyProportions { height_m, ..BodyProportions::default() };
        let mut used: Vec<FeatureTemplate> = Vec::new();
        let (mut frames, mut missed, mut deep, mut gave) = (0, 0, 0, 0);
        let settings = PlaygroundSettings { seed, body, ..PlaygroundSettings::default() };
        let player = Box::new(Player::new(&settings).unwrap());
        let mut performance = Performance::start(WorldFile::adventure().unwrap(), player).unwrap();
        while performance.step().unwrap() {
            let session = performance.session();
            let now = *session.state();
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
            missed += usize::from(now.is_settled && now.solution.error_m > 1e-3);
            deep += usize::from(now.solution.depth_m > 5e-3);
            gave += usize::from(now.solution.centre_shift.length() > 0.02);
        }
        assert_eq!(used, COURSE, "{height_m} m");
        let end = *performance.session().state();
        assert!(end.centre.z > 24.0, "{height_m} m: {end:?}");
        let outcome = performance.finish().unwrap();
        assert!(outcome.details.finished.is_some(), "{height_m} m");
        assert_eq!(outcome.take.frames(), frames);
        // At most one frame in two hundred misses a hold, is inside a solid, or moves the centre of mass: between rocks, hands and feet
        // sometimes hold what no pose can.
        assert!(
            200 * missed.max(deep).max(gave) <= frames,
            "{height_m} m: {missed} {deep} {gave} of {frames}"
        );
    }
}

#[test]
fn a_recorded_performance_gives_the_same_motion_again() {
    let mut player = Player::new(&PlaygroundSettings::default()).unwrap();
    let world = || WorldFile::adventure().unwrap();
    let played = perform(world(), Box::new(&mut player), &Context::new()).unwrap();
    let recording = Box::new(played.details.recording.clone());
    let again = perform(world(), recording, &Context::new()).unwrap();
    assert_eq!(again.take, played.take);
    assert_eq!(again.details.events, played.details.events);
    // The captured motion has no exact state of the hands, but the same events.
    let stream = player.into_stream().unwrap();
    let captured = Recording::of_clip(stream.example.take.first()).unwrap();
    let again = perform(world(), Box::new(RecordedPerformer::new(captured)), &Context::new()).unwrap();
    assert_eq!(again.details.events, played.details.events);
    assert_eq!(again.details.finished, played.details.finished);
}
