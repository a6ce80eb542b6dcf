//! The flags that `follow` and `transcribe` share.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use marey::corpus::Maker;
use marey::follow::{
    ControlInput, ControlKind, ControlPoints, FollowRequest, MetricChoice, PathPace, SearchMode,
    SegmentConstraint, codes,
};
use marey::motion::Report;
use marey::{Context, Error};

use crate::console::Console;
use crate::flags::{ConventionFlags, ForceFlag, SourceFlags, finite, hertz};

/// A corpus, a control, and how to follow it.
#[derive(Debug, Args)]
pub(crate) struct FollowFlags {
    // One list, because the parser does not divide two lists that flags interrupt.
    /// First CORPUS: a corpus, a file ending in .marey, whose takes are cut into segments, or motion files: folders, patterns,
    /// files. Last, CONTROL: a path (.csv, .json, .svg), points, a motion file, or take:NAME for a take of the corpus
    #[arg(value_name = "FILES", required = true, num_args = 1..)]
    corpus_and_control: Vec<PathBuf>,

    /// How the control is compared with examples: path, by the path of the hips on the floor; actor:NAME, by the actor that
    /// leads, by name or position (actor:1); points, by joints named after their roles
    #[arg(long, value_name = "KIND", default_value = "path")]
    control: ControlKind,

    /// Which points of bodies are compared [default: hips for a path, body for an actor, ends for points]
    #[arg(long, value_enum, value_name = "SET")]
    points: Option<PointsFlag>,

    /// How differences of the control count: as learnt from the examples, or as plain distances [default: plain for a path,
    /// else learnt]
    #[arg(long, value_enum, value_name = "METRIC")]
    metric: Option<MetricFlag>,

    /// Name of the actor that follows [default: the first that does not lead]
    #[arg(long, value_name = "NAME")]
    target: Option<String>,

    /// Use this take as an example; can be repeated [default: all that have the actors]
    #[arg(long = "example", value_name = "TAKE")]
    examples: Vec<String>,

    /// Leave a take out; can be repeated
    #[arg(long, value_name = "TAKE")]
    without: Vec<String>,

    /// Use only segments cut by this maker: person, or method NAME
    #[arg(long, value_name = "MAKER")]
    made_by: Option<Maker>,

    /// Weight of continuity against interpretation of the control
    #[arg(long, value_name = "K", default_value_t = FollowRequest::default().k)]
    k: f64,

    /// Rate at which motions are compared, in frames per second
    #[arg(long, value_name = "HZ", default_value_t = FollowRequest::default().rate_hz, value_parser = hertz)]
    working_rate: f64,

    /// How much longer or shorter a segment may become, as a share of its duration
    #[arg(long, value_name = "SHARE", default_value_t = FollowRequest::default().stretch)]
    stretch: f64,

    /// What a stretch costs: a segment made 10 % longer or shorter counts like one that is a tenth of this many metres away
    #[arg(long, value_name = "M", default_value_t = FollowRequest::default().stretch_cost_m)]
    stretch_cost: f64,

    /// Compare this many segments of each duration at each frame [default: all of a small corpus, 48 of a large one]
    #[arg(long, value_name = "N")]
    candidates: Option<u32>,

    /// Keep one of each cluster of segments within this many metres
    #[arg(long, value_name = "M", value_parser = finite)]
    cluster: Option<f32>,

    /// Use whole segments at the start and the end; the control must have a suitable length
    #[arg(long)]
    whole: bool,

    /// Use this segment at this time, in seconds: its number from `marey transcribe --json` with the same flags
    #[arg(long = "use", value_name = "N@SECS", value_parser = use_constraint)]
    uses: Vec<SegmentConstraint>,

    /// Do not use this segment in this interval
    #[arg(long, value_name = "N@SECS-SECS", value_parser = avoid_constraint)]
    avoid: Vec<SegmentConstraint>,

    /// Pass a path at this speed, in metres per second [default: its own, or the usual pace of the examples]
    #[arg(long, value_name = "M/S")]
    speed: Option<f64>,

    /// Slow and round a path where it is faster or sharper than the examples
    #[arg(long)]
    fit_path: bool,

    /// What of a path is kept if the examples are slower than it: its times, or its line, which is then passed more slowly
    #[arg(long, value_enum, value_name = "WHAT", default_value = "time")]
    pace: PaceFlag,

    /// Smooth the line of a path by this many metres along it
    #[arg(long, value_name = "M", default_value_t = 0.0)]
    smooth_space: f64,

    /// Smooth the speed along a path over this many seconds
    #[arg(long, value_name = "SECS", default_value_t = 0.0)]
    smooth_time: f64,

    #[command(flatten)]
    sources: SourceFlags,

    #[command(flatten)]
    conventions: ConventionFlags,
}

