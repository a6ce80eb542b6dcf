//! The panel of `duet`: runs freely or along a drawn path, and live runs controlled by the user.

use std::collections::VecDeque;
use std::fmt::Write as _;

use marey::corpus::TakeId;
use marey::duet::{self, DuetCommand, DuetRequest, DuetRunSettings, InteractionKind, LiveDuet, PreparedDuet};
use marey::motion::{Actor, Clip, ClipParts, LocalPose, Observer, Report, Take};
use marey::ops::OutOfRange;
use marey::plan::Seed;
use serde::Deserialize;
use serde_json::{Value, json};

use super::drawn::table;
use super::realise::parse_message;
use crate::{
    Floor, Live, Motion, MotionId, Panel, PanelRequest, Planned, StudioError, StudioResult, Work, codes,
    quoted,
};

/// Maximum number of points of a path.
const MAX_POINTS: usize = 20_000;
/// Maximum duration of a live run that is kept, in seconds.
const KEPT_SECS: f64 = 300.0;
/// Maximum number of commands that wait in the queue of a live run.
const MAX_PENDING: usize = 2;

/// The panel of `duet`.
#[derive(Debug)]
pub(super) struct DuetPanel;

/// The request that the page sends.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DuetPanelRequest {
    /// The page's name of the recorded take.
    take: String,
    seed: u64,
    temperature: f64,
    /// Duration in seconds, unless the run is live.
    #[serde(default)]
    secs: Option<f64>,
    /// Index of the person who follows the path or is controlled.
    #[serde(default)]
    who: usize,
    #[serde(default)]
    path: Option<DrawnPath>,
}

/// Points on the floor, as x and z, at a rate.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DrawnPath {
    points: Vec<[f64; 2]>,
    rate_hz: f64,
}

/// A message of the page during a live run.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum LiveMessage {
    /// Requests a movement of this group.
    Group(usize),
    /// Requests a movement of this kind.
    Kind(InteractionKind),
    /// Sets the position to go to; null removes it.
    Place(Option<[f32; 2]>),
}

impl Panel for DuetPanel {
    fn name(&self) -> &'static str {
        "duet"
    }

    fn run(&self, ask: &PanelRequest<'_>, work: &Work) -> Result<Vec<StudioResult>, StudioError> {
        let sent: DuetPanelRequest = parse_message(ask.wish)?;
        let request = sent.to_request(ask)?;
        let observe = |progress| work.observe(progress);
        let outcome = duet::run(&request, &ask.context(Observer::new(&observe))?)?;
        let details = &outcome.details;
        Ok(vec![StudioResult {
            command: sent.command(ask, &request),
            files: sent
                .path
                .iter()
                .map(|path| ("path.csv".to_owned(), table(&path.points, path.rate_hz).into_bytes()))
                .collect(),
            notes: vec![
                ("movements".into(), details.movements.len().to_string()),
                ("attacks".into(), details.attacks().to_string()),
                ("groups".into(), details.groups.map(|count| count.to_string()).join(", ")),
            ],
            take: outcome.take,
            contacts: outcome.contacts,
            report: outcome.report,
            beside: None,
            floor: Floor::Level,
            shows: Value::Null,
            planned: outcome.plan.map(|plan| Planned { plan, trace: outcome.trace }),
        }])
    }

    fn play(&self, ask: &PanelRequest<'_>, live: &mut Live) -> Result<Option<StudioResult>, StudioError> {
        let sent: DuetPanelRequest = parse_message(ask.wish)?;
        let request = sent.to_request(ask)?;
        let prepared = {
            let observe = |progress| live.observe(progress);
            duet::prepare(&request.model, &request.train_on, &ask.context(Observer::new(&observe))?)?
        };
        let mut session = LiveDuet::new(&prepared.duet, &request.settings, Seed(request.seed))?;
        let person = sent.who.min(1);
        let people = &prepared.duet.model().people;
        let states = people.get(person).into_iter().flat_map(|person| &person.states);
        let names = prepared.group_names.get(person).into_iter().flatten();
        let groups: Vec<Value> = states
            .zip(names)
            .map(|(state, name)| json!({ "name": name, "kind": state.kind, "movements": state.movements }))
            .collect();
        let rate_hz = prepared.duet.rate_hz();
        let first = session.advance()?.map(|pose| pose.to_owned());
        let figures = Motion {
            take: take_of(&prepared, &request.name, [&first].into_iter())?,
            contacts: vec![],
            floor_m: 0.0,
        };
        live.open(&figures, &json!({ "rate_hz": rate_hz, "who": person, "groups": groups }));
        let mut kept: VecDeque<[LocalPose; 2]> = VecDeque::from([first]);
        let (mut place, mut last_state) = (None, Value::Null);
        while let Some(messages) = live.next(rate_hz) {
            for message in messages {
                let (group, kind) = match LiveMessage::deserialize(&message) {
                    Ok(LiveMessage::Group(group)) => (Some(group), None),
                    Ok(LiveMessage::Kind(kind)) => (None, Some(kind)),
                    Ok(LiveMessage::Place(position)) => {
                        place = position;
                        continue;
                    }
                    // Unknown messages are ignored.
                    Err(_) => continue,
                };
                if session.pending_commands(person) < MAX_PENDING {
                    // Invalid commands are ignored too.
                    let _ = session.command(person, DuetCommand { group, kind, place });
                }
            }
            if place.is_some() && session.pending_commands(person) == 0 {
                let _ = session.command(person, DuetCommand { place, ..DuetCommand::default() });
            }
            kept.push_back(session.advance()?.map(|pose| pose.to_owned()));
            if kept.len() as f64 > KEPT_SECS * rate_hz {
                kept.pop_front();
            }
            let state = json!({ "doing": session.current(), "waiting": session.pending_commands(person) });
            let news = if state == last_state { Value::Null } else { state.clone() };
            last_state = state;
            if let Some(poses) = kept.back() {
                live.show(&news, poses.iter().map(LocalPose::view));
            }
        }
        let secs = kept.len() as f64 / rate_hz;
        let take = take_of(&prepared, &format!("{} played", request.train_on.join(", ")), kept.iter())?;
        Ok(Some(StudioResult {
            contacts: Motion::seen(take.clone())?.contacts,
            take,
            planned: None,
            report: Report::default(),
            // No command reproduces a live run.
            command: String::new(),
            files: vec![],
            notes: vec![("played".into(), format!("{secs:.0} s"))],
            beside: None,
            floor: Floor::Level,
            shows: Value::Null,
        }))
    }
}

