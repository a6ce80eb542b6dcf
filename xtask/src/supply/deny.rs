//! `cargo xtask deny`: licences, sources, banned packages and packages in several versions. CI runs it.
//!
//! It does what `cargo deny check licenses bans sources` does, and needs neither an installation nor a network. It does not read
//! advisories: they need a network.

use std::collections::{BTreeMap, BTreeSet};

use super::licence;
use super::packages::{self, Package};

/// Packages that must not be used, each with the reason.
const BANNED: &[(&str, &str)] = &[
    ("openssl-sys", "links a library of the system; Marey opens no encrypted connection"),
    ("native-tls", "links a library of the system; Marey opens no encrypted connection"),
    ("reqwest", "Marey connects to no server"),
    ("bindgen", "needs libclang to build"),
    ("serde_yaml", "unmaintained"),
    ("ansi_term", "unmaintained"),
    ("atty", "unmaintained"),
];

/// Packages that nobody maintains and that are used all the same, each with the reason.
const UNMAINTAINED: &[(&str, &str)] = &[
    ("paste", "a macro of `pulp` that runs while Marey is built; archived by its author as finished"),
    ("bvh_anim", "the baseline of `bench formats`; not shipped"),
];

/// Packages in several versions, each with what needs the other version. A new one must be looked at.
const SEVERAL_VERSIONS: &[(&str, &str)] = &[
    ("arrayvec", "bvh_anim, a baseline of measurements"),
    ("block-buffer", "sha1, of axum and tungstenite"),
    ("cfg-if", "bvh_anim"),
    ("cpufeatures", "sha1"),
    ("crypto-common", "sha1"),
    ("digest", "sha1"),
    ("getrandom", "rand 0.9, of tungstenite"),
    ("glam", "conversions of nalgebra"),
    ("hashbrown", "spade, of parry2d"),
    ("miniz_oxide", "png"),
    ("r-efi", "getrandom; for other systems"),
    ("rand", "tungstenite"),
    ("rand_chacha", "rand 0.9"),
    ("rand_core", "rand 0.9"),
    ("smallvec", "bvh_anim"),
    ("static_assertions", "bvh_anim"),
    ("syn", "macros that have not moved to version 3"),
];

/// Fails if a package may not be used, and names all that is wrong.
pub(crate) fn deny() -> Result<(), String> {
    let packages = packages::used()?;
    let problems = problems(&packages);
    if problems.is_empty() {
        println!(
            "{} third-party packages: licences, sources, bans and versions are in order",
            packages.len()
        );
        return Ok(());
    }
    Err(format!("third-party packages:\n  {}", problems.join("\n  ")))
}

fn problems(packages: &[Package]) -> Vec<String> {
    let mut problems = Vec::new();
    let crates = packages.iter().filter(|package| package.kind == "cargo");
    let sources: BTreeSet<&str> = crates.map(|package| package.source.as_str()).collect();
    if sources.len() > 1 {
        problems.push(format!("crates come from several sources: {sources:?}"));
    }
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for Package { name, version, licence, source, kind, .. } in packages {
        if !licence::is_accepted(licence) {
            problems.push(format!("{name} {version}: the licence {licence:?} is not accepted"));
        }
        if *kind == "cargo" && !source.starts_with("registry+") {
            problems.push(format!("{name} {version} comes from {source}, not from a registry"));
        }
        if let Some((_, reason)) = BANNED.iter().find(|(banned, _)| banned == name) {
            problems.push(format!("{name} {version} is banned: {reason}"));
        }
        versions.entry(name).or_default().push(version);
    }
    for (name, versions) in &versions {
        let is_listed = SEVERAL_VERSIONS.iter().any(|(listed, _)| listed == name);
        if versions.len() > 1 && !is_listed {
            problems.push(format!("{name} is used in the versions {}", versions.join(", ")));
        }
    }
    for (name, _) in SEVERAL_VERSIONS {
        if versions.get(name).is_none_or(|versions| versions.len() < 2) {
            problems.push(format!("{name} is used in one version now: take it off the list"));
        }
    }
    for (name, _) in UNMAINTAINED {
        if !versions.contains_key(name) {
            problems
                .push(format!("{name} is not used any more: take it off the list of unmaintained packages"));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_packages_of_the_workspace_are_in_order() {
        assert_eq!(problems(&packages::used().unwrap()), [] as [String; 0]);
    }

    #[test]
    fn wrong_packages_are_named() {
        let mut packages = packages::used().unwrap();
        let mut other = packages.iter().find(|package| package.name == "glam").unwrap().clone();
        other.name = "serde_yaml".into();
        other.licence = "GPL-3.0-only".into();
        other.source = "git+https://example.org/x".into();
        packages.push(other.clone());
        let version = "0.1.0".into();
        packages.push(Package { name: "serde".into(), version, licence: "MIT".into(), ..other });
        let found = problems(&packages).join("\n");
        let parts = [
            "several sources",
            "is not accepted",
            "not from a registry",
            "is banned: unmaintained",
            "serde is used in the versions",
        ];
        for part in parts {
            assert!(found.contains(part), "{part}: {found}");
        }
    }
}
