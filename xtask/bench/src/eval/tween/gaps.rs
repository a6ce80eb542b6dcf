//! Filling gaps in captured motion that was not learned from.
//!
//! The published protocol: gaps of 5 to 45 frames at 30 Hz, ten frames before and the target frame are known. Each take of the half is
//! held out in turn; all other takes of its person are learned from. Half of the rows ask what a sibling take is worth: a gap has one if
//! another take has a part that is like it as a whole.

use marey_measure::tween::{TweenScores, tween as scores};
use marey_motion::{Clip, ClipParts, MotionError, Observer};
use marey_plan::Seed;
use marey_tween::{
    EndPlace, GapExample, GapModel, GapSettings, MotionStyle, NearSettings, StyleSettings, TweenSettings,
    tween,
};
use rand::RngExt;

use super::captured_sets::{CapturedSet, RATE_HZ, captured_sets};
use super::siblings::has_sibling;
use super::slerp::slerp;
use crate::BoxError;
use crate::args::Args;
use crate::data;
use crate::row::{Aim, Row};

/// Lengths of the gaps in frames, with the largest ratios of L2P and NPSS to those of spherical interpolation.
const GAPS: [(usize, Option<[f64; 2]>); 4] =
    [(5, Some([0.40, 0.65])), (15, Some([0.45, 0.50])), (30, Some([0.50, 0.55])), (45, None)];
/// Number of gaps of each length and set.
const GAPS_EACH: usize = 48;
/// The paper's search is slow, so it fills every so manieth gap.
const STYLE_EVERY: usize = 4;
/// Frames that are known before a gap.
const BEFORE: usize = 10;
/// Frames after the target frame that are known in some rows.
const AFTER: usize = 10;

/// The ways to fill a gap, in the order of [`Contestants::fill`].
const METHODS: [&str; 7] = [
    "near",
    "near, frames after known",
    "zero velocity",
    "inertialised slerp",
    "nearest example",
    "style",
    "slerp",
];
const SLERP: usize = 6;
const STYLE: usize = 5;

/// Everything that was learned without one take.
struct Contestants {
    near: GapModel,
    nearest: GapModel,
    /// Has seen nothing, so it only interpolates.
    inertialised: GapModel,
    style: Option<MotionStyle>,
}

impl Contestants {
    fn learn(set: &CapturedSet, held_out: usize, with_style: bool) -> Result<Self, BoxError> {
        let others = || set.takes.iter().enumerate().filter(|(take, _)| *take != held_out);
        let examples: Vec<GapExample> =
            others().map(|(take, (clip, _))| GapExample { clip: clip.clone(), take }).collect();
        let learn = |examples: &[GapExample], settings: NearSettings, known| {
            GapModel::learn(examples, &settings, known, Observer::ignore())
        };
        let near = learn(&examples, NearSettings::default(), None)?;
        let unplanted = NearSettings { neighbours: 1, plants_feet: false, ..NearSettings::default() };
        let one_frame = GapExample { clip: examples[0].clip.slice(0..1)?, take: 0 };
        let style = if with_style {
            let clips: Vec<Clip> = others().map(|(_, (clip, _))| clip.clone()).collect();
            let settings = StyleSettings { max_pose_error_rad: 3.2, ..StyleSettings::default() };
            Some(MotionStyle::learn(&clips, &settings)?)
        } else {
            None
        };
        Ok(Self {
            nearest: learn(&examples, unplanted, Some(near.calibration()))?,
            inertialised: learn(&[one_frame], unplanted, None)?,
            near,
            style,
        })
    }

