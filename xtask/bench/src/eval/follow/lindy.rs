//! Followers for leaders of generated Lindy Hop, compared with the ground truth.
//!
//! Hands change at the end of a transition, and the test dances have changes that the database does not have. So a two-beat segment
//! is judged by what the follower does in it: the first stance (closed or open), the turn (step, inside, outside), the half, and for
//! the second half the last stance.

use std::collections::BTreeSet;
use std::ops::Range;

use marey::follow::{ControlInput, ControlKind, FollowRequest, MetricChoice, TranscriptEntry};
use marey::transcribe;
use marey_examples::Example;
use marey_examples::lindy::{LindySettings, NOVEL, Pattern, database, patterns, tests};
use marey_motion::Contacts;

use crate::BoxError;
use crate::args::Args;
use crate::row::{Aim, Row};
use crate::scratch_corpus::ScratchCorpus;

/// From the first seed to the first of those that no setting was chosen on.
const OTHER_SEEDS: u64 = 7_310;

/// Counts over all dances.
#[derive(Default)]
struct Score {
    segments: usize,
    wrong: usize,
    patterns: usize,
    wrong_patterns: usize,
    novel: usize,
    wrong_novel: usize,
    /// Novel patterns that were reproduced at least once, by seed.
    reproduced: BTreeSet<(u64, Pattern)>,
    timing_error_secs: f64,
}

pub(super) fn rows(args: &Args) -> Result<Vec<Row>, BoxError> {
    let seeds = if args.quick { 1 } else { 10 };
    let request = FollowRequest {
        control: ControlKind::Actor("leader".into()),
        rate_hz: 10.0,
        k: 0.5,
        refine: false,
        whole: true,
        ..FollowRequest::default()
    };
    let requests = [
        request.clone(),
        FollowRequest { k: 0.0, ..request.clone() },
        FollowRequest { metric: Some(MetricChoice::Plain), ..request },
    ];
    let [ours, without, plain] = scores(args.seed..args.seed + seeds, &requests)?;
    let other_seeds = args.seed + OTHER_SEEDS..args.seed + OTHER_SEEDS + seeds;
    let [request, _, plain_request] = requests;
    let [others, others_plain] = scores(other_seeds, &[request, plain_request])?;
    let subject = format!("{seeds} × 3 test dances, 5 mm noise, {} segments", ours.segments);
    let share = |wrong: usize, of: usize| 100.0 * wrong as f64 / of.max(1) as f64;
    let baseline = "without continuity (k = 0)";
    Ok(vec![
        Row::new("lindy: wrong two-beat segments", &subject, share(ours.wrong, ours.segments), "%")
            .against(baseline, share(without.wrong, without.segments))
            .aim(Aim::AtMost(2.0)),
        Row::new(
            "lindy: patterns with a wrong segment",
            &subject,
            share(ours.wrong_patterns, ours.patterns),
            "%",
        )
        .against(baseline, share(without.wrong_patterns, without.patterns)),
        Row::new(
            "lindy: novel patterns reproduced at least once",
            &subject,
            ours.reproduced.len() as f64 / seeds as f64,
            "of 14",
        )
        .against(baseline, without.reproduced.len() as f64 / seeds as f64)
        .aim(Aim::AtLeast(13.5)),
        Row::new("lindy: wrong novel patterns", &subject, share(ours.wrong_novel, ours.novel), "%")
            .against(baseline, share(without.wrong_novel, without.novel)),
        Row::new(
            "lindy: wrong two-beat segments with a learnt metric",
            &subject,
            share(ours.wrong, ours.segments),
            "%",
        )
        .against("the plain metric", share(plain.wrong, plain.segments))
        .aim(Aim::AtMost(2.0)),
        Row::new(
            "lindy: wrong two-beat segments of other seeds",
            &subject,
            share(others.wrong, others.segments),
            "%",
        )
        .against("the plain metric", share(others_plain.wrong, others_plain.segments))
        .aim(Aim::AtMost(2.0)),
        Row::new(
            "lindy: timing error of segment starts, mean",
            &subject,
            1e3 * ours.timing_error_secs / ours.segments.max(1) as f64,
            "ms",
        )
        .against(baseline, 1e3 * without.timing_error_secs / without.segments.max(1) as f64),
    ])
}

/// The score of each request over all dances of some seeds.
fn scores<const N: usize>(seeds: Range<u64>, requests: &[FollowRequest; N]) -> Result<[Score; N], BoxError> {
    let mut scores: [Score; N] = std::array::from_fn(|_| Score::default());
    for seed in seeds {
        let settings = LindySettings { seed, rate_hz: 30.0, noise_mm: 5.0, ..LindySettings::default() };
        let corpus = ScratchCorpus::create()?;
        for dance in database(&settings)? {
            let cuts = dance.truth.labels().iter().map(|label| (label.start..label.end, label.name.clone()));
            corpus.add(&dance.take, &Contacts::default(), cuts)?;
        }
        for dance in tests(&settings)? {
            for (request, score) in requests.iter().zip(&mut scores) {
                let request =
                    FollowRequest { input: ControlInput::Take(dance.take.clone()), ..request.clone() };
                score.judge(seed, &transcribe::run(&request, corpus.context())?.entries, &dance);
            }
        }
    }
    Ok(scores)
}

impl Score {
    fn judge(&mut self, seed: u64, entries: &[TranscriptEntry], dance: &Example) {
        let rate_hz = dance.take.rate_hz();
        let mut wrong = Vec::new();
        for label in dance.truth.labels().iter().filter(|label| label.name.ends_with("/2")) {
            let middle = (label.start + label.end) as f64 / 2.0 / rate_hz;
            let at = entries.iter().find(|entry| entry.start_secs <= middle && middle < entry.end_secs);
            wrong.push(at.is_none_or(|entry| action(&entry.label) != action(&label.name)));
            self.timing_error_secs +=
                at.map_or(0.0, |entry| (entry.start_secs - label.start as f64 / rate_hz).abs());
        }
        self.segments += wrong.len();
        self.wrong += wrong.iter().filter(|wrong| **wrong).count();
        for (pattern, wrong) in patterns(&dance.truth).into_iter().zip(wrong.chunks_exact(4)) {
            let is_wrong = wrong.contains(&true);
            self.patterns += 1;
            self.wrong_patterns += usize::from(is_wrong);
            if NOVEL.contains(&pattern) {
                self.novel += 1;
                self.wrong_novel += usize::from(is_wrong);
                if !is_wrong {
                    self.reproduced.insert((seed, pattern));
                }
            }
        }
    }
}

/// What the follower does in the segment of a label, without the hands that hold.
fn action(label: &str) -> String {
    let words: Vec<&str> = label.split(' ').filter(|&word| word != "crosshand").collect();
    match words[..] {
        [from, turn, _, "1/2"] => format!("{from} {turn} 1/2"),
        _ => words.join(" "),
    }
}
