//! A gap as it is asked for: two poses, what is known around them, and the query that finds examples for it.

use marey_motion::{Clip, Ground, LocalPose, WorldPose};

use super::gap_curve::{Channels, GapEnds, outward_velocity, relative};
use super::model::GapModel;
use super::moment_features::{LAGS, Moment, MomentFeatures};
use super::neighbours::GapQuery;
use super::{EndPlace, WORKING_RATE_HZ};
use crate::{ClipFrame, Result};

/// One end of a gap: the pose and the frames on the far side of the gap, if there are any.
#[derive(Debug, Clone)]
pub(crate) struct GapEnd {
    pub(crate) pose: LocalPose,
    /// The poses one and two working frames outside the gap.
    outside: Option<[LocalPose; 2]>,
    moment: Moment,
    /// At [`LAGS`]; empty if unknown.
    around: Vec<Moment>,
}

impl GapEnd {
    /// The start of a gap, with the frames before it.
    pub(crate) fn start(model: &GapModel, (clip, frame): ClipFrame<'_>) -> Result<Self> {
        Self::new(model, (clip, frame), -1.0, frame > 0)
    }

    /// The end of a gap, with the frames after it.
    pub(crate) fn end(model: &GapModel, (clip, frame): ClipFrame<'_>) -> Result<Self> {
        Self::new(model, (clip, frame), 1.0, frame + 1 < clip.frames())
    }

    fn new(model: &GapModel, (clip, frame): ClipFrame<'_>, direction: f64, is_known: bool) -> Result<Self> {
        crate::motion_style::check_same(model.skeleton(), clip.skeleton(), || "a pose".to_owned())?;
        let pose = clip.slice(frame..frame.saturating_add(1))?.pose(0).to_owned();
        let secs = clip.time_of(frame);
        let lagged = |lag: usize| clip.sample(secs + direction * lag as f64 / WORKING_RATE_HZ);
        let mut world = WorldPose::scratch(model.skeleton());
        let mut moment = |pose: &LocalPose| -> Result<Moment> {
            let still = Clip::still(model.skeleton().clone(), WORKING_RATE_HZ, pose.clone())?;
            let ground = still.ground_track().frames.first().copied().unwrap_or_default();
            Moment::new(&model.space.joints, &mut world, pose.view(), ground)
        };
        let around = if is_known {
            LAGS.map(|lag| moment(&lagged(lag))).into_iter().collect::<Result<_>>()?
        } else {
            vec![]
        };
        Ok(Self { moment: moment(&pose)?, pose, outside: is_known.then(|| [lagged(1), lagged(2)]), around })
    }

    pub(crate) fn ground(&self) -> Ground {
        self.moment.ground()
    }

    /// The features of the pose and of the movement before it, if it is a start, or after it.
    pub(crate) fn features(&self, model: &GapModel, is_start: bool) -> MomentFeatures {
        let (before, after): (&[Moment], &[Moment]) =
            if is_start { (&self.around, &[]) } else { (&[], &self.around) };
        model.space.features(&self.moment, before, after)
    }

    /// The same end moved over the ground.
    pub(crate) fn moved(&self, world_from_here: Ground) -> Self {
        let moved = |pose: &LocalPose| {
            let mut pose = pose.clone();
            pose.rotations
                .iter_mut()
                .take(1)
                .for_each(|root| *root = (world_from_here.rotation() * *root).normalize());
            pose.positions.iter_mut().take(1).for_each(|root| *root = world_from_here.point(*root));
            pose
        };
        Self {
            pose: moved(&self.pose),
            outside: self.outside.as_ref().map(|outside| outside.each_ref().map(moved)),
            moment: self.moment.moved(world_from_here),
            around: self.around.iter().map(|moment| moment.moved(world_from_here)).collect(),
        }
    }
}

/// What the search and the curve need of a gap.
#[derive(Debug, Clone)]
pub(crate) struct GapProblem {
    pub(crate) start: GapEnd,
    pub(crate) end: GapEnd,
    pub(crate) query: GapQuery,
}

impl GapProblem {
    /// A gap between two ends. The query has no travel if the end is free.
    pub(crate) fn new(model: &GapModel, start: GapEnd, end: GapEnd, place: EndPlace) -> Self {
        let end = match place {
            EndPlace::Free | EndPlace::AsGiven => end,
            EndPlace::At(ground) => end.moved(ground * end.ground().inverse()),
        };
        let travel = (place != EndPlace::Free).then(|| start.ground().inverse() * end.ground());
        let query = GapQuery { start: start.features(model, true), end: end.features(model, false), travel };
        Self { start, end, query }
    }

    /// The same gap with its end at a place relative to its start.
    pub(crate) fn with_travel(self, travel: Ground) -> Self {
        let there = self.start.ground() * travel * self.end.ground().inverse();
        Self { end: self.end.moved(there), query: GapQuery { travel: Some(travel), ..self.query }, ..self }
    }

    /// Whether the velocities at the start and at the end are known.
    pub(crate) fn knows(&self) -> [bool; 2] {
        [self.start.outside.is_some(), self.end.outside.is_some()]
    }

    /// The ends of the curve through the gap, which lasts `frames` working frames.
    pub(crate) fn ends(&self, frames: f32) -> GapEnds {
        let mut x = Channels::new();
        let mut relative_to = |pose: &LocalPose, near: &[marey_motion::Vec3]| {
            relative(self.start.pose.view(), self.start.ground(), pose.view(), near, &mut x);
            x.clone()
        };
        let change = relative_to(&self.end.pose, &[]);
        let mut outward = |[one, two]: &[LocalPose; 2], at: &Channels| {
            let one = relative_to(one, at);
            let two = relative_to(two, &one);
            outward_velocity(&one, &two, at)
        };
        let none = vec![marey_motion::Vec3::ZERO; change.len()];
        let start_velocity = self
            .start
            .outside
            .as_ref()
            .map(|before| outward(before, &none).into_iter().map(|back| -back).collect());
        let end_velocity = self.end.outside.as_ref().map(|after| outward(after, &change));
        GapEnds { frames, change, start_velocity, end_velocity }
    }
}
