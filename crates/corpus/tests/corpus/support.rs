//! Folders and motion for the tests.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use marey_examples::walk::{WalkSettings, walk};
use marey_motion::{Actor, Clip, ClipParts, Joint, Quat, Role, Skeleton, Take, Vec3};

/// A folder that is removed when it goes out of scope.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("corpus-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A generated walk.
pub(crate) fn walking(seed: u64, duration_secs: f64) -> Take {
    let settings = WalkSettings { seed, duration_secs, rate_hz: 30.0, ..WalkSettings::default() };
    let take = walk(&settings).unwrap().take;
    Take::new(format!("walk{seed}"), take.into_actors()).unwrap()
}

/// A small figure of three joints that turns, another for each seed.
pub(crate) fn little(name: &str, seed: u64, frames: usize) -> Take {
    Take::solo(name, little_clip(seed, frames))
}

/// Two of them at a distance.
pub(crate) fn couple(name: &str, seed: u64, frames: usize) -> Take {
    let actor = |name: &str, seed| Actor { name: name.into(), clip: little_clip(seed, frames) };
    Take::new(name, vec![actor("leader", seed), actor("follower", seed + 1000)]).unwrap()
}

fn little_clip(seed: u64, frames: usize) -> Clip {
    let mut hand = Joint::new("hand", Some(1), Vec3::X * 0.3).with_role(Role::LeftHand);
    hand.moves = seed % 3 == 1;
    let joints = vec![
        Joint::new("hips", None, Vec3::ZERO).with_role(Role::Hips),
        Joint::new("arm", Some(0), Vec3::Y * 0.5),
        hand,
        Joint::new("tail", Some(0), Vec3::Z * -0.2),
    ];
    let skeleton = Arc::new(Skeleton::new(joints, vec![]).unwrap());
    let mut parts = ClipParts::default();
    for frame in 0..frames {
        let t = frame as f32 * 0.05 + seed as f32;
        parts.rotations.extend([
            Quat::from_rotation_y(t.sin()),
            Quat::from_rotation_x(0.7 * t) * Quat::from_rotation_z(0.3),
            Quat::from_rotation_z(2.0 * t.cos()),
            Quat::IDENTITY,
        ]);
        parts.positions.push(Vec3::new(0.01 * t, 0.9, (seed % 7) as f32));
        if skeleton.movers().len() > 1 {
            parts.positions.push(Vec3::new(0.3 + 0.01 * t.sin(), 0.0, 0.0));
        }
    }
    Clip::new(skeleton, 30.0, parts).unwrap()
}

/// How far apart the same joints of two takes ever are, in metres.
pub(crate) fn farthest_m(a: &Take, b: &Take) -> f32 {
    assert_eq!(a.actors().len(), b.actors().len());
    let pairs = a.actors().iter().zip(b.actors());
    let far = |(a, b): (&Actor, &Actor)| {
        let (a, b) = (a.clip.world(), b.clip.world());
        assert_eq!(a.positions.len(), b.positions.len());
        a.positions.iter().zip(&b.positions).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
    };
    pairs.map(far).fold(0.0, f32::max)
}
