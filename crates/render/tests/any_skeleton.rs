//! Any skeleton is drawn, or rejected with a code: never a panic.

use std::sync::Arc;

use marey_motion::{Clip, ClipParts, Coded, Joint, Quat, Role, Skeleton, Take, Tip, Vec3};
use marey_render::{Animation, SceneOptions, Sheet, View};
use proptest::prelude::*;

/// Offsets from zero to the largest that can be drawn in a chain.
fn offset() -> impl Strategy<Value = Vec3> {
    let length = || prop_oneof![Just(0.0), -2f32..2.0, -1e-20f32..1e-20, -2e4f32..2e4];
    [length(), length(), length()].prop_map(Vec3::from)
}

/// Any finite offset.
fn wild_offset() -> impl Strategy<Value = Vec3> {
    any::<[f32; 3]>().prop_map(Vec3::from).prop_filter("finite", |v| v.is_finite())
}

/// A tree of joints with random offsets, human roles as far as there are joints, and a tip on each.
fn take(joints: Vec<(usize, Vec3, f32)>, with_roles: bool, frames: usize) -> Take {
    let mut list = Vec::new();
    let mut parts = ClipParts::default();
    for (i, (parent, offset, _)) in joints.iter().enumerate() {
        let mut joint = Joint::new(i.to_string(), (i > 0).then(|| parent % i), *offset);
        joint.role = Role::CORE.get(i).copied().filter(|_| with_roles);
        list.push(joint);
    }
    for frame in 0..frames {
        parts.positions.push(joints[0].1 * (1.0 + frame as f32));
        parts.rotations.extend(joints.iter().map(|j| Quat::from_rotation_z(j.2 + frame as f32)));
    }
    let tips = joints.iter().enumerate().map(|(parent, j)| Tip { parent, offset: j.1 }).collect();
    // The position of the root may overflow in later frames; the clip rejects that itself.
    parts.positions.iter_mut().for_each(|p| *p = if p.is_finite() { *p } else { Vec3::ZERO });
    Take::solo("any", Clip::new(Arc::new(Skeleton::new(list, tips).unwrap()), 30.0, parts).unwrap())
}

/// Draws a sheet and an animation; returns the code of the first error.
fn draw(take: &Take, view: View, follow: bool) -> Result<(), &'static str> {
    let scene = SceneOptions { view, follow, ..SceneOptions::default() };
    let (width, height) = (60, 50);
    let sheet = Sheet {
        scene: scene.clone(),
        poses: Some(2),
        panel_width_px: width,
        panel_height_px: height,
        ..Sheet::default()
    };
    let animation = Animation { scene, width_px: width, height_px: height, ..Animation::default() };
    sheet.png(take).map_err(|error| error.code().id)?;
    animation.gif(take).map_err(|error| error.code().id)?;
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_skeleton_is_drawn(
        joints in prop::collection::vec((0usize..20, offset(), -3f32..3.0), 1..20),
        with_roles: bool,
        view in prop::sample::select(&View::ALL[..]),
        follow: bool,
        frames in 1usize..4,
    ) {
        prop_assert_eq!(draw(&take(joints, with_roles, frames), view, follow), Ok(()));
    }

    #[test]
    fn poses_too_far_away_are_rejected(
        joints in prop::collection::vec((0usize..20, wild_offset(), -3f32..3.0), 1..20),
        with_roles: bool,
    ) {
        let result = draw(&take(joints, with_roles, 2), View::ThreeQuarter, true);
        prop_assert!(matches!(result, Ok(()) | Err("render/too-far")), "{:?}", result);
    }
}

#[test]
fn a_figure_without_size_is_drawn() {
    for (count, with_roles) in [(1, false), (14, true), (14, false)] {
        for view in View::ALL {
            assert_eq!(draw(&take(vec![(0, Vec3::ZERO, 0.0); count], with_roles, 2), view, true), Ok(()));
        }
    }
}
