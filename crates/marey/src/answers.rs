//! A control answered by a corpus, from what was given to motion: what `marey follow` and `marey transcribe` do.

use std::ops::ControlFlow;

use serde::Deserialize;

use crate::by_example::{Choice, CorpusMapping, Lead, mapping, planned, roles_of};
use crate::codes;
use crate::corpus::{Corpus, Maker};
use crate::failure::Failure;
use crate::follow::{
    AlikeBy, Control, Heard, Interpretation, Live, PathSettings, Settings, Wish, follow_explained,
    follow_watched, path_control, too_fast,
};
use crate::formats::{Content, Import};
use crate::motion::{Clip, PointClip, Report, Take};
use crate::ops::reduction::linkage;
use crate::plan::{Plan, Trace};
use crate::realise::{self, Realised, realise};
use crate::watch::Watch;

/// What is asked for, as a person says it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Question {
    /// What leads; default a path.
    pub lead: Lead,
    /// Who answers, by the name in the takes; the first who does not lead where nobody is named.
    pub target: Option<String>,
    /// Only segments that this maker cut; all where nobody is named.
    pub made_by: Option<Maker>,
    /// Takes that are left out, by name.
    pub without: Vec<String>,
    /// Keep one only of segments that are within so many metres of each other.
    pub cluster_m: Option<f32>,
    /// Segments that are wanted or unwanted at times.
    pub wishes: Vec<Wish>,
    /// Of a path: the line is smoothed by so many metres along it; default 0.
    pub smooth_m: f64,
    /// Of a path: its pace is evened out over so many seconds; default 0.
    pub smooth_secs: f64,
    /// How the control is interpreted.
    pub settings: Settings,
}

impl Default for Question {
    fn default() -> Self {
        Self {
            lead: Lead::Path,
            target: None,
            made_by: None,
            without: Vec::new(),
            cluster_m: None,
            wishes: Vec::new(),
            smooth_m: 0.0,
            smooth_secs: 0.0,
            settings: Settings::default(),
        }
    }
}

/// What was given as a control.
#[derive(Debug, Clone)]
pub enum Given {
    /// A drawn path, or markers.
    Points(PointClip),
    /// Figures.
    Take(Take),
}

impl Given {
    /// What a file holds: its points, or its first take.
    pub fn of(import: Import) -> Result<Self, Failure> {
        Ok(match &import.content {
            Content::Points(points) => Given::Points(points.clip.clone()),
            Content::Figures(_) => Given::Take(import.into_first()?.take),
        })
    }
}

/// A control as it is compared.
#[derive(Debug, Clone)]
pub struct Led {
    points: PointClip,
    compared: Control,
    /// The figure that leads, and its name, where it is one.
    leader: Option<(Clip, String)>,
}

impl Question {
    /// The points of what was given, what they are compared with, and who leads.
    pub fn led(&self, given: Given) -> Result<Led, Failure> {
        let led = |points, compared| Ok(Led { points, compared, leader: None });
        match (&self.lead, given) {
            (Lead::Path, Given::Points(path)) => {
                let settings = PathSettings {
                    smooth_m: self.smooth_m,
                    smooth_secs: self.smooth_secs,
                    ..PathSettings::default()
                };
                led(path_control(&path, &settings)?, Control::hips())
            }
            (Lead::Path, Given::Take(take)) => {
                led(Control::hips().points(&self.figure(take)?.0)?, Control::hips())
            }
            (Lead::Actor(_), Given::Take(take)) => {
                let leader = self.figure(take)?;
                let points = Control::body().points(&leader.0)?;
                Ok(Led { points, compared: Control::body(), leader: Some(leader) })
            }
            (Lead::Actor(name), Given::Points(_)) => {
                let message = format!("no actor {name:?}: points were given");
                Err(Failure::new(&codes::NO_LEADER, message))
            }
            (Lead::Points, Given::Points(points)) => {
                let roles = roles_of(points.labels()).map_err(|label| {
                    Failure::new(&codes::NOT_A_ROLE, format!("{label:?} is not the name of a role"))
                })?;
                led(points, Control::Roles(roles.into_iter().map(|role| (role, 1.0)).collect()))
            }
            (Lead::Points, Given::Take(take)) => {
                led(Control::ends().points(&self.figure(take)?.0)?, Control::ends())
            }
        }
    }

