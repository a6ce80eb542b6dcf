//! A movement on its way into the world: blended, steered, timed, and placed.

use marey_motion::{Clip, Contacts, Ground, GroundTrack, LocalPose, Vec3, WorldPose};
use marey_plan::{KeyTime, Placement, SourceRef};

use crate::example::Encounter;
use crate::repertoire::Blended;
use crate::steering::{Aim, steered};
use crate::{Kind, Result};

/// A movement that somebody makes.
#[derive(Debug, Clone)]
pub struct Played {
    /// Who, 0 or 1.
    pub person: usize,
    /// Of which group.
    pub group: usize,
    /// What it is for.
    pub kind: Kind,
    /// The frame in which the two touch, counted from the start of the run.
    pub touch: Option<usize>,
    /// Which movements of the group it is blended from, and how much of each.
    pub weights: Vec<(usize, f32)>,
    /// The motion, over the middle of the floor, with a tail beyond its end.
    pub clip: Clip,
    /// When its feet stand.
    pub contacts: Contacts,
    /// When it is shown, and where on the floor.
    pub placement: Placement,
    /// The ground under it, frame by frame of the clip; and how it was steered from where the blend had it.
    pub(crate) track: Vec<Ground>,
    steered: Vec<Ground>,
    pub(crate) encounter: Option<Encounter>,
    /// At what height the two touch, and how far apart they are then, in metres.
    pub(crate) height_m: f64,
    pub(crate) apart_m: f32,
}

/// Frames of the run at which something has to be.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Timing {
    pub(crate) touch_at: Option<usize>,
    pub(crate) end_at: Option<usize>,
}

/// Who makes which movement from when and where.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Start {
    pub(crate) person: usize,
    pub(crate) group: usize,
    pub(crate) kind: Kind,
    pub(crate) frame: usize,
    pub(crate) ground: Ground,
    /// How many movements this one has made before.
    pub(crate) number: usize,
}

impl Played {
    /// Turns and shifts a blend on the way to its point, and puts it where it starts. Time is stretched where the touch or the end
    /// has to be at a frame.
    pub(crate) fn new(start: Start, blended: Blended, aim: &Aim, timing: Timing) -> Result<Self> {
        let track = blended.clip.ground_track();
        let steered = steered(&track, &blended, start.ground, aim);
        let clip = blended.clip.without_ground(&track)?.with_ground(&steered)?;
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
        } else if let (Some(at), Some(touch)) = (timing.touch_at, blended.touch.filter(|touch| *touch > 0)) {
            let before = at.saturating_sub(start.frame).max(1);
            // What comes after the touch keeps its pace.
            placement.frames = before + blended.frames - touch;
            placement.key_times =
                vec![KeyTime { source_frame: touch as f64, frame: (start.frame + before) as f64 }];
        }
        let touch = blended.touch.map(|touch| match placement.key_times.first() {
            Some(key) => key.frame as usize,
            None => start.frame + touch,
        });
        Ok(Self {
            person: start.person,
            group: start.group,
            kind: start.kind,
            touch,
            weights: blended.weights,
            clip,
            contacts: blended.contacts,
            placement,
            steered: steered
                .frames
                .iter()
                .zip(&track.frames)
                .map(|(to, from)| *to * from.inverse())
                .collect(),
            track: steered.frames,
            encounter: blended.encounter,
            height_m: blended.height_m,
            apart_m: blended.other_at.with_y(0.0).length(),
        })
    }

    /// What a partner does beside a leader, steered as the leader is.
    pub(crate) fn beside(start: Start, blended: Blended, leader: &Played) -> Result<Self> {
        let aim = Aim {
            other: Vec3::ZERO,
            place: None,
            line: Vec::new(),
            closeness: 0.0,
            apart_m: None,
            most_turn_rad: 0.0,
            most_shift_m: 0.0,
        };
        let mut played = Self::new(start, blended, &aim, Timing::default())?;
        let leader_from_own = leader.placement.world_from_source.inverse() * start.ground;
        let own_from_leader = leader_from_own.inverse();
        let carried = played.track.iter().enumerate().map(|(frame, ground)| {
            let steer = leader.steered.get(frame).or(leader.steered.last()).copied().unwrap_or_default();
            own_from_leader * steer * leader_from_own * *ground
        });
        let carried = GroundTrack { frames: carried.collect() };
        let track = GroundTrack { frames: std::mem::take(&mut played.track) };
        played.clip = played.clip.without_ground(&track)?.with_ground(&carried)?;
        played.track = carried.frames;
        played.placement.frames = leader.placement.frames;
        Ok(played)
    }

    /// The frame of the run after its last.
    pub fn end(&self) -> usize {
        self.placement.end()
    }

    /// Where the hips are over the floor in a frame of the run; before and after it, where it starts and ends.
    pub fn ground_at(&self, frame: usize) -> Ground {
        let at = self.source_frame(frame);
        let last = self.track.len() - 1;
        let before = (at as usize).min(last);
        let (a, b) = (self.track[before], self.track[(before + 1).min(last)]);
        let share = (at - before as f64) as f32;
        let step = a.inverse() * b;
        self.placement.world_from_source
            * a
            * Ground::new(step.x * share, step.z * share, step.yaw_rad * share)
    }

    pub(crate) fn source_frame(&self, frame: usize) -> f64 {
        let at = frame.clamp(self.placement.start, self.end()) - self.placement.start;
        self.placement.source_frame_at(at as f64).clamp(0.0, (self.clip.frames() - 1) as f64)
    }

    /// How fast it goes at its end, in metres a second.
    pub(crate) fn end_speed_mps(&self) -> f64 {
        let back = self.end().saturating_sub(3).max(self.placement.start);
        let (a, b) = (self.ground_at(back), self.ground_at(self.end()));
        let secs = (self.end() - back).max(1) as f64 / self.clip.rate_hz();
        f64::from(a.translation().distance(b.translation())) / secs
    }

    /// The whole body in the world, in a frame of the run.
    pub(crate) fn body_at(&self, frame: usize) -> WorldPose {
        self.body_of(&self.pose_at(frame))
    }

    /// The whole body in the world, in a pose of its clip.
    pub(crate) fn body_of(&self, pose: &LocalPose) -> WorldPose {
        WorldPose::of(self.clip.skeleton(), pose.view()).moved(self.placement.world_from_source)
    }

    /// The pose in a frame of the run, where its clip has it.
    pub(crate) fn pose_at(&self, frame: usize) -> LocalPose {
        self.clip.sample(self.source_frame(frame) / self.clip.rate_hz())
    }

    /// Whether the two meet in it; not where one got away from a strike.
    pub fn meets(&self) -> bool {
        self.encounter.is_some_and(|encounter| !encounter.misses)
    }
}
