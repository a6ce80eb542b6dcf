//! How long each verb works between two looks at its observer: after it was cancelled, it goes on for so long at most.
//!
//! Every verb runs once, to its end, on captured takes that were just imported, and some on one long generated take, so that nothing
//! that it needs was computed before. The work between two reports, and after the last one, is counted in processor time of all
//! threads, which other load does not change. The longest is the row. It is an upper bound: the threads of a verb look each for
//! itself.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use marey::check::CheckRequest;
use marey::corpus::import::ImportRequest;
use marey::corpus::{ClusterMethodName, ClusterRequest, Corpus, Provenance};
use marey::duet::label::DuetLabelRequest;
use marey::duet::{DuetRequest, label};
use marey::follow::{ControlInput, FollowRequest};
use marey::motion::{Observer, PointClip, Progress, Take, Terrain, Vec2, Vec3};
use marey::quality::QualityRequest;
use marey::realise::RealiseRequest;
use marey::segment::{SegmentMethod, SegmentRequest};
use marey::traverse::TraverseRequest;
use marey::tween::{TweenMode, TweenRequest};
use marey::vary::VaryRequest;
use marey::wander::WanderRequest;
use marey::{Context, Error};
use marey_examples::taekwondo::{TaekwondoSettings, taekwondo};
use marey_examples::walk::{WalkSettings, walk};
use marey_formats::bvh::{self, BvhOptions};

use crate::args::Args;
use crate::row::{Aim, Row};
use crate::{BoxError, data};

const MOST_MILLIS: f64 = 100.0;
/// Processor time is counted in ticks of a hundredth of a second.
const MILLIS_PER_TICK: u64 = 10;

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    let Some(folder) = data::captured(args, "cmu") else { return Vec::new() };
    measure(&folder).unwrap_or_else(|error| {
        eprintln!("cancelling is not measured: {error}");
        Vec::new()
    })
}

fn measure(cmu: &Path) -> Result<Vec<Row>, BoxError> {
    let folder = data::scratch_folder()?.join("cancel");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    let mut rows = Vec::new();
    let walks = imported(&folder, &cmu.join("walk_styles"), &mut rows)?;
    let ground = imported(&folder, &cmu.join("uneven_terrain"), &mut rows)?;
    let names: Vec<String> = Corpus::open(&walks)?.takes()?.into_iter().map(|take| take.name).collect();
    let [first, .., last] = names.as_slice() else { return Err("too few walks".into()) };
    let couple = folder.join("couple.marey");
    Corpus::create(&couple)?.add(&taekwondo(&TaekwondoSettings::default())?.take, &Provenance::default())?;
    let mut add = |name: &str, corpus: &Path, verb: &dyn Fn(&Context<'_>) -> Result<(), Error>| {
        let work = corpus.with_extension("work.marey");
        fs::copy(corpus, &work)?;
        let context = Context::with_corpus(Corpus::open(&work)?);
        rows.push(row(name, |observer| verb(&context.observed_by(observer)))?);
        Ok::<_, BoxError>(fs::remove_file(&work)?)
    };
    let segment = SegmentRequest { by: SegmentMethod::Steps, ..SegmentRequest::default() };
    add("segment", &walks, &|context| marey::segment::run(&segment, context).map(drop))?;
    let segmented =
        |corpus: &Path| marey::segment::run(&segment, &Context::with_corpus(Corpus::open(corpus)?));
    segmented(&walks)?;
    for (name, method) in [("linkage", ClusterMethodName::Linkage), ("K-means", ClusterMethodName::Kmeans)] {
        let settings = ClusterRequest { method, ..ClusterRequest::default() }.settings()?;
        add(&format!("corpus cluster, {name}"), &walks, &|context| {
            Ok(context.corpus()?.cluster(&settings, context.observer()).map(drop)?)
        })?;
    }
    let points = (0..300).map(|frame| Some(Vec3::new(0.0, 0.0, frame as f32 * 0.04))).collect();
    let input = ControlInput::Points(PointClip::new(vec!["path".into()], 30.0, points)?);
    let follow = FollowRequest { input, ..FollowRequest::default() };
    add("follow", &walks, &|context| marey::follow::run(&follow, context).map(drop))?;
    let plan = marey::follow::run(&follow, &Context::open(&walks)?)?.plan.ok_or("no plan")?.to_json()?;
    let realise = RealiseRequest { plan, ..RealiseRequest::default() };
    add("realise", &walks, &|context| marey::realise::run(&realise, context).map(drop))?;
    let wander = WanderRequest::default();
    add("wander", &walks, &|context| marey::wander::run(&wander, context).map(drop))?;
    let vary = VaryRequest { secs: Some(20.0), ..VaryRequest::default() };
    add("vary", &walks, &|context| marey::vary::run(&vary, context).map(drop))?;
    let (from, to) = (format!("{first}@100"), format!("{last}@200"));
    for (name, mode) in [("near", TweenMode::Near), ("style", TweenMode::Style)] {
        let tween =
            TweenRequest { mode, gap_only: true, ..TweenRequest::between(from.as_str(), to.as_str()) };
        // A style need not connect two poses; the way there counts as well.
        add(&format!("tween, {name}"), &walks, &|context| match marey::tween::run(&tween, context) {
            Err(error) if error.code.id == "tween/not-connected" => Ok(()),
            done => done.map(drop),
        })?;
    }
    let report = QualityRequest::default();
    add("corpus report", &walks, &|context| marey::quality::run(&report, context).map(drop))?;
    let check = CheckRequest { clips: vec![cmu.join("walk_styles")], ..CheckRequest::default() };
    add("check", &walks, &|context| marey::check::run(&check, context).map(drop))?;
    let terrain = Terrain::new(vec![vec![Vec2::ZERO, Vec2::new(8.0, 0.0)]])?;
    let traverse = TraverseRequest { terrain, ..TraverseRequest::default() };
    add("traverse", &ground, &|context| marey::traverse::run(&traverse, context).map(drop))?;
    let labels = DuetLabelRequest::default();
    add("duet label", &couple, &|context| label::run(&labels, context).map(drop))?;
    let duet = DuetRequest::default();
    add("duet run", &couple, &|context| marey::duet::run(&duet, context).map(drop))?;
    let long = folder.join("long.marey");
    let file = folder.join("long.bvh");
    let take = long_take()?;
    fs::write(&file, bvh::write(&take, &BvhOptions::default()).0)?;
    Corpus::create(&long)?.add(&take, &Provenance::default())?;
    let other = Arc::new(take.first().skeleton().scaled(0.8)?);
    add("segment, one long take", &long, &|context| marey::segment::run(&segment, context).map(drop))?;
    add("corpus report, one long take", &long, &|context| marey::quality::run(&report, context).map(drop))?;
    let check = CheckRequest { clips: vec![file.clone()], against: Some(file), ..CheckRequest::default() };
    add("check against itself, one long take", &long, &|context| {
        marey::check::run(&check, context).map(drop)
    })?;
    add("wander on another body, one long take", &long, &|context| {
        marey::wander::run(&wander, &context.clone().with_body(other.clone())).map(drop)
    })?;
    let _ = fs::remove_dir_all(&folder);
    Ok(rows)
}

