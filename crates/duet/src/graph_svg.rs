//! Draws a coupled movement transition graph as SVG.

use std::fmt::Write;

use crate::{DuetModel, InteractionKind};

/// Width and height of the image, in pixels.
const SIZE: (f64, f64) = (1200.0, 760.0);
/// Centres and radius of the two circles of groups.
const CENTRES: [(f64, f64); 2] = [(320.0, 400.0), (880.0, 400.0)];
const RADIUS: f64 = 250.0;
/// Transitions with a lower probability are not drawn.
const MIN_TRANSITION: f64 = 0.06;
/// Cross edges with a lower probability are not drawn, since there are many.
const MIN_CROSS: f64 = 0.2;

/// Returns an SVG image of the model. Each person's groups form a circle; larger dots have more
/// movements. Arrows are transitions, wider if more likely. Thin lines between the circles are
/// cross edges.
pub fn graph_to_svg(model: &DuetModel) -> String {
    let (width, height) = SIZE;
    let mut svg = String::new();
    // Writing to a string cannot fail.
    let _ = write!(
        svg,
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' font-family='sans-serif' font-size='13' \
         fill='#333'><rect width='{width}' height='{height}' fill='#fdfcf9'/><defs><marker id='a' viewBox='0 0 8 8' \
         refX='7' refY='4' markerWidth='5' markerHeight='5' orient='auto'><path d='M0 0L8 4L0 8z' fill='#6b6659'/>\
         </marker></defs>"
    );
    for (person, cross) in model.cross.iter().enumerate() {
        for (from, row) in cross.iter().enumerate() {
            for (to, &probability) in row.iter().enumerate().filter(|(_, p)| **p >= MIN_CROSS) {
                let (a, b) = (position(model, person, from), position(model, 1 - person, to));
                let _ = write!(
                    svg,
                    "<line x1='{:.1}' y1='{:.1}' x2='{:.1}' y2='{:.1}' stroke='#b8b2a3' stroke-width='0.6' \
                     stroke-opacity='{:.2}'/>",
                    a.0,
                    a.1,
                    b.0,
                    b.1,
                    probability.min(1.0)
                );
            }
        }
    }
    for (person, graph) in model.people.iter().enumerate() {
        for (from, row) in graph.transitions.iter().enumerate() {
            for (to, &probability) in
                row.iter().enumerate().filter(|(to, p)| **p >= MIN_TRANSITION && *to != from)
            {
                arrow(&mut svg, model, person, [from, to], probability);
            }
        }
        for (group, state) in graph.states.iter().enumerate() {
            let (x, y) = position(model, person, group);
            let repeat = graph.transitions[group][group];
            let _ = write!(
                svg,
                "<circle cx='{x:.1}' cy='{y:.1}' r='{:.1}' fill='{}' stroke='#333' stroke-width='{:.1}'><title>{} \
                 movements; repeats with probability {repeat:.2}</title></circle><text x='{x:.1}' y='{:.1}' \
                 text-anchor='middle' fill='#fff'>{}</text>",
                size(state.movements),
                colour(state.kind),
                0.5 + 3.0 * repeat,
                state.movements,
                y + 4.5,
                group + 1
            );
        }
        let (x, _) = CENTRES[person];
        let _ = write!(
            svg,
            "<text x='{x}' y='70' text-anchor='middle' font-size='20'>{}</text>",
            escape_xml(&graph.name)
        );
    }
    for (index, (kind, name)) in [
        (InteractionKind::Normal, "no contact"),
        (InteractionKind::Offensive, "strikes"),
        (InteractionKind::Defensive, "is struck"),
    ]
    .into_iter()
    .enumerate()
    {
        let x = 40.0 + 150.0 * index as f64;
        let _ = write!(
            svg,
            "<circle cx='{x}' cy='28' r='7' fill='{}'/><text x='{}' y='33'>{name}</text>",
            colour(kind),
            x + 14.0
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// Returns the position of a group on its person's circle, starting at the top.
fn position(model: &DuetModel, person: usize, group: usize) -> (f64, f64) {
    let fraction = group as f64 / model.people[person].states.len().max(1) as f64;
    let (sin, cos) = (std::f64::consts::TAU * fraction).sin_cos();
    let (x, y) = CENTRES[person];
    (x + RADIUS * sin, y - RADIUS * cos)
}

fn size(movements: usize) -> f64 {
    10.0 + 2.0 * (movements as f64).sqrt()
}

/// Draws an arrow between two groups, curved so that both directions are visible.
fn arrow(svg: &mut String, model: &DuetModel, person: usize, [from, to]: [usize; 2], probability: f64) {
    let (a, b) = (position(model, person, from), position(model, person, to));
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let length = dx.hypot(dy).max(1.0);
    let end = size(model.people[person].states[to].movements) + 2.0;
    let tip = (b.0 - dx / length * end, b.1 - dy / length * end);
    let control = (0.5 * (a.0 + b.0) - 0.12 * dy, 0.5 * (a.1 + b.1) + 0.12 * dx);
    let _ = write!(
        svg,
        "<path d='M{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}' fill='none' stroke='#6b6659' stroke-opacity='{:.2}' \
         stroke-width='{:.1}' marker-end='url(#a)'/>",
        a.0,
        a.1,
        control.0,
        control.1,
        tip.0,
        tip.1,
        0.25 + 0.6 * probability,
        0.5 + 4.0 * probability
    );
}

fn colour(kind: InteractionKind) -> &'static str {
    match kind {
        InteractionKind::Normal => "#4a7c8c",
        InteractionKind::Offensive => "#c8553d",
        InteractionKind::Defensive => "#7d5ba6",
    }
}

fn escape_xml(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('\'', "&apos;")
}
