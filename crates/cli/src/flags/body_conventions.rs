//! Flags that override the detected conventions of the files of characters and skeletons.

use std::path::PathBuf;

use clap::Args;
use marey::character::CharacterRequest;
use marey::conventions::{RestPoseSource, Unit, UpAxis};
use marey::formats::ReadRequest;

use super::conventions::rest_pose;
use super::finite;

/// The heading of the flags. It stands on each flag, because the heading of a struct would be that of the flags after it too.
macro_rules! heading {
    ($prefix:literal) => {
        concat!("Conventions of the ", $prefix, ", instead of the detected ones")
    };
}

/// Defines the flags with a prefix: those of [`ConventionFlags`](super::ConventionFlags) that concern a body.
macro_rules! body_convention_flags {
    ($(#[$doc:meta])* $name:ident, $prefix:literal, $needs:literal) => {
        $(#[$doc])*
        #[derive(Debug, Default, Args)]
        pub(crate) struct $name {
            /// Unit of length: m, dm, cm, mm, in, ft, cmu, or a number of metres
            #[arg(id = concat!($prefix, "_unit"), long = concat!($prefix, "-unit"), value_name = "UNIT", requires = $needs, help_heading = heading!($prefix))]
            unit: Option<Unit>,

            /// Axis that points up
            #[arg(id = concat!($prefix, "_up"), long = concat!($prefix, "-up"), value_name = "AXIS", requires = $needs, help_heading = heading!($prefix), allow_hyphen_values = true)]
            up: Option<UpAxis>,

            /// Direction that the body faces at rest, in degrees to the left of +Z
            #[arg(id = concat!($prefix, "_facing"), long = concat!($prefix, "-facing"), value_name = "DEG", requires = $needs, help_heading = heading!($prefix), allow_negative_numbers = true, value_parser = finite)]
            facing: Option<f32>,

            /// Joint roles, as written by `marey inspect --save-roles`
            #[arg(id = concat!($prefix, "_roles"), long = concat!($prefix, "-roles"), value_name = "FILE.toml", requires = $needs, help_heading = heading!($prefix))]
            roles: Option<PathBuf>,

            /// Rest pose: `t-pose`, `file` or a frame number
            #[arg(id = concat!($prefix, "_rest"), long = concat!($prefix, "-rest"), value_name = "POSE", requires = $needs, help_heading = heading!($prefix), value_parser = rest_pose)]
            rest: Option<RestPoseSource>,
        }

        impl $name {
            /// The requests with these conventions.
            pub(crate) fn apply(&self, requests: &[CharacterRequest]) -> Vec<CharacterRequest> {
                let with_flags = |request: &CharacterRequest| {
                    let read = ReadRequest {
                        unit: self.unit,
                        up: self.up,
                        facing_deg: self.facing,
                        roles: self.roles.clone(),
                        rest: self.rest,
                        ..request.read.clone()
                    };
                    CharacterRequest { read, ..request.clone() }
                };
                requests.iter().map(with_flags).collect()
            }
        }
    };
}

body_convention_flags!(
    /// Conventions of characters.
    CharacterConventionFlags,
    "character",
    "characters"
);
body_convention_flags!(
    /// Conventions of skeletons.
    SkeletonConventionFlags,
    "skeleton",
    "skeletons"
);
