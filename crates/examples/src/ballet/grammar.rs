//! The rules that postures of this ballet satisfy.
//!
//! Stuart, Bradley, Capps and Luftig (2007, section 4.3) name what an expert sees in a corpus of ballet: legs always rotated
//! outwards, arms used as units on peripheral ways, upper and lower limbs contralateral. Each is a rule here:
//!
//! - **turned out**: the twist of each thigh about itself, against the pelvis, outwards, is no less than a least angle;
//! - **arms as units**: no elbow and no wrist folds or straightens beyond the round arm of ballet, and both arms are on a way
//!   from one of their named positions to the next, both as far;
//! - **opposed**: no more than one leg is away from the floor's vertical, and where one is raised ahead or behind, the arm of
//!   the other side leads: it is farther ahead and up than the arm of the same side.

use marey_motion::{Quat, Role, Side, Vec3, WorldPose};

use super::arms::off_the_ways_rad;
use crate::figure::sign;

/// The thresholds of the rules; angles in radians.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grammar {
    /// The least outward twist of a thigh; default 0.5 (29°).
    pub least_turn_out_rad: f32,
    /// The least and the most an elbow folds; default 0.1 to 0.95.
    pub elbow_rad: [f32; 2],
    /// The most a wrist bends; default 0.5.
    pub most_wrist_rad: f32,
    /// How far either arm is from the ways between positions; default 0.3.
    pub most_off_way_rad: f32,
    /// From which angle to the vertical a leg counts as raised; default 0.6 (34°).
    pub raised_rad: f32,
    /// How far the arm opposite to a leg raised ahead or behind leads, from −2 to 2; default 0.1.
    pub least_lead: f32,
}

impl Default for Grammar {
    fn default() -> Self {
        Self {
            least_turn_out_rad: 0.5,
            elbow_rad: [0.1, 0.95],
            most_wrist_rad: 0.5,
            most_off_way_rad: 0.3,
            raised_rad: 0.6,
            least_lead: 0.1,
        }
    }
}

/// Which rules a posture satisfies, with the measures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Held {
    /// The outward twist of the left and the right thigh, in radians.
    pub turn_out_rad: [f32; 2],
    /// Whether both are turned out.
    pub turned_out: bool,
    /// Whether both arms are units.
    pub arms_as_units: bool,
    /// Whether arms and legs are opposed.
    pub opposed: bool,
}

impl Held {
    /// Whether all rules are kept.
    pub fn all(&self) -> bool {
        self.turned_out && self.arms_as_units && self.opposed
    }
}

impl Grammar {
    /// Checks a posture; `None` if the skeleton lacks hips, legs, upper chest, arms or hands.
    ///
    /// ```
    /// use marey_examples::ballet::{BalletSettings, Grammar, ballet};
    /// use marey_body::BodyProportions;
    /// use marey_motion::{LocalPose, WorldPose};
    /// // Ordinary standing is not ballet.
    /// let skeleton = BodyProportions::default().skeleton()?;
    /// let rest = WorldPose::of(&skeleton, LocalPose::rest(&skeleton).view());
    /// assert!(!Grammar::default().held(&rest).unwrap().turned_out);
    /// // The generated phrases are.
    /// let settings = BalletSettings { phrases: 1, rate_hz: 4.0, ..BalletSettings::default() };
    /// let phrase = &ballet(&settings)?[0];
    /// let clip = phrase.take.first();
    /// let first = WorldPose::of(clip.skeleton(), clip.pose(0));
    /// assert!(Grammar::default().held(&first).unwrap().all());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn held(&self, body: &WorldPose) -> Option<Held> {
        let pelvis = body.rotations[body.skeleton().joint_of(Role::Hips)?];
        let legs = [Leg::of(body, Side::Left, pelvis)?, Leg::of(body, Side::Right, pelvis)?];
        let arms = [Arm::of(body, Side::Left)?, Arm::of(body, Side::Right)?];
        let turn_out_rad = legs.map(|leg| leg.turn_out_rad);
        let rounded = |arm: &Arm| {
            (self.elbow_rad[0]..=self.elbow_rad[1]).contains(&arm.elbow_rad)
                && arm.wrist_rad <= self.most_wrist_rad
        };
        let off_rad = off_the_ways_rad(arms.map(|arm| arm.direction));
        Some(Held {
            turn_out_rad,
            turned_out: turn_out_rad.iter().all(|&turn| turn >= self.least_turn_out_rad),
            arms_as_units: arms.iter().all(rounded) && off_rad <= self.most_off_way_rad,
            opposed: self.opposed(&legs, &arms),
        })
    }

    fn opposed(&self, legs: &[Leg; 2], arms: &[Arm; 2]) -> bool {
        let raised = legs.each_ref().map(|leg| leg.direction.angle_between(Vec3::NEG_Y) > self.raised_rad);
        let side = match raised {
            [false, false] => return true,
            [true, true] => return false,
            [true, false] => 0,
            [false, true] => 1,
        };
        let leg = legs[side].direction;
        let lead = arms[1 - side].lead() - arms[side].lead();
        // To the side, arms may be alike.
        let least = if leg.z.abs() > leg.x.abs() { self.least_lead } else { -self.least_lead };
        lead >= least
    }
}

/// A leg against the pelvis.
#[derive(Debug, Clone, Copy)]
struct Leg {
    /// From hip to ankle, in the frame of a pelvis that stands upright and faces +Z.
    direction: Vec3,
    turn_out_rad: f32,
}

impl Leg {
    fn of(body: &WorldPose, side: Side, pelvis: Quat) -> Option<Self> {
        let joint = |role: Role| body.skeleton().joint_of(role.on(side));
        let (hip, ankle) = (joint(Role::LeftUpperLeg)?, joint(Role::LeftFoot)?);
        let ahead = pelvis * Vec3::Z;
        let upright = Quat::from_rotation_y(ahead.x.atan2(ahead.z));
        let direction = upright.inverse() * (body.positions[ankle] - body.positions[hip]);
        let local = pelvis.inverse() * body.rotations[hip];
        // The twist about the thigh: what is left of the turn along Y.
        let twist = 2.0 * (local.y * local.w.signum()).atan2(local.w.abs());
        Some(Self { direction: direction.normalize_or(Vec3::NEG_Y), turn_out_rad: sign(side) * twist })
    }
}

/// An arm against the chest, as if it were a left one.
#[derive(Debug, Clone, Copy)]
struct Arm {
    direction: Vec3,
    elbow_rad: f32,
    wrist_rad: f32,
}

impl Arm {
    fn of(body: &WorldPose, side: Side) -> Option<Self> {
        let joint = |role: Role| body.skeleton().joint_of(role.on(side));
        let [shoulder, elbow, wrist, knuckle] = [
            joint(Role::LeftUpperArm)?,
            joint(Role::LeftLowerArm)?,
            joint(Role::LeftHand)?,
            joint(Role::LeftMiddleProximal)?,
        ]
        .map(|joint| body.positions[joint]);
        let chest = body.rotations[body.skeleton().joint_of(Role::UpperChest)?];
        let way = chest.inverse() * (wrist - shoulder);
        Some(Self {
            direction: Vec3::new(sign(side) * way.x, way.y, way.z).normalize_or(Vec3::NEG_Y),
            elbow_rad: (elbow - shoulder).angle_between(wrist - elbow),
            wrist_rad: (wrist - elbow).angle_between(knuckle - wrist),
        })
    }

    /// How far ahead and up the arm is.
    fn lead(&self) -> f32 {
        self.direction.dot(Vec3::new(0.0, 0.6, 0.8))
    }
}
