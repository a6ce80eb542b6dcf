//! Joins pieces frame by frame.

use std::collections::VecDeque;
use std::sync::Arc;

use marey_motion::{LocalPose, Skeleton, smoothstep};

use crate::copy_pose::copy_pose;
use crate::join::fade_length::FadeLength;
use crate::join::fades::{FadeSpan, Fades};
use crate::join::offset::{JoinWeight, Offset};
use crate::join::{JoinMethod, JoinSettings};
use crate::piece::Piece;
use crate::sole_touch::SoleTouch;

/// Plays pieces one after another and joins them. Only [`Joiner::push`] allocates.
#[derive(Debug)]
pub(crate) struct Joiner {
    method: JoinMethod,
    window: FadeSpan,
    /// The next pieces, each with the fade length of the previous one.
    queue: VecDeque<(Piece, FadeSpan)>,
    current: Option<Piece>,
    fades: Fades,
    fade_length: FadeLength,
    /// Frames of the current piece that have been produced.
    at: usize,
    /// Age of the current displacement in frames, and its length.
    age: usize,
    span: FadeSpan,
    /// The displacement: value and velocity per frame at the start, or values at start and end.
    start: Offset,
    other: Offset,
    /// Displacement at the start of the next piece.
    next_start: Offset,
    /// The last two frames, newest first.
    past: [LocalPose; 2],
    given: usize,
    /// The last frame as in its source, placed and stretched but not joined.
    plain: LocalPose,
    scratch: [LocalPose; 4],
    offset: Offset,
}

impl Joiner {
    pub(crate) fn new(skeleton: &Arc<Skeleton>, rate_hz: f64, settings: &JoinSettings) -> Self {
        let pose = || LocalPose::rest(skeleton);
        let offset = || Offset::none(skeleton);
        Self {
            method: settings.method,
            window: settings.fade_span(settings.window(rate_hz)),
            queue: VecDeque::with_capacity(16),
            current: None,
            fades: Fades::new(skeleton, settings.longest_of_arms(rate_hz)),
            fade_length: FadeLength::new(skeleton, rate_hz, settings),
            at: 0,
            age: 0,
            span: FadeSpan { body: 0, arms: 0 },
            start: offset(),
            other: offset(),
            next_start: offset(),
            past: [pose(), pose()],
            given: 0,
            plain: pose(),
            scratch: [pose(), pose(), pose(), pose()],
            offset: offset(),
        }
    }

    /// Appends a piece.
    pub(crate) fn push(&mut self, piece: Piece) {
        let before = self.queue.back().map(|(piece, _)| piece).or(self.current.as_ref());
        let fade = match before {
            Some(before) if self.method == JoinMethod::Crossfade && !before.flows_into(&piece) => {
                self.fade_length.span(before, &piece)
            }
            _ => self.window,
        };
        self.queue.push_back((piece, fade));
    }

    /// The next frame. `None` if the next piece must be pushed first, or if all pieces are played. `is_last`
    /// states that no more pieces follow.
    pub(crate) fn next(&mut self, is_last: bool, pose: &mut LocalPose) -> Option<SoleTouch> {
        if self.current.as_ref().is_none_or(|piece| self.at == piece.frames()) {
            self.begin(is_last)?;
        }
        let piece = self.current.as_ref()?;
        piece.pose_at(self.at, pose);
        copy_pose(pose, &mut self.plain);
        let touch = piece.touch_at(self.at);
        let touch = match self.method {
            JoinMethod::Crossfade => self.fades.mix(pose, touch),
            _ => {
                self.displace(pose);
                touch
            }
        };
        self.at += 1;
        self.age += 1;
        self.given += 1;
        self.past.swap(0, 1);
        copy_pose(pose, &mut self.past[0]);
        Some(touch)
    }

    /// The last frame as in its source, placed and stretched but not joined.
    pub(crate) fn plain(&self) -> &LocalPose {
        &self.plain
    }

    /// How strongly the last frame is changed by a join: 0 at either end, 1 from a quarter to three quarters.
    pub(crate) fn between(&self) -> f32 {
        match self.method {
            JoinMethod::None => 0.0,
            JoinMethod::Crossfade => self.fades.between(),
            _ => between(self.age, self.span.body),
        }
    }

    /// Moves to the next piece if it is known well enough.
    fn begin(&mut self, is_last: bool) -> Option<()> {
        if self.queue.is_empty() || (self.method.waits_for_next() && self.queue.len() < 2 && !is_last) {
            return None;
        }
        let (next, fade) = self.queue.pop_front()?;
        let before = self.current.take();
        let flows = before.as_ref().is_some_and(|before| before.flows_into(&next));
        self.at = 0;
        match self.method {
            JoinMethod::None => {}
            JoinMethod::Linear | JoinMethod::Ease => self.meet(&next),
            JoinMethod::Hermite | JoinMethod::Inertialise if !flows && before.is_some() => {
                self.match_past(&next);
                self.age = 0;
                let whole = FadeSpan { body: next.frames(), arms: next.frames() };
                self.span = if self.method == JoinMethod::Hermite { whole } else { self.window };
            }
            JoinMethod::Crossfade if !flows => {
                if let Some(before) = before {
                    self.fades.add(before, fade, &next);
                }
            }
            JoinMethod::Hermite | JoinMethod::Inertialise | JoinMethod::Crossfade => {}
        }
        self.current = Some(next);
        Some(())
    }

