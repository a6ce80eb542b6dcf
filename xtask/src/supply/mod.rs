//! Third-party code: `cargo xtask deny`, `notices` and `sbom`, from `cargo metadata` and the lock files, without a network.

mod deny;
mod licence;
mod notices;
mod packages;
mod sbom;

pub(crate) use deny::deny;
pub(crate) use notices::notices;
pub(crate) use sbom::sbom;
