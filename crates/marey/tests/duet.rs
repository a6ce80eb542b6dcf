//! Quality of generated duets.

use std::sync::OnceLock;

use marey::body::BodyCapsules;
use marey::duet::{
    Duet, DuetLabelSettings, DuetModel, DuetModelSettings, DuetPath, DuetRunSettings, InteractionKind,
    PartnerContact, PlacedMovement, RecordedPair, label, realise_run,
};
use marey::examples::taekwondo::{TaekwondoSettings, taekwondo};
use marey::measure::feet::feet;
use marey::motion::{Observer, Take, WorldPose};
use marey::plan::Seed;

fn recorded_bout() -> Take {
    let bout =
        TaekwondoSettings { seed: 21, duration_secs: 90.0, rate_hz: 30.0, ..TaekwondoSettings::default() };
    taekwondo(&bout).unwrap().take
}

fn fighters() -> &'static Duet {
    static DUET: OnceLock<Duet> = OnceLock::new();
    DUET.get_or_init(|| {
        let pairs = [RecordedPair::from_take(&recorded_bout()).unwrap()];
        let settings = DuetLabelSettings { iterations: 60, ..DuetLabelSettings::default() };
        let labels = label(&pairs, &settings, Seed(1), Observer::ignore()).unwrap();
        Duet::new(&pairs, DuetModel::train(&pairs, &labels, &DuetModelSettings::default()).unwrap()).unwrap()
    })
}

/// Returns the maximum overlap of the two bodies, in metres.
fn deepest_m(take: &Take) -> f32 {
    let clips = [0, 1].map(|i| &take.actors()[i].clip);
    let shapes = clips.map(|clip| BodyCapsules::of(clip.skeleton()));
    let depth = |frame: usize| {
        let worlds = clips.map(|clip| WorldPose::of(clip.skeleton(), clip.pose(frame)));
        BodyCapsules::overlap_m(shapes.each_ref(), worlds.each_ref())
    };
    (0..take.frames()).map(depth).fold(f32::NEG_INFINITY, f32::max)
}

#[test]
fn attacks_that_meet_touch_and_go_no_deeper() {
    for seed in 6..9 {
        let run = fighters().run(1800, None, &DuetRunSettings::default(), Seed(seed)).unwrap();
        let take = realise_run(&run).unwrap().take;
        assert!(deepest_m(&take) < 0.04, "seed {seed}: {}", deepest_m(&take));
        let touches = RecordedPair::from_take(&take).unwrap().partner_contacts;
        let whole =
            |played: &&PlacedMovement| played.kind == InteractionKind::Offensive && played.end() < 1700;
        for attack in run.placed.iter().filter(whole) {
            let touch = attack.contact_frame.unwrap();
            let is_met = run.placed.iter().any(|other| {
                other.person != attack.person
                    && other.kind == InteractionKind::Defensive
                    && other.makes_contact()
                    && other.contact_frame.is_some_and(|own| own.abs_diff(touch) <= 3)
            });
            let is_touch =
                |t: &PartnerContact| !t.is_miss() && t.frames.start <= touch + 3 && touch <= t.frames.end + 3;
            assert!(!is_met || touches.iter().any(is_touch), "seed {seed}, frame {touch}");
        }
    }
}

#[test]
fn a_fighter_on_a_path_stays_on_it_and_skates_little_more_than_the_recorded_one() {
    let skate = |take: &Take| feet(take.first()).unwrap().skate_cm_per_sec;
    let recorded = skate(&recorded_bout());
    let points = (0..=60).map(|i| {
        let turn = f64::from(i) * 0.1;
        [f64::from(i), 2.0 * turn.sin(), 2.0 * turn.cos()]
    });
    let way = DuetPath { person: 0, points: points.collect() };
    for seed in 1..4 {
        let run = fighters().run(1800, Some(way.clone()), &DuetRunSettings::default(), Seed(seed)).unwrap();
        assert!(run.placed.iter().any(|played| played.kind == InteractionKind::Offensive));
        let take = realise_run(&run).unwrap().take;
        let track = take.first().ground_track().frames;
        let off = track
            .iter()
            .enumerate()
            .map(|(frame, ground)| way.at(frame as f64 / 30.0).distance(ground.translation()));
        let mean_m = off.sum::<f32>() / track.len() as f32;
        assert!(mean_m < 0.06, "seed {seed}: {mean_m} m");
        assert!(skate(&take) < 1.4 * recorded, "seed {seed}: {} cm/s, recorded {recorded}", skate(&take));
    }
}
