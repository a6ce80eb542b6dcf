//! One actor: placements in, poses out.

use std::sync::Arc;

use marey_motion::{LocalPose, LocalPoseRef, Place, Report, Skeleton};
use marey_plan::Placement;

use crate::join::Joiner;
use crate::piece::Piece;
use crate::plant::Planter;
use crate::touch::Touch;
use crate::{Error, Example, Result, Settings, codes};

/// Realises the placements of one actor, frame by frame.
///
/// ```
/// use std::sync::Arc;
/// use marey_motion::{Clip, ClipParts, Contacts, Ground, Joint, Quat, Skeleton, Vec3};
/// use marey_plan::{Placement, SourceRef};
/// use marey_realise::{Example, Machine, Settings, Step};
/// // A figure of three joints slides ahead by 1 m in 10 frames.
/// let joints = vec![
///     Joint::new("root", None, Vec3::ZERO),
///     Joint::new("arm", Some(0), Vec3::X),
///     Joint::new("hand", Some(1), Vec3::X),
/// ];
/// let skeleton = Arc::new(Skeleton::new(joints, vec![])?);
/// let positions = (0..10).map(|f| Vec3::Z * 0.1 * f as f32).collect();
/// let parts = ClipParts { rotations: vec![Quat::IDENTITY; 30], positions };
/// let clip = Clip::new(skeleton.clone(), 10.0, parts)?;
/// let example = Example { contacts: Contacts::default(), holds: vec![], clip };
/// let mut machine = Machine::new(skeleton, 10.0, Settings::default())?;
/// let mut placement = Placement {
///     source: SourceRef { take: "slide".into(), actor: 0 },
///     source_start: 0, source_end: 10, start: 0, frames: 20,
///     key_times: vec![], world_from_source: Ground::IDENTITY, mirrored: false,
/// };
/// // Half as fast: frame 6 shows what the example has in frame 3.
/// machine.push(&placement, &example)?;
/// for frame in 0..20 {
///     let Step::Moment(moment) = machine.advance() else { unreachable!() };
///     let z = moment.pose.root_position().z;
///     assert!((z - 0.05 * (frame as f32).min(18.0)).abs() < 1e-6);
/// }
/// // More is to come, or it is said that nothing will.
/// assert!(matches!(machine.advance(), Step::Wait));
/// machine.finish();
/// assert!(matches!(machine.advance(), Step::Done));
/// # Ok::<(), marey_realise::Error>(())
/// ```
#[derive(Debug)]
pub struct Machine {
    skeleton: Arc<Skeleton>,
    rate_hz: f64,
    settings: Settings,
    joiner: Joiner,
    planter: Option<Planter>,
    is_finished: bool,
    /// The frame at which the next placement starts.
    end: usize,
    pushed: usize,
    out: LocalPose,
}

/// What comes of an attempt to go on by a frame.
#[derive(Debug)]
pub enum Step<'a> {
    /// The next frame.
    Moment(Moment<'a>),
    /// Another placement must be pushed first, or the end be told.
    Wait,
    /// All frames were given.
    Done,
}

/// A frame of the result.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'a> {
    /// How the figure is.
    pub pose: LocalPoseRef<'a>,
    /// What stands on the floor.
    pub touch: Touch,
}

impl Machine {
    /// A machine for a body, at a rate.
    pub fn new(skeleton: Arc<Skeleton>, rate_hz: f64, settings: Settings) -> Result<Self> {
        settings.validate()?;
        if !(rate_hz.is_finite() && rate_hz > 0.0) {
            return Err(marey_motion::Error::Rate { rate_hz }.into());
        }
        Ok(Self {
            joiner: Joiner::new(&skeleton, rate_hz, &settings.join),
            planter: settings.plant.and_then(|plant| Planter::new(&skeleton, rate_hz, &plant)),
            out: LocalPose::rest(&skeleton),
            skeleton,
            rate_hz,
            settings,
            is_finished: false,
            end: 0,
            pushed: 0,
        })
    }

    /// Takes one more placement, which starts where the one before ends.
    pub fn push(&mut self, placement: &Placement, example: &Example) -> Result<()> {
        placement.validate("the actor", self.pushed)?;
        if self.is_finished {
            return Err(Error::AfterEnd { start: placement.start });
        }
        if placement.start != self.end {
            return Err(Error::OutOfTurn { found: placement.start, wanted: self.end });
        }
        let theirs = example.clip.skeleton();
        if !Arc::ptr_eq(theirs, &self.skeleton) && **theirs != *self.skeleton {
            return Err(Error::OtherBody {
                start: placement.start,
                take: placement.source.take.clone(),
                theirs: theirs.len(),
                ours: self.skeleton.len(),
            });
        }
        let beyond = self.settings.join.longest(self.rate_hz);
        self.joiner.push(Piece::new(placement, example, self.rate_hz, &self.settings, beyond)?);
        self.end = placement.end();
        self.pushed += 1;
        Ok(())
    }

    /// Says that no more placements will come.
    pub fn finish(&mut self) {
        self.is_finished = true;
    }

    /// The next frame, where it can be told yet. Allocates nothing.
    pub fn advance(&mut self) -> Step<'_> {
        match self.next() {
            Some(touch) => Step::Moment(Moment { pose: self.out.view(), touch }),
            None if self.is_finished => Step::Done,
            None => Step::Wait,
        }
    }

    /// Makes the next frame. Frames are drawn through the joiner until the planter knows enough.
    fn next(&mut self) -> Option<Touch> {
        let Self { joiner, planter, is_finished, out, .. } = self;
        let Some(planter) = planter else { return joiner.next(*is_finished, out) };
        let mut has_all = false;
        loop {
            if let Some(touch) = planter.give(has_all && *is_finished, out) {
                return Some(touch);
            }
            if has_all {
                return None;
            }
            has_all = !planter.take(joiner, *is_finished);
        }
    }

    /// Whose motion it is.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    /// What was found on the way so far.
    pub fn report(&self) -> Report {
        let mut report = Report::default();
        let Some(planter) = &self.planter else {
            if self.settings.plant.is_some() {
                report.warn(&codes::NO_LEGS, Place::default(), "feet are left as they are");
            }
            return report;
        };
        if let Some((count, first)) = planter.let_go() {
            let place = Place::default().frame(first);
            report.warn_many(&codes::LET_GO, place, count, "a standing foot was let go");
        }
        report
    }

    /// How many frames after a frame must be covered by placements before it can be told. Where pieces are joined in a way
    /// that [waits for the next](crate::join::Method::waits_for_next), the placement after the one that holds the last of
    /// these frames must be there too.
    pub fn look_ahead_frames(&self) -> usize {
        match (&self.planter, &self.settings.plant) {
            (Some(_), Some(plant)) => plant.look_ahead(self.rate_hz),
            _ => 0,
        }
    }
}
