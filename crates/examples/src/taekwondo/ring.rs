//! Two fighters: the target of each attack, and the path of the striking limb.

use marey_motion::{Actor, Clip, ClipParts, LocalPose, Quat, Role, Take, Vec3, WorldPose};
use rand::Rng;

use super::bout::Bout;
use super::fighter::{Fighter, IdleMotion, Reach};
use super::form::{FootPart, KickForm, Weapon};
use super::kick::{KNEE, Kick, KickPath, ankle_for};
use super::script::{PlannedStrike, Script};
use super::{LEADS, Movement, NAMES, TaekwondoSettings};
use crate::clock::Clock;
use crate::couple::arm_reach_m;
use crate::figure::Figure;
use crate::{Result, TakeJoint};

/// Half the depth of a trunk, a head and a forearm, relative to the body's height.
const TRUNK: f32 = 0.072;
const HEAD: f32 = 0.052;
const FOREARM: f32 = 0.022;
/// Position of a block along the forearm, as a fraction from the elbow.
const FOREARM_SHARE: f32 = 0.72;
/// Stretch of a striking limb, relative to its full length.
const STRETCHED: f32 = 0.97;
/// Number of iterations that shift the bodies until the limbs reach.
const ITERATIONS: usize = 5;
/// Time before contact at which a dodging fighter has not moved yet, in seconds.
const BEFORE_DODGE_SECS: f64 = 0.5;

/// The contact of an attack.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct StrikeContact {
    pub(super) secs: f64,
    pub(super) striker: TakeJoint,
    pub(super) struck: TakeJoint,
    pub(super) place: Vec3,
}

/// Two fighters, and the contacts of their attacks.
#[derive(Debug, Clone)]
pub(super) struct Ring {
    pub(super) fighters: [Fighter; 2],
    pub(super) scripts: [Script; 2],
    pub(super) strike_contacts: Vec<StrikeContact>,
}

/// The target of an attack, and the opponent's joint there, if any.
struct Aim {
    target: Vec3,
    struck: Option<Role>,
}

impl Ring {
    pub(super) fn new(settings: &TaekwondoSettings, bout: &Bout, rng: &mut impl Rng) -> Result<Self> {
        let figures = [Figure::new(&settings.red)?, Figure::new(&settings.blue)?];
        let idle_motion = [IdleMotion::new(rng), IdleMotion::new(rng)];
        let mut scripts = [0, 1].map(|me| Script::of(bout, me, LEADS[me], figures[me].height_m, rng));
        let build = |scripts: &[Script; 2]| {
            [0, 1]
                .map(|me| Fighter::new(&figures[me], &scripts[me], &idle_motion[me], settings.duration_secs))
        };
        let mut ring =
            Self { fighters: build(&scripts), scripts: scripts.clone(), strike_contacts: Vec::new() };
        for _ in 0..ITERATIONS {
            for (me, script) in scripts.iter_mut().enumerate() {
                for (i, strike) in script.strikes.clone().iter().enumerate() {
                    script.shift_forward(i, f64::from(ring.missing_reach_m(me, strike, bout)));
                }
            }
            ring = Self { fighters: build(&scripts), scripts: scripts.clone(), strike_contacts: Vec::new() };
        }
        for (me, script) in scripts.iter().enumerate() {
            for strike in &script.strikes {
                ring.execute(me, strike, bout);
            }
        }
        ring.strike_contacts.sort_by(|a, b| a.secs.total_cmp(&b.secs));
        Ok(ring)
    }

    /// Records both fighters.
    pub(super) fn record(&self, clock: Clock) -> Result<Take> {
        let mut poses = self.fighters.each_ref().map(|fighter| LocalPose::rest(&fighter.figure.skeleton));
        let mut parts = [ClipParts::default(), ClipParts::default()];
        for frame in 0..clock.frames {
            for (me, pose) in poses.iter_mut().enumerate() {
                self.pose(me, frame as f64 / clock.rate_hz, pose);
                parts[me].push(pose.view());
            }
        }
        let actors = parts.into_iter().zip(&self.fighters).zip(NAMES).map(|((parts, fighter), name)| {
            let clip = Clip::new(fighter.figure.skeleton.clone(), clock.rate_hz, parts)?;
            Ok(Actor { name: name.to_owned(), clip })
        });
        Ok(Take::new("taekwondo", actors.collect::<Result<_>>()?)?)
    }

