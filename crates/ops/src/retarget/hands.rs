//! Hands of the target that keep their distances to bodies and the floor.
//!
//! A hand that touches something in the source, or is nearer than its own length, should be as near in the target. Each part of a
//! body near the palm (`surface.rs`), the floor and each other hand propose a goal for the palm: as far from the surface as in
//! the source, in the same direction. Goals count more the nearer the palm is. Hands of several actors are solved together,
//! because both hands of a handshake move: in each round, every hand goes to the mean of its goals, as far as its arm reaches.

use glam::Vec3;
use marey_motion::{Clip, Side, Skeleton, WorldPose};

use super::arms::{Arm, Palm};
use super::figure::Figure;
use super::solver::Size;
use super::surface::{Capsule, Surface};

/// Length of a hand, as a fraction of the height: palms within this distance of a surface keep their distance.
const HAND: f32 = 0.108;
/// Rounds in which hands that depend on each other approach their goals.
const ROUNDS: usize = 12;
/// Shorter corrections, in metres, are left out.
const MIN_SHIFT_M: f32 = 1e-5;

/// One body, source or target, in its T-pose: what its hands touch with, and what is touched.
#[derive(Debug)]
pub(super) struct TouchBody {
    palms: [Option<Palm>; 2],
    surface: Surface,
    height_m: f32,
}

impl TouchBody {
    pub(super) fn of(skeleton: &Skeleton, size: Size) -> Self {
        Self {
            palms: Side::BOTH.map(|side| Palm::of(skeleton, side, size)),
            surface: Surface::of(skeleton, size),
            height_m: size.height_m(),
        }
    }
}

/// The source and the target of one actor, and how the target's hands move.
#[derive(Debug)]
pub(super) struct Hands {
    pub(super) source: TouchBody,
    pub(super) target: TouchBody,
    arms: [Option<Arm>; 2],
}

impl Hands {
    /// Both skeletons rest in their T-poses.
    pub(super) fn new(source: &Skeleton, target: &Skeleton) -> Self {
        Self {
            source: TouchBody::of(source, Size::of(source)),
            target: TouchBody::of(target, Size::of(target)),
            arms: Side::BOTH.map(|side| Arm::of(target, side)),
        }
    }
}

/// An actor whose hands are solved together with those of others.
pub(super) struct TouchingActor<'a> {
    pub(super) hands: &'a Hands,
    pub(super) source: &'a Clip,
    pub(super) target: &'a Skeleton,
    /// Its motion on the target, with feet on the floor.
    pub(super) figures: &'a mut [Figure],
    /// Whether hands may be moved. Actors that keep their body keep their motion.
    pub(super) can_move: bool,
    /// Heights of the floor in source and target.
    pub(super) floor_m: f32,
}

/// Moves the hands of actors in all frames.
pub(super) fn keep_touches(actors: &mut [TouchingActor<'_>]) {
    if actors.iter().all(|actor| !actor.can_move) {
        return;
    }
    let frames = actors.iter().map(|actor| actor.figures.len()).min().unwrap_or(0);
    let mut worlds: Vec<WorldPose> =
        actors.iter().map(|actor| WorldPose::scratch(actor.source.skeleton())).collect();
    for frame in 0..frames {
        for (world, actor) in worlds.iter_mut().zip(actors.iter()) {
            world.set(actor.source.pose(frame));
        }
        let shifts = Moment::new(actors, &worlds, frame).solve();
        for (actor, shifts) in actors.iter_mut().zip(shifts) {
            for (arm, shift) in actor.hands.arms.iter().zip(shifts) {
                if let Some(arm) = arm.as_ref().filter(|_| shift.length() > MIN_SHIFT_M) {
                    arm.shift(actor.target, &mut actor.figures[frame], shift);
                }
            }
        }
    }
}

/// One frame of all actors.
struct Moment<'a> {
    palms: Vec<PalmAt>,
    /// For each palm, what holds it.
    anchors: Vec<Vec<Anchor>>,
    actors: &'a [TouchingActor<'a>],
}

/// A palm in a frame.
struct PalmAt {
    actor: usize,
    side: usize,
    /// In the source, and in the target before any correction.
    source: Vec3,
    target: Vec3,
    /// Shoulder and length of the arm; `None` if it does not move.
    reach: Option<(Vec3, f32)>,
    /// From the wrist to the palm of the target.
    from_wrist: Vec3,
}

/// A wish for the position of a palm.
struct Anchor {
    weight: f32,
    goal: Goal,
}

enum Goal {
    At(Vec3),
    Height(f32),
    /// At an offset from another palm.
    From {
        palm: usize,
        offset: Vec3,
    },
}

