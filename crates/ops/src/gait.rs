//! Foot plants, steps and gait cycles, from the contacts of heels and balls.
//!
//! Hsu, Gentry and Popović, *Example-Based Control of Human Motion* (2004), section 6.1, cut walks by hand at
//! each foot plant. Here [`crate::contacts`] are used: a foot is down while its heel or ball is; a step is
//! where it comes down.
//!
//! Feet also scuff: a shoe brushes the floor during a swing, or a heel lifts and settles again. So a foot
//! that is up only briefly has not left, and a foot that is down only briefly while the other one stands has
//! not come down. The contacts of a runner are as short, but the other foot is in the air.
//!
//! Limits: a foot that drags without being lifted makes no step; one that is lifted and put down on the same
//! spot makes one. A foot that is down in the first frame makes none.

use std::ops::Range;

use marey_motion::{Contacts, Role, Side};

use crate::cut::{Cut, CutBy};
use crate::{OutOfRange, Result};

/// Settings of steps and cycles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GaitSettings {
    /// A foot that is up for less than this has not left, in seconds; default 0.12; 0 to 1. The swing of a
    /// quick step takes 0.25, of a runner 0.3.
    pub least_swing_secs: f64,
    /// A foot that is down for less than this while the other one stands has not stepped, in seconds; default
    /// 0.15; 0 to 1. A walking foot is down for 0.5.
    pub least_plant_secs: f64,
    /// The longest gait cycle, in seconds; default 2.5; 0.1 to 60. The slowest stroll takes 2; longer
    /// intervals contain a stop.
    pub most_cycle_secs: f64,
}

impl Default for GaitSettings {
    fn default() -> Self {
        Self { least_swing_secs: 0.12, least_plant_secs: 0.15, most_cycle_secs: 2.5 }
    }
}

impl GaitSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("least_swing_secs", self.least_swing_secs, 0.0..=1.0)?;
        OutOfRange::check("least_plant_secs", self.least_plant_secs, 0.0..=1.0)?;
        OutOfRange::check("most_cycle_secs", self.most_cycle_secs, 0.1..=60.0)?;
        Ok(())
    }
}

/// An interval in which a foot is down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FootPlant {
    /// The foot.
    pub foot: Side,
    /// From the first frame in which it is down until it leaves.
    pub frames: Range<usize>,
}

/// The frame in which a foot comes down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FootStep {
    /// The first frame in which it is down.
    pub frame: usize,
    /// The foot.
    pub foot: Side,
}

impl From<FootStep> for Cut {
    fn from(step: FootStep) -> Self {
        Cut { frame: step.frame, label: Role::LeftFoot.on(step.foot).name().into(), by: CutBy::Step }
    }
}

/// The foot plants, sorted by start, then left before right.
pub fn plants(contacts: &Contacts, rate_hz: f64, settings: &GaitSettings) -> Result<Vec<FootPlant>> {
    settings.validate()?;
    let frames = |secs: f64| (secs * rate_hz).round() as usize;
    let down = Side::BOTH.map(|foot| joined(down(contacts, foot), frames(settings.least_swing_secs)));
    let mut plants = Vec::new();
    for (foot, other) in [(Side::Left, Side::Right), (Side::Right, Side::Left)] {
        let (own, others) = (&down[foot as usize], &down[other as usize]);
        let carried = |span: &Range<usize>| others.iter().any(|o| o.start <= span.start && o.end >= span.end);
        let touched = |span: &Range<usize>| span.len() < frames(settings.least_plant_secs) && carried(span);
        // Plants at either end of the clip may continue beyond it.
        let kept = own.iter().filter(|span| span.start == 0 || !touched(span)).cloned();
        plants.extend(kept.map(|frames| FootPlant { foot, frames }));
    }
    plants.sort_by_key(|plant| (plant.frames.start, plant.foot));
    Ok(plants)
}

