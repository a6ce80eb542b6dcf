//! Writes motion as the channels of an animation.

use marey_motion::{Clip, Take};
use marey_ops::keyframes::Keyframes;

use super::pack::Pack;
use super::scene::{Animation, Channel, Sampler, Target};

/// The times of all frames, and of the first alone, as accessors.
pub(in crate::gltf) struct Clock {
    rate_hz: f64,
    all: usize,
    first: usize,
}

impl Clock {
    /// Packs the times of a take: frame k is at k / rate.
    pub(in crate::gltf) fn of(take: &Take, pack: &mut Pack) -> Self {
        let times: Vec<f32> =
            (0..take.frames()).map(|frame| (frame as f64 / take.rate_hz()) as f32).collect();
        let all = pack.times(&times);
        let first = if times.len() > 1 { pack.times(&[0.0]) } else { all };
        Self { rate_hz: take.rate_hz(), all, first }
    }

    /// The times of a list of values. Reduces the list to the frames in `keys`, or to one value if all are equal. The root keeps all
    /// frames if there are no keys.
    pub(in crate::gltf) fn of_values<V: PartialEq + Copy>(
        &self,
        values: &mut Vec<V>,
        keys: Option<&Vec<usize>>,
        is_root: bool,
        pack: &mut Pack,
    ) -> usize {
        let is_constant = values.windows(2).all(|pair| pair.first() == pair.last());
        if is_constant && !is_root {
            values.truncate(1);
            return self.first;
        }
        let Some(keys) = keys.filter(|keys| keys.len() < values.len()) else { return self.all };
        *values = keys.iter().filter_map(|&frame| values.get(frame).copied()).collect();
        let times: Vec<f32> = keys.iter().map(|&frame| (frame as f64 / self.rate_hz) as f32).collect();
        pack.times(&times)
    }
}

/// Adds the channels of a clip whose joints are consecutive nodes.
pub(in crate::gltf) fn add_channels(
    clip: &Clip,
    first_node: usize,
    clock: &Clock,
    keys: Option<&Keyframes>,
    animation: &mut Animation,
    pack: &mut Pack,
) {
    let (joints, movers) = (clip.skeleton().len(), clip.skeleton().movers());
    let mut add = |node: usize, path: &'static str, input: usize, output: usize| {
        animation.channels.push(Channel { sampler: animation.samplers.len(), target: Target { node, path } });
        animation.samplers.push(Sampler { input, output });
    };
    for (index, &joint) in movers.iter().enumerate() {
        let mut places: Vec<_> = clip.positions().iter().skip(index).step_by(movers.len()).copied().collect();
        // All keys of the root keep duration and rate.
        let kept = keys.filter(|_| joint > 0).and_then(|keys| keys.translations.get(index));
        let input = clock.of_values(&mut places, kept, joint == 0, pack);
        add(first_node + joint, "translation", input, pack.translations(&places));
    }
    for joint in 0..joints {
        let mut rotations: Vec<_> = clip.rotations().iter().skip(joint).step_by(joints).copied().collect();
        let kept = keys.and_then(|keys| keys.rotations.get(joint));
        let input = clock.of_values(&mut rotations, kept, joint == 0, pack);
        add(first_node + joint, "rotation", input, pack.rotations(&rotations));
    }
}
