//! The crates in `crates/` are ready to publish.

use super::manifests::{cargo, folder, name, packages, root};

#[test]
fn library_crates_have_metadata_and_the_others_are_not_published() {
    for package in packages() {
        let name = name(&package);
        let is_published = package["publish"].is_null();
        if !folder(&package).starts_with(root().join("crates")) {
            // Cargo packages no crate that depends on one with `publish = false`.
            let has_dependents = name == "marey-capture";
            assert!(
                !is_published || has_dependents,
                "{name} is not a library crate: it needs `publish = false`"
            );
            continue;
        }
        assert!(is_published, "{name} must not set `publish = false`");
        for field in ["description", "license", "readme", "documentation"] {
            assert!(package[field].is_string(), "{name} has no {field}");
        }
        for field in ["keywords", "categories"] {
            assert!(package[field].as_array().is_some_and(|list| !list.is_empty()), "{name} has no {field}");
        }
        let docs_rs = package["metadata"]["docs"]["rs"].is_object();
        assert!(docs_rs, "{name} has no [package.metadata.docs.rs]");
    }
}

/// Without a version on a path dependency, or with a cycle through a dev-dependency that has one, cargo refuses.
#[test]
fn crates_can_be_packaged() {
    let target = concat!(env!("CARGO_TARGET_TMPDIR"), "/package");
    let options = ["--no-verify", "--allow-dirty", "--quiet", "--target-dir", target];
    cargo(&[["package", "--workspace"].as_slice(), &options].concat());
}
