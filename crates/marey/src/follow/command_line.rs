//! The command that makes the same request.

use std::path::Path;

use super::{ControlInput, FollowRequest, SearchMode, SegmentConstraint};

impl FollowRequest {
    /// The words of the `marey follow` command for this request. Options at their defaults are left out.
    ///
    /// A control that is no take of the corpus is named by `control_file`, which the caller writes. `transform`,
    /// `join_frames` and `refine` have no option, and stay at their defaults.
    pub fn command_line(&self, corpus: &Path, control_file: &str, output: &str) -> Vec<String> {
        let control = match &self.input {
            ControlInput::CorpusTake(name) => format!("take:{name}"),
            _ => control_file.to_owned(),
        };
        let mut words = ["marey", "follow"].map(str::to_owned).to_vec();
        words.extend([corpus.display().to_string(), control, "-o".into(), output.into()]);
        let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
        option("--control", self.control.to_string());
        if let Some(target) = &self.target {
            option("--target", target.clone());
        }
        self.examples.iter().for_each(|take| option("--example", take.clone()));
        self.without.iter().for_each(|take| option("--without", take.clone()));
        let default = Self::default();
        let numbers = [
            ("--k", (self.k != default.k).then_some(self.k)),
            ("--stretch", (self.stretch_secs != default.stretch_secs).then_some(self.stretch_secs)),
            ("--working-rate", (self.rate_hz != default.rate_hz).then_some(self.rate_hz)),
            ("--beam", self.beam),
            ("--smooth-space", (self.smooth_m != 0.0).then_some(self.smooth_m)),
            ("--smooth-time", (self.smooth_secs != 0.0).then_some(self.smooth_secs)),
        ];
        for (name, value) in numbers {
            value.into_iter().for_each(|value| option(name, value.to_string()));
        }
        if let Some(cluster_m) = self.cluster_m {
            option("--cluster", cluster_m.to_string());
        }
        if let Some(maker) = &self.made_by {
            option("--made-by", maker.to_string());
        }
        for constraint in &self.constraints {
            match constraint {
                SegmentConstraint::Use { instance, at_secs } => {
                    option("--use", format!("{instance}@{at_secs}"));
                }
                SegmentConstraint::Avoid { instance, from_secs, until_secs } => {
                    option("--avoid", format!("{instance}@{from_secs}-{until_secs}"));
                }
            }
        }
        if self.whole {
            words.push("--whole".into());
        }
        if self.mode == SearchMode::Live {
            words.push("--live".into());
        }
        words
    }
}
