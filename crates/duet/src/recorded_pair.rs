//! A recording of two people.

use marey_body::BodyCapsules;
use marey_motion::{Clip, Contacts, Role, Side, Take};
use marey_ops::contacts::{self, detect};
use marey_ops::gait;

use crate::partner_contact::{PartnerContact, partner_contacts};
use crate::{DuetError, Result};

/// Two people who are within reach for more than this fraction of the time are a couple.
const COUPLE_FRACTION: f64 = 0.6;

/// One person of a recorded pair.
#[derive(Debug, Clone)]
pub struct RecordedPerson {
    /// Name of the person.
    pub name: String,
    /// The motion.
    pub clip: Clip,
    /// Contacts of heels (`LeftFoot`) and balls of the feet (`LeftToes`) with the floor.
    pub contacts: Contacts,
    /// Footfalls, in order of time.
    pub steps: Vec<gait::FootStep>,
}

impl RecordedPerson {
    /// Returns whether the heel or the ball of a foot is in contact with the floor in a frame.
    pub fn is_planted(&self, foot: Side, frame: usize) -> bool {
        [Role::LeftFoot, Role::LeftToes].into_iter().any(|role| self.contacts.touches(role.on(foot), frame))
    }
}

/// A coupled motion (equation 1 of the paper): two synchronised people and the contacts between
/// them.
#[derive(Debug, Clone)]
pub struct RecordedPair {
    /// Name of the recording.
    pub name: String,
    /// The two people, in the order of the take.
    pub people: [RecordedPerson; 2],
    /// Contacts between them, in order of time.
    pub partner_contacts: Vec<PartnerContact>,
    /// Number of frames in which a hand or foot is within reach of the partner.
    pub(crate) near_frames: usize,
}

impl RecordedPair {
    /// Creates a pair from two clips with foot contacts.
    ///
    /// Fails if rates or lengths differ, or if a skeleton lacks hips, feet, hands or head.
    pub fn new(name: impl Into<String>, people: [(String, Clip, Contacts); 2]) -> Result<Self> {
        let name = name.into();
        let [(_, one, _), (_, two, _)] = &people;
        if one.rate_hz() != two.rate_hz() || one.frames() != two.frames() {
            return Err(marey_motion::MotionError::Disagree {
                what: "rate or length",
                first: format!("the first has {} frames at {} Hz", one.frames(), one.rate_hz()),
                second: format!("the second has {} at {} Hz", two.frames(), two.rate_hz()),
            }
            .into());
        }
        for clip in [one, two] {
            for role in REQUIRED_ROLES {
                clip.skeleton().require(role)?;
            }
        }
        let shapes = [BodyCapsules::of(one.skeleton()), BodyCapsules::of(two.skeleton())];
        let (partner_contacts, near_frames) = partner_contacts([one, two], &shapes);
        let rate_hz = one.rate_hz();
        let mut recorded = Vec::with_capacity(2);
        for (name, clip, contacts) in people {
            let steps = gait::steps(&contacts, rate_hz, &short_step_settings())?;
            recorded.push(RecordedPerson { name, clip, contacts, steps });
        }
        let people = <[RecordedPerson; 2]>::try_from(recorded).map_err(|_| DuetError::People { found: 0 })?;
        Ok(Self { name, people, partner_contacts, near_frames })
    }

    /// Creates a pair from a take of two actors, and detects foot contacts.
    ///
    /// ```
    /// use marey_duet::RecordedPair;
    /// use marey_examples::taekwondo::{TaekwondoSettings, taekwondo};
    /// let settings = TaekwondoSettings { duration_secs: 10.0, rate_hz: 30.0, ..TaekwondoSettings::default() };
    /// let pair = RecordedPair::from_take(&taekwondo(&settings)?.take)?;
    /// assert_eq!(pair.people[1].name, "blue");
    /// assert_eq!(pair.frames(), 300);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_take(take: &Take) -> Result<Self> {
        let [one, two] = take.actors() else {
            return Err(DuetError::People { found: take.actors().len() });
        };
        let detect = |actor: &marey_motion::Actor| -> Result<_> {
            Ok((actor.name.clone(), actor.clip.clone(), detect_contacts(&actor.clip)?))
        };
        Self::new(take.name(), [detect(one)?, detect(two)?])
    }

    /// Returns whether the two are a couple that moves in unison: within reach of each other most
    /// of the time.
    pub fn is_couple(pairs: &[RecordedPair]) -> bool {
        let near: usize = pairs.iter().map(|pair| pair.near_frames).sum();
        let frames: usize = pairs.iter().map(RecordedPair::frames).sum();
        near as f64 > COUPLE_FRACTION * frames as f64
    }

    /// Returns the number of frames.
    pub fn frames(&self) -> usize {
        self.people[0].clip.frames()
    }

    /// Returns the frame rate.
    pub fn rate_hz(&self) -> f64 {
        self.people[0].clip.rate_hz()
    }
}

/// Detects foot contacts with the default and with finer thresholds, and returns those with more
/// footfalls. Fighters bounce and shuffle with feet that hardly leave the floor, which the default
/// thresholds miss. In captured motion, feet never rest completely, and the finer thresholds find
/// nothing.
fn detect_contacts(clip: &Clip) -> Result<Contacts> {
    let default = detect(clip, &contacts::ContactSettings::default())?.contacts;
    let fine = detect(clip, &fine_contact_settings())?.contacts;
    let steps = |contacts: &Contacts| {
        gait::steps(contacts, clip.rate_hz(), &short_step_settings()).map(|steps| steps.len())
    };
    Ok(if steps(&fine)? >= steps(&default)? { fine } else { default })
}

fn fine_contact_settings() -> contacts::ContactSettings {
    contacts::ContactSettings {
        smoothing_secs: 0.02,
        enter_speed_mps: 0.3,
        leave_speed_mps: 0.4,
        enter_height_m: 0.006,
        leave_height_m: 0.012,
        least_contact_secs: 0.06,
        least_gap_secs: 0.03,
        ..contacts::ContactSettings::default()
    }
}

/// Accepts shorter steps, for the same reason.
fn short_step_settings() -> gait::GaitSettings {
    gait::GaitSettings { least_swing_secs: 0.06, least_plant_secs: 0.06, ..gait::GaitSettings::default() }
}

/// Roles that movements are compared by.
const REQUIRED_ROLES: [Role; 6] =
    [Role::Hips, Role::LeftFoot, Role::RightFoot, Role::LeftHand, Role::RightHand, Role::Head];