/// A walk of ten minutes at 120 Hz.
fn long_take() -> Result<Take, BoxError> {
    let settings = WalkSettings { duration_secs: 600.0, rate_hz: 120.0, ..WalkSettings::default() };
    Ok(Take::solo("long", walk(&settings)?.take.first().clone()))
}

/// A corpus of a folder.
fn imported(work: &Path, folder: &Path, rows: &mut Vec<Row>) -> Result<PathBuf, BoxError> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let path = work.join(format!("{name}.marey"));
    let mut corpus = Corpus::create(&path)?;
    let request = ImportRequest { inputs: vec![folder.to_owned()], ..ImportRequest::default() };
    rows.push(row(&format!("corpus add, {name}"), |observer| {
        Ok(corpus.import(&request, observer).map(drop)?)
    })?);
    Ok(path)
}

/// The longest work of a verb between two looks at its observer.
struct LongestWork {
    since: u64,
    stage: &'static str,
    ticks: u64,
    /// The stages before and after it.
    between: [&'static str; 2],
}

impl LongestWork {
    fn look(&mut self, stage: &'static str, now: u64) {
        if now - self.since > self.ticks {
            (self.ticks, self.between) = (now - self.since, [self.stage, stage]);
        }
        (self.since, self.stage) = (now, stage);
    }
}

fn row(name: &str, verb: impl FnOnce(Observer<'_>) -> Result<(), Error>) -> Result<Row, BoxError> {
    let since = ticks()?;
    let longest = Mutex::new(LongestWork { since, stage: "start", ticks: 0, between: ["start", "start"] });
    let observe = |progress: Progress| {
        let mut longest = longest.lock().unwrap_or_else(PoisonError::into_inner);
        let now = ticks().unwrap_or(longest.since);
        longest.look(progress.stage, now);
        ControlFlow::Continue(())
    };
    verb(Observer::new(&observe)).map_err(|error| format!("{name}: {error}"))?;
    let mut longest = longest.into_inner().unwrap_or_else(PoisonError::into_inner);
    longest.look("end", ticks()?);
    let [before, after] = longest.between;
    let subject = format!("{name}: from {before:?} to {after:?}");
    let millis = (longest.ticks * MILLIS_PER_TICK) as f64;
    let row = Row::new("cancel: longest work between two looks", subject, millis, "ms of processor time");
    Ok(row.aim(Aim::AtMost(MOST_MILLIS)).by_clock())
}

/// Processor time of this process, in ticks.
fn ticks() -> Result<u64, BoxError> {
    let text = fs::read_to_string("/proc/self/stat")?;
    // The second field is a name in parentheses; user and system time are fields 14 and 15.
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let field = |number: usize| fields.get(number - 3).and_then(|field| field.parse::<u64>().ok());
    field(14).zip(field(15)).map(|(user, system)| user + system).ok_or_else(|| "no processor time".into())
}
