//! Pieces in, joined frames out.

use std::collections::VecDeque;
use std::sync::Arc;

use marey_motion::{LocalPose, Skeleton};

use crate::copy::copy;
use crate::join::fades::Fades;
use crate::join::offset::Offset;
use crate::join::pace::Pace;
use crate::join::{Method, Settings};
use crate::piece::Piece;
use crate::touch::Touch;

/// Plays pieces one after another and joins them. Apart from [`Joiner::push`], it allocates nothing.
#[derive(Debug)]
pub(crate) struct Joiner {
    method: Method,
    window: usize,
    /// Pieces to come, each with how many frames the one before it takes to fade.
    queue: VecDeque<(Piece, usize)>,
    current: Option<Piece>,
    fades: Fades,
    pace: Pace,
    /// Frames of the current piece that were given.
    at: usize,
    /// Frames since what is spread now began, and until it is gone.
    age: usize,
    span: usize,
    /// What is spread: at the start and its velocity a frame, or at the start and at the end.
    start: Offset,
    other: Offset,
    /// What the next piece will have at its start.
    next_start: Offset,
    /// The last two frames given; the newest first.
    past: [LocalPose; 2],
    given: usize,
    /// The last frame given as its example has it, placed and stretched only.
    plain: LocalPose,
    scratch: [LocalPose; 4],
    offset: Offset,
}