impl<'a> Moment<'a> {
    fn new(actors: &'a [TouchingActor<'a>], worlds: &[WorldPose], frame: usize) -> Self {
        let positions: Vec<Vec<Vec3>> =
            actors.iter().map(|actor| actor.figures[frame].positions(actor.target)).collect();
        let mut palms = Vec::new();
        for (number, (actor, world)) in actors.iter().zip(worlds).enumerate() {
            let figure = &actor.figures[frame];
            for side in 0..2 {
                let both = (actor.hands.source.palms[side], actor.hands.target.palms[side]);
                let (Some(source), Some(target)) = both else { continue };
                let from_wrist = target.wrist_to_palm(&figure.rotations);
                let arm = actor.hands.arms[side].as_ref().filter(|_| actor.can_move);
                palms.push(PalmAt {
                    actor: number,
                    side,
                    source: world.positions[source.hand] + source.wrist_to_palm(&world.rotations),
                    target: positions[number][target.hand] + from_wrist,
                    reach: arm.map(|arm| (positions[number][arm.upper], arm.reach_m)),
                    from_wrist,
                });
            }
        }
        let mut moment = Self { palms, anchors: Vec::new(), actors };
        moment.anchors =
            (0..moment.palms.len()).map(|palm| moment.anchors_of(palm, worlds, &positions, frame)).collect();
        moment
    }

    /// What a palm is near to in the source.
    fn anchors_of(
        &self,
        number: usize,
        worlds: &[WorldPose],
        positions: &[Vec<Vec3>],
        frame: usize,
    ) -> Vec<Anchor> {
        let palm = &self.palms[number];
        let own = &self.actors[palm.actor];
        let scale = own.hands.target.height_m / own.hands.source.height_m;
        let hand_m = HAND * own.hands.source.height_m;
        let mut anchors = Vec::new();
        if palm.reach.is_none() {
            return anchors;
        }
        let mut add = |gap_m: f32, goal: Goal| {
            let weight = nearness(gap_m / hand_m);
            if weight > 0.0 {
                anchors.push(Anchor { weight, goal });
            }
        };
        add(palm.source.y - own.floor_m, Goal::Height(own.floor_m + scale * (palm.source.y - own.floor_m)));
        for (other, actor) in self.actors.iter().enumerate() {
            let figure = &actor.figures[frame];
            let pairs = actor.hands.source.surface.parts.iter().zip(&actor.hands.target.surface.parts);
            for (part, (source, target)) in pairs.enumerate() {
                let (Some(source), Some(target)) = (source, target) else { continue };
                if other == palm.actor && Surface::is_own_arm(part, Side::BOTH[palm.side]) {
                    continue;
                }
                let ends = source.ends(&worlds[other].positions, &worlds[other].rotations);
                let along = Capsule::nearest(ends, palm.source);
                let away = palm.source - ends[0].lerp(ends[1], along);
                let gap_m = away.length() - source.radius_m;
                let ends = target.ends(&positions[other], &figure.rotations);
                let from_axis = away.normalize_or(Vec3::Z) * (target.radius_m + scale * gap_m).max(0.0);
                add(gap_m, Goal::At(ends[0].lerp(ends[1], along) + from_axis));
            }
        }
        for (other, with) in self.palms.iter().enumerate().filter(|(other, _)| *other != number) {
            let offset = palm.source - with.source;
            // Palms touch at a distance of two half hands.
            add(offset.length() - 0.5 * hand_m, Goal::From { palm: other, offset: scale * offset });
        }
        anchors
    }

    /// The shift of each actor's hands, left and right.
    fn solve(&self) -> Vec<[Vec3; 2]> {
        let mut at: Vec<Vec3> = self.palms.iter().map(|palm| palm.target).collect();
        for _ in 0..ROUNDS {
            for (number, (palm, anchors)) in self.palms.iter().zip(&self.anchors).enumerate() {
                at[number] = palm.reachable(palm.wanted(anchors, &at));
            }
        }
        let mut shifts = vec![[Vec3::ZERO; 2]; self.actors.len()];
        for (palm, at) in self.palms.iter().zip(at) {
            shifts[palm.actor][palm.side] = at - palm.target;
        }
        shifts
    }
}

impl PalmAt {
    /// The mean of the goals, or between it and the uncorrected position if nothing is quite near.
    fn wanted(&self, anchors: &[Anchor], at: &[Vec3]) -> Vec3 {
        let (mut sum, mut total, mut most) = (Vec3::ZERO, 0.0, 0.0f32);
        for Anchor { weight, goal } in anchors {
            let place = match *goal {
                Goal::At(place) => place,
                Goal::Height(height_m) => self.target.with_y(height_m),
                Goal::From { palm, offset } => at[palm] + offset,
            };
            // Squared, so that what is touched counts more than what is only near.
            sum += place * weight * weight;
            total += weight * weight;
            most = most.max(*weight);
        }
        if total > 0.0 { self.target.lerp(sum / total, most) } else { self.target }
    }

    /// The nearest position that the arm reaches.
    fn reachable(&self, palm: Vec3) -> Vec3 {
        let Some((shoulder, reach_m)) = self.reach else { return self.target };
        let wrist = palm - self.from_wrist - shoulder;
        shoulder + wrist.clamp_length_max(reach_m) + self.from_wrist
    }
}

/// 1 at a distance of nothing, 0 from a distance of 1 on.
fn nearness(distance: f32) -> f32 {
    let t = (1.0 - distance).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
