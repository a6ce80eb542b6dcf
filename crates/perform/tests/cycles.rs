//! The built-in example motions are those that `marey-examples` generates.

use std::path::Path;

use marey_body::BodyProportions;
use marey_examples::playground::{Cycle, cycle};
use marey_motion::Clip;
use marey_perform::built_in_motions;

/// The frames of a clip in the stored form.
fn stored(clip: &Clip) -> Vec<u8> {
    let frame = |pose: marey_motion::LocalPoseRef<'_>| -> Vec<u8> {
        let rotations = pose.rotations.iter().flat_map(|rotation| rotation.to_array());
        let positions = pose.positions.iter().flat_map(|position| position.to_array());
        rotations.chain(positions).flat_map(f32::to_le_bytes).collect()
    };
    clip.poses().flat_map(frame).collect()
}

#[test]
fn built_in_motions_are_the_generated_cycles() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cycles");
    let is_blessing = std::env::var_os("MAREY_BLESS").is_some();
    for which in Cycle::ALL {
        let example = cycle(which, &BodyProportions::default(), 60.0).unwrap();
        let generated = example.take.first();
        if is_blessing {
            std::fs::write(folder.join(which.name()).with_extension("f32"), stored(generated)).unwrap();
            continue;
        }
        let built_in = &built_in_motions().unwrap()[which.name()];
        assert_eq!((built_in.frames(), built_in.rate_hz()), (generated.frames(), generated.rate_hz()));
        assert_eq!(built_in.skeleton(), generated.skeleton());
        // Other platforms may round trigonometric functions differently.
        for (one, other) in built_in.poses().zip(generated.poses()) {
            assert!(one.positions[0].distance(other.positions[0]) < 1e-4, "{}", which.name());
            for (a, b) in one.rotations.iter().zip(other.rotations) {
                assert!(a.dot(*b).abs() > 1.0 - 1e-5, "{}", which.name());
            }
        }
    }
}
