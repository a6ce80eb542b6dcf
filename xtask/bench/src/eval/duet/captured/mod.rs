//! Captured pairs: labels, trains and generates as a user would, and compares the motion with the recordings.
//!
//! Every pair runs freely, with one person on a path, and by commands, with several seeds. An independent ruler measures feet and
//! accelerations of the results and of the recordings.

mod captured_pair;
mod captured_run;
mod contact_actions;

use marey::duet::DuetLabelSettings;
use marey::duet::label::{self, DuetLabelRequest};
use marey::duet::train::{self, DuetTrainRequest};
use marey_capture::Half;

use self::captured_pair::CapturedPair;
use self::captured_run::{Control, Recorded};
use super::Measured;
use crate::BoxError;
use crate::args::Args;
use crate::data;
use crate::row::{Aim, Row};
use crate::scratch_corpus::ScratchCorpus;

/// Number of generations of the search.
const ITERATIONS: u32 = 1000;

pub(super) fn rows(args: &Args) -> Measured {
    let Some(folder) = data::captured(args, "cmu") else { return Ok(Vec::new()) };
    let mut rows = Vec::new();
    for pair in captured_pair::ALL {
        match pair_rows(args, &folder.join(pair.folder), pair) {
            Ok(some) => rows.extend(some),
            Err(error) => eprintln!("{} is not measured: {error}", pair.name()),
        }
    }
    Ok(rows.into_iter().map(|row| row.of_half(args.half)).collect())
}

fn pair_rows(args: &Args, folder: &std::path::Path, pair: &CapturedPair) -> Measured {
    let corpus = ScratchCorpus::create()?;
    let takes = pair.import(folder, args.half, &corpus)?;
    let settings = DuetLabelSettings { iterations: ITERATIONS, ..DuetLabelSettings::default() };
    let request = DuetLabelRequest { settings, ..DuetLabelRequest::default() };
    let labels = label::run(&request, corpus.context())?;
    train::run(&DuetTrainRequest::default(), corpus.context())?;
    let recorded = Recorded::measure(&takes, &output_folder(args.half, pair)?)?;

    let subject = format!("CMU {}, {} takes, {:.1} s", pair.name(), takes.len(), recorded.secs);
    let movements: usize = labels.people.iter().map(|person| person.movements).sum();
    let groups: usize = labels.people.iter().map(|person| person.groups).sum();
    let labelled = pair.labelled(&takes, &corpus)?;
    let mut rows = vec![
        Row::new("duet: captured, movements found", &subject, movements as f64, "movements")
            .against("groups", groups as f64),
        Row::new("duet: captured, actor-time in a movement", &subject, labelled.actor_time, "share")
            .aim(Aim::AtLeast(0.9)),
        Row::new(
            "duet: captured, contact actions in movements of both",
            &subject,
            labelled.contacts,
            "share",
        )
        .aim(Aim::AtLeast(1.0)),
    ];
    for control in Control::ALL {
        let runs = recorded.runs(control, args, &corpus)?;
        rows.extend(runs.rows(control, pair, &recorded));
    }
    Ok(rows)
}

/// The folder for the files of a pair.
fn output_folder(half: Half, pair: &CapturedPair) -> Result<std::path::PathBuf, BoxError> {
    let folder = data::scratch_folder()?.join(format!("duet-{half}-{}", pair.people.join("-")));
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}
