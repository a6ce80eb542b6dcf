//! Contact actions in a take of two people.

use marey_body::BodyCapsules;
use marey_duet::{BodyPart, DuetModel, ExchangeContact, PartnerContact, PlacedMovement, RecordedPair};
use marey_motion::{Take, WorldPose};

use crate::BoxError;

/// Contact actions of one or several takes.
#[derive(Default)]
pub(super) struct ContactActions {
    all: Vec<PartnerContact>,
    secs: f64,
}

impl ContactActions {
    /// Adds the contacts of a take; strikes that miss are none.
    pub(super) fn add(&mut self, take: &Take) -> Result<(), BoxError> {
        let contacts = RecordedPair::from_take(take)?.partner_contacts;
        self.all.extend(contacts.into_iter().filter(|contact| !contact.is_miss()));
        self.secs += duration_secs(take);
        Ok(())
    }

    pub(super) fn per_minute(&self) -> f64 {
        60.0 * self.all.len() as f64 / self.secs
    }
}

/// The contacts that the exchanges of runs have in the recordings, and how many are as close in the runs.
#[derive(Default)]
pub(super) struct PlannedContacts {
    planned: usize,
    close: usize,
}

impl PlannedContacts {
    /// Adds the contacts of a run. Those within `tolerance_m` of the recorded distance are close.
    pub(super) fn add(
        &mut self,
        take: &Take,
        movements: &[PlacedMovement],
        model: &DuetModel,
        tolerance_m: f32,
    ) {
        for movement in movements.iter().filter(|movement| movement.person == 0) {
            let Some(&(number, _)) = movement.weights.first() else { continue };
            let own = model.exchanges.iter().filter(|exchange| exchange.group == movement.group);
            for contact in own.into_iter().skip(number).take(1).flat_map(|exchange| &exchange.contacts) {
                let frame = movement.placement.start + contact.frame;
                if contact.frame < movement.placement.frames && frame < take.frames() {
                    let gap_m = gap_m(take, frame, contact);
                    self.planned += 1;
                    self.close += usize::from((gap_m - contact.gap_m).abs() <= tolerance_m);
                }
            }
        }
    }

    /// The share of contacts that are close; `None` without contacts.
    pub(super) fn share(&self) -> Option<f64> {
        (self.planned > 0).then(|| self.close as f64 / self.planned as f64)
    }
}

/// The distance of the parts of a contact in a frame, in metres.
fn gap_m(take: &Take, frame: usize, contact: &ExchangeContact) -> f32 {
    let capsules = |part: BodyPart| {
        let clip = &take.actors()[part.person].clip;
        let mut placed = Vec::new();
        BodyCapsules::of(clip.skeleton())
            .place(&WorldPose::of(clip.skeleton(), clip.pose(frame)), &mut placed);
        placed
    };
    let (own, other) = (capsules(contact.striker), capsules(contact.struck));
    let own = own.iter().filter(|capsule| capsule.end == Some(contact.striker.role));
    let gaps = own.flat_map(|own| {
        let struck = other.iter().filter(|capsule| capsule.role == contact.struck.role);
        struck.map(|other| own.capsule.gap_m(&other.capsule))
    });
    gaps.fold(f32::INFINITY, f32::min)
}

pub(super) fn duration_secs(take: &Take) -> f64 {
    take.frames() as f64 / take.rate_hz()
}
