//! A person walks about a room: starts, stops, turns, walks backwards and sideways, changes speed.
//!
//! The walk starts and ends in standing. In between it consists of episodes: straight on, along a curve, round a sharp corner, a stop, a
//! few steps backwards or sideways. The walker stays near the middle of the room. A sharp turn always has the same footwork: the outer
//! foot brakes, the inner foot opens the turn, the outer foot closes it.
//!
//! Truth: heel and ball contacts of both feet; one cut at each foot plant (as in Hsu, Gentry and Popović, *Example-Based
//! Control of Human Motion*, 2004, section 6.1); labels `stand`, `start`, `straight`, `curve left`,
//! `curve right`, `sharp left`, `sharp right`, `stop`, `backward`, `sidestep left`, `sidestep right`, which cover every frame
//! once. [`drawn_path`] is the path of a walk as a user would draw it.

mod drawn_path;
mod route;
mod settings;
mod truth;

pub use drawn_path::{DrawnPath, drawn_path};
use marey_motion::Take;
use rand_chacha::ChaCha8Rng;
pub use settings::WalkSettings;

use crate::figure::Figure;
use crate::gait::{Footsteps, Performer};
use crate::random::rng_stream;
use crate::{Example, Result, sensor};

/// The random streams. They are independent, so that noise does not change a footstep, for example.
#[derive(Clone, Copy)]
enum RandomStream {
    Route,
    Performance,
    Sensor,
}

impl RandomStream {
    fn rng(self, seed: u64) -> ChaCha8Rng {
        rng_stream(seed, self as u64)
    }
}

/// Generates a walk.
///
/// ```
/// use marey_examples::walk::{WalkSettings, walk};
/// use marey_motion::Role;
/// let settings = WalkSettings { duration_secs: 8.0, ..WalkSettings::default() };
/// let example = walk(&settings)?;
/// assert_eq!(example.take.frames(), 8 * 60);
/// // It starts in standing: both heels are down.
/// let contacts = example.truth.contacts().unwrap();
/// assert!(contacts.touches(Role::LeftFoot, 0) && contacts.touches(Role::RightFoot, 0));
/// // One cut for each foot plant.
/// let lefts = example.truth.cuts().iter().filter(|cut| cut.name == "LeftFoot").count();
/// assert_eq!(lefts + 1, contacts.of(Role::LeftFoot).count());
/// # Ok::<(), marey_examples::ExamplesError>(())
/// ```
pub fn walk(settings: &WalkSettings) -> Result<Example> {
    settings.validate()?;
    let figure = Figure::new(&settings.body)?;
    let steps = route::plan(settings, &mut RandomStream::Route.rng(settings.seed));
    let footsteps = Footsteps::place(&steps, &settings.style, &figure);
    let mut rng = RandomStream::Performance.rng(settings.seed);
    let performer = Performer::new(figure, &footsteps, &settings.style, settings.duration_secs, &mut rng);
    let take = Take::solo("walk", performer.record(settings.rate_hz, settings.frames())?);
    let truth = truth::of(&take, &footsteps)?;
    let take = sensor::captured_take(take, settings.noise_mm, &mut RandomStream::Sensor.rng(settings.seed))?;
    Ok(Example { take, truth })
}
