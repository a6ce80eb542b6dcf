//! How often conventions are detected correctly, and how exactly files preserve motion.

use std::sync::Arc;

use marey_capture::Half;
use marey_conventions::roles::detect;
use marey_conventions::{DetectedConventions, Unit, UpAxis};
use marey_formats::{Format, MotionFile, ReadOptions, WriteOptions, read, write};
use marey_motion::{Joint, Role, Skeleton, Take};

use crate::args::Args;
use crate::data;
use crate::row::{Aim, Row};

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    let mut rows = generated_round_trip(args);
    if let Some(folder) = data::captured(args, "") {
        let imports: Vec<(String, MotionFile)> = data::bvh_files_to_report(&folder)
            .into_iter()
            .filter_map(|file| Some((file.name, read(&file.bytes, None, &ReadOptions::default()).ok()?)))
            .collect();
        let mut captured = [heights(&imports), up_axes(&imports), roles(&imports), rates(&imports)].concat();
        let every_tenth = || imports.iter().step_by(10).filter_map(|(_, i)| i.take().ok());
        captured.extend(EXACT.map(|format| round_trip("captured files, every tenth", format, every_tenth())));
        rows.extend(captured.into_iter().map(|row| row.of_half(Half::Report)));
    }
    rows
}

/// Formats that keep the body and all of its motion.
const EXACT: [Format; 3] = [Format::Bvh, Format::Glb, Format::Fbx];

/// The largest change of a joint position by writing and reading, over all joints and frames.
fn round_trip<'t>(subject: &str, format: Format, takes: impl Iterator<Item = &'t Take>) -> Row {
    let name = format!("{} round trip: largest joint error", format.ending().to_uppercase());
    let worst_m = takes
        .map(|take| worst_m(take, format).unwrap_or(f32::NAN))
        .fold(0f32, |worst, off| if off.is_nan() || worst.is_nan() { f32::NAN } else { worst.max(off) });
    Row::new(&name, subject, f64::from(worst_m) * 1000.0, "mm").aim(Aim::AtMost(0.1))
}

/// The largest change of a joint position of a take by writing and reading; `None` if it cannot be read.
fn worst_m(take: &Take, format: Format) -> Option<f32> {
    let (bytes, _) = write(take, &WriteOptions::for_format(format)?).ok()?;
    let mut options = ReadOptions::default();
    let unit = if matches!(format, Format::Bvh | Format::Fbx) { Unit::Centimetre } else { Unit::Metre };
    options.conventions.unit = Some(unit);
    options.conventions.up = Some(UpAxis::Y);
    let back = read(&bytes, None, &options).and_then(MotionFile::into_first).ok()?;
    let mut worst = 0f32;
    for (before, after) in take.actors().iter().zip(back.take.actors()) {
        let (before, after) = (before.clip.world(), after.clip.world());
        if before.positions.len() != after.positions.len() {
            return None;
        }
        let distances = before.positions.iter().zip(&after.positions).map(|(a, b)| a.distance(*b));
        worst = distances.fold(worst, f32::max);
    }
    Some(worst)
}

fn generated_round_trip(args: &Args) -> Vec<Row> {
    let settings =
        marey_examples::walk::WalkSettings { seed: args.seed, duration_secs: 30.0, ..Default::default() };
    match marey_examples::walk::walk(&settings) {
        Ok(example) => {
            EXACT.map(|format| round_trip("generated walk", format, std::iter::once(&example.take))).into()
        }
        Err(error) => {
            eprintln!("the generated walk is not measured: {error}");
            Vec::new()
        }
    }
}

/// Whether a file shows a person: two of the conformance files do not.
fn is_human(name: &str) -> bool {
    !["sinusoidal", "test_simple"].iter().any(|other| name.contains(other))
}

