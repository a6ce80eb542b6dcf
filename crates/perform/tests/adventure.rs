//! The adventure from start to finish, by the script that comes along.

use marey_examples::Body;
use marey_examples::playground::{self, PlaygroundSettings, cycles};
use marey_perform::{ADVENTURE, Recording, Session, Settings, Template, World};

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
fn everything_is_used_in_order_and_the_finish_is_reached() {
    let stream = playground::adventurer(&PlaygroundSettings::default()).unwrap();
    let recording = Recording::of_clip(stream.example.take.first()).unwrap();
    let (world, motions) = (World::from_toml(ADVENTURE).unwrap(), cycles(&Body::default()).unwrap());
    let mut session = Session::new(world, &motions, &recording.calibration, Settings::default()).unwrap();
    let mut used: Vec<Template> = Vec::new();
    let (mut holding, mut missed, mut deep, mut gave) = (0, 0, 0, 0);
    recording.perform(&mut session, |frame, session| {
        let now = *session.now();
        for feature in now.holds.into_iter().flatten().chain(now.water) {
            let template = session.world().features[feature].template;
            if !used.contains(&template) {
                used.push(template);
            }
        }
        let pose = session.world_pose();
        assert!(pose.positions.iter().all(|at| at.is_finite()), "{frame}");
        let centre = session.body().centre(&pose.positions);
        assert!(centre.distance(now.centre) < 1e-3, "{frame}");
        holding += usize::from(now.holds != [None; 4]);
        missed += usize::from(now.settled && now.solved.error_m > 1e-3);
        deep += usize::from(now.solved.depth_m > 5e-3);
        gave += usize::from(now.solved.gave.length() > 0.02);
    });
    assert_eq!(used, COURSE);
    let now = session.now();
    assert!(now.finished && now.centre.z > 24.0, "{now:?}");
    assert!(holding > 2500, "{holding}");
    // Ends are where they hold, nothing is in a solid, and the centre of mass gave way in next to no frame.
    assert!(missed <= 10 && deep <= 10 && gave <= 10, "{missed} {deep} {gave}");
}
