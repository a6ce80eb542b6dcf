//! Feet and joins on captured motion.
//!
//! Each subject goes along twelve paths with its own takes of one half: `follow` plans, `realise` makes the motion. An
//! independent ruler measures the results, and the files that they were made from.

mod joins;
pub(super) mod paths;
pub(super) mod ruler;
mod subjects;

use std::path::Path;

use marey::follow::{self, ControlInput, FollowRequest};
use marey::realise::{self, RealiseRequest};
use marey_capture::Half;
use marey_formats::bvh;
use marey_measure::feet::{FootFigures, feet};
use marey_measure::path::path_error;
use ruler::{RulerFigures, median};
use subjects::Subject;

use crate::BoxError;
use crate::args::Args;
use crate::data;
use crate::row::{Aim, Row};
use crate::scratch_corpus::ScratchCorpus;

/// The number of paths of each subject with `--quick`.
const QUICK_PATHS: usize = 3;
/// The unit of the files that results are written to.
const METRES_PER_UNIT: f64 = 0.01;

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    let Some(folder) = data::captured(args, "") else { return Vec::new() };
    let mut rows = Vec::new();
    let mut all = Vec::new();
    for subject in subjects::ALL.iter().filter(|subject| subject.is_quick || !args.quick) {
        match measure(subject, &folder, args) {
            Ok(Some(result)) => {
                rows.extend(result.rows(subject.name, args.half));
                all.push(result);
            }
            Ok(None) => eprintln!("{}: no takes in the {} half", subject.name, args.half),
            Err(error) => eprintln!("{} is not measured: {error}", subject.name),
        }
    }
    if all.is_empty() {
        return rows;
    }
    rows.extend(SubjectResult::middle(&all).rows(&format!("median of {} subjects", all.len()), args.half));
    rows
}

/// The figures of one subject: medians over its sources and over its results.
#[derive(Debug, Clone, Copy)]
struct SubjectResult {
    sources: RulerFigures,
    results: RulerFigures,
    /// 99th percentiles of joint speeds, in metres per second.
    source_speed_mps: f64,
    speed_at_joins_mps: f64,
    /// Mean distance from the path, in centimetres.
    path_cm: f64,
    /// The share of contacts that were let go, in percent.
    let_go_pct: f64,
    /// The largest difference between the ruler's figures and those of the quality card, in percent.
    off_ruler_pct: f64,
    /// The part of the skate that comes from feet that swing, in centimetres per second.
    source_swing_cm_per_sec: f64,
    swing_cm_per_sec: f64,
}

fn measure(subject: &Subject, folder: &Path, args: &Args) -> Result<Option<SubjectResult>, BoxError> {
    let output = data::scratch_folder()?.join(format!("feet-{}-{}", args.half, subject.slug()));
    std::fs::create_dir_all(&output)?;
    let files = subject.files(folder, args.half, &output)?;
    if files.is_empty() {
        return Ok(None);
    }
    let corpus = ScratchCorpus::create()?;
    let takes = corpus.import_steps(&files)?;
    let clips = || takes.iter().map(marey_motion::Take::first);
    let speeds = clips().map(|clip| f64::from(marey_measure::travel::mean_speed_mps(clip))).collect();
    let count = if args.quick { QUICK_PATHS } else { usize::MAX };
    let (mut outputs, mut at_joins, mut off_path) = (Vec::new(), Vec::new(), Vec::new());
    let (mut let_go, mut ours) = (Vec::new(), Vec::new());
    for (name, points) in paths::all(median(speeds)).into_iter().take(count) {
        let path = paths::clip(&points)?;
        let input = ControlInput::Path { points, rate_hz: Some(paths::RATE_HZ) };
        let request = FollowRequest { input, ..FollowRequest::default() };
        let plan = follow::run(&request, corpus.context())?.plan.ok_or("follow made no plan")?;
        let request = RealiseRequest { plan: plan.to_json()?, ..RealiseRequest::default() };
        let made = realise::run(&request, corpus.context())?;
        let clip = made.take.first();
        at_joins.extend(joins::speed_at_joins_mps(&plan, clip));
        off_path.extend(path_error(clip, &path).map(|error| error.mean_cm));
        let card = made.details.cards.first().ok_or("realise made no card")?;
        let line = card.card.lines.iter().find(|line| line.name == "contacts let go");
        let_go.extend(line.map(|line| line.value));
        ours.extend(feet(clip));
        let file = output.join(format!("{name}.bvh"));
        std::fs::write(&file, bvh::write(&made.take, &bvh::BvhOptions::default()).0)?;
        std::fs::write(output.join(format!("{name}.json")), &request.plan)?;
        outputs.push(file);
    }
    let sources = ruler::measure(&files, subject.metres_per_unit, subject.first_frame)?;
    let results = ruler::measure(&outputs, METRES_PER_UNIT, 0)?;
    Ok(Some(SubjectResult {
        sources: RulerFigures::median(&sources),
        results: RulerFigures::median(&results),
        source_speed_mps: joins::source_speed_mps(clips()).unwrap_or(f64::NAN),
        speed_at_joins_mps: median(at_joins),
        path_cm: median(off_path),
        let_go_pct: let_go.iter().sum::<f64>() / let_go.len().max(1) as f64,
        off_ruler_pct: off_ruler_pct(&RulerFigures::median(&results), &ours),
        source_swing_cm_per_sec: swing_cm_per_sec(&clips().filter_map(feet).collect::<Vec<_>>()),
        swing_cm_per_sec: swing_cm_per_sec(&ours),
    }))
}

