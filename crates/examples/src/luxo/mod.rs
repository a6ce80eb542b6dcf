//! A desk lamp hops over uneven ground: simulated physics, five control actions, and a planner that looks ahead.
//!
//! After section 3.1 of Lamouret and van de Panne (*Motion Synthesis By Example*, 1996): Luxo, a planar figure of three links and five
//! degrees of freedom, hops over variable terrain. Five control actions produce different hops, and a decision tree plans them by
//! simulating several hops ahead. The paper does not specify sizes and masses (`lamp`), the physical world (`world`), the numbers of the
//! actions (`action`), the control of a hop (`hop`), the ground (`course`), and the order of the search (`planner`); these are ours.
//!
//! Truth: contacts of the base, under the role of its joint, `Hips`: each starts at a landing and ends at a take-off; a cut named `hop`
//! at the start of each hop; labels with the action of each hop: `nudge`, `short hop`, `middle hop`, `long hop`, `high hop`.
//!
//! Limits: the lamp moves in the plane x = 0. It comes to rest after every hop, so no speed is carried into the next hop.

mod action;
mod course;
mod hop;
mod lamp;
mod planner;
mod settings;
mod world;

use lamp::Posture;
use marey_motion::{Clip, ClipParts, Contact, Contacts, Marker, Role, Tag, Take, Terrain};
use marey_ops::OutOfRange;
pub use settings::LuxoSettings;
use world::STEPS_HZ;

use crate::clock::Clock;
use crate::random::rng_stream;
use crate::{ActorTruth, Example, ExamplesError, Result, Truth};

/// Largest number of terrains that are tried.
const MAX_TERRAINS: u64 = 20;
/// Shortest flight, in seconds. Shorter breaks of contact are rocking after a landing.
const MIN_FLIGHT_SECS: f64 = 0.05;

/// The run of a lamp over a terrain.
#[derive(Debug, Clone, PartialEq)]
pub struct Crossing {
    /// The ground.
    pub terrain: Terrain,
    /// The motion and its truth.
    pub example: Example,
    /// Whether the lamp reached the goal; otherwise the motion ends with a fall.
    pub crossed: bool,
    /// The number of hops.
    pub hops: usize,
    /// The number of hops that the planner simulated.
    pub simulated: usize,
}

/// Generates a terrain that the lamp can cross, and its run over it.
///
/// ```
/// use marey_examples::luxo::{LuxoSettings, luxo};
/// let crossing = luxo(&LuxoSettings { length_m: 1.0, ..LuxoSettings::default() })?;
/// let clip = crossing.example.take.first();
/// assert_eq!(clip.skeleton().joints()[2].name, "upper_arm");
/// // A hop for each label, and a landing for each hop.
/// assert_eq!(crossing.example.truth.labels().len(), crossing.hops);
/// assert_eq!(crossing.example.truth.contacts().unwrap().all().len(), crossing.hops + 1);
/// # Ok::<(), marey_examples::ExamplesError>(())
/// ```
pub fn luxo(settings: &LuxoSettings) -> Result<Crossing> {
    settings.validate()?;
    for attempt in 0..MAX_TERRAINS {
        let crossing = cross(&nth_terrain(settings, attempt)?, settings)?;
        if crossing.crossed {
            return Ok(crossing);
        }
    }
    Err(ExamplesError::Fell { terrains: MAX_TERRAINS })
}

/// Two example datasets: `luxo-1` on slopes and low steps, and `luxo-2` on all features, including gaps. The roughness and gaps in the
/// settings apply to the second.
pub fn datasets(settings: &LuxoSettings) -> Result<[Crossing; 2]> {
    let gentle = LuxoSettings { roughness: 0.5 * settings.roughness, gaps: false, ..settings.clone() };
    let rough = LuxoSettings { seed: settings.seed.wrapping_add(1), ..settings.clone() };
    Ok([named("luxo-1", luxo(&gentle)?)?, named("luxo-2", luxo(&rough)?)?])
}

/// The crossing with another name of its take.
fn named(name: &str, crossing: Crossing) -> Result<Crossing> {
    let Crossing { example: Example { take, truth }, .. } = crossing;
    let take = Take::new(name, take.into_actors())?;
    Ok(Crossing { example: Example { take, truth }, ..crossing })
}

