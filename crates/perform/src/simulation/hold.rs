//! Holds: joints between the character's centre of mass and the features that its hands and feet hold.

use glam::Vec3;
use rapier3d::prelude::*;

use super::{FeatureBody, Simulation};
use crate::contact::ContactTarget;
use crate::dynamics::Dynamics;

/// The direction in which a hold can exert force.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HoldForce {
    /// Pushes and pulls, like an arm.
    PushAndPull,
    /// Only pushes, like a standing leg.
    Push,
    /// Only pulls, like a web.
    Pull,
}

/// The hold of a hand or foot on a feature.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hold {
    pub(crate) feature: usize,
    pub(super) joint: ImpulseJointHandle,
    /// Limits the length of the rope above the hold, so that it does not stretch under the weight.
    length_limit: Option<ImpulseJointHandle>,
    pub(super) anchor: RigidBodyHandle,
    /// The position of the hold in the frame of the anchor.
    pub(super) local: Vec3,
    pub(super) force: HoldForce,
    pub(super) gains: Dynamics,
    /// The largest distance of the centre of mass, if the hold pulls.
    pub(crate) reach_m: f32,
    /// The performer's target at the end of the previous and of the current frame.
    pub(crate) targets: [ContactTarget; 2],
}

impl Simulation {
    /// Adds the hold of a hand or foot on a feature.
    pub(crate) fn add_hold(
        &mut self,
        limb: usize,
        feature: usize,
        position: Vec3,
        reach_m: f32,
        force: HoldForce,
        gains: Dynamics,
    ) {
        self.release(limb);
        let (anchor, rope_length) = match &self.feature_bodies[feature] {
            FeatureBody::Fixed => (self.ground, None),
            FeatureBody::SoftSurface(surface) => (surface.body, None),
            FeatureBody::Rope(rope) => {
                let (link, _) = rope.nearest(&self.bodies, 0.0, position);
                (rope.links[link], Some((rope.top, rope.length_to_m(link, &self.bodies, position))))
            }
        };
        let local = self.bodies[anchor].position().inverse_transform_point(position);
        let spring = GenericJointBuilder::new(JointAxesMask::empty())
            .coupled_axes(JointAxesMask::LIN_AXES)
            .motor_model(JointAxis::LinX, MotorModel::ForceBased)
            .local_anchor1(local)
            .contacts_enabled(force != HoldForce::Push);
        let joint = self.joints.insert(anchor, self.character, spring.build(), true);
        let length_limit = rope_length.map(|(top, length_m)| {
            let rope = RopeJointBuilder::new(length_m.max(0.01)).local_anchor1(top).local_anchor2(local);
            self.joints.insert(self.ground, anchor, rope, true)
        });
        let targets = [ContactTarget::default(); 2];
        self.holds[limb] =
            Some(Hold { feature, joint, length_limit, anchor, local, force, gains, reach_m, targets });
    }

    /// Removes a hold.
    pub(crate) fn release(&mut self, limb: usize) {
        if let Some(hold) = self.holds[limb].take() {
            for joint in [Some(hold.joint), hold.length_limit].into_iter().flatten() {
                self.joints.remove(joint, true);
            }
        }
    }

    /// The current position of a hold.
    pub(crate) fn hold_position(&self, limb: usize) -> Option<Vec3> {
        self.holds[limb].map(|hold| self.bodies[hold.anchor].position().transform_point(hold.local))
    }
}
