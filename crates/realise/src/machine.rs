//! The streaming machine of one actor.

use std::sync::Arc;

use marey_motion::{LocalPose, LocalPoseRef, Place, Report, Skeleton};
use marey_plan::Placement;

use crate::join::Joiner;
use crate::piece::Piece;
use crate::plant::{PlantSummary, Planter};
use crate::sole_touch::SoleTouch;
use crate::{RealiseError, RealiseSettings, Result, SourceClip, codes};

/// Realises the placements of one actor, frame by frame.
///
/// ```
/// use std::sync::Arc;
/// use marey_motion::{Clip, ClipParts, Contacts, Ground, Joint, Quat, Skeleton, Vec3};
/// use marey_plan::{Placement, SourceRef};
/// use marey_realise::{SourceClip, Machine, RealiseSettings, MachineStep};
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
/// let example = SourceClip { contacts: Contacts::default(), holds: vec![], clip };
/// let mut machine = Machine::new(skeleton, 10.0, RealiseSettings::default())?;
/// let mut placement = Placement {
///     source: SourceRef { take: "slide".into(), actor: 0 },
///     source_start: 0, source_end: 10, start: 0, frames: 20,
///     key_times: vec![], world_from_source: Ground::IDENTITY, mirrored: false,
/// };
/// // Half as fast: frame 6 shows frame 3 of the source.
/// machine.push(&placement, &example)?;
/// for frame in 0..20 {
///     let MachineStep::Frame(moment) = machine.advance() else { unreachable!() };
///     let z = moment.pose.root_position().z;
///     assert!((z - 0.05 * (frame as f32).min(18.0)).abs() < 1e-6);
/// }
/// // It waits for another placement until `finish` is called.
/// assert!(matches!(machine.advance(), MachineStep::Wait));
/// machine.finish();
/// assert!(matches!(machine.advance(), MachineStep::Done));
/// # Ok::<(), marey_realise::RealiseError>(())
/// ```
#[derive(Debug)]
pub struct Machine {
    skeleton: Arc<Skeleton>,
    rate_hz: f64,
    settings: RealiseSettings,
    joiner: Joiner,
    planter: Option<Planter>,
    is_finished: bool,
    /// First frame of the next placement.
    end: usize,
    pushed: usize,
    out: LocalPose,
}

/// Result of [`Machine::advance`].
#[derive(Debug)]
pub enum MachineStep<'a> {
    /// The next frame.
    Frame(MachineFrame<'a>),
    /// Another placement must be pushed first, or [`Machine::finish`] called.
    Wait,
    /// All frames have been produced.
    Done,
}

/// A frame of the result.
#[derive(Debug, Clone, Copy)]
pub struct MachineFrame<'a> {
    /// The pose.
    pub pose: LocalPoseRef<'a>,
    /// The parts of the feet that touch the floor.
    pub touch: SoleTouch,
}

impl Machine {
    /// Creates a machine for a skeleton and a frame rate.
    pub fn new(skeleton: Arc<Skeleton>, rate_hz: f64, settings: RealiseSettings) -> Result<Self> {
        settings.validate()?;
        if !(rate_hz.is_finite() && rate_hz > 0.0) {
            return Err(marey_motion::MotionError::Rate { rate_hz }.into());
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

    /// Appends a placement, which starts at the end of the previous one.
    pub fn push(&mut self, placement: &Placement, example: &SourceClip) -> Result<()> {
        placement.validate("the actor", self.pushed)?;
        if self.is_finished {
            return Err(RealiseError::AfterEnd { start: placement.start });
        }
        if placement.start != self.end {
            return Err(RealiseError::OutOfTurn { found: placement.start, wanted: self.end });
        }
        let theirs = example.clip.skeleton();
        if !Arc::ptr_eq(theirs, &self.skeleton) && **theirs != *self.skeleton {
            return Err(RealiseError::OtherBody {
                start: placement.start,
                take: placement.source.take.clone(),
                theirs: theirs.len(),
                ours: self.skeleton.len(),
            });
        }
        let beyond = self.settings.join.longest_of_arms(self.rate_hz);
        self.joiner.push(Piece::new(placement, example, self.rate_hz, &self.settings, beyond)?);
        self.end = placement.end();
        self.pushed += 1;
        Ok(())
    }

    /// Ends the input: no more placements follow.
    pub fn finish(&mut self) {
        self.is_finished = true;
    }

    /// Returns the next frame, if it is known. Does not allocate.
    pub fn advance(&mut self) -> MachineStep<'_> {
        match self.next() {
            Some(touch) => MachineStep::Frame(MachineFrame { pose: self.out.view(), touch }),
            None if self.is_finished => MachineStep::Done,
            None => MachineStep::Wait,
        }
    }

    /// Produces the next frame: pulls frames through the joiner until the planter has enough of them.
    fn next(&mut self) -> Option<SoleTouch> {
        let Self { joiner, planter, is_finished, out, .. } = self;
        let Some(planter) = planter else { return joiner.next(*is_finished, out) };
        let mut has_all = false;
        loop {
            if let Some(touch) = planter.next_frame(has_all && *is_finished, out) {
                return Some(touch);
            }
            if has_all {
                return None;
            }
            has_all = !planter.feed(joiner, *is_finished);
        }
    }

    /// The skeleton of the actor.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    /// Warnings so far.
    pub fn report(&self) -> Report {
        let mut report = Report::default();
        let Some(planter) = &self.planter else {
            if self.settings.plant.is_some() {
                report.warn(&codes::NO_LEGS, Place::default(), "feet are not planted");
            }
            return report;
        };
        let PlantSummary { contacts, too_far, too_fast, turned, first_released } = *planter.summary();
        if let Some(first) = first_released {
            let place = Place::default().frame(first);
            let message = format!(
                "of {contacts} contacts of heels and balls, {too_far} were pulled too far, {too_fast} moved too fast, {turned} were turned too far"
            );
            report.warn_many(&codes::LET_GO, place, planter.summary().released(), message);
        }
        report
    }

    /// How many plants were kept so far; `None` if feet are not planted.
    pub fn plant_summary(&self) -> Option<PlantSummary> {
        self.planter.as_ref().map(|planter| *planter.summary())
    }

    /// Returns the number of frames after a frame that placements must cover before the frame is known. If
    /// the join method [needs the next piece](crate::join::JoinMethod::waits_for_next), the placement after
    /// the one that covers the last of these frames must be pushed too.
    pub fn look_ahead_frames(&self) -> usize {
        match (&self.planter, &self.settings.plant) {
            (Some(_), Some(plant)) => plant.look_ahead(self.rate_hz),
            _ => 0,
        }
    }
}
