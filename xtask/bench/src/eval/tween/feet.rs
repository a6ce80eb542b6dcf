//! The feet of in-betweens: whether they slide where they stand, by what the in-between says and by what anyone would see, and how deep they are.

use marey_capture::Half;
use marey_examples::ballet::{BalletSettings, ballet};
use marey_measure::jolt::{Jolts, jolts, percentile_mps2};
use marey_measure::sink::sink;
use marey_measure::skate::skate;
use marey_motion::{Clip, Contacts};
use marey_ops::contacts::{self, detect};
use marey_ops::floor::estimate;
use marey_plan::Seed;
use marey_tween::{MotionStyle, StyleSettings, TweenSettings, tween};
use rand::RngExt;

use super::salsa;
use super::slerp::slerp;
use crate::args::Args;
use crate::data;
use crate::row::{Aim, Row};

/// How many pairs of poses are joined.
const PAIRS: usize = 60;
/// How long in-betweens are that are longer than they need be, in seconds.
const LONG_SECS: f64 = 1.5;
/// What `marey check` takes for sliding, in centimetres a second.
const SLIDES_CM_PER_SEC: f64 = 3.0;

pub(super) fn rows(args: &Args) -> Result<Vec<Row>, Box<dyn std::error::Error>> {
    let phrases = ballet(&BalletSettings { seed: args.seed, ..BalletSettings::default() })?;
    let clips: Vec<Clip> = phrases.iter().map(|phrase| phrase.take.first().clone()).collect();
    let mut rows = measured("ballet", &clips, args)?;
    if let Some(folder) = data::captured(args, "cmu") {
        let on_the_floor = |(_, clip): (String, Clip)| clip.lifted(-estimate(&clip).height_m);
        let clips = salsa::clips(data::bvh_files_to_report(&folder.join(salsa::FOLDER)))?;
        let clips = clips.into_iter().map(on_the_floor).collect::<Result<Vec<Clip>, _>>()?;
        let captured = measured("CMU salsa", &clips, args)?;
        rows.extend(captured.into_iter().map(|row| row.of_half(Half::Report)));
    }
    Ok(rows)
}

fn measured(name: &str, clips: &[Clip], args: &Args) -> Result<Vec<Row>, Box<dyn std::error::Error>> {
    let style = MotionStyle::learn(clips, &StyleSettings::default())?;
    let pairs = if args.quick { PAIRS / 4 } else { PAIRS };
    let usual: Vec<Jolts> = clips.iter().map(jolts).collect();
    let level_mps2 = f64::from(percentile_mps2(&usual, 0.999));
    let mut rows = Vec::new();
    for (length, keeps_end_position) in
        [("likeliest length", false), ("1.5 s", false), ("1.5 s, arriving", true)]
    {
        let mut rng = Seed(args.seed).rng(0);
        let [mut made, mut straight, mut examples] = [Feet::default(), Feet::default(), Feet::default()];
        for _ in 0..pairs {
            let mut draw = || {
                let clip = &clips[rng.random_range(0..clips.len())];
                (clip, rng.random_range(0..clip.frames()))
            };
            let (from, to) = (draw(), draw());
            // The same place: nobody crosses a room in a second and a half.
            let at = from.0.slice(from.1..from.1 + 1)?;
            let to_clip = to.0.slice(to.1..to.1 + 1)?;
            let there = at.ground_track().frames[0] * to_clip.ground_track().frames[0].inverse();
            let to_clip = to_clip.moved(there);
            let rate_hz = from.0.rate_hz();
            let frames = (length != "likeliest length").then_some((LONG_SECS * rate_hz) as usize);
            let settings = TweenSettings { rate_hz, frames, keeps_end_position, ..TweenSettings::default() };
            match tween(&style, from, (&to_clip, 0), &settings) {
                Ok(found) => {
                    let line = slerp(from.0, from.0.pose(from.1), to_clip.pose(0), found.clip.frames())?;
                    straight.add(&line, None)?;
                    let frames = found.clip.frames();
                    made.add(&found.clip, Some(&found.contacts))?;
                    let start = from.1.min(from.0.frames() - frames);
                    examples.add(&from.0.slice(start..start + frames)?, None)?;
                }
                Err(error) => eprintln!("{name}: {error}"),
            }
        }
        let subject = format!("{name}, {pairs} pairs, {length}");
        let row = |what: &str, value: f64, unit| Row::new(&format!("tween: {what}"), &subject, value, unit);
        let beside = |row: Row, of: fn(&Feet) -> f64| {
            [
                row.clone().against("spherical interpolation", of(&straight)),
                row.against("examples as long", of(&examples)),
            ]
        };
        rows.push(
            row("skate while feet are said to stand", made.skate(), "cm/s")
                .aim(Aim::AtMost(SLIDES_CM_PER_SEC)),
        );
        rows.push(row("share of the time that a sole stands", made.stands(), "share"));
        rows.extend(beside(
            row("skate as check finds it, mean", made.seen(), "cm/s").lower_is_better(),
            Feet::seen,
        ));
        rows.extend(beside(row("pairs with more than 3 cm/s of it", made.sliding(), "share"), Feet::sliding));
        rows.extend(beside(
            row("speed of feet near the floor", made.near(), "cm/s").lower_is_better(),
            Feet::near,
        ));
        rows.extend(beside(
            row("deeper than at both ends, at most", made.deepest(), "cm").lower_is_better(),
            Feet::deepest,
        ));
        rows.push(
            row("largest acceleration, median pair", made.jolt(), "m/s²")
                .against("examples, 99.9 %", level_mps2),
        );
    }
    Ok(rows)
}

