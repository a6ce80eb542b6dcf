//! What `follow` and `transcribe` have in common: a corpus, a control, and how the one is interpreted by the other.

use std::path::{Path, PathBuf};

use clap::Args;
use marey::answers::{Asked, Given, Question};
use marey::by_example::Lead;
use marey::corpus::{Corpus, Maker};
use marey::follow::{Settings, Wish};
use marey::formats::ReadOptions;
use marey::formats::file::read_file;
use marey::motion::Report;

use crate::failure::Failure;
use crate::flags::{ConventionFlags, finite, hertz};

/// A corpus, a control, and how the one is interpreted by the other.
#[derive(Debug, Args)]
pub(crate) struct FollowFlags {
    /// The corpus, a file ending in .marey, whose takes are cut into segments
    #[arg(value_name = "CORPUS")]
    corpus: PathBuf,

    /// The control: a drawn path (.csv, .json), points, or a motion file
    #[arg(value_name = "CONTROL")]
    control: PathBuf,

    /// What leads: path, the way of hips over the floor; actor:NAME, another actor of the same take; points, joints by
    /// the names of their roles
    #[arg(long = "control", value_name = "WHAT", default_value = "path")]
    lead: Lead,

    /// Who answers, by the name in the takes [default: the first who does not lead]
    #[arg(long, value_name = "NAME")]
    target: Option<String>,

    /// Only segments that this maker cut: person, or method NAME
    #[arg(long, value_name = "MAKER")]
    made_by: Option<Maker>,

    /// Leave a take out
    #[arg(long, value_name = "TAKE")]
    without: Vec<String>,

    /// How much continuity of the answer weighs against interpretation of the control
    #[arg(long, value_name = "K", default_value_t = Settings::default().k)]
    k: f64,

    /// The rate at which motions are compared, in frames a second
    #[arg(long, value_name = "HZ", default_value_t = Settings::default().rate_hz, value_parser = hertz)]
    working_rate: f64,

    /// How much longer or shorter a segment may become, in seconds
    #[arg(long, value_name = "SECS", default_value_t = Settings::default().stretch_secs)]
    stretch: f64,

    /// Leave out ways that cost so much more than the best, in square metres; the answer may not be the best then
    #[arg(long, value_name = "M2")]
    beam: Option<f64>,

    /// Keep one only of segments that are within so many metres of each other
    #[arg(long, value_name = "M", value_parser = finite)]
    cluster: Option<f32>,

    /// The first and the last segment are whole; the control must have such a length
    #[arg(long)]
    whole: bool,

    /// Use this segment at this time, in seconds: its number, as `marey transcribe --json` tells it with the same flags
    #[arg(long = "use", value_name = "N@SECS", value_parser = wanted)]
    uses: Vec<Wish>,

    /// Do not use this segment from one time to another
    #[arg(long, value_name = "N@SECS-SECS", value_parser = unwanted)]
    avoid: Vec<Wish>,

    /// A path: smooth the line, by so many metres along it
    #[arg(long, value_name = "M", default_value_t = 0.0)]
    smooth_space: f64,

    /// A path: even out the pace, over so many seconds
    #[arg(long, value_name = "SECS", default_value_t = 0.0)]
    smooth_time: f64,

    #[command(flatten)]
    conventions: ConventionFlags,
}

impl FollowFlags {
    pub(crate) fn control_file(&self) -> &Path {
        &self.control
    }

    /// Reads the control, opens the corpus and makes a mapping of it; and what was met in reading.
    pub(crate) fn asked(&self) -> Result<(Asked, Report), Failure> {
        let options: ReadOptions = self.conventions.options()?;
        let import = read_file(&self.control, &options).map_err(|error| self.about_control(error))?;
        let mut report = import.report.clone();
        let question = self.question();
        question.settings.validate()?;
        let given = Given::of(import).map_err(|failure| self.about_control(failure))?;
        let led = question.led(given).map_err(|failure| self.about_control(failure))?;
        let corpus = Corpus::open_read_only(&self.corpus).map_err(|error| self.about_corpus(error))?;
        let asked = question.asked(&corpus, led).map_err(|failure| self.about_corpus(failure))?;
        report.absorb(asked.report().clone());
        Ok((asked, report))
    }

    fn question(&self) -> Question {
        let settings = Settings {
            rate_hz: self.working_rate,
            k: self.k,
            stretch_secs: self.stretch,
            free_start: !self.whole,
            free_end: !self.whole,
            beam: self.beam,
            ..Settings::default()
        };
        Question {
            lead: self.lead.clone(),
            target: self.target.clone(),
            made_by: self.made_by.clone(),
            without: self.without.clone(),
            cluster_m: self.cluster,
            wishes: [&self.uses[..], &self.avoid].concat(),
            smooth_m: self.smooth_space,
            smooth_secs: self.smooth_time,
            settings,
        }
    }

    fn about_control(&self, error: impl Into<Failure>) -> Failure {
        error.into().in_file(&self.control)
    }

    fn about_corpus(&self, error: impl Into<Failure>) -> Failure {
        error.into().in_file(&self.corpus)
    }
}

/// `12@3.5`: segment 12 at 3.5 s.
fn wanted(text: &str) -> Result<Wish, String> {
    let wish = || {
        let (instance, secs) = text.split_once('@')?;
        Some(Wish::Use { instance: instance.parse().ok()?, at_secs: secs.parse().ok()? })
    };
    wish().ok_or_else(|| "not a segment's number, @ and a time, as in 12@3.5".into())
}

/// `12@3-4.5`: not segment 12 from 3 to 4.5 s.
fn unwanted(text: &str) -> Result<Wish, String> {
    let wish = || {
        let (instance, secs) = text.split_once('@')?;
        let (from, until) = secs.split_once('-')?;
        let (from_secs, until_secs) = (from.parse().ok()?, until.parse().ok()?);
        Some(Wish::Avoid { instance: instance.parse().ok()?, from_secs, until_secs })
    };
    wish().ok_or_else(|| "not a segment's number, @, a time, - and a time, as in 12@3-4.5".into())
}