    /// The gap from `start` to `end`, filled by each method; `None` if a method has no answer or is not asked.
    fn fill(
        &self,
        clip: &Clip,
        start: usize,
        end: usize,
        asks_style: bool,
    ) -> Result<Vec<Option<Clip>>, BoxError> {
        let before = clip.slice(start + 1 - BEFORE..start + 1)?;
        let target = clip.slice(end..end + 1)?;
        let after = clip.slice(end..(end + AFTER + 1).min(clip.frames()))?;
        let frames = end - start + 1;
        let settings = GapSettings { rate_hz: RATE_HZ, frames: Some(frames), end: EndPlace::AsGiven };
        let fill = |model: &GapModel, to: &Clip| model.fill((&before, BEFORE - 1), (to, 0), &settings);
        let style = self.style.as_ref().filter(|_| asks_style).and_then(|style| {
            let frames = Some(frames);
            let settings = TweenSettings {
                rate_hz: RATE_HZ,
                frames,
                keeps_end_position: true,
                ..TweenSettings::default()
            };
            tween(style, (&before, BEFORE - 1), (&target, 0), &settings).ok().map(|found| found.clip)
        });
        Ok(vec![
            Some(fill(&self.near, &target)?.clip),
            Some(fill(&self.near, &after)?.clip),
            Some(held(clip, start, frames)?),
            Some(fill(&self.inertialised, &target)?.clip),
            Some(fill(&self.nearest, &target)?.clip),
            style,
            Some(slerp(clip, clip.pose(start), clip.pose(end), frames)?),
        ])
    }
}

/// The pose of a frame for several frames.
fn held(clip: &Clip, frame: usize, frames: usize) -> Result<Clip, MotionError> {
    let mut parts = ClipParts::default();
    (0..frames).for_each(|_| parts.push(clip.pose(frame)));
    Clip::new(clip.skeleton().clone(), clip.rate_hz(), parts)
}

/// Sums of scores of several gaps.
#[derive(Default, Clone, Copy)]
struct ScoreSum {
    count: usize,
    sums: [f64; 3],
}

impl ScoreSum {
    fn add(&mut self, TweenScores { l2p, l2q, npss }: TweenScores) {
        self.count += 1;
        self.sums.iter_mut().zip([l2p, l2q, npss]).for_each(|(sum, score)| *sum += score);
    }

    fn mean(&self, score: usize) -> f64 {
        self.sums[score] / self.count.max(1) as f64
    }
}

/// The scores of one set and length.
struct SetScores {
    set: &'static str,
    /// For each method, over all gaps it filled; and those of slerp over the same gaps.
    methods: Vec<[ScoreSum; 2]>,
    /// Near and slerp, over gaps with a sibling and gaps without.
    siblings: [[ScoreSum; 2]; 2],
    style_asked: usize,
}

pub(super) fn rows(args: &Args) -> Result<Vec<Row>, BoxError> {
    let Some(folder) = data::captured(args, "") else { return Ok(Vec::new()) };
    let sets = captured_sets(&folder)?;
    let mut learned = Vec::new();
    for set in &sets {
        let tests: Vec<usize> = (0..set.takes.len()).filter(|take| set.takes[*take].1 == args.half).collect();
        let contestants: Result<Vec<Contestants>, BoxError> =
            tests.iter().map(|take| Contestants::learn(set, *take, !args.quick)).collect();
        learned.push((set, tests, contestants?));
    }
    let mut rows = Vec::new();
    for (gap, aims) in GAPS {
        let all = learned
            .iter()
            .map(|(set, tests, contestants)| scores_of_set(set, tests, contestants, gap, args))
            .collect::<Result<Vec<SetScores>, BoxError>>()?;
        rows.extend(rows_of_length(gap, aims, &all));
    }
    Ok(rows.into_iter().map(|row| row.of_half(args.half)).collect())
}

