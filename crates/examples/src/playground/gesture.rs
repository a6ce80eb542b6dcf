//! Standing gestures of a performer, and the transitions between them.

use marey_motion::Vec3;

use super::hand_path::RELAXED;
use super::performer::{Performer, PerformerState};
use super::stance::Footing;

/// A standing gesture.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gesture {
    /// Positions of the wrists relative to the shoulders, outwards, up and forward, in arm lengths.
    wrists: [Vec3; 2],
    closed: [bool; 2],
    /// Drop of the pelvis by bent knees in metres, for a body of 1.72 m.
    sink_m: f64,
    /// Lift of the left and the right foot, likewise.
    lifted_m: [f32; 2],
}

impl Gesture {
    pub(super) const RELAXED: Self =
        Self { wrists: [RELAXED; 2], closed: [false; 2], sink_m: 0.0, lifted_m: [0.0; 2] };

    /// Both hands at a position.
    pub(super) const fn both(out: f32, up: f32, ahead: f32) -> Self {
        Self { wrists: [Vec3::new(out, up, ahead); 2], ..Self::RELAXED }
    }

    pub(super) const fn right(self, out: f32, up: f32, ahead: f32) -> Self {
        Self { wrists: [self.wrists[0], Vec3::new(out, up, ahead)], ..self }
    }

    pub(super) const fn closed(self) -> Self {
        Self { closed: [true; 2], ..self }
    }

    pub(super) const fn right_closed(self) -> Self {
        Self { closed: [false, true], ..self }
    }

    pub(super) const fn lifted(self, left_m: f32, right_m: f32) -> Self {
        Self { lifted_m: [left_m, right_m], ..self }
    }

    pub(super) const fn sunk(self, sink_m: f64) -> Self {
        Self { sink_m, ..self }
    }

    /// The state of a performer in this gesture.
    pub(super) fn state(&self, performer: &Performer, secs: f64) -> PerformerState {
        let mut state = performer.relaxed(secs);
        (state.wrists, state.closed) = (self.wrists, self.closed);
        state.shift_m[1] -= self.sink_m * performer.size();
        state.lean_rad += 1.2 * self.sink_m.max(0.0);
        let up = |lifted_m: f32| lifted_m * performer.size() as f32;
        state.footings = self.lifted_m.map(|m| Footing { ball_up_m: up(m), ..Footing::default() });
        state
    }
}

/// Interpolates between two states. The hands are closed as in the second.
pub(super) fn interpolate(from: &PerformerState, to: &PerformerState, share: f64) -> PerformerState {
    let mix = |a: f64, b: f64| a + share * (b - a);
    let share_f32 = share as f32;
    let footing = |side: usize| from.footings[side].lerp(&to.footings[side], share_f32);
    PerformerState {
        lean_rad: mix(from.lean_rad, to.lean_rad),
        twist_rad: mix(from.twist_rad, to.twist_rad),
        look_up_rad: mix(from.look_up_rad, to.look_up_rad),
        shift_m: std::array::from_fn(|axis| mix(from.shift_m[axis], to.shift_m[axis])),
        yaw_rad: mix(from.yaw_rad, to.yaw_rad),
        wrists: [0, 1].map(|side| arced(from.wrists[side], to.wrists[side], share_f32)),
        footings: [footing(0), footing(1)],
        closed: to.closed,
    }
}

/// Interpolates between two wrist positions, past the front of the shoulder if they are far above or below it.
fn arced(from: Vec3, to: Vec3, share: f32) -> Vec3 {
    let front = Vec3::new(0.15, 0.0, 0.6) * ((to.y - from.y).abs() - 0.6).clamp(0.0, 1.0);
    let middle = 0.5 * (from + to) + front;
    from.lerp(middle, share).lerp(middle.lerp(to, share), share)
}
