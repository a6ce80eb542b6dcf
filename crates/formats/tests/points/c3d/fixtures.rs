//! Every file under `fixtures/c3d` with its report, and damaged variants.

use std::sync::{LazyLock, Once};

use marey_formats::{ReadOptions, c3d, read};
use marey_motion::Coded;
use proptest::prelude::*;

use super::recipes::{self, truth};
use crate::damage;
use crate::recipe::{check_all, write_all};
use crate::support::expectation::{Expectation, Point};
use crate::support::fixtures::{Fixture, FixtureSet};
use crate::support::invariants::Invariants;

static C3D: FixtureSet = FixtureSet {
    name: "c3d",
    folders: &["good", "bad"],
    endings: &["c3d"],
    invariants: Invariants { needs_a_byte_per_frame: true, places_in_text: false },
    points: Some(points),
    blessed: Once::new(),
};

/// All fixtures. Writes them first if `MAREY_BLESS` is set.
fn fixture_set() -> &'static FixtureSet {
    static WRITTEN: Once = Once::new();
    WRITTEN.call_once(|| write_all("c3d", &recipes::all()));
    &C3D
}

/// Positions of all markers that are present, from the recipe.
fn points(fixture: &Fixture, _: &Expectation) -> Vec<Point> {
    let missing: &[(usize, usize)] = if fixture.is_named("gaps.c3d") { &[(1, 0), (2, 2)] } else { &[] };
    let all = (0..4).flat_map(|frame| (0..3).map(move |marker| (frame, marker)));
    let there = all.filter(|place| !missing.contains(place));
    there.map(|(frame, joint)| Point { take: 0, actor: 0, joint, frame, at: truth(frame, joint) }).collect()
}

#[test]
fn files_match_their_recipes() {
    fixture_set();
    check_all("c3d", &recipes::all());
}

#[test]
fn good_files_match_their_reports() {
    fixture_set().check("good", 14);
    for fixture in fixture_set().all("good") {
        assert!(fixture.expectation().points.len() >= 10, "{}", fixture.path.display());
        let usual = ["c3d/not-kept", "c3d/first-frame"];
        assert!(fixture.expectation().warnings.iter().all(|w| usual.contains(&w.code.as_str())));
    }
}

#[test]
fn bad_files_match_their_reports() {
    fixture_set().check("bad", 40);
}

#[test]
fn every_code_occurs_in_a_fixture() {
    fixture_set().check_codes(&[c3d::codes::ALL], &[]);
}

#[test]
fn processors_and_storages_agree_on_residuals_and_signals() {
    let read = |name: &str| {
        let import = fixture_set().named("good", name).read().unwrap();
        import.points().unwrap().clone()
    };
    for name in ["intel-float", "intel-whole", "dec-float", "dec-whole", "mips-float", "mips-whole"] {
        let points = read(&format!("{name}.c3d"));
        assert_eq!(points.residuals_m.len(), 12);
        assert!(points.residuals_m.iter().all(|r| (r - 0.0015).abs() < 1e-7), "{name}");
    }
    assert!(read("gaps.c3d").residuals_m[3].is_nan());
    // (2048 + 10 i − 2048) × 0.5 × 2 and (±5 − 0) × 2 × 2, computed by hand for the first two frames.
    let analog = read("analog.c3d").analog.unwrap();
    assert_eq!(analog.samples[..8], [0.0, 20.0, 5.0, -20.0, 10.0, 20.0, 15.0, -20.0]);
    assert_eq!((analog.rate_hz, analog.units), (100.0, vec!["N".to_owned(), "V".into()]));
    // The file declares unsigned samples: −5 with an offset of −1 is 65531 with −1, (65531 + 1) × 2 × 2.
    let analog = read("analog-unsigned.c3d").analog.unwrap();
    assert_eq!(analog.samples[3], 262_128.0);
}

#[test]
fn points_are_not_figures() {
    let import = fixture_set().named("good", "intel-float.c3d").read().unwrap();
    assert_eq!(import.take().unwrap_err().code().id, "file/no-figure");
    assert_eq!(import.into_first().unwrap_err().code().id, "file/no-figure");
}

#[test]
fn the_format_is_recognised_without_an_ending() {
    for fixture in fixture_set().all("good") {
        assert!(read(&fixture.bytes, None, &ReadOptions::default()).is_ok(), "{}", fixture.path.display());
    }
}

#[test]
fn every_truncation_is_read_or_refused() {
    damage::truncations(fixture_set());
}

#[test]
fn every_change_of_a_byte_is_read_or_refused() {
    for name in ["analog.c3d", "mips-whole.c3d"] {
        damage::changes(fixture_set(), name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]
    #[test]
    fn spliced_files_are_read_or_refused(splice in damage::spliced()) {
        static FILES: LazyLock<Vec<Fixture>> = LazyLock::new(|| fixture_set().everything().collect());
        damage::survive(fixture_set(), &splice.of(&FILES), || format!("{splice:?}"));
    }
}
