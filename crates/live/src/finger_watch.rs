//! Whether hands are closed, by the rotations of fingers in a stream.

use marey_motion::{LocalPoseRef, Role, Side, Skeleton};
use marey_perform::{Fingers, Markers};

/// Fingers whose rotation shows whether a hand is closed.
const FINGERS: [Role; 3] = [Role::LeftMiddleProximal, Role::LeftIndexProximal, Role::LeftRingProximal];

/// Watches the fingers of a stream. Fingers that neither opened nor closed so far show nothing: many senders have fingers that they do
/// not track.
#[derive(Debug, Clone)]
pub(crate) struct FingerWatch {
    fingers: Fingers,
    /// The first state of each hand, and whether it changed since.
    hands: [(Option<bool>, bool); 2],
}

impl FingerWatch {
    pub(crate) fn new(skeleton: &Skeleton) -> Self {
        Self { fingers: Fingers::of(skeleton), hands: [(None, false); 2] }
    }

    /// Whether each hand is closed: as the stream says, or else as its fingers show.
    pub(crate) fn closed(
        &mut self,
        stated: [Option<bool>; 2],
        markers: &Markers,
        pose: LocalPoseRef<'_>,
    ) -> [Option<bool>; 2] {
        let mut closed = stated;
        let shown = self.fingers.closed(pose).into_iter().zip(Side::BOTH);
        for ((closed, (first, has_moved)), (shown, side)) in closed.iter_mut().zip(&mut self.hands).zip(shown)
        {
            let is_turned = FINGERS.iter().any(|role| markers.rotation(role.on(side)).is_some());
            let Some(shown) = shown.filter(|_| is_turned && closed.is_none()) else { continue };
            *has_moved |= *first.get_or_insert(shown) != shown;
            *closed = has_moved.then_some(shown);
        }
        closed
    }
}

#[cfg(test)]
mod tests {
    use marey_body::BodyProportions;
    use marey_motion::{LocalPose, Quat};

    use super::*;

    #[test]
    fn fingers_count_from_their_first_change_and_stated_hands_take_precedence() {
        let skeleton = BodyProportions::default().skeleton().unwrap();
        let joint = skeleton.joint_of(Role::LeftMiddleProximal).unwrap();
        let mut watch = FingerWatch::new(&skeleton);
        let mut markers = Markers::default();
        markers.set_rotation(Role::LeftMiddleProximal, Quat::IDENTITY);
        let mut pose = LocalPose::rest(&skeleton);
        let mut closed = |stated, bent_rad: f32| {
            pose.rotations[joint] = Quat::from_rotation_z(bent_rad);
            watch.closed(stated, &markers, pose.view())
        };
        assert_eq!(closed([None; 2], 0.1), [None; 2]);
        assert_eq!(closed([Some(true), None], 1.5), [Some(true), None]);
        assert_eq!(closed([None; 2], 1.5), [Some(true), None]);
        assert_eq!(closed([None, Some(false)], 0.2), [Some(false); 2]);
    }
}
