//! Whether another take has a part that is like a gap as a whole.

use marey_motion::{Clip, Ground, MotionError, Vec3};

/// Mean distance of the joints up to which two parts are alike, in metres.
const ALIKE_M: f32 = 0.05;
/// Every so manieth frame is compared.
const EVERY: usize = 3;

/// Whether some part of the takes is like `gap`, once both start at the same place.
pub(super) fn has_sibling<'a>(
    gap: &Clip,
    takes: impl Iterator<Item = &'a Clip>,
) -> Result<bool, MotionError> {
    let wanted = gap.moved(start_of(gap)?.inverse()).world();
    let frames = gap.frames();
    for take in takes {
        let track = take.ground_track().frames;
        let world = take.world();
        for start in (0..(take.frames() + 1).saturating_sub(frames)).step_by(2) {
            let here = track[start].inverse();
            let (mut sum, mut count) = (0.0, 0usize);
            for frame in (0..frames).step_by(EVERY) {
                let pairs = world.positions_at(start + frame).iter().zip(wanted.positions_at(frame));
                sum += pairs
                    .map(|(own, wanted): (&Vec3, &Vec3)| here.point(*own).distance(*wanted))
                    .sum::<f32>();
                count += world.joints;
                // Most parts are unlike from the start.
                if sum / count as f32 > 2.0 * ALIKE_M {
                    break;
                }
            }
            if sum / count.max(1) as f32 <= ALIKE_M {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

fn start_of(clip: &Clip) -> Result<Ground, MotionError> {
    Ok(clip.slice(0..1)?.ground_track().frames.first().copied().unwrap_or_default())
}
