//! Vector quantisation of the orientations of a joint.
//!
//! In the paper a dancer made the grid of orientations by hand: finer where a joint is used precisely,
//! coarser elsewhere. Here it is learned. Farthest-point clustering chooses orientations such that every seen
//! one is close to one of them (T. Gonzalez, "Clustering to minimize the maximum intercluster distance",
//! 1985); then they move to the means of their clusters (S. Lloyd, "Least squares quantization in PCM",
//! 1982).

use glam::{Quat, Vec4};
use marey_motion::Observer;
use marey_ops::kd_tree::KdTree;

use crate::Result;
use crate::error::check_cancelled;

/// Number of Lloyd iterations.
const LLOYD_ITERATIONS: usize = 3;
/// Number of orientations after which cancellation is checked.
const CHECKED_EVERY: usize = 10_000;

/// The numbered orientations of one joint.
#[derive(Debug, Clone)]
pub struct JointCodebook {
    orientations: Vec<Quat>,
    /// Contains q and −q for each orientation, since both are the same rotation.
    tree: KdTree<4>,
}

impl JointCodebook {
    /// Learns up to `max` orientations from those seen, of which there must be at least one. Learns fewer if
    /// every seen orientation is within `merge_angle_rad` of one of them.
    ///
    /// ```
    /// use glam::Quat;
    /// use marey_motion::Observer;
    /// use marey_tween::JointCodebook;
    /// let seen: Vec<Quat> = (0..100).map(|k| Quat::from_rotation_x(k as f32 * 0.01)).collect();
    /// let codebook = JointCodebook::learn(&seen, 400, 0.1, Observer::ignore())?;
    /// assert!((5..=12).contains(&codebook.len()));
    /// let nearest = codebook.orientation(codebook.nearest(Quat::from_rotation_x(0.5)));
    /// assert!(nearest.angle_between(Quat::from_rotation_x(0.5)) < 0.1);
    /// // q and −q are the same rotation.
    /// assert_eq!(codebook.nearest(seen[40]), codebook.nearest(-seen[40]));
    /// # Ok::<(), marey_tween::TweenError>(())
    /// ```
    pub fn learn(seen: &[Quat], max: usize, merge_angle_rad: f32, observer: Observer<'_>) -> Result<Self> {
        let max = max.clamp(1, usize::from(u16::MAX));
        let mut orientations = farthest_points(seen, max, merge_angle_rad, observer)?;
        for _ in 0..LLOYD_ITERATIONS {
            orientations = cluster_means(&Self::from_orientations(orientations), seen, observer)?;
        }
        Ok(Self::from_orientations(orientations))
    }

    /// The orientations, by index.
    pub(crate) fn orientations(&self) -> &[Quat] {
        &self.orientations
    }

    /// A codebook of known orientations.
    pub(crate) fn from_orientations(orientations: Vec<Quat>) -> Self {
        let both_signs: Vec<[f64; 4]> =
            orientations.iter().flat_map(|q| [*q, -*q]).map(coordinates).collect();
        Self { tree: KdTree::new(&both_signs), orientations }
    }

    /// Number of orientations.
    pub fn len(&self) -> usize {
        self.orientations.len()
    }

    /// Whether there are no orientations.
    pub fn is_empty(&self) -> bool {
        self.orientations.is_empty()
    }

    /// Returns the index of the nearest orientation.
    pub fn nearest(&self, orientation: Quat) -> u16 {
        self.tree.nearest(coordinates(orientation)).map_or(0, |(index, _)| (index / 2) as u16)
    }

    /// Returns an orientation by its index; the identity if there is no such index.
    pub fn orientation(&self, index: u16) -> Quat {
        self.orientations.get(usize::from(index)).copied().unwrap_or_default()
    }

