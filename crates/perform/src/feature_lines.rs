//! The features of a world as lines, which pictures draw.

use marey_motion::Vec3;

use crate::engage::Effector;
use crate::geometry::Geometry;
use crate::session::PerformSession;
use crate::world::World;

/// Radius of the lines of floors and walls, in metres.
const EDGE_M: f32 = 0.012;
/// Radius of a web, in metres.
const WEB_M: f32 = 0.01;
/// Length of the corner lines of a box, in metres.
const CORNER_M: f32 = 0.5;
/// Half the size of the grid that shows a plane, in whole metres.
const PLANE_M: i32 = 5;

/// A polyline that shows a part of a feature.
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureLine {
    /// The points, in metres. A moving line holds the points of every frame, one frame after another.
    pub points: Vec<Vec3>,
    /// Number of points per frame.
    pub points_per_frame: usize,
    /// Radius, in metres.
    pub radius_m: f32,
}

impl FeatureLine {
    fn still(points: Vec<Vec3>, radius_m: f32) -> Self {
        Self { points_per_frame: points.len(), points, radius_m }
    }
}

/// Collects the lines of a world's features, frame by frame.
#[derive(Debug, Clone, Default)]
pub struct FeatureLines {
    /// For each feature that moves, its points in every frame.
    moving: Vec<Vec<Vec3>>,
    /// For each hand, its web: two points per frame.
    webs: [Vec<Vec3>; 2],
    frames: usize,
}

impl FeatureLines {
    /// Adds the current frame of a session.
    pub fn add(&mut self, session: &PerformSession) {
        let world = session.world();
        self.moving.resize_with(world.features.len(), Vec::new);
        for (index, points) in self.moving.iter_mut().enumerate() {
            // A feature of a reloaded world is drawn from the first frame on.
            for _ in 0..=if points.is_empty() { self.frames } else { 0 } {
                match session.geometry(index) {
                    Geometry::Rope { .. } => session.rope_into(index, points),
                    Geometry::Box { min, max } if world.features[index].dynamics.surface.is_some() => {
                        points.extend(outline(min, max));
                    }
                    _ => break,
                }
            }
        }
        self.frames += 1;
        let (state, pose) = (session.state(), session.world_pose());
        for (limb, web) in self.webs.iter_mut().enumerate() {
            let role = Effector::ALL[limb].role();
            let hand = pose.skeleton().joint_of(role).map_or(state.centre, |joint| pose.positions[joint]);
            let is_web =
                state.holds[limb].is_some_and(|held| world.features[held].dynamics.web_reach_m > 0.0);
            web.extend([hand, state.contacts[limb].filter(|_| is_web).unwrap_or(hand)]);
        }
    }

    /// Removes the moving features. Call this after the world was reloaded.
    pub fn clear_moving(&mut self) {
        self.moving.clear();
    }

    /// The lines of all features, and of both webs.
    pub fn into_lines(self, world: &World) -> Vec<FeatureLine> {
        let mut lines = Vec::new();
        let moving = |points, points_per_frame, radius_m| FeatureLine { points, points_per_frame, radius_m };
        let features = world.features.iter().zip(self.moving);
        for (feature, points) in features {
            match (&feature.geometry, points.is_empty()) {
                (Geometry::Rope { links, radius_m, .. }, false) => {
                    lines.push(moving(points, usize::from(*links) + 1, *radius_m));
                }
                (Geometry::Box { .. }, false) => lines.push(moving(points, 5, EDGE_M)),
                (geometry, _) => lines.extend(still_lines(geometry, world.start)),
            }
        }
        lines.extend(self.webs.map(|web| moving(web, 2, WEB_M)));
        lines
    }
}

/// The outline of the top of a box.
fn outline(min: Vec3, max: Vec3) -> [Vec3; 5] {
    let at = |x: f32, z: f32| Vec3::new(x, max.y, z);
    [at(min.x, min.z), at(max.x, min.z), at(max.x, max.z), at(min.x, max.z), at(min.x, min.z)]
}

/// The lines of a shape that does not move.
fn still_lines(geometry: &Geometry, start: Vec3) -> Vec<FeatureLine> {
    match *geometry {
        Geometry::Plane { at, normal } => {
            if normal.normalize_or(Vec3::Y).y < 0.99 || (at.y - start.y).abs() > 1.0 {
                return Vec::new();
            }
            let far = PLANE_M as f32;
            let line = |from: Vec3, to: Vec3| {
                FeatureLine::still([from, to].map(|p| start.with_y(at.y) + p).into(), EDGE_M)
            };
            (-PLANE_M..=PLANE_M)
                .map(|metre| metre as f32)
                .flat_map(|m| {
                    [
                        line(Vec3::new(m, 0.0, -far), Vec3::new(m, 0.0, far)),
                        line(Vec3::new(-far, 0.0, m), Vec3::new(far, 0.0, m)),
                    ]
                })
                .collect()
        }
        Geometry::Box { min, max } => {
            let low = (max.y - CORNER_M).max(min.y);
            let top = outline(min, max);
            let corners =
                top[..4].iter().map(|corner| FeatureLine::still(vec![*corner, corner.with_y(low)], EDGE_M));
            let mut all: Vec<FeatureLine> = corners.collect();
            all.push(FeatureLine::still(top.into(), EDGE_M));
            all
        }
        Geometry::Cylinder { from, to, radius_m } => vec![FeatureLine::still(vec![from, to], radius_m)],
        Geometry::Point { at, radius_m } => {
            vec![FeatureLine::still(vec![at, at + Vec3::Y * 0.1 * radius_m], 0.5 * radius_m)]
        }
        Geometry::Rope { top, length_m, radius_m, .. } => {
            vec![FeatureLine::still(vec![top, top - Vec3::Y * length_m], radius_m)]
        }
    }
}