    /// The figure that is the control: the one that is named, or the first.
    fn figure(&self, take: Take) -> Result<(Clip, String), Failure> {
        let name = match &self.lead {
            Lead::Actor(name) => Some(name),
            _ => self.target.as_ref(),
        };
        let named = take.actors().iter().find(|actor| Some(&actor.name) == name);
        let actor = named.or(take.actors().first());
        let actor = actor.ok_or(crate::motion::Error::Empty { what: "a take" })?;
        Ok((actor.clip.clone(), actor.name.clone()))
    }

    /// Makes a mapping of a corpus for a control.
    pub fn asked(self, corpus: &Corpus, led: Led) -> Result<Asked, Failure> {
        self.settings.validate()?;
        let Led { points, compared, leader } = led;
        let Self { lead, target, made_by, without, cluster_m, wishes, settings, .. } = self;
        let is_path = lead == Lead::Path;
        let choice = Choice { lead, control: compared, target, maker: made_by, without };
        let mut found = mapping(corpus, &choice)?;
        if let Some(threshold_m) = cluster_m {
            let clusters = linkage::Settings { threshold_m, ..Default::default() };
            let kept = found.mapping.reduced(&clusters, AlikeBy::Both, settings.stretch_secs)?;
            found.mapping = found.mapping.with_only(&kept)?;
        }
        let mut report = Report::default();
        if is_path {
            report.absorb(too_fast(&points, &found.mapping, settings.stretch_secs));
        }
        Ok(Asked { found, control: points, settings, wishes, leader, report })
    }
}

/// What is to be interpreted, by what, and how.
#[derive(Debug)]
pub struct Asked {
    found: CorpusMapping,
    control: PointClip,
    settings: Settings,
    wishes: Vec<Wish>,
    leader: Option<(Clip, String)>,
    report: Report,
}

/// How a control is interpreted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Manner {
    /// The best of all.
    #[default]
    Best,
    /// The same, and why.
    Explained,
    /// While the control goes on, as a live partner must: never later than the longest segment.
    Live,
}

/// An answer.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The motion: who leads, where a figure does, and who answers.
    pub take: Take,
    /// Which segment is used when, where and how stretched.
    pub plan: Plan,
    /// How the control was interpreted.
    pub interpretation: Interpretation,
    /// Why, where that was asked for.
    pub trace: Option<Trace>,
    /// What was met on the way.
    pub report: Report,
}

impl Asked {
    /// What was met so far.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Answers, with somebody watching the search, frame by frame of the working rate.
    pub fn answer(self, manner: Manner, watch: Watch<'_>) -> Result<Answer, Failure> {
        let (interpretation, trace) = self.interpret(manner, watch)?;
        let leader = self.leader.as_ref().map(|(clip, name)| (clip, name.as_str()));
        let (plan, sources) = planned(&self.found, interpretation.clone(), leader)?;
        let Realised { take, report: met, .. } = realise(&plan, &sources, &realise::Settings::default())?;
        let mut report = self.report;
        report.absorb(met);
        Ok(Answer { take, plan, interpretation, trace, report })
    }

    /// What the control does when, in the words of the corpus's segments.
    pub fn transcript(&self, watch: Watch<'_>) -> Result<Vec<Heard>, Failure> {
        let (interpretation, _) = self.interpret(Manner::Best, watch)?;
        Ok(interpretation.transcript(&self.found.mapping))
    }

    fn interpret(
        &self,
        manner: Manner,
        watch: Watch<'_>,
    ) -> Result<(Interpretation, Option<Trace>), Failure> {
        let Self { found, control, settings, wishes, .. } = self;
        let told = |done: usize, frames: usize| match watch.tell("frames", done, frames) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        };
        Ok(match manner {
            Manner::Best => (follow_watched(&found.mapping, control, wishes, settings, &told)?, None),
            Manner::Explained => {
                let (interpretation, trace) =
                    follow_explained(&found.mapping, control, wishes, settings, &told)?;
                (interpretation, Some(trace))
            }
            Manner::Live => {
                let mut live = Live::new(&found.mapping, control.rate_hz(), settings)?;
                let mut pieces = Vec::new();
                for frame in 0..control.frames() {
                    watch.tell("frames", frame, control.frames())?;
                    pieces.extend(live.push(control.frame(frame))?);
                }
                pieces.extend(live.finish()?);
                let score = pieces.iter().map(|piece| piece.interpretation + piece.continuity).sum();
                let (rate_hz, frames) = (control.rate_hz(), control.frames());
                (Interpretation { rate_hz, frames, pieces, score }, None)
            }
        })
    }
}