/// The steps in time order.
///
/// ```
/// use marey_motion::{Contact, Contacts, Role, Side};
/// use marey_ops::gait::{GaitSettings, FootStep, steps};
/// // The left foot stands, then steps: its heel is down from 30, its ball from 33. The right foot comes down at 15, after
/// // brushing the floor for two frames in its swing. 30 frames per second.
/// let contact = |role, frames| Contact { role, frames };
/// let contacts = Contacts::new(vec![
///     contact(Role::LeftFoot, 0..18), contact(Role::LeftToes, 0..20),
///     contact(Role::RightToes, 7..9), contact(Role::RightFoot, 15..40),
///     contact(Role::LeftFoot, 30..40), contact(Role::LeftToes, 33..40),
/// ], 40)?;
/// let found = steps(&contacts, 30.0, &GaitSettings::default())?;
/// assert_eq!(found, [FootStep { frame: 15, foot: Side::Right }, FootStep { frame: 30, foot: Side::Left }]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn steps(contacts: &Contacts, rate_hz: f64, settings: &GaitSettings) -> Result<Vec<FootStep>> {
    let plants = plants(contacts, rate_hz, settings)?;
    let landed = plants.into_iter().filter(|plant| plant.frames.start > 0);
    Ok(landed.map(|plant| FootStep { frame: plant.frames.start, foot: plant.foot }).collect())
}

/// The gait cycles of a foot: from one step to its next, unless it stood for long in between.
///
/// ```
/// use marey_motion::Side::{Left, Right};
/// use marey_ops::gait::{GaitSettings, FootStep, cycles};
/// let step = |frame, foot| FootStep { frame, foot };
/// let steps = [step(10, Left), step(26, Right), step(42, Left), step(57, Right), step(200, Left)];
/// assert_eq!(cycles(&steps, Left, 30.0, &GaitSettings::default())?, [10..42]);
/// # Ok::<(), marey_ops::OpsError>(())
/// ```
pub fn cycles(
    steps: &[FootStep],
    foot: Side,
    rate_hz: f64,
    settings: &GaitSettings,
) -> Result<Vec<Range<usize>>> {
    settings.validate()?;
    let own: Vec<usize> = steps.iter().filter(|step| step.foot == foot).map(|step| step.frame).collect();
    let spans = own.windows(2).map(|pair| pair[0]..pair[1]);
    Ok(spans.filter(|span| span.len() as f64 <= settings.most_cycle_secs * rate_hz).collect())
}

/// The intervals in which the heel or the ball of a foot is down.
fn down(contacts: &Contacts, foot: Side) -> Vec<Range<usize>> {
    let parts = [Role::LeftFoot.on(foot), Role::LeftToes.on(foot)];
    let mut spans: Vec<Range<usize>> = parts.iter().flat_map(|&role| contacts.of(role).cloned()).collect();
    spans.sort_by_key(|span| (span.start, span.end));
    spans
}

