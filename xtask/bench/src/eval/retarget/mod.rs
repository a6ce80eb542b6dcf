//! Retargeting between kinds of skeletons, and onto the own one.
//!
//! Captured takes of one half are put on skeletons of six kinds: two captured, and four that the project makes with the names, joint axes and
//! rest poses of common rigs. From each kind they are converted onto each other, as `marey convert --skeleton` does, and by copying rotations
//! alone. An independent ruler measures the feet; directions of limbs and gaps of hands are measured here. The ruler finds feet by their names,
//! and some kinds have names that it does not know, so it gets the same motion with joints named by their roles. A larger body
//! makes larger steps in the same time: skate is also compared with the source enlarged to the size of the target.

mod body_figures;
mod identity;
mod kinds;
mod partners;
mod ruler_copies;

use std::path::Path;
use std::sync::Arc;

use body_figures::BodyFigures;
use kinds::BodyKind;
use marey::convert::{self, ConvertRequest, MotionEdit};
use marey::{Context, inputs};
use marey_capture::Half;
use marey_formats::bvh;
use marey_motion::{Clip, Skeleton, Take};
use marey_ops::retarget::{Retarget, RetargetSettings, retarget_clips};
use ruler_copies::measure_feet;

use super::feet::ruler::{RulerFigures, median};
use crate::BoxError;
use crate::args::Args;
use crate::data;
use crate::row::{Aim, Row};

/// Largest change of the gap of a hand that touches the own body, in centimetres.
const CONTACT_CM: f64 = 2.0;
/// Longer takes are cut, in seconds.
const MAX_SECS: f64 = 10.0;
/// The unit of the files that results are written to.
const METRES_PER_UNIT: f64 = 0.01;

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    let Some(folder) = data::captured(args, "") else { return Vec::new() };
    let mut rows = identity::rows(&folder, args);
    match measured_rows(&folder, args) {
        Ok(measured) => rows.extend(measured),
        Err(error) => eprintln!("retargeting is not measured: {error}"),
    }
    rows
}

fn measured_rows(folder: &Path, args: &Args) -> Result<Vec<Row>, BoxError> {
    let output = data::scratch_folder()?.join(format!("retarget-{}", args.half));
    std::fs::create_dir_all(&output)?;
    let kinds = kinds::all(folder, &output, args)?;
    let mut rows = pair_rows(&measure(&kinds, &output)?, args.half);
    rows.extend(partners::rows(folder, &output, &kinds, args)?);
    Ok(rows)
}

/// The figures of one kind onto another.
struct PairResult {
    name: String,
    source: RulerFigures,
    /// The source, enlarged to the size of the target.
    enlarged: RulerFigures,
    ours: RulerFigures,
    copied: RulerFigures,
    body: BodyFigures,
}

fn measure(kinds: &[BodyKind], output: &Path) -> Result<Vec<PairResult>, BoxError> {
    let mut pairs = Vec::new();
    for source in kinds {
        let of_source = measure_feet(&source.files, 1.0)?;
        for target in kinds.iter().filter(|target| target.name != source.name) {
            pairs.push(measure_pair(source, target, of_source, output)?);
        }
    }
    Ok(pairs)
}

fn measure_pair(
    source: &BodyKind,
    target: &BodyKind,
    of_source: RulerFigures,
    output: &Path,
) -> Result<PairResult, BoxError> {
    let name = format!("{} to {}", source.name, target.name);
    let (mut ours, mut copied) = (Vec::new(), Vec::new());
    let mut body = BodyFigures::default();
    for (index, file) in source.files.iter().enumerate() {
        let path = output.join(format!("{name} {index}.bvh"));
        let skeleton = target.files.first().ok_or("a kind without a file")?;
        convert_onto(file, &[skeleton.display().to_string()], &path)?;
        let (before, after) = (inputs::take(file)?, inputs::take(&path)?);
        body.add(&format!("take {index}"), before.first(), after.first());
        ours.push(path);
        let path = output.join(format!("{name} {index} copied.bvh"));
        let body = inputs::take(skeleton)?.first().skeleton().clone();
        write(&on_bodies(&before, &[body], &rotations_alone())?, &path)?;
        copied.push(path);
    }
    Ok(PairResult {
        name,
        source: of_source,
        enlarged: measure_feet(&source.files, scale(source, target)?)?,
        ours: measure_feet(&ours, 1.0)?,
        copied: measure_feet(&copied, 1.0)?,
        body,
    })
}

/// Converts a file as `marey convert FILE OUT --skeleton BODY...` does.
fn convert_onto(file: &Path, bodies: &[String], output: &Path) -> Result<(), BoxError> {
    let skeletons = bodies.iter().map(|body| body.parse()).collect::<Result<_, _>>()?;
    let request = ConvertRequest {
        inputs: vec![file.to_owned()],
        output: output.to_owned(),
        overwrite: true,
        edit: MotionEdit { skeletons, ..MotionEdit::default() },
        ..ConvertRequest::default()
    };
    let outcome = convert::run(&request, &Context::new())?;
    match outcome.files.into_iter().find_map(|file| file.result.err()) {
        Some(error) => Err(error.into()),
        None => Ok(()),
    }
}

