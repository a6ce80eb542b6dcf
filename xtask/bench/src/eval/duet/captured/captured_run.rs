//! Runs of a captured pair, measured beside its recordings.

use std::path::{Path, PathBuf};

use marey::duet::{self, DuetCommand, DuetRequest};
use marey::duet::{DEFAULT_MODEL, DuetPath, graph};
use marey_formats::bvh::{self, BvhOptions};
use marey_motion::Take;

use super::captured_pair::CapturedPair;
use super::contact_actions::{ContactActions, PlannedContacts, duration_secs};
use crate::BoxError;
use crate::args::Args;
use crate::eval::duet::relative_positions::RelativePositions;
use crate::eval::duet::runs::deepest_cm;
use crate::eval::feet::ruler::{self, RulerFigures};
use crate::row::{Aim, Row};
use crate::scratch_corpus::ScratchCorpus;

/// Length of each run.
const RUN_SECS: f64 = 60.0;
/// Seeds of the runs: five minutes in each mode.
const SEEDS: u64 = 5;
const QUICK_SEEDS: u64 = 2;
/// The unit of the files that are written.
const METRES_PER_UNIT: f64 = 0.01;
/// Number of commands of a run.
const COMMANDS: usize = 20;
/// Contacts whose distance differs by less are as close as the recorded ones.
const CONTACT_M: f32 = 0.03;

/// How a run is controlled.
#[derive(Debug, Clone, Copy)]
pub(super) enum Control {
    Automatic,
    Path,
    Commands,
}

impl Control {
    pub(super) const ALL: [Self; 3] = [Self::Automatic, Self::Path, Self::Commands];

    fn name(self) -> &'static str {
        match self {
            Self::Automatic => "freely",
            Self::Path => "on a path",
            Self::Commands => "by commands",
        }
    }

    fn request(self, seed: u64, groups: usize) -> DuetRequest {
        let request = DuetRequest { secs: RUN_SECS, seed, ..DuetRequest::default() };
        match self {
            Self::Automatic => request,
            Self::Path => DuetRequest { path: circle(), ..request },
            Self::Commands => {
                // Far apart in the recordings.
                let group = |number: usize| Some((number * 7 + seed as usize) % groups);
                let command = |number| DuetCommand { group: group(number), ..DuetCommand::default() };
                DuetRequest { commands: (0..COMMANDS).map(command).collect(), ..request }
            }
        }
    }
}

/// Once around a circle with a radius of 2 m, as in figure 9 of the paper.
fn circle() -> Vec<[f64; 3]> {
    let point = |i: u32| {
        let turn = std::f64::consts::TAU * f64::from(i) / 120.0;
        [0.5 * f64::from(i), 2.0 * turn.sin(), 2.0 - 2.0 * turn.cos()]
    };
    (0..=120).map(point).collect()
}

/// The figures of some takes.
pub(super) struct Recorded {
    pub(super) secs: f64,
    contacts: ContactActions,
    positions: RelativePositions,
    deepest_cm: f64,
    skate_cm_per_sec: f64,
    acceleration_mps2: f64,
    folder: PathBuf,
}

impl Recorded {
    pub(super) fn measure(takes: &[Take], folder: &Path) -> Result<Self, BoxError> {
        Self::with_names(takes, folder, |number| format!("recorded-{number}"))
    }

    /// Writes takes to files and measures them. Figures of the ruler are means over time.
    fn with_names(takes: &[Take], folder: &Path, name: impl Fn(usize) -> String) -> Result<Self, BoxError> {
        let mut contacts = ContactActions::default();
        let mut files = Vec::new();
        for (number, take) in takes.iter().enumerate() {
            contacts.add(take)?;
            let file = folder.join(format!("{}.bvh", name(number)));
            std::fs::write(&file, bvh::write(take, &BvhOptions::default()).0)?;
            files.push(file);
        }
        let figures = ruler::measure(&files, METRES_PER_UNIT, 0)?;
        let secs: f64 = takes.iter().map(duration_secs).sum();
        let mean = |figure: fn(&RulerFigures) -> f64| {
            let weighted = takes.iter().zip(&figures).map(|(take, own)| duration_secs(take) * figure(own));
            weighted.sum::<f64>() / secs
        };
        Ok(Self {
            secs,
            contacts,
            positions: RelativePositions::of(takes),
            deepest_cm: takes.iter().map(deepest_cm).fold(f64::NEG_INFINITY, f64::max),
            skate_cm_per_sec: mean(|figures| figures.skate_cm_per_sec),
            acceleration_mps2: mean(|figures| figures.acceleration_mps2),
            folder: folder.to_path_buf(),
        })
    }

