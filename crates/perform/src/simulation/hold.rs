//! Holds: joints between the character's centre of mass and the features that its limbs hold.

use glam::Vec3;
use rapier3d::prelude::*;

use super::{Simulation, Thing};
use crate::contact::Wish;
use crate::dynamics::Dynamics;

/// The forces of a hold along its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Line {
    /// Pushes and pulls, like an arm.
    Both,
    /// Only pushes, like a standing leg.
    Push,
    /// Only pulls, like a web.
    Pull,
}

/// The hold of a limb end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hold {
    pub(crate) feature: usize,
    pub(super) joint: ImpulseJointHandle,
    /// Keeps a rope from stretching under the weight.
    guard: Option<ImpulseJointHandle>,
    pub(super) anchor: RigidBodyHandle,
    /// In the frame of the anchor.
    pub(super) local: Vec3,
    pub(super) line: Line,
    pub(super) gains: Dynamics,
    /// The largest distance of the centre of mass, if the hold pulls.
    pub(crate) reach_m: f32,
    /// The performer's target at the end of the previous and of the present frame.
    pub(crate) wishes: [Wish; 2],
}

impl Simulation {
    /// Adds the hold of a limb end on a feature.
    pub(crate) fn hold(
        &mut self,
        slot: usize,
        feature: usize,
        place: Vec3,
        reach_m: f32,
        line: Line,
        gains: Dynamics,
    ) {
        self.release(slot);
        let (anchor, guard) = match &self.things[feature] {
            Thing::Still => (self.ground, None),
            Thing::Mat(mat) => (mat.body, None),
            Thing::Rope(rope) => {
                let (link, _) = rope.nearest(&self.bodies, 0.0, place);
                (rope.links[link], Some((rope.top, rope.along(link, &self.bodies, place))))
            }
        };
        let local = self.bodies[anchor].position().inverse_transform_point(place);
        let spring = GenericJointBuilder::new(JointAxesMask::empty())
            .coupled_axes(JointAxesMask::LIN_AXES)
            .motor_model(JointAxis::LinX, MotorModel::ForceBased)
            .local_anchor1(local)
            .contacts_enabled(line != Line::Push);
        let joint = self.joints.insert(anchor, self.character, spring.build(), true);
        let guard = guard.map(|(top, length_m)| {
            let rope = RopeJointBuilder::new(length_m.max(0.01)).local_anchor1(top).local_anchor2(local);
            self.joints.insert(self.ground, anchor, rope, true)
        });
        let wishes = [Wish::default(); 2];
        self.holds[slot] = Some(Hold { feature, joint, guard, anchor, local, line, gains, reach_m, wishes });
    }

    /// Removes a hold.
    pub(crate) fn release(&mut self, slot: usize) {
        if let Some(hold) = self.holds[slot].take() {
            for joint in [Some(hold.joint), hold.guard].into_iter().flatten() {
                self.joints.remove(joint, true);
            }
        }
    }

    /// The position of a hold.
    pub(crate) fn held(&self, slot: usize) -> Option<Vec3> {
        self.holds[slot].map(|hold| self.bodies[hold.anchor].position().transform_point(hold.local))
    }
}
