//! Clusters of similar segments, and their representatives.

use std::ops::Range;

use marey_motion::{Clip, Observer, Place, Report};
use marey_ops::cloud::{self, Cloud};
use marey_ops::distances::NearPairs;
use marey_ops::reduction::movement::{MovementFeatures, to_common_length};
use marey_ops::reduction::{Keep, grouping, linkage};
use marey_ops::{OpsError, OutOfRange};
use rayon::prelude::*;
use rusqlite::params;
use serde::{Deserialize, Serialize};

use crate::annotations::number;
use crate::error::report;
use crate::{Corpus, CorpusError, Maker, Result, Segment, SegmentId, TakeId, codes};

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

/// Which segments to cluster, and how, as plain values. [`ClusterRequest::settings`] gives the settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ClusterRequest {
    /// The method; default linkage.
    pub method: ClusterMethodName,
    /// Linkage: maximum distance between two segments of a cluster, in metres; default 0.1.
    pub threshold_m: f32,
    /// K-means: maximum distance of a segment from the centre of its cluster, in metres; default 0.15.
    pub radius_m: f32,
    /// K-means: minimum distance between centres, in metres; default half of the radius.
    pub spacing_m: Option<f32>,
    /// K-means: maximum time shift of a frame, as a share of the segment, 0 to 1; default 0.25.
    pub warp: f32,
    /// Only segments by this maker.
    pub made_by: Option<Maker>,
    /// Random seed: each cluster is represented by a random segment instead of the one in the middle.
    pub random: Option<u64>,
}

/// The name of a clustering method.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClusterMethodName {
    /// Complete linkage.
    #[default]
    Linkage,
    /// K-means that splits and joins clusters.
    Kmeans,
}

impl Default for ClusterRequest {
    fn default() -> Self {
        let (method, spacing_m) = (ClusterMethodName::default(), None);
        Self { method, threshold_m: 0.1, radius_m: 0.15, spacing_m, warp: 0.25, made_by: None, random: None }
    }
}

impl ClusterRequest {
    /// Checks the range of each setting.
    pub fn validate(&self) -> Result<()> {
        let distances = [
            ("threshold_m", self.threshold_m),
            ("radius_m", self.radius_m),
            ("spacing_m", self.spacing_m.unwrap_or(0.0)),
        ];
        for (name, metres) in distances {
            OutOfRange::check(name, metres, 0.0..=1e3).map_err(OpsError::from)?;
        }
        Ok(OutOfRange::check("warp", self.warp, 0.0..=1.0).map_err(OpsError::from)?)
    }

    /// The settings of the method. Fails if a setting is out of range.
    pub fn settings(&self) -> Result<ClusterSettings> {
        self.validate()?;
        let by = match self.method {
            ClusterMethodName::Linkage => ClusterMethod::Linkage {
                threshold_m: self.threshold_m,
                cloud: cloud::CloudSettings::default(),
            },
            ClusterMethodName::Kmeans => {
                let groups = grouping::GroupingSettings {
                    most_radius_m: self.radius_m,
                    least_spacing_m: self.spacing_m.unwrap_or(0.5 * self.radius_m),
                    ..grouping::GroupingSettings::default()
                };
                ClusterMethod::Means { groups, warp: self.warp.into() }
            }
        };
        let keep = self.random.map_or(Keep::Medoid, |seed| Keep::Random { seed });
        Ok(ClusterSettings { by, keep, maker: self.made_by.clone() })
    }
}

/// The cluster of a segment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Clustered {
    /// The segment.
    pub segment: SegmentId,
    /// Its take.
    pub take: TakeId,
    /// Its name.
    pub name: String,
    /// Its frames in the take.
    #[serde(flatten)]
    pub frames: Range<usize>,
    /// Index of its cluster, in the order of their first segments.
    pub cluster: usize,
    /// Whether it represents its cluster.
    pub representative: bool,
}

