//! How long a fade takes.
//!
//! A fade from one motion to another adds accelerations of its own: the farther apart the two are and the faster they part, the larger,
//! and the longer it takes, the smaller. So it takes its usual time where it is, at its most sudden, no more so than either
//! example is meanwhile, and longer where it is not.

use std::sync::Arc;

use marey_motion::{LocalPose, Skeleton, Vec3, WorldPose};

use crate::join::fades::{lay, share_under};
use crate::join::offset::Offset;
use crate::piece::Piece;

/// How many lengths are tried between the usual and the longest.
const STEPS: usize = 4;

/// Finds how many frames a fade should take.
#[derive(Debug)]
pub(super) struct Pace {
    usual: usize,
    longest: usize,
    world: WorldPose,
    /// The example before, the one after, and the two mixed.
    tracks: [Track; 3],
    poses: [LocalPose; 3],
    offset: Offset,
}

impl Pace {
    pub(super) fn new(skeleton: &Arc<Skeleton>, usual: usize, longest: usize) -> Self {
        let pose = || LocalPose::rest(skeleton);
        let track = || Track::new(skeleton.len());
        Self {
            usual,
            longest,
            world: WorldPose::scratch(skeleton),
            tracks: [track(), track(), track()],
            poses: [pose(), pose(), pose()],
            offset: Offset::none(skeleton),
        }
    }

    /// How many frames the fade from a piece to the next takes: of the lengths that are tried, the first that is as calm as the
    /// examples, or else the calmest.
    pub(super) fn span(&mut self, before: &Piece, next: &Piece) -> usize {
        let mut best = (f32::INFINITY, self.usual);
        for step in 0..=STEPS {
            let span = self.usual + (self.longest - self.usual) * step / STEPS;
            let sudden = self.suddenness(before, next, span);
            if sudden < best.0 {
                best = (sudden, span);
            }
            if sudden <= 1.0 || self.longest == self.usual {
                break;
            }
        }
        best.1
    }

    /// The largest acceleration of any joint in a fade of so many frames, over the largest in either example meanwhile.
    fn suddenness(&mut self, before: &Piece, next: &Piece, span: usize) -> f32 {
        let Self { world, tracks, poses: [old, new, mixed], offset, .. } = self;
        let [track_old, track_new, track_mixed] = tracks;
        for track in [&mut *track_old, &mut *track_new, &mut *track_mixed] {
            track.clear();
        }
        // From two frames before the fade to a frame after it.
        let lead = before.frames().min(2);
        for at in 0..lead + span + 1 {
            before.pose_at(before.frames() + at - lead, old);
            track_old.add(old, world);
            let Some(age) = at.checked_sub(lead) else {
                track_mixed.add(old, world);
                continue;
            };
            next.pose_at(age, new);
            track_new.add(new, world);
            mixed.clone_from(new);
            if age < span {
                lay(mixed, old, share_under(age, span), offset);
            }
            track_mixed.add(mixed, world);
        }
        let examples = track_old.largest.max(track_new.largest);
        if track_mixed.largest <= examples { 0.0 } else { track_mixed.largest / examples }
    }
}

/// Joints on their way, and their largest acceleration so far, squared, in metres a frame a frame.
#[derive(Debug)]
struct Track {
    /// Where they were in the last two frames, and how many of these there were.
    past: [Vec<Vec3>; 2],
    given: usize,
    largest: f32,
}

impl Track {
    fn new(joints: usize) -> Self {
        Self { past: [vec![Vec3::ZERO; joints], vec![Vec3::ZERO; joints]], given: 0, largest: 0.0 }
    }

    fn clear(&mut self) {
        (self.given, self.largest) = (0, 0.0);
    }

    fn add(&mut self, pose: &LocalPose, world: &mut WorldPose) {
        world.set(pose.view());
        let [earlier, last] = &mut self.past;
        if self.given >= 2 {
            for ((p0, p1), p2) in earlier.iter().zip(&*last).zip(&world.positions) {
                self.largest = self.largest.max((*p2 - *p1 * 2.0 + *p0).length_squared());
            }
        }
        std::mem::swap(earlier, last);
        last.copy_from_slice(&world.positions);
        self.given += 1;
    }
}
