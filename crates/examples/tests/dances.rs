//! Dances of many seeds keep what a dance of two must keep.

use marey_examples::lindy::{self, DATABASE, LindySettings, NOVEL, Pattern, TEMPO_BPM, dance, patterns};
use marey_examples::waltz::{WaltzSettings, waltz};
use marey_examples::{Body, Example, Hand, Truth};
use marey_motion::{Clip, Coded, Role, Side, Vec3, WorldClip};

/// A dance, seen: world positions of both dancers.
struct Seen {
    example: Example,
    worlds: Vec<WorldClip>,
}

impl Seen {
    fn of(example: Example) -> Self {
        let worlds = example.take.actors().iter().map(|actor| actor.clip.world()).collect();
        Self { example, worlds }
    }

    fn clip(&self, actor: usize) -> &Clip {
        &self.example.take.actors()[actor].clip
    }

    fn frames(&self) -> std::ops::Range<usize> {
        0..self.example.take.frames()
    }

    fn at(&self, actor: usize, role: Role, frame: usize) -> Vec3 {
        let joint = self.clip(actor).skeleton().joint_of(role).unwrap();
        self.worlds[actor].positions_at(frame)[joint]
    }

    fn bone(&self, actor: usize, from: Role, to: Role, frame: usize) -> [Vec3; 2] {
        [self.at(actor, from, frame), self.at(actor, to, frame)]
    }

    /// How far each hold is from the distance it should keep, at the worst, in metres.
    fn loosest_hold_m(&self) -> f32 {
        let truth = &self.example.truth;
        let off = truth.holds().iter().flat_map(|hold| {
            hold.frames.clone().map(|frame| {
                let place = |hand: Hand| self.at(hand.actor, hand.role, frame);
                (place(hold.one).distance(place(hold.other)) - hold.gap_m).abs()
            })
        });
        off.fold(0.0, f32::max)
    }

