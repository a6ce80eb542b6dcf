//! The engines, as the package's own functions call them: settings come as JSON, and what was made goes back with its plan as JSON.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use marey::answers::{Given, Manner, Question};
use marey::bouts::{self, command, islands, put_labels};
use marey::codes;
use marey::corpus::Corpus;
use marey::crossings::{self, Crosser};
use marey::duet::{LabelSettings, ModelSettings, RunSettings};
use marey::failure::Failure;
use marey::ground::{self, Measures, way_of};
use marey::inputs;
use marey::learned::{Learned, Pose, WanderWish, WayWish, pose_clip};
use marey::making;
use marey::measure::card::Thresholds;
use marey::motion::{Report, Take, Terrain, Vec2};
use marey::pairs::Pairs;
use marey::performances::{Moment, play, recording, world};
use marey::phrases::Phrases;
use marey::plan::{Plan, Seed};
use marey::quality::{Named, Witness, judge};
use marey::realise;
use marey::traverse::Way;
use marey::tween::{StyleSettings, Tween};
use marey::variations::{self, Variations};
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::corpus::PyCorpus;
use crate::error::{from_json, raised, report_json, to_json};
use crate::points::PyPoints;
use crate::take::PyTake;
use crate::work::{Ending, run};

/// What an engine made: the motion; then, as JSON, its plan, why, what was met on the way, and what else is known of it.
type Made = (PyTake, Option<String>, Option<String>, String, String);

fn made(take: Take, plan: Option<&Plan>, report: &Report, about: impl Serialize) -> Result<Made, Failure> {
    let plan = plan.map(Plan::to_json).transpose()?;
    Ok((PyTake(take), plan, None, report_json(report), to_json(&about)?))
}

/// Something that is given as a file, a take or points.
#[derive(FromPyObject)]
pub(crate) enum Source {
    Take(PyTake),
    Points(PyPoints),
    File(PathBuf),
}

impl Source {
    /// What leads.
    pub(crate) fn given(self) -> Result<Given, Failure> {
        match self {
            Source::Take(take) => Ok(Given::Take(take.0)),
            Source::Points(points) => Ok(Given::Points(points.0)),
            Source::File(path) => Given::of(inputs::import(&path)?).map_err(|failure| failure.in_file(&path)),
        }
    }

    /// The take of a file, or the one that is given.
    fn take(self) -> Result<Take, Failure> {
        match self.given()? {
            Given::Take(take) => Ok(take),
            Given::Points(_) => Err(Failure::usage(&codes::PYTHON_VALUE, "points, where figures are wanted")),
        }
    }

    /// The points of a file, or those that are given.
    fn points(self) -> Result<marey::motion::PointClip, Failure> {
        match self.given()? {
            Given::Points(points) => Ok(points),
            Given::Take(_) => Err(Failure::new(&codes::NOT_A_PATH, "figures, where a path is wanted")),
        }
    }
}

/// Settings, with what went wrong raised.
fn settings<T: serde::de::DeserializeOwned>(py: Python<'_>, text: &str) -> PyResult<T> {
    from_json(text).map_err(|failure| raised(py, failure))
}

/// A corpus to be read, with what went wrong raised.
fn look(py: Python<'_>, corpus: &PyCorpus) -> PyResult<(Corpus, PathBuf)> {
    let opened = py.detach(|| corpus.look()).map_err(|failure| raised(py, failure))?;
    Ok((opened, corpus.file().to_owned()))
}

#[pyfunction]
pub(crate) fn follow(
    py: Python<'_>,
    corpus: &PyCorpus,
    control: Source,
    question: &str,
    manner: &str,
) -> PyResult<Made> {
    let question: Question = settings(py, question)?;
    let (corpus, file) = look(py, corpus)?;
    let manner = match manner {
        "live" => Manner::Live,
        "explained" => Manner::Explained,
        _ => Manner::Best,
    };
    run(py, None, Ending::Left, move |watch| {
        question.settings.validate()?;
        let led = question.led(control.given()?)?;
        let asked = question.asked(&corpus, led).map_err(|failure| failure.in_file(&file))?;
        let answer = asked.answer(manner, watch)?;
        let (interpretation, continuity) = answer.interpretation.parts();
        let about = json!({
            "pieces": answer.interpretation.pieces.len(),
            "score": answer.interpretation.score,
            "interpretation": interpretation,
            "continuity": continuity,
        });
        let trace = answer.trace.as_ref().map(to_json).transpose()?;
        let (take, plan, _, report, about) = made(answer.take, Some(&answer.plan), &answer.report, about)?;
        Ok((take, plan, trace, report, about))
    })
}

