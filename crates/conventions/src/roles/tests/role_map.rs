//! The user's roles file.

use marey_motion::{Coded, Joint, Place, Role, Skeleton, Vec3};
use proptest::prelude::*;

use super::dialects;
use crate::ConventionsError;
use crate::roles::{RoleMap, codes, detect};

fn refused(text: &str) -> ConventionsError {
    RoleMap::from_toml(text).unwrap_err()
}

#[test]
fn an_assigned_role_wins_over_the_guess() {
    let drawing = dialects::biovision();
    let guess = detect(&drawing.skeleton);
    let joint = |role: Role| drawing.joint(role).unwrap();
    // The role Head moves to the neck joint, which loses the role Neck. The head joint has no role left.
    let map = RoleMap::from_toml("[roles]\nhead = \"Neck\"").unwrap();
    let roles = map.apply(&drawing.skeleton, &guess).unwrap();
    assert_eq!(roles[joint(Role::Neck)], Some(Role::Head));
    assert_eq!(roles[joint(Role::Head)], None);
    let others = roles.iter().zip(&guess.roles).filter(|(a, b)| a == b).count();
    assert_eq!(others, roles.len() - 2);
    assert!(drawing.skeleton.with_roles(&roles).is_ok());
}

#[test]
fn every_error_has_a_code_a_place_and_suggestions() {
    let error = refused("[roles]\nHips = \"a\"\nLeftFot = \"b\"\n");
    assert_eq!((error.code(), error.place()), (&codes::UNKNOWN_ROLE, Place::at(3, 1)));
    assert_eq!(error.to_string(), "\"LeftFot\" is not a role; did you mean LeftFoot?");

    for (text, line) in [("[roles]\nHips = ", 2), ("[roles]\nHips = 3", 2), ("[role]\nHips = \"a\"", 1)] {
        let error = refused(text);
        assert_eq!((error.code(), error.place().line), (&codes::SYNTAX, Some(line)), "{text}");
    }
    assert_eq!(refused("").code(), &codes::SYNTAX);

    let error = refused("[roles]\nHips = \"a\"\nhips = \"b\"\n");
    assert_eq!((error.code(), error.place()), (&codes::TWICE, Place::at(3, 1)));
}

#[test]
fn joints_must_exist_and_have_one_role() {
    let drawing = dialects::biovision();
    let guess = detect(&drawing.skeleton);
    let apply = |text: &str| RoleMap::from_toml(text).unwrap().apply(&drawing.skeleton, &guess).unwrap_err();
    let error = apply("[roles]\nLeftFoot = \"LeftAnkel\"");
    assert_eq!((error.code(), error.place()), (&codes::UNKNOWN_JOINT, Place::default().joint("LeftAnkel")));
    assert_eq!(
        error.to_string(),
        "LeftFoot: no joint is named \"LeftAnkel\"; did you mean LeftAnkle, LeftKnee?"
    );
    let error = apply("[roles]\nLeftFoot = \"Head\"\nLeftToes = \"Head\"");
    assert_eq!(error.code(), &codes::TWICE);
    assert_eq!(error.to_string(), "joint \"Head\" is listed both as LeftFoot and as LeftToes");
}

#[test]
fn a_skeletons_roles_are_written_in_the_order_of_the_body() {
    let drawing = dialects::biovision_example();
    let skeleton = drawing.skeleton.with_roles(&drawing.expected).unwrap();
    let text = RoleMap::from_skeleton(&skeleton).to_toml();
    assert!(text.starts_with("[roles]\nHips = \"Hips\"\nSpine = \"Chest\"\nNeck = \"Neck\"\n"), "{text}");
}

proptest! {
    #[test]
    fn what_is_written_reads_back(
        roles in prop::sample::subsequence(Role::ALL.to_vec(), 1..Role::ALL.len()),
        names in prop::collection::btree_set(".*", 60),
    ) {
        let joint = |(i, (role, name)): (usize, (Role, String))| Joint::new(name, i.checked_sub(1), Vec3::Y).with_role(role);
        let joints: Vec<Joint> = roles.into_iter().zip(names).enumerate().map(joint).collect();
        let skeleton = Skeleton::new(joints, vec![]).unwrap();
        let map = RoleMap::from_skeleton(&skeleton);
        let read = RoleMap::from_toml(&map.to_toml()).unwrap();
        prop_assert_eq!(&read, &map);
        let nameless = skeleton.with_roles(&vec![None; skeleton.len()]).unwrap();
        let assigned = read.apply(&nameless, &detect(&nameless)).unwrap();
        prop_assert!(skeleton.joints().iter().zip(assigned).all(|(joint, role)| joint.role == role));
    }

    #[test]
    fn any_text_is_read_or_refused(text in "(\\[roles\\]\n)?(\\PC|\n)*") {
        if let Err(error) = RoleMap::from_toml(&text) {
            prop_assert!(codes::ALL.contains(&error.code()));
        }
    }
}