/// Poses of both people as a take.
fn take_of<'a>(
    prepared: &PreparedDuet,
    name: &str,
    poses: impl Iterator<Item = &'a [LocalPose; 2]>,
) -> Result<Take, StudioError> {
    let mut parts = [ClipParts::default(), ClipParts::default()];
    for both in poses {
        parts.iter_mut().zip(both).for_each(|(parts, pose)| parts.push(pose.view()));
    }
    let people = prepared.skeletons.iter().zip(&prepared.duet.model().people);
    let actors = parts.into_iter().zip(people).map(|(parts, (skeleton, person))| {
        let clip = Clip::new(skeleton.clone(), prepared.duet.rate_hz(), parts)?;
        Ok(Actor { name: person.name.clone(), clip })
    });
    Ok(Take::new(name, actors.collect::<Result<Vec<_>, StudioError>>()?)?)
}

impl DuetPanelRequest {
    /// The request of the verb.
    fn to_request(&self, ask: &PanelRequest<'_>) -> Result<DuetRequest, StudioError> {
        let MotionId::Take(number) = self.take.parse()? else {
            return Err(StudioError::new(&codes::NO_MOTION, "a pair is a take of the corpus"));
        };
        let info = ask.corpus.info(TakeId(number))?;
        let missing = || StudioError::new(&codes::REQUEST, format!("the take has no person {}", self.who));
        let person = info.actors.get(self.who).ok_or_else(missing)?;
        let default = DuetRequest::default();
        let secs = self.secs.unwrap_or(default.secs);
        OutOfRange::check("secs", secs, 1.0..=600.0).map_err(duet::DuetError::from)?;
        Ok(DuetRequest {
            train_on: vec![info.name.clone()],
            secs,
            seed: self.seed,
            person: Some(person.name.clone()),
            path: self.path.as_ref().map(DrawnPath::to_points).transpose()?.unwrap_or_default(),
            settings: DuetRunSettings { temperature: self.temperature, ..default.settings },
            name: format!("{} goes on", info.name),
            ..default
        })
    }

    /// The commands that give the same result.
    fn command(&self, ask: &PanelRequest<'_>, request: &DuetRequest) -> String {
        let corpus = quoted(&ask.path.display().to_string());
        let DuetRequest { secs, seed, settings, train_on, person, path, .. } = request;
        let mut line = format!("marey duet run {corpus} -o duet.glb");
        for take in train_on {
            // Writing to a string cannot fail.
            let _ = write!(line, " --train-on {}", quoted(take));
        }
        let _ = write!(line, " --secs {secs} --seed {seed} --temperature {}", settings.temperature);
        if !path.is_empty() {
            line += " --mode path --path path.csv";
            if let Some(person) = person {
                let _ = write!(line, " --who {}", quoted(person));
            }
        }
        line
    }
}

impl DrawnPath {
    fn to_points(&self) -> Result<Vec<[f64; 3]>, StudioError> {
        if !(2..=MAX_POINTS).contains(&self.points.len()) {
            return Err(StudioError::new(&codes::REQUEST, format!("a path has 2 to {MAX_POINTS} points")));
        }
        OutOfRange::check("rate_hz", self.rate_hz, 1.0..=1000.0).map_err(duet::DuetError::from)?;
        let points = self.points.iter().enumerate();
        // Positions have the precision of a path file, so that the command gives the same result.
        let point = |(number, [x, z]): (usize, &[f64; 2])| {
            [number as f64 / self.rate_hz, f64::from(*x as f32), f64::from(*z as f32)]
        };
        Ok(points.map(point).collect())
    }
}