impl Joiner {
    pub(crate) fn new(skeleton: &Arc<Skeleton>, rate_hz: f64, settings: &Settings) -> Self {
        let pose = || LocalPose::rest(skeleton);
        let offset = || Offset::none(skeleton);
        Self {
            method: settings.method,
            window: settings.window(rate_hz),
            queue: VecDeque::with_capacity(16),
            current: None,
            fades: Fades::new(skeleton, settings.longest(rate_hz)),
            pace: Pace::new(skeleton, rate_hz, settings.window(rate_hz), settings.longest(rate_hz)),
            at: 0,
            age: 0,
            span: 0,
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

    /// Takes one more piece.
    pub(crate) fn push(&mut self, piece: Piece) {
        let before = self.queue.back().map(|(piece, _)| piece).or(self.current.as_ref());
        let fade = match before {
            Some(before) if self.method == Method::Crossfade && !before.flows_into(&piece) => {
                self.pace.span(before, &piece)
            }
            _ => self.window,
        };
        self.queue.push_back((piece, fade));
    }

    /// Makes the next frame, where enough is known: `None` asks for another piece, or says that all are played. `is_last`
    /// says that no more will come.
    pub(crate) fn next(&mut self, is_last: bool, pose: &mut LocalPose) -> Option<Touch> {
        if self.current.as_ref().is_none_or(|piece| self.at == piece.frames()) {
            self.begin(is_last)?;
        }
        let piece = self.current.as_ref()?;
        piece.pose_at(self.at, pose);
        copy(pose, &mut self.plain);
        self.displace(pose);
        let touch = self.current.as_ref()?.touch_at(self.at);
        self.at += 1;
        self.age += 1;
        self.given += 1;
        self.past.swap(0, 1);
        copy(pose, &mut self.past[0]);
        Some(touch)
    }

    /// The last frame given as its example has it, not joined to anything.
    pub(crate) fn plain(&self) -> &LocalPose {
        &self.plain
    }

    /// How far the last frame given is from both examples that are joined around it: 0 where it is as one of them has it, 1 from
    /// a quarter of the way to three quarters.
    pub(crate) fn between(&self) -> f32 {
        match self.method {
            Method::None => 0.0,
            Method::Crossfade => self.fades.between(),
            _ => between(self.age, self.span),
        }
    }

    /// Goes on to the next piece, where there is one and enough is known of what follows it.
    fn begin(&mut self, is_last: bool) -> Option<()> {
        if self.queue.is_empty() || (self.method.waits_for_next() && self.queue.len() < 2 && !is_last) {
            return None;
        }
        let (next, fade) = self.queue.pop_front()?;
        let before = self.current.take();
        let flows = before.as_ref().is_some_and(|before| before.flows_into(&next));
        self.at = 0;
        match self.method {
            Method::None => {}
            Method::Linear | Method::Ease => self.meet(&next),
            Method::Hermite | Method::Inertialise if !flows && before.is_some() => {
                self.match_past(&next);
                self.age = 0;
                self.span = if self.method == Method::Hermite { next.frames() } else { self.window };
            }
            Method::Crossfade if !flows => {
                if let Some(before) = before {
                    self.fades.add(before, fade, &next);
                }
            }
            Method::Hermite | Method::Inertialise | Method::Crossfade => {}
        }
        self.current = Some(next);
        Some(())
    }

    /// Linear and ease: half of what is between the end of this piece and the start of the next goes to either.
    fn meet(&mut self, piece: &Piece) {
        std::mem::swap(&mut self.start, &mut self.next_start);
        self.other.clear();
        self.next_start.clear();
        (self.age, self.span) = (0, piece.frames());
        let Some((next, _)) = self.queue.front().filter(|(next, _)| !piece.flows_into(next)) else { return };
        let [end, start, _, spare] = &mut self.scratch;
        let last = piece.frames() - 1;
        // Both at the instant half-way between the last frame of one and the first of the other.
        extrapolate(piece, last, last.checked_sub(1), 0.5, [end, &mut *spare], &mut self.offset);
        extrapolate(next, 0, (next.frames() > 1).then_some(1), 0.5, [start, spare], &mut self.offset);
        self.offset.set_between(end, start);
        self.other.set_scaled(&self.offset, 0.5);
        self.next_start.set_scaled(&self.offset, -0.5);
    }

    /// Hermite and inertialise: the displacement that carries the piece to the last frame given, and its velocity a frame.
    fn match_past(&mut self, piece: &Piece) {
        let [first, before, on, spare] = &mut self.scratch;
        let second = (piece.frames() > 1).then_some(1);
        piece.pose_at(0, first);
        // Where the piece would have been a frame earlier, against where the figure was.
        extrapolate(piece, 0, second, 1.0, [before, spare], &mut self.offset);
        self.start.set_between(before, &self.past[0]);
        self.other.clear();
        if self.given < 2 {
            return;
        }
        // Where the figure would go on to, against where the piece starts.
        copy(&self.past[0], on);
        self.offset.set_between(&self.past[1], &self.past[0]);
        self.offset.put_on(on, 1.0);
        self.other.set_between(first, on);
        self.other.subtract(&self.start);
    }

    /// Puts on a frame what is spread over it.
    fn displace(&mut self, pose: &mut LocalPose) {
        if self.method == Method::Crossfade {
            return self.fades.mix(pose);
        }
        if self.age >= self.span {
            return;
        }
        // The past is at 0; the last displaced frame is just before 1.
        let s = (self.age + 1) as f32 / (self.span + 1) as f32;
        let middle = (self.age as f32 + 0.5) / self.span as f32;
        let span = (self.span + 1) as f32;
        match self.method {
            Method::None | Method::Crossfade => {}
            Method::Linear => {
                Offset::put_both_on(pose, (&self.start, 1.0 - middle), (&self.other, middle));
            }
            Method::Ease => {
                let alpha = ease(middle);
                Offset::put_both_on(pose, (&self.start, 1.0 - alpha), (&self.other, alpha));
            }
            Method::Hermite => {
                let (place, velocity) = cubic(s);
                Offset::put_both_on(pose, (&self.start, place), (&self.other, span * velocity));
            }
            Method::Inertialise => {
                let (place, velocity) = quintic(s);
                Offset::put_both_on(pose, (&self.start, place), (&self.other, span * velocity));
            }
        }
    }
}

/// The pose `by` frames from `at`, away from `towards`, as fast as between the two; `at` itself where there is no other.
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
    velocity.put_on(pose, by);
}

/// How far the last of so many frames of a join is from both its ends: 0 at either, 1 from a quarter of the way to three quarters.
pub(super) fn between(frames: usize, span: usize) -> f32 {
    let s = (frames as f32 - 0.5) / span.max(1) as f32;
    if s >= 1.0 { 0.0 } else { ease((4.0 * s.min(1.0 - s)).min(1.0)) }
}

/// From 0 to 1 without a kink at either.
pub(super) fn ease(s: f32) -> f32 {
    s * s * (3.0 - 2.0 * s)
}

/// Cubics that start at 1 with slope 0, and at 0 with slope 1; both end at 0 with slope 0.
fn cubic(s: f32) -> (f32, f32) {
    let left = 1.0 - s;
    (left * left * (1.0 + 2.0 * s), left * left * s)
}

/// The same as quintics, whose curvature is 0 at both ends.
fn quintic(s: f32) -> (f32, f32) {
    let left = 1.0 - s;
    let cubed = left * left * left;
    (cubed * (1.0 + 3.0 * s + 6.0 * s * s), cubed * s * (1.0 + 3.0 * s))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn displacements_start_and_end_as_they_should() {
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