    fn pose(&self, me: usize, secs: f64, pose: &mut LocalPose) -> WorldPose {
        let mut body = WorldPose::scratch(&self.fighters[me].figure.skeleton);
        self.fighters[me].pose(secs, self.fighters[1 - me].place(secs), pose, &mut body);
        body
    }

    /// The world pose of a fighter at a time.
    fn body(&self, me: usize, secs: f64) -> WorldPose {
        self.pose(me, secs, &mut LocalPose::rest(&self.fighters[me].figure.skeleton))
    }

    /// The target of a strike.
    fn aim(&self, me: usize, strike: &PlannedStrike, bout: &Bout) -> Aim {
        let secs = strike.attack.contact_secs;
        let response = bout
            .rounds
            .iter()
            .find(|round| round.attack == Some(strike.attack))
            .map_or(Movement::Dodge, |round| round.turns[1 - me].movement);
        let dodged = response == Movement::Dodge;
        let body = self.body(1 - me, if dodged { secs - BEFORE_DODGE_SECS } else { secs });
        let at =
            |role: Role| body.skeleton().joint_of(role).map_or(Vec3::ZERO, |joint| body.positions[joint]);
        let height_m = self.fighters[1 - me].figure.height_m;
        // Towards the attacker, and for a circular kick to the side from which it comes.
        let sideways =
            if matches!(strike.movement, Movement::Roundhouse | Movement::HighKick) { 0.55 } else { 0.1 };
        let out = self.fighters[me].facing(secs, Vec3::new(-sideways, 0.0, -1.0)).normalize_or(Vec3::Z);
        let (target, struck) = if response.is_block() {
            let rear = LEADS[1 - me].other();
            let (elbow, wrist) = (at(Role::LeftLowerArm.on(rear)), at(Role::LeftHand.on(rear)));
            let on_arm = elbow.lerp(wrist, FOREARM_SHARE);
            (on_arm + FOREARM * height_m * out, Role::LeftLowerArm.on(rear))
        } else if strike.movement == Movement::HighKick {
            (at(Role::Head) + Vec3::Y * 0.04 * height_m + HEAD * height_m * out, Role::Head)
        } else {
            let (low, high) = match strike.movement {
                Movement::Punch => (0.62, 0.80),
                Movement::FrontKick => (0.22, 0.45),
                Movement::SideKick => (0.30, 0.55),
                _ => (0.35, 0.70),
            };
            let share = low + (high - low) * strike.attack.aim as f32;
            let struck = match share {
                ..0.38 => Role::Spine,
                ..0.66 => Role::Chest,
                _ => Role::UpperChest,
            };
            (at(Role::Hips).lerp(at(Role::Neck), share) + TRUNK * height_m * out, struck)
        };
        Aim { target, struck: (!dodged).then_some(struck) }
    }

    /// The forward shift of the attacker that gives the limb its intended stretch.
    fn missing_reach_m(&self, me: usize, strike: &PlannedStrike, bout: &Bout) -> f32 {
        let secs = strike.attack.contact_secs;
        let target = self.aim(me, strike, bout).target;
        let (root, end, reach_m) = match strike.form.weapon {
            Weapon::Fist => {
                let body = self.body(me, secs);
                let joint = body.skeleton().joint_of(Role::LeftUpperArm.on(strike.side)).unwrap_or(0);
                let figure = &self.fighters[me].figure;
                let fist_m = fist_m(figure);
                let shoulder = body.positions[joint];
                let wrist = target + fist_m * (shoulder - target).normalize_or(Vec3::Y);
                (shoulder, wrist, arm_reach_m(figure))
            }
            Weapon::Foot(form) => {
                let hip = self.fighters[me].hip(strike.side, secs);
                let reach_m = self.fighters[me].figure.leg(strike.side).reach_m(KNEE.min_fold_rad);
                (hip, self.kicking_ankle(me, strike, &form, target), reach_m)
            }
        };
        let limb = end - root;
        let ahead = limb.normalize_or(Vec3::Z).with_y(0.0).length().max(0.5);
        (limb.length() - STRETCHED * reach_m) / ahead
    }

