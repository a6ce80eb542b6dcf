//! Two who go on, as motion.

use std::ops::ControlFlow;
use std::sync::OnceLock;

use marey::duet::{
    Duet, Kind, LabelSettings, Model, ModelSettings, Pair, Played, RunSettings, Shape, Touch, Way, label,
};
use marey::examples::taekwondo::{TaekwondoSettings, taekwondo};
use marey::measure::skate::skate;
use marey::motion::{Take, WorldPose};
use marey::pairs::realised;
use marey::plan::Seed;

fn fighters() -> &'static Duet {
    static DUET: OnceLock<Duet> = OnceLock::new();
    DUET.get_or_init(|| {
        let bout = TaekwondoSettings {
            seed: 21,
            duration_secs: 90.0,
            rate_hz: 30.0,
            ..TaekwondoSettings::default()
        };
        let pairs = [Pair::of_take(&taekwondo(&bout).unwrap().take).unwrap()];
        let settings = LabelSettings { iterations: 60, ..LabelSettings::default() };
        let labels = label(&pairs, &settings, Seed(1), &|_| ControlFlow::Continue(())).unwrap();
        Duet::new(&pairs, Model::train(&pairs, &labels, &ModelSettings::default()).unwrap()).unwrap()
    })
}

/// How deep they are in each other at the deepest, in metres.
fn deepest_m(take: &Take) -> f32 {
    let clips = [0, 1].map(|i| &take.actors()[i].clip);
    let shapes = clips.map(|clip| Shape::of(clip.skeleton()));
    let depth = |frame: usize| {
        let worlds = clips.map(|clip| WorldPose::of(clip.skeleton(), clip.pose(frame)));
        Shape::depth_m(shapes.each_ref(), worlds.each_ref())
    };
    (0..take.frames()).map(depth).fold(f32::NEG_INFINITY, f32::max)
}

#[test]
fn attacks_that_meet_touch_and_go_no_deeper() {
    for seed in 6..9 {
        let run = fighters().perform(1800, None, &RunSettings::default(), Seed(seed)).unwrap();
        let take = realised(&run).unwrap().take;
        assert!(deepest_m(&take) < 0.04, "seed {seed}: {}", deepest_m(&take));
        let touches = Pair::of_take(&take).unwrap().touches;
        let whole = |played: &&Played| played.kind == Kind::Offensive && played.end() < 1700;
        for attack in run.played.iter().filter(whole) {
            let touch = attack.touch.unwrap();
            let is_met = run.played.iter().any(|other| {
                other.person != attack.person
                    && other.kind == Kind::Defensive
                    && other.meets()
                    && other.touch.is_some_and(|own| own.abs_diff(touch) <= 3)
            });
            let is_touch =
                |t: &Touch| !t.misses() && t.frames.start <= touch + 3 && touch <= t.frames.end + 3;
            assert!(!is_met || touches.iter().any(is_touch), "seed {seed}, frame {touch}");
        }
    }
}

#[test]
fn who_goes_along_a_way_keeps_to_it_and_to_their_feet() {
    let points = (0..=60).map(|i| {
        let turn = f64::from(i) * 0.1;
        [f64::from(i), 2.0 * turn.sin(), 2.0 * turn.cos()]
    });
    let way = Way { person: 0, points: points.collect() };
    for seed in 1..4 {
        let run = fighters().perform(1800, Some(way.clone()), &RunSettings::default(), Seed(seed)).unwrap();
        assert!(run.played.iter().any(|played| played.kind == Kind::Offensive));
        let take = realised(&run).unwrap().take;
        let track = take.first().ground_track().frames;
        let off = track
            .iter()
            .enumerate()
            .map(|(frame, ground)| way.at(frame as f64 / 30.0).distance(ground.translation()));
        let mean_m = off.sum::<f32>() / track.len() as f32;
        assert!(mean_m < 0.06, "seed {seed}: {mean_m} m");
        // By the plants that are seen in it, whatever was meant to stand.
        let seen = Pair::of_take(&take).unwrap();
        let slides = skate(take.first(), &seen.people[0].contacts, 0.0).cm_per_sec;
        assert!(slides < 3.0, "seed {seed}: {slides} cm/s");
    }
}
