//! Deviations of hand holds.

use std::ops::Range;

use marey_motion::{CheckedAccess, Role, Take};
use serde::Serialize;

use crate::{MeasureError, Result, Worst};

/// Two joints that should keep a distance for a while: hands that hold each other.
#[derive(Debug, Clone, PartialEq)]
pub struct ExpectedHold {
    /// Actor index in the take, and role.
    pub one: (usize, Role),
    /// Actor index and role of the other joint.
    pub other: (usize, Role),
    /// The frames.
    pub frames: Range<usize>,
    /// The distance that they should keep, in metres.
    pub gap_m: f32,
}

/// Deviations of holds from their distances.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HoldDeviation {
    /// Mean over all frames of all holds, in centimetres; 0 without holds.
    pub mean_cm: f64,
    /// The largest, in centimetres.
    pub largest_cm: f64,
    /// Role of the first joint, and frame.
    pub worst: Option<Worst>,
}

/// Measures how far the joints of holds deviate from their distances.
pub fn hold_error(take: &Take, holds: &[ExpectedHold]) -> Result<HoldDeviation> {
    let worlds: Vec<_> = take.actors().iter().map(|actor| actor.clip.world()).collect();
    let (mut sum, mut count) = (0.0, 0usize);
    let mut worst: Option<(f64, Role, usize)> = None;
    for hold in holds {
        let path = |(actor, role): (usize, Role)| {
            let missing = || MeasureError::NotComparable(format!("there is no actor {actor} in the take"));
            let clip = &take.actors().get(actor).ok_or_else(missing)?.clip;
            let joint = clip.skeleton().require(role)?;
            let world = worlds.get(actor).ok_or_else(missing)?;
            Ok::<_, MeasureError>(move |frame: usize| world.positions_at(frame).at(joint).copied())
        };
        let (one, other) = (path(hold.one)?, path(hold.other)?);
        for frame in hold.frames.start..hold.frames.end.min(take.frames()) {
            let off = f64::from((one(frame)?.distance(other(frame)?) - hold.gap_m).abs());
            sum += off;
            count += 1;
            if worst.is_none_or(|(most, ..)| off > most) {
                worst = Some((off, hold.one.1, frame));
            }
        }
    }
    Ok(HoldDeviation {
        mean_cm: 100.0 * sum / count.max(1) as f64,
        largest_cm: worst.map_or(0.0, |(off, ..)| 100.0 * off),
        worst: worst.map(|(_, role, frame)| Worst { what: role.name().to_owned(), frame }),
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use marey_motion::{Actor, Clip, ClipParts, Joint, Quat, Skeleton, Vec3};

    use super::*;

    #[test]
    fn parted_hands_are_measured() {
        let actor = |name: &str, places: [f32; 3]| {
            let joint = Joint::new("hand", None, Vec3::ZERO).with_role(Role::LeftHand);
            let skeleton = Arc::new(Skeleton::new(vec![joint], vec![]).unwrap());
            let positions = places.map(|x| Vec3::X * x).to_vec();
            let parts = ClipParts { rotations: vec![Quat::IDENTITY; 3], positions };
            Actor { name: name.into(), clip: Clip::new(skeleton, 30.0, parts).unwrap() }
        };
        let take = Take::new("two", vec![actor("a", [0.0, 0.0, 0.0]), actor("b", [0.1, 0.1, 0.14])]).unwrap();
        let hold =
            ExpectedHold { one: (0, Role::LeftHand), other: (1, Role::LeftHand), frames: 0..9, gap_m: 0.1 };
        let found = hold_error(&take, std::slice::from_ref(&hold)).unwrap();
        assert!((found.largest_cm - 4.0).abs() < 1e-4 && (found.mean_cm - 4.0 / 3.0).abs() < 1e-4);
        assert_eq!(found.worst, Some(Worst { what: "LeftHand".into(), frame: 2 }));
        assert!(hold_error(&take, &[ExpectedHold { other: (2, Role::LeftHand), ..hold.clone() }]).is_err());
        assert!(hold_error(&take, &[ExpectedHold { other: (1, Role::Head), ..hold }]).is_err());
    }
}
