//! World positions of takes with two actors, for the tests of dances and bouts.
#![allow(dead_code, reason = "each test file uses only some functions")]

use marey_examples::Example;
use marey_motion::{Clip, Role, Side, Vec3, WorldClip, WorldPose};

/// An example with the world positions of both actors.
pub(crate) struct WorldExample {
    pub(crate) example: Example,
    pub(crate) worlds: Vec<WorldClip>,
}

impl WorldExample {
    pub(crate) fn of(example: Example) -> Self {
        let worlds = example.take.actors().iter().map(|actor| actor.clip.world()).collect();
        Self { example, worlds }
    }

    pub(crate) fn clip(&self, actor: usize) -> &Clip {
        &self.example.take.actors()[actor].clip
    }

    pub(crate) fn frames(&self) -> std::ops::Range<usize> {
        0..self.example.take.frames()
    }

    pub(crate) fn at(&self, actor: usize, role: Role, frame: usize) -> Vec3 {
        let joint = self.clip(actor).skeleton().joint_of(role).unwrap();
        self.worlds[actor].positions_at(frame)[joint]
    }

    pub(crate) fn bone(&self, actor: usize, from: Role, to: Role, frame: usize) -> [Vec3; 2] {
        [self.at(actor, from, frame), self.at(actor, to, frame)]
    }

    /// The fold of a knee or an elbow in degrees; negative if it bends in the wrong direction. `hinge` is the axis of the fold in the frame
    /// of the upper bone.
    pub(crate) fn folds(&self, actor: usize, roles: [Role; 3], hinge: Vec3) -> impl Iterator<Item = f32> {
        let clip = self.clip(actor);
        let [a, b, c] = roles.map(|role| clip.skeleton().joint_of(role).unwrap());
        let world = &self.worlds[actor];
        self.frames().map(move |frame| {
            let at = world.positions_at(frame);
            let (upper, lower) = (at[b] - at[a], at[c] - at[b]);
            let hinge = world.rotations_at(frame)[a] * hinge;
            upper.angle_between(lower).to_degrees() * upper.cross(lower).dot(hinge).signum()
        })
    }

    /// The smallest distance between a bone of one actor and a bone of the other, in metres, and its frame.
    pub(crate) fn nearest_m(&self, one: [Role; 2], other: [Role; 2]) -> (f32, usize) {
        let all = self.frames().map(|frame| {
            let bones = (self.bone(0, one[0], one[1], frame), self.bone(1, other[0], other[1], frame));
            (apart_m(bones.0, bones.1), frame)
        });
        all.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap()
    }

    /// The point of a sole that touches the floor: the heel of a foot, the ball joint of toes.
    pub(crate) fn sole_point(&self, actor: usize, role: Role, frame: usize) -> Vec3 {
        let skeleton = self.clip(actor).skeleton();
        let joint = skeleton.joint_of(role).unwrap();
        let at = self.worlds[actor].positions_at(frame)[joint];
        if matches!(role, Role::LeftToes | Role::RightToes) {
            return at;
        }
        let heel = skeleton.tips().iter().find(|tip| tip.parent == joint).unwrap().offset;
        at + self.worlds[actor].rotations_at(frame)[joint] * heel
    }

    /// The height of the lowest point of an actor, in metres.
    pub(crate) fn lowest(&self, actor: usize) -> f32 {
        let clip = self.clip(actor);
        clip.poses().map(|pose| WorldPose::of(clip.skeleton(), pose).lowest()).fold(f32::INFINITY, f32::min)
    }

    pub(crate) fn largest_acceleration(&self) -> (f32, &'static str, usize) {
        let rate = self.example.take.rate_hz() as f32;
        let mut largest = (0.0, "", 0);
        for (actor, world) in self.worlds.iter().enumerate() {
            for frame in 1..self.example.take.frames() - 1 {
                let [a, b, c] = [frame - 1, frame, frame + 1].map(|f| world.positions_at(f));
                for j in 0..a.len() {
                    let acceleration = (a[j] - 2.0 * b[j] + c[j]).length() * rate * rate;
                    if acceleration > largest.0 {
                        largest = (
                            acceleration,
                            self.clip(actor).skeleton().joints()[j].role.unwrap().name(),
                            frame,
                        );
                    }
                }
            }
        }
        largest
    }
}

/// The distance between two line segments, by sampling both.
pub(crate) fn apart_m(one: [Vec3; 2], other: [Vec3; 2]) -> f32 {
    let on = |line: [Vec3; 2], i: usize| line[0].lerp(line[1], i as f32 / 8.0);
    let all = (0..=8).flat_map(|i| (0..=8).map(move |j| on(one, i).distance(on(other, j))));
    all.fold(f32::INFINITY, f32::min)
}

/// Both bones of a limb on each side, as pairs of roles.
pub(crate) fn limbs(upper: Role, middle: Role, end: Role) -> [[Role; 2]; 4] {
    let [left, right] = Side::BOTH.map(|side| [upper.on(side), middle.on(side), end.on(side)]);
    [[left[0], left[1]], [left[1], left[2]], [right[0], right[1]], [right[1], right[2]]]
}
