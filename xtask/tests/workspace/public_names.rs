//! The name of a public type is unique across the library crates.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use super::manifests::{folder, name, packages, root};
use super::sources::rust_files;

/// Names that more than one public type still has. Do not add any; remove a name once it is unique.
const KNOWN_DUPLICATES: &[&str] = &[];

/// The keywords that introduce a type.
const KINDS: [&str; 5] = ["struct", "enum", "union", "trait", "type"];

#[test]
fn public_type_names_are_unique() {
    let found = duplicates();
    let known: BTreeSet<&str> = KNOWN_DUPLICATES.iter().copied().collect();
    let new: Vec<_> = found.iter().filter(|(name, _)| !known.contains(name.as_str())).collect();
    assert!(new.is_empty(), "these names are used for more than one public type: {new:#?}");
    let resolved: Vec<_> = known.iter().filter(|name| !found.contains_key(**name)).collect();
    assert!(
        resolved.is_empty(),
        "these names are unique now: remove them from KNOWN_DUPLICATES: {resolved:?}"
    );
}

/// Each name that more than one public type has, with the files that define it.
///
/// A type that is `pub` can be reached from outside its crate: the lint `unreachable_pub` rejects it otherwise. Re-exports define
/// no type, so they are not counted.
fn duplicates() -> BTreeMap<String, Vec<String>> {
    let mut files_of: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in packages() {
        if !folder(&package).starts_with(root().join("crates")) {
            continue;
        }
        for file in rust_files(&folder(&package).join("src")) {
            let text = fs::read_to_string(&file).unwrap();
            for type_name in public_types(&text) {
                let place = file.strip_prefix(root()).unwrap().display();
                files_of.entry(type_name).or_default().push(format!("{} in {place}", name(&package)));
            }
        }
    }
    files_of.retain(|_, files| files.len() > 1);
    files_of
}

/// The names of the public types that a file defines.
fn public_types(text: &str) -> Vec<String> {
    let name = |line: &str| {
        let (kind, rest) = line.trim_start().strip_prefix("pub ")?.split_once(' ')?;
        let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        KINDS.contains(&kind).then_some(name)
    };
    text.lines().filter_map(name).collect()
}

#[test]
fn only_public_definitions_are_types() {
    let text = "\
pub struct Clip<'a>(&'a str);
    pub enum Side { Left }
pub trait Source: Sized {}
pub type Frames = usize;
pub(crate) struct Hidden;
struct Private;
pub use other::Again;
pub fn structure() {}
// pub struct Comment;
";
    assert_eq!(public_types(text), ["Clip", "Side", "Source", "Frames"]);
}
