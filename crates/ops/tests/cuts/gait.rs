//! Steps of walks: generated ones with known steps, and captured ones with manually counted steps.

use marey_examples::GaitStyle;
use marey_examples::walk::{WalkSettings, walk};
use marey_motion::Side::{self, Left as L, Right as R};
use marey_motion::{Clip, Role};
use marey_ops::{contacts, gait};

use crate::captured::open;

fn steps(clip: &Clip) -> Vec<gait::FootStep> {
    let found = contacts::detect(clip, &contacts::ContactSettings::default()).unwrap();
    gait::steps(&found.contacts, clip.rate_hz(), &gait::GaitSettings::default()).unwrap()
}

#[test]
fn generated_walks_are_cut_once_a_step() {
    let (mut there, mut found_in_all, mut matched) = (0, 0, 0);
    for seed in 0..12 {
        let style = GaitStyle { speed_mps: 0.8 + 0.07 * seed as f32, ..GaitStyle::default() };
        let settings = WalkSettings {
            seed,
            style,
            duration_secs: 40.0,
            rate_hz: 30.0,
            noise_mm: 5.0,
            ..Default::default()
        };
        let example = walk(&settings).unwrap();
        let found = steps(&example.take.first().lifted(0.03).unwrap());
        there += example.truth.cuts().len();
        found_in_all += found.len();
        matched += example
            .truth
            .cuts()
            .iter()
            .filter(|cut| {
                let same = |step: &&gait::FootStep| {
                    Role::LeftFoot.on(step.foot).name() == cut.name && step.frame.abs_diff(cut.frame) <= 2
                };
                found.iter().find(same).is_some()
            })
            .count();
    }
    assert!(there > 500);
    assert!(matched as f64 >= 0.98 * there as f64, "{matched} of {there} steps found");
    assert!(found_in_all <= there + there / 50, "{found_in_all} found, {there} there");
}

/// Steps of walks of the CMU archive, counted by eye on plots of the speeds of both ankles: foot, and the
/// frame (at 120 Hz, without the calibration pose) in which its ankle comes to rest. The first and last 18
/// frames were not judged. Heels that turn about their ball (91_03 while it stops) are not steps.
const COUNTED: [(&str, &[(Side, usize)]); 13] = [
    ("07_01", &[(L, 57), (R, 123), (L, 188), (R, 253)]),
    ("08_01", &[(R, 22), (L, 82), (R, 142), (L, 202)]),
    ("16_11", &[(R, 43), (L, 113), (R, 185), (L, 255), (R, 320), (L, 393), (R, 462)]),
    ("16_15", &[(R, 66), (L, 135), (R, 205), (L, 275), (R, 345), (L, 417)]),
    ("16_17", &[(L, 70), (R, 136), (L, 206), (R, 271), (L, 335), (R, 410), (L, 478)]),
    ("16_33", &[(L, 75), (R, 145), (L, 215)]),
    ("35_01", &[(R, 78), (L, 148), (R, 213), (L, 283)]),
    ("38_01", &[(R, 100), (L, 170), (R, 236), (L, 302)]),
    ("69_01", &[(L, 190), (R, 272), (L, 340), (R, 410)]),
    ("69_20", &[(L, 42), (R, 118), (L, 195), (R, 265), (L, 355), (R, 425), (L, 505)]),
    (
        "91_03",
        &[
            (R, 397),
            (L, 470),
            (R, 523),
            (L, 585),
            (R, 655),
            (L, 712),
            (R, 770),
            (L, 830),
            (R, 890),
            (L, 947),
            (R, 1000),
            (L, 1065),
            (R, 1120),
            (L, 1178),
            (R, 1230),
            (L, 1292),
            (R, 1348),
            (L, 1403),
            (R, 1458),
            (L, 1515),
            (R, 1572),
            (L, 1622),
            (R, 1672),
        ],
    ),
    (
        "104_27",
        &[
            (L, 300),
            (R, 372),
            (L, 442),
            (R, 520),
            (L, 592),
            (R, 667),
            (L, 742),
            (R, 805),
            (L, 880),
            (R, 955),
            (L, 1025),
            (R, 1088),
            (L, 1166),
            (R, 1240),
            (L, 1308),
            (R, 1378),
            (L, 1448),
            (R, 1520),
            (L, 1592),
            (R, 1662),
            (L, 1735),
            (R, 1808),
            (L, 1875),
            (R, 1948),
            (L, 2012),
            (R, 2095),
            (L, 2160),
            (R, 2225),
        ],
    ),
    ("69_28", &[(R, 65), (L, 142), (R, 210), (L, 285), (R, 352), (L, 430)]),
];

/// The margin at the ends of a clip in which steps were not judged, and the tolerance of a step, in frames.
const ENDS: usize = 18;
const SLACK: usize = 18;

#[test]
fn real_data_walks_are_cut_once_a_step() {
    let Some(folder) = marey_capture::folder("cmu") else { return };
    let mut wrong = Vec::new();
    for (name, counted) in COUNTED {
        let clip = open(&folder.join(format!("walk_path/{name}.bvh")));
        let judged = ENDS..clip.frames() - ENDS;
        let found: Vec<gait::FootStep> =
            steps(&clip).into_iter().filter(|s| judged.contains(&s.frame)).collect();
        let same = found.len() == counted.len()
            && found.iter().zip(counted).all(|(s, c)| s.foot == c.0 && s.frame.abs_diff(c.1) <= SLACK);
        if !same {
            wrong.push(format!("{name}: found {found:?}, counted {counted:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
