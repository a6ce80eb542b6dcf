//! Contact actions in a take of two people.

use marey_duet::{PartnerContact, RecordedPair};
use marey_motion::Take;

use crate::BoxError;

/// Contact actions of one or several takes.
#[derive(Default)]
pub(super) struct ContactActions {
    pub(super) all: Vec<PartnerContact>,
    pub(super) secs: f64,
}

impl ContactActions {
    /// Adds the contacts of a take; strikes that miss are none.
    pub(super) fn add(&mut self, take: &Take) -> Result<(), BoxError> {
        let contacts = RecordedPair::from_take(take)?.partner_contacts;
        self.all.extend(contacts.into_iter().filter(|contact| !contact.is_miss()));
        self.secs += take.duration_secs();
        Ok(())
    }

    pub(super) fn per_minute(&self) -> f64 {
        60.0 * self.all.len() as f64 / self.secs
    }

    /// The share of contacts whose depth is within `tolerance_m` of a contact of the same parts in `recorded`.
    pub(super) fn share_within(&self, tolerance_m: f32, recorded: &ContactActions) -> f64 {
        let is_recorded = |own: &&PartnerContact| {
            recorded.all.iter().any(|other| {
                let is_same = own.striker == other.striker && own.struck == other.struck;
                is_same && (own.gap_m - other.gap_m).abs() <= tolerance_m
            })
        };
        self.all.iter().filter(is_recorded).count() as f64 / self.all.len().max(1) as f64
    }
}
