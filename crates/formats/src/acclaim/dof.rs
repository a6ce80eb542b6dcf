//! Degrees of freedom, and rotation orders.

use glam::{DQuat, DVec3};

/// One of three axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    X,
    Y,
    Z,
}

impl Axis {
    fn of_letter(letter: u8) -> Option<Self> {
        match letter.to_ascii_lowercase() {
            b'x' => Some(Axis::X),
            b'y' => Some(Axis::Y),
            b'z' => Some(Axis::Z),
            _ => None,
        }
    }

    pub(super) fn unit(self) -> DVec3 {
        match self {
            Axis::X => DVec3::X,
            Axis::Y => DVec3::Y,
            Axis::Z => DVec3::Z,
        }
    }
}

/// One value of a bone in every frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dof {
    /// A rotation about an axis: `rx`.
    Rotate(Axis),
    /// A translation along an axis: `tx`.
    Translate(Axis),
    /// The bone's length: `l`.
    Length,
}

impl Dof {
    /// The default degrees of freedom of the root.
    pub(super) const OF_ROOT: [Dof; 6] = [
        Dof::Translate(Axis::X),
        Dof::Translate(Axis::Y),
        Dof::Translate(Axis::Z),
        Dof::Rotate(Axis::X),
        Dof::Rotate(Axis::Y),
        Dof::Rotate(Axis::Z),
    ];

    /// Parses a token, ignoring case: `rx`, `TZ`, `l`.
    pub(super) fn parse(word: &[u8]) -> Option<Self> {
        match word {
            [b'l' | b'L'] => Some(Dof::Length),
            [b'r' | b'R', axis] => Some(Dof::Rotate(Axis::of_letter(*axis)?)),
            [b't' | b'T', axis] => Some(Dof::Translate(Axis::of_letter(*axis)?)),
            _ => None,
        }
    }
}

/// The order in which three angles, always given for X, Y and Z, rotate about the fixed axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Order([Axis; 3]);

impl Order {
    pub(super) const XYZ: Order = Order([Axis::X, Axis::Y, Axis::Z]);

    /// Parses a token, ignoring case: `XYZ`, `zyx`.
    pub(super) fn parse(word: &[u8]) -> Option<Self> {
        let &[a, b, c] = word else { return None };
        let [a, b, c] = [Axis::of_letter(a)?, Axis::of_letter(b)?, Axis::of_letter(c)?];
        (a != b && b != c && a != c).then_some(Order([a, b, c]))
    }

    /// The rotation by these angles, in radians.
    pub(super) fn rotation(self, angles: DVec3) -> DQuat {
        self.0.into_iter().fold(DQuat::IDENTITY, |before, axis| {
            let unit = axis.unit();
            DQuat::from_axis_angle(unit, angles.dot(unit)) * before
        })
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use super::*;

    #[test]
    fn case_is_ignored() {
        assert_eq!(Dof::parse(b"rx"), Some(Dof::Rotate(Axis::X)));
        assert_eq!(Dof::parse(b"TZ"), Some(Dof::Translate(Axis::Z)));
        assert_eq!(Dof::parse(b"L"), Some(Dof::Length));
        for word in ["", "x", "rw", "rxx", "lx", "limits"] {
            assert_eq!(Dof::parse(word.as_bytes()), None, "{word}");
        }
        assert_eq!(Order::parse(b"xyz"), Some(Order::XYZ));
        for word in ["", "XY", "XYX", "XYW", "XYZX"] {
            assert_eq!(Order::parse(word.as_bytes()), None, "{word}");
        }
    }

    #[test]
    fn the_first_letter_rotates_first() {
        let angles = DVec3::new(FRAC_PI_2, 0.0, FRAC_PI_2);
        // About X first: Y goes to Z and stays there. About Z first: Y goes to −X and stays there.
        let turned = |order: &[u8]| Order::parse(order).unwrap().rotation(angles) * DVec3::Y;
        assert!((turned(b"XYZ") - DVec3::Z).length() < 1e-12);
        assert!((turned(b"zyx") + DVec3::X).length() < 1e-12);
    }
}
