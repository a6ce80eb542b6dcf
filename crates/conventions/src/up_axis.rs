//! The up axis of a file, and the rotation from it to Y.

use std::fmt;
use std::str::FromStr;

use glam::{Quat, Vec3};

/// The axis of a file that points up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UpAxis {
    /// +X.
    X,
    /// +Y, Marey's own.
    #[default]
    Y,
    /// +Z, used by Blender, 3ds Max and many archives.
    Z,
    /// −X.
    MinusX,
    /// −Y, used by camera coordinates.
    MinusY,
    /// −Z.
    MinusZ,
}

impl UpAxis {
    /// All six axes.
    pub const ALL: [UpAxis; 6] =
        [UpAxis::X, UpAxis::Y, UpAxis::Z, UpAxis::MinusX, UpAxis::MinusY, UpAxis::MinusZ];

    /// The axis as a unit vector in the file's coordinates.
    pub fn direction(self) -> Vec3 {
        match self {
            UpAxis::X => Vec3::X,
            UpAxis::Y => Vec3::Y,
            UpAxis::Z => Vec3::Z,
            UpAxis::MinusX => Vec3::NEG_X,
            UpAxis::MinusY => Vec3::NEG_Y,
            UpAxis::MinusZ => Vec3::NEG_Z,
        }
    }

    /// Converts a vector from the file's axes to Y up by a rotation, without mirroring. Exact: components are only
    /// swapped and negated.
    pub fn to_y_up(self, v: Vec3) -> Vec3 {
        match self {
            UpAxis::X => Vec3::new(-v.y, v.x, v.z),
            UpAxis::Y => v,
            UpAxis::Z => Vec3::new(v.x, v.z, -v.y),
            UpAxis::MinusX => Vec3::new(v.y, -v.x, v.z),
            UpAxis::MinusY => Vec3::new(v.x, -v.y, -v.z),
            UpAxis::MinusZ => Vec3::new(v.x, -v.z, v.y),
        }
    }

    /// The inverse of [`UpAxis::to_y_up`].
    pub fn from_y_up(self, v: Vec3) -> Vec3 {
        let [x, y, z] = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| self.to_y_up(axis).dot(v));
        Vec3::new(x, y, z)
    }

    /// Converts a rotation from the file's axes to Y up.
    pub fn to_y_up_rotation(self, q: Quat) -> Quat {
        let v = self.to_y_up(Vec3::new(q.x, q.y, q.z));
        Quat::from_xyzw(v.x, v.y, v.z, q.w)
    }
}

impl fmt::Display for UpAxis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            UpAxis::X => "x",
            UpAxis::Y => "y",
            UpAxis::Z => "z",
            UpAxis::MinusX => "-x",
            UpAxis::MinusY => "-y",
            UpAxis::MinusZ => "-z",
        })
    }
}

impl FromStr for UpAxis {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wanted = text.trim_start_matches('+').to_ascii_lowercase();
        Self::ALL
            .into_iter()
            .find(|axis| axis.to_string() == wanted)
            .ok_or_else(|| format!("{text:?} is not x, y, z, -x, -y or -z"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_axis_rotates_to_y() {
        for axis in UpAxis::ALL {
            assert_eq!(axis.to_string().parse(), Ok(axis));
            assert_eq!(axis.to_y_up(axis.direction()), Vec3::Y);
            assert_eq!(axis.from_y_up(Vec3::Y), axis.direction());
            assert_eq!(axis.from_y_up(axis.to_y_up(Vec3::new(1.0, 2.0, 3.0))), Vec3::new(1.0, 2.0, 3.0));
            // Handedness is kept: x × y = z.
            let [x, y, z] = [Vec3::X, Vec3::Y, Vec3::Z].map(|v| axis.to_y_up(v));
            assert_eq!(x.cross(y), z);
            // Converting a rotation agrees with converting the vectors it rotates.
            let q = Quat::from_euler(glam::EulerRot::XYZ, 0.4, -0.9, 1.3);
            let v = Vec3::new(0.3, -1.0, 2.0);
            let rotated = axis.to_y_up_rotation(q) * axis.to_y_up(v);
            assert!((rotated - axis.to_y_up(q * v)).length() < 1e-6);
        }
    }
}
