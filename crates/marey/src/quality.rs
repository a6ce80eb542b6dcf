//! Grades the takes of a corpus: good, usable or bad.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::corpus::{Corpus, TakeId, TakeInfo};
use crate::measure::card::Thresholds;
use crate::measure::judge::{ActorCard, TakeEvidence, judge_observed};
use crate::motion::{Clip, Observer, Role, Take, WorldPose};
use crate::ops::cut::SegmentLengths;
use crate::{Context, Error};

/// Which takes to grade.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct QualityRequest {
    /// Takes, by name or # and number; all takes if empty.
    pub takes: Vec<String>,
    /// Thresholds of the quality card; default 20 cm/s of foot skate and 8 cm in the floor. Captured feet slide and sink: in 15 of
    /// the 18 takes of the tuning half of CMU's walks, slower than 17 cm/s and less than 6 cm.
    pub thresholds: Thresholds,
}

impl Default for QualityRequest {
    fn default() -> Self {
        let thresholds = Thresholds {
            skate_cm_per_sec: Some(20.0),
            feet_over_examples: None,
            off_floor_pct: None,
            let_go_pct: None,
            sink_cm: Some(8.0),
            jolt_over_examples: None,
            stretch_mm: None,
            beyond_deg: None,
            hold_cm: None,
            path_cm: None,
            likeness_cm: None,
        };
        Self { takes: Vec::new(), thresholds }
    }
}

/// How well a take serves as an example.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum QualityGrade {
    /// Nothing is wrong with it.
    Good,
    /// It has flaws; most of it can be used.
    Usable,
    /// No verb can make much of it.
    Bad,
}

impl QualityGrade {
    /// Its name: `good`, `usable` or `bad`.
    pub fn name(self) -> &'static str {
        match self {
            QualityGrade::Good => "good",
            QualityGrade::Usable => "usable",
            QualityGrade::Bad => "bad",
        }
    }
}

/// The grade of a take, and why.
#[derive(Debug, Clone, Serialize)]
pub struct TakeQuality {
    /// Its id.
    pub id: TakeId,
    /// Its name.
    pub name: String,
    /// Duration, in seconds.
    pub duration_secs: f64,
    /// Time that is tagged as unusable, in seconds.
    pub unusable_secs: f64,
    /// Number of segments.
    pub segments: usize,
    /// The grade.
    pub grade: QualityGrade,
    /// What is wrong, in a few words each.
    pub reasons: Vec<String>,
    /// The quality card of each actor; none if the take cannot be read or measured.
    pub cards: Vec<ActorCard>,
}

/// A take is bad if more of it than this is unusable.
const MOST_UNUSABLE: f64 = 0.5;
/// A take is bad if the head is below the hips in more frames than this.
const MOST_UPSIDE_DOWN: f64 = 0.5;

/// Grades takes of the context's corpus, in their order. A take that cannot be read is bad.
pub fn run(request: &QualityRequest, context: &Context<'_>) -> Result<Vec<TakeQuality>, Error> {
    let corpus = context.corpus()?;
    let infos = corpus.select(&request.takes)?;
    let mut graded = Vec::with_capacity(infos.len());
    // Takes are read one after the other and measured in parallel, a few at a time.
    for some in infos.chunks(4 * rayon::current_num_threads()) {
        let done = graded.len();
        let look = || context.report("takes", done, infos.len());
        let read = |info: &TakeInfo| {
            look()?;
            Ok((blank(&corpus, info), corpus.take(info.id).map_err(Error::from)))
        };
        let read =
            some.iter().map(read).collect::<Result<Vec<(TakeQuality, Result<Take, Error>)>, Error>>()?;
        let grade =
            |(blank, take)| look().map(|()| grade(blank, take, &request.thresholds, context.observer()));
        graded.extend(read.into_par_iter().map(grade).collect::<Result<Vec<_>, Error>>()?);
    }
    Ok(graded)
}

/// What is known about a take without its motion.
fn blank(corpus: &Corpus, info: &TakeInfo) -> TakeQuality {
    let unusable = corpus.unusable(info.id).unwrap_or_default();
    let unusable_frames: usize = unusable.iter().map(ExactSizeIterator::len).sum();
    let mut reasons = Vec::new();
    if info.provenance.history.contains("doubtful") {
        reasons.push("doubtful frame rate".to_owned());
    }
    TakeQuality {
        id: info.id,
        name: info.name.clone(),
        duration_secs: info.duration_secs(),
        unusable_secs: unusable_frames as f64 / info.rate_hz,
        segments: corpus.segments_of(info.id).map_or(0, |segments| segments.len()),
        grade: QualityGrade::Good,
        reasons,
        cards: Vec::new(),
    }
}

fn grade(
    mut quality: TakeQuality,
    take: Result<Take, Error>,
    thresholds: &Thresholds,
    observer: Observer<'_>,
) -> TakeQuality {
    let take = match take {
        Ok(take) => take,
        Err(error) => {
            return TakeQuality { grade: QualityGrade::Bad, reasons: vec![error.to_string()], ..quality };
        }
    };
    let mut bad = Vec::new();
    if quality.duration_secs < SegmentLengths::default().least_secs {
        bad.push("too short for a segment".to_owned());
    }
    if quality.unusable_secs > MOST_UNUSABLE * quality.duration_secs {
        bad.push("mostly unusable frames".to_owned());
    } else if quality.unusable_secs > 0.0 {
        quality.reasons.push(format!("{:.2} s of unusable frames", quality.unusable_secs));
    }
    for actor in take.actors() {
        match upside_down(&actor.clip) {
            None => bad.push(format!("{}: not recognised as a person", actor.name)),
            Some(share) if share > MOST_UPSIDE_DOWN => bad.push(format!("{}: upside down", actor.name)),
            Some(_) => {}
        }
    }
    match judge_observed(&take, &TakeEvidence::default(), thresholds, observer) {
        Ok(cards) => quality.cards = cards,
        Err(error) => bad.push(error.to_string()),
    }
    for line in quality.cards.iter().flat_map(|card| &card.card.lines).filter(|line| !line.ok) {
        quality.reasons.push(format!("{} {:.1} {}", line.name, line.value, line.unit));
    }
    quality.grade = match (bad.is_empty(), quality.reasons.is_empty()) {
        (false, _) => QualityGrade::Bad,
        (true, false) => QualityGrade::Usable,
        (true, true) => QualityGrade::Good,
    };
    bad.append(&mut quality.reasons);
    quality.reasons = bad;
    quality
}

/// The share of frames in which the head is below the hips; `None` if there are none.
fn upside_down(clip: &Clip) -> Option<f64> {
    let [hips, head] = [Role::Hips, Role::Head].map(|role| clip.skeleton().joint_of(role));
    let (hips, head) = hips.zip(head)?;
    let mut world = WorldPose::scratch(clip.skeleton());
    let is_down = clip.poses().filter(|pose| {
        world.set(*pose);
        let height_m = |joint: usize| world.positions.get(joint).map(|position| position.y);
        height_m(head) < height_m(hips)
    });
    Some(is_down.count() as f64 / clip.frames() as f64)
}
