//! Removes cuts that offer no choice.
//!
//! The fitness of equation 8 rises with every cut of a group that has more movements than the
//! average, even if the same movement always follows. The three steps of a waltz bar become three
//! movements, each always followed by the next. A transition graph exists to choose what comes
//! next. After the search, a movement that never follows by choice is therefore merged with the one
//! before it.

use std::collections::{BTreeMap, BTreeSet};

use crate::candidates::Candidates;
use crate::gene::Gene;
use crate::genetic_search::{GeneGroups, Grouper, ScoredGene};

/// A group with fewer successors does not count as always followed by the same group.
const MIN_SEEN: usize = 2;

/// A group: its class, and its index in the class.
type Group = (usize, usize);

/// Which groups follow each other in a gene.
#[derive(Default)]
struct Successions {
    successors: BTreeMap<Group, Vec<Group>>,
    predecessors: BTreeMap<Group, BTreeSet<Group>>,
}

impl Successions {
    /// Returns whether a group is always followed by the same other group.
    fn has_no_choice(&self, group: Group) -> bool {
        let successors = self.successors.get(&group).map_or(&[][..], Vec::as_slice);
        successors.len() >= MIN_SEEN && successors.iter().all(|&next| next == successors[0] && next != group)
    }

    /// Returns whether every predecessor of a group is always followed by it.
    fn is_redundant_before(&self, group: Group) -> bool {
        self.predecessors.get(&group).is_some_and(|predecessors| {
            predecessors.iter().all(|&predecessor| self.has_no_choice(predecessor))
        })
    }
}

/// Returns the gene without redundant cuts. Movements that would become too long stay cut.
pub(crate) fn without_redundant_cuts(
    mut scored: ScoredGene,
    candidates: &Candidates,
    grouper: &dyn Grouper,
) -> ScoredGene {
    while let Some(gene) = merged(&scored, candidates) {
        let groups = GeneGroups::new(&gene, candidates, grouper);
        scored = ScoredGene { fitness: groups.fitness(), gene, groups };
    }
    scored
}

/// Merges movements at redundant cuts; `None` if there are none.
fn merged(scored: &ScoredGene, candidates: &Candidates) -> Option<Gene> {
    let mut group_of = BTreeMap::new();
    for (class, members, groups) in &scored.groups.classes {
        for (&member, &group) in members.iter().zip(groups.iter()) {
            group_of.insert(member as usize, (*class, group));
        }
    }
    let movements: Vec<usize> = scored.gene.movements(candidates).collect();
    let mut successions = Successions::default();
    let meet = |one: usize, next: usize| candidates.all[one].to == candidates.all[next].from;
    for pair in movements.windows(2).filter(|pair| meet(pair[0], pair[1])) {
        let [one, next] = [group_of[&pair[0]], group_of[&pair[1]]];
        successions.successors.entry(one).or_default().push(next);
        successions.predecessors.entry(next).or_default().insert(one);
    }
    let mut bits = scored.gene.bits.clone();
    let mut from = candidates.all[*movements.first()?].from;
    for pair in movements.windows(2) {
        let next = &candidates.all[pair[1]];
        let is_redundant = meet(pair[0], pair[1]) && successions.is_redundant_before(group_of[&pair[1]]);
        if is_redundant && candidates.between(from, next.to).is_some() {
            bits[next.from] = false;
        } else {
            from = next.from;
        }
    }
    (bits != scored.gene.bits).then_some(Gene { bits })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn successions(sequence: &str) -> Successions {
        let groups: Vec<Group> = sequence.chars().map(|name| (0, name as usize)).collect();
        let mut successions = Successions::default();
        for pair in groups.windows(2) {
            successions.successors.entry(pair[0]).or_default().push(pair[1]);
            successions.predecessors.entry(pair[1]).or_default().insert(pair[0]);
        }
        successions
    }

    fn is_redundant(sequence: &str, before: char) -> bool {
        successions(sequence).is_redundant_before((0, before as usize))
    }

    #[test]
    fn a_cut_without_a_choice_is_redundant() {
        // Only a leads to b, and a leads nowhere else. There is a choice after b.
        assert!(is_redundant("abcabdabc", 'b'));
        assert!(!is_redundant("abcabdabc", 'c'));
        // A predecessor of b has a choice, was seen only once, or follows itself.
        assert!(!is_redundant("abcabdacab", 'b'));
        assert!(!is_redundant("xybabcabd", 'b'));
        assert!(!is_redundant("aaaa", 'a'));
        // b follows either of two groups, neither of which has a choice.
        assert!(is_redundant("abceb1abcebd", 'b'));
    }
}
