//! Plots of results, as SVG.

use crate::{ConditionSummary, Interval, ScaleResult};

/// Colours of conditions, after Okabe and Ito (2008): distinguishable for colour-blind readers.
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
const WIDTH: f64 = 720.0;
const LEFT: f64 = 215.0;
const RIGHT: f64 = 40.0;
const ROW: f64 = 46.0;

/// The colour of a condition.
pub(crate) fn colour(index: usize) -> &'static str {
    COLOURS.get(index % COLOURS.len()).copied().unwrap_or("#000")
}

/// Text in HTML and SVG.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn svg(height: f64, label: &str, body: &str) -> String {
    let label = escaped(label);
    format!(
        "<svg viewBox=\"0 0 {WIDTH} {height:.0}\" role=\"img\" aria-label=\"{label}\" font-size=\"13\">\n{body}</svg>\n"
    )
}

/// Where a value is on the horizontal axis.
fn across(value: f64, low: f64, high: f64) -> f64 {
    LEFT + (WIDTH - LEFT - RIGHT) * ((value - low) / (high - low)).clamp(0.0, 1.0)
}

fn axis(low: f64, high: f64, ticks: &[(f64, String)], bottom: f64) -> String {
    let mut svg = String::new();
    for (value, label) in ticks {
        let x = across(*value, low, high);
        svg += &format!(
            "<line x1=\"{x:.1}\" y1=\"8\" x2=\"{x:.1}\" y2=\"{bottom:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#555\">{}</text>\n",
            bottom + 17.0,
            escaped(label)
        );
    }
    svg
}

fn row_label(name: &str, y: f64, index: usize) -> String {
    // Longer names would leave the picture.
    let short: String =
        if name.chars().count() > 30 { name.chars().take(29).chain(['…']).collect() } else { name.into() };
    format!(
        "<text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"{}\">{}</text>\n",
        LEFT - 14.0,
        y + 4.0,
        colour(index),
        escaped(&short)
    )
}

/// The means of conditions on a scale, with a dot for each clip and, above, how often each point was given.
pub(crate) fn scale(result: &ScaleResult) -> String {
    let points = result.conditions.iter().map(|condition| condition.counts.len()).max().unwrap_or(5).max(2);
    let (low, high) = (0.5, points as f64 + 0.5);
    let bottom = 12.0 + ROW * 1.4 * result.conditions.len() as f64;
    let [low_end, high_end] = &result.ends;
    let ticks: Vec<(f64, String)> = (1..=points)
        .map(|point| {
            let label = match point {
                1 => format!("1 {low_end}"),
                _ if point == points => format!("{point} {high_end}"),
                _ => point.to_string(),
            };
            (point as f64, label)
        })
        .collect();
    let mut body = axis(low, high, &ticks, bottom);
    let step = across(2.0, low, high) - across(1.0, low, high);
    let share = |condition: &ConditionSummary, count: usize| {
        count as f64 / condition.counts.iter().sum::<usize>().max(1) as f64
    };
    let shares = result.conditions.iter().flat_map(|c| c.counts.iter().map(move |count| share(c, *count)));
    let most = shares.fold(0.01, f64::max);
    for (index, condition) in result.conditions.iter().enumerate() {
        let y = 12.0 + ROW * 1.4 * (index as f64 + 0.72);
        body += &row_label(&condition.name, y, index);
        for (point, count) in condition.counts.iter().enumerate() {
            let height = 0.9 * ROW * share(condition, *count) / most;
            let x = across(point as f64 + 1.0, low, high) - 0.36 * step;
            body += &format!(
                "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\" fill=\"{}\" opacity=\"0.22\">\
                 <title>{} × {}</title></rect>\n",
                y - height,
                0.72 * step,
                colour(index),
                count,
                point + 1
            );
        }
        for (name, mean) in &condition.clips {
            body += &format!(
                "<circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{}\" opacity=\"0.6\"><title>{} {mean:.2}</title></circle>\n",
                across(*mean, low, high),
                colour(index),
                escaped(name)
            );
        }
        let x = across(condition.mean, low, high);
        body += &format!(
            "<path d=\"M{x:.1} {:.1}l7 7-7 7-7-7z\" fill=\"{}\" stroke=\"#fff\"><title>mean {:.2}</title></path>\n",
            y - 7.0,
            colour(index),
            condition.mean
        );
    }
    svg(bottom + 28.0, &format!("Ratings of {}", result.name), &body)
}

/// Values with confidence intervals, one a row, and a line at the value without an effect.
pub(crate) fn forest(
    rows: &[(String, f64, Interval)],
    low: f64,
    high: f64,
    neutral: f64,
    is_share: bool,
) -> String {
    let bottom = 12.0 + ROW * rows.len() as f64;
    let ticks: Vec<(f64, String)> = (0..=4)
        .map(|tick| {
            let value = low + (high - low) * f64::from(tick) / 4.0;
            (value, if is_share { format!("{:.0} %", 100.0 * value) } else { format!("{value:+.2}") })
        })
        .collect();
    let mut body = axis(low, high, &ticks, bottom);
    let x = across(neutral, low, high);
    body += &format!(
        "<line x1=\"{x:.1}\" y1=\"8\" x2=\"{x:.1}\" y2=\"{bottom:.1}\" stroke=\"#333\" stroke-dasharray=\"4 3\"/>\n"
    );
    for (index, (name, value, interval)) in rows.iter().enumerate() {
        let y = 12.0 + ROW * (index as f64 + 0.5);
        let [from, to, at] = [interval.low, interval.high, *value].map(|value| across(value, low, high));
        let colour = colour(index);
        body += &row_label(name, y, index);
        body += &format!(
            "<line x1=\"{from:.1}\" y1=\"{y:.1}\" x2=\"{to:.1}\" y2=\"{y:.1}\" stroke=\"{colour}\" stroke-width=\"3\"/>\
             <circle cx=\"{at:.1}\" cy=\"{y:.1}\" r=\"6\" fill=\"{colour}\"/>\n"
        );
    }
    svg(bottom + 28.0, "Differences with 95 % confidence", &body)
}
