//! Detected contacts of captured takes, compared with labels made by eye. Skipped if no motion capture is available.
#![expect(clippy::print_stderr, reason = "the table is what the test is for")]

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use marey_capture::{Half, files_of_half};
use marey_formats::ReadOptions;
use marey_motion::{Clip, Contacts, Role};
use marey_ops::contacts::{ContactSettings, detect};

/// Starts and ends of contacts that are this close agree, in seconds: two frames at 30 Hz.
const TOLERANCE_SECS: f64 = 2.0 / 30.0;

/// The least agreement of starts and ends in either half of the takes, which is the aim.
const MIN_F: f64 = 0.95;

/// How many starts and ends agree.
#[derive(Debug, Default)]
struct Score {
    hits: usize,
    labels: usize,
    found: usize,
}

impl Score {
    /// The harmonic mean of precision and recall.
    fn f(&self) -> f64 {
        2.0 * self.hits as f64 / (self.labels + self.found) as f64
    }
}

/// The labels of one take.
#[derive(Debug, Default)]
struct Labels {
    file_hz: f64,
    window: Range<usize>,
    /// Start and end of each contact, unless it goes on beyond the window.
    contacts: Vec<(Role, Option<usize>, Option<usize>)>,
}

fn labels() -> BTreeMap<String, Labels> {
    let mut all: BTreeMap<String, Labels> = BTreeMap::new();
    let lines = include_str!("labels/contacts.csv").lines().filter(|line| !line.starts_with('#')).skip(1);
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        let [take, file_hz, from, until, role, start, end] = fields[..] else { panic!("{line}") };
        let labels = all.entry(take.to_owned()).or_default();
        labels.file_hz = file_hz.parse().unwrap();
        labels.window = from.parse().unwrap()..until.parse().unwrap();
        let role: Role = role.parse().unwrap_or_else(|_| panic!("{line}"));
        labels.contacts.push((role, start.parse().ok(), end.parse().ok()));
    }
    all
}

/// The instants at which contacts of a role start or end, in seconds.
type Instants = BTreeMap<(Role, bool), Vec<f64>>;

fn labelled(labels: &Labels) -> Instants {
    let mut instants = Instants::new();
    for (role, start, end) in &labels.contacts {
        for (frame, is_start) in [(start, true), (end, false)] {
            instants
                .entry((*role, is_start))
                .or_default()
                .extend(frame.map(|frame| frame as f64 / labels.file_hz));
        }
    }
    instants
}

fn detected(contacts: &Contacts, rate_hz: f64, window: Range<f64>) -> Instants {
    let mut instants = Instants::new();
    for contact in contacts.all() {
        for (frame, is_start) in [(contact.frames.start, true), (contact.frames.end, false)] {
            let secs = frame as f64 / rate_hz;
            if window.contains(&secs) {
                instants.entry((contact.role, is_start)).or_default().push(secs);
            }
        }
    }
    instants
}

/// The number of labels that have a detected instant nearby, each used once.
fn matched(labels: &[f64], found: &[f64]) -> usize {
    let mut free: Vec<f64> = found.to_vec();
    let mut count = 0;
    for label in labels {
        let near = |secs: &f64| (secs - label).abs() <= TOLERANCE_SECS + 1e-9;
        let best = (0..free.len())
            .filter(|i| near(&free[*i]))
            .min_by(|a, b| (free[*a] - label).abs().total_cmp(&(free[*b] - label).abs()));
        if let Some(best) = best {
            free.swap_remove(best);
            count += 1;
        }
    }
    count
}

fn clip(path: &Path, rate_hz: f64) -> Clip {
    let bytes = marey_capture::bytes(path);
    let read = marey_formats::read(&bytes, Some("bvh"), &ReadOptions::default()).unwrap();
    let clip = read.take().unwrap().first().clone();
    // The first frame of these files is a calibration pose.
    let has_rest = path.components().any(|part| part.as_os_str() == "cmu");
    let clip = if has_rest { clip.slice(1..clip.frames()).unwrap() } else { clip };
    // The header of some takes states twice the rate of their capture.
    Clip::new(clip.skeleton().clone(), rate_hz, clip.into_parts()).unwrap()
}

#[test]
fn captured_contacts_agree_with_labels() {
    let Some(folder) = marey_capture::folder("") else { return };
    let tuning = files_of_half(&folder, "bvh", Half::Tuning);
    let mut scores = BTreeMap::from([(true, Score::default()), (false, Score::default())]);
    for (take, labels) in labels() {
        let path = folder.join(&take);
        let clip = clip(&path, labels.file_hz);
        let contacts = detect(&clip, &ContactSettings::default()).unwrap().contacts;
        let secs = |frame: usize| frame as f64 / labels.file_hz;
        let edge = TOLERANCE_SECS;
        let wanted = labelled(&labels);
        let window = secs(labels.window.start)..secs(labels.window.end);
        let found = detected(&contacts, labels.file_hz, window.start - edge..window.end + edge);
        let (mut own_hits, mut own_labels, mut own_found) = (0, 0, 0);
        for role in [Role::LeftFoot, Role::LeftToes, Role::RightFoot, Role::RightToes] {
            for is_start in [true, false] {
                let none = Vec::new();
                let wanted = wanted.get(&(role, is_start)).unwrap_or(&none);
                let all = found.get(&(role, is_start)).unwrap_or(&none);
                let hits = matched(wanted, all);
                // Instants just outside the window may match a label, and are not wrong otherwise.
                let inside = all.iter().filter(|secs| window.contains(secs)).count();
                own_hits += hits;
                own_labels += wanted.len();
                own_found += inside.max(hits);
                if hits < wanted.len() || hits < inside {
                    let kind = if is_start { "starts" } else { "ends" };
                    eprintln!("  {take} {role} {kind}: labels {wanted:.2?}, detected {all:.2?}");
                }
            }
        }
        eprintln!("{take}: {own_hits} of {own_labels} labels found, {own_found} detected");
        let score = scores.entry(tuning.contains(&path)).or_default();
        score.hits += own_hits;
        score.labels += own_labels;
        score.found += own_found;
    }
    for (is_tuning, score) in scores {
        let half = if is_tuning { Half::Tuning } else { Half::Report };
        eprintln!("{half} half: {score:?}, F {:.3}", score.f());
        assert!(score.f() >= MIN_F, "{half} half: {}", score.f());
    }
}