fn scores_of_set(
    set: &CapturedSet,
    tests: &[usize],
    contestants: &[Contestants],
    gap: usize,
    args: &Args,
) -> Result<SetScores, BoxError> {
    let mut rng = Seed(args.seed).rng(gap as u64);
    let mut found = SetScores {
        set: set.name,
        methods: vec![Default::default(); METHODS.len()],
        siblings: Default::default(),
        style_asked: 0,
    };
    for number in 0..if args.quick { GAPS_EACH / 4 } else { GAPS_EACH } {
        let which = rng.random_range(0..tests.len());
        let clip = &set.takes[tests[which]].0;
        if clip.frames() < BEFORE + gap + 3 {
            continue;
        }
        let start = rng.random_range(BEFORE - 1..clip.frames() - gap - 2);
        let end = start + gap + 1;
        let truth = clip.slice(start + 1..end)?;
        let asks_style = number % STYLE_EVERY == 0 && contestants[which].style.is_some();
        found.style_asked += usize::from(asks_style);
        let filled = contestants[which].fill(clip, start, end, asks_style)?;
        let score = |clip: &Clip| -> Result<TweenScores, BoxError> {
            Ok(scores(&clip.slice(1..gap + 1)?, &truth, None)?)
        };
        let scored = filled
            .iter()
            .map(|clip| clip.as_ref().map(score).transpose())
            .collect::<Result<Vec<Option<TweenScores>>, BoxError>>()?;
        let Some(slerp) = scored[SLERP] else { continue };
        for (sums, score) in found.methods.iter_mut().zip(&scored) {
            if let Some(score) = score {
                sums[0].add(*score);
                sums[1].add(slerp);
            }
        }
        let others =
            set.takes.iter().enumerate().filter(|(take, _)| *take != tests[which]).map(|(_, (clip, _))| clip);
        let sibling = usize::from(!has_sibling(&clip.slice(start..end + 1)?, others)?);
        if let Some(near) = scored[0] {
            found.siblings[sibling][0].add(near);
            found.siblings[sibling][1].add(slerp);
        }
    }
    Ok(found)
}

fn rows_of_length(gap: usize, aims: Option<[f64; 2]>, all: &[SetScores]) -> Vec<Row> {
    let mut rows = Vec::new();
    let names = ["L2P", "L2Q", "NPSS"];
    let subject = |what: &str| format!("{what}, gaps of {gap} frames");
    let mean_subject = subject("geometric mean of the sets");
    // The style mode is not asked in quick runs.
    let was_asked = |method: usize| all.iter().any(|set| set.methods[method][0].count > 0);
    for (method, name) in
        METHODS.iter().enumerate().filter(|(method, _)| *method != SLERP && was_asked(*method))
    {
        for (score, score_name) in names.into_iter().enumerate() {
            let of = |which: usize| {
                let values = all.iter().map(|set| set.methods[method][which]).filter(|sum| sum.count > 0);
                geometric_mean(values.map(|sum| sum.mean(score)))
            };
            let row = Row::new(&format!("tween: {score_name}, {name}"), &mean_subject, of(0), "")
                .against("slerp", of(1));
            let aim =
                aims.and_then(|aims| [Some(aims[0]), None, Some(aims[1])][score]).filter(|_| method == 0);
            rows.push(match aim {
                Some(aim) => row.aim(Aim::RatioAtMost(aim)),
                None => row,
            });
        }
    }
    for set in all {
        for score in [0, 2] {
            let [near, slerp] = set.methods[0].map(|sum| sum.mean(score));
            let name = format!("tween: {}, near", names[score]);
            rows.push(
                Row::new(&name, subject(set.set), near, "")
                    .against("slerp", slerp)
                    .aim(Aim::RatioAtMost(1.0)),
            );
        }
    }
    for (index, what) in ["with a sibling take", "without a sibling take"].into_iter().enumerate() {
        let of = |which: usize| {
            let values = all.iter().map(|set| set.siblings[index][which]).filter(|sum| sum.count > 0);
            geometric_mean(values.map(|sum| sum.mean(0)))
        };
        rows.push(Row::new("tween: L2P, near", subject(what), of(0), "").against("slerp", of(1)));
    }
    let answered: usize = all.iter().map(|set| set.methods[0][0].count).sum();
    let asked: usize = all.iter().map(|set| set.methods[SLERP][0].count).sum();
    let share = |answered: usize, asked: usize| answered as f64 / asked.max(1) as f64;
    rows.push(
        Row::new("tween: gaps answered, near", &mean_subject, share(answered, asked), "share")
            .aim(Aim::AtLeast(1.0)),
    );
    let style = all.iter().map(|set| set.methods[STYLE][0].count).sum();
    let style_asked: usize = all.iter().map(|set| set.style_asked).sum();
    if style_asked > 0 {
        rows.push(Row::new("tween: gaps answered, style", &mean_subject, share(style, style_asked), "share"));
    }
    rows
}

fn geometric_mean(values: impl Iterator<Item = f64>) -> f64 {
    let logs: Vec<f64> = values.map(|value| value.max(1e-9).ln()).collect();
    (logs.iter().sum::<f64>() / logs.len().max(1) as f64).exp()
}
