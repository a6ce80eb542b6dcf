//! G: the shapes of features, and the nearest points on them.

use glam::Vec3;
use marey_body::Capsule;
use serde::{Deserialize, Serialize};

/// G: the shape of a feature, in metres.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Geometry {
    /// Everything below a plane: a floor, a slope.
    Plane {
        /// A point on the plane.
        at: Vec3,
        /// The outward normal, of any length.
        #[serde(default = "default_normal")]
        normal: Vec3,
    },
    /// A box along the axes of the world: a platform, a wall, a pool, a trampoline.
    Box {
        /// The corner with the smallest coordinates.
        min: Vec3,
        /// The corner with the largest coordinates.
        max: Vec3,
    },
    /// A bar or a pole.
    Cylinder {
        /// One end of its axis.
        from: Vec3,
        /// The other end.
        to: Vec3,
        /// Its radius.
        #[serde(default = "default_radius_m")]
        radius_m: f32,
    },
    /// A point with a radius in which it can be held: a rock on a wall, an anchor overhead.
    Point {
        /// The position.
        at: Vec3,
        /// The radius.
        radius_m: f32,
    },
    /// A hanging rope: rigid links with passive joints.
    Rope {
        /// The fixed end.
        top: Vec3,
        /// The length.
        length_m: f32,
        /// The number of links.
        #[serde(default = "default_links")]
        links: u16,
        /// Its radius.
        #[serde(default = "default_radius_m")]
        radius_m: f32,
    },
}

fn default_normal() -> Vec3 {
    Vec3::Y
}

fn default_radius_m() -> f32 {
    0.02
}

fn default_links() -> u16 {
    8
}

/// The nearest point of a surface to a position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearestPoint {
    /// The nearest point of the surface. For cylinders and ropes it is on the axis, because hands close around it.
    pub point: Vec3,
    /// The outward unit normal there.
    pub normal: Vec3,
    /// The distance from the surface, in metres; negative inside.
    pub distance_m: f32,
}

/// The largest valid coordinate or size, in metres.
const MAX_COORDINATE_M: f32 = 10_000.0;
/// The smallest valid length, in metres.
const MIN_LENGTH_M: f32 = 1e-3;

impl Geometry {
    /// What is wrong with the shape; `None` if it is valid.
    pub fn problem(&self) -> Option<String> {
        let numbers: &[Vec3] = match self {
            Geometry::Plane { at, normal } => &[*at, *normal],
            Geometry::Box { min, max } => &[*min, *max],
            Geometry::Cylinder { from, to, radius_m } => &[*from, *to, Vec3::splat(*radius_m)],
            Geometry::Point { at, radius_m } => &[*at, Vec3::splat(*radius_m)],
            Geometry::Rope { top, length_m, radius_m, .. } => &[*top, Vec3::new(*length_m, *radius_m, 0.0)],
        };
        if !numbers.iter().all(|v| v.is_finite() && v.abs().max_element() <= MAX_COORDINATE_M) {
            return Some(format!("its numbers must be finite and within {MAX_COORDINATE_M} m"));
        }
        let problem = match self {
            Geometry::Plane { normal, .. } => {
                (normal.length() < MIN_LENGTH_M).then_some("the plane has no direction")
            }
            Geometry::Box { min, max } => ((*max - *min).min_element() < MIN_LENGTH_M)
                .then_some("the box has no volume: min must be below max"),
            Geometry::Cylinder { from, to, radius_m } => match () {
                () if from.distance(*to) < MIN_LENGTH_M => Some("the cylinder has no length"),
                () if *radius_m < MIN_LENGTH_M => Some("the cylinder has no radius"),
                () => None,
            },
            Geometry::Point { radius_m, .. } => {
                (*radius_m < MIN_LENGTH_M).then_some("the point has no radius")
            }
            Geometry::Rope { length_m, links, radius_m, .. } => match () {
                () if !(2..=64).contains(links) => Some("a rope has 2 to 64 links"),
                () if *length_m < 0.02 * f32::from(*links) => Some("the rope is too short for its links"),
                () if *radius_m < MIN_LENGTH_M => Some("the rope has no radius"),
                () => None,
            },
        };
        problem.map(str::to_owned)
    }

    /// The nearest point of the shape to a position. A rope counts as hanging straight down.
    ///
    /// ```
    /// use marey_motion::Vec3;
    /// use marey_perform::Geometry;
    /// let bar = Geometry::Cylinder { from: Vec3::Y, to: Vec3::new(2.0, 1.0, 0.0), radius_m: 0.1 };
    /// let hand = bar.nearest(Vec3::new(0.5, 1.0, 0.4));
    /// assert_eq!(hand.point, Vec3::new(0.5, 1.0, 0.0));
    /// assert!((hand.distance_m - 0.3).abs() < 1e-6);
    /// ```
    pub fn nearest(&self, position: Vec3) -> NearestPoint {
        match *self {
            Geometry::Plane { at, normal } => {
                let normal = normal.normalize_or(Vec3::Y);
                let distance_m = normal.dot(position - at);
                NearestPoint { point: position - normal * distance_m, normal, distance_m }
            }
            Geometry::Box { min, max } => nearest_on_box(min, max, position),
            Geometry::Cylinder { from, to, radius_m } => nearest_on_capsule(from, to, radius_m, position),
            Geometry::Point { at, radius_m } => {
                let away = position - at;
                NearestPoint {
                    point: at,
                    normal: away.normalize_or(Vec3::Y),
                    distance_m: away.length() - radius_m,
                }
            }
            Geometry::Rope { top, length_m, radius_m, .. } => {
                nearest_on_capsule(top, top - Vec3::Y * length_m, radius_m, position)
            }
        }
    }