fn swing_cm_per_sec(figures: &[FootFigures]) -> f64 {
    FootFigures::median(figures).map_or(f64::NAN, |figures| figures.swing_cm_per_sec)
}

/// The largest difference between the ruler's medians and those of our own measure, in percent. Depths below a millimetre are equal.
fn off_ruler_pct(ruler: &RulerFigures, ours: &[FootFigures]) -> f64 {
    let Some(ours) = FootFigures::median(ours) else { return f64::NAN };
    let off = |theirs: f64, ours: f64, least: f64| 100.0 * (ours - theirs).abs() / theirs.max(least);
    let all = [
        off(ruler.skate_cm_per_sec, ours.skate_cm_per_sec, 0.1),
        off(ruler.slip_cm_per_sec, ours.slip_cm_per_sec, 0.1),
        off(ruler.planted_pct, ours.standing_pct, 1.0),
        off(ruler.sink_cm, ours.sink_cm, 0.1),
    ];
    all.into_iter().fold(0.0, f64::max)
}

impl SubjectResult {
    /// The median of each figure over subjects.
    fn middle(all: &[Self]) -> Self {
        let figures =
            |of: fn(&Self) -> RulerFigures| RulerFigures::median(&all.iter().map(of).collect::<Vec<_>>());
        let middle = |of: fn(&Self) -> f64| median(all.iter().map(of).collect());
        Self {
            sources: figures(|result| result.sources),
            results: figures(|result| result.results),
            source_speed_mps: middle(|result| result.source_speed_mps),
            speed_at_joins_mps: middle(|result| result.speed_at_joins_mps),
            path_cm: middle(|result| result.path_cm),
            let_go_pct: middle(|result| result.let_go_pct),
            off_ruler_pct: middle(|result| result.off_ruler_pct),
            source_swing_cm_per_sec: middle(|result| result.source_swing_cm_per_sec),
            swing_cm_per_sec: middle(|result| result.swing_cm_per_sec),
        }
    }

    fn rows(&self, subject: &str, half: Half) -> Vec<Row> {
        let row = |name: &str, of: fn(&RulerFigures) -> f64, unit| {
            Row::new(&format!("feet: {name}"), subject, of(&self.results), unit)
                .against("the sources", of(&self.sources))
        };
        let rows = [
            row("skate, by the ruler", |figures| figures.skate_cm_per_sec, "cm/s").aim(Aim::RatioAtMost(0.4)),
            Row::new("feet: skate of feet that swing", subject, self.swing_cm_per_sec, "cm/s")
                .against("the sources", self.source_swing_cm_per_sec),
            row("slip, by the ruler", |figures| figures.slip_cm_per_sec, "cm/s").aim(Aim::RatioAtMost(0.7)),
            row("frames in which a foot stands, by the ruler", |figures| figures.planted_pct, "%")
                .aim(Aim::RatioAtLeast(0.95)),
            row("sink, by the ruler", |figures| figures.sink_cm, "cm").aim(Aim::RatioAtMost(1.0)),
            Row::new("feet: joint speed at joins, 99th percentile", subject, self.speed_at_joins_mps, "m/s")
                .against("the sources", self.source_speed_mps)
                .aim(Aim::RatioAtMost(1.0)),
            Row::new("feet: contacts let go", subject, self.let_go_pct, "%").aim(Aim::AtMost(100.0 / 30.0)),
            Row::new("feet: our figures off the ruler's, the worst", subject, self.off_ruler_pct, "%")
                .aim(Aim::AtMost(10.0)),
            Row::new("feet: hips off their path", subject, self.path_cm, "cm"),
        ];
        rows.map(|row| row.of_half(half)).to_vec()
    }
}
