//! The panel of `duet`: runs freely or along a drawn path, and live runs controlled by the user.

use std::collections::VecDeque;

use marey::duet::{self, DuetCommand, DuetRequest, DuetRunSettings, InteractionKind, LiveDuet, PreparedDuet};
use marey::motion::{Actor, Clip, ClipParts, LocalPose, Take};
use marey::ops::OutOfRange;
use marey::plan::Seed;
use serde::Deserialize;
use serde_json::{Value, json};

use super::path_file::path_file;
use crate::{LiveOutput, Motion, Panel, PanelRequest, Result, StudioError, StudioResult, Work, codes};

/// Maximum number of points of a path.
const MAX_POINTS: usize = 20_000;
/// Maximum duration of a live run that is kept, in seconds.
const KEPT_SECS: f64 = 300.0;
/// Maximum number of commands that wait in the queue of a live run.
const MAX_PENDING: usize = 2;

/// The panel of `duet`.
#[derive(Debug)]
pub(super) struct DuetPanel;

/// The message of the page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DuetMessage {
    /// Identifier of the recorded take.
    take: String,
    seed: u64,
    temperature: f64,
    /// Duration in seconds, unless the run is live.
    #[serde(default)]
    secs: Option<f64>,
    /// Index of the person who follows the path or is controlled.
    #[serde(default)]
    person: usize,
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
    /// Sets the position that the person moves to; null removes it.
    Target(Option<[f32; 2]>),
}

impl Panel for DuetPanel {
    fn name(&self) -> &'static str {
        "duet"
    }

    fn run(&self, request: &PanelRequest<'_>, work: &Work) -> Result<Vec<StudioResult>> {
        let message: DuetMessage = request.parse()?;
        let verb = message.to_request(request)?;
        let outcome = request.run_verb(work, |context| duet::run(&verb, context))?;
        let (result, details) = StudioResult::from_outcome(outcome);
        Ok(vec![StudioResult {
            command: command(request, &verb),
            files: message.path.iter().map(|path| path_file(&path.points, path.rate_hz)).collect(),
            notes: vec![
                ("movements", details.movements.len().to_string()),
                ("attacks", details.attacks().to_string()),
                ("groups", details.groups.map(|count| count.to_string()).join(", ")),
            ],
            ..result
        }])
    }

    fn play(&self, request: &PanelRequest<'_>, live: &mut LiveOutput) -> Result<Option<StudioResult>> {
        let message: DuetMessage = request.parse()?;
        let verb = message.to_request(request)?;
        let prepared =
            request.run_verb(live.work(), |context| duet::prepare(&verb.model, &verb.train_on, context))?;
        let mut session = LiveDuet::new(&prepared.duet, &verb.settings, Seed(verb.seed))?;
        let person = message.person.min(1);
        let rate_hz = prepared.duet.rate_hz();
        let first = session.advance()?.map(|pose| pose.to_owned());
        let take = take_from_poses(&prepared, &verb.name, [&first].into_iter())?;
        let about = json!({ "rate_hz": rate_hz, "person": person, "groups": groups(&prepared, person) });
        live.open(&Motion { take, contacts: vec![], floor_m: 0.0 }, &about)?;
        let mut kept: VecDeque<[LocalPose; 2]> = VecDeque::from([first]);
        let (mut target, mut last_state) = (None, Value::Null);
        while let Some(messages) = live.next(rate_hz) {
            // Unknown messages and invalid commands are ignored.
            for message in messages.iter().filter_map(|message| LiveMessage::deserialize(message).ok()) {
                let (group, kind) = match message {
                    LiveMessage::Group(group) => (Some(group), None),
                    LiveMessage::Kind(kind) => (None, Some(kind)),
                    LiveMessage::Target(position) => {
                        target = position;
                        continue;
                    }
                };
                if session.pending_commands(person) < MAX_PENDING {
                    let _ = session.command(person, DuetCommand { group, kind, place: target });
                }
            }
            if target.is_some() && session.pending_commands(person) == 0 {
                let _ = session.command(person, DuetCommand { place: target, ..DuetCommand::default() });
            }
            let poses = session.advance()?.map(|pose| pose.to_owned());
            let state = json!({ "current": session.current(), "queued": session.pending_commands(person) });
            let change = if state == last_state { Value::Null } else { state.clone() };
            last_state = state;
            live.send(&change, poses.iter().map(LocalPose::view));
            kept.push_back(poses);
            if kept.len() as f64 > KEPT_SECS * rate_hz {
                kept.pop_front();
            }
        }
        let name = format!("{} played", verb.train_on.join(", "));
        let Motion { take, contacts, .. } =
            Motion::from_take(take_from_poses(&prepared, &name, kept.iter())?)?;
        let secs = kept.len() as f64 / rate_hz;
        // No command reproduces a live run.
        Ok(Some(StudioResult {
            notes: vec![("played", format!("{secs:.0} s"))],
            ..StudioResult::new(take, contacts)
        }))
    }
}

