//! Role detection: names first, then the shape of the skeleton for joints that the names leave open.

use std::fmt;

use marey_motion::{Role, Skeleton};

use super::joint_names::{self, NameReading};
use super::joint_tree::Tree;
use super::sides::SidesFrom;
use super::skeleton_shape::{self, HumanShape};
use super::{Roles, contradiction, core_count};

/// Confidence lost for each name that the tree contradicts.
const CONTRADICTION_COST: f32 = 0.05;
/// Confidence lost if no name is known; proportionally less if some are.
const UNKNOWN_NAMES_COST: f32 = 0.1;

/// The evidence for the roles of a skeleton.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RoleEvidence {
    /// The joints' names, in this dialect.
    Names(&'static str),
    /// The shape of the skeleton.
    Shape,
    /// Names in this dialect, and the shape of the skeleton for joints whose names are unknown or contradict the tree.
    Mixed(&'static str),
    /// None: no role was found.
    None,
}

impl fmt::Display for RoleEvidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RoleEvidence::Names(dialect) => write!(f, "names as in {dialect}"),
            RoleEvidence::Shape => f.write_str("the shape of the skeleton"),
            RoleEvidence::Mixed(dialect) => write!(f, "names as in {dialect} and the shape of the skeleton"),
            RoleEvidence::None => f.write_str("nothing"),
        }
    }
}

/// The roles guessed for the joints of a skeleton.
#[derive(Debug, Clone, PartialEq)]
pub struct RoleGuess {
    /// The role of each joint; at most one joint has a given role.
    pub roles: Vec<Option<Role>>,
    /// The evidence for the roles.
    pub evidence: RoleEvidence,
    /// Confidence from 0 to 1 that this is a human and that the roles of [`Role::CORE`] are right. A complete set of names
    /// reaches 1; shape alone stays below 0.8.
    pub confidence: f32,
    /// The evidence in words: `names as in Mixamo, 52 of 55 joints`.
    pub reason: String,
}

/// Guesses the role of each joint.
///
/// Names are read in the dialect that fits the whole skeleton best. Hips, spine and neck follow from where the limbs are
/// attached. A name that the tree contradicts (a lower leg that is not below its upper leg, left and right in one chain)
/// loses its role. If the names do not give a complete human, the shape of the skeleton fills in the other roles.
pub fn detect(skeleton: &Skeleton) -> RoleGuess {
    let tree = Tree::new(skeleton);
    let (reading, shape) = (joint_names::read(&tree), || skeleton_shape::find(&tree));
    let (roles, evidence, confidence, reason) = match reading {
        Some(reading) if core_count(&reading.roles) == Role::CORE.len() => by_names(&tree, reading),
        Some(reading) => match shape() {
            Some(shape) => by_both(&tree, reading, shape),
            None => by_names(&tree, reading),
        },
        None => shape().map_or_else(nothing, by_shape),
    };
    let mut by_joint = vec![None; skeleton.len()];
    for (role, joint) in roles {
        if let Some(slot) = by_joint.get_mut(joint) {
            *slot = Some(role);
        }
    }
    RoleGuess { roles: by_joint, evidence, confidence: confidence.clamp(0.0, 1.0), reason }
}

/// Roles, evidence, confidence and reason.
type Guess = (Roles, RoleEvidence, f32, String);

fn nothing() -> Guess {
    (Roles::new(), RoleEvidence::None, 0.0, "neither the names nor the shape of a human".to_owned())
}

fn by_shape(shape: HumanShape) -> Guess {
    let (confidence, reason) = (shape.confidence(), shape_phrase(&shape));
    (shape.roles, RoleEvidence::Shape, confidence, reason)
}

fn by_names(tree: &Tree, reading: NameReading) -> Guess {
    if reading.roles.is_empty() {
        return nothing();
    }
    let confidence = core_fraction(core_count(&reading.roles) as f32) * names_trust(tree, &reading);
    let reason = names_phrase(tree, &reading);
    (reading.roles, RoleEvidence::Names(reading.dialect), confidence, reason)
}

/// Keeps the roles from names and adds those from shape that do not contradict them.
fn by_both(tree: &Tree, mut reading: NameReading, shape: HumanShape) -> Guess {
    let shape = with_named_sides(&reading.roles, shape);
    let named = core_count(&reading.roles);
    let mut added = 0;
    for (&role, &joint) in &shape.roles {
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
        return by_shape(shape);
    }
    let from_shape = (core_count(&reading.roles) - named) as f32 * shape.confidence();
    let confidence = core_fraction(named as f32 * names_trust(tree, &reading) + from_shape);
    let reason = format!("{}; {added} roles from {}", names_phrase(tree, &reading), shape_phrase(&shape));
    (reading.roles, RoleEvidence::Mixed(reading.dialect), confidence, reason)
}

/// The shape with left and right as in the names, which are more reliable than the shape.
fn with_named_sides(named: &Roles, shape: HumanShape) -> HumanShape {
    let sides = |joint: &usize| {
        let role = named.iter().find(|(_, j)| *j == joint).map(|(role, _)| role)?;
        role.side()
    };
    let votes = shape.roles.iter().filter_map(|(role, joint)| Some((role.side()?, sides(joint)?)));
    let balance: i32 = votes.map(|(by_shape, by_name)| if by_shape == by_name { 1 } else { -1 }).sum();
    if balance < 0 { shape.mirrored() } else { shape }
}

/// A number of core roles as a fraction of all.
fn core_fraction(count: f32) -> f32 {
    count / Role::CORE.len() as f32
}

/// Trust in the names from 0 to 1: lower if many are unknown or some contradict the tree.
fn names_trust(tree: &Tree, reading: &NameReading) -> f32 {
    let unknown = 1.0 - reading.known as f32 / tree.skeleton.len() as f32;
    let trust = 1.0 - UNKNOWN_NAMES_COST * unknown - CONTRADICTION_COST * reading.contradicted as f32;
    trust.max(0.0)
}

fn names_phrase(tree: &Tree, reading: &NameReading) -> String {
    let mut phrase =
        format!("names as in {}, {} of {} joints", reading.dialect, reading.known, tree.skeleton.len());
    if reading.contradicted > 0 {
        phrase += &format!(", {} of which contradict the tree", reading.contradicted);
    }
    phrase
}

fn shape_phrase(shape: &HumanShape) -> String {
    let sides = match shape.sides_from {
        SidesFrom::Toes => "left and right from the toes",
        SidesFrom::Axis => "left and right guessed from the axes, because no toes point forward",
        SidesFrom::BoneFrames => "left and right guessed, because the rest pose does not stand",
    };
    format!("the shape of the skeleton, {sides}")
}
