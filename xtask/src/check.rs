//! `cargo xtask check CRATE`: the fast inner loop while working on one crate.

use std::fs;
use std::path::Path;

use crate::process::{root, run_cargo};

/// Checks formatting and lints of one crate and runs its unit and integration tests.
pub(crate) fn check(args: &[String]) -> Result<(), String> {
    let [name] = args else { return Err("usage: cargo xtask check CRATE".into()) };
    let package = package(name)?;
    run_cargo(["fmt", "--check", "--package", &package])?;
    run_cargo(["clippy", "--quiet", "--package", &package, "--all-targets", "--", "--deny", "warnings"])?;
    // Without documentation tests, which link one program for each code block.
    run_cargo(["test", "--quiet", "--package", &package, "--all-targets"])
}

/// The package of a crate, by the name of its folder (`follow`) or of the package itself (`marey-follow`).
fn package(name: &str) -> Result<String, String> {
    let crates = crates()?;
    let found = crates.iter().find(|(folder, package)| folder == name || package == name);
    if let Some((_, package)) = found {
        return Ok(package.clone());
    }
    let folders: Vec<&str> = crates.iter().map(|(folder, _)| folder.as_str()).collect();
    Err(format!("unknown crate {name:?}; choose one of: {}", folders.join(", ")))
}

/// The crates of the workspace: the name of the folder and of the package, sorted.
fn crates() -> Result<Vec<(String, String)>, String> {
    let mut folders = vec![root().join("xtask")];
    for parent in ["crates", "xtask"].map(|name| root().join(name)) {
        let entries = fs::read_dir(&parent).map_err(|error| format!("{}: {error}", parent.display()))?;
        folders.extend(entries.filter_map(|entry| Some(entry.ok()?.path())));
    }
    let mut crates: Vec<_> = folders.iter().filter_map(|folder| names(folder)).collect();
    crates.sort();
    Ok(crates)
}

fn names(folder: &Path) -> Option<(String, String)> {
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).ok()?;
    let package = manifest.lines().find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'))?;
    let folder = folder.file_name()?.to_str()?;
    Some((folder.to_owned(), package.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_is_found_by_its_folder_and_by_its_package() {
        assert_eq!(package("follow"), Ok("marey-follow".into()));
        assert_eq!(package("marey-follow"), Ok("marey-follow".into()));
        assert_eq!(package("marey"), Ok("marey".into()));
        assert_eq!(package("bench"), Ok("marey-bench".into()));
        assert_eq!(package("xtask"), Ok("xtask".into()));
        assert!(package("nothing").unwrap_err().contains("follow"));
    }
}
