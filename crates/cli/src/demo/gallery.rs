//! The page of the demo: one HTML file beside the pictures, without scripts and without external resources.

use std::fmt::Write;

use marey::measure::card::{CardLine, QualityCard};
use marey::measure::judge::ActorCard;

use super::motion::WrittenMotion;
use super::{Exhibit, Section};

const STYLE: &str = include_str!("gallery.css");

/// The whole page.
pub(super) fn page(sections: &[Section]) -> String {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<title>Marey: a demo</title>\n<style>\n{STYLE}</style>\n\
         <main>\n<h1>Marey</h1>\n<p>New human motion from examples. Everything here was made by <code>marey demo</code>: the \
         motion is generated, drawn and judged on this machine.</p>\n"
    );
    for (heading, exhibits) in sections {
        let _ = writeln!(page, "<h2>{}</h2>", escaped(heading));
        for Exhibit { name, about, motions } in exhibits {
            let _ = writeln!(
                page,
                "<section id=\"{0}\">\n<h3>{0}</h3>\n<p>{1}</p>\n<div class=\"row\">",
                escaped(name),
                escaped(about)
            );
            motions.iter().for_each(|shown| page += &figure(name, shown));
            page += "</div>\n</section>\n";
        }
    }
    page + "</main>\n</html>\n"
}

fn figure(exhibit: &str, shown: &WrittenMotion) -> String {
    let name = escaped(&shown.name);
    let alt = format!("{} {name}", escaped(exhibit));
    let image = |file: &str, kind: &str| format!("<img src=\"{}\" alt=\"{alt}, {kind}\">", escaped(file));
    let mut text = format!(
        "<figure>\n{}\n<a class=\"sheet\" href=\"{}\">{}</a>\n<figcaption><strong>{name}</strong> \
         <span class=\"facts\">{}</span>\n",
        image(&shown.animation, "animation"),
        escaped(&shown.sheet),
        image(&shown.sheet, "contact sheet"),
        facts(shown),
    );
    for ActorCard { actor, card, .. } in &shown.cards {
        let caption = if shown.cards.len() > 1 {
            format!("<caption>{}</caption>", escaped(actor))
        } else {
            String::new()
        };
        text += &format!("<table>{caption}{}</table>\n", lines(card));
    }
    text += "<nav>";
    for file in &shown.files {
        let ending = file.split_once('.').map_or(file.as_str(), |(_, ending)| ending);
        text += &format!("<a href=\"{}\">{}</a>", escaped(file), escaped(ending));
    }
    text + "</nav>\n</figcaption>\n</figure>\n"
}

fn facts(shown: &WrittenMotion) -> String {
    let actors = if shown.actors == 1 { String::new() } else { format!("{} actors · ", shown.actors) };
    format!("{actors}{} frames · {:.1} s · {} Hz", shown.frames, shown.secs, shown.rate_hz)
}

/// The measures of a card, each beside its threshold.
fn lines(card: &QualityCard) -> String {
    let line = |line: &CardLine| {
        let (class, most) = match (line.at_most, line.ok) {
            (None, _) => ("", String::new()),
            (Some(most), true) => (" class=\"ok\"", format!("≤ {most}")),
            (Some(most), false) => (" class=\"missed\"", format!("≤ {most}")),
        };
        format!(
            "<tr><td>{}</td><td{class}>{:.1} {}</td><td>{most}</td></tr>",
            escaped(line.name),
            line.value,
            escaped(line.unit)
        )
    };
    card.lines.iter().map(line).collect()
}

/// Escapes text for HTML.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            _ => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_break_the_page() {
        assert_eq!(escaped("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
        let shown = WrittenMotion {
            name: "<b>".into(),
            actors: 1,
            frames: 3,
            secs: 0.1,
            rate_hz: 30.0,
            cards: Vec::new(),
            animation: "a.gif".into(),
            sheet: "a.png".into(),
            files: vec!["a.truth.json".into()],
        };
        let exhibit = Exhibit { name: "x".into(), about: "y & z".into(), motions: vec![shown] };
        let page = page(&[("Examples", vec![exhibit])]);
        assert!(!page.contains("<b>") && page.contains("&lt;b&gt;") && page.contains("y &amp; z"));
        assert!(page.contains("<a href=\"a.truth.json\">truth.json</a>"));
        assert!(!page.contains("http"), "an external resource");
    }
}
