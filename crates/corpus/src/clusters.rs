//! Which segments are alike: clusters, and who stands for each.

use marey_motion::{Clip, Place, Report};
use marey_ops::cloud::{self, Cloud};
use marey_ops::distances::Distances;
use marey_ops::reduction::movement::{Movement, to_common_length};
use marey_ops::reduction::{Keep, grouping, linkage};
use rayon::prelude::*;
use rusqlite::params;

use crate::{Corpus, Error, Maker, Result, Segment, SegmentId, codes};

/// How segments are put together.
#[derive(Debug, Clone, PartialEq)]
pub struct ClusterSettings {
    /// By what rule.
    pub by: ClusterMethod,
    /// Which of a cluster stands for it; default the one in the middle.
    pub keep: Keep,
    /// Only segments that this maker cut; all where nobody is named, as by default.
    pub maker: Option<Maker>,
}

/// The rule that segments are put together by.
#[derive(Debug, Clone, PartialEq)]
pub enum ClusterMethod {
    /// No two of a cluster are further apart than a threshold ([`linkage`]), by points over the floor ([`cloud`]).
    Linkage {
        /// How far apart they may be, in metres; default 0.1; 0 to 100.
        threshold_m: f32,
        /// What is compared.
        cloud: cloud::Settings,
    },
    /// None is further than a radius from its cluster's centre, and centres are at least a distance apart ([`grouping`]),
    /// by the ends of limbs, warped in time ([`marey_ops::reduction::movement`]).
    Means {
        /// Radius and distance.
        groups: grouping::Settings,
        /// How far a moment may be early or late, as a share of a segment; default 0.25; 0 to 1.
        warp: f64,
    },
}

/// Frames of a segment that are compared at the most by [`ClusterMethod::Means`]: as much as two seconds at 30 Hz.
const MOST_FRAMES: usize = 60;

impl ClusterMethod {
    /// K-means with the paper's radius and distance.
    pub fn means() -> Self {
        Self::Means { groups: grouping::Settings::default(), warp: 0.25 }
    }

    /// Who made what it finds.
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
        let threshold_m = linkage::Settings::default().threshold_m;
        Self::Linkage { threshold_m, cloud: cloud::Settings::default() }
    }
}

impl Default for ClusterSettings {
    fn default() -> Self {
        Self { by: ClusterMethod::default(), keep: Keep::Medoid, maker: None }
    }
}

/// A segment's place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clustered {
    /// The segment.
    pub segment: SegmentId,
    /// Its cluster, from 0, in the order of their first segments.
    pub cluster: usize,
    /// Whether it stands for its cluster.
    pub representative: bool,
}

impl Corpus {
    /// Puts segments into clusters and writes that down; it goes when segments change. A segment without an actor is compared
    /// by the first one's motion. In the order of [`Corpus::segments`], with a report of what could not be held to.
    pub fn cluster(&mut self, settings: &ClusterSettings) -> Result<(Vec<Clustered>, Report)> {
        let segments = self.segments_by(settings.maker.as_ref())?;
        if segments.is_empty() {
            return Err(Error::refused(&codes::NO_SEGMENT, "there is nothing to put into clusters"));
        }
        let mut report = Report::default();
        let (of_item, kept) = match &settings.by {
            ClusterMethod::Linkage { threshold_m, cloud } => {
                let distances = Distances::of(&self.clouds(&segments, cloud)?)?;
                let linkage = linkage::Settings { threshold_m: *threshold_m, keep: settings.keep };
                let found = linkage::complete_linkage(&distances, &linkage)?;
                (found.of_item, found.kept)
            }
            ClusterMethod::Means { groups, warp } => {
                let of = |clip: &Clip, segment: &Segment| {
                    Ok(Movement::of(clip, segment.frames.clone())?.at_most(MOST_FRAMES))
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

    /// The clusters that were written down last, by segment; empty where segments have changed since.
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

    /// The cloud of each segment: what [`Distances`] are of. A segment without an actor is compared by the first one's motion.
    pub fn clouds(&self, segments: &[Segment], settings: &cloud::Settings) -> Result<Vec<Cloud>> {
        self.of_segments(segments, |clip, segment| Ok(Cloud::of(clip, segment.frames.clone(), settings)?))
    }

    /// Something of each segment's motion. Takes are read one after another, and only where they have segments.
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