/// Generates a terrain, which may be impossible to cross. It starts before 0, the lamp's initial position.
pub fn terrain(settings: &LuxoSettings) -> Result<Terrain> {
    settings.validate()?;
    nth_terrain(settings, 0)
}

fn nth_terrain(settings: &LuxoSettings, attempt: u64) -> Result<Terrain> {
    course::random_terrain(settings, &mut rng_stream(settings.seed, 2 + attempt))
}

/// Lets the lamp hop over a terrain from 0 to 0.9 m before its end, or until it falls. The terrain settings are ignored.
pub fn cross(terrain: &Terrain, settings: &LuxoSettings) -> Result<Crossing> {
    settings.validate()?;
    OutOfRange::check("terrain.start_m", terrain.start_m(), -1e4..=-2.0 * lamp::BASE_HALF_M)?;
    OutOfRange::check("terrain.end_m", terrain.end_m(), 1.0..=1e4)?;
    let goal_m = terrain.end_m() - course::RUN_OUT_M;
    let crossing = planner::cross(terrain, goal_m, settings.lookahead, &mut rng_stream(settings.seed, 0));
    let take = record(&crossing, settings.rate_hz)?;
    let truth = truth(&take, &crossing)?;
    let planner::PlannedCrossing { hops, crossed, simulated } = crossing;
    let example = Example { take, truth };
    Ok(Crossing { terrain: terrain.clone(), example, crossed, hops: hops.len(), simulated })
}

/// Interpolates the simulated postures at the frames.
fn record(crossing: &planner::PlannedCrossing, rate_hz: f64) -> Result<Take> {
    let steps: Vec<&Posture> =
        crossing.hops.iter().flat_map(|hop| &hop.steps).map(|(posture, _)| posture).collect();
    let frames = (steps.len() as f64 / STEPS_HZ * rate_hz) as usize;
    let mut parts = ClipParts::default();
    for frame in 0..frames {
        let place = frame as f64 / rate_hz * STEPS_HZ;
        let at = place as usize;
        let after = steps[(at + 1).min(steps.len() - 1)];
        let posture = steps[at].lerp(after, (place - at as f64) as f32);
        parts.rotations.extend(posture.rotations());
        parts.positions.push(posture.root());
    }
    Ok(Take::solo("luxo", Clip::new(lamp::skeleton()?, rate_hz, parts)?))
}

fn truth(take: &Take, crossing: &planner::PlannedCrossing) -> Result<Truth> {
    let clock = Clock::of(take);
    let (mut cuts, mut labels) = (Vec::new(), Vec::new());
    let mut step = 0;
    for hop in &crossing.hops {
        let begin = clock.frame_at(step as f64 / STEPS_HZ);
        step += hop.steps.len();
        let end = clock.frame_at(step as f64 / STEPS_HZ);
        cuts.push(Marker::new("hop", begin, clock.frames)?);
        labels.push(Tag::new(hop.action.name(), begin..end, clock.frames)?);
    }
    let contacts = contacts(crossing).into_iter().map(|(from_secs, until_secs)| Contact {
        role: Role::Hips,
        frames: clock.range(from_secs, until_secs),
    });
    let contacts = contacts.filter(|contact| !contact.frames.is_empty()).collect();
    let actor = ActorTruth { name: take.name().to_owned(), contacts: Contacts::new(contacts, clock.frames)? };
    Ok(Truth::of(take, vec![actor], cuts, labels))
}

/// The start and end of each ground contact of the base, in seconds.
fn contacts(crossing: &planner::PlannedCrossing) -> Vec<(f64, f64)> {
    let mut stands: Vec<(f64, f64)> = Vec::new();
    for (step, &(_, touches)) in crossing.hops.iter().flat_map(|hop| &hop.steps).enumerate() {
        let (from, until) = (step as f64 / STEPS_HZ, (step + 1) as f64 / STEPS_HZ);
        match stands.last_mut() {
            _ if !touches => {}
            Some(stand) if from - stand.1 < MIN_FLIGHT_SECS => stand.1 = until,
            _ => stands.push((from, until)),
        }
    }
    stands
}
