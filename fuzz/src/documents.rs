//! Parsers of what is not a motion file: plans, worlds, commands, frames of a live performer and shards of a corpus.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use marey::realise::RealiseRequest;
use marey::{Budget, Context};
use marey_corpus::{Corpus, Provenance, shard};
use marey_examples::walk::{WalkSettings, walk};
use marey_live::vmc::{OscPacket, VmcFrameBuilder};
use marey_live::{MarkerLines, MarkerRead};
use marey_motion::{Clip, Coded, LocalPose, Take};
use marey_perform::{Calibration, PerformSession, PerformSettings, World, built_in_motions};
use marey_plan::Plan;

/// Frames of a plan that is realised.
const MAX_FRAMES: f64 = 2000.0;

/// The walk that the plans of `fixtures/plan` use.
fn source_walk() -> Take {
    let settings = WalkSettings { duration_secs: 6.0, rate_hz: 30.0, ..WalkSettings::default() };
    Take::solo("walk", walk(&settings).expect("valid settings").take.first().clone())
}

/// A path in the temporary folder that no other process uses.
fn temporary(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("marey-fuzz-{name}-{}.marey", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

/// A corpus with that walk, open for good.
static SOURCES: LazyLock<Mutex<Context<'static>>> = LazyLock::new(|| {
    let path = temporary("plan");
    let mut corpus = Corpus::create(&path).expect("a corpus");
    corpus.add(&source_walk(), &Provenance::default()).expect("a take");
    let budget = Budget { frames: MAX_FRAMES, ..Budget::default() };
    Mutex::new(Context::with_corpus(corpus).with_budget(budget))
});

/// Reads a plan, writes it, and realises it.
pub fn read_plan(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let plan = match Plan::from_json(text) {
        Ok(plan) => plan,
        Err(error) => return assert!(!error.to_string().is_empty() && !error.code().id.is_empty()),
    };
    let written = plan.to_json().expect("a valid plan can be written");
    assert!(Plan::from_json(&written).is_ok_and(|again| again == plan), "a plan changes when it is written");
    let context = SOURCES.lock().unwrap_or_else(PoisonError::into_inner);
    let request = RealiseRequest { plan: text.to_owned(), ..RealiseRequest::default() };
    match marey::realise::run(&request, &context) {
        Ok(outcome) => {
            for actor in outcome.take.actors() {
                assert!(actor.clip.world().positions.iter().all(|position| position.is_finite()));
            }
        }
        Err(error) => assert!(!error.to_string().is_empty() && !error.code.id.is_empty()),
    }
}

/// The example motions that are built in, and a performer.
static PERFORMER: LazyLock<(BTreeMap<String, Clip>, Calibration)> = LazyLock::new(|| {
    let motions = built_in_motions().expect("built-in motions");
    let skeleton = Arc::clone(source_walk().first().skeleton());
    let rest = LocalPose::rest(&skeleton);
    (motions, Calibration::of(skeleton, [&rest]).expect("a performer at rest"))
});

/// Reads a world, and performs some frames in it.
pub fn read_world(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (motions, calibration) = &*PERFORMER;
    let session = World::from_toml(text)
        .and_then(|world| PerformSession::new(world, motions, calibration, PerformSettings::default()));
    let mut session = match session {
        Ok(session) => session,
        Err(error) => return assert!(!error.to_string().is_empty() && !error.code().id.is_empty()),
    };
    let rest = LocalPose::rest(calibration.skeleton());
    for frame in 0..20 {
        // Fingers are seen now and then.
        let closed = [(frame % 5 > 0).then_some(frame % 2 == 0), Some(frame % 3 == 0)];
        let pose = session.step(rest.view(), closed, 1.0 / 30.0);
        assert!(pose.rotations.iter().all(|rotation| rotation.is_finite()), "frame {frame}");
        assert!(pose.positions.iter().all(|position| position.is_finite()), "frame {frame}");
    }
}

/// Parses the lines of a file of commands for `duet`.
pub fn read_commands(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for line in text.lines() {
        match marey::duet::parse_command(line) {
            Ok(command) => {
                assert!(command.group.is_none() || command.kind.is_none());
                let is_finite = |place: [f32; 2]| place.iter().all(|coordinate| coordinate.is_finite());
                assert!(command.place.is_none_or(is_finite), "a place that is not finite: {line:?}");
            }
            Err(error) => assert!(!error.to_string().is_empty() && !error.code.id.is_empty()),
        }
    }
}

/// Reads frames of a live performer line by line.
pub fn read_markers(bytes: &[u8]) {
    let mut lines = MarkerLines::new(bytes, "fuzz");
    for _ in 0..=bytes.len() {
        match lines.read() {
            Ok(MarkerRead::Frame(_) | MarkerRead::Header(_)) => {}
            Ok(MarkerRead::Skipped { line, problem }) => assert!(line > 0 && !problem.is_empty()),
            Ok(MarkerRead::Pending | MarkerRead::Reconnected | MarkerRead::Dropped { .. }) => {
                unreachable!("a slice never waits, and has lines only")
            }
            Ok(MarkerRead::End) => return,
            Err(error) => panic!("a slice can be read: {error}"),
        }
    }
}

/// Reads a packet of a VMC stream twice: the second one meets what the first one left. Frames are finite and bounded, and what is not
/// valid is counted.
pub fn read_vmc(bytes: &[u8]) {
    let elements = OscPacket::new(bytes).count();
    assert!(elements <= bytes.len() / 4 + 1);
    let mut builder = VmcFrameBuilder::new().expect("the default body");
    for secs in [0.0, 0.1] {
        builder.receive(bytes, secs, |read| match read {
            MarkerRead::Frame(frame) => {
                assert!(frame.secs.is_some_and(|secs| secs.is_finite() && secs > 0.0));
                let points = frame.points.values().chain(frame.offsets.values()).chain(&frame.root);
                assert!(points.flatten().all(|number| number.is_finite()));
                for rotation in frame.rotations.values() {
                    let length: f32 = rotation.iter().map(|number| number * number).sum();
                    assert!((length - 1.0).abs() < 1e-3, "{rotation:?}");
                }
                assert!(frame.rotations.len() < 100 && frame.points.len() < 100);
            }
            MarkerRead::Dropped { count, problem } => assert!(count > 0 && !problem.is_empty()),
            other => panic!("{other:?} is not of a packet"),
        });
    }
}

/// Stores a shard in a new corpus and reads what was stored.
pub fn read_shard(bytes: &[u8]) {
    if !shard::is_whole(bytes) {
        return;
    }
    let path = temporary("shard");
    let mut corpus = Corpus::create_draft(&path).expect("a corpus");
    let coded = |error: &dyn Coded| assert!(!error.code().id.is_empty());
    match shard::store_takes(&mut corpus, bytes) {
        Ok((_, new)) => {
            if let Err(error) = shard::store_cuts(&mut corpus, bytes, &new) {
                coded(&error);
            }
            for id in new.into_iter().flatten() {
                match corpus.take(id) {
                    Ok(take) => {
                        for actor in take.actors() {
                            let world = actor.clip.world();
                            assert!(world.positions.iter().all(|position| position.is_finite()));
                        }
                    }
                    Err(error) => coded(&error),
                }
            }
        }
        Err(error) => coded(&error),
    }
    drop(corpus);
    let _ = std::fs::remove_file(&path);
}