fn share(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// What was detected for every skeleton.
fn detected(import: &MotionFile) -> impl Iterator<Item = &DetectedConventions> {
    import.takes().iter().flat_map(|reading| &reading.detected)
}

fn heights(imports: &[(String, MotionFile)]) -> Vec<Row> {
    let humans: Vec<&MotionFile> =
        imports.iter().filter(|(name, _)| is_human(name)).map(|(_, i)| i).collect();
    let stands = |import: &&&MotionFile| {
        detected(import).all(|d| d.height_m.is_some_and(|height| (1.2..=2.2).contains(&height)))
    };
    let right = humans.iter().filter(stands).count();
    let subject = format!("{} files with people", humans.len());
    let in_cm = humans.iter().filter(|i| detected(i).all(|d| d.unit.value == Unit::Centimetre)).count();
    vec![
        Row::new("files with a standing height of 1.2 to 2.2 m", subject, share(right, humans.len()), "%")
            .against("always centimetres", share(in_cm, humans.len()))
            .aim(Aim::AtLeast(100.0)),
    ]
}

/// The notes of the archive list the files with Z up. All others have Y up.
fn up_axes(imports: &[(String, MotionFile)]) -> Vec<Row> {
    const Z_UP: [&str; 5] = ["dab.bvh", "bvh_test1.bvh", "standard_skeleton.bvh", "dance1.bvh", "walk1.bvh"];
    let truth = |name: &str| if Z_UP.iter().any(|z| name.ends_with(z)) { UpAxis::Z } else { UpAxis::Y };
    let right = imports.iter().filter(|(n, i)| detected(i).all(|d| d.up_axis.value == truth(n))).count();
    let always_y = imports.iter().filter(|(name, _)| truth(name) == UpAxis::Y).count();
    vec![
        Row::new("up axis detected", format!("{} files", imports.len()), share(right, imports.len()), "%")
            .against("always Y", share(always_y, imports.len()))
            .aim(Aim::AtLeast(100.0)),
    ]
}

/// Core roles detected by joint names, and by shape alone compared with those by names.
fn roles(imports: &[(String, MotionFile)]) -> Vec<Row> {
    let humans = imports.iter().filter(|(name, _)| is_human(name));
    let skeletons: Vec<&Arc<Skeleton>> =
        humans.filter_map(|(_, i)| Some(i.take().ok()?.first().skeleton())).collect();
    let wanted = skeletons.len() * Role::CORE.len();
    let core =
        |skeleton: &Skeleton| Role::CORE.iter().filter(|role| skeleton.joint_of(**role).is_some()).count();
    let by_names: usize = skeletons.iter().map(|s| core(s)).sum();
    let by_shape: usize = skeletons.iter().filter_map(|s| agreeing_by_shape(s).ok()).sum();
    let subject = format!("{} skeletons × {} roles", skeletons.len(), Role::CORE.len());
    vec![
        Row::new("core roles detected", &subject, share(by_names, wanted), "%").aim(Aim::AtLeast(100.0)),
        Row::new("core roles detected without joint names", subject, share(by_shape, wanted), "%")
            .against("with joint names", share(by_names, wanted)),
    ]
}

/// How many core roles are detected on the same joints if joints have no meaningful names.
fn agreeing_by_shape(skeleton: &Skeleton) -> Result<usize, marey_motion::MotionError> {
    let nameless = skeleton.joints().iter().enumerate().map(|(i, joint)| Joint {
        name: format!("bone{i}"),
        role: None,
        ..joint.clone()
    });
    let nameless = Skeleton::new(nameless.collect(), skeleton.tips().to_vec())?;
    let guess = detect(&nameless).roles;
    let agrees =
        |role: &&Role| skeleton.joint_of(**role).is_some_and(|joint| guess.get(joint) == Some(&Some(**role)));
    Ok(Role::CORE.iter().filter(agrees).count())
}

/// All CMU files state 120 Hz, but these subjects were captured at 60 Hz.
fn rates(imports: &[(String, MotionFile)]) -> Vec<Row> {
    const AT_60_HZ: [&str; 5] = ["33_", "34_", "60_", "61_", "93_"];
    let cmu: Vec<(bool, bool)> = imports
        .iter()
        .filter(|(name, _)| name.starts_with("cmu"))
        .map(|(name, import)| {
            let file = name.rsplit('/').next().unwrap_or(name);
            let wrong = AT_60_HZ.iter().any(|subject| file.starts_with(subject));
            (wrong, import.report.codes().contains(&"conventions/rate-doubtful"))
        })
        .collect();
    let count = |wanted: (bool, bool)| cmu.iter().filter(|pair| **pair == wanted).count();
    let (found, missed, false_alarms) = (count((true, true)), count((true, false)), count((false, true)));
    let subject = format!("CMU, {} files, {} wrong; thresholds chosen on them", cmu.len(), found + missed);
    vec![
        Row::new("wrong frame rates reported", &subject, share(found, found + missed), "%")
            .against("trusting the file", 0.0)
            .aim(Aim::AtLeast(100.0)),
        Row::new("correct frame rates reported as wrong", subject, false_alarms as f64, "files")
            .aim(Aim::AtMost(0.0)),
    ]
}
