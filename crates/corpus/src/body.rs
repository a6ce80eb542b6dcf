//! Bodies as they are stored: one line of JSON each, once for all takes that have it.
//!
//! Two skeletons are stored as one body if joints, hierarchy, roles and tips are the same and offsets are equal but for rounding.
//! Rest poses do not matter, because rotations are stored relative to the parent and not to the rest pose: every joint of a take
//! stays where it was. A take has the rest pose of the first take of its body.

use std::borrow::Cow;

use marey_motion::{Joint, Skeleton};
use rusqlite::{Connection, OptionalExtension, params};

use crate::prepared_take::{PreparedActor, content_hash};
use crate::{Corpus, CorpusError, PreparedTake, Result};

/// Sharing a body moves no joint farther than this, in metres. It is a tenth of the precision of stored frames, which therefore stays
/// what it is. Files round offsets to less. The bones of similar people, or of one person measured twice, differ by more.
const SHARED_M: f32 = 1e-5;

/// A skeleton as one line of JSON; equal skeletons give equal text.
pub(crate) fn to_json(skeleton: &Skeleton) -> Result<String> {
    serde_json::to_string(skeleton).map_err(|error| CorpusError::damaged(format!("a skeleton: {error}")))
}

/// The skeleton that a text describes.
pub(crate) fn from_json(text: &str) -> Result<Skeleton> {
    serde_json::from_str(text).map_err(|error| CorpusError::damaged(format!("a skeleton: {error}")))
}

/// What bodies are looked up by: the sum of the absolute coordinates of the offsets of joints that do not translate, in metres.
pub(crate) fn bones_m(skeleton: &Skeleton) -> f64 {
    let fixed = skeleton.joints().iter().filter(|joint| !joint.moves);
    fixed.map(|joint| joint.offset.to_array().map(|number| f64::from(number.abs())).iter().sum::<f64>()).sum()
}

/// Whether two skeletons are stored as one body.
pub(crate) fn is_shared(one: &Skeleton, other: &Skeleton) -> bool {
    if one.len() != other.len() || one.tips().len() != other.tips().len() {
        return false;
    }
    // How far each joint is from its place on the other skeleton at most, whatever the pose.
    let mut moved_m: Vec<f32> = Vec::with_capacity(one.len());
    for (here, there) in one.joints().iter().zip(other.joints()) {
        let describe = |joint: &Joint| (joint.name.clone(), joint.parent, joint.role, joint.moves);
        if describe(here) != describe(there) {
            return false;
        }
        // The offset of a joint that translates in every frame does not matter.
        let own_m = if here.moves { 0.0 } else { here.offset.distance(there.offset) };
        moved_m.push(own_m + here.parent.and_then(|parent| moved_m.get(parent)).unwrap_or(&0.0));
    }
    let tips = one.tips().iter().zip(other.tips());
    let mut tips_m = tips.map(|(here, there)| match moved_m.get(here.parent) {
        Some(moved_m) if here.parent == there.parent => moved_m + here.offset.distance(there.offset),
        _ => f32::INFINITY,
    });
    moved_m.iter().all(|moved_m| *moved_m <= SHARED_M) && tips_m.all(|moved_m| moved_m <= SHARED_M)
}

impl Corpus {
    /// A take whose actors have the skeletons that the corpus stores for their bodies, as far as there are any.
    pub(crate) fn with_stored_bodies<'a>(&self, take: &'a PreparedTake) -> Result<Cow<'a, PreparedTake>> {
        let stored: Vec<Option<String>> =
            take.actors.iter().map(|actor| self.stored_body(actor)).collect::<Result<_>>()?;
        if stored.iter().all(Option::is_none) {
            return Ok(Cow::Borrowed(take));
        }
        let mut changed = take.clone();
        for (actor, stored) in changed.actors.iter_mut().zip(stored) {
            actor.body = stored.unwrap_or_else(|| std::mem::take(&mut actor.body));
        }
        let actors = changed.actors.iter();
        let parts = actors.map(|actor| (actor.body.as_str(), actor.chunks.iter().map(Vec::as_slice)));
        changed.content = content_hash(changed.rate_hz, changed.frames, parts);
        Ok(Cow::Owned(changed))
    }

    /// The stored skeleton of an actor's body, if it is not the actor's own.
    fn stored_body(&self, actor: &PreparedActor) -> Result<Option<String>> {
        let is_stored = |connection: &Connection| {
            let sql = "SELECT 1 FROM skeletons WHERE body = ?";
            let found: Option<i64> =
                connection.prepare_cached(sql)?.query_row([&actor.body], |row| row.get(0)).optional()?;
            Ok(found.is_some())
        };
        if self.run(is_stored)? {
            return Ok(None);
        }
        let own = from_json(&actor.body)?;
        let (bones_m, slack_m) = (bones_m(&own), 2.0 * own.len() as f64 * f64::from(SHARED_M));
        let candidates: Vec<String> = self.run(|connection| {
            let sql = "SELECT body FROM skeletons
                       WHERE joints = ? AND (bones_m BETWEEN ? AND ? OR bones_m IS NULL) ORDER BY id";
            let mut statement = connection.prepare_cached(sql)?;
            let range = params![own.len() as i64, bones_m - slack_m, bones_m + slack_m];
            statement.query_map(range, |row| row.get(0))?.collect()
        })?;
        for text in candidates {
            if is_shared(&from_json(&text)?, &own) {
                return Ok(Some(text));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use marey_motion::{Quat, Role, Tip, Vec3};

    use super::*;

    fn leg(thigh_m: f32, rest_rad: f32, root: Vec3) -> Skeleton {
        let knee = Joint {
            rest_rotation: Quat::from_rotation_x(rest_rad),
            ..Joint::new("knee", Some(0), Vec3::NEG_Y * thigh_m).with_role(Role::LeftLowerLeg)
        };
        let tips = vec![Tip { parent: 1, offset: Vec3::NEG_Y * 0.4 }];
        Skeleton::new(vec![Joint::new("hip", None, root), knee], tips).unwrap()
    }

    #[test]
    fn equal_bones_are_one_body_whatever_rests_and_roots() {
        let one = leg(0.4, 0.0, Vec3::ZERO);
        assert!(is_shared(&one, &leg(0.4, 0.5, Vec3::Y)));
        assert!(is_shared(&one, &leg(0.400_005, 0.0, Vec3::ZERO)));
        assert!(!is_shared(&one, &leg(0.4001, 0.0, Vec3::ZERO)));
        let renamed = |from: &Skeleton, change: fn(&mut Joint)| {
            let mut joints = from.joints().to_vec();
            change(&mut joints[1]);
            Skeleton::new(joints, from.tips().to_vec()).unwrap()
        };
        assert!(!is_shared(&one, &renamed(&one, |joint| joint.name = "Knee".into())));
        assert!(!is_shared(&one, &renamed(&one, |joint| joint.role = None)));
        assert!(!is_shared(&one, &renamed(&one, |joint| joint.moves = true)));
        let longer =
            Skeleton::new(one.joints().to_vec(), vec![Tip { parent: 1, offset: Vec3::NEG_Y }]).unwrap();
        assert!(!is_shared(&one, &longer));
    }
}