impl FollowFlags {
    /// The control.
    pub(crate) fn control_file(&self) -> &Path {
        self.corpus_and_control.last().map_or(Path::new(""), PathBuf::as_path)
    }

    /// The corpus, or the files that it is made of.
    fn corpus(&self) -> &[PathBuf] {
        self.corpus_and_control.split_last().map_or(&[], |(_, corpus)| corpus)
    }

    /// Opens the corpus, or makes one.
    pub(crate) fn context(&self, force: &ForceFlag, console: &Console) -> Result<Context<'static>, Error> {
        self.sources.context(self.corpus(), self.conventions.fix_rate, force, console)
    }

    /// The error with the control file, if it concerns the length of the control or the points of a path.
    pub(crate) fn with_control(&self, error: Error) -> Error {
        let about_control = [&codes::TOO_SHORT, &codes::NO_COVER, &codes::BAD_WAYPOINT];
        if about_control.contains(&error.code) { error.in_file(self.control_file()) } else { error }
    }

    /// Reads the control file, and returns the request and the warnings of the reader.
    pub(crate) fn request(&self, mode: SearchMode) -> Result<(FollowRequest, Report), Error> {
        if self.corpus().is_empty() {
            return Err(Error::settings("expected a corpus or motion files, and then a control"));
        }
        let (input, report) = self.input()?;
        let request = FollowRequest {
            input,
            control: self.control.clone(),
            points: self.points.map(ControlPoints::from),
            metric: self.metric.map(MetricChoice::from),
            target: self.target.clone(),
            examples: self.examples.clone(),
            without: self.without.clone(),
            made_by: self.made_by.clone(),
            cluster_m: self.cluster,
            constraints: [&self.uses[..], &self.avoid].concat(),
            speed_mps: self.speed,
            fit_path: self.fit_path,
            pace: self.pace.into(),
            smooth_m: self.smooth_space,
            smooth_secs: self.smooth_time,
            k: self.k,
            stretch: self.stretch,
            stretch_cost_m: self.stretch_cost,
            rate_hz: self.working_rate,
            whole: self.whole,
            candidates: self.candidates,
            mode,
            ..FollowRequest::default()
        };
        Ok((request, report))
    }

    fn input(&self) -> Result<(ControlInput, Report), Error> {
        let control_file = self.control_file();
        if let Some(name) = control_file.to_str().and_then(|text| text.strip_prefix("take:")) {
            return Ok((ControlInput::CorpusTake(name.to_owned()), Report::default()));
        }
        ControlInput::read_file(control_file, &self.conventions.options()?)
    }
}

/// Points of a body, by name.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum PointsFlag {
    /// Hands and feet
    Ends,
    /// Hands, feet, shoulders and hips
    Body,
    /// Hip joints on the floor
    Hips,
}

impl From<PointsFlag> for ControlPoints {
    fn from(flag: PointsFlag) -> Self {
        match flag {
            PointsFlag::Ends => ControlPoints::Ends,
            PointsFlag::Body => ControlPoints::Body,
            PointsFlag::Hips => ControlPoints::Hips,
        }
    }
}

/// How differences of the control count.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum MetricFlag {
    /// As learnt from the examples, if that predicts them better
    Learnt,
    /// As plain distances of points
    Plain,
}

impl From<MetricFlag> for MetricChoice {
    fn from(flag: MetricFlag) -> Self {
        match flag {
            MetricFlag::Learnt => MetricChoice::Learnt,
            MetricFlag::Plain => MetricChoice::Plain,
        }
    }
}

/// What of a path is kept.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum PaceFlag {
    /// Its times
    Time,
    /// Its line
    Line,
}

impl From<PaceFlag> for PathPace {
    fn from(flag: PaceFlag) -> Self {
        match flag {
            PaceFlag::Time => PathPace::Time,
            PaceFlag::Line => PathPace::Line,
        }
    }
}

/// `12@3.5`: segment 12 at 3.5 s.
fn use_constraint(text: &str) -> Result<SegmentConstraint, String> {
    let parse = || {
        let (instance, secs) = text.split_once('@')?;
        Some(SegmentConstraint::Use { instance: instance.parse().ok()?, at_secs: secs.parse().ok()? })
    };
    parse().ok_or_else(|| "expected a segment's number, @ and a time, as in 12@3.5".into())
}

/// `12@3-4.5`: not segment 12 from 3 to 4.5 s.
fn avoid_constraint(text: &str) -> Result<SegmentConstraint, String> {
    let parse = || {
        let (instance, secs) = text.split_once('@')?;
        let (from, until) = secs.split_once('-')?;
        let (from_secs, until_secs) = (from.parse().ok()?, until.parse().ok()?);
        Some(SegmentConstraint::Avoid { instance: instance.parse().ok()?, from_secs, until_secs })
    };
    parse().ok_or_else(|| "expected a segment's number, @, a time, - and a time, as in 12@3-4.5".into())
}
