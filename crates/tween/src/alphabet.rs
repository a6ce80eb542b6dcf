//! The orientations that a joint takes.
//!
//! The paper's grid was made by hand, by a dancer: more clicks where a joint is used finely, fewer elsewhere. Here it is learned: the
//! first orientations are spread so that none seen is far from one (T. Gonzalez, "Clustering to minimize the maximum intercluster
//! distance", 1985), and then drawn to where the motion mostly is (S. Lloyd, "Least squares quantization in PCM", 1982).

use glam::{Quat, Vec4};
use marey_ops::kd_tree::KdTree;

/// How often orientations are drawn to the middle of what is nearest to them.
const ROUNDS: usize = 3;

/// A set of orientations of one joint, each a number.
#[derive(Debug, Clone)]
pub struct Alphabet {
    orientations: Vec<Quat>,
    /// Each orientation twice, as a rotation is two quaternions.
    tree: KdTree<4>,
}

impl Alphabet {
    /// Learns at most `most` orientations from those seen, of which at least one; fewer where all are within `nearness_rad` of one.
    ///
    /// ```
    /// use glam::Quat;
    /// use marey_tween::Alphabet;
    /// let seen: Vec<Quat> = (0..100).map(|k| Quat::from_rotation_x(k as f32 * 0.01)).collect();
    /// let alphabet = Alphabet::learn(&seen, 400, 0.1);
    /// assert!((5..=12).contains(&alphabet.len()));
    /// let nearest = alphabet.orientation(alphabet.nearest(Quat::from_rotation_x(0.5)));
    /// assert!(nearest.angle_between(Quat::from_rotation_x(0.5)) < 0.1);
    /// // A rotation is two quaternions.
    /// assert_eq!(alphabet.nearest(seen[40]), alphabet.nearest(-seen[40]));
    /// ```
    pub fn learn(seen: &[Quat], most: usize, nearness_rad: f32) -> Self {
        let mut orientations = spread(seen, most.clamp(1, usize::from(u16::MAX)), nearness_rad);
        for _ in 0..ROUNDS {
            orientations = drawn(&Self::of(orientations), seen);
        }
        Self::of(orientations)
    }

    fn of(orientations: Vec<Quat>) -> Self {
        let twice: Vec<[f64; 4]> = orientations.iter().flat_map(|q| [*q, -*q]).map(coordinates).collect();
        Self { tree: KdTree::new(&twice), orientations }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.orientations.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.orientations.is_empty()
    }

    /// The number of the orientation nearest to one.
    pub fn nearest(&self, orientation: Quat) -> u16 {
        self.tree.nearest(coordinates(orientation)).map_or(0, |(index, _)| (index / 2) as u16)
    }

    /// An orientation by its number.
    pub fn orientation(&self, number: u16) -> Quat {
        self.orientations.get(usize::from(number)).copied().unwrap_or_default()
    }
}

impl Alphabet {
    /// For each orientation, itself, its nearest few others no farther than `near_rad`, and those by which all hang together, no farther
    /// than `leap_rad`: a tree of the shortest links. Each is a neighbour of its neighbours.
    pub(crate) fn neighbours(&self, few: usize, near_rad: f32, leap_rad: f32) -> Vec<Vec<u16>> {
        let all = || self.orientations.iter().enumerate();
        let mut links: Vec<(usize, usize)> = Vec::new();
        for (number, own) in all() {
            let others = all().filter(|(other, _)| *other != number);
            let mut near: Vec<(f32, usize)> =
                others.map(|(other, q)| (own.angle_between(*q), other)).collect();
            near.retain(|(angle, _)| *angle <= near_rad);
            near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            links.extend(near.iter().take(few).map(|(_, other)| (number, *other)));
        }
        links.extend(self.shortest_links().into_iter().filter(|link| link.0 <= leap_rad).map(|link| link.1));
        let mut neighbours: Vec<Vec<u16>> = all().map(|(number, _)| vec![number as u16]).collect();
        for (from, to) in links.into_iter().flat_map(|(a, b)| [(a, b), (b, a)]) {
            neighbours.iter_mut().skip(from).take(1).for_each(|of_one| of_one.push(to as u16));
        }
        for of_one in &mut neighbours {
            of_one.sort_unstable();
            of_one.dedup();
        }
        neighbours
    }

    /// The shortest links that make one tree of all orientations, each with its angle: Prim's algorithm.
    fn shortest_links(&self) -> Vec<(f32, (usize, usize))> {
        let mut links = Vec::new();
        // What is not in the tree yet, and its shortest link to it.
        let mut out: Vec<(f32, usize, usize)> =
            (1..self.orientations.len()).map(|number| (f32::INFINITY, number, 0)).collect();
        let mut last = 0;
        while !out.is_empty() {
            let newest = self.orientation(last as u16);
            for (angle, number, to) in &mut out {
                let over = newest.angle_between(self.orientation(*number as u16));
                if over < *angle {
                    (*angle, *to) = (over, last);
                }
            }
            let shortest =
                out.iter().enumerate().min_by(|a, b| a.1.0.total_cmp(&b.1.0)).map(|(index, _)| index);
            let (angle, number, to) = out.swap_remove(shortest.unwrap_or(0));
            links.push((angle, (number, to)));
            last = number;
        }
        links
    }
}

fn coordinates(q: Quat) -> [f64; 4] {
    q.to_array().map(f64::from)
}

/// The farthest from all chosen so far, again and again, until all are near one.
fn spread(seen: &[Quat], most: usize, nearness_rad: f32) -> Vec<Quat> {
    let mut chosen = Vec::new();
    // The cosine of half the angle to the nearest chosen one, for each seen.
    let mut nearest = vec![-1.0f32; seen.len()];
    let near = (0.5 * nearness_rad).cos();
    let mut next = seen.first().copied();
    while let Some(orientation) = next {
        chosen.push(orientation);
        let mut farthest = (near, None);
        for (other, cosine) in seen.iter().zip(&mut nearest) {
            *cosine = cosine.max(other.dot(orientation).abs());
            if *cosine < farthest.0 {
                farthest = (*cosine, Some(*other));
            }
        }
        next = farthest.1.filter(|_| chosen.len() < most);
    }
    chosen
}

/// Each orientation in the middle of those seen that are nearest to it.
fn drawn(alphabet: &Alphabet, seen: &[Quat]) -> Vec<Quat> {
    let mut sums = vec![Vec4::ZERO; alphabet.len()];
    for &orientation in seen {
        let number = alphabet.nearest(orientation);
        let middle = alphabet.orientation(number);
        let side = if middle.dot(orientation) < 0.0 { -orientation } else { orientation };
        if let Some(sum) = sums.get_mut(usize::from(number)) {
            *sum += Vec4::from(side);
        }
    }
    let middle = |(sum, old): (Vec4, &Quat)| sum.try_normalize().map_or(*old, Quat::from_vec4);
    sums.into_iter().zip(&alphabet.orientations).map(middle).collect()
}