    /// Linear and ease: each piece takes half of the displacement between the end of this piece and the start
    /// of the next.
    fn meet(&mut self, piece: &Piece) {
        std::mem::swap(&mut self.start, &mut self.next_start);
        self.other.clear();
        self.next_start.clear();
        self.age = 0;
        self.span = FadeSpan { body: piece.frames(), arms: piece.frames() };
        let Some((next, _)) = self.queue.front().filter(|(next, _)| !piece.flows_into(next)) else { return };
        let [end, start, _, spare] = &mut self.scratch;
        let last = piece.frames() - 1;
        // Both evaluated half-way between the last frame of one and the first frame of the next.
        extrapolate(piece, last, last.checked_sub(1), 0.5, [end, &mut *spare], &mut self.offset);
        extrapolate(next, 0, (next.frames() > 1).then_some(1), 0.5, [start, spare], &mut self.offset);
        self.offset.set_between(end, start);
        self.other.set_scaled(&self.offset, 0.5);
        self.next_start.set_scaled(&self.offset, -0.5);
    }

    /// Hermite and inertialise: the displacement from the piece to the last frame, and its velocity per
    /// frame.
    fn match_past(&mut self, piece: &Piece) {
        let [first, before, on, spare] = &mut self.scratch;
        let second = (piece.frames() > 1).then_some(1);
        piece.pose_at(0, first);
        // The piece one frame earlier, compared with the previous frame.
        extrapolate(piece, 0, second, 1.0, [before, spare], &mut self.offset);
        self.start.set_between(before, &self.past[0]);
        self.other.clear();
        if self.given < 2 {
            return;
        }
        // The extrapolated motion, compared with the start of the piece.
        copy_pose(&self.past[0], on);
        self.offset.set_between(&self.past[1], &self.past[0]);
        self.offset.apply(on, JoinWeight::uniform(1.0));
        self.other.set_between(first, on);
        self.other.subtract(&self.start);
    }

    /// Applies the displacement of the methods that have one to a frame.
    fn displace(&mut self, pose: &mut LocalPose) {
        let FadeSpan { body, arms } = self.span;
        if self.age >= arms {
            return;
        }
        let age = self.age;
        let middle = (age as f32 + 0.5) / body as f32;
        let (start, other) = match self.method {
            JoinMethod::None | JoinMethod::Crossfade => return,
            JoinMethod::Linear => (JoinWeight::uniform(1.0 - middle), JoinWeight::uniform(middle)),
            JoinMethod::Ease => {
                let alpha = smoothstep(middle);
                (JoinWeight::uniform(1.0 - alpha), JoinWeight::uniform(alpha))
            }
            JoinMethod::Hermite => decayed(age, self.span, cubic),
            JoinMethod::Inertialise => decayed(age, self.span, quintic),
        };
        Offset::apply_sum(pose, (&self.start, start), (&self.other, other));
    }
}

/// What is left of a displacement and of its velocity per frame at an age in frames.
fn decayed(age: usize, span: FadeSpan, curve: fn(f32) -> (f32, f32)) -> (JoinWeight, JoinWeight) {
    // The past is at 0; the last displaced frame is just before 1.
    let left = |span: usize| {
        let frames = (span + 1) as f32;
        let (place, velocity) = if age < span { curve((age + 1) as f32 / frames) } else { (0.0, 0.0) };
        (place, frames * velocity)
    };
    let (body, arms) = (left(span.body), left(span.arms));
    (JoinWeight { body: body.0, arms: arms.0 }, JoinWeight { body: body.1, arms: arms.1 })
}

/// Extrapolates from `at`, away from `towards`, by `by` frames; returns `at` if there is no other frame.
fn extrapolate(
    piece: &Piece,
    at: usize,
    towards: Option<usize>,
    by: f32,
    [pose, spare]: [&mut LocalPose; 2],
    velocity: &mut Offset,
) {
    piece.pose_at(at, pose);
    let Some(towards) = towards else { return };
    piece.pose_at(towards, spare);
    velocity.set_between(spare, pose);
    velocity.apply(pose, JoinWeight::uniform(by));
}

/// Distance of the last of `frames` frames of a join from both ends: 0 at either, 1 from a quarter to three
/// quarters.
pub(super) fn between(frames: usize, span: usize) -> f32 {
    let s = (frames as f32 - 0.5) / span.max(1) as f32;
    if s >= 1.0 { 0.0 } else { smoothstep((4.0 * s.min(1.0 - s)).min(1.0)) }
}

/// Cubics with value 1, slope 0 and value 0, slope 1 at the start; both end at 0 with slope 0.
fn cubic(s: f32) -> (f32, f32) {
    let left = 1.0 - s;
    (left * left * (1.0 + 2.0 * s), left * left * s)
}

/// The same as quintics with zero curvature at both ends.
fn quintic(s: f32) -> (f32, f32) {
    let left = 1.0 - s;
    let cubed = left * left * left;
    (cubed * (1.0 + 3.0 * s + 6.0 * s * s), cubed * s * (1.0 + 3.0 * s))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn displacement_curves_have_their_end_conditions() {
        for curves in [cubic, quintic] {
            assert_eq!((curves(0.0), curves(1.0)), ((1.0, 0.0), (0.0, 0.0)));
            let h = 1e-3;
            let (near, far) = (curves(h), curves(1.0 - h));
            assert!((near.0 - 1.0).abs() < 1e-5 && (near.1 / h - 1.0).abs() < 1e-2);
            assert!(far.0.abs() < 1e-5 && far.1.abs() < 1e-5);
        }
        // The quintic starts without curvature.
        let (h, second) = (1e-2f64, |f: [f64; 3], h: f64| (f[0] - 2.0 * f[1] + f[2]) / (h * h));
        let place = [0.0, h, 2.0 * h].map(|s| f64::from(quintic(s as f32).0));
        assert!(second(place, h).abs() < 1.0 && second(place, h).abs() > 0.0);
    }
}
