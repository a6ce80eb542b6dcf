//! What is said about one file, without its motion.

use marey::formats::door::Detected;
use marey::formats::roles::RoleMap;
use marey::formats::{Format, Import};
use marey::motion::{Actor, Clip, Contact, Contacts, Role, Warning};
use marey::ops;
use marey::ops::floor::Floor;

use super::oddity;

/// What is said about one file.
#[derive(Debug)]
pub(crate) struct Facts {
    pub(super) format: Format,
    /// Joints of all figures.
    pub(super) joints: usize,
    pub(super) frames: usize,
    pub(super) rate_hz: f64,
    pub(super) duration_secs: f64,
    /// At least one.
    pub(super) figures: Vec<Figure>,
    /// Worst first.
    pub(super) oddities: Vec<Warning>,
    /// The roles of the first figure.
    pub(super) role_map: RoleMap,
}

/// What is said about one figure of a file.
#[derive(Debug)]
pub(super) struct Figure {
    pub(super) name: String,
    pub(super) joints: usize,
    /// Joints by role.
    pub(super) roles: Vec<(Role, String)>,
    pub(super) detected: Detected,
    /// When heels and balls of feet stand.
    pub(super) contacts: Contacts,
    pub(super) floor: Floor,
}

impl Facts {
    /// `trimmed` says that a calibration pose was left out already.
    pub(super) fn of(import: &Import, trimmed: bool) -> ops::Result<Self> {
        let take = &import.take;
        let figures = take.actors().iter().zip(&import.detected);
        let figures = figures.map(|(actor, found)| Figure::of(actor, found, trimmed));
        Ok(Self {
            format: import.format,
            joints: take.actors().iter().map(|actor| actor.clip.skeleton().len()).sum(),
            frames: take.frames(),
            rate_hz: take.rate_hz(),
            duration_secs: take.first().duration_secs(),
            figures: figures.collect::<ops::Result<_>>()?,
            oddities: oddity::worst_first(&import.report),
            role_map: RoleMap::of(take.first().skeleton()),
        })
    }

    /// The codes of the warnings, worst first.
    pub(super) fn codes(&self) -> Vec<&'static str> {
        self.oddities.iter().map(|warning| warning.code.id).collect()
    }
}

impl Figure {
    fn of(actor: &Actor, detected: &Detected, trimmed: bool) -> ops::Result<Self> {
        let skeleton = actor.clip.skeleton();
        let named = |(role, joint): (Role, usize)| (role, skeleton.joints()[joint].name.clone());
        let first = usize::from(detected.rest_frame.value && !trimmed);
        let (contacts, floor) = footing(&actor.clip, first)?;
        Ok(Self {
            name: actor.name.clone(),
            joints: skeleton.len(),
            roles: skeleton.roles().map(named).collect(),
            detected: detected.clone(),
            contacts,
            floor,
        })
    }
}

/// When feet stand, in frames of the whole clip, and on what floor; frames before `first` are not looked at.
fn footing(clip: &Clip, first: usize) -> ops::Result<(Contacts, Floor)> {
    let found =
        ops::contacts::detect(&clip.slice(first..clip.frames())?, &ops::contacts::Settings::default())?;
    let later = |contact: &Contact| Contact {
        frames: contact.frames.start + first..contact.frames.end + first,
        ..*contact
    };
    let contacts = found.contacts.all().iter().map(later).collect();
    Ok((Contacts::new(contacts, clip.frames())?, found.floor))
}
