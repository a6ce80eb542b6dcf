//! The rules that postures of this ballet satisfy.
//!
//! Stuart, Bradley, Capps and Luftig (2007, section 4.3) list what an expert sees in a corpus of ballet: legs always rotated outwards,
//! arms used as units on peripheral paths, upper and lower limbs contralateral. Each is a rule here:
//!
//! - **turned out**: the outward twist of each thigh against the pelvis is at least a given angle;
//! - **arms as units**: elbows and wrists bend no more and no less than in the rounded arm of ballet, and both arms are at the same
//!   fraction of a path between two named positions;
//! - **opposed**: at most one leg deviates from the vertical, and if it is raised in front or behind, the arm of the other side leads:
//!   it is farther forward and up than the arm of the same side.

use marey_motion::{Quat, Role, Side, Vec3, WorldPose};

use super::arms::distance_from_paths_rad;
use crate::figure::sign;

/// The thresholds of the rules. Angles are in radians.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grammar {
    /// Smallest outward twist of a thigh; default 0.5 (29°).
    pub min_turn_out_rad: f32,
    /// Range of the elbow's fold; default 0.1 to 0.95.
    pub elbow_rad: [f32; 2],
    /// Largest bend of a wrist; default 0.5.
    pub max_wrist_rad: f32,
    /// Largest distance of an arm from the paths between positions; default 0.3.
    pub max_off_path_rad: f32,
    /// Angle from the vertical above which a leg is raised; default 0.6 (34°).
    pub raised_rad: f32,
    /// Smallest lead of the arm opposite to a leg raised in front or behind, from −2 to 2; default 0.1.
    pub min_lead: f32,
}

impl Default for Grammar {
    fn default() -> Self {
        Self {
            min_turn_out_rad: 0.5,
            elbow_rad: [0.1, 0.95],
            max_wrist_rad: 0.5,
            max_off_path_rad: 0.3,
            raised_rad: 0.6,
            min_lead: 0.1,
        }
    }
}

/// The rules that a posture satisfies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GrammarCheck {
    /// The outward twist of the left and the right thigh, in radians.
    pub turn_out_rad: [f32; 2],
    /// Whether both legs are turned out.
    pub turned_out: bool,
    /// Whether both arms move as units.
    pub arms_as_units: bool,
    /// Whether arms and legs are opposed.
    pub opposed: bool,
}

impl GrammarCheck {
    /// Whether all rules are satisfied.
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
    /// assert!(!Grammar::default().check(&rest).unwrap().turned_out);
    /// // The generated phrases are.
    /// let settings = BalletSettings { phrases: 1, rate_hz: 4.0, ..BalletSettings::default() };
    /// let phrase = &ballet(&settings)?[0];
    /// let clip = phrase.take.first();
    /// let first = WorldPose::of(clip.skeleton(), clip.pose(0));
    /// assert!(Grammar::default().check(&first).unwrap().all());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check(&self, body: &WorldPose) -> Option<GrammarCheck> {
        let pelvis = body.rotations[body.skeleton().joint_of(Role::Hips)?];
        let legs = [Leg::of(body, Side::Left, pelvis)?, Leg::of(body, Side::Right, pelvis)?];
        let arms = [Arm::of(body, Side::Left)?, Arm::of(body, Side::Right)?];
        let turn_out_rad = legs.map(|leg| leg.turn_out_rad);
        let rounded = |arm: &Arm| {
            (self.elbow_rad[0]..=self.elbow_rad[1]).contains(&arm.elbow_rad)
                && arm.wrist_rad <= self.max_wrist_rad
        };
        let off_rad = distance_from_paths_rad(arms.map(|arm| arm.direction));
        Some(GrammarCheck {
            turn_out_rad,
            turned_out: turn_out_rad.iter().all(|&turn| turn >= self.min_turn_out_rad),
            arms_as_units: arms.iter().all(rounded) && off_rad <= self.max_off_path_rad,
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
        // If the leg is raised to the side, both arms may be equal.
        let min_lead = if leg.z.abs() > leg.x.abs() { self.min_lead } else { -self.min_lead };
        lead >= min_lead
    }
}

/// A leg relative to the pelvis.
#[derive(Debug, Clone, Copy)]
struct Leg {
    /// The direction from hip to ankle, in the frame of an upright pelvis that faces +Z.
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
        // The twist about the thigh is the Y component of the rotation.
        let twist = 2.0 * (local.y * local.w.signum()).atan2(local.w.abs());
        Some(Self { direction: direction.normalize_or(Vec3::NEG_Y), turn_out_rad: sign(side) * twist })
    }
}

/// An arm relative to the chest, given as for a left arm.
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
        let wrist_direction = chest.inverse() * (wrist - shoulder);
        Some(Self {
            direction: Vec3::new(sign(side) * wrist_direction.x, wrist_direction.y, wrist_direction.z)
                .normalize_or(Vec3::NEG_Y),
            elbow_rad: (elbow - shoulder).angle_between(wrist - elbow),
            wrist_rad: (wrist - elbow).angle_between(knuckle - wrist),
        })
    }

    /// The forward and upward component of the arm's direction.
    fn lead(&self) -> f32 {
        self.direction.dot(Vec3::new(0.0, 0.6, 0.8))
    }
}
