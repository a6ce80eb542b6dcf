//! The panel of `perform`: live performances in the adventure world, from the keyboard, a recording or a socket.

use marey::formats::bvh::{self, BvhOptions};
use marey::motion::{Clip, ClipParts, Observer, Take, Vec3};
use marey::perform::{
    Feature, Geometry, KeyboardPerformer, MarkerStream, PerformSession, Performance, Performer,
    PerformerCommand, RecordedPerformer, Recording, WorldFile,
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    Floor, LiveOutput, Motion, MotionId, Panel, PanelRequest, Result, StudioError, StudioResult, Work, codes,
};

/// Frames per second of a performer whose own rate varies.
const DEFAULT_HZ: f64 = 60.0;
/// Maximum duration of a performance, in seconds.
const MAX_SECS: f64 = 600.0;

/// The panel of `perform`.
#[derive(Debug)]
pub(super) struct PerformPanel;

/// The message of the page: the source of the performer.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum PerformMessage {
    /// Keys control a generated performer.
    Keyboard,
    /// A take of the corpus, by its identifier.
    Take(String),
    /// Lines of markers from this port of this machine.
    Port(u16),
}

impl Panel for PerformPanel {
    fn name(&self) -> &'static str {
        "perform"
    }

    fn run(&self, _: &PanelRequest<'_>, _: &Work) -> Result<Vec<StudioResult>> {
        Err(StudioError::new(&codes::NO_PANEL, "a performance runs live only"))
    }

    fn play(&self, request: &PanelRequest<'_>, live: &mut LiveOutput) -> Result<Option<StudioResult>> {
        let message: PerformMessage = request.parse()?;
        live.work().report(0.1, "building the world")?;
        let world = WorldFile::adventure()?;
        live.work().report(0.5, "preparing the performer")?;
        let mut performance = Performance::start(world, message.performer(request, live.work())?)?;
        let rate_hz = performance.performer().rate_hz().unwrap_or(DEFAULT_HZ);
        live.open(&first_frame(performance.session(), rate_hz)?, &opening(&performance, rate_hz))?;
        let mut velocity_before = Vec3::ZERO;
        while let Some(messages) = live.next(rate_hz) {
            // Unknown commands are ignored.
            for command in messages.iter().filter_map(|message| PerformerCommand::deserialize(message).ok()) {
                performance.performer_mut().command(&command);
            }
            if !performance.step()? {
                break;
            }
            let session = performance.session();
            let state = frame_state(&performance, velocity_before, rate_hz);
            live.send(&state, std::iter::once(session.pose().view()));
            velocity_before = session.state().velocity;
            if performance.frames() as f64 >= MAX_SECS * rate_hz {
                break;
            }
        }
        if performance.frames() == 0 {
            return Ok(None);
        }
        let overlay = json!({ "world": features(performance.session()) });
        let (mut result, details) = StudioResult::from_outcome(performance.finish()?);
        result.rename("hero")?;
        let finished = details.finished.map(|frame| format!("after {:.1} s", frame as f64 / rate_hz));
        let performer = Take::solo("performer", details.recording.clip()?);
        Ok(Some(StudioResult {
            command: "marey perform adventure --input performer.json -o hero.bvh".into(),
            files: vec![
                ("performer.json".into(), details.recording.to_text().into_bytes()),
                ("performer.bvh".into(), bvh::write(&performer, &BvhOptions::default()).0),
            ],
            notes: vec![
                ("changes of holds and intentions", details.events.len().to_string()),
                ("reached the finish", finished.unwrap_or("no".into())),
            ],
            floor: Floor::Unmeasured,
            overlay,
            ..result
        }))
    }
}

impl PerformMessage {
    fn performer(&self, request: &PanelRequest<'_>, work: &Work) -> Result<Box<dyn Performer>> {
        match self {
            PerformMessage::Keyboard => Ok(Box::new(KeyboardPerformer::new()?)),
            PerformMessage::Take(id) => {
                let take = request.corpus.take(id.parse::<MotionId>()?.take_id()?)?;
                Ok(Box::new(RecordedPerformer::new(Recording::of_clip(take.first())?)))
            }
            PerformMessage::Port(port) => {
                let markers = MarkerStream::connect(&format!("127.0.0.1:{port}"))?;
                let observe = |progress| work.observe(progress);
                Ok(Box::new(markers.into_sampled_performer(Observer::new(&observe))?))
            }
        }
    }
}

/// The character before the first frame.
fn first_frame(session: &PerformSession, rate_hz: f64) -> Result<Motion> {
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
    let feature = |(index, feature): (usize, &Feature)| {
        json!({
            "name": feature.name,
            "template": feature.template,
            "geometry": session.geometry(index),
            "motion": feature.motion,
        })
    };
    let features: Vec<Value> = world.features.iter().enumerate().map(feature).collect();
    let finish =
        world.finish.map(|finish| json!({ "at": finish.at.to_array(), "radius_m": finish.radius_m }));
    json!({ "features": features, "finish": finish })
}

/// The state of a frame: the activity, the holds, and the forces on the centre of mass.
fn frame_state(performance: &Performance<'_>, velocity_before: Vec3, rate_hz: f64) -> Value {
    let session = performance.session();
    let (state, world) = (session.state(), session.world());
    let name = |feature: Option<usize>| {
        feature.and_then(|feature| world.features.get(feature)).map(|found| &found.name)
    };
    // Force per mass: the acceleration by everything but gravity.
    let contact_force = (state.velocity - velocity_before) * rate_hz as f32 + Vec3::Y * world.gravity_mps2;
    let mut ropes = Vec::new();
    for (index, feature) in world.features.iter().enumerate() {
        if matches!(feature.geometry, Geometry::Rope { .. }) {
            let mut points = Vec::new();
            session.rope_into(index, &mut points);
            ropes.push(points.iter().map(|at| at.to_array()).collect::<Vec<_>>());
        }
    }
    json!({
        "activity": performance.performer().activity().unwrap_or_default(),
        "imitates": name(state.imitated_feature),
        "water": name(state.water),
        "holds": state.holds.map(name),
        "contacts": state.contacts.map(|at| at.map(|at| at.to_array())),
        "centre": state.centre.to_array(),
        "velocity": state.velocity.to_array(),
        "contact_force": contact_force.to_array(),
        "finished": state.has_finished,
        "ropes": ropes,
    })
}