#[pyfunction]
pub(crate) fn transcribe(
    py: Python<'_>,
    corpus: &PyCorpus,
    control: Source,
    question: &str,
) -> PyResult<String> {
    let question: Question = settings(py, question)?;
    let (corpus, file) = look(py, corpus)?;
    run(py, None, Ending::Left, move |watch| {
        question.settings.validate()?;
        let led = question.led(control.given()?)?;
        let asked = question.asked(&corpus, led).map_err(|failure| failure.in_file(&file))?;
        to_json(&asked.transcript(watch)?)
    })
}

/// Ground: polylines in profile, or a file.
#[derive(FromPyObject)]
pub(crate) enum Ground {
    Pieces(Vec<Vec<(f32, f32)>>),
    File(PathBuf),
}

#[pyfunction]
#[pyo3(signature = (corpus, terrain, path, wish, scale_m, relief_m, progress))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword of the package's own function")]
pub(crate) fn traverse(
    py: Python<'_>,
    corpus: &PyCorpus,
    terrain: Ground,
    path: Option<Source>,
    wish: &str,
    scale_m: f32,
    relief_m: f32,
    progress: Option<Py<PyAny>>,
) -> PyResult<Made> {
    let wish: crossings::Wish = settings(py, wish)?;
    let (corpus, file) = look(py, corpus)?;
    run(py, progress, Ending::Left, move |watch| {
        let way = path.map(|path| way_of(&path.points()?)).transpose()?;
        let terrain = match terrain {
            Ground::File(path) => ground::read(&path, way.as_ref(), &Measures { scale_m, relief_m })?,
            Ground::Pieces(pieces) => {
                let line = |line: Vec<(f32, f32)>| line.into_iter().map(Vec2::from).collect();
                Terrain::new(pieces.into_iter().map(line).collect())?
            }
        };
        watch.tell("steps", 1, 3)?;
        let crosser = Crosser::of(&corpus, wish).map_err(|failure| failure.in_file(&file))?;
        watch.tell("steps", 2, 3)?;
        crossed(&crosser, &terrain, &way.unwrap_or_else(Way::straight))
    })
}

fn crossed(crosser: &Crosser, terrain: &Terrain, way: &Way) -> Result<Made, Failure> {
    let found = crosser.cross(terrain, way)?;
    let about = json!({
        "hops": found.crossed.landings.len().saturating_sub(1),
        "examples": crosser.hops(),
        "queries": found.effort.queries,
        "looked_at": found.effort.looked_at,
        "cost": found.plan.cost.total,
    });
    let trace = to_json(&found.trace)?;
    let (take, plan, _, report, about) = made(found.take, Some(&found.plan), &Report::default(), about)?;
    Ok((take, plan, Some(trace), report, about))
}

#[pyfunction]
#[pyo3(signature = (corpus, takes, label, seed, count, progress))]
pub(crate) fn duet_label(
    py: Python<'_>,
    corpus: &PyCorpus,
    takes: Vec<String>,
    label: &str,
    seed: u64,
    count: u64,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let label: LabelSettings = settings(py, label)?;
    corpus.change(py, progress, move |corpus, watch| {
        let pairs = Pairs::of_corpus(corpus, &takes)?;
        let stopped = std::sync::Mutex::new(None);
        let total = label.iterations as usize;
        let told =
            |generations: u32, _: [f64; 2]| match watch.tell("generations", generations as usize, total) {
                Ok(()) => ControlFlow::Continue(()),
                Err(failure) => {
                    if let Ok(mut stopped) = stopped.lock() {
                        *stopped = Some(failure);
                    }
                    ControlFlow::Break(())
                }
            };
        let labels = islands(&pairs, &label, Seed(seed), count, &told)?;
        // A search that was ended is thrown away: what it had found by then is chance.
        if let Ok(Some(failure)) = stopped.into_inner() {
            return Err(failure);
        }
        to_json(&put_labels(corpus, &pairs, &labels)?)
    })
}

#[pyfunction]
pub(crate) fn duet_train(
    py: Python<'_>,
    corpus: &PyCorpus,
    takes: Vec<String>,
    model: String,
    learn: &str,
) -> PyResult<String> {
    let learn: ModelSettings = settings(py, learn)?;
    corpus.change(py, None, move |corpus, _| to_json(&bouts::train(corpus, &takes, &model, &learn)?))
}

/// How a pair goes on, but for the path.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Going {
    model: String,
    secs: f64,
    seed: u64,
    who: Option<String>,
    commands: Vec<String>,
    settings: RunSettings,
}

