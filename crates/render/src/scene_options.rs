//! What every picture shows, and from where: view, camera, background, ground.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use marey_motion::Terrain;

use crate::limits::check_range;
use crate::{Prop, Result};

/// View direction. Directions are relative to the first figure at the first frame drawn, so that a front view
/// shows the front whatever direction was recorded; over uneven ground, they are relative to the ground.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum View {
    /// From the front, slightly above and to the figure's right.
    #[default]
    ThreeQuarter,
    /// From the front: the figure's left is on the right of the picture.
    Front,
    /// From the figure's right: forward is to the right of the picture.
    Side,
    /// From above: forward is up.
    Top,
}

impl View {
    /// Every view.
    pub const ALL: [View; 4] = [View::ThreeQuarter, View::Front, View::Side, View::Top];

    /// The view's name, as in `three-quarter`.
    pub fn name(self) -> &'static str {
        match self {
            View::ThreeQuarter => "three-quarter",
            View::Front => "front",
            View::Side => "side",
            View::Top => "top",
        }
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for View {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        View::ALL
            .into_iter()
            .find(|view| view.name() == text)
            .ok_or_else(|| format!("{text:?} is not a view; views are three-quarter, front, side and top"))
    }
}

/// Dark figures on a light background, or the reverse.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Background {
    /// Near white.
    #[default]
    Light,
    /// Near black.
    Dark,
}

/// Options of every picture: view, camera, background, ground and frames.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneOptions {
    /// View direction.
    pub view: View,
    /// Whether the camera follows the figure; otherwise it is static and shows the whole path.
    pub follow: bool,
    /// Light or dark.
    pub background: Background,
    /// Height of the floor, in metres.
    pub floor_m: f32,
    /// Uneven ground along +Z, drawn instead of the floor.
    pub terrain: Option<Terrain>,
    /// Objects around the figures, drawn instead of the floor; the camera ignores them.
    pub props: Vec<Prop>,
    /// The frames to draw; `None` for all.
    pub frames: Option<Range<usize>>,
}

impl Default for SceneOptions {
    fn default() -> Self {
        Self {
            view: View::ThreeQuarter,
            follow: true,
            background: Background::Light,
            floor_m: 0.0,
            terrain: None,
            props: Vec::new(),
            frames: None,
        }
    }
}

impl SceneOptions {
    /// Checks every field's range. The range of frames is checked against the take when it is drawn.
    pub fn validate(&self) -> Result<()> {
        let farthest_m = self.props.iter().map(Prop::farthest_m).fold(0.0, f32::max);
        check_range("props", farthest_m, 0.0..=1e6, "within 1000 km of the origin")?;
        check_range("floor_m", self.floor_m, -1e4..=1e4, "within 10 km of the origin")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use marey_motion::{Coded, Vec3};

    #[test]
    fn views_read_back() {
        for view in View::ALL {
            assert_eq!(view.to_string().parse(), Ok(view));
        }
        assert!("above".parse::<View>().is_err());
    }

    #[test]
    fn values_out_of_range_are_rejected() {
        assert!(SceneOptions::default().validate().is_ok());
        for bad in [
            SceneOptions { floor_m: f32::NAN, ..SceneOptions::default() },
            SceneOptions { floor_m: f32::INFINITY, ..SceneOptions::default() },
            SceneOptions {
                props: vec![Prop::still(vec![Vec3::ZERO, Vec3::NAN], 0.02)],
                ..SceneOptions::default()
            },
        ] {
            assert_eq!(bad.validate().unwrap_err().code().id, "render/option");
        }
    }
}
