//! The poses of both feet through a walk.

use marey_motion::{Side, Vec3};

use super::footsteps::{Foothold, Footsteps};
use super::swing::{FootPose, Swing};
use crate::figure::{Figure, Sole};

/// Both feet as functions of time.
#[derive(Debug, Clone)]
pub(crate) struct Feet {
    tracks: [Track; 2],
    sole: Sole,
}

/// One foot: its footholds, and the swings between them.
#[derive(Debug, Clone)]
struct Track {
    holds: Vec<Foothold>,
    /// One fewer than holds.
    swings: Vec<Swing>,
}

impl Feet {
    pub(crate) fn of(footsteps: &Footsteps, figure: &Figure, roll: f64) -> Self {
        let tracks = Side::BOTH.map(|side| {
            let holds = footsteps.holds.iter().filter(|hold| hold.side == side);
            let moves = footsteps.moves().filter(|[from, ..]| from.side == side);
            Track {
                holds: holds.copied().collect(),
                swings: moves.map(|[from, past, to]| Swing::new(from, past, to, figure.sole, roll)).collect(),
            }
        });
        Self { tracks, sole: figure.sole }
    }

    /// A foot at a time.
    pub(crate) fn at(&self, side: Side, secs: f64) -> FootPose {
        let track = &self.tracks[side as usize];
        // The last hold whose ball has landed. The foot stands there, or is leaving it.
        let i = track.holds.partition_point(|hold| hold.flat_secs <= secs).saturating_sub(1);
        match track.swings.get(i) {
            Some(swing) if secs > track.holds[i].heel_off_secs => swing.at(secs),
            _ => self.standing(&track.holds[i]),
        }
    }

    fn standing(&self, hold: &Foothold) -> FootPose {
        FootPose {
            ankle: hold.place.point(Vec3::Y * self.sole.ankle_height_m()),
            rotation: hold.place.rotation(),
            yaw_rad: hold.place.yaw_rad,
            toes_up_rad: 0.0,
        }
    }
}