#[pyfunction]
#[pyo3(signature = (corpus, name, path, going, progress))]
pub(crate) fn duet_run(
    py: Python<'_>,
    corpus: &PyCorpus,
    name: String,
    path: Option<Source>,
    going: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<Made> {
    let going: Going = settings(py, going)?;
    let (corpus, file) = look(py, corpus)?;
    run(py, progress, Ending::Left, move |watch| {
        let Going { model, secs, seed, who, commands, settings } = going;
        let unclear = |line: &String| Failure::usage(&codes::COMMANDS, format!("{line:?}"));
        let commands = commands.iter().map(|line| command(line).ok_or_else(|| unclear(line)));
        let wish = bouts::Wish {
            model,
            secs,
            seed,
            who,
            path: path.map(Source::points).transpose()?,
            commands: commands.collect::<Result<_, _>>()?,
            settings,
        };
        let bout = wish.run(&corpus, &name, watch).map_err(|failure| failure.in_file(&file))?;
        let about = json!({ "movements": bout.run.played.len(), "attacks": bout.attacks() });
        made(bout.take.clone(), Some(&bout.run.plan), &bout.report, about)
    })
}

/// What happened in a performance.
#[derive(Debug, Serialize)]
struct Performed {
    finished: Option<usize>,
    moments: Vec<Moment>,
}

#[pyfunction]
pub(crate) fn perform(py: Python<'_>, world_file: PathBuf, input: Source) -> PyResult<Made> {
    run(py, None, Ending::Left, move |_| {
        let (ground, motions) = world(&world_file)?;
        let recorded = match input {
            Source::File(path) => {
                recording(&inputs::import(&path)?).map_err(|error| Failure::from(error).in_file(&path))?
            }
            given => crate::session::recorded(&given.given()?)?,
        };
        let (film, session) =
            play(ground, &motions, &recorded).map_err(|error| Failure::from(error).in_file(&world_file))?;
        let mut report = recorded.report.clone();
        report.absorb(session.report().clone());
        let about = Performed { finished: film.finished, moments: film.moments.clone() };
        let clip = film.into_clip(&session, recorded.rate_hz)?;
        made(Take::solo("perform", clip), None, &report, about)
    })
}

/// What is varied: takes of a corpus, or takes.
#[pyfunction]
#[pyo3(signature = (corpus, takes, only, tags, wish, seeds, name, progress))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword of the package's own function")]
pub(crate) fn vary(
    py: Python<'_>,
    corpus: Option<&PyCorpus>,
    takes: Vec<Source>,
    only: Vec<String>,
    tags: Vec<String>,
    wish: &str,
    seeds: Vec<u64>,
    name: String,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<Made>> {
    let wish: variations::Wish = settings(py, wish)?;
    let corpus = corpus.map(|corpus| look(py, corpus)).transpose()?;
    run(py, progress, Ending::Left, move |watch| {
        let phrases = match corpus {
            Some((corpus, file)) => Phrases::of_corpus(corpus, &only, &tags)
                .map_err(|error| Failure::from(error).in_file(&file))?,
            None => Phrases::of_takes(&takes.into_iter().map(danced).collect::<Result<Vec<Take>, _>>()?)?,
        };
        let variations = Variations::of(phrases, wish)?;
        let mut all = Vec::new();
        for (number, seed) in seeds.iter().enumerate() {
            watch.tell("variations", number, seeds.len())?;
            let varied = variations.vary(Seed(*seed), &name)?;
            let statistics = variations::statistics(variations.wrapped().points().len(), &varied.chunks);
            let about = json!({ "seed": seed, "chunks": varied.chunks.len(), "statistics": statistics });
            all.push(made(varied.take, Some(&varied.plan), &varied.report, about)?);
        }
        Ok(all)
    })
}

/// A take to be varied; of a file, without a pose that was taken to calibrate, which is no part of a dance.
fn danced(source: Source) -> Result<Take, Failure> {
    match source {
        Source::File(path) => marey::variations::dance_of(&path, Default::default()).map(|(take, _)| take),
        given => given.take(),
    }
}

/// A style that was learned, to be asked any number of times.
#[pyclass(name = "Style", module = "marey._native", frozen)]
pub(crate) struct PyStyle(std::sync::Arc<Learned>);

/// A pose: a name as in `walk@120`, or a frame of a take.
#[derive(FromPyObject)]
pub(crate) enum PoseSource {
    Frame(PyTake, Option<usize>),
    Name(String),
}

impl PoseSource {
    fn pose(self, learned: &Learned, is_last: bool) -> Result<Pose, Failure> {
        match self {
            PoseSource::Name(name) => learned.pose(&name, is_last),
            PoseSource::Frame(take, frame) => {
                let clip = pose_clip(&take.0)?;
                let frame = frame.unwrap_or(if is_last { clip.frames() - 1 } else { 0 });
                Ok((clip, frame))
            }
        }
    }
}

fn between(tween: &Tween, name: &str) -> Result<Made, Failure> {
    let about = json!({
        "steps": tween.way.postures.len() - 1,
        "unlikeliness": tween.way.cost,
        "proven": tween.way.proven,
    });
    made(Take::solo(name, tween.clip.clone()), None, &Report::default(), about)
}

#[pymethods]
impl PyStyle {
    #[staticmethod]
    fn learn(py: Python<'_>, corpus: &PyCorpus, takes: Vec<String>, style: &str) -> PyResult<Self> {
        let style: StyleSettings = settings(py, style)?;
        let (corpus, file) = look(py, corpus)?;
        run(py, None, Ending::Left, move |_| {
            let learned = Learned::of(corpus, &takes, &style).map_err(|failure| failure.in_file(&file))?;
            Ok(Self(std::sync::Arc::new(learned)))
        })
    }

    fn tween(
        &self,
        py: Python<'_>,
        start: PoseSource,
        end: PoseSource,
        wish: &str,
        name: String,
    ) -> PyResult<Made> {
        let wish: WayWish = settings(py, wish)?;
        let learned = self.0.clone();
        run(py, None, Ending::Left, move |_| {
            let (from, to) = (start.pose(&learned, true)?, end.pose(&learned, false)?);
            between(&learned.way(&from, &to, &wish)?, &name)
        })
    }

    #[pyo3(signature = (start, wish, name))]
    fn wander(&self, py: Python<'_>, start: Option<PoseSource>, wish: &str, name: String) -> PyResult<Made> {
        let wish: WanderWish = settings(py, wish)?;
        let learned = self.0.clone();
        run(py, None, Ending::Left, move |_| {
            let from = match start {
                Some(start) => start.pose(&learned, false)?,
                None => learned.first_pose()?,
            };
            between(&learned.wander(&from, &wish)?, &name)
        })
    }
}

#[pyfunction]
#[pyo3(signature = (corpus, plan, passes, keeps_holds, against, name))]
pub(crate) fn realised(
    py: Python<'_>,
    corpus: &PyCorpus,
    plan: String,
    passes: &str,
    keeps_holds: bool,
    against: Option<Source>,
    name: String,
) -> PyResult<Made> {
    let passes: realise::Settings = settings(py, passes)?;
    let (corpus, _) = look(py, corpus)?;
    run(py, None, Ending::Left, move |_| {
        passes.validate().map_err(Failure::settings)?;
        let reference = against.map(Source::take).transpose()?;
        let wish = making::Wish { settings: passes, keeps_holds, reference };
        let done = making::make(corpus, &plan, &wish, &name)?;
        made(done.take, Some(&done.plan), &done.report, json!({ "cards": done.cards }))
    })
}

/// The names of what motion is judged by.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Judging {
    against: Option<PathBuf>,
    path: Option<PathBuf>,
    examples: Vec<PathBuf>,
    plan: Option<serde_json::Value>,
    truth: Option<PathBuf>,
    terrain: Option<PathBuf>,
    thresholds: Thresholds,
}

#[pyfunction]
pub(crate) fn check(py: Python<'_>, motion: Source, judging: &str) -> PyResult<String> {
    let judging: Judging = settings(py, judging)?;
    run(py, None, Ending::Left, move |_| {
        let plan = judging.plan.map(|plan| Plan::from_json(&plan.to_string())).transpose()?;
        let witness = Witness::gather(&Named {
            against: judging.against.as_deref(),
            path: judging.path.as_deref(),
            examples: &judging.examples,
            plan,
            truth: judging.truth.as_deref(),
            terrain: judging.terrain.as_deref(),
        })?;
        let (take, first) = match motion {
            Source::File(path) => uncalibrated(&path)?,
            given => (given.take()?, 0),
        };
        to_json(&judge(&take, first, &witness, &judging.thresholds)?)
    })
}

/// The first take of a file, and its first frame that is not a calibration pose.
fn uncalibrated(path: &Path) -> Result<(Take, usize), Failure> {
    let reading = inputs::import(path)?.into_first().map_err(|error| Failure::from(error).in_file(path))?;
    let calibrated = reading.detected.iter().any(|found| found.rest_frame.value);
    Ok((reading.take, usize::from(calibrated)))
}
