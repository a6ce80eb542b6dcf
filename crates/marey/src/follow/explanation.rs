//! Why segments were chosen, as text and as a page with pictures.

use std::fmt::Write;

use super::{Instance, Interpretation, LearntMetric, Mapping};
use crate::motion::{PointClip, Role, Vec3};
use crate::plan::{Candidate, Choice, Trace};

/// The candidates of each choice, with their costs and pictures.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Explanation {
    /// How controls were compared, in a sentence.
    metric: String,
    choices: Vec<ExplainedChoice>,
}

/// A choice, and the time that it is for.
#[derive(Debug, Clone, PartialEq)]
struct ExplainedChoice {
    start_secs: f64,
    end_secs: f64,
    taken: usize,
    candidates: Vec<ExplainedCandidate>,
}

#[derive(Debug, Clone, PartialEq)]
struct ExplainedCandidate {
    candidate: Candidate,
    /// Where the segment begins in its take, in seconds.
    from_secs: f64,
    /// The control from above and the target from the side, as SVG.
    picture: String,
}

impl Explanation {
    pub(super) fn new(
        interpretation: &Interpretation,
        trace: &Trace,
        mapping: &Mapping,
        metric: Option<&LearntMetric>,
    ) -> Self {
        let metric = match metric {
            Some(LearntMetric { classes, error_m, plain_error_m, .. }) => format!(
                "Controls are compared by a metric that was learnt from {}: targets of other takes are predicted to \
                 {:.1} cm, with plain distances to {:.1} cm.",
                classes.description(),
                100.0 * error_m,
                100.0 * plain_error_m
            ),
            None => "Controls are compared by plain distances.".to_owned(),
        };
        let explain = |(choice, piece): (&Choice, &super::Piece)| {
            let secs = |frame: usize| frame as f64 / interpretation.rate_hz;
            let candidate = |candidate: &Candidate| explained_candidate(candidate, mapping);
            ExplainedChoice {
                start_secs: secs(piece.start),
                end_secs: secs(piece.start + piece.frames),
                taken: choice.taken,
                candidates: choice.candidates.iter().map(candidate).collect(),
            }
        };
        let choices = trace.choices.iter().zip(&interpretation.pieces).map(explain).collect();
        Self { metric, choices }
    }

    /// A paragraph for each choice: the candidates, best first, with their costs in square metres. An asterisk marks the one that
    /// was taken.
    pub fn to_text(&self) -> String {
        let mut text = format!("{}\n", self.metric);
        for choice in &self.choices {
            let _ = writeln!(text, "\n{:.2} to {:.2} s", choice.start_secs, choice.end_secs);
            for (number, candidate) in choice.candidates.iter().enumerate() {
                let mark = if number == choice.taken { '*' } else { ' ' };
                let costs = candidate.candidate.cost.iter();
                let costs: Vec<String> = costs.map(|(name, cost)| format!("{name} {cost:.4}")).collect();
                let total = candidate.candidate.total_cost();
                let _ = writeln!(text, "{mark} {total:.4} m²  {}: {}", candidate.title(), costs.join(", "));
            }
        }
        text
    }

    /// A page for a browser, without other files: each candidate with its costs as bars and a picture.
    pub fn to_html(&self) -> String {
        let mut page = String::from(HEAD);
        let _ = write!(page, "<h1>Why these segments</h1><p>{}</p>", escaped(&self.metric));
        for choice in &self.choices {
            let _ = write!(page, "<h2>{:.2} to {:.2} s</h2>", choice.start_secs, choice.end_secs);
            let totals = choice.candidates.iter().map(|one| one.candidate.total_cost());
            let largest = totals.fold(f64::MIN_POSITIVE, f64::max);
            for (number, one) in choice.candidates.iter().enumerate() {
                let class = if number == choice.taken { "taken" } else { "other" };
                let title = escaped(&one.title());
                let total = one.candidate.total_cost();
                let _ = write!(page, "<div class={class}>{}<p>{title}: {total:.4} m²</p>", one.picture);
                for (color, (name, cost)) in one.candidate.cost.iter().enumerate() {
                    let share = 100.0 * cost.max(0.0) / largest;
                    let hue = 47 * color % 360;
                    let name = escaped(name);
                    let _ = write!(
                        page,
                        "<i style='width:{share:.1}%;background:hsl({hue} 60% 60%)' title='{name}'></i>\
                         <small>{name} {cost:.4}</small>"
                    );
                }
                page.push_str("</div>");
            }
        }
        page.push_str("</body></html>\n");
        page
    }
}

impl ExplainedCandidate {
    fn title(&self) -> String {
        let Candidate { source, label, .. } = &self.candidate;
        format!("{label} of {} at {:.2} s", source.take, self.from_secs)
    }
}

