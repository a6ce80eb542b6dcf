//! The guess: names first, the tree's shape for what they leave open.

use std::fmt;

use marey_motion::{Role, Skeleton};

use super::names::{self, Reading};
use super::sides::SidesFrom;
use super::structure::{self, Figure};
use super::tree::Tree;
use super::{Roles, contradiction, core_count};

/// What each name that the tree contradicts takes from the confidence.
const CONTRADICTION_COST: f32 = 0.05;
/// How much of the confidence in names hangs on how many of the joints' names are known.
const UNKNOWN_NAMES_COST: f32 = 0.1;

/// Where roles come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum How {
    /// From the joints' names, in the dialect named.
    Names(&'static str),
    /// From the tree's shape alone.
    Structure,
    /// From names in the dialect named, and from the tree's shape where those say nothing or contradict the tree.
    Mixed(&'static str),
    /// No role was found.
    Nowhere,
}

impl fmt::Display for How {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            How::Names(dialect) => write!(f, "names as in {dialect}"),
            How::Structure => f.write_str("the shape of the skeleton"),
            How::Mixed(dialect) => write!(f, "names as in {dialect} and the shape of the skeleton"),
            How::Nowhere => f.write_str("nothing"),
        }
    }
}

/// What the joints of a skeleton seem to be for.
#[derive(Debug, Clone, PartialEq)]
pub struct RoleGuess {
    /// The role of each joint; at most one joint has a given role.
    pub roles: Vec<Option<Role>>,
    /// Where the roles come from.
    pub how: How,
    /// How sure it is that this is a human and that the roles of [`Role::CORE`] are right, 0 to 1. Names that say all
    /// reach 1; the tree's shape alone stays below 0.8.
    pub confidence: f32,
    /// The same in words: `names as in Mixamo, 52 of 55 joints`.
    pub why: String,
}

/// Finds what each joint is for.
///
/// Names are read in the dialect that fits the skeleton best as a whole; hips, spine and neck follow from where the
/// limbs hang. A name that the tree contradicts (a lower leg that is not below its upper leg, left and right in one
/// chain) loses its role. Where names do not make a whole human, the tree's shape is asked for the rest.
pub fn detect(skeleton: &Skeleton) -> RoleGuess {
    let tree = Tree::of(skeleton);
    let (reading, figure) = (names::read(&tree), || structure::find(&tree));
    let (roles, how, confidence, why) = match reading {
        Some(reading) if core_count(&reading.roles) == Role::CORE.len() => by_names(&tree, reading),
        Some(reading) => match figure() {
            Some(figure) => by_both(&tree, reading, figure),
            None => by_names(&tree, reading),
        },
        None => figure().map_or_else(nothing, by_structure),
    };
    let mut by_joint = vec![None; skeleton.len()];
    for (role, joint) in roles {
        if let Some(slot) = by_joint.get_mut(joint) {
            *slot = Some(role);
        }
    }
    RoleGuess { roles: by_joint, how, confidence: confidence.clamp(0.0, 1.0), why }
}

type Answer = (Roles, How, f32, String);

fn nothing() -> Answer {
    (Roles::new(), How::Nowhere, 0.0, "neither the names nor the shape of a human".to_owned())
}

fn by_structure(figure: Figure) -> Answer {
    let (confidence, why) = (figure.confidence(), structure_phrase(&figure));
    (figure.roles, How::Structure, confidence, why)
}

fn by_names(tree: &Tree, reading: Reading) -> Answer {
    if reading.roles.is_empty() {
        return nothing();
    }
    let confidence = core_part(core_count(&reading.roles) as f32) * names_trust(tree, &reading);
    let why = names_phrase(tree, &reading);
    (reading.roles, How::Names(reading.dialect), confidence, why)
}

/// Keeps what the names say and adds what the shape says of other joints, where that does not contradict.
fn by_both(tree: &Tree, mut reading: Reading, figure: Figure) -> Answer {
    let figure = on_the_sides_of(&reading.roles, figure);
    let named = core_count(&reading.roles);
    let mut added = 0;
    for (&role, &joint) in &figure.roles {
        let free = !reading.roles.contains_key(&role);
        if free && contradiction::fits(tree, &reading.roles, role, joint) {
            reading.roles.insert(role, joint);
            added += 1;
        }
    }
    if added == 0 {
        return by_names(tree, reading);
    }
    if added == reading.roles.len() {
        return by_structure(figure);
    }
    let by_shape = (core_count(&reading.roles) - named) as f32 * figure.confidence();
    let confidence = core_part(named as f32 * names_trust(tree, &reading) + by_shape);
    let why = format!("{}; {added} roles from {}", names_phrase(tree, &reading), structure_phrase(&figure));
    (reading.roles, How::Mixed(reading.dialect), confidence, why)
}

/// The figure with its sides as the names have them: names know left from right better than shapes do.
fn on_the_sides_of(named: &Roles, figure: Figure) -> Figure {
    let sides = |joint: &usize| {
        let role = named.iter().find(|(_, j)| *j == joint).map(|(role, _)| role)?;
        role.side()
    };
    let votes = figure.roles.iter().filter_map(|(role, joint)| Some((role.side()?, sides(joint)?)));
    let balance: i32 = votes.map(|(shape, name)| if shape == name { 1 } else { -1 }).sum();
    if balance < 0 { figure.mirrored() } else { figure }
}

/// A number of core roles as a part of all.
fn core_part(count: f32) -> f32 {
    count / Role::CORE.len() as f32
}

/// How far names are to be trusted: less where many are unknown, or some contradict the tree.
fn names_trust(tree: &Tree, reading: &Reading) -> f32 {
    let unknown = 1.0 - reading.known as f32 / tree.skeleton.len() as f32;
    let trust = 1.0 - UNKNOWN_NAMES_COST * unknown - CONTRADICTION_COST * reading.contradicted as f32;
    trust.max(0.0)
}

fn names_phrase(tree: &Tree, reading: &Reading) -> String {
    let mut phrase =
        format!("names as in {}, {} of {} joints", reading.dialect, reading.known, tree.skeleton.len());
    if reading.contradicted > 0 {
        phrase += &format!(", {} of them against the tree", reading.contradicted);
    }
    phrase
}

fn structure_phrase(figure: &Figure) -> String {
    let sides = match figure.sides_from {
        SidesFrom::Toes => "left and right as the toes point",
        SidesFrom::Axis => "left and right guessed from the axes, since no toes point ahead",
        SidesFrom::BoneFrames => "left and right guessed, since the rest pose is no standing body",
    };
    format!("the shape of the skeleton, {sides}")
}
