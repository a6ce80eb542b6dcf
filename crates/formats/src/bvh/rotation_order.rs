//! The order of a joint's rotation channels.

use std::fmt;
use std::str::FromStr;

use super::channel::Axis;

/// The order of a joint's three rotation channels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are the orders")]
pub enum RotationOrder {
    Xyz,
    Xzy,
    Yxz,
    Yzx,
    /// The order of the format's first examples, and the default.
    #[default]
    Zxy,
    Zyx,
}

impl RotationOrder {
    /// All six orders.
    pub const ALL: [RotationOrder; 6] = [
        RotationOrder::Xyz,
        RotationOrder::Xzy,
        RotationOrder::Yxz,
        RotationOrder::Yzx,
        RotationOrder::Zxy,
        RotationOrder::Zyx,
    ];

    pub(super) fn axes(self) -> [Axis; 3] {
        use Axis::{X, Y, Z};
        match self {
            RotationOrder::Xyz => [X, Y, Z],
            RotationOrder::Xzy => [X, Z, Y],
            RotationOrder::Yxz => [Y, X, Z],
            RotationOrder::Yzx => [Y, Z, X],
            RotationOrder::Zxy => [Z, X, Y],
            RotationOrder::Zyx => [Z, Y, X],
        }
    }
}

impl fmt::Display for RotationOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.axes().map(letter).iter().collect::<String>().to_lowercase())
    }
}

impl FromStr for RotationOrder {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|order| order.to_string().eq_ignore_ascii_case(text))
            .ok_or_else(|| format!("{text:?} is not an order of x, y and z, such as zxy"))
    }
}

/// The axis as channels name it.
pub(super) fn letter(axis: Axis) -> char {
    match axis {
        Axis::X => 'X',
        Axis::Y => 'Y',
        Axis::Z => 'Z',
    }
}
