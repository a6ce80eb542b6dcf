//! Rules that hold for the workspace as a whole: dependencies, manifests, packages, public names.

mod dependencies;
mod manifests;
mod packaging;
mod public_names;
mod python_features;
mod sources;