    /// The nearest point to a foot of a body whose centre of mass is at `centre`. A foot below the top of a box counts as standing on
    /// the top, however thin the box is.
    pub(crate) fn nearest_to_foot(&self, position: Vec3, centre: Vec3) -> NearestPoint {
        if let Geometry::Box { min, max } = *self {
            let is_over =
                position.x >= min.x && position.x <= max.x && position.z >= min.z && position.z <= max.z;
            if is_over && position.y < max.y && centre.y > max.y {
                return NearestPoint {
                    point: position.with_y(max.y),
                    normal: Vec3::Y,
                    distance_m: position.y - max.y,
                };
            }
        }
        self.nearest(position)
    }

    /// The height of a position above the top, in metres.
    pub(crate) fn height_above_m(&self, position: Vec3) -> f32 {
        match self {
            Geometry::Box { max, .. } => position.y - max.y,
            _ => self.nearest(position).distance_m,
        }
    }

    /// Whether a position is above or inside the shape.
    pub(crate) fn is_over(&self, position: Vec3) -> bool {
        match *self {
            Geometry::Box { min, max } => {
                position.cmpge(min).all() && position.x <= max.x && position.z <= max.z
            }
            _ => self.nearest(position).distance_m < 0.0,
        }
    }

    /// Whether limbs and the centre of mass collide with it. Planes and boxes are solid.
    pub fn is_solid(&self) -> bool {
        matches!(self, Geometry::Plane { .. } | Geometry::Box { .. })
    }
}

fn nearest_on_capsule(from: Vec3, to: Vec3, radius_m: f32, position: Vec3) -> NearestPoint {
    let point = Capsule { from, to, radius_m }.nearest_on_axis(position);
    let away = position - point;
    NearestPoint { point, normal: away.normalize_or(Vec3::Y), distance_m: away.length() - radius_m }
}

fn nearest_on_box(min: Vec3, max: Vec3, position: Vec3) -> NearestPoint {
    let inside = position.clamp(min, max);
    let away = position - inside;
    if away != Vec3::ZERO {
        return NearestPoint { point: inside, normal: away.normalize_or(Vec3::Y), distance_m: away.length() };
    }
    // Inside, the shortest way out is through the nearest face.
    let faces = [
        (position.x - min.x, Vec3::NEG_X),
        (max.x - position.x, Vec3::X),
        (position.y - min.y, Vec3::NEG_Y),
        (max.y - position.y, Vec3::Y),
        (position.z - min.z, Vec3::NEG_Z),
        (max.z - position.z, Vec3::Z),
    ];
    let nearest = faces.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((0.0, Vec3::Y));
    NearestPoint { point: position + nearest.1 * nearest.0, normal: nearest.1, distance_m: -nearest.0 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn vector(size: f32) -> impl Strategy<Value = Vec3> {
        (-size..size, -size..size, -size..size).prop_map(|(x, y, z)| Vec3::new(x, y, z))
    }

    fn shapes(a: Vec3, b: Vec3, r: f32) -> [Geometry; 5] {
        [
            Geometry::Plane { at: a, normal: b },
            Geometry::Box { min: a.min(b) - 0.1, max: a.max(b) + 0.1 },
            Geometry::Cylinder { from: a, to: b, radius_m: r },
            Geometry::Point { at: a, radius_m: r },
            Geometry::Rope { top: a, length_m: 1.0 + r, links: 5, radius_m: r },
        ]
    }

    proptest! {
        #[test]
        fn moving_along_the_normal_by_the_distance_reaches_the_surface(
            a in vector(2.0), b in vector(2.0), r in 0.01f32..0.3, position in vector(4.0),
        ) {
            prop_assume!(a.distance(b) > 0.1 && b.length() > 0.1);
            for shape in shapes(a, b, r) {
                prop_assert_eq!(shape.problem(), None);
                let near = shape.nearest(position);
                prop_assert!((near.normal.length() - 1.0).abs() < 1e-4);
                let on_surface = shape.nearest(position - near.normal * near.distance_m);
                prop_assert!(on_surface.distance_m.abs() < 1e-3, "{shape:?} {near:?} {on_surface:?}");
            }
        }
    }

    #[test]
    fn degenerate_shapes_are_refused() {
        let zero = Vec3::ZERO;
        for shape in [
            Geometry::Plane { at: zero, normal: zero },
            Geometry::Plane { at: Vec3::NAN, normal: Vec3::Y },
            Geometry::Box { min: Vec3::ONE, max: Vec3::new(2.0, 1.0, 2.0) },
            Geometry::Cylinder { from: Vec3::X, to: Vec3::X, radius_m: 0.1 },
            Geometry::Cylinder { from: zero, to: Vec3::X, radius_m: 0.0 },
            Geometry::Point { at: zero, radius_m: f32::INFINITY },
            Geometry::Point { at: zero, radius_m: 0.0 },
            Geometry::Rope { top: zero, length_m: 0.0, links: 4, radius_m: 0.02 },
            Geometry::Rope { top: zero, length_m: 3.0, links: 1, radius_m: 0.02 },
        ] {
            assert!(shape.problem().is_some(), "{shape:?}");
        }
    }
}
