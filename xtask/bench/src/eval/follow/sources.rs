//! Examples that are cut, with the whole motion behind them.

use std::collections::BTreeMap;

use marey_follow::{ExamplePair, FollowSettings, Instance, Interpretation, Mapping, PointSelection, follow};
use marey_motion::{Clip, Contacts};
use marey_plan::SourceRef;
use marey_realise::{Realised, realise};

use super::Failure;

/// A mapping, and the motion that its plans use.
pub(super) struct Sources {
    control: PointSelection,
    target: PointSelection,
    examples: Vec<ExamplePair>,
    instances: Vec<Instance>,
    pub(super) motion: BTreeMap<SourceRef, marey_realise::SourceClip>,
}

impl Sources {
    pub(super) fn new(control: PointSelection, target: PointSelection) -> Self {
        Self { control, target, examples: vec![], instances: vec![], motion: BTreeMap::new() }
    }

    /// Adds an example: the figure that leads, the one that answers, and where it is cut.
    pub(super) fn add(
        &mut self,
        source: SourceRef,
        leader: &Clip,
        target: &Clip,
        contacts: Contacts,
        cuts: impl IntoIterator<Item = (std::ops::Range<usize>, String)>,
    ) -> Result<(), Failure> {
        let example = self.examples.len();
        self.examples.push(ExamplePair {
            source: source.clone(),
            control: self.control.points(leader)?,
            target: self.target.points(target)?,
        });
        for (frames, label) in cuts {
            if frames.len() >= 2 {
                self.instances.push(Instance { example, frames, label });
            }
        }
        let clip = target.clone();
        self.motion.insert(source, marey_realise::SourceClip { clip, contacts, holds: vec![] });
        Ok(())
    }

    pub(super) fn mapping(&self) -> Result<Mapping, Failure> {
        let (examples, instances) = (self.examples.clone(), self.instances.clone());
        Ok(Mapping::new(examples, instances, self.control.weights(), self.target.weights())?)
    }

    /// The interpretation of a control, and the motion that answers it.
    pub(super) fn answer(
        &self,
        leader: &Clip,
        settings: &FollowSettings,
    ) -> Result<(Interpretation, Realised), Failure> {
        let mapping = self.mapping()?;
        let found = follow(&mapping, &self.control.points(leader)?, &[], settings)?;
        let plan = found.plan(&mapping, "follower")?;
        let made = realise(&plan, &self.motion, &marey_realise::RealiseSettings::default())?;
        Ok((found, made))
    }
}