    fn kicking_ankle(&self, me: usize, strike: &PlannedStrike, form: &KickForm, target: Vec3) -> Vec3 {
        let fighter = &self.fighters[me];
        let secs = strike.attack.contact_secs;
        let pole = fighter.facing(secs, form.poles[1]);
        ankle_for(
            (fighter.figure.leg(strike.side), fighter.figure.sole),
            fighter.hip(strike.side, secs),
            target,
            (form.part, pole, form.stretch_rad[1]),
        )
    }

    /// Moves the limb to its target, and records the contact.
    fn execute(&mut self, me: usize, strike: &PlannedStrike, bout: &Bout) {
        let aim = self.aim(me, strike, bout);
        let role = match strike.form.weapon {
            Weapon::Fist => {
                self.punch(me, strike, aim.target);
                Role::LeftHand
            }
            Weapon::Foot(form) => {
                let kick = self.kick(me, strike, &form, aim.target);
                self.fighters[me].kicks[strike.side as usize].push(kick);
                if form.part == FootPart::Ball { Role::LeftToes } else { Role::LeftFoot }
            }
        };
        if let Some(struck) = aim.struck {
            self.strike_contacts.push(StrikeContact {
                secs: strike.attack.contact_secs,
                striker: TakeJoint { actor: me, role: role.on(strike.side) },
                struck: TakeJoint { actor: 1 - me, role: struck },
                place: aim.target,
            });
        }
    }

    /// Moves the knuckles to the target by a few corrections of the wrist.
    fn punch(&mut self, me: usize, strike: &PlannedStrike, target: Vec3) {
        let [leaves, _, contact, _, back] = strike.secs;
        let secs = [leaves.max(contact - 0.19), contact - 0.015, contact + 0.02, back];
        self.fighters[me].reaches.push(Reach { side: strike.side, wrist: target, secs });
        let last = self.fighters[me].reaches.len() - 1;
        for _ in 0..8 {
            let body = self.body(me, contact);
            let knuckles = body.skeleton().joint_of(Role::LeftMiddleProximal.on(strike.side)).unwrap_or(0);
            self.fighters[me].reaches[last].wrist += target - body.positions[knuckles];
        }
    }

    fn kick(&self, me: usize, strike: &PlannedStrike, form: &KickForm, target: Vec3) -> Kick {
        let fighter = &self.fighters[me];
        let [leaves, chamber, contact, back, down] = strike.secs;
        let side = strike.side;
        let before = |secs: f64| fighter.feet.at(side, secs);
        let (from, to) = (before(leaves - 1e-6), before(down + 1e-6));
        let in_chamber = |secs: f64| fighter.hip(side, secs) + fighter.facing(secs, form.chamber);
        let ankle = |foot: Option<crate::gait::FootPose>, secs| {
            foot.map_or(fighter.hip(side, secs), |foot| foot.ankle)
        };
        let pole = |foot: Option<crate::gait::FootPose>, secs| {
            let foot = foot.map_or(Vec3::Z, |foot| Quat::from_rotation_y(foot.yaw_rad) * Vec3::Z);
            1.5 * foot + fighter.facing(secs, Vec3::new(-0.5, 0.0, 0.85))
        };
        let arrives = self.kicking_ankle(me, strike, form, target);
        // Returns along the same path, slightly lower.
        let lowered = Vec3::Y * -0.06;
        Kick::new(KickPath {
            secs: strike.secs,
            ankles: [
                ankle(from, leaves),
                in_chamber(chamber),
                arrives,
                in_chamber(back) + lowered,
                ankle(to, down),
            ],
            poles: [
                pole(from, leaves),
                fighter.facing(chamber, form.poles[0]),
                fighter.facing(contact, form.poles[1]),
                fighter.facing(back, form.poles[0]),
                pole(to, down),
            ],
            stretch_rad: form.stretch_rad,
            ends: [from, to].map(|foot| foot.map_or(Quat::IDENTITY, |foot| foot.rotation)),
            toes_up_rad: from.map_or(0.0, |foot| foot.toes_up_rad),
        })
    }
}

/// From the wrist to the knuckles.
fn fist_m(figure: &Figure) -> f32 {
    let knuckles = figure.skeleton.joint_of(Role::LeftMiddleProximal);
    knuckles.map_or(0.0, |joint| figure.skeleton.offsets()[joint].length())
}
