//! A plain parser of the skeletal animations in a layer, line by line.

use marey_motion::{Quat, Vec3};

/// One animation: the parent of each joint, and the joints in every frame.
pub(crate) struct Animated {
    parents: Vec<Option<usize>>,
    pub(crate) frames: Vec<(Vec<Quat>, Vec<Vec3>)>,
}

/// All numbers of a line after a character.
fn numbers(line: &str, after: char) -> Vec<f32> {
    let (_, rest) = line.split_once(after).unwrap();
    let split = rest.split(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-' | 'e')));
    split.filter(|word| !word.is_empty()).map(|word| word.parse().unwrap()).collect()
}

impl Animated {
    pub(crate) fn all(text: &str) -> Vec<Self> {
        let parts = text.split("def SkelAnimation").skip(1);
        parts.map(Self::parse).collect()
    }

    fn parse(text: &str) -> Self {
        let line = |start: &str| text.lines().find(|line| line.trim().starts_with(start)).unwrap();
        let (_, list) = line("uniform token[] joints").split_once(" = [").unwrap();
        let paths: Vec<&str> =
            list.trim_end_matches(']').split(", ").map(|path| path.trim_matches('"')).collect();
        let parent = |path: &&str| {
            let (above, _) = path.rsplit_once('/')?;
            Some(paths.iter().position(|other| *other == above).unwrap())
        };
        let samples = |start: &str| {
            let lines = text.lines().skip_while(move |line| !line.trim().starts_with(start)).skip(1);
            lines.take_while(|line| line.trim() != "}").map(|line| numbers(line, '[')).collect::<Vec<_>>()
        };
        let rotations = samples("quatf[] rotations.timeSamples");
        let translations = samples("float3[] translations.timeSamples");
        assert_eq!(rotations.len(), translations.len());
        let frame = |(rotations, translations): (Vec<f32>, Vec<f32>)| {
            let rotations = rotations.chunks_exact(4).map(|q| Quat::from_xyzw(q[1], q[2], q[3], q[0]));
            (rotations.collect(), translations.chunks_exact(3).map(Vec3::from_slice).collect())
        };
        let frames = rotations.into_iter().zip(translations).map(frame).collect();
        Self { parents: paths.iter().map(parent).collect(), frames }
    }

    /// The world position of each joint in a frame.
    pub(crate) fn positions(&self, frame: usize) -> Vec<Vec3> {
        let (rotations, translations) = &self.frames[frame];
        let mut world: Vec<(Quat, Vec3)> = Vec::new();
        for ((parent, rotation), at) in self.parents.iter().zip(rotations).zip(translations) {
            let (turn, origin) = parent.map_or((Quat::IDENTITY, Vec3::ZERO), |parent| world[parent]);
            world.push((turn * *rotation, origin + turn * *at));
        }
        world.into_iter().map(|(_, at)| at).collect()
    }
}
