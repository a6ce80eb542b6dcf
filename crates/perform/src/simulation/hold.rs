//! Holds: joints between the character's centre of mass and what its hands and feet are at.

use glam::Vec3;
use rapier3d::prelude::*;

use super::{Simulation, Thing};
use crate::contact::Wish;
use crate::dynamics::Dynamics;

/// What a hold does along its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Line {
    /// Pushes and pulls, as an arm does.
    Both,
    /// Pushes only, as a leg that stands.
    Push,
    /// Pulls only, as a web.
    Pull,
}

/// A hold of one end of a limb.
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
    /// How far the centre of mass may be from it, where it pulls.
    pub(crate) reach_m: f32,
    /// What the performer wishes, at the end of the last frame and of this one.
    pub(crate) wishes: [Wish; 2],
}

impl Simulation {
    /// Takes hold of a feature at a place, for an end of a limb.
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

    /// Lets go.
    pub(crate) fn release(&mut self, slot: usize) {
        if let Some(hold) = self.holds[slot].take() {
            for joint in [Some(hold.joint), hold.guard].into_iter().flatten() {
                self.joints.remove(joint, true);
            }
        }
    }

    /// Where a hold is.
    pub(crate) fn held(&self, slot: usize) -> Option<Vec3> {
        self.holds[slot].map(|hold| self.bodies[hold.anchor].position().transform_point(hold.local))
    }
}
