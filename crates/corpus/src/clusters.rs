//! Clusters of similar segments, and their representatives.

use marey_motion::{Clip, Place, Report};
use marey_ops::cloud::{self, Cloud};
use marey_ops::distances::Distances;
use marey_ops::reduction::movement::{MovementFeatures, to_common_length};
use marey_ops::reduction::{Keep, grouping, linkage};
use rayon::prelude::*;
use rusqlite::params;

use crate::{Corpus, CorpusError, Maker, Result, Segment, SegmentId, codes};

/// Settings of clustering.
#[derive(Debug, Clone, PartialEq)]
pub struct ClusterSettings {
    /// The clustering method.
    pub by: ClusterMethod,
    /// Which segment represents a cluster; default: the one in the middle.
    pub keep: Keep,
    /// Only segments by this maker; default: all.
    pub maker: Option<Maker>,
}

/// The clustering method.
#[derive(Debug, Clone, PartialEq)]
pub enum ClusterMethod {
    /// Two segments of a cluster are at most a threshold apart ([`linkage`]), by points over the floor ([`cloud`]).
    Linkage {
        /// Maximum distance, in metres; default 0.1; 0 to 100.
        threshold_m: f32,
        /// What is compared.
        cloud: cloud::CloudSettings,
    },
    /// Segments are within a radius of their cluster's centre, and centres are at least a distance apart
    /// ([`grouping`]), by the ends of limbs, warped in time ([`marey_ops::reduction::movement`]).
    Means {
        /// Radius and distance.
        groups: grouping::GroupingSettings,
        /// Maximum time shift of a frame, as a share of a segment; default 0.25; 0 to 1.
        warp: f64,
    },
}

/// Maximum number of frames of a segment that [`ClusterMethod::Means`] compares: two seconds at 30 Hz.
const MOST_FRAMES: usize = 60;

impl ClusterMethod {
    /// K-means with the radius and distance of the paper.
    pub fn means() -> Self {
        Self::Means { groups: grouping::GroupingSettings::default(), warp: 0.25 }
    }

    /// The maker of the clusters.
    fn maker(&self) -> Maker {
        Maker::method(match self {
            Self::Linkage { threshold_m, .. } => format!("linkage {threshold_m}"),
            Self::Means { groups, .. } => {
                format!("kmeans {} {}", groups.most_radius_m, groups.least_spacing_m)
            }
        })
    }
}

impl Default for ClusterMethod {
    fn default() -> Self {
        let threshold_m = linkage::LinkageSettings::default().threshold_m;
        Self::Linkage { threshold_m, cloud: cloud::CloudSettings::default() }
    }
}

impl Default for ClusterSettings {
    fn default() -> Self {
        Self { by: ClusterMethod::default(), keep: Keep::Medoid, maker: None }
    }
}

/// The cluster of a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clustered {
    /// The segment.
    pub segment: SegmentId,
    /// Index of its cluster, in the order of their first segments.
    pub cluster: usize,
    /// Whether it represents its cluster.
    pub representative: bool,
}

impl Corpus {
    /// Clusters segments and stores the result until segments change. A segment without an actor is compared by the
    /// motion of the first actor. Returns the clusters in the order of [`Corpus::segments`], and a report of
    /// constraints that could not be met.
    pub fn cluster(&mut self, settings: &ClusterSettings) -> Result<(Vec<Clustered>, Report)> {
        let segments = self.segments_by(settings.maker.as_ref())?;
        if segments.is_empty() {
            return Err(CorpusError::refused(&codes::NO_SEGMENT, "there is nothing to put into clusters"));
        }
        let mut report = Report::default();
        let (of_item, kept) = match &settings.by {
            ClusterMethod::Linkage { threshold_m, cloud } => {
                let distances = Distances::of(&self.clouds(&segments, cloud)?)?;
                let linkage = linkage::LinkageSettings { threshold_m: *threshold_m, keep: settings.keep };
                let found = linkage::complete_linkage(&distances, &linkage)?;
                (found.of_item, found.kept)
            }
            ClusterMethod::Means { groups, warp } => {
                let of = |clip: &Clip, segment: &Segment| {
                    Ok(MovementFeatures::of(clip, segment.frames.clone())?.at_most(MOST_FRAMES))
                };
                let vectors = to_common_length(&self.of_segments(&segments, of)?, *warp)?;
                let found = grouping::groups(&vectors, groups)?;
                if !found.spaced {
                    let message = format!(
                        "{} m apart, where {} m are asked for",
                        found.spacing_m, groups.least_spacing_m
                    );
                    report.warn(&codes::SPACING, Place::default(), message);
                }
                let kept = found.kept(&vectors, settings.keep);
                (found.of_item, kept)
            }
        };
        let place = |(i, (segment, &cluster)): (usize, (&Segment, &usize))| {
            let representative = kept.get(cluster) == Some(&i);
            Clustered { segment: segment.id, cluster, representative }
        };
        let all: Vec<Clustered> = segments.iter().zip(&of_item).enumerate().map(place).collect();
        let maker = settings.by.maker().to_string();
        self.change(|transaction| {
            transaction.execute("DELETE FROM clusters", [])?;
            let sql = "INSERT INTO clusters (segment, cluster, representative, made_by) VALUES (?, ?, ?, ?)";
            let mut statement = transaction.prepare_cached(sql)?;
            for Clustered { segment, cluster, representative } in &all {
                statement.execute(params![segment.0, *cluster as i64, representative, maker])?;
            }
            Ok::<_, rusqlite::Error>(())
        })?;
        Ok((all, report))
    }

    /// The stored clusters by segment; empty if segments have changed since.
    pub fn clusters(&self) -> Result<Vec<Clustered>> {
        self.run(|connection| {
            let sql = "SELECT segment, cluster, representative FROM clusters ORDER BY segment";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map([], |row| {
                let cluster = crate::annotations::number(row, 1)?;
                Ok(Clustered { segment: SegmentId(row.get(0)?), cluster, representative: row.get(2)? })
            })?;
            rows.collect()
        })
    }

    /// The point cloud of each segment, for [`Distances`]. A segment without an actor uses the motion of the first
    /// actor.
    pub fn clouds(&self, segments: &[Segment], settings: &cloud::CloudSettings) -> Result<Vec<Cloud>> {
        self.of_segments(segments, |clip, segment| Ok(Cloud::of(clip, segment.frames.clone(), settings)?))
    }

    /// Computes a value from each segment's motion. Takes are read one after another, and only if they have segments.
    fn of_segments<T: Send>(
        &self,
        segments: &[Segment],
        of: impl Fn(&Clip, &Segment) -> Result<T> + Sync,
    ) -> Result<Vec<T>> {
        let mut all = Vec::with_capacity(segments.len());
        for of_take in segments.chunk_by(|a, b| a.take == b.take) {
            let Some(first) = of_take.first() else { continue };
            let take = self.take(first.take)?;
            let one = |segment: &Segment| {
                let actor = take.actors().get(segment.actor.unwrap_or(0));
                of(actor.map_or_else(|| take.first(), |actor| &actor.clip), segment)
            };
            let some: Vec<T> = of_take.par_iter().map(one).collect::<Result<_>>()?;
            all.extend(some);
        }
        Ok(all)
    }
}
