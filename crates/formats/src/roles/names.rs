//! What the joints' names say.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use marey_motion::Role;

use super::dialect::{Dialect, Lexicon, Part};
use super::dialects::DIALECTS;
use super::tree::Tree;
use super::{Roles, contradiction, core_count, torso};

/// A prefix that this many joints share is taken off before their names are looked up.
const PREFIX_VOTES: usize = 3;

/// What one dialect makes of a skeleton.
pub(super) struct Reading {
    pub dialect: &'static str,
    pub roles: Roles,
    /// How many joints have a name the dialect knows.
    pub known: usize,
    /// How many names the tree contradicts; they have lost their role.
    pub contradicted: usize,
}

/// Reads a skeleton in every dialect and gives the reading with most of a human in it, then with most known names.
pub(super) fn read(tree: &Tree) -> Option<Reading> {
    let names: Vec<String> = tree.skeleton.joints().iter().map(|joint| plain(&joint.name)).collect();
    let mut best: Option<(Reading, (usize, usize))> = None;
    for (dialect, lexicon) in LEXICONS.iter() {
        let Some(reading) = read_in(dialect, lexicon, tree, &names) else { continue };
        let fit = (core_count(&reading.roles), reading.known);
        if best.as_ref().is_none_or(|(_, best)| fit > *best) {
            best = Some((reading, fit));
        }
    }
    best.map(|(reading, _)| reading)
}

/// The dialects with their words written out.
static LEXICONS: LazyLock<Vec<(&'static Dialect, Lexicon)>> =
    LazyLock::new(|| DIALECTS.iter().map(|dialect| (dialect, dialect.lexicon())).collect());

/// A name without its namespace, in lower case, without separators: `Rig:Left_Foot` is `leftfoot`.
///
/// Some writers put a number behind a colon; that is no name, so what stands before it is taken.
fn plain(name: &str) -> String {
    let own = name.rsplit([':', '|']).find(|part| part.chars().any(char::is_alphabetic)).unwrap_or(name);
    own.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Reads a skeleton in one dialect; `None` where the dialect does not apply or knows no name.
fn read_in(dialect: &Dialect, lexicon: &Lexicon, tree: &Tree, names: &[String]) -> Option<Reading> {
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
    torso::settle(tree, &mut roles, &with(Part::OfSpine), &with(Part::OfNeck));
    contradicted += contradiction::drop_contradicted(tree, &mut roles);
    Some(Reading { dialect: dialect.name, roles, known, contradicted })
}

/// What most names have before a word of the dialect, where several do; otherwise nothing.
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
    winner.filter(|(_, votes)| *votes >= PREFIX_VOTES).map_or("", |(prefix, _)| prefix)
}

/// Which joint gets each role that a name claims. Of several, the one with the plainest name: fewest separators
/// (`UpLeg_L` before its helper `__UpLeg_L`), then the one nearest the root, then the first by name.
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
        assert_eq!(plain("mixamorig:LeftFoot"), "leftfoot");
        assert_eq!(plain("|Rig|Ns:Left_Foot"), "leftfoot");
        assert_eq!(plain("Bip01 L Toe0"), "bip01ltoe0");
        assert_eq!(plain("lThumb1:2"), "lthumb1");
        assert_eq!(plain("左足"), "左足");
        assert_eq!(plain("7"), "7");
        assert_eq!(plain(":"), "");
    }

    #[test]
    fn a_prefix_needs_several_joints() {
        let lexicon = DIALECTS[0].lexicon();
        let names = |list: &[&str]| list.iter().map(|n| plain(n)).collect::<Vec<_>>();
        assert_eq!(shared_prefix(&lexicon, &names(&["a_Hips", "a_LeftLeg", "a_Spine", "Head"])), "a");
        assert_eq!(shared_prefix(&lexicon, &names(&["Arrowhead", "shaft"])), "");
    }
}