/// Joins sorted intervals that overlap or whose gap is shorter than `least_gap`.
fn joined(spans: Vec<Range<usize>>, least_gap: usize) -> Vec<Range<usize>> {
    let mut joined: Vec<Range<usize>> = Vec::new();
    for span in spans {
        match joined.last_mut() {
            Some(last) if span.start < last.end + least_gap.max(1) => last.end = last.end.max(span.end),
            _ => joined.push(span),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use marey_motion::Contact;
    use proptest::prelude::*;

    use super::*;

    /// Whether a foot is down in each frame, closing gaps one by one.
    fn down_slowly(contacts: &Contacts, foot: Side, frames: usize, least_gap: usize) -> Vec<bool> {
        let parts = [Role::LeftFoot.on(foot), Role::LeftToes.on(foot)];
        let raw: Vec<bool> =
            (0..frames).map(|f| parts.iter().any(|&role| contacts.touches(role, f))).collect();
        let closed = |f: usize| {
            let before = (0..f).rev().find(|&i| raw[i]);
            let after = (f..frames).find(|&i| raw[i]);
            before.zip(after).is_some_and(|(a, b)| b - a - 1 < least_gap)
        };
        (0..frames).map(|f| raw[f] || closed(f)).collect()
    }

    fn some_contacts() -> impl Strategy<Value = Contacts> {
        let roles = [Role::LeftFoot, Role::LeftToes, Role::RightFoot, Role::RightToes];
        proptest::collection::vec(proptest::collection::vec(any::<bool>(), 60), 4).prop_map(move |down| {
            let mut contacts = Vec::new();
            for (role, down) in roles.into_iter().zip(down) {
                // Each flag stands for two frames.
                let starts = (0..60).filter(|&i| down[i] && (i == 0 || !down[i - 1]));
                contacts.extend(starts.map(|start| {
                    let end = (start..60).find(|&i| !down[i]).unwrap_or(60);
                    Contact { role, frames: 2 * start..2 * end }
                }));
            }
            Contacts::new(contacts, 120).unwrap()
        })
    }

    proptest! {
        #[test]
        fn plants_equal_the_reference(contacts in some_contacts()) {
            let settings = GaitSettings::default();
            let found = plants(&contacts, 30.0, &settings).unwrap();
            let down = Side::BOTH.map(|foot| down_slowly(&contacts, foot, 120, 4));
            for foot in Side::BOTH {
                let (own, other) = (&down[foot as usize], &down[foot.other() as usize]);
                let starts: Vec<usize> = (0..120).filter(|&f| own[f] && (f == 0 || !own[f - 1])).collect();
                let wanted: Vec<Range<usize>> = starts
                    .into_iter()
                    .map(|start| start..(start..120).find(|&f| !own[f]).unwrap_or(120))
                    .filter(|span| span.start == 0 || span.len() >= 5 || !span.clone().all(|f| other[f]))
                    .collect();
                let own: Vec<_> = found.iter().filter(|p| p.foot == foot).map(|p| p.frames.clone()).collect();
                prop_assert_eq!(own, wanted);
            }
        }
    }

    #[test]
    fn standing_still_is_no_step_and_a_heel_that_lifts_is_none() {
        let stand = |role| Contact { role, frames: 0..300 };
        let roles = [Role::LeftToes, Role::RightFoot, Role::RightToes];
        let mut contacts: Vec<Contact> = roles.into_iter().map(stand).collect();
        contacts.extend([0..100, 140..200].map(|frames| Contact { role: Role::LeftFoot, frames }));
        let contacts = Contacts::new(contacts, 300).unwrap();
        assert_eq!(steps(&contacts, 30.0, &GaitSettings::default()).unwrap(), []);
        assert_eq!(plants(&contacts, 30.0, &GaitSettings::default()).unwrap().len(), 2);
    }

    #[test]
    fn a_runners_short_contacts_are_steps() {
        let contacts = [(Role::LeftToes, 10..14), (Role::RightToes, 20..24), (Role::LeftToes, 30..34)];
        let contacts = contacts.map(|(role, frames)| Contact { role, frames }).to_vec();
        let found = steps(&Contacts::new(contacts, 40).unwrap(), 30.0, &GaitSettings::default()).unwrap();
        assert_eq!(found.iter().map(|step| step.frame).collect::<Vec<_>>(), [10, 20, 30]);
        assert_eq!(Cut::from(found[1]).label, "RightFoot");
    }

    #[test]
    fn settings_out_of_range_are_rejected() {
        let contacts = Contacts::default();
        assert!(
            steps(&contacts, 30.0, &GaitSettings { least_swing_secs: -1.0, ..GaitSettings::default() })
                .is_err()
        );
        assert!(
            plants(&contacts, 30.0, &GaitSettings { least_plant_secs: 2.0, ..GaitSettings::default() })
                .is_err()
        );
        let never = GaitSettings { most_cycle_secs: 0.0, ..GaitSettings::default() };
        assert!(cycles(&[], Side::Left, 30.0, &never).is_err());
    }
}
