//! Finds roles from the names of the joints.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use marey_motion::Role;

use super::dialect::{Dialect, Lexicon, Part};
use super::dialect_list::DIALECTS;
use super::joint_tree::Tree;
use super::{Roles, contradiction, core_count, torso};

/// Number of joints that must share a prefix for it to be removed.
const MIN_PREFIX_VOTES: usize = 3;

/// A skeleton read in one dialect.
pub(super) struct NameReading {
    pub dialect: &'static str,
    pub roles: Roles,
    /// Number of joints whose name the dialect knows.
    pub known: usize,
    /// Number of names that contradict the tree and lost their role.
    pub contradicted: usize,
}

/// Reads a skeleton in every dialect and returns the reading with the most core roles, then with the most known names.
pub(super) fn read(tree: &Tree) -> Option<NameReading> {
    let names: Vec<String> = tree.skeleton.joints().iter().map(|joint| normalised(&joint.name)).collect();
    let mut best: Option<(NameReading, (usize, usize))> = None;
    for (dialect, lexicon) in LEXICONS.iter() {
        let Some(reading) = read_in(dialect, lexicon, tree, &names) else { continue };
        let fit = (core_count(&reading.roles), reading.known);
        if best.as_ref().is_none_or(|(_, best)| fit > *best) {
            best = Some((reading, fit));
        }
    }
    best.map(|(reading, _)| reading)
}

/// The dialects with their lexicons.
static LEXICONS: LazyLock<Vec<(&'static Dialect, Lexicon)>> =
    LazyLock::new(|| DIALECTS.iter().map(|dialect| (dialect, dialect.lexicon())).collect());

/// A name in lower case without namespace and separators: `Rig:Left_Foot` becomes `leftfoot`.
///
/// Some programs append a number after a colon; then the part before it is used.
fn normalised(name: &str) -> String {
    let own = name.rsplit([':', '|']).find(|part| part.chars().any(char::is_alphabetic)).unwrap_or(name);
    own.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Reads a skeleton in one dialect. `None` if the dialect does not apply or knows no name.
fn read_in(dialect: &Dialect, lexicon: &Lexicon, tree: &Tree, names: &[String]) -> Option<NameReading> {
    let prefix = shared_prefix(lexicon, names);
    let words: Vec<&str> = names.iter().map(|n| n.strip_prefix(prefix).unwrap_or(n)).collect();
    let has = |mark: &&str| prefix.contains(*mark) || words.contains(mark);
    if !dialect.marks.is_empty() && !dialect.marks.iter().any(has) {
        return None;
    }
    let parts: Vec<Option<Part>> = words.iter().map(|&word| lexicon.get(word).copied()).collect();
    let with = |wanted: Part| {
        let found = parts.iter().enumerate().filter(move |(_, part)| **part == Some(wanted));
        found.map(|(j, _)| j).collect::<Vec<usize>>()
    };
    let known = parts.iter().flatten().count();
    if known == 0 {
        return None;
    }
    let mut roles = claims(tree, &parts);
    let named_hips = roles.remove(&Role::Hips);
    let mut contradicted = contradiction::drop_contradicted(tree, &mut roles);
    roles.extend(named_hips.map(|hips| (Role::Hips, hips)));
    torso::assign(tree, &mut roles, &with(Part::OfSpine), &with(Part::OfNeck));
    contradicted += contradiction::drop_contradicted(tree, &mut roles);
    Some(NameReading { dialect: dialect.name, roles, known, contradicted })
}

/// The most frequent prefix before a word of the dialect. Empty if too few names have one.
fn shared_prefix<'a>(lexicon: &Lexicon, names: &'a [String]) -> &'a str {
    let longest = lexicon.keys().map(String::len).max().unwrap_or(0);
    let mut votes: BTreeMap<&str, usize> = BTreeMap::new();
    for name in names {
        let shortest_prefix = name.len().saturating_sub(longest);
        for (at, _) in name.char_indices().skip_while(|(at, _)| *at < shortest_prefix) {
            if let Some((prefix, word)) = name.split_at_checked(at)
                && lexicon.contains_key(word)
            {
                *votes.entry(prefix).or_default() += 1;
            }
        }
    }
    let winner =
        votes.into_iter().max_by(|(p, n), (q, m)| n.cmp(m).then(q.len().cmp(&p.len())).then(q.cmp(p)));
    winner.filter(|(_, votes)| *votes >= MIN_PREFIX_VOTES).map_or("", |(prefix, _)| prefix)
}

/// The joint of each role that names claim. Of several, the one with the fewest separators in its name (`UpLeg_L` before its
/// helper `__UpLeg_L`), then the one closest to the root, then the first by name.
fn claims(tree: &Tree, parts: &[Option<Part>]) -> Roles {
    let mut best: BTreeMap<Role, ((usize, usize, &str), usize)> = BTreeMap::new();
    for (j, (joint, part)) in tree.skeleton.joints().iter().zip(parts).enumerate() {
        let Some(Part::Is(role)) = *part else { continue };
        let separators = joint.name.chars().filter(|c| !c.is_alphanumeric()).count();
        let claim = ((separators, tree.depth(j), joint.name.as_str()), j);
        best.entry(role).and_modify(|held| *held = claim.min(*held)).or_insert(claim);
    }
    best.into_iter().map(|(role, (_, joint))| (role, joint)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_namespace_case_and_separators() {
        assert_eq!(normalised("mixamorig:LeftFoot"), "leftfoot");
        assert_eq!(normalised("|Rig|Ns:Left_Foot"), "leftfoot");
        assert_eq!(normalised("Bip01 L Toe0"), "bip01ltoe0");
        assert_eq!(normalised("lThumb1:2"), "lthumb1");
        assert_eq!(normalised("左足"), "左足");
        assert_eq!(normalised("7"), "7");
        assert_eq!(normalised(":"), "");
    }

    #[test]
    fn a_prefix_needs_several_joints() {
        let lexicon = DIALECTS[0].lexicon();
        let names = |list: &[&str]| list.iter().map(|n| normalised(n)).collect::<Vec<_>>();
        assert_eq!(shared_prefix(&lexicon, &names(&["a_Hips", "a_LeftLeg", "a_Spine", "Head"])), "a");
        assert_eq!(shared_prefix(&lexicon, &names(&["Arrowhead", "shaft"])), "");
    }
}
