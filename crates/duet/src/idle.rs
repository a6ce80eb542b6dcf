//! Cuts at which there is nothing to choose.
//!
//! The fitness of equation 8 gains by every cut of a group that has more movements than groups have on average, whether or not anything
//! else ever follows there: the three steps of a bar of waltz become three movements, each always followed by the next. A graph of
//! movements is for choosing what comes next, so once the search is over, a movement that never follows by choice is made one with what
//! leads to it.

use std::collections::{BTreeMap, BTreeSet};

use crate::candidates::Candidates;
use crate::gene::Gene;
use crate::search::{Grouped, Grouper, Judged};

/// How often a group must have been followed before it counts that it was always followed by the same.
const LEAST_SEEN: usize = 2;

/// A group: its class, and its number in the class.
type Group = (usize, usize);

/// What follows what in the movements of a gene.
#[derive(Default)]
struct Order {
    followers: BTreeMap<Group, Vec<Group>>,
    leaders: BTreeMap<Group, BTreeSet<Group>>,
}

impl Order {
    /// Whether a group is always followed by the same other one.
    fn is_settled(&self, group: Group) -> bool {
        let followers = self.followers.get(&group).map_or(&[][..], Vec::as_slice);
        followers.len() >= LEAST_SEEN && followers.iter().all(|&next| next == followers[0] && next != group)
    }

    /// Whether nobody who gets to a group had a choice.
    fn is_idle_before(&self, group: Group) -> bool {
        self.leaders.get(&group).is_some_and(|leaders| leaders.iter().all(|&leader| self.is_settled(leader)))
    }
}

/// The same gene without cuts at which there is nothing to choose. What would get too long stays cut.
pub(crate) fn without_idle_cuts(
    mut judged: Judged,
    candidates: &Candidates,
    grouper: &dyn Grouper,
) -> Judged {
    while let Some(gene) = joined(&judged, candidates) {
        let groups = Grouped::of(&gene, candidates, grouper);
        judged = Judged { fitness: groups.fitness(), gene, groups };
    }
    judged
}

/// Joins movements over cuts at which there is nothing to choose; `None` where there are none.
fn joined(judged: &Judged, candidates: &Candidates) -> Option<Gene> {
    let mut group_of = BTreeMap::new();
    for (class, members, groups) in &judged.groups.classes {
        for (&member, &group) in members.iter().zip(groups.iter()) {
            group_of.insert(member as usize, (*class, group));
        }
    }
    let movements: Vec<usize> = judged.gene.movements(candidates).collect();
    let mut order = Order::default();
    let meet = |one: usize, next: usize| candidates.all[one].to == candidates.all[next].from;
    for pair in movements.windows(2).filter(|pair| meet(pair[0], pair[1])) {
        let [one, next] = [group_of[&pair[0]], group_of[&pair[1]]];
        order.followers.entry(one).or_default().push(next);
        order.leaders.entry(next).or_default().insert(one);
    }
    let mut bits = judged.gene.bits.clone();
    let mut from = candidates.all[*movements.first()?].from;
    for pair in movements.windows(2) {
        let next = &candidates.all[pair[1]];
        let is_idle = meet(pair[0], pair[1]) && order.is_idle_before(group_of[&pair[1]]);
        if is_idle && candidates.between(from, next.to).is_some() {
            bits[next.from] = false;
        } else {
            from = next.from;
        }
    }
    (bits != judged.gene.bits).then_some(Gene { bits })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(sequence: &str) -> Order {
        let groups: Vec<Group> = sequence.chars().map(|name| (0, name as usize)).collect();
        let mut order = Order::default();
        for pair in groups.windows(2) {
            order.followers.entry(pair[0]).or_default().push(pair[1]);
            order.leaders.entry(pair[1]).or_default().insert(pair[0]);
        }
        order
    }

    fn is_idle(sequence: &str, before: char) -> bool {
        order(sequence).is_idle_before((0, before as usize))
    }

    #[test]
    fn what_always_follows_the_same_is_no_choice() {
        // b only ever follows a, and a leads nowhere else; after b there is a choice.
        assert!(is_idle("abcabdabc", 'b'));
        assert!(!is_idle("abcabdabc", 'c'));
        // One that leads to b has a choice; or was seen but once; or leads to itself.
        assert!(!is_idle("abcabdacab", 'b'));
        assert!(!is_idle("xybabcabd", 'b'));
        assert!(!is_idle("aaaa", 'a'));
        // b follows either of two, each of which has no choice.
        assert!(is_idle("abceb1abcebd", 'b'));
    }
}
