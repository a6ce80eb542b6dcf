//! Performers in an empty room who imitate activities on a playground, as a motion-capture system records them.
//!
//! After Ishigaki, White, Zordan and Liu (*Performance-based Control Interface for Character Animation*, 2009): a user stands on a real
//! floor and moves as if on a bar (section 8.1), on a rope (8.2), walking (8.3), on a trampoline (8.5) or in water (8.6). Their six users
//! were 1.37 to 1.88 m tall (9.1). Here, a session is a random sequence of activities with rests in between: swinging arms on a bar,
//! climbing a rope hand over hand, walking in place with the arms, breast-stroke, jumps with and without tuck, kicks while hanging; and
//! waving, which imitates nothing.
//!
//! Truth of a stream: labels `swing`, `climb`, `walk`, `breast-stroke`, `jump`, `tuck jump`, `hang and kick`, `wave`, and
//! `stand` for the rest, each from when the arms are in position; a cut at the start of each; contacts of heels and balls with the
//! floor, and of hands (`LeftHand`) while they are closed. Noise does not change the truth.
//!
//! [`cycle`] generates the example motions Q of the paper's features: one cycle of each real activity.
//!
//! [`Adventurer`] plays a course of such features from start to finish and reacts to the character.
//!
//! Limits: the movements follow curves that were adjusted by eye. Markers drop out, but the skeleton is always complete.

mod adventurer;
mod course;
mod cycle;
mod gesture;
mod hand_path;
mod jump;
mod markers;
mod performer;
mod session;
mod settings;
mod stance;

use std::ops::Range;

pub use adventurer::{Adventurer, CharacterView};
use cycle::runs;
pub use cycle::{Cycle, cycle};
use marey_body::BodyProportions;
use marey_motion::{Contact, Contacts, Marker, PointClip, Role, Side, Tag, Take};
use performer::{Performer, PerformerState};
pub use settings::PlaygroundSettings;

use crate::clock::Clock;
use crate::figure::Figure;
use crate::random::rng_stream;
use crate::{ActorTruth, Example, Result, Truth, sensor};

/// The heights of six performers, in metres: the range of the paper's six users.
pub const HEIGHTS_M: [f32; 6] = [1.37, 1.47, 1.57, 1.67, 1.78, 1.88];

/// The captured session of a performer.
#[derive(Debug, Clone, PartialEq)]
pub struct PerformerStream {
    /// The motion of the skeleton, with the performer's intentions.
    pub example: Example,
    /// The markers: joints, bone tips and palms. A marker in a closed hand, or a lost one, is missing.
    pub markers: PointClip,
}

/// Generates the session of a performer.
///
/// ```
/// use marey_examples::playground::{PlaygroundSettings, stream};
/// let stream = stream(&PlaygroundSettings::default())?;
/// assert_eq!(stream.markers.frames(), stream.example.take.frames());
/// assert!(stream.markers.missing() > 0);
/// assert!(stream.example.truth.labels().iter().any(|label| label.name == "climb"));
/// # Ok::<(), marey_examples::ExamplesError>(())
/// ```
pub fn stream(settings: &PlaygroundSettings) -> Result<PerformerStream> {
    settings.validate()?;
    let spans = session::plan(&mut rng_stream(settings.seed, 0));
    let figure = Figure::new(&settings.body)?;
    let performer = Performer::new(figure, spans.clone(), &mut rng_stream(settings.seed, 1));
    let labels = spans.iter().map(|span| (span.activity.name(), span.secs.clone())).collect();
    let frames = (performer.duration_secs() * settings.rate_hz) as usize;
    let states: Vec<PerformerState> =
        (0..frames).map(|frame| performer.at(frame as f64 / settings.rate_hz)).collect();
    captured("playground", settings, &performer, &states, labels)
}

/// Captures a performer.
fn captured(
    name: &str,
    settings: &PlaygroundSettings,
    performer: &Performer,
    states: &[PerformerState],
    labels: Vec<(&str, Range<f64>)>,
) -> Result<PerformerStream> {
    let clip = performer.record(settings.rate_hz, states)?;
    let is_closed = |side: Side, frame: usize| states[frame].closed[side as usize];
    let markers = markers::simulate(&clip, settings, is_closed, &mut rng_stream(settings.seed, 2))?;
    let take = Take::solo(name, clip);
    let truth = truth(&take, &labels, states)?;
    let take = sensor::captured_take(take, settings.noise_mm, &mut rng_stream(settings.seed, 3))?;
    Ok(PerformerStream { example: Example { take, truth }, markers })
}

/// The sessions of six performers of different height, named `performer-1` to `performer-6`. The height in the settings is ignored.
pub fn streams(settings: &PlaygroundSettings) -> Result<Vec<PerformerStream>> {
    let performers = HEIGHTS_M.iter().enumerate().map(|(number, &height_m)| {
        let body = BodyProportions { height_m, ..settings.body };
        let seed = settings.seed.wrapping_mul(HEIGHTS_M.len() as u64).wrapping_add(number as u64);
        let PerformerStream { example: Example { take, truth }, markers } =
            stream(&PlaygroundSettings { seed, body, ..settings.clone() })?;
        let take = Take::new(format!("performer-{}", number + 1), take.into_actors())?;
        Ok(PerformerStream { example: Example { take, truth }, markers })
    });
    performers.collect()
}

fn truth(take: &Take, spans: &[(&str, Range<f64>)], states: &[PerformerState]) -> Result<Truth> {
    let clock = Clock::of(take);
    let (mut cuts, mut labels) = (Vec::new(), Vec::new());
    for (name, secs) in spans {
        let frames = clock.range(secs.start, secs.end);
        cuts.push(Marker::new(*name, frames.start, clock.frames)?);
        labels.push(Tag::new(*name, frames, clock.frames)?);
    }
    let mut contacts = Vec::new();
    for side in Side::BOTH {
        let number = side as usize;
        let touching =
            |part: usize| runs(states.iter().map(move |state| state.footings[number].touches()[part]));
        let closed = runs(states.iter().map(|state| state.closed[number]));
        let parts = [(Role::LeftFoot, touching(0)), (Role::LeftToes, touching(1)), (Role::LeftHand, closed)];
        for (role, runs) in parts {
            contacts.extend(runs.into_iter().map(|frames| Contact { role: role.on(side), frames }));
        }
    }
    let contacts = Contacts::new(contacts, clock.frames)?;
    let actor = ActorTruth { name: take.actors()[0].name.clone(), contacts };
    Ok(Truth::of(take, vec![actor], cuts, labels))
}
