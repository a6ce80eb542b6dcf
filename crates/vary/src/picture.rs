//! A picture of an attractor with two ways around it.

use std::fmt::Write;

use crate::{Chunk, Point, Variation, Wrapped};

/// Width and height of the picture, of the plot in it, and of the bars below, in pixels.
const SIZE: (f64, f64) = (960.0, 760.0);
const PLOT: (f64, f64, f64, f64) = (40.0, 60.0, 880.0, 540.0);
const BARS: (f64, f64, f64) = (40.0, 640.0, 34.0);

/// At most so many points are drawn of each line.
const MOST_POINTS: usize = 6000;

/// Draws the reference trajectory and a variation's on the attractor, x across and z up, as SVG. Below it, the original as a bar
/// of colours along its time, and what the variation plays, in the colours of where it comes from.
pub fn picture(wrapped: &Wrapped, variation: &Variation, chunks: &[Chunk]) -> String {
    let elements = wrapped.points().len();
    let mut svg = String::new();
    let (width, height) = SIZE;
    // Writing to a string does not fail.
    let _ = write!(
        svg,
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' font-family='sans-serif' font-size='15' \
         fill='#333'><rect width='{width}' height='{height}' fill='#fdfcf9'/>"
    );
    let frame = Frame::around(wrapped.points());
    line(&mut svg, &frame, wrapped.points(), "#c9c4b8", 1.0);
    let mut at = 0;
    for chunk in chunks {
        let end = (at + chunk.cells).min(variation.points.len());
        let points = variation.points.get(at..(end + 1).min(variation.points.len())).unwrap_or_default();
        line(&mut svg, &frame, points, &colour(chunk.first + chunk.cells / 2, elements), 1.6);
        at = end;
    }
    for (points, fill, name) in
        [(wrapped.points(), "#8a8577", "original"), (&variation.points, "#d1495b", "variation")]
    {
        if let Some((x, y)) = points.first().map(|point| frame.place(*point)) {
            let _ = write!(
                svg,
                "<circle cx='{x:.1}' cy='{y:.1}' r='5' fill='{fill}'><title>{name}</title></circle>"
            );
        }
    }
    let _ = write!(
        svg,
        "<text x='{}' y='36'>Grey: the original. Coloured: the variation, by what it plays.</text>",
        PLOT.0
    );
    bar(&mut svg, "original", 0, std::iter::once(Chunk { first: 0, cells: elements }), elements, elements);
    let played = chunks.iter().map(|chunk| chunk.cells).sum();
    bar(&mut svg, "variation", 1, chunks.iter().copied(), played, elements);
    svg.push_str("</svg>\n");
    svg
}

/// Where points are in the plot.
struct Frame {
    low: (f64, f64),
    scale: (f64, f64),
}

impl Frame {
    fn around(points: &[Point]) -> Self {
        let range = |axis: usize| {
            let of = points.iter().filter_map(|point| point.get(axis));
            of.fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(*x), high.max(*x)))
        };
        let ((x_low, x_high), (z_low, z_high)) = (range(0), range(2));
        let span = |low: f64, high: f64, room: f64| room / (high - low).max(1e-9);
        let scale = (span(x_low, x_high, PLOT.2), span(z_low, z_high, PLOT.3));
        Self { low: (x_low, z_low), scale }
    }

    fn place(&self, [x, _, z]: Point) -> (f64, f64) {
        let across = PLOT.0 + (x - self.low.0) * self.scale.0;
        (across, PLOT.1 + PLOT.3 - (z - self.low.1) * self.scale.1)
    }
}

fn line(svg: &mut String, frame: &Frame, points: &[Point], colour: &str, width: f64) {
    let step = points.len().div_ceil(MOST_POINTS).max(1);
    let _ = write!(svg, "<polyline fill='none' stroke='{colour}' stroke-width='{width}' points='");
    for point in points.iter().step_by(step) {
        let (x, y) = frame.place(*point);
        let _ = write!(svg, "{x:.1},{y:.1} ");
    }
    svg.push_str("'/>");
}

/// A bar of chunks, each coloured from where it starts to where it ends in the original.
fn bar(
    svg: &mut String,
    name: &str,
    row: usize,
    chunks: impl Iterator<Item = Chunk>,
    played: usize,
    elements: usize,
) {
    let (left, top, height) = BARS;
    let top = top + row as f64 * (height + 18.0);
    let scale = PLOT.2 / played.max(1) as f64;
    let _ = write!(svg, "<text x='{left}' y='{:.1}'>{name}</text>", top - 4.0);
    let mut at = 0;
    for chunk in chunks {
        // Colours change along a chunk in a few steps.
        let stripes = ((chunk.cells as f64 * scale / 6.0).ceil() as usize).clamp(1, 160);
        for stripe in 0..stripes {
            let share = |k: usize| k as f64 / stripes as f64 * chunk.cells as f64;
            let x = left + (at as f64 + share(stripe)) * scale;
            let colour = colour(chunk.first + share(stripe) as usize, elements);
            let width = chunk.cells as f64 / stripes as f64 * scale + 0.3;
            let _ = write!(
                svg,
                "<rect x='{x:.2}' y='{top}' width='{width:.2}' height='{height}' fill='{colour}'/>"
            );
        }
        at += chunk.cells;
        let x = left + at as f64 * scale;
        let _ = write!(svg, "<path d='M{x:.2} {top}v{height}' stroke='#fdfcf9' stroke-width='1'/>");
    }
}

/// A colour for a place in the original.
fn colour(element: usize, elements: usize) -> String {
    let hue = 300.0 * element as f64 / elements.max(1) as f64;
    format!("hsl({hue:.0},65%,48%)")
}
