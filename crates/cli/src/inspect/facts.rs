//! What is said about one file, without its motion.

use marey::conventions::roles::RoleMap;
use marey::conventions::{DetectedConventions, DetectedPointConventions, PointRecording, Unit, UpAxis};
use marey::formats::{Format, MotionFile};
use marey::motion::{Actor, Clip, Contact, Contacts, Role, Take, Warning};
use marey::ops;
use marey::ops::floor::FloorEstimate;
use serde::Serialize;

use super::oddity;
use marey::Error;

/// What is said about one file.
#[derive(Debug)]
pub(crate) struct Facts {
    pub(super) format: Format,
    /// Joints of all figures.
    pub(super) joints: usize,
    pub(super) frames: usize,
    pub(super) rate_hz: f64,
    pub(super) duration_secs: f64,
    /// Those of the first take; none where there are points.
    pub(super) figures: Vec<Figure>,
    /// Every take, where there are several.
    pub(super) takes: Vec<TakeFacts>,
    /// Where there are points without a skeleton.
    pub(super) points: Option<PointFacts>,
    /// Worst first.
    pub(super) oddities: Vec<Warning>,
    /// The roles of the first figure.
    pub(super) role_map: Option<RoleMap>,
}

/// One take of several.
#[derive(Debug, Serialize)]
pub(super) struct TakeFacts {
    pub(super) name: String,
    pub(super) actors: usize,
    pub(super) frames: usize,
    pub(super) rate_hz: f64,
    pub(super) duration_secs: f64,
}

/// What is said about points without a skeleton.
#[derive(Debug)]
pub(super) struct PointFacts {
    pub(super) labels: Vec<String>,
    /// How many places of a point in a frame are empty.
    pub(super) missing: usize,
    /// The middle one of the residuals, in metres.
    pub(super) residual_m: Option<f32>,
    /// How many analog channels there are, and their rate.
    pub(super) analog: Option<(usize, f64)>,
    pub(super) detected: DetectedPointConventions,
}

/// What is said about one figure of a file.
#[derive(Debug)]
pub(super) struct Figure {
    pub(super) name: String,
    pub(super) joints: usize,
    /// Joints by role.
    pub(super) roles: Vec<(Role, String)>,
    pub(super) detected: DetectedConventions,
    /// When heels and balls of feet stand.
    pub(super) contacts: Contacts,
    pub(super) floor: FloorEstimate,
}

impl Facts {
    /// `trimmed` says that a calibration pose was left out already.
    pub(super) fn of(import: &MotionFile, trimmed: bool) -> Result<Self, Error> {
        let oddities = oddity::worst_first(&import.report);
        if let Some(points) = import.points() {
            return Ok(Self {
                format: import.format,
                joints: 0,
                frames: points.clip.frames(),
                rate_hz: points.clip.rate_hz(),
                duration_secs: points.clip.duration_secs(),
                figures: Vec::new(),
                takes: Vec::new(),
                points: Some(PointFacts::of(points)),
                oddities,
                role_map: None,
            });
        }
        let take = import.take()?;
        let found = import.takes().iter().take(1).flat_map(|reading| &reading.detected);
        let figures = take.actors().iter().zip(found).map(|(actor, found)| Figure::of(actor, found, trimmed));
        let several = if import.takes().len() > 1 { import.takes() } else { &[] };
        Ok(Self {
            format: import.format,
            joints: take.actors().iter().map(|actor| actor.clip.skeleton().len()).sum(),
            frames: take.frames(),
            rate_hz: take.rate_hz(),
            duration_secs: take.first().duration_secs(),
            figures: figures.collect::<Result<_, ops::OpsError>>()?,
            takes: several.iter().map(|reading| TakeFacts::of(&reading.take)).collect(),
            points: None,
            oddities,
            role_map: Some(RoleMap::from_skeleton(take.first().skeleton())),
        })
    }

    /// The codes of the warnings, worst first.
    pub(super) fn codes(&self) -> Vec<&'static str> {
        self.oddities.iter().map(|warning| warning.code.id).collect()
    }

    /// The file's unit, as a flag has it, and its up axis.
    pub(super) fn unit_and_up(&self) -> Option<(Unit, UpAxis)> {
        let of_figure = |figure: &Figure| (figure.detected.unit.value, figure.detected.up_axis.value);
        let of_points = |points: &PointFacts| (points.detected.unit.value, points.detected.up_axis.value);
        self.figures.first().map(of_figure).or_else(|| self.points.as_ref().map(of_points))
    }
}

impl TakeFacts {
    fn of(take: &Take) -> Self {
        Self {
            name: take.name().to_owned(),
            actors: take.actors().len(),
            frames: take.frames(),
            rate_hz: take.rate_hz(),
            duration_secs: take.first().duration_secs(),
        }
    }
}

impl PointFacts {
    fn of(points: &PointRecording) -> Self {
        let mut residuals: Vec<f32> = points.residuals_m.iter().copied().filter(|r| !r.is_nan()).collect();
        residuals.sort_unstable_by(f32::total_cmp);
        Self {
            labels: points.clip.labels().to_vec(),
            missing: points.clip.missing(),
            residual_m: residuals.get(residuals.len() / 2).copied(),
            analog: points.analog.as_ref().map(|analog| (analog.labels.len(), analog.rate_hz)),
            detected: points.detected.clone(),
        }
    }
}

impl Figure {
    fn of(actor: &Actor, detected: &DetectedConventions, trimmed: bool) -> Result<Self, ops::OpsError> {
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
fn footing(clip: &Clip, first: usize) -> Result<(Contacts, FloorEstimate), ops::OpsError> {
    let found = ops::contacts::detect(
        &clip.slice(first..clip.frames())?,
        &ops::contacts::ContactSettings::default(),
    )?;
    let later = |contact: &Contact| Contact {
        frames: contact.frames.start + first..contact.frames.end + first,
        ..*contact
    };
    let contacts = found.contacts.all().iter().map(later).collect();
    Ok((Contacts::new(contacts, clip.frames())?, found.floor))
}