    /// The fold of a knee or an elbow in degrees, negative where it bends the wrong way. `hinge` is the upper bone's own
    /// axis, about which it folds.
    fn folds(&self, actor: usize, roles: [Role; 3], hinge: Vec3) -> impl Iterator<Item = f32> {
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

    /// The least distance between a bone of the one and a bone of the other, in metres.
    fn nearest_m(&self, one: [Role; 2], other: [Role; 2]) -> (f32, usize) {
        let all = self.frames().map(|frame| {
            let bones = (self.bone(0, one[0], one[1], frame), self.bone(1, other[0], other[1], frame));
            (apart_m(bones.0, bones.1), frame)
        });
        all.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap()
    }

    fn greatest_acceleration(&self) -> (f32, &'static str, usize) {
        let rate = self.example.take.rate_hz() as f32;
        let mut most = (0.0, "", 0);
        for (actor, world) in self.worlds.iter().enumerate() {
            for frame in 1..self.example.take.frames() - 1 {
                let [a, b, c] = [frame - 1, frame, frame + 1].map(|f| world.positions_at(f));
                for j in 0..a.len() {
                    let here = (a[j] - 2.0 * b[j] + c[j]).length() * rate * rate;
                    if here > most.0 {
                        most = (here, self.clip(actor).skeleton().joints()[j].role.unwrap().name(), frame);
                    }
                }
            }
        }
        most
    }
}

/// The distance between two lines of finite length, by looking at many points of both.
fn apart_m(one: [Vec3; 2], other: [Vec3; 2]) -> f32 {
    let on = |line: [Vec3; 2], i: usize| line[0].lerp(line[1], i as f32 / 8.0);
    let all = (0..=8).flat_map(|i| (0..=8).map(move |j| on(one, i).distance(on(other, j))));
    all.fold(f32::INFINITY, f32::min)
}

/// All patterns once and more, at three tempos, with three pairs of bodies; and waltzes.
fn assortment() -> Vec<Seen> {
    let [one, two, three, four, five, six, seven] = DATABASE;
    let known = vec![one, two, seven, three, six, four, five];
    let n = |i: usize| NOVEL[i - 1];
    let novel = vec![
        n(1), n(8), n(3), n(2), n(14), n(10), n(12), n(9), n(13), n(11), n(8), n(4), three, n(5), n(8), n(6), n(8), n(7),
    ];
    let mut dances = Vec::new();
    for (seed, tempo_bpm) in [120.0, 152.0, 190.0].into_iter().enumerate() {
        for (half, patterns) in [&known, &novel].into_iter().enumerate() {
            let body = |height_m| Body { height_m, ..Body::default() };
            let heights = [(1.78, 1.66), (1.9, 1.65), (1.66, 1.66)][seed];
            let settings = LindySettings {
                seed: (10 * seed + half) as u64,
                leader: body(heights.0),
                follower: body(heights.1),
                ..LindySettings::default()
            };
            dances.push(Seen::of(dance(&settings, patterns, tempo_bpm).unwrap()));
        }
    }
    for seed in 0..3 {
        let tempo_bpm = [88.0, 70.0, 110.0][seed as usize];
        dances.push(Seen::of(waltz(&WaltzSettings { seed, tempo_bpm, ..WaltzSettings::default() }).unwrap()));
    }
    dances
}

#[test]
fn diagnose() {
    use Role::*;
    for seen in assortment() {
        let acc = seen.greatest_acceleration();
        println!("--- {} frames {} hold {:.4} acc {:?}", seen.example.take.name(), seen.frames().end, seen.loosest_hold_m(), acc);
        for hold in seen.example.truth.holds() {
            let worst = hold.frames.clone().map(|f| ((seen.at(hold.one.actor,hold.one.role,f).distance(seen.at(hold.other.actor,hold.other.role,f))-hold.gap_m).abs(), f)).max_by(|a,b| a.0.total_cmp(&b.0)).unwrap();
            if worst.0 > 0.001 { println!("hold {} {} {:?}: {:?} label {:?}", hold.one.actor, hold.one.role, hold.frames, worst, seen.example.truth.labels().iter().find(|l| l.end > worst.1).unwrap().name); }
        }
        for j in [LeftLowerLeg, RightLowerLeg, LeftLowerArm, RightLowerArm, LeftHand, RightHand, LeftFoot] { for a in 0..2 {
            let m = (1..seen.frames().end-1).map(|f| ((seen.at(a,j,f-1)-2.0*seen.at(a,j,f)+seen.at(a,j,f+1)).length()*3600.0, f)).max_by(|a,b| a.0.total_cmp(&b.0)).unwrap();
            if m.0 > 300.0 { println!("acc {a} {j} {m:?} {}", seen.example.truth.labels().iter().find(|l| l.end > m.1).unwrap().name); }
        } }
        for (one, other) in [(LeftFoot,RightFoot),(RightFoot,LeftFoot)] { let knee = |r: Role| if r==LeftFoot {LeftLowerLeg} else {RightLowerLeg}; let mut by = std::collections::BTreeMap::new(); for f in seen.frames() { let d = apart_m(seen.bone(0,knee(one),one,f), seen.bone(1,knee(other),other,f)); let l = seen.example.truth.labels().iter().find(|l| l.end > f).unwrap().name.clone(); let e = by.entry(l).or_insert((9.0f32,0)); if d < e.0 { *e = (d,f); } } if seen.example.take.name()=="waltz" { println!("acc by {by:?}"); } }
        let t = seen.nearest_m([Hips, Neck], [Hips, Neck]);
        let h = seen.nearest_m([Neck, Head], [Neck, Head]);
        println!("torso {t:?} head {h:?}");
        for a in 0..2 { for side in Side::BOTH {
            let k: Vec<f32> = seen.folds(a, [LeftUpperLeg, LeftLowerLeg, LeftFoot].map(|r| r.on(side)), Vec3::X).collect();
            let e: Vec<f32> = seen.folds(a, [LeftUpperArm, LeftLowerArm, LeftHand].map(|r| r.on(side)), if side == Side::Left { Vec3::NEG_Y } else { Vec3::Y }).collect();
            let mm = |v: &[f32]| (v.iter().copied().fold(f32::MAX, f32::min), v.iter().copied().fold(f32::MIN, f32::max));
            print!("actor {a} {side:?} knee {:?} elbow {:?} ", mm(&k), mm(&e));
        } println!(); }
        for (one, other) in [(LeftFoot,LeftFoot),(LeftFoot,RightFoot),(RightFoot,LeftFoot),(RightFoot,RightFoot)] {
            let toes = |r: Role| if r==LeftFoot {LeftToes} else {RightToes};
            let knee = |r: Role| if r==LeftFoot {LeftLowerLeg} else {RightLowerLeg};
            let hip = |r: Role| if r==LeftFoot {LeftUpperLeg} else {RightUpperLeg};
            print!("{one:?} {other:?} feet {:?} shins {:?} thighs {:?} ; ", seen.nearest_m([one,toes(one)],[other,toes(other)]), seen.nearest_m([knee(one),one],[knee(other),other]), seen.nearest_m([hip(one),knee(one)],[hip(other),knee(other)]));
        }
        println!();
        for (l, h) in [(LeftLowerArm, LeftHand),(RightLowerArm,RightHand)] {
            println!("L forearm-F torso {:?} head {:?}  F forearm-L torso {:?} head {:?}", seen.nearest_m([l,h],[Hips,Neck]), seen.nearest_m([l,h],[Neck,Head]), seen.nearest_m([Hips,Neck],[l,h]), seen.nearest_m([Neck,Head],[l,h]));
            for a in 0..2 {
                let own = seen.frames().map(|f| (apart_m(seen.bone(a,l,h,f), seen.bone(a,Hips,Neck,f)),f)).min_by(|a,b| a.0.total_cmp(&b.0)).unwrap();
                let head = seen.frames().map(|f| (apart_m(seen.bone(a,l,h,f), seen.bone(a,Neck,Head,f)),f)).min_by(|a,b| a.0.total_cmp(&b.0)).unwrap();
                print!("own {a}: torso {own:?} head {head:?}  ");
            }
            println!();
        }
    }
}
