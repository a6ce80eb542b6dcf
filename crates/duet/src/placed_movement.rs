//! A generated movement: blended, steered, timed and placed in the world.

use marey_motion::{Clip, Contacts, Ground, GroundTrack, LocalPose, WorldPose};
use marey_plan::{KeyTime, Placement, SourceRef};

use crate::recorded_movement::StrikeGeometry;
use crate::repertoire::BlendedMovement;
use crate::steering::{SteeringGoal, steer};
use crate::{InteractionKind, Result};

/// A generated movement of one person.
#[derive(Debug, Clone)]
pub struct PlacedMovement {
    /// Index of the person, 0 or 1.
    pub person: usize,
    /// Index of its group.
    pub group: usize,
    /// Its role in the interaction.
    pub kind: InteractionKind,
    /// Frame of the contact, counted from the start of the run.
    pub contact_frame: Option<usize>,
    /// The blended movements of the group, as index and weight.
    pub weights: Vec<(usize, f32)>,
    /// The motion, starting at the origin, with a tail after its end for blending.
    pub clip: Clip,
    /// Foot contacts of the clip.
    pub contacts: Contacts,
    /// When it is shown, and where on the floor.
    pub placement: Placement,
    /// Ground position in each frame of the clip.
    pub(crate) ground_track: Vec<Ground>,
    pub(crate) strike: Option<StrikeGeometry>,
    /// Contact height, and distance to the partner at contact, in metres.
    pub(crate) contact_height_m: f64,
    pub(crate) separation_m: f32,
}

/// Frames of the run at which the contact or the end must be.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Timing {
    pub(crate) contact_at: Option<usize>,
    pub(crate) end_at: Option<usize>,
}

/// Start of a movement: person, group, kind, frame and position.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Start {
    pub(crate) person: usize,
    pub(crate) group: usize,
    pub(crate) kind: InteractionKind,
    pub(crate) frame: usize,
    pub(crate) ground: Ground,
    /// Number of movements of this person before this one.
    pub(crate) number: usize,
}

impl PlacedMovement {
    /// Steers a blended movement and places it at its start. Stretches time if `timing` asks for
    /// it.
    pub(crate) fn new(
        start: Start,
        blended: BlendedMovement,
        goal: &SteeringGoal,
        timing: Timing,
    ) -> Result<Self> {
        let track = blended.clip.ground_track();
        let steered = steer(&track, &blended, start.ground, goal);
        Self::on_track(start, blended, &track, steered, timing)
    }

    /// Moves a blended movement from its own ground positions to others, and places it at its
    /// start. Stretches time if `timing` asks for it.
    pub(crate) fn on_track(
        start: Start,
        blended: BlendedMovement,
        track: &GroundTrack,
        steered: GroundTrack,
        timing: Timing,
    ) -> Result<Self> {
        let clip = blended.clip.without_ground(track)?.with_ground(&steered)?;
        let mut placement = Placement {
            source: SourceRef {
                take: format!("duet-{}-{}", start.person, start.number),
                actor: start.person,
            },
            source_start: 0,
            source_end: blended.frames,
            start: start.frame,
            frames: blended.frames,
            key_times: Vec::new(),
            world_from_source: start.ground,
            mirrored: false,
        };
        if let Some(end) = timing.end_at {
            placement.frames = end.saturating_sub(start.frame).max(1);
        } else if let (Some(at), Some(contact)) =
            (timing.contact_at, blended.contact_frame.filter(|contact| *contact > 0))
        {
            let before = at.saturating_sub(start.frame).max(1);
            // The pace after contact is unchanged.
            placement.frames = before + blended.frames - contact;
            placement.key_times =
                vec![KeyTime { source_frame: contact as f64, frame: (start.frame + before) as f64 }];
        }
        let contact_frame = blended.contact_frame.map(|contact| match placement.key_times.first() {
            Some(key) => key.frame as usize,
            None => start.frame + contact,
        });
        Ok(Self {
            person: start.person,
            group: start.group,
            kind: start.kind,
            contact_frame,
            weights: blended.weights,
            clip,
            contacts: blended.contacts,
            placement,
            ground_track: steered.frames,
            strike: blended.strike,
            contact_height_m: blended.contact_height_m,
            separation_m: blended.partner_offset.with_y(0.0).length(),
        })
    }

    /// Returns the frame after its last, counted from the start of the run.
    pub fn end(&self) -> usize {
        self.placement.end()
    }

    /// Returns the ground position in a frame of the run, clamped to start and end.
    pub fn ground_at(&self, frame: usize) -> Ground {
        let at = self.source_frame(frame);
        let last = self.ground_track.len() - 1;
        let before = (at as usize).min(last);
        let (a, b) = (self.ground_track[before], self.ground_track[(before + 1).min(last)]);
        let fraction = (at - before as f64) as f32;
        let step = a.inverse() * b;
        self.placement.world_from_source
            * a
            * Ground::new(step.x * fraction, step.z * fraction, step.yaw_rad * fraction)
    }

    pub(crate) fn source_frame(&self, frame: usize) -> f64 {
        let at = frame.clamp(self.placement.start, self.end()) - self.placement.start;
        self.placement.source_frame_at(at as f64).clamp(0.0, (self.clip.frames() - 1) as f64)
    }

    /// Returns the speed over the floor at its end, in metres per second.
    pub(crate) fn end_speed_mps(&self) -> f64 {
        let back = self.end().saturating_sub(3).max(self.placement.start);
        let (a, b) = (self.ground_at(back), self.ground_at(self.end()));
        let secs = (self.end() - back).max(1) as f64 / self.clip.rate_hz();
        f64::from(a.translation().distance(b.translation())) / secs
    }

    /// Returns the pose in world space in a frame of the run.
    pub(crate) fn world_pose_at(&self, frame: usize) -> WorldPose {
        self.to_world_pose(&self.pose_at(frame))
    }

    /// Places a pose of the clip in world space.
    pub(crate) fn to_world_pose(&self, pose: &LocalPose) -> WorldPose {
        WorldPose::of(self.clip.skeleton(), pose.view()).moved(self.placement.world_from_source)
    }

    /// Returns the pose of the clip in a frame of the run.
    pub(crate) fn pose_at(&self, frame: usize) -> LocalPose {
        self.clip.sample(self.source_frame(frame) / self.clip.rate_hz())
    }

    /// Returns whether it includes a contact that does not miss.
    pub fn makes_contact(&self) -> bool {
        self.strike.is_some_and(|strike| !strike.is_miss)
    }
}
