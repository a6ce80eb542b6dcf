//! Two people recorded together, as examples to learn from.

use marey_motion::{Clip, Contacts, Role, Side, Take};
use marey_ops::contacts::{self, detect};
use marey_ops::gait;

use crate::shape::Shape;
use crate::touch::{Touch, touches};
use crate::{Error, Result};

/// Two of whom one is within reach of the other for more than this share of the time are a couple.
const COUPLE: f64 = 0.6;

/// One of the two.
#[derive(Debug, Clone)]
pub struct Person {
    /// What they are called.
    pub name: String,
    /// Their motion.
    pub clip: Clip,
    /// When heels (`LeftFoot`) and balls of feet (`LeftToes`) stand on the floor.
    pub contacts: Contacts,
    /// Where feet come down, in time.
    pub steps: Vec<gait::Step>,
}

impl Person {
    /// Whether a foot stands in a frame: its heel or its ball.
    pub fn stands(&self, foot: Side, frame: usize) -> bool {
        [Role::LeftFoot, Role::LeftToes].into_iter().any(|role| self.contacts.touches(role.on(foot), frame))
    }
}

/// A coupled motion (equation 1 of the paper): two people on one clock, and when they touch each other.
#[derive(Debug, Clone)]
pub struct Pair {
    /// What the recording is called.
    pub name: String,
    /// The two, in the order of the take.
    pub people: [Person; 2],
    /// When they touch each other, in time.
    pub touches: Vec<Touch>,
    /// In how many frames a hand or a foot of the one is within reach of the other.
    pub(crate) near_frames: usize,
}

impl Pair {
    /// Two people with what is known of their feet. Both clips must have one rate and one length, and the roles that movements are
    /// compared by: hips, feet, hands and head.
    pub fn new(name: impl Into<String>, people: [(String, Clip, Contacts); 2]) -> Result<Self> {
        let name = name.into();
        let [(_, one, _), (_, two, _)] = &people;
        if one.rate_hz() != two.rate_hz() || one.frames() != two.frames() {
            return Err(marey_motion::Error::Disagree {
                what: "rate or length",
                first: format!("the first has {} frames at {} Hz", one.frames(), one.rate_hz()),
                second: format!("the second has {} at {} Hz", two.frames(), two.rate_hz()),
            }
            .into());
        }
        for clip in [one, two] {
            for role in NEEDED {
                clip.skeleton().require(role)?;
            }
        }
        let shapes = [Shape::of(one.skeleton()), Shape::of(two.skeleton())];
        let (touches, near_frames) = touches([one, two], &shapes);
        let rate_hz = one.rate_hz();
        let mut persons = Vec::with_capacity(2);
        for (name, clip, contacts) in people {
            let steps = gait::steps(&contacts, rate_hz, &small_steps())?;
            persons.push(Person { name, clip, contacts, steps });
        }
        let people = <[Person; 2]>::try_from(persons).map_err(|_| Error::People { found: 0 })?;
        Ok(Self { name, people, touches, near_frames })
    }

    /// A take of two, with the contacts that are seen in it.
    ///
    /// ```
    /// use marey_duet::Pair;
    /// use marey_examples::taekwondo::{TaekwondoSettings, taekwondo};
    /// let settings = TaekwondoSettings { duration_secs: 10.0, rate_hz: 30.0, ..TaekwondoSettings::default() };
    /// let pair = Pair::of_take(&taekwondo(&settings)?.take)?;
    /// assert_eq!(pair.people[1].name, "blue");
    /// assert_eq!(pair.frames(), 300);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_take(take: &Take) -> Result<Self> {
        let [one, two] = take.actors() else {
            return Err(Error::People { found: take.actors().len() });
        };
        let seen = |actor: &marey_motion::Actor| -> Result<_> {
            Ok((actor.name.clone(), actor.clip.clone(), contacts_of(&actor.clip)?))
        };
        Self::new(take.name(), [seen(one)?, seen(two)?])
    }

    /// Whether the two of some recordings are a couple, who move as one: within reach of each other for most of the time.
    pub fn are_a_couple(pairs: &[Pair]) -> bool {
        let near: usize = pairs.iter().map(|pair| pair.near_frames).sum();
        let frames: usize = pairs.iter().map(Pair::frames).sum();
        near as f64 > COUPLE * frames as f64
    }

    /// How many frames both have.
    pub fn frames(&self) -> usize {
        self.people[0].clip.frames()
    }

    /// The rate both have.
    pub fn rate_hz(&self) -> f64 {
        self.people[0].clip.rate_hz()
    }
}

/// When feet stand: by the usual bounds or by finer ones, whichever see more steps. Fighters bounce and shuffle with feet that hardly
/// leave the floor, which the usual bounds take for standing; in captured motion, whose feet never quite rest, the finer bounds see
/// nothing.
fn contacts_of(clip: &Clip) -> Result<Contacts> {
    let usual = detect(clip, &contacts::Settings::default())?.contacts;
    let fine = detect(clip, &footwork())?.contacts;
    let steps =
        |contacts: &Contacts| gait::steps(contacts, clip.rate_hz(), &small_steps()).map(|steps| steps.len());
    Ok(if steps(&fine)? >= steps(&usual)? { fine } else { usual })
}

fn footwork() -> contacts::Settings {
    contacts::Settings {
        smoothing_secs: 0.02,
        enter_speed_mps: 0.3,
        leave_speed_mps: 0.4,
        enter_height_m: 0.006,
        leave_height_m: 0.012,
        least_contact_secs: 0.06,
        least_gap_secs: 0.03,
        ..contacts::Settings::default()
    }
}

/// What counts as a step, for the same reason.
fn small_steps() -> gait::Settings {
    gait::Settings { least_swing_secs: 0.06, least_plant_secs: 0.06, ..gait::Settings::default() }
}

/// What movements are compared by.
const NEEDED: [Role; 6] =
    [Role::Hips, Role::LeftFoot, Role::RightFoot, Role::LeftHand, Role::RightHand, Role::Head];
