//! The packages that Marey uses.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::process::{cargo, root};

/// The npm packages that the studio's page is bundled with. The others in `web/package.json` only build and test it.
const PAGE_PACKAGES: [&str; 1] = ["three"];

/// A third-party package.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Package {
    pub(super) name: String,
    pub(super) version: String,
    /// `cargo` or `npm`.
    pub(super) kind: &'static str,
    /// The SPDX expression.
    pub(super) licence: String,
    pub(super) source: String,
    pub(super) checksum: Option<String>,
    pub(super) repository: Option<String>,
    /// The folder of its files.
    pub(super) folder: PathBuf,
}

/// The third-party packages of the command and the Python package, sorted. What only tests and measurements use is left out.
pub(super) fn shipped() -> Result<Vec<Package>, String> {
    let mut all = Metadata::load()?.reached_from(&["marey-cli", "marey-python"]);
    all.extend(page_packages()?);
    Ok(all)
}

/// All third-party packages of the workspace, those of tests too.
pub(super) fn used() -> Result<Vec<Package>, String> {
    let mut all = Metadata::load()?.third_party();
    all.extend(page_packages()?);
    Ok(all)
}

/// What `cargo metadata` and the lock file say.
struct Metadata {
    /// Packages by id; `None` for our own.
    packages: BTreeMap<String, Option<Package>>,
    /// The ids of our own packages by name.
    own: BTreeMap<String, String>,
    /// The packages that each package needs to be built, without those of its tests.
    needs: BTreeMap<String, Vec<String>>,
}

impl Metadata {
    fn load() -> Result<Self, String> {
        let output = cargo()
            // Packages of other platforms may not have been downloaded yet.
            .args(["metadata", "--format-version", "1", "--locked"])
            .output()
            .map_err(|error| format!("cannot start cargo: {error}"))?;
        if !output.status.success() {
            return Err(format!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr)));
        }
        let metadata: Value =
            serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))?;
        let lock = root().join("Cargo.lock");
        let lock = fs::read_to_string(&lock).map_err(|error| format!("{}: {error}", lock.display()))?;
        Ok(Self::of(&metadata, &checksums(&lock)))
    }

    fn of(metadata: &Value, checksums: &BTreeMap<(String, String), String>) -> Self {
        let (mut packages, mut own, mut needs) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        for package in items(&metadata["packages"]) {
            let found = third_party(package, checksums);
            if found.is_none() {
                own.insert(text(&package["name"]), text(&package["id"]));
            }
            packages.insert(text(&package["id"]), found);
        }
        for node in items(&metadata["resolve"]["nodes"]) {
            let is_needed = |dependency: &&Value| {
                items(&dependency["dep_kinds"]).iter().any(|kind| kind["kind"] != "dev")
            };
            let all =
                items(&node["deps"]).iter().filter(is_needed).map(|dependency| text(&dependency["pkg"]));
            needs.insert(text(&node["id"]), all.collect());
        }
        Self { packages, own, needs }
    }

    fn third_party(&self) -> Vec<Package> {
        let all: BTreeSet<Package> = self.packages.values().flatten().cloned().collect();
        all.into_iter().collect()
    }

    /// The third-party packages that these packages of our own need.
    fn reached_from(&self, names: &[&str]) -> Vec<Package> {
        let mut waiting: Vec<&String> = names.iter().filter_map(|name| self.own.get(*name)).collect();
        let mut seen = BTreeSet::new();
        while let Some(id) = waiting.pop() {
            if seen.insert(id) {
                waiting.extend(self.needs.get(id).into_iter().flatten());
            }
        }
        let found: BTreeSet<Package> =
            seen.into_iter().filter_map(|id| self.packages.get(id)?.clone()).collect();
        found.into_iter().collect()
    }
}

/// A package that is not ours.
fn third_party(package: &Value, checksums: &BTreeMap<(String, String), String>) -> Option<Package> {
    let source = package["source"].as_str()?.to_owned();
    let (name, version) = (text(&package["name"]), text(&package["version"]));
    Some(Package {
        checksum: checksums.get(&(name.clone(), version.clone())).cloned(),
        kind: "cargo",
        licence: package["license"].as_str().unwrap_or_default().to_owned(),
        source,
        repository: package["repository"].as_str().map(str::to_owned),
        folder: Path::new(package["manifest_path"].as_str()?).parent()?.to_owned(),
        name,
        version,
    })
}

/// The checksums of a `Cargo.lock` by name and version.
fn checksums(lock: &str) -> BTreeMap<(String, String), String> {
    let mut found = BTreeMap::new();
    for entry in lock.split("[[package]]") {
        let field = |key: &str| {
            let line = entry.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "))?;
            Some(line.trim_matches('"').to_owned())
        };
        if let (Some(name), Some(version), Some(checksum)) =
            (field("name"), field("version"), field("checksum"))
        {
            found.insert((name, version), checksum);
        }
    }
    found
}

/// The npm packages in the studio's page, by the lock file.
fn page_packages() -> Result<Vec<Package>, String> {
    let web = root().join("web");
    let path = web.join("package-lock.json");
    let failed = |error: String| format!("{}: {error}", path.display());
    let lock = fs::read_to_string(&path).map_err(|error| failed(error.to_string()))?;
    let lock: Value = serde_json::from_str(&lock).map_err(|error| failed(error.to_string()))?;
    let package = |name: &&str| {
        let entry = &lock["packages"][format!("node_modules/{name}")];
        let version = entry["version"].as_str().ok_or_else(|| failed(format!("no {name}")))?.to_owned();
        Ok(Package {
            name: (*name).to_owned(),
            version,
            kind: "npm",
            licence: text(&entry["license"]),
            source: "npm".to_owned(),
            checksum: None,
            repository: None,
            folder: web.join("node_modules").join(name),
        })
    };
    PAGE_PACKAGES.iter().map(package).collect()
}

fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_packages_are_a_part_of_all() {
        let (shipped, used) = (shipped().unwrap(), used().unwrap());
        let has = |all: &[Package], name: &str| all.iter().any(|package| package.name == name);
        assert!(has(&shipped, "rusqlite") && has(&shipped, "three") && has(&shipped, "glam"));
        assert!(has(&used, "proptest") && !has(&shipped, "proptest"), "tests are not shipped");
        assert!(!has(&used, "marey-motion"), "our own packages are not listed");
        assert!(shipped.iter().all(|package| used.contains(package)));
        assert!(shipped.iter().all(|package| !package.licence.is_empty()));
        let mut crates = shipped.iter().filter(|package| package.kind == "cargo");
        assert!(crates.all(|package| package.checksum.is_some()));
    }
}
