//! Which bodies the examples of a request have, and which of them were retargeted.

use std::sync::Arc;

use crate::codes;
use crate::motion::{Place, Report, Skeleton};
use crate::ops::retarget::is_same_body;

/// How long each body is seen in examples.
#[derive(Debug, Default)]
pub(crate) struct BodyTally {
    /// The first skeleton of each body, and its duration in seconds.
    bodies: Vec<(Arc<Skeleton>, f64)>,
}

impl BodyTally {
    /// Counts an example.
    pub(crate) fn add(&mut self, skeleton: &Arc<Skeleton>, secs: f64) {
        let is_known = |body: &&mut (Arc<Skeleton>, f64)| {
            Arc::ptr_eq(&body.0, skeleton) || is_same_body(&body.0, skeleton)
        };
        match self.bodies.iter_mut().find(is_known) {
            Some(body) => body.1 += secs,
            None => self.bodies.push((skeleton.clone(), secs)),
        }
    }

    /// The body that lasts longest; the first of two that last equally long.
    pub(crate) fn longest(&self) -> Option<&Arc<Skeleton>> {
        let longest = self.bodies.iter().reduce(|best, next| if next.1 > best.1 { next } else { best });
        longest.map(|(skeleton, _)| skeleton)
    }
}

/// Whether motion of a skeleton has to be retargeted for a body, instead of being copied. Unknown skeletons do not count.
pub(crate) fn is_other_body(own: Option<&Arc<Skeleton>>, body: Option<&Arc<Skeleton>>) -> bool {
    own.zip(body).is_some_and(|(own, body)| own != body && !is_same_body(own, body))
}

/// Reports how many of the used examples were retargeted.
pub(crate) fn report_retargeted(retargeted: usize, used: usize, report: &mut Report) {
    if retargeted > 0 {
        let message = format!("{retargeted} of {used} examples");
        report.warn_many(&codes::RETARGETED, Place::default(), retargeted, message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::{Joint, Quat, Vec3};

    fn arm(length_m: f32, rest_rad: f32) -> Arc<Skeleton> {
        let elbow = Joint {
            rest_rotation: Quat::from_rotation_z(rest_rad),
            ..Joint::new("elbow", Some(0), Vec3::X * length_m)
        };
        Arc::new(Skeleton::new(vec![Joint::new("arm", None, Vec3::ZERO), elbow], vec![]).unwrap())
    }

    #[test]
    fn equal_bones_are_one_body_whatever_their_rest_pose() {
        let mut tally = BodyTally::default();
        assert!(tally.longest().is_none());
        for (skeleton, secs) in [(arm(0.3, 0.0), 2.0), (arm(0.4, 0.0), 3.0), (arm(0.3, 0.5), 1.5)] {
            tally.add(&skeleton, secs);
        }
        assert_eq!(tally.longest(), Some(&arm(0.3, 0.0)));
        assert_eq!(tally.bodies.len(), 2);
    }
}
