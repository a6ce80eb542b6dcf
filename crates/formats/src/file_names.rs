//! Names of files that are written.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::Format;

/// Replaces the ending of a motion format; any other ending is part of the name.
pub fn with_format(path: &Path, format: Format) -> PathBuf {
    if path.extension().and_then(|ending| Format::from_ending(ending.to_str()?)).is_some() {
        return path.with_extension(format.ending());
    }
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{format}"));
    name.into()
}

/// Turns names of takes into file names that are valid on any system and differ from each other.
pub fn unique_file_names<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut taken = HashSet::new();
    let is_valid = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '(' | ')');
    let valid = |name: &str| name.chars().map(|c| if is_valid(c) { c } else { '_' }).collect::<String>();
    let unique = |(index, name): (usize, &str)| {
        let mut name = valid(name.trim());
        if name.is_empty() || taken.contains(&name.to_lowercase()) {
            name = format!("{name}-{}", index + 1);
        }
        taken.insert(name.to_lowercase());
        name
    };
    names.enumerate().map(unique).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_endings_of_motion_formats_are_replaced() {
        for (path, expected) in
            [("a/b.BVH", "a/b.glb"), ("take.2", "take.2.glb"), ("take", "take.glb"), ("a/b.vrm", "a/b.glb")]
        {
            assert_eq!(with_format(Path::new(path), Format::Glb), PathBuf::from(expected));
        }
    }

    #[test]
    fn file_names_are_valid_and_unique() {
        let names = unique_file_names(["walk", "a/b:c", "Walk", "", "../x"].into_iter());
        assert_eq!(names, ["walk", "a_b_c", "Walk-3", "-4", "___x"]);
    }
}