    /// Generates runs of the trained pair of a corpus, and measures them.
    pub(super) fn runs(
        &self,
        control: Control,
        args: &Args,
        corpus: &ScratchCorpus,
    ) -> Result<Runs, BoxError> {
        let groups = graph::run(&graph::DuetGraphRequest::default(), corpus.context())?.groups[0];
        let seeds = if args.quick { QUICK_SEEDS } else { SEEDS };
        let prepared = duet::prepare(DEFAULT_MODEL, &[], corpus.context())?;
        let (mut takes, mut off_path_cm) = (Vec::new(), 0.0);
        let mut planned = PlannedContacts::default();
        for seed in 1..=seeds {
            let request = control.request(seed, groups);
            let made = duet::run(&request, corpus.context())?;
            if !request.path.is_empty() {
                let path = DuetPath { person: 0, points: request.path };
                off_path_cm += mean_distance_cm(&made.take, &path) / seeds as f64;
            }
            planned.add(&made.take, &made.details.movements, prepared.duet.model(), CONTACT_M);
            takes.push(made.take);
        }
        let name = |number: usize| format!("{}-{}", control.name().replace(' ', "-"), number + 1);
        Ok(Runs { figures: Self::with_names(&takes, &self.folder, name)?, planned, off_path_cm })
    }
}

/// The mean distance of the first person from the path's position at the time, in centimetres.
fn mean_distance_cm(take: &Take, path: &DuetPath) -> f64 {
    let clip = &take.first().ground_track().frames;
    let rate_hz = take.rate_hz();
    let off = clip
        .iter()
        .enumerate()
        .map(|(frame, ground)| f64::from(path.at(frame as f64 / rate_hz).distance(ground.translation())));
    100.0 * off.sum::<f64>() / clip.len().max(1) as f64
}

/// Runs in one mode.
pub(super) struct Runs {
    figures: Recorded,
    planned: PlannedContacts,
    off_path_cm: f64,
}

impl Runs {
    pub(super) fn rows(&self, control: Control, pair: &CapturedPair, recorded: &Recorded) -> Vec<Row> {
        let made = &self.figures;
        let subject = format!("CMU {}, {}, {:.0} s", pair.name(), control.name(), made.secs);
        let row = |name: &str, value: f64, unit, own: f64| {
            Row::new(&format!("duet: captured, {name}"), &subject, value, unit).against("the recordings", own)
        };
        let [distances, bearings] = made.positions.shares_within(&recorded.positions);
        let mut rows = vec![
            row("deepest overlap of the bodies", made.deepest_cm, "cm", recorded.deepest_cm)
                .aim(Aim::AtMost(recorded.deepest_cm)),
            row("distance to the partner within the 99 % range", distances, "share", 0.99)
                .aim(Aim::AtLeast(0.95)),
            row("bearing of the partner within the 99 % range", bearings, "share", 0.99)
                .aim(Aim::AtLeast(0.95)),
            row("99.9 % of accelerations", made.acceleration_mps2, "m/s²", recorded.acceleration_mps2)
                .aim(Aim::RatioAtMost(1.0)),
            row("foot skate, by the ruler", made.skate_cm_per_sec, "cm/s", recorded.skate_cm_per_sec)
                .aim(Aim::RatioAtMost(1.0)),
        ];
        if recorded.contacts.per_minute() > 0.0 {
            let [made, own] = [made, recorded].map(|figures| figures.contacts.per_minute());
            rows.push(row("contact actions per minute", made, "1/min", own).aim(Aim::RatioAtLeast(0.5)));
        }
        if let Some(share) = self.planned.share() {
            let name = "contacts within 3 cm of the recorded distance";
            rows.push(row(name, share, "share", 1.0).aim(Aim::AtLeast(1.0)));
        }
        if matches!(control, Control::Path) {
            rows.push(Row::new(
                "duet: captured, distance from the path's position at the time, mean",
                &subject,
                self.off_path_cm,
                "cm",
            ));
        }
        rows
    }
}
