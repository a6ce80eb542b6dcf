//! The studio's panel for live performance: the adventure world, performed from the keyboard, a recording or a socket.

use std::path::Path;

use marey::formats::bvh::{self, BvhOptions};
use marey::motion::{Clip, ClipParts, Contacts, Take, Vec3};
use marey::perform::{ADVENTURE, Feature, Geometry, Session, Settings, World};
use marey::performances::{Film, motions, seen};
use marey::studio::{Ask, Fault, Floor, Live, Made, Motion, Panel, Work, codes};
use serde::Deserialize;
use serde_json::{Value, json};

use super::performer::Performer;
use super::puppeteer::Puppeteer;
use super::realise::understood;

/// How long a performance may be, in seconds.
const LONGEST_SECS: f64 = 600.0;

/// Somebody in the adventure world.
#[derive(Debug)]
pub(super) struct PerformPanel;

/// What the page sends: where the performer comes from.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum Wish {
    /// Keys puppet one.
    Keyboard,
    /// One was recorded: a take, by the page's name.
    Take(String),
    /// One is seen live: lines of JSON at this port of this machine.
    Port(u16),
}

impl Panel for PerformPanel {
    fn name(&self) -> &'static str {
        "perform"
    }

    fn run(&self, _: &Ask<'_>, _: &Work) -> Result<Vec<Made>, Fault> {
        Err(Fault::new(&codes::NO_PANEL, "a performance is watched while it is made"))
    }

    fn play(&self, ask: &Ask<'_>, live: &mut Live) -> Result<Option<Made>, Fault> {
        let wish: Wish = understood(ask.wish)?;
        live.at(0.1, "building the world")?;
        let world = World::from_toml(ADVENTURE)?;
        let motions = motions(&world, Path::new("."))?;
        live.at(0.5, "warming up")?;
        let mut performer = match &wish {
            Wish::Keyboard => Performer::Puppet(Box::new(Puppeteer::new()?)),
            Wish::Take(take) => Performer::recorded(ask, take)?,
            Wish::Port(port) => Performer::at_port(*port, live)?,
        };
        let rate_hz = performer.rate_hz();
        let mut session = Session::new(world, &motions, performer.calibration(), Settings::default())?;
        live.open(&standing(&session, rate_hz)?, &about(&session, rate_hz, &performer));
        let mut film = Film::default();
        let mut acted = ClipParts::default();
        let mut before = Vec3::ZERO;
        while let Some(words) = live.next(rate_hz) {
            let Some((pose, closed)) = performer.next(&words, &seen(session.now())) else { break };
            session.step(pose.view(), closed, (1.0 / rate_hz) as f32);
            acted.push(pose.view());
            film.add(&session);
            live.show(&said(&session, before, rate_hz, &performer), std::iter::once(session.pose().view()));
            before = session.now().velocity;
            if film.frames() as f64 >= LONGEST_SECS * rate_hz {
                break;
            }
        }
        if film.frames() == 0 {
            return Ok(None);
        }
        let acted = Clip::new(performer.calibration().skeleton().clone(), rate_hz, acted)?;
        let went = film.moments.len();
        let finished = film
            .finished
            .map_or("not yet".to_owned(), |frame| format!("after {:.1} s", frame as f64 / rate_hz));
        let report = session.report().clone();
        let take = Take::solo("hero", film.into_clip(&session, rate_hz)?);
        Ok(Some(Made {
            contacts: vec![Contacts::default()],
            take,
            planned: None,
            report,
            command: "marey perform adventure --input performer.bvh -o hero.bvh".into(),
            files: vec![(
                "performer.bvh".into(),
                bvh::write(&Take::solo("performer", acted), &BvhOptions::default()).0,
            )],
            notes: vec![
                ("changes of holds and intentions".into(), went.to_string()),
                ("at the finish".into(), finished),
            ],
            beside: None,
            floor: Floor::Elsewhere,
            shows: json!({ "world": features(&session) }),
        }))
    }
}

/// The character before anything happens.
fn standing(session: &Session, rate_hz: f64) -> Result<Motion, Fault> {
    let mut parts = ClipParts::default();
    parts.push(session.pose().view());
    let clip = Clip::new(session.body().skeleton().clone(), rate_hz, parts)?;
    Ok(Motion { take: Take::solo("hero", clip), contacts: vec![], floor_m: 0.0 })
}

fn about(session: &Session, rate_hz: f64, performer: &Performer) -> Value {
    json!({ "rate_hz": rate_hz, "world": features(session), "activities": performer.activities(), "parts": performer.parts() })
}

/// What is in the world, and where the course ends.
fn features(session: &Session) -> Value {
    let world = session.world();
    let feature = |(number, feature): (usize, &Feature)| json!({ "name": feature.name, "like": feature.template, "geometry": session.geometry(number), "motion": feature.motion });
    let features: Vec<Value> = world.features.iter().enumerate().map(feature).collect();
    let finish =
        world.finish.map(|finish| json!({ "at": finish.at.to_array(), "radius_m": finish.radius_m }));
    json!({ "features": features, "finish": finish })
}

/// What goes on: what is meant, what is held, and what acts on the centre of mass.
fn said(session: &Session, before: Vec3, rate_hz: f64, performer: &Performer) -> Value {
    let (now, world) = (session.now(), session.world());
    let name = |feature: Option<usize>| {
        feature.and_then(|feature| world.features.get(feature)).map(|found| &found.name)
    };
    // What the world presses with, for each kilogram: all that moves the centre of mass but gravity.
    let pressed = (now.velocity - before) * rate_hz as f32 + Vec3::Y * world.gravity_mps2;
    let mut ropes = Vec::new();
    for (number, feature) in world.features.iter().enumerate() {
        if matches!(feature.geometry, Geometry::Rope { .. }) {
            let mut points = Vec::new();
            session.rope_into(number, &mut points);
            ropes.push(points.iter().map(|at| at.to_array()).collect::<Vec<_>>());
        }
    }
    json!({
        "acts": performer.acts(),
        "imitates": name(now.imitates),
        "water": name(now.water),
        "holds": now.holds.map(name),
        "contacts": now.contacts.map(|at| at.map(|at| at.to_array())),
        "centre": now.centre.to_array(),
        "velocity": now.velocity.to_array(),
        "pressed": pressed.to_array(),
        "finished": now.finished,
        "ropes": ropes,
    })
}
