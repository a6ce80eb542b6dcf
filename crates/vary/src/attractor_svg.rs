//! Drawing the trajectories of original and variation as SVG.

use std::fmt::Write;

use crate::{Chunk, Itinerary, StatePoint};

/// Width and height of the picture in pixels.
const SIZE: (f64, f64) = (960.0, 760.0);
/// Left, top, width and height of the plot in pixels.
const PLOT: (f64, f64, f64, f64) = (40.0, 60.0, 880.0, 540.0);
/// Left, top and height of the bars below the plot in pixels.
const BARS: (f64, f64, f64) = (40.0, 640.0, 34.0);

/// Maximum number of points drawn per line.
const MAX_POINTS: usize = 6000;

/// Draws the reference trajectory ([`CellMap::points`](crate::CellMap::points)) and the trajectory of a
/// variation as SVG, with x to the right and z up. Two bars below show the original over time, and the chunks
/// of the variation in the colours of their positions in the original.
pub fn attractor_svg(reference: &[StatePoint], itinerary: &Itinerary, chunks: &[Chunk]) -> String {
    let elements = reference.len();
    let mut svg = String::new();
    let (width, height) = SIZE;
    // Writing to a string does not fail.
    let _ = write!(
        svg,
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' font-family='sans-serif' font-size='15' \
         fill='#333'><rect width='{width}' height='{height}' fill='#fdfcf9'/>"
    );
    let area = PlotArea::around(reference);
    line(&mut svg, &area, reference, "#c9c4b8", 1.0);
    let mut at = 0;
    for chunk in chunks {
        let end = (at + chunk.cells).min(itinerary.points.len());
        let points = itinerary.points.get(at..(end + 1).min(itinerary.points.len())).unwrap_or_default();
        line(&mut svg, &area, points, &colour(chunk.first + chunk.cells / 2, elements), 1.6);
        at = end;
    }
    for (points, fill, name) in
        [(reference, "#8a8577", "original"), (&itinerary.points, "#d1495b", "variation")]
    {
        if let Some((x, y)) = points.first().map(|point| area.to_pixels(*point)) {
            let _ = write!(
                svg,
                "<circle cx='{x:.1}' cy='{y:.1}' r='5' fill='{fill}'><title>{name}</title></circle>"
            );
        }
    }
    let _ = write!(
        svg,
        "<text x='{}' y='36'>Grey: original. Coloured: variation, by position in the original.</text>",
        PLOT.0
    );
    bar(&mut svg, "original", 0, std::iter::once(Chunk { first: 0, cells: elements }), elements, elements);
    let played = chunks.iter().map(|chunk| chunk.cells).sum();
    bar(&mut svg, "variation", 1, chunks.iter().copied(), played, elements);
    svg.push_str("</svg>\n");
    svg
}

/// Maps points to the plot.
struct PlotArea {
    low: (f64, f64),
    scale: (f64, f64),
}

impl PlotArea {
    fn around(points: &[StatePoint]) -> Self {
        let range = |axis: usize| {
            let coordinates = points.iter().filter_map(|point| point.get(axis));
            coordinates.fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(*x), high.max(*x)))
        };
        let ((x_low, x_high), (z_low, z_high)) = (range(0), range(2));
        let pixels_per_unit = |low: f64, high: f64, pixels: f64| pixels / (high - low).max(1e-9);
        let scale = (pixels_per_unit(x_low, x_high, PLOT.2), pixels_per_unit(z_low, z_high, PLOT.3));
        Self { low: (x_low, z_low), scale }
    }

    fn to_pixels(&self, [x, _, z]: StatePoint) -> (f64, f64) {
        let left = PLOT.0 + (x - self.low.0) * self.scale.0;
        (left, PLOT.1 + PLOT.3 - (z - self.low.1) * self.scale.1)
    }
}

fn line(svg: &mut String, area: &PlotArea, points: &[StatePoint], colour: &str, width: f64) {
    let step = points.len().div_ceil(MAX_POINTS).max(1);
    let _ = write!(svg, "<polyline fill='none' stroke='{colour}' stroke-width='{width}' points='");
    for point in points.iter().step_by(step) {
        let (x, y) = area.to_pixels(*point);
        let _ = write!(svg, "{x:.1},{y:.1} ");
    }
    svg.push_str("'/>");
}

/// Draws a bar of chunks, coloured by their positions in the original.
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
        let stripes = ((chunk.cells as f64 * scale / 6.0).ceil() as usize).clamp(1, 160);
        for stripe in 0..stripes {
            let offset = stripe as f64 / stripes as f64 * chunk.cells as f64;
            let x = left + (at as f64 + offset) * scale;
            let colour = colour(chunk.first + offset as usize, elements);
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

/// Returns the colour of a position in the original.
fn colour(element: usize, elements: usize) -> String {
    let hue = 300.0 * element as f64 / elements.max(1) as f64;
    format!("hsl({hue:.0},65%,48%)")
}