/// What was measured of in-betweens.
#[derive(Default)]
struct Feet {
    slid_cm: f64,
    contact_secs: f64,
    /// Seconds, times the number of soles.
    secs: f64,
    seen_cm_per_sec: Vec<f64>,
    near_cm_per_sec: Vec<f64>,
    deeper_cm: Vec<f64>,
    jolts_mps2: Vec<f64>,
}

impl Feet {
    fn add(&mut self, clip: &Clip, told: Option<&Contacts>) -> Result<(), Box<dyn std::error::Error>> {
        let found = detect(clip, &contacts::ContactSettings::default())?.contacts;
        let seen = skate(clip, &found, 0.0);
        self.seen_cm_per_sec.push(seen.cm_per_sec);
        self.near_cm_per_sec.push(seen.near_floor_cm_per_sec);
        if let Some(told) = told {
            let skate = skate(clip, told, 0.0);
            self.slid_cm += skate.cm_per_sec * skate.contact_secs;
            self.contact_secs += skate.contact_secs;
            self.secs += 4.0 * clip.frames() as f64 / clip.rate_hz();
        }
        let last = clip.frames() - 1;
        let given =
            sink(&clip.slice(0..1)?, 0.0).deepest_cm.max(sink(&clip.slice(last..last + 1)?, 0.0).deepest_cm);
        self.deeper_cm.push((sink(clip, 0.0).deepest_cm - given).max(0.0));
        self.jolts_mps2.push(jolts(clip).by_frame_mps2.iter().copied().fold(0.0, f32::max).into());
        Ok(())
    }

    fn skate(&self) -> f64 {
        self.slid_cm / self.contact_secs.max(1e-9)
    }

    fn stands(&self) -> f64 {
        self.contact_secs / self.secs.max(1e-9)
    }

    fn seen(&self) -> f64 {
        mean(&self.seen_cm_per_sec)
    }

    fn sliding(&self) -> f64 {
        let sliding = self.seen_cm_per_sec.iter().filter(|speed| **speed > SLIDES_CM_PER_SEC).count();
        sliding as f64 / self.seen_cm_per_sec.len().max(1) as f64
    }

    fn near(&self) -> f64 {
        mean(&self.near_cm_per_sec)
    }

    fn deepest(&self) -> f64 {
        self.deeper_cm.iter().copied().fold(0.0, f64::max)
    }

    fn jolt(&self) -> f64 {
        let mut sorted = self.jolts_mps2.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}
