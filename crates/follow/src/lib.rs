//! Control by example: interprets a control motion with synchronised examples of control and target, and returns the motion
//! that the targets of those examples performed.
//!
//! E. Hsu, S. Gentry and J. Popović, *Example-Based Control of Human Motion*, Eurographics / ACM SIGGRAPH Symposium on Computer
//! Animation 2004. The crate implements the whole paper, with an exact search that is also fast, and a live follower.
//!
//! | item | purpose |
//! |---|---|
//! | [`Mapping`], [`ExamplePair`], [`Instance`] | the examples and their segmentation (section 3); reduction by clustering (4.4) |
//! | [`PointSelection`] | the points of a body that are compared |
//! | [`LearntMetric`], [`ControlMetric`] | how much each deviation of these points counts (7) |
//! | [`Problem`], [`FollowSettings`], [`Transform`], [`SegmentConstraint`] | the search problem (4.1, 4.2) and its constraints (4.4) |
//! | [`Interpretation`], [`Piece`] | the result: which instances, when, how stretched, where |
//! | [`exact_search`] | the default search |
//! | [`recurrence`] | equations 6 to 8 as printed (4.3) |
//! | [`follow`](fn@follow) | search and second pass (4.4); [`Interpretation::plan`] makes a plan for `marey-realise` (5) |
//! | [`LiveFollower`] | the same search with a fixed lag, frame by frame |
//! | [`Interpretation::transcript`], [`grow`] | labels over time; many instances from few (7) |
//! | [`Waypoints`], [`ExamplePace`], [`control_from_path`] | paths as people write them, and drawn paths (6.1) |

mod candidates;
mod cells;
mod compared_controls;
mod control_metric;
mod error;
pub mod exact_search;
mod example_pace;
mod follow;
mod interpretation;
mod live_follower;
mod mapping;
mod metric_learning;
mod packed_transform;
mod path_control;
mod path_fit;
mod point_selection;
mod problem;
pub mod recurrence;
mod refine;
mod search_index;
mod segment_constraint;
mod segment_costs;
mod settings;
mod tail_pruning;
mod tail_search;
#[cfg(test)]
mod test_problems;
mod transcript;
mod transform;
mod waypoint_curve;
mod waypoints;

pub use control_metric::ControlMetric;
pub use error::{FollowError, codes};
pub use example_pace::ExamplePace;
pub use follow::{follow, follow_explained, follow_observed};
pub use interpretation::{Interpretation, Piece};
pub use live_follower::LiveFollower;
pub use mapping::{ClusterBy, ExamplePair, Instance, Mapping};
pub use metric_learning::{LearntMetric, MetricClasses};
pub use path_control::{PathControlSettings, control_from_path};
pub use path_fit::PathFit;
pub use point_selection::PointSelection;
pub use problem::Problem;
pub use segment_constraint::SegmentConstraint;
pub use settings::FollowSettings;
pub use transcript::{GrowSettings, TranscriptEntry, grow};
pub use transform::{RigidMotion, Transform};
pub use waypoints::{WaypointTiming, Waypoints};

pub(crate) type Result<T> = std::result::Result<T, FollowError>;