    /// Returns the neighbours of each orientation: itself, up to `count` nearest others within
    /// `max_angle_rad`, and the edges of a minimum spanning tree within `max_leap_rad`, which connect
    /// separate groups. The relation is symmetric.
    pub(crate) fn neighbours(&self, count: usize, max_angle_rad: f32, max_leap_rad: f32) -> Vec<Vec<u16>> {
        let all = || self.orientations.iter().enumerate();
        let mut links: Vec<(usize, usize)> = Vec::new();
        for (index, own) in all() {
            let others = all().filter(|(other, _)| *other != index);
            let mut near: Vec<(f32, usize)> =
                others.map(|(other, q)| (own.angle_between(*q), other)).collect();
            near.retain(|(angle, _)| *angle <= max_angle_rad);
            near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            links.extend(near.iter().take(count).map(|(_, other)| (index, *other)));
        }
        let tree = self.spanning_tree();
        links.extend(tree.into_iter().filter(|link| link.0 <= max_leap_rad).map(|link| link.1));
        let mut neighbours: Vec<Vec<u16>> = all().map(|(index, _)| vec![index as u16]).collect();
        for (from, to) in links.into_iter().flat_map(|(a, b)| [(a, b), (b, a)]) {
            neighbours.iter_mut().skip(from).take(1).for_each(|list| list.push(to as u16));
        }
        for list in &mut neighbours {
            list.sort_unstable();
            list.dedup();
        }
        neighbours
    }

    /// Returns the minimum spanning tree of all orientations, each edge with its angle (Prim's algorithm).
    fn spanning_tree(&self) -> Vec<(f32, (usize, usize))> {
        let mut links = Vec::new();
        // Orientations outside the tree, each with its shortest link to the tree.
        let mut outside: Vec<(f32, usize, usize)> =
            (1..self.orientations.len()).map(|index| (f32::INFINITY, index, 0)).collect();
        let mut last = 0;
        while !outside.is_empty() {
            let newest = self.orientation(last as u16);
            for (angle, index, to) in &mut outside {
                let candidate = newest.angle_between(self.orientation(*index as u16));
                if candidate < *angle {
                    (*angle, *to) = (candidate, last);
                }
            }
            let shortest = outside
                .iter()
                .enumerate()
                .min_by(|a, b| a.1.0.total_cmp(&b.1.0))
                .map(|(position, _)| position);
            let (angle, index, to) = outside.swap_remove(shortest.unwrap_or(0));
            links.push((angle, (index, to)));
            last = index;
        }
        links
    }
}

fn coordinates(q: Quat) -> [f64; 4] {
    q.to_array().map(f64::from)
}

/// Repeatedly chooses the orientation farthest from those chosen, until every one is within the merge angle.
fn farthest_points(
    seen: &[Quat],
    max: usize,
    merge_angle_rad: f32,
    observer: Observer<'_>,
) -> Result<Vec<Quat>> {
    let mut chosen = Vec::new();
    // For each seen orientation, the cosine of half the angle to the nearest chosen one.
    let mut nearest = vec![-1.0f32; seen.len()];
    let near = (0.5 * merge_angle_rad).cos();
    let mut next = seen.first().copied();
    while let Some(orientation) = next {
        check_cancelled(observer)?;
        chosen.push(orientation);
        let mut farthest = (near, None);
        for (other, cosine) in seen.iter().zip(&mut nearest) {
            *cosine = cosine.max(other.dot(orientation).abs());
            if *cosine < farthest.0 {
                farthest = (*cosine, Some(*other));
            }
        }
        next = farthest.1.filter(|_| chosen.len() < max);
    }
    Ok(chosen)
}

/// Returns the mean of the seen orientations in each cluster.
fn cluster_means(codebook: &JointCodebook, seen: &[Quat], observer: Observer<'_>) -> Result<Vec<Quat>> {
    let mut sums = vec![Vec4::ZERO; codebook.len()];
    for (number, &orientation) in seen.iter().enumerate() {
        if number.is_multiple_of(CHECKED_EVERY) {
            check_cancelled(observer)?;
        }
        let cluster = codebook.nearest(orientation);
        let centre = codebook.orientation(cluster);
        let same_hemisphere = if centre.dot(orientation) < 0.0 { -orientation } else { orientation };
        if let Some(sum) = sums.get_mut(usize::from(cluster)) {
            *sum += Vec4::from(same_hemisphere);
        }
    }
    let mean = |(sum, old): (Vec4, &Quat)| sum.try_normalize().map_or(*old, Quat::from_vec4);
    Ok(sums.into_iter().zip(&codebook.orientations).map(mean).collect())
}
