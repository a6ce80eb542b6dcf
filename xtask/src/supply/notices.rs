//! `cargo xtask notices`: the licences of third-party packages with their texts.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::packages::{self, Package};

/// Starts of the names of files with a licence or a notice.
const NAMES: [&str; 5] = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"];
/// Largest text that is copied, in bytes.
const MAX_BYTES: u64 = 200_000;

const HEAD: &str = "\
# Third-party software in Marey

Marey contains the packages below. If a licence is a choice (OR), Marey uses MIT if it is among them,
else Apache-2.0. SQLite, which libsqlite3-sys contains, is in the public domain.

| package | version | licence |
|---|---|---|
";

/// Writes the notices to the file that is named, or prints them.
pub(crate) fn notices(args: &[String]) -> Result<(), String> {
    let text = text(&packages::shipped()?)?;
    match args {
        [] => io::stdout().write_all(text.as_bytes()).map_err(|error| format!("stdout: {error}")),
        [file] => fs::write(file, text).map_err(|error| format!("{file}: {error}")),
        _ => Err("notices takes one file".into()),
    }
}

/// A list of all packages, then each text once with the packages that have it.
fn text(packages: &[Package]) -> Result<String, String> {
    let mut out = String::from(HEAD);
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut without = Vec::new();
    for Package { name, version, licence, folder, .. } in packages {
        let _ = writeln!(out, "| {name} | {version} | {licence} |");
        let found = licence_texts(folder)?;
        if found.is_empty() {
            without.push(format!("{name} {version} ({licence})"));
        }
        for text in found {
            texts.entry(text).or_default().push(format!("{name} {version}"));
        }
    }
    if !without.is_empty() {
        let _ = write!(out, "\nThese packages contain no text of their licence: {}.\n", without.join(", "));
    }
    let mut texts: Vec<(String, Vec<String>)> = texts.into_iter().collect();
    texts.sort_by(|a, b| a.1.cmp(&b.1).then_with(|| a.0.cmp(&b.0)));
    for (text, users) in texts {
        let _ = write!(out, "\n## {}\n\n~~~text\n{text}\n~~~\n", users.join(", "));
    }
    Ok(out)
}

/// The texts in the folder of a package, sorted by the names of their files; none if the folder is missing.
fn licence_texts(folder: &Path) -> Result<Vec<String>, String> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(vec![]) };
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    files.sort();
    let is_licence = |path: &&PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().to_uppercase()).unwrap_or_default();
        let is_small = fs::metadata(path).is_ok_and(|about| about.is_file() && about.len() < MAX_BYTES);
        is_small && NAMES.iter().any(|start| name.starts_with(start))
    };
    let read = |path: &PathBuf| {
        let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
        Ok(text.trim_end().trim_start_matches('\n').to_owned())
    };
    files.iter().filter(is_licence).map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_package_is_listed_with_the_texts_of_their_licences() {
        let packages = packages::shipped().unwrap();
        let text = text(&packages).unwrap();
        for Package { name, version, .. } in &packages {
            assert!(text.contains(&format!("| {name} | {version} |")), "{name}");
        }
        assert!(text.contains("Permission is hereby granted") && text.contains("public domain"));
        let headings = text.lines().filter(|line| line.starts_with("## ")).count();
        assert!(headings > 20, "{headings} texts");
    }
}
