//! A summary of one figure of a file.

use marey_conventions::DetectedConventions;
use marey_motion::{Actor, Clip, Contact, Contacts, Role};
use marey_ops::contacts::{self, ContactSettings};
use marey_ops::floor::FloorEstimate;

use crate::FormatsError;

/// A summary of one figure of a file.
#[derive(Debug, Clone)]
pub struct FigureSummary {
    /// The name of the actor.
    pub name: String,
    /// Number of joints.
    pub joints: usize,
    /// Names of joints by role.
    pub roles: Vec<(Role, String)>,
    /// The conventions found.
    pub detected: DetectedConventions,
    /// When heels and balls of feet stand.
    pub contacts: Contacts,
    /// The floor under the motion.
    pub floor: FloorEstimate,
}

impl FigureSummary {
    pub(super) fn new(
        actor: &Actor,
        detected: &DetectedConventions,
        is_trimmed: bool,
    ) -> Result<Self, FormatsError> {
        let skeleton = actor.clip.skeleton();
        let named = |(role, joint): (Role, usize)| Some((role, skeleton.joints().get(joint)?.name.clone()));
        let first = usize::from(detected.rest_frame.value && !is_trimmed);
        let (contacts, floor) = contacts_from(&actor.clip, first)?;
        Ok(Self {
            name: actor.name.clone(),
            joints: skeleton.len(),
            roles: skeleton.roles().filter_map(named).collect(),
            detected: detected.clone(),
            contacts,
            floor,
        })
    }
}

/// The contacts in frames of the whole clip, and the floor. Ignores frames before `first`.
fn contacts_from(clip: &Clip, first: usize) -> Result<(Contacts, FloorEstimate), FormatsError> {
    let found = contacts::detect(&clip.slice(first..clip.frames())?, &ContactSettings::default())?;
    let shifted = |contact: &Contact| Contact {
        frames: contact.frames.start + first..contact.frames.end + first,
        ..*contact
    };
    let contacts = found.contacts.all().iter().map(shifted).collect();
    Ok((Contacts::new(contacts, clip.frames())?, found.floor))
}
