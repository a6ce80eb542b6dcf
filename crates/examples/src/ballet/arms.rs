//! The positions of the arms, and the paths between them.
//!
//! Both arms move as one unit, each rounded from shoulder to fingers, between neighbouring positions: up through first, out to second,
//! over fifth. On a path, each wrist moves along a great circle about its shoulder, both by the same fraction at the same time.

use marey_motion::{Side, Vec3};

/// The position of one arm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Arm {
    Low,
    Front,
    Open,
    Over,
    Ahead,
    Behind,
}

impl Arm {
    /// The direction from shoulder to wrist of a left arm, in the frame of the chest.
    fn direction(self) -> Vec3 {
        let direction = match self {
            Arm::Low => Vec3::new(-0.02, -0.90, 0.42),
            Arm::Front => Vec3::new(-0.07, -0.36, 0.92),
            Arm::Open => Vec3::new(0.91, -0.20, 0.36),
            Arm::Over => Vec3::new(-0.10, 0.94, 0.33),
            Arm::Ahead => Vec3::new(-0.02, 0.12, 0.99),
            Arm::Behind => Vec3::new(0.94, -0.12, -0.20),
        };
        direction.normalize_or(Vec3::NEG_Y)
    }
}

/// A position of both arms. If they differ, the name has the side of the leading arm, which is in front or overhead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arms {
    /// Low, in front of the thighs: bras bas.
    Low,
    /// In front, at the height of the diaphragm.
    First,
    /// To the sides, slightly in front of and below the shoulders.
    Second,
    /// One in front, one to the side.
    Third(Side),
    /// One overhead, one to the side.
    Fourth(Side),
    /// Overhead.
    Fifth,
    /// One stretched forward at eye level, one to the side and slightly back.
    Arabesque(Side),
}

use Arms::{Arabesque, Fifth, First, Fourth, Low, Second, Third};
use Side::{Left, Right};

impl Arms {
    /// All positions.
    pub const ALL: [Arms; 10] = [
        Low,
        First,
        Second,
        Third(Left),
        Third(Right),
        Fourth(Left),
        Fourth(Right),
        Fifth,
        Arabesque(Left),
        Arabesque(Right),
    ];

    /// Pairs of positions between which arms move directly, in either direction.
    pub const PATHS: [[Arms; 2]; 17] = [
        [Low, First],
        [First, Fifth],
        [First, Second],
        [Fifth, Second],
        [Second, Low],
        [First, Third(Left)],
        [First, Third(Right)],
        [Third(Left), Second],
        [Third(Right), Second],
        [Third(Left), Fourth(Left)],
        [Third(Right), Fourth(Right)],
        [Fourth(Left), Fifth],
        [Fourth(Right), Fifth],
        [Fourth(Left), Second],
        [Fourth(Right), Second],
        [Third(Left), Arabesque(Left)],
        [Third(Right), Arabesque(Right)],
    ];

    /// The positions of the left and the right arm.
    fn arms(self) -> [Arm; 2] {
        let leading = |side: Side, leads: Arm, follows: Arm| match side {
            Left => [leads, follows],
            Right => [follows, leads],
        };
        match self {
            Low => [Arm::Low; 2],
            First => [Arm::Front; 2],
            Second => [Arm::Open; 2],
            Fifth => [Arm::Over; 2],
            Third(side) => leading(side, Arm::Front, Arm::Open),
            Fourth(side) => leading(side, Arm::Over, Arm::Open),
            Arabesque(side) => leading(side, Arm::Ahead, Arm::Behind),
        }
    }

    /// The unit directions from shoulder to wrist of the left and the right arm, in the frame of the chest. Both are given as for a left
    /// arm: x points outwards.
    pub fn directions(self) -> [Vec3; 2] {
        self.arms().map(Arm::direction)
    }

    /// The positions on the shortest path to another position, including the last.
    pub fn path_to(self, to: Arms) -> Vec<Arms> {
        let mut paths = vec![vec![self]];
        // Breadth-first search. No path is longer than the number of positions.
        for _ in 0..Self::ALL.len() {
            if let Some(path) = paths.iter().find(|path| path.last() == Some(&to)) {
                return path[1..].to_vec();
            }
            paths = paths.iter().flat_map(|path| extended(path)).collect();
        }
        vec![to]
    }
}

/// Extensions of a path by one new position.
fn extended(path: &[Arms]) -> impl Iterator<Item = Vec<Arms>> {
    let last = path.last().copied();
    let next = Arms::PATHS.into_iter().filter_map(move |[a, b]| match last {
        Some(at) if at == a => Some(b),
        Some(at) if at == b => Some(a),
        _ => None,
    });
    let unvisited = next.filter(|next| !path.contains(next));
    unvisited.map(|next| path.iter().copied().chain([next]).collect())
}

/// Number of samples on a path between two positions.
const SAMPLES: usize = 12;

/// The distance of the arms from the nearest path between two positions: that of the farther arm, in radians.
pub(super) fn distance_from_paths_rad(arms: [Vec3; 2]) -> f32 {
    let paths = Arms::PATHS.into_iter().map(|[a, b]| [a.directions(), b.directions()]);
    let samples = paths.flat_map(|[a, b]| {
        (0..=SAMPLES).map(move |sample| {
            let share = sample as f32 / SAMPLES as f32;
            [0, 1].map(|i| on_circle(a[i], b[i], share))
        })
    });
    let distances =
        samples.map(|sample| arms[0].angle_between(sample[0]).max(arms[1].angle_between(sample[1])));
    distances.fold(f32::INFINITY, f32::min)
}

/// Interpolates between two directions on a great circle.
fn on_circle(from: Vec3, to: Vec3, share: f32) -> Vec3 {
    let axis = from.cross(to).normalize_or(Vec3::Y);
    marey_motion::Quat::from_axis_angle(axis, share * from.angle_between(to)) * from
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_connect_all_positions() {
        for from in Arms::ALL {
            for to in Arms::ALL {
                let path = from.path_to(to);
                assert_eq!(path.last().copied().unwrap_or(from), to);
                let steps: Vec<Arms> = [from].into_iter().chain(path).collect();
                for pair in steps.windows(2) {
                    let joined =
                        Arms::PATHS.iter().any(|path| path.contains(&pair[0]) && path.contains(&pair[1]));
                    assert!(joined, "{steps:?}");
                }
            }
        }
        assert_eq!(Low.path_to(Arabesque(Left)), [First, Third(Left), Arabesque(Left)]);
    }

    #[test]
    fn only_arms_between_two_positions_are_on_a_path() {
        for [a, b] in Arms::PATHS {
            let (a, b) = (a.directions(), b.directions());
            assert!(distance_from_paths_rad([0, 1].map(|i| on_circle(a[i], b[i], 0.5))) < 1e-3);
        }
        assert!(distance_from_paths_rad([Vec3::NEG_Z; 2]) > 0.8);
        // One arm is low while the other is overhead.
        assert!(distance_from_paths_rad([Arm::Low.direction(), Arm::Over.direction()]) > 0.5);
    }
}