/// Leg length of the target over that of the source; of the first take of each.
fn scale(source: &BodyKind, target: &BodyKind) -> Result<f64, BoxError> {
    let body = |kind: &BodyKind| -> Result<Arc<Skeleton>, BoxError> {
        Ok(inputs::take(kind.files.first().ok_or("a kind without a file")?)?.first().skeleton().clone())
    };
    let (source, target) = (body(source)?, body(target)?);
    Ok(f64::from(Retarget::new(&source, target, &RetargetSettings::default())?.scale()))
}

/// The settings of the baseline: rotations alone.
fn rotations_alone() -> RetargetSettings {
    RetargetSettings { keep_feet: false, keep_hands: false, ..RetargetSettings::default() }
}

/// A take with its actors on bodies.
fn on_bodies(take: &Take, bodies: &[Arc<Skeleton>], settings: &RetargetSettings) -> Result<Take, BoxError> {
    let clips: Vec<&Clip> = take.actors().iter().map(|actor| &actor.clip).collect();
    let clips = retarget_clips(&clips, bodies, settings)?;
    Ok(take.clone().with_clips(clips)?)
}

fn write(take: &Take, path: &Path) -> Result<(), BoxError> {
    Ok(std::fs::write(path, bvh::write(take, &bvh::BvhOptions::default()).0)?)
}

fn pair_rows(pairs: &[PairResult], half: Half) -> Vec<Row> {
    let mut rows = Vec::new();
    for pair in pairs {
        if pair.body.contact_change_cm > CONTACT_CM {
            eprintln!("{}: {}", pair.name, pair.body.contact_place);
        }
        let skate = |figures: &RulerFigures| figures.skate_cm_per_sec;
        let row = Row::new("retarget: skate, by the ruler", &pair.name, skate(&pair.ours), "cm/s");
        rows.push(row.against("the source", skate(&pair.source)).aim(Aim::RatioAtMost(1.1)));
        let row = Row::new("retarget: skate with rotations alone", &pair.name, skate(&pair.copied), "cm/s");
        rows.push(row.against("the source", skate(&pair.source)));
    }
    let all = format!("{} pairs of kinds", pairs.len());
    let ratios = |of: fn(&PairResult) -> f64| -> Vec<f64> {
        pairs.iter().map(|pair| of(pair) / pair.source.skate_cm_per_sec).collect()
    };
    let at_size = |of: fn(&PairResult) -> f64| -> Vec<f64> {
        pairs.iter().map(|pair| of(pair) / pair.enlarged.skate_cm_per_sec).collect()
    };
    let worst = |of: fn(&PairResult) -> f64| pairs.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
    let middle = |of: fn(&PairResult) -> f64| median(pairs.iter().map(of).collect());
    let ours = |pair: &PairResult| pair.ours.skate_cm_per_sec;
    let copied = |pair: &PairResult| pair.copied.skate_cm_per_sec;
    rows.extend([
        Row::new("retarget: skate over that of the source, median", &all, median(ratios(ours)), "×")
            .against("rotations alone", median(ratios(copied)))
            .aim(Aim::AtMost(1.1)),
        Row::new("retarget: skate over that of the source, worst", &all, worst_of(ratios(ours)), "×")
            .against("rotations alone", worst_of(ratios(copied)))
            .aim(Aim::AtMost(1.1)),
        Row::new(
            "retarget: skate over that of the source at this size, median",
            &all,
            median(at_size(ours)),
            "×",
        )
        .against("rotations alone", median(at_size(copied)))
        .aim(Aim::AtMost(1.1)),
        Row::new(
            "retarget: skate over that of the source at this size, worst",
            &all,
            worst_of(at_size(ours)),
            "×",
        )
        .against("rotations alone", worst_of(at_size(copied)))
        .aim(Aim::AtMost(1.1)),
        Row::new(
            "retarget: sink beyond the source, worst",
            &all,
            worst(|pair| pair.ours.sink_cm - pair.source.sink_cm),
            "cm",
        )
        .against("rotations alone", worst(|pair| pair.copied.sink_cm - pair.source.sink_cm))
        .aim(Aim::AtMost(1.0)),
        Row::new("retarget: direction of limbs, mean", &all, middle(|pair| pair.body.direction_deg()), "deg"),
        Row::new(
            "retarget: direction of limbs, worst pair",
            &all,
            worst(|pair| pair.body.direction_deg()),
            "deg",
        ),
        Row::new(
            "retarget: hands into the own body beyond the source, worst",
            &all,
            worst(|pair| pair.body.deeper_cm),
            "cm",
        )
        .aim(Aim::AtMost(2.0)),
        Row::new(
            "retarget: contact of hands changes, worst",
            &all,
            worst(|pair| pair.body.contact_change_cm),
            "cm",
        )
        .aim(Aim::AtMost(CONTACT_CM)),
    ]);
    rows.into_iter().map(|row| row.of_half(half)).collect()
}

fn worst_of(values: Vec<f64>) -> f64 {
    values.into_iter().fold(f64::NEG_INFINITY, f64::max)
}
