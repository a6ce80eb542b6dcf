//! The studio's panel for live performance in the adventure world: from the keyboard, a recording or a socket.

use std::net::Ipv4Addr;

use crate::{Floor, Live, Motion, MotionId, Panel, PanelRequest, StudioError, StudioResult, Work, codes};
use marey::corpus::TakeId;
use marey::formats::bvh::{self, BvhOptions};
use marey::motion::{Clip, ClipParts, Take, Vec3};
use marey::perform::{
    Feature, Geometry, KeyboardPerformer, LatestMarkers, PerformSession, Performance, Performer,
    PerformerCommand, RecordedPerformer, Recording, WorldFile,
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::realise::parse_message;

/// Frames per second of a performer whose own rate varies.
const DEFAULT_HZ: f64 = 60.0;
/// How long a performance may be, in seconds.
const LONGEST_SECS: f64 = 600.0;

/// A performance in the adventure world.
#[derive(Debug)]
pub(crate) struct PerformPanel;

/// What the page sends: where the performer comes from.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum PerformPanelRequest {
    /// Keys control a generated performer.
    Keyboard,
    /// A take of the corpus, by the page's name.
    Take(String),
    /// Lines of markers at this port of this machine.
    Port(u16),
}

impl Panel for PerformPanel {
    fn name(&self) -> &'static str {
        "perform"
    }

    fn run(&self, _: &PanelRequest<'_>, _: &Work) -> Result<Vec<StudioResult>, StudioError> {
        Err(StudioError::new(&codes::NO_PANEL, "a performance is watched while it is made"))
    }

    fn play(&self, ask: &PanelRequest<'_>, live: &mut Live) -> Result<Option<StudioResult>, StudioError> {
        let request: PerformPanelRequest = parse_message(ask.wish)?;
        live.at(0.1, "building the world")?;
        let world = WorldFile::adventure()?;
        live.at(0.5, "warming up")?;
        let mut performance = Performance::start(world, request.performer(ask, live)?)?;
        let rate_hz = performance.performer().rate_hz().unwrap_or(DEFAULT_HZ);
        live.open(&standing(performance.session(), rate_hz)?, &opening(&performance, rate_hz));
        let mut velocity_before = Vec3::ZERO;
        while let Some(words) = live.next(rate_hz) {
            // Unknown commands are ignored.
            for command in words.iter().filter_map(|word| PerformerCommand::deserialize(word).ok()) {
                performance.performer_mut().command(&command);
            }
            if !performance.step()? {
                break;
            }
            let session = performance.session();
            live.show(
                &frame_state(&performance, velocity_before, rate_hz),
                std::iter::once(session.pose().view()),
            );
            velocity_before = session.now().velocity;
            if performance.frames() as f64 >= LONGEST_SECS * rate_hz {
                break;
            }
        }
        if performance.frames() == 0 {
            return Ok(None);
        }
        let world = features(performance.session());
        let outcome = performance.finish()?;
        let finished = outcome.details.finished;
        let finished =
            finished.map_or("not yet".to_owned(), |frame| format!("after {:.1} s", frame as f64 / rate_hz));
        let performer = Take::solo("performer", outcome.details.recording.clip().clone());
        let recording = serde_json::to_vec(&outcome.details.recording).unwrap_or_default();
        Ok(Some(StudioResult {
            contacts: outcome.contacts,
            take: Take::new("hero", outcome.take.into_actors())?,
            planned: None,
            report: outcome.report,
            command: "marey perform adventure --input performer.json -o hero.bvh".into(),
            files: vec![
                ("performer.json".into(), recording),
                ("performer.bvh".into(), bvh::write(&performer, &BvhOptions::default()).0),
            ],
            notes: vec![
                ("changes of holds and intentions".into(), outcome.details.events.len().to_string()),
                ("at the finish".into(), finished),
            ],
            beside: None,
            floor: Floor::Elsewhere,
            shows: json!({ "world": world }),
        }))
    }
}

impl PerformPanelRequest {
    fn performer(&self, ask: &PanelRequest<'_>, live: &Live) -> Result<Box<dyn Performer>, StudioError> {
        match self {
            PerformPanelRequest::Keyboard => Ok(Box::new(KeyboardPerformer::new()?)),
            PerformPanelRequest::Take(take) => {
                let MotionId::Take(number) = take.parse()? else {
                    return Err(StudioError::new(&codes::NO_MOTION, "a recording is a take of the corpus"));
                };
                let take = ask.corpus.take(TakeId(number))?;
                Ok(Box::new(RecordedPerformer::new(Recording::of_clip(take.first())?)))
            }
            PerformPanelRequest::Port(port) => {
                let markers = LatestMarkers::connect((Ipv4Addr::LOCALHOST, *port), format!("port {port}"))?;
                let waiting = || {
                    live.at(0.5, "waiting for a performer to stand before the cameras")
                        .map_err(|fault| marey::Error::new(fault.code, fault.message))
                };
                Ok(Box::new(markers.into_performer(waiting)?))
            }
        }
    }
}

/// The character before the first frame.
fn standing(session: &PerformSession, rate_hz: f64) -> Result<Motion, StudioError> {
    let mut parts = ClipParts::default();
    parts.push(session.pose().view());
    let clip = Clip::new(session.body().skeleton().clone(), rate_hz, parts)?;
    Ok(Motion { take: Take::solo("hero", clip), contacts: vec![], floor_m: 0.0 })
}

/// What a viewer needs before the first frame.
fn opening(performance: &Performance<'_>, rate_hz: f64) -> Value {
    let performer = performance.performer();
    json!({
        "rate_hz": rate_hz,
        "world": features(performance.session()),
        "activities": performer.activities(),
        "parts": performer.parts(),
    })
}

/// The features of the world, and the end of the course.
fn features(session: &PerformSession) -> Value {
    let world = session.world();
    let feature = |(number, feature): (usize, &Feature)| json!({ "name": feature.name, "like": feature.template, "geometry": session.geometry(number), "motion": feature.motion });
    let features: Vec<Value> = world.features.iter().enumerate().map(feature).collect();
    let finish =
        world.finish.map(|finish| json!({ "at": finish.at.to_array(), "radius_m": finish.radius_m }));
    json!({ "features": features, "finish": finish })
}

/// The state of a frame: the activity, the holds, and the forces on the centre of mass.
fn frame_state(performance: &Performance<'_>, velocity_before: Vec3, rate_hz: f64) -> Value {
    let session = performance.session();
    let (state, world) = (session.now(), session.world());
    let name = |feature: Option<usize>| {
        feature.and_then(|feature| world.features.get(feature)).map(|found| &found.name)
    };
    // The acceleration by all forces but gravity.
    let pressed = (state.velocity - velocity_before) * rate_hz as f32 + Vec3::Y * world.gravity_mps2;
    let mut ropes = Vec::new();
    for (number, feature) in world.features.iter().enumerate() {
        if matches!(feature.geometry, Geometry::Rope { .. }) {
            let mut points = Vec::new();
            session.rope_into(number, &mut points);
            ropes.push(points.iter().map(|at| at.to_array()).collect::<Vec<_>>());
        }
    }
    json!({
        "acts": performance.performer().activity().unwrap_or_default(),
        "imitates": name(state.imitates),
        "water": name(state.water),
        "holds": state.holds.map(name),
        "contacts": state.contacts.map(|at| at.map(|at| at.to_array())),
        "centre": state.centre.to_array(),
        "velocity": state.velocity.to_array(),
        "pressed": pressed.to_array(),
        "finished": state.finished,
        "ropes": ropes,
    })
}