/// The groups of movements that the user can request of a person.
fn groups(prepared: &PreparedDuet, person: usize) -> Vec<Value> {
    let people = &prepared.duet.model().people;
    let states = people.get(person).into_iter().flat_map(|person| &person.states);
    let names = prepared.group_names.get(person).into_iter().flatten();
    let group = states.zip(names);
    group
        .map(|(state, name)| json!({ "name": name, "kind": state.kind, "movements": state.movements }))
        .collect()
}

/// Poses of both people as a take.
fn take_from_poses<'a>(
    prepared: &PreparedDuet,
    name: &str,
    poses: impl Iterator<Item = &'a [LocalPose; 2]>,
) -> Result<Take> {
    let mut parts = [ClipParts::default(), ClipParts::default()];
    for both in poses {
        parts.iter_mut().zip(both).for_each(|(parts, pose)| parts.push(pose.view()));
    }
    let people = prepared.skeletons.iter().zip(&prepared.duet.model().people);
    let actors = parts.into_iter().zip(people).map(|(parts, (skeleton, person))| {
        let clip = Clip::new(skeleton.clone(), prepared.duet.rate_hz(), parts)?;
        Ok(Actor { name: person.name.clone(), clip })
    });
    Ok(Take::new(name, actors.collect::<Result<Vec<_>>>()?)?)
}

impl DuetMessage {
    fn to_request(&self, request: &PanelRequest<'_>) -> Result<DuetRequest> {
        let info = request.take_info(&self.take)?;
        let missing = || StudioError::new(&codes::REQUEST, format!("the take has no person {}", self.person));
        let person = info.actors.get(self.person).ok_or_else(missing)?;
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
            name: format!("{} continued", info.name),
            ..default
        })
    }
}

/// The command that makes the same motion.
fn command(request: &PanelRequest<'_>, verb: &DuetRequest) -> String {
    let line = request
        .command_line("duet run")
        .option("-o", ["duet.glb"])
        .option("--train-on", &verb.train_on)
        .option("--secs", [verb.secs])
        .option("--seed", [verb.seed])
        .option("--temperature", [verb.settings.temperature]);
    if verb.path.is_empty() {
        return line.to_string();
    }
    line.option("--mode", ["path"]).option("--path", ["path.csv"]).option("--who", &verb.person).to_string()
}

impl DrawnPath {
    fn to_points(&self) -> Result<Vec<[f64; 3]>> {
        if !(2..=MAX_POINTS).contains(&self.points.len()) {
            return Err(StudioError::new(&codes::REQUEST, format!("a path has 2 to {MAX_POINTS} points")));
        }
        OutOfRange::check("rate_hz", self.rate_hz, 1.0..=1000.0).map_err(duet::DuetError::from)?;
        let points = self.points.iter().enumerate();
        // Positions have the precision of a path file, so that the command gives the same result.
        let point = |(index, [x, z]): (usize, &[f64; 2])| {
            [index as f64 / self.rate_hz, f64::from(*x as f32), f64::from(*z as f32)]
        };
        Ok(points.map(point).collect())
    }
}
