//! Dialects of joint names, and their expansion into a lexicon.

use std::collections::BTreeMap;

use marey_motion::{Role, Side};

/// The meaning of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// The joint has this role. Left roles represent both sides.
    Is(Role),
    /// A joint of the spine. Its role depends on its position in the chain.
    OfSpine,
    /// A joint of the neck. The lowest one gets the role.
    OfNeck,
    /// A known joint without a role: the end of a bone, a twist joint, a helper.
    Known,
}

/// A list of words with their meanings.
///
/// Words are in lower case without separators. `*` is the side, `+` is nothing or a digit from 1 to 9.
pub(super) type Words = &'static [(&'static str, Part)];

/// The names of finger joints in a dialect.
pub(super) struct Fingers {
    /// A word in which `*` is the side, `#` the finger and `%` the joint of the finger.
    pub pattern: &'static str,
    /// Thumb, index, middle, ring, little.
    pub names: [&'static str; 5],
    /// The joints of the thumb from the wrist out: metacarpal, proximal, distal.
    pub thumb: [&'static str; 3],
    /// The joints of the other fingers: proximal, intermediate, distal.
    pub others: [&'static str; 3],
    /// Further joints without a role: bone ends, and the metacarpals of the four fingers.
    pub without_role: &'static [&'static str],
}

/// A naming scheme for joints.
pub(super) struct Dialect {
    /// Its name.
    pub name: &'static str,
    /// The dialect is considered only if one of these is the name of a joint (as a word of the dialect) or part of the prefix
    /// that all joints share. If empty, always.
    pub marks: &'static [&'static str],
    /// The words for left and right.
    pub sides: &'static [[&'static str; 2]],
    /// The words.
    pub words: &'static [Words],
    /// Its finger joints.
    pub fingers: &'static [Fingers],
}

/// The meaning of each word of a dialect, with sides expanded.
pub(super) type Lexicon = BTreeMap<String, Part>;

impl Dialect {
    /// Expands every word of the dialect.
    pub(super) fn lexicon(&self) -> Lexicon {
        let mut lexicon = Lexicon::new();
        for &(word, part) in self.words.iter().copied().flatten() {
            for word in numbered(word) {
                self.add_sides(&mut lexicon, &word, part);
            }
        }
        for fingers in self.fingers {
            for (word, part) in fingers.words() {
                self.add_sides(&mut lexicon, &word, part);
            }
        }
        lexicon
    }

    /// Adds a word, for both sides if it has one. The first meaning of a word wins.
    fn add_sides(&self, lexicon: &mut Lexicon, word: &str, part: Part) {
        if !word.contains('*') {
            lexicon.entry(word.to_owned()).or_insert(part);
            return;
        }
        for words in self.sides {
            for (side, side_word) in Side::BOTH.into_iter().zip(words) {
                let sided = match part {
                    Part::Is(role) => Part::Is(role.on(side)),
                    other => other,
                };
                lexicon.entry(word.replace('*', side_word)).or_insert(sided);
            }
        }
    }
}

/// The word itself, or its variants with `+` replaced by nothing and by 1 to 9.
fn numbered(word: &str) -> Vec<String> {
    if !word.contains('+') {
        return vec![word.to_owned()];
    }
    let digits = (1..=9).map(|n| n.to_string());
    std::iter::once(String::new()).chain(digits).map(|n| word.replace('+', &n)).collect()
}

/// The finger roles, finger by finger from the wrist out.
const FINGER_ROLES: [[Role; 3]; 5] = [
    [Role::LeftThumbMetacarpal, Role::LeftThumbProximal, Role::LeftThumbDistal],
    [Role::LeftIndexProximal, Role::LeftIndexIntermediate, Role::LeftIndexDistal],
    [Role::LeftMiddleProximal, Role::LeftMiddleIntermediate, Role::LeftMiddleDistal],
    [Role::LeftRingProximal, Role::LeftRingIntermediate, Role::LeftRingDistal],
    [Role::LeftLittleProximal, Role::LeftLittleIntermediate, Role::LeftLittleDistal],
];

impl Fingers {
    /// Every finger word, without expanding the side.
    fn words(&self) -> Vec<(String, Part)> {
        let mut words = Vec::new();
        for (f, (name, roles)) in self.names.iter().zip(FINGER_ROLES).enumerate() {
            let joints = if f == 0 { self.thumb } else { self.others };
            let word = |joint: &str| self.pattern.replace('#', name).replace('%', joint);
            words.extend(joints.iter().zip(roles).map(|(joint, role)| (word(joint), Part::Is(role))));
            words.extend(self.without_role.iter().map(|joint| (word(joint), Part::Known)));
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dialect_is_expanded_completely() {
        let dialect = Dialect {
            name: "test",
            marks: &[],
            sides: &[["l", "r"]],
            words: &[&[("spine+", Part::OfSpine), ("*foot", Part::Is(Role::LeftFoot))]],
            fingers: &[Fingers {
                pattern: "#%*",
                names: ["thumb", "index", "middle", "ring", "little"],
                thumb: ["1", "2", "3"],
                others: ["1", "2", "3"],
                without_role: &["4"],
            }],
        };
        let lexicon = dialect.lexicon();
        assert_eq!(lexicon.len(), 10 + 2 + 5 * 4 * 2);
        assert_eq!(lexicon.get("rfoot"), Some(&Part::Is(Role::RightFoot)));
        assert_eq!(lexicon.get("thumb1l"), Some(&Part::Is(Role::LeftThumbMetacarpal)));
        assert_eq!(lexicon.get("ring3r"), Some(&Part::Is(Role::RightRingDistal)));
        assert_eq!(lexicon.get("index4r"), Some(&Part::Known));
        assert_eq!(lexicon.get("spine9"), Some(&Part::OfSpine));
    }
}
