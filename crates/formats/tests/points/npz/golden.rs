//! Compares world positions with a simple computation with matrices in the model's axes.

use marey_conventions::UpAxis;
use marey_formats::FileContent;

use super::fixtures::fixture_set;
use super::recipes::{poses, trans};
use crate::support::expectation::{Expectation, Point};
use crate::support::fixtures::Fixture;

type Matrix = [[f64; 3]; 3];

/// Rodrigues' formula: 1 + sin a K + (1 − cos a) K², K the cross product with the axis.
fn rodrigues(v: &[f64]) -> Matrix {
    let angle = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let [x, y, z] = [v[0], v[1], v[2]].map(|value| if angle > 0.0 { value / angle } else { 0.0 });
    let k = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]];
    let k2 = product(&k, &k);
    let entry = |i: usize, j: usize| {
        f64::from(u8::from(i == j)) + angle.sin() * k[i][j] + (1.0 - angle.cos()) * k2[i][j]
    };
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| entry(i, j)))
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum()))
}

fn times(a: &Matrix, v: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|i| (0..3).map(|k| a[i][k] * v[k]).sum())
}

/// The position of every joint in a frame, in the world of the file. Offsets are in the model's axes, Y up.
fn forward(parents: &[Option<usize>], offsets: &[[f64; 3]], pose: &[f64], place: &[f64]) -> Vec<[f64; 3]> {
    let mut turns: Vec<Matrix> = Vec::new();
    let mut places: Vec<[f64; 3]> = Vec::new();
    for (joint, parent) in parents.iter().enumerate() {
        let local = rodrigues(&pose[joint * 3..][..3]);
        match parent {
            None => {
                turns.push(local);
                places.push([place[0], place[1], place[2]]);
            }
            Some(parent) => {
                let step = times(&turns[*parent], offsets[joint]);
                places.push([0, 1, 2].map(|i| places[*parent][i] + step[i]));
                turns.push(product(&turns[*parent], &local));
            }
        }
    }
    places
}

/// The tree and the offsets are the reader's, which `body.rs` tests. Poses and positions are from the recipe.
pub(super) fn points(fixture: &Fixture, _: &Expectation) -> Vec<Point> {
    let import = fixture.read().unwrap();
    let FileContent::Figures(readings) = &import.content else { panic!("points") };
    let skeleton = readings[0].take.first().skeleton();
    let parents: Vec<Option<usize>> = skeleton.joints().iter().map(|joint| joint.parent).collect();
    let offsets: Vec<[f64; 3]> =
        skeleton.joints().iter().map(|joint| joint.offset.to_array().map(f64::from)).collect();
    let is_y_up = fixture.is_named("y-up.npz");
    let up = if is_y_up { UpAxis::Y } else { UpAxis::Z };
    let mut points = Vec::new();
    for frame in 0..3 {
        let mut pose = poses(skeleton.len(), 3)[frame].clone();
        let mut place = trans(3)[frame].clone();
        if is_y_up {
            pose[0] = 0.0;
            place = vec![place[0], place[2], -place[1]];
        }
        let world = forward(&parents, &offsets, &pose, &place);
        for joint in [0, 4, 7, 15, 20, skeleton.len() - 1] {
            let [x, y, z] = world[joint];
            let at = if up == UpAxis::Z { [x, z, -y] } else { [x, y, z] };
            points.push(Point { take: 0, actor: 0, joint, frame, at });
        }
    }
    points
}

#[test]
fn every_joint_agrees_with_the_matrices() {
    for fixture in fixture_set().all("good") {
        let import = fixture.read().unwrap();
        for point in points(&fixture, &fixture.expectation()) {
            assert_eq!(point.deviation(&import), None, "{}", fixture.path.display());
        }
    }
}

/// Computed by hand: standing in a Z-up world, with the left elbow bent so that the forearm points forward.
#[test]
fn a_bent_elbow_has_the_position_computed_by_hand() {
    use super::writer::{Npy, zip};
    let mut pose = vec![0.0; 66];
    pose[0] = std::f64::consts::FRAC_PI_2;
    pose[18 * 3 + 1] = -std::f64::consts::FRAC_PI_2;
    let arrays = [
        ("poses.npy", Npy::rows(&[pose]).bytes()),
        ("trans.npy", Npy::rows(&[vec![1.0, 2.0, 0.969]]).bytes()),
        ("mocap_framerate.npy", Npy::number(60.0).bytes()),
    ];
    let import = marey_formats::read(&zip(&arrays), None, &Default::default()).unwrap();
    let clip = import.take().unwrap().first();
    let world = clip.world();
    let at = |name: &str| world.positions_at(0)[clip.skeleton().joint_named(name).unwrap()].to_array();
    let near = |name: &str, wanted: [f32; 3]| {
        let found = at(name);
        assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-5), "{name} is at {found:?}");
    };
    // The file's Y is −Z here. Fractions of 1.7 m: pelvis 0.57 up, shoulder 0.129 out and 0.818 up, upper arm 0.186, forearm 0.146.
    near("pelvis", [1.0, 0.969, -2.0]);
    near("left_shoulder", [1.0 + 0.2193, 0.969 + 0.248 * 1.7, -2.0]);
    near("left_elbow", [1.0 + 0.2193 + 0.3162, 0.969 + 0.248 * 1.7, -2.0]);
    near("left_wrist", [1.0 + 0.2193 + 0.3162, 0.969 + 0.248 * 1.7, -2.0 + 0.2482]);
    near("right_ankle", [1.0 - 0.085, 0.969 - 0.531 * 1.7, -2.0]);
    let found = &import.takes()[0].detected[0];
    assert!((found.height_m.unwrap() - 1.7).abs() < 0.01, "{:?}", found.height_m);
    assert_eq!(found.facing_deg.value, 0.0);
    assert!(found.role_guess.confidence > 0.9);
}
