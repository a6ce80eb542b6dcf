//! Role detection does not depend on the order of siblings, a prefix, case, unit and axes.

use std::collections::BTreeMap;

use marey_motion::{Joint, Quat, Role, Skeleton, Tip, Vec3};
use proptest::prelude::*;

use super::dialects;
use super::drawing::Drawing;
use crate::roles::{RoleGuess, detect};

/// The same tree with siblings in the order of their keys.
fn shuffled(skeleton: &Skeleton, keys: &[u32]) -> Skeleton {
    let key = |j: usize| keys[j % keys.len()].wrapping_mul(j as u32 + 1);
    let mut order: Vec<usize> = Vec::new();
    let mut joints: Vec<Joint> = Vec::new();
    let mut stack = vec![(0, None)];
    while let Some((j, parent)) = stack.pop() {
        order.push(j);
        joints.push(Joint { parent, ..skeleton.joints()[j].clone() });
        let mut children: Vec<usize> =
            (1..skeleton.len()).filter(|&c| skeleton.joints()[c].parent == Some(j)).collect();
        children.sort_by_key(|&c| key(c));
        stack.extend(children.into_iter().map(|c| (c, Some(joints.len() - 1))));
    }
    let place = |j: usize| order.iter().position(|&o| o == j).unwrap();
    let tips = skeleton.tips().iter().map(|tip| Tip { parent: place(tip.parent), ..*tip }).collect();
    Skeleton::new(joints, tips).unwrap()
}

fn roles_by_name<'a>(skeleton: &'a Skeleton, guess: &RoleGuess) -> BTreeMap<&'a str, Option<Role>> {
    skeleton.joints().iter().map(|joint| joint.name.as_str()).zip(guess.roles.iter().copied()).collect()
}

/// A drawing of any dialect.
fn drawings() -> impl Strategy<Value = Drawing> {
    prop::sample::select(dialects::all())
}

/// A rotation about any axis.
fn turns() -> impl Strategy<Value = Quat> {
    prop::array::uniform4(-1f32..1.0)
        .prop_filter("not too short", |q| q.iter().map(|x| x * x).sum::<f32>() > 0.1)
        .prop_map(|[x, y, z, w]| Quat::from_xyzw(x, y, z, w).normalize())
}

proptest! {
    #[test]
    fn the_order_of_siblings(drawing in drawings(), keys in prop::collection::vec(any::<u32>(), 1..20)) {
        for skeleton in [drawing.skeleton.clone(), drawing.nameless().skeleton] {
            let other = shuffled(&skeleton, &keys);
            let (before, after) = (detect(&skeleton), detect(&other));
            prop_assert_eq!(roles_by_name(&skeleton, &before), roles_by_name(&other, &after));
            prop_assert_eq!((before.evidence, before.reason), (after.evidence, after.reason));
        }
    }

    #[test]
    fn a_prefix_and_the_case_of_letters(
        drawing in drawings(),
        prefix in "[a-zA-Z0-9_]{0,8}[ _.:-]?",
        upper in prop::collection::vec(any::<bool>(), 1..9),
    ) {
        let renamed = drawing.map(|_, joint| {
            let cased = joint.name.chars().zip(upper.iter().cycle());
            let name: String =
                cased.map(|(c, up)| if *up { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }).collect();
            Joint { name: format!("{prefix}{name}"), ..joint }
        });
        prop_assert_eq!(detect(&renamed.skeleton), detect(&drawing.skeleton));
    }

    #[test]
    fn unit_and_axes(drawing in drawings(), turn in turns(), scale in 0.01f32..200.0) {
        let turned = drawing.moved(|offset| turn * offset * scale);
        prop_assert_eq!(turned.wrong(), []);
        let (before, after) = (detect(&drawing.nameless().skeleton), detect(&turned.nameless().skeleton));
        // Without toes, only the axis distinguishes left from right, and it has changed.
        if before.reason.contains("toes point") && !before.reason.contains("guessed") {
            prop_assert_eq!(before.roles, after.roles);
        }
    }

    #[test]
    fn any_skeleton_gets_valid_roles(
        tree in prop::collection::vec((any::<prop::sample::Index>(), any_name(), prop::array::uniform3(any_number())), 1..60),
        tips in prop::collection::vec((any::<prop::sample::Index>(), prop::array::uniform3(any_number())), 0..9),
    ) {
        let mut names = std::collections::BTreeSet::new();
        let mut joints: Vec<Joint> = Vec::new();
        for (parent, name, offset) in &tree {
            let name = if names.insert(name.clone()) { name.clone() } else { format!("{name} {}", joints.len()) };
            let parent = (!joints.is_empty()).then(|| parent.index(joints.len()));
            joints.push(Joint::new(name, parent, Vec3::from(*offset)));
        }
        let tips = tips.iter().map(|(p, o)| Tip { parent: p.index(joints.len()), offset: Vec3::from(*o) }).collect();
        let Ok(skeleton) = Skeleton::new(joints, tips) else { return Ok(()) };
        let guess = detect(&skeleton);
        prop_assert!(skeleton.with_roles(&guess.roles).is_ok());
        prop_assert!((0.0..=1.0).contains(&guess.confidence), "{}", guess.confidence);
    }
}

/// A word of some dialect, or anything.
fn any_name() -> impl Strategy<Value = String> {
    let names = |d: Drawing| d.skeleton.joints().iter().map(|j| j.name.clone()).collect::<Vec<_>>();
    let known: Vec<String> = dialects::all().into_iter().flat_map(names).collect();
    prop_oneof![4 => prop::sample::select(known), 1 => ".*"]
}

/// Any finite number, often a plain one.
fn any_number() -> impl Strategy<Value = f32> {
    prop_oneof![-1f32..1.0, Just(0.0), prop::num::f32::NORMAL | prop::num::f32::ZERO]
}
