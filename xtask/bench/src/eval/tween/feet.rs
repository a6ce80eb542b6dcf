//! The feet of in-betweens, beside spherical interpolation and beside examples of the same length.

use marey_capture::Half;
use marey_examples::ballet::{BalletSettings, ballet};
use marey_measure::jolt::{Jolts, jolts, percentile_mps2};
use marey_measure::sink::sink;
use marey_motion::Clip;
use marey_ops::floor::estimate;
use marey_plan::Seed;
use marey_tween::{MotionStyle, StyleSettings, TweenSettings, tween};
use rand::RngExt;

use super::salsa;
use super::slerp::slerp;
use crate::BoxError;
use crate::args::Args;
use crate::data;
use crate::eval::foot_rows::FootTable;
use crate::row::Row;

/// Number of pairs of poses.
const PAIRS: usize = 60;
/// Length of the in-betweens that are longer than the likeliest path, in seconds.
const LONG_SECS: f64 = 1.5;

pub(super) fn rows(args: &Args) -> Result<Vec<Row>, BoxError> {
    let phrases = ballet(&BalletSettings { seed: args.seed, ..BalletSettings::default() })?;
    let clips: Vec<Clip> = phrases.iter().map(|phrase| phrase.take.first().clone()).collect();
    let mut rows = corpus_rows("ballet", &clips, args)?;
    if let Some(folder) = data::captured(args, "cmu") {
        let moved_to_floor = |(_, clip): (String, Clip)| clip.lifted(-estimate(&clip).height_m);
        let clips = salsa::clips(data::bvh_files_to_report(&folder.join(salsa::FOLDER)))?;
        let clips = clips.into_iter().map(moved_to_floor).collect::<Result<Vec<Clip>, _>>()?;
        let captured = corpus_rows("CMU salsa", &clips, args)?;
        rows.extend(captured.into_iter().map(|row| row.of_half(Half::Report)));
    }
    Ok(rows)
}

fn corpus_rows(name: &str, clips: &[Clip], args: &Args) -> Result<Vec<Row>, BoxError> {
    let style = MotionStyle::learn(clips, &StyleSettings::default())?;
    let pairs = if args.quick { PAIRS / 4 } else { PAIRS };
    let usual: Vec<Jolts> = clips.iter().map(jolts).collect();
    let level_mps2 = f64::from(percentile_mps2(&usual, 0.999));
    let mut rows = Vec::new();
    for (length, keeps_end_position) in
        [("likeliest length", false), ("1.5 s", false), ("1.5 s, fixed end position", true)]
    {
        let mut rng = Seed(args.seed).rng(0);
        let [mut made, mut interpolated, mut examples] = [Feet::default(), Feet::default(), Feet::default()];
        for _ in 0..pairs {
            let mut draw = || {
                let clip = &clips[rng.random_range(0..clips.len())];
                (clip, rng.random_range(0..clip.frames()))
            };
            let (from, to) = (draw(), draw());
            // Both poses are at the same place, because nobody crosses a room in 1.5 seconds.
            let from_clip = from.0.slice(from.1..from.1 + 1)?;
            let to_clip = to.0.slice(to.1..to.1 + 1)?;
            let place = from_clip.ground_track().frames[0] * to_clip.ground_track().frames[0].inverse();
            let to_clip = to_clip.moved(place);
            let rate_hz = from.0.rate_hz();
            let frames = (length != "likeliest length").then_some((LONG_SECS * rate_hz) as usize);
            let settings = TweenSettings { rate_hz, frames, keeps_end_position, ..TweenSettings::default() };
            match tween(&style, from, (&to_clip, 0), &settings) {
                Ok(found) => {
                    let line = slerp(from.0, from.0.pose(from.1), to_clip.pose(0), found.clip.frames())?;
                    interpolated.add(&line)?;
                    let frames = found.clip.frames();
                    made.add(&found.clip)?;
                    let start = from.1.min(from.0.frames() - frames);
                    examples.add(&from.0.slice(start..start + frames)?)?;
                }
                Err(error) => eprintln!("{name}: {error}"),
            }
        }
        let subject = format!("{name}, {pairs} pairs, {length}");
        let row = |what: &str, value: f64, unit| Row::new(&format!("tween: {what}"), &subject, value, unit);
        let with_baselines = |row: Row, of: fn(&Feet) -> f64| {
            [
                row.clone().against("spherical interpolation", of(&interpolated)),
                row.against("examples of the same length", of(&examples)),
            ]
        };
        rows.extend(made.figures.rows("tween", &subject, "spherical interpolation", &interpolated.figures));
        rows.extend(made.figures.rows("tween", &subject, "examples of the same length", &examples.figures));
        rows.extend(with_baselines(
            row("depth in the floor beyond that of both ends, largest", made.deepest(), "cm")
                .lower_is_better(),
            Feet::deepest,
        ));
        rows.push(
            row("largest acceleration, median pair", made.jolt(), "m/s²")
                .against("examples, 99.9th percentile", level_mps2),
        );
    }
    Ok(rows)
}

/// Measures of the feet of several in-betweens.
#[derive(Default)]
struct Feet {
    figures: FootTable,
    deeper_cm: Vec<f64>,
    jolts_mps2: Vec<f64>,
}

impl Feet {
    fn add(&mut self, clip: &Clip) -> Result<(), BoxError> {
        self.figures.add(clip);
        let last = clip.frames() - 1;
        let given =
            sink(&clip.slice(0..1)?, 0.0).deepest_cm.max(sink(&clip.slice(last..last + 1)?, 0.0).deepest_cm);
        self.deeper_cm.push((sink(clip, 0.0).deepest_cm - given).max(0.0));
        self.jolts_mps2.push(jolts(clip).by_frame_mps2.iter().copied().fold(0.0, f32::max).into());
        Ok(())
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