impl Corpus {
    /// Clusters segments and stores the result until segments change. A segment without an actor is compared by the
    /// motion of the first actor. Returns the clusters in the order of [`Corpus::segments`], and a report of
    /// constraints that could not be met.
    pub fn cluster(
        &mut self,
        settings: &ClusterSettings,
        observer: Observer<'_>,
    ) -> Result<(Vec<Clustered>, Report)> {
        let segments = self.segments_by(settings.maker.as_ref())?;
        if segments.is_empty() {
            return Err(CorpusError::refused(&codes::NO_SEGMENT, "there are no segments to cluster"));
        }
        let mut warnings = Report::default();
        let (of_item, kept) = match &settings.by {
            ClusterMethod::Linkage { threshold_m, cloud } => {
                let clouds = self.of_segments(&segments, observer, |clip, segment| {
                    Ok(Cloud::of(clip, segment.frames.clone(), cloud)?)
                })?;
                let near = NearPairs::of_observed(&clouds, *threshold_m, |_, _| true, observer)?;
                drop(clouds);
                if !near.is_complete() {
                    let most = NearPairs::most_neighbours(segments.len());
                    let message =
                        format!("some of {} segments have more than {most} similar ones", segments.len());
                    warnings.warn(&codes::NEIGHBOURS, Place::default(), message);
                }
                let linkage = linkage::LinkageSettings { threshold_m: *threshold_m, keep: settings.keep };
                let found = linkage::complete_linkage_observed(&near, &linkage, observer)?;
                (found.of_item, found.kept)
            }
            ClusterMethod::Means { groups, warp } => {
                let of = |clip: &Clip, segment: &Segment| {
                    Ok(MovementFeatures::of(clip, segment.frames.clone())?.at_most(MOST_FRAMES))
                };
                let vectors = to_common_length(&self.of_segments(&segments, observer, of)?, *warp)?;
                let found = grouping::groups_observed(&vectors, groups, observer)?;
                if !found.spaced {
                    let message =
                        format!("{} m apart instead of {} m", found.spacing_m, groups.least_spacing_m);
                    warnings.warn(&codes::SPACING, Place::default(), message);
                }
                let kept = found.kept(&vectors, settings.keep);
                (found.of_item, kept)
            }
        };
        let place = |(i, (segment, &cluster)): (usize, (&Segment, &usize))| {
            let representative = kept.get(cluster) == Some(&i);
            let Segment { id, take, name, frames, .. } = segment.clone();
            Clustered { segment: id, take, name, frames, cluster, representative }
        };
        let all: Vec<Clustered> = segments.iter().zip(&of_item).enumerate().map(place).collect();
        let maker = settings.by.maker().to_string();
        self.change(|transaction| {
            transaction.execute("DELETE FROM clusters", [])?;
            let sql = "INSERT INTO clusters (segment, cluster, representative, made_by) VALUES (?, ?, ?, ?)";
            let mut statement = transaction.prepare_cached(sql)?;
            for Clustered { segment, cluster, representative, .. } in &all {
                statement.execute(params![segment.0, *cluster as i64, representative, maker])?;
            }
            Ok::<_, rusqlite::Error>(())
        })?;
        Ok((all, warnings))
    }

    /// The stored clusters by segment; empty if segments have changed since.
    pub fn clusters(&self) -> Result<Vec<Clustered>> {
        self.run(|connection| {
            let sql = "SELECT segment, cluster, representative, take, name, start, \"end\" FROM clusters
                       JOIN segments ON segments.id = segment ORDER BY segment";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map([], |row| {
                Ok(Clustered {
                    segment: SegmentId(row.get(0)?),
                    take: TakeId(row.get(3)?),
                    name: row.get(4)?,
                    frames: number(row, 5)?..number(row, 6)?,
                    cluster: number(row, 1)?,
                    representative: row.get(2)?,
                })
            })?;
            rows.collect()
        })
    }

    /// The point cloud of each segment, for [`NearPairs`]. A segment without an actor uses the motion of the first
    /// actor.
    pub fn clouds(&self, segments: &[Segment], settings: &cloud::CloudSettings) -> Result<Vec<Cloud>> {
        let of = |clip: &Clip, segment: &Segment| Ok(Cloud::of(clip, segment.frames.clone(), settings)?);
        self.of_segments(segments, Observer::ignore(), of)
    }

    /// Computes a value from each segment's motion. Takes are read one after another, and only if they have segments.
    fn of_segments<T: Send>(
        &self,
        segments: &[Segment],
        observer: Observer<'_>,
        of: impl Fn(&Clip, &Segment) -> Result<T> + Sync,
    ) -> Result<Vec<T>> {
        let mut all = Vec::with_capacity(segments.len());
        for of_take in segments.chunk_by(|a, b| a.take == b.take) {
            let Some(first) = of_take.first() else { continue };
            report(observer, "segments", all.len(), segments.len())?;
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