const HEAD: &str = "<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>Why these segments</title><style>\
body{font:14px sans-serif;margin:2em;max-width:60em}div{border-left:4px solid #ccc;padding:0 1em;margin:.5em 0;overflow:hidden}\
.taken{border-color:#06c}svg{float:right}i{display:block;height:.5em}small{display:block;color:#555}p{margin:.3em 0}\
</style></head><body>";

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('\'', "&#39;").replace('"', "&quot;")
}

fn explained_candidate(candidate: &Candidate, mapping: &Mapping) -> ExplainedCandidate {
    let is_here = |instance: &&Instance| {
        mapping.examples().get(instance.example).is_some_and(|example| example.source == candidate.source)
            && instance.label == candidate.label
            && (instance.frames.start..instance.frames.end).contains(&candidate.from_frame)
    };
    let instance = mapping.instances().iter().find(is_here);
    let found = instance.and_then(|instance| Some((instance, mapping.examples().get(instance.example)?)));
    let Some((instance, example)) = found else {
        return ExplainedCandidate { candidate: candidate.clone(), from_secs: 0.0, picture: String::new() };
    };
    let frames = candidate.from_frame..instance.frames.end.min(example.target.frames());
    let from_secs = candidate.from_frame as f64 / example.target.rate_hz();
    let (control, target) = (from_above(&example.control, frames.clone()), figures(&example.target, frames));
    let picture = format!(
        "<svg width=360 height=110 viewBox='0 0 360 110' fill=none stroke-width=2>{control}{target}</svg>"
    );
    ExplainedCandidate { candidate: candidate.clone(), from_secs, picture }
}

/// Pixels per metre.
const SCALE: f32 = 50.0;

/// The paths of all points over some frames, as seen from above, around their middle.
fn from_above(clip: &PointClip, frames: std::ops::Range<usize>) -> String {
    let all: Vec<Vec3> = frames.clone().flat_map(|frame| clip.frame(frame).iter().copied()).collect();
    let middle = all.iter().sum::<Vec3>() / all.len().max(1) as f32;
    let mut drawn = String::new();
    for point in 0..clip.labels().len() {
        let at = |frame: usize| {
            let p = (*clip.frame(frame).get(point)? - middle) * SCALE;
            Some(format!("{:.1},{:.1}", 55.0 + p.x, 55.0 + p.z))
        };
        let path: Vec<String> = frames.clone().filter_map(at).collect();
        let hue = 47 * point % 360;
        let _ = write!(drawn, "<polyline stroke='hsl({hue} 60% 50%)' points='{}'/>", path.join(" "));
    }
    drawn
}

/// The limbs of a figure, between points.
const LIMBS: [(Role, Role); 7] = [
    (Role::Hips, Role::LeftFoot),
    (Role::Hips, Role::RightFoot),
    (Role::Hips, Role::LeftUpperArm),
    (Role::Hips, Role::RightUpperArm),
    (Role::LeftUpperArm, Role::RightUpperArm),
    (Role::LeftUpperArm, Role::LeftHand),
    (Role::RightUpperArm, Role::RightHand),
];

/// A figure at the start, in the middle and at the end of some frames, as seen from its side.
fn figures(clip: &PointClip, frames: std::ops::Range<usize>) -> String {
    let point = |frame: usize, role: Role| {
        let index = clip.labels().iter().position(|label| label == role.name())?;
        clip.get(frame, index)
    };
    let side = |frame: usize| {
        let across = point(frame, Role::LeftUpperArm)? - point(frame, Role::RightUpperArm)?;
        across.with_y(0.0).try_normalize()
    };
    let left = side(frames.start).unwrap_or(Vec3::X);
    let ahead = left.cross(Vec3::Y);
    let along = 0.8 * ahead + 0.6 * left;
    let last = frames.end.saturating_sub(1).max(frames.start);
    let mut drawn = String::new();
    for (number, frame) in [frames.start, (frames.start + last) / 2, last].into_iter().enumerate() {
        let Some(hips) = point(frame, Role::Hips) else { continue };
        let middle = 150.0 + 80.0 * number as f32;
        for (one, other) in LIMBS {
            let (Some(a), Some(b)) = (point(frame, one), point(frame, other)) else { continue };
            let at = |p: Vec3| (middle + SCALE * (p - hips).dot(along), 105.0 - SCALE * p.y);
            let ((ax, ay), (bx, by)) = (at(a), at(b));
            let is_left = other.name().starts_with("Left");
            let color = if is_left { "#0072b2" } else { "#d55e00" };
            let _ = write!(drawn, "<path stroke='{color}' d='M{ax:.1} {ay:.1}L{bx:.1} {by:.1}'/>");
        }
    }
    drawn
}
