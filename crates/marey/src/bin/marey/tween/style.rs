//! The style of a corpus, and poses of it: what `tween` and `wander` have in common.

use std::path::Path;

use clap::{Args, ValueEnum};
use marey::corpus::TakeInfo;
use marey::motion::Clip;
use marey::plan::SourceRef;
use marey::realise::Sources;
use marey::sources::{CorpusSources, seen};
use marey::tween::{self, Dependence, Style, StyleSettings};

use crate::check::evidence;
use crate::corpus::CorpusFlag;
use crate::failure::Failure;

/// A corpus, and how its style is learned.
#[derive(Debug, Args)]
pub(crate) struct StyleFlags {
    #[command(flatten)]
    corpus: CorpusFlag,

    /// Learn from this take only, by name or # and number; may be given again
    #[arg(long, value_name = "TAKE")]
    only: Vec<String>,

    /// Which joints depend on which
    #[arg(long, value_enum, value_name = "WHICH", default_value_t)]
    network: NetworkFlag,

    /// Postures a second at which motion is learned and searched; between them it is filled in
    #[arg(long, value_name = "HZ", default_value_t = StyleSettings::default().rate_hz)]
    working_rate: f64,
}

/// Which joints depend on which.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum NetworkFlag {
    /// Those that the motion shows to go together
    #[default]
    Learned,
    /// Each on the one it hangs from
    Body,
    /// None: joints know nothing of each other
    None,
}

/// A style, and the takes it was learned from.
pub(crate) struct Learned {
    pub(crate) style: Style,
    /// The rate of the takes.
    pub(crate) rate_hz: f64,
    sources: CorpusSources,
    /// The take and actor of each clip, and its rate.
    clips: Vec<(SourceRef, f64)>,
}

impl StyleFlags {
    /// Opens the corpus and learns.
    pub(crate) fn learn(&self) -> Result<Learned, Failure> {
        let corpus = self.corpus.look()?;
        let chosen: Result<Vec<TakeInfo>, _> = match self.only.as_slice() {
            [] => corpus.takes(),
            names => names.iter().map(|name| corpus.info(corpus.find(name)?)).collect(),
        };
        let chosen = chosen.map_err(|error| self.corpus.about(error))?;
        let sources = CorpusSources::new(corpus);
        let (mut clips, mut names): (Vec<Clip>, Vec<(SourceRef, f64)>) = (Vec::new(), Vec::new());
        for info in &chosen {
            for actor in 0..info.actors.len() {
                let source = SourceRef { take: info.name.clone(), actor };
                clips.push(sources.example(&source).map_err(|error| self.corpus.about(error))?.clip);
                names.push((source, info.rate_hz));
            }
        }
        let dependence = match self.network {
            NetworkFlag::Learned => Dependence::Learned,
            NetworkFlag::Body => Dependence::Body,
            NetworkFlag::None => Dependence::None,
        };
        let settings = StyleSettings { dependence, rate_hz: self.working_rate, ..StyleSettings::default() };
        let style = Style::learn(&clips, &settings).map_err(|error| self.corpus.about(error))?;
        let rate_hz = names.first().map_or(60.0, |(_, rate_hz)| *rate_hz);
        Ok(Learned { style, rate_hz, sources, clips: names })
    }
}

impl Learned {
    /// The pose that is meant by `TAKE@FRAME` or `FILE@FRAME`: its clip and frame. Where no frame is told, the first or the last.
    pub(crate) fn pose(&self, text: &str, is_last: bool) -> Result<(Clip, usize), Failure> {
        let (name, frame) = match text.rsplit_once('@') {
            Some((name, number)) if number.parse::<usize>().is_ok() => (name, number.parse().ok()),
            _ => (text, None),
        };
        let path = Path::new(name);
        let clip = if path.is_file() {
            let examples =
                seen(&evidence::take(path)?).map_err(|error| Failure::from(error).in_file(path))?;
            examples.into_iter().next().map(|example| example.clip)
        } else {
            Some(self.sources.example(&SourceRef { take: name.into(), actor: 0 })?.clip)
        };
        let Some(clip) = clip else { return Err(marey::motion::Error::Empty { what: "a take" }.into()) };
        let frame = frame.unwrap_or(if is_last { clip.frames() - 1 } else { 0 });
        Ok((clip, frame))
    }

    /// The first frame that was learned from.
    pub(crate) fn first_pose(&self) -> Result<(Clip, usize), Failure> {
        match self.clips.first() {
            Some((source, _)) => Ok((self.sources.example(source)?.clip, 0)),
            None => Err(marey::motion::Error::Empty { what: "a corpus" }.into()),
        }
    }

    /// What went wrong, naming the nearest posture that would do as it can be asked for.
    pub(crate) fn failure(&self, error: tween::Error) -> Failure {
        let near = match &error {
            tween::Error::NotConnected { nearest: Some((clip, frame)), .. } => {
                self.clips.get(*clip).map(|(source, rate_hz)| {
                    let frame = *frame as f64 * rate_hz / self.style.settings().rate_hz;
                    format!("; the nearest posture that can be reached is {}@{}", source.take, frame.round())
                })
            }
            _ => None,
        };
        let message = format!("{error}{}", near.unwrap_or_default());
        Failure { message, ..error.into() }
    }
}
