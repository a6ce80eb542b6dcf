//! Prepares the next movement: selects blend weights, timing and steering.

use marey_motion::{Ground, Vec3};
use rand::RngExt;

use crate::observation::wrap_angle;
use crate::placed_movement::{Start, Timing};
use crate::session::DuetSession;
use crate::steering::SteeringGoal;
use crate::{DuetPath, InteractionKind, PlacedMovement, Result};

/// Fraction of the distance error that a movement without contact corrects.
const DISTANCE_CORRECTION: f32 = 0.5;
/// A movement may be stretched by this fraction so that both people end together.
const MAX_STRETCH: f64 = 0.25;
/// Standard deviation of the distance between the end of a movement and the path, in metres.
const PATH_DEVIATION_M: f64 = 0.06;

/// Constraints on a movement beyond its group.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct MovementGoal {
    /// Frame of the contact.
    pub(crate) contact_at: Option<usize>,
    /// End position.
    pub(crate) place: Option<Vec3>,
    /// Contact height, and distance between the two at contact, in metres.
    pub(crate) contact_height_m: Option<f64>,
    pub(crate) separation_m: Option<f32>,
}

impl DuetSession<'_> {
    /// Returns whether a person follows a path.
    pub(crate) fn follows_path(&self, person: usize) -> bool {
        self.path.as_ref().is_some_and(|path| path.person == person)
    }

    /// Returns the values added to the scores of a person's groups. Groups that lead away from the
    /// path score lower.
    pub(crate) fn path_bias(&self, person: usize, at: usize, ground: Ground) -> Vec<f64> {
        let groups = self.duet.repertoire.people[person].iter();
        let Some(path) = self.path.as_ref().filter(|path| path.person == person) else {
            return groups.map(|_| 0.0).collect();
        };
        let scores = groups.map(|group| {
            let (travel, frames) = group.travel();
            let desired = path.at((at as f64 + frames) / self.duet.rate_hz());
            -0.5 * (f64::from(ground.point(travel).distance(desired)) / PATH_DEVIATION_M).powi(2)
        });
        scores.collect()
    }

    /// Blends, times and places a movement. `partner_at` returns the partner's position in a frame.
    /// `partner_end` is the frame at which the partner's movement ends: a movement without contact
    /// ends with it if that frame is near.
    pub(crate) fn prepare(
        &mut self,
        start: Start,
        partner_at: &dyn Fn(usize) -> Vec3,
        before: Option<&PlacedMovement>,
        partner_end: Option<usize>,
        goal: MovementGoal,
    ) -> Result<PlacedMovement> {
        let group = &self.duet.repertoire.people[start.person][start.group];
        let rate_hz = self.duet.rate_hz();
        // Equation 24: random height, continuous speed, and a turn towards the partner.
        let point = group.mean_contact_frame().unwrap_or_else(|| group.travel().1).round() as usize;
        let to_partner = partner_at(start.frame + point) - start.ground.point(group.travel().0);
        let desired = group.partner_offset();
        let turn = to_partner.x.atan2(to_partner.z) - desired.x.atan2(desired.z) - start.ground.yaw_rad;
        let random_height = group.parameter(0, self.rng.random::<f64>());
        let contact_height_m =
            goal.contact_height_m.map_or(random_height, |height| group.nearest_parameter(0, height));
        let turn = group.nearest_parameter(2, wrap_angle(f64::from(turn)));
        let speed_mps = before.map_or(0.0, PlacedMovement::end_speed_mps);
        let parameters = [contact_height_m, group.nearest_parameter(1, speed_mps), turn];
        let groups = &self.duet.repertoire.people[start.person];
        let last_posture = before.map(|before| groups[before.group].last_posture(&before.weights));
        let blended = group.blend(&group.weights(parameters, last_posture)?, rate_hz)?;
        let tolerance = self.settings.contact_tolerance_frames as usize;
        let contact_at = goal.contact_at.filter(|contact| {
            blended.contact_frame.is_some_and(|own| (start.frame + own).abs_diff(*contact) > tolerance)
        });
        let own_end = start.frame + blended.frames;
        let is_near = |end: &usize| end.abs_diff(own_end) as f64 <= MAX_STRETCH * blended.frames as f64;
        let end_at = partner_end.filter(|end| start.kind == InteractionKind::Normal && is_near(end));
        let end = match (end_at, contact_at.zip(blended.contact_frame)) {
            (Some(end), _) => end,
            (None, Some((at, contact))) => at + blended.frames - contact,
            (None, None) => own_end,
        };
        let path = self.path.as_ref().filter(|path| path.person == start.person);
        let positions_on = |path: &DuetPath| -> Vec<Vec3> {
            let pace = (end - start.frame) as f64 / blended.frames as f64;
            let secs = |frame: usize| (start.frame as f64 + pace * frame as f64) / rate_hz;
            (0..=blended.frames).map(|frame| path.at(secs(frame))).collect()
        };
        let path_positions = path.filter(|_| goal.place.is_none()).map(positions_on).unwrap_or_default();
        let steering = SteeringGoal {
            partner: partner_at(start.frame + blended.contact_frame.unwrap_or(blended.frames)),
            place: goal.place,
            path_positions,
            distance_correction: match blended.contact_frame {
                Some(_) => 1.0,
                None => DISTANCE_CORRECTION,
            },
            separation_m: goal.separation_m.filter(|_| blended.makes_contact()),
            max_turn_rad: self.settings.max_turn_rad as f32,
            max_shift_m: self.settings.max_shift_m as f32,
        };
        PlacedMovement::new(start, blended, &steering, Timing { contact_at, end_at })
    }
}
