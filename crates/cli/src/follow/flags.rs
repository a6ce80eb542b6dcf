//! The flags that `follow` and `transcribe` share.

use std::path::{Path, PathBuf};

use clap::Args;
use marey::corpus::Maker;
use marey::follow::{ControlInput, ControlKind, FollowRequest, SearchMode, SegmentConstraint};
use marey::formats::file::read_file;
use marey::motion::{Observer, Report};
use marey::{Context, Error};

use crate::console::Console;
use crate::flags::{ConventionFlags, finite, hertz};

/// A corpus, a control, and how to follow it.
#[derive(Debug, Args)]
pub(crate) struct FollowFlags {
    /// The corpus, a file ending in .marey, whose takes are cut into segments
    #[arg(value_name = "CORPUS")]
    corpus: PathBuf,

    /// The control: a drawn path (.csv, .json), points, a motion file, or take:NAME for a take of the corpus
    #[arg(value_name = "CONTROL")]
    control_file: PathBuf,

    /// How the control is compared with examples: path, by the path of the hips on the floor; actor:NAME, by an actor that
    /// leads; points, by joints named after their roles
    #[arg(long, value_name = "KIND", default_value = "path")]
    control: ControlKind,

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

    /// How much longer or shorter a segment may become, in seconds
    #[arg(long, value_name = "SECS", default_value_t = FollowRequest::default().stretch_secs)]
    stretch: f64,

    /// Drop partial solutions that cost this much more than the best, in square metres; the result may not be optimal
    #[arg(long, value_name = "M2")]
    beam: Option<f64>,

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

    /// Smooth the line of a path by this many metres along it
    #[arg(long, value_name = "M", default_value_t = 0.0)]
    smooth_space: f64,

    /// Smooth the speed along a path over this many seconds
    #[arg(long, value_name = "SECS", default_value_t = 0.0)]
    smooth_time: f64,

    #[command(flatten)]
    conventions: ConventionFlags,
}

impl FollowFlags {
    pub(crate) fn control_file(&self) -> &Path {
        &self.control_file
    }

    /// Opens the corpus.
    pub(crate) fn context<'a>(
        &self,
        console: &Console,
        observer: Observer<'a>,
    ) -> Result<Context<'a>, Error> {
        Ok(console.context(Context::open(&self.corpus)?, observer))
    }

    /// Reads the control file, and returns the request and the warnings of the reader.
    pub(crate) fn request(&self, mode: SearchMode) -> Result<(FollowRequest, Report), Error> {
        let (input, report) = self.input()?;
        let request = FollowRequest {
            input,
            control: self.control.clone(),
            target: self.target.clone(),
            examples: self.examples.clone(),
            without: self.without.clone(),
            made_by: self.made_by.clone(),
            cluster_m: self.cluster,
            constraints: [&self.uses[..], &self.avoid].concat(),
            smooth_m: self.smooth_space,
            smooth_secs: self.smooth_time,
            k: self.k,
            stretch_secs: self.stretch,
            rate_hz: self.working_rate,
            whole: self.whole,
            beam: self.beam,
            mode,
            ..FollowRequest::default()
        };
        Ok((request, report))
    }

    fn input(&self) -> Result<(ControlInput, Report), Error> {
        if let Some(name) = self.control_file.to_str().and_then(|text| text.strip_prefix("take:")) {
            return Ok((ControlInput::CorpusTake(name.to_owned()), Report::default()));
        }
        let in_file = |error: Error| error.in_file(&self.control_file);
        let import =
            read_file(&self.control_file, &self.conventions.options()?).map_err(|e| in_file(e.into()))?;
        let report = import.report.clone();
        Ok((ControlInput::from_file(import).map_err(in_file)?, report))
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
