//! `cargo xtask sbom`: a bill of materials in the CycloneDX format.

use std::fs;
use std::io::{self, Write as _};

use serde_json::{Value, json};

use super::packages::{self, Package};

/// Writes the bill of materials to the file that is named, or prints it. The same lock files give the same bytes.
pub(crate) fn sbom(args: &[String]) -> Result<(), String> {
    let text = format!("{:#}\n", bill(&packages::shipped()?));
    match args {
        [] => io::stdout().write_all(text.as_bytes()).map_err(|error| format!("stdout: {error}")),
        [file] => fs::write(file, text).map_err(|error| format!("{file}: {error}")),
        _ => Err("sbom takes one file".into()),
    }
}

fn bill(packages: &[Package]) -> Value {
    json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "name": "marey",
                "version": env!("CARGO_PKG_VERSION"),
                "licenses": [{ "expression": "MIT OR Apache-2.0" }],
            },
        },
        "components": packages.iter().map(component).collect::<Vec<_>>(),
    })
}

fn component(package: &Package) -> Value {
    let Package { name, version, kind, licence, checksum, repository, .. } = package;
    let reference = format!("pkg:{kind}/{name}@{version}");
    let mut component = json!({
        "type": "library",
        "bom-ref": reference,
        "name": name,
        "version": version,
        "purl": reference,
        // Old manifests separate alternatives by a slash, which SPDX does not know.
        "licenses": [{ "expression": licence.replace('/', " OR ") }],
    });
    if let Some(checksum) = checksum {
        component["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
    }
    if let Some(repository) = repository {
        component["externalReferences"] = json!([{ "type": "vcs", "url": repository }]);
    }
    component
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_component_has_a_reference_of_its_own_a_licence_and_a_hash() {
        let packages = packages::shipped().unwrap();
        let bill = bill(&packages);
        let components = bill["components"].as_array().unwrap();
        let references: BTreeSet<&str> =
            components.iter().map(|component| component["bom-ref"].as_str().unwrap()).collect();
        assert_eq!((components.len(), references.len()), (packages.len(), packages.len()));
        for component in components {
            assert!(!component["licenses"][0]["expression"].as_str().unwrap().is_empty());
            let is_npm = component["purl"].as_str().unwrap().starts_with("pkg:npm");
            assert!(is_npm || component["hashes"][0]["content"].as_str().unwrap().len() == 64);
        }
    }
}
