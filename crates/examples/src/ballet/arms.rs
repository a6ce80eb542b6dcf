//! The positions of the arms, and the paths between them.
//!
//! Both arms move as one unit, each rounded from shoulder to fingers, between neighbouring positions: up through first, out to second,
//! over fifth. On a path, each wrist moves along a great circle about its shoulder, both by the same share at the same time.

use marey_motion::{Side, Vec3};

/// Where one arm is.
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
    /// From the shoulder to the wrist of a left arm, in the chest's frame.
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

/// A position of both arms. Where they differ, it is named with the side of the arm that leads: that is ahead or overhead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arms {
    /// Low, before the thighs: bras bas.
    Low,
    /// Ahead, at the height of the diaphragm.
    First,
    /// To the sides, a little ahead and below the shoulders.
    Second,
    /// One ahead, one to the side.
    Third(Side),
    /// One overhead, one to the side.
    Fourth(Side),
    /// Overhead.
    Fifth,
    /// One stretched ahead at the height of the eyes, one to the side and a little back.
    Arabesque(Side),
}

use Arms::{Arabesque, Fifth, First, Fourth, Low, Second, Third};
use Side::{Left, Right};

impl Arms {
    /// All of them.
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

    /// Pairs between which arms move directly, either way.
    pub const WAYS: [[Arms; 2]; 17] = [
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

    /// Where the left and the right arm are.
    fn arms(self) -> [Arm; 2] {
        let led = |side: Side, leads: Arm, follows: Arm| match side {
            Left => [leads, follows],
            Right => [follows, leads],
        };
        match self {
            Low => [Arm::Low; 2],
            First => [Arm::Front; 2],
            Second => [Arm::Open; 2],
            Fifth => [Arm::Over; 2],
            Third(side) => led(side, Arm::Front, Arm::Open),
            Fourth(side) => led(side, Arm::Over, Arm::Open),
            Arabesque(side) => led(side, Arm::Ahead, Arm::Behind),
        }
    }

    /// From shoulder to wrist of the left and the right arm, each as if it were a left one: x grows outwards; in the chest's
    /// frame, of length 1.
    pub fn directions(self) -> [Vec3; 2] {
        self.arms().map(Arm::direction)
    }

    /// The positions that arms pass on their way to others: next to each other, the last one where they go.
    pub fn way_to(self, to: Arms) -> Vec<Arms> {
        let mut ways = vec![vec![self]];
        // Breadth first: no position is farther from another than the number of positions.
        for _ in 0..Self::ALL.len() {
            if let Some(way) = ways.iter().find(|way| way.last() == Some(&to)) {
                return way[1..].to_vec();
            }
            ways = ways.iter().flat_map(|way| longer(way)).collect();
        }
        vec![to]
    }
}

/// Ways that go on by one, to where they have not been.
fn longer(way: &[Arms]) -> impl Iterator<Item = Vec<Arms>> {
    let last = way.last().copied();
    let next = Arms::WAYS.into_iter().filter_map(move |[a, b]| match last {
        Some(at) if at == a => Some(b),
        Some(at) if at == b => Some(a),
        _ => None,
    });
    let fresh = next.filter(|next| !way.contains(next));
    fresh.map(|next| way.iter().copied().chain([next]).collect())
}

/// Where on a way arms are looked for, at the closest.
const PARTS: usize = 12;

/// How far both arms are from the nearest way between two positions: the farther arm, in radians.
pub(super) fn off_the_ways_rad(arms: [Vec3; 2]) -> f32 {
    let ways = Arms::WAYS.into_iter().map(|[a, b]| [a.directions(), b.directions()]);
    let places = ways.flat_map(|[a, b]| {
        (0..=PARTS).map(move |part| {
            let share = part as f32 / PARTS as f32;
            [0, 1].map(|i| on_circle(a[i], b[i], share))
        })
    });
    let off = places.map(|place| arms[0].angle_between(place[0]).max(arms[1].angle_between(place[1])));
    off.fold(f32::INFINITY, f32::min)
}

/// A share of the way from one direction to another, on a great circle.
fn on_circle(from: Vec3, to: Vec3, share: f32) -> Vec3 {
    let axis = from.cross(to).normalize_or(Vec3::Y);
    marey_motion::Quat::from_axis_angle(axis, share * from.angle_between(to)) * from
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_lead_from_everywhere_to_everywhere() {
        for from in Arms::ALL {
            for to in Arms::ALL {
                let way = from.way_to(to);
                assert_eq!(way.last().copied().unwrap_or(from), to);
                let steps: Vec<Arms> = [from].into_iter().chain(way).collect();
                for pair in steps.windows(2) {
                    let joined = Arms::WAYS.iter().any(|w| w.contains(&pair[0]) && w.contains(&pair[1]));
                    assert!(joined, "{steps:?}");
                }
            }
        }
        assert_eq!(Low.way_to(Arabesque(Left)), [First, Third(Left), Arabesque(Left)]);
    }

    #[test]
    fn what_is_between_two_positions_is_on_a_way_and_other_things_are_not() {
        for [a, b] in Arms::WAYS {
            let (a, b) = (a.directions(), b.directions());
            assert!(off_the_ways_rad([0, 1].map(|i| on_circle(a[i], b[i], 0.5))) < 1e-3);
        }
        assert!(off_the_ways_rad([Vec3::NEG_Z; 2]) > 0.8);
        // One arm low while the other is overhead.
        assert!(off_the_ways_rad([Arm::Low.direction(), Arm::Over.direction()]) > 0.5);
    }
}
