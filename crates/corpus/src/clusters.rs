//! Which segments are alike: clusters, and who stands for each.

use std::sync::Arc;

use marey_motion::Clip;
use marey_ops::cloud::{self, Cloud};
use marey_ops::distances::Distances;
use marey_ops::reduction::linkage::{self, Keep};
use rayon::prelude::*;
use rusqlite::params;

use crate::{Corpus, Error, Maker, Result, Segment, SegmentId, codes};

/// How segments are put together.
#[derive(Debug, Clone, PartialEq)]
pub struct ClusterSettings {
    /// No two of a cluster are further apart, in metres; see [`linkage::Settings`].
    pub threshold_m: f32,
    /// Which of a cluster stands for it.
    pub keep: Keep,
    /// What is compared.
    pub cloud: cloud::Settings,
    /// Only segments that this maker cut; all where nobody is named.
    pub maker: Option<Maker>,
}

impl Default for ClusterSettings {
    fn default() -> Self {
        let linkage::Settings { threshold_m, keep } = linkage::Settings::default();
        Self { threshold_m, keep, cloud: cloud::Settings::default(), maker: None }
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
    /// Puts segments into clusters by complete linkage and writes that down; it goes when segments change. A segment
    /// without an actor is compared by the first one's motion. In the order of [`Corpus::segments`].
    pub fn cluster(&mut self, settings: &ClusterSettings) -> Result<Vec<Clustered>> {
        let mut segments = self.segments()?;
        segments.retain(|segment| settings.maker.as_ref().is_none_or(|maker| segment.maker == *maker));
        if segments.is_empty() {
            return Err(Error::refused(&codes::NO_SEGMENT, "there is nothing to put into clusters"));
        }
        let distances = Distances::of(&self.clouds(&segments, &settings.cloud)?)?;
        let linkage = linkage::Settings { threshold_m: settings.threshold_m, keep: settings.keep };
        let found = linkage::complete_linkage(&distances, &linkage)?;
        let place = |(i, (segment, &cluster)): (usize, (&Segment, &usize))| {
            let representative = found.kept.get(cluster) == Some(&i);
            Clustered { segment: segment.id, cluster, representative }
        };
        let all: Vec<Clustered> = segments.iter().zip(&found.of_item).enumerate().map(place).collect();
        let maker = Maker::method(format!("linkage {}", settings.threshold_m)).to_string();
        self.change(|transaction| {
            transaction.execute("DELETE FROM clusters", [])?;
            let sql = "INSERT INTO clusters (segment, cluster, representative, made_by) VALUES (?, ?, ?, ?)";
            let mut statement = transaction.prepare_cached(sql)?;
            for Clustered { segment, cluster, representative } in &all {
                statement.execute(params![segment.0, *cluster as i64, representative, maker])?;
            }
            Ok::<_, rusqlite::Error>(())
        })?;
        Ok(all)
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

    /// The cloud of each segment. Takes are read one after another, and only where they have segments.
    fn clouds(&self, segments: &[Segment], settings: &cloud::Settings) -> Result<Vec<Cloud>> {
        let mut clouds = Vec::with_capacity(segments.len());
        for of_take in segments.chunk_by(|a, b| a.take == b.take) {
            let Some(first) = of_take.first() else { continue };
            let take = Arc::new(self.take(first.take)?);
            let cloud = |segment: &Segment| -> Result<Cloud> {
                let actor = take.actors().get(segment.actor.unwrap_or(0));
                let clip: &Clip = actor.map_or_else(|| take.first(), |actor| &actor.clip);
                Ok(Cloud::of(clip, segment.frames.clone(), settings)?)
            };
            let some: Vec<Cloud> = of_take.par_iter().map(cloud).collect::<Result<_>>()?;
            clouds.extend(some);
        }
        Ok(clouds)
    }
}
