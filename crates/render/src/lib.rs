//! Pictures of motion without a GPU or display: motion in, encoded bytes out.
//!
//! [`Sheet`] draws a contact sheet as PNG, with poses at uniform times side by side at one scale. [`Animation`] draws a GIF with the
//! duration of the motion. [`Strobe`] draws many instants into one picture. All take a [`marey_motion::Take`], with all its actors in
//! one world, and [`SceneOptions`].
//! [`PictureOptions`] draws a sheet or an animation of a [`Stage`]: takes in one world, with the floor under them.
//!
//! Left limbs are blue, right limbs vermilion; torsos differ from actor to actor. The floor is a grid with bold lines every metre and
//! thin ones every quarter, with a soft shadow below each figure and the path of its hips. If the options have a
//! [`marey_motion::Terrain`], a strip of uneven ground replaces the floor.
//! A skeleton that lacks a role of [`marey_motion::Role::CORE`] is drawn as sticks and dots.
//!
//! The crate is pure, and the same input gives the same bytes on any number of threads.

mod animation;
mod camera;
mod error;
mod figure;
mod floor;
mod frame_renderer;
mod gif_writer;
mod glyphs;
mod header;
mod hull;
mod human;
mod limb;
mod limits;
mod painter;
mod palette;
#[cfg(test)]
#[path = "../tests/support/person.rs"]
mod person;
mod picture;
mod prop;
mod scene;
mod scene_options;
mod shadow;
mod sheet;
mod solid;
mod stage;
mod stick_figure;
mod strobe;
mod terrain_strip;
mod text;
mod theme;

pub use animation::Animation;
pub use error::{RenderError, codes};
pub use picture::{PictureFormat, PictureOptions};
pub use prop::Prop;
pub use scene_options::{Background, SceneOptions, View};
pub use sheet::Sheet;
pub use stage::Stage;
pub use strobe::Strobe;

/// Result of a fallible function of this crate.
pub(crate) type Result<T> = std::result::Result<T, RenderError>;
