//! Takes for round trips, and how far they are apart.

use std::sync::Arc;

use marey_examples::walk::{WalkSettings, walk};
use marey_motion::{Actor, Clip, ClipParts, Joint, Quat, Skeleton, Take, Tip, Vec3};
use proptest::prelude::*;

/// The largest distance between joints of two takes. Joints are matched by name; fails if one is missing.
pub(crate) fn worst_m(a: &Take, b: &Take) -> f32 {
    assert_eq!((a.actors().len(), a.frames()), (b.actors().len(), b.frames()));
    let mut worst = 0f32;
    for (a, b) in a.actors().iter().zip(b.actors()) {
        let (a, b) = (&a.clip, &b.clip);
        assert_eq!(a.skeleton().len(), b.skeleton().len());
        let (before, after) = (a.world(), b.world());
        for (joint, data) in a.skeleton().joints().iter().enumerate() {
            let same =
                b.skeleton().joint_named(&data.name).unwrap_or_else(|| panic!("no joint {:?}", data.name));
            for frame in 0..a.frames() {
                let (p, q) = (before.positions_at(frame)[joint], after.positions_at(frame)[same]);
                worst = worst.max(p.distance(q));
            }
        }
    }
    worst
}

/// A generated walk of six seconds.
pub(crate) fn walker() -> Take {
    walk(&WalkSettings { duration_secs: 6.0, ..WalkSettings::default() }).unwrap().take
}

/// The walk by two actors, side by side.
pub(crate) fn pair() -> Take {
    let clip = walker().first().clone();
    let mut parts = clip.clone().into_parts();
    parts.positions.iter_mut().for_each(|p| p.x += 2.0);
    let other = Clip::new(clip.skeleton().clone(), clip.rate_hz(), parts).unwrap();
    let actor = |name: &str, clip| Actor { name: name.into(), clip };
    Take::new("pair", vec![actor("leader", clip), actor("follower", other)]).unwrap()
}

fn any_skeleton() -> impl Strategy<Value = Skeleton> {
    let vector = || prop::array::uniform3(-1f32..1.0).prop_map(Vec3::from_array);
    let turn = || {
        prop::array::uniform4(-1f32..1.0).prop_map(|q| {
            let q = Quat::from_array(q);
            if q.length() > 0.1 { q.normalize() } else { Quat::IDENTITY }
        })
    };
    let joint =
        (any::<prop::sample::Index>(), vector(), turn(), prop::bool::weighted(0.2), "[a-c \"\\\\:.é]{0,3}");
    let tips = prop::collection::vec((any::<prop::sample::Index>(), vector()), 0..3);
    (prop::collection::vec(joint, 1..9), tips).prop_map(|(joints, tips)| {
        let made =
            joints.into_iter().enumerate().map(|(i, (parent, offset, rest_rotation, moves, name))| Joint {
                moves,
                rest_rotation,
                ..Joint::new(format!("{name}{i}"), (i > 0).then(|| parent.index(i.max(1))), offset)
            });
        let made: Vec<Joint> = made.collect();
        let tips = tips.into_iter().map(|(p, offset)| Tip { parent: p.index(made.len()), offset }).collect();
        Skeleton::new(made, tips).unwrap()
    })
}

/// A random motion of a random skeleton with odd names.
pub(crate) fn any_take() -> impl Strategy<Value = Take> {
    let rate = prop::sample::select(vec![24.0, 25.0, 30.0, 60.0, 119.88, 120.0]);
    (any_skeleton(), 1usize..12, rate, any::<u64>()).prop_map(|(skeleton, frames, rate_hz, seed)| {
        let mut state = seed | 1;
        let mut number = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 40) as f32 / (1 << 24) as f32 * 2.0 - 1.0
        };
        let skeleton = Arc::new(skeleton);
        let mut parts = ClipParts::default();
        for _ in 0..frames {
            for _ in 0..skeleton.len() {
                parts
                    .rotations
                    .push(Quat::from_xyzw(number(), number(), number(), number() + 1.5).normalize());
            }
            for _ in skeleton.movers() {
                parts.positions.push(Vec3::new(number(), number(), number()));
            }
        }
        Take::solo("any", Clip::new(skeleton, rate_hz, parts).unwrap())
    })
}
