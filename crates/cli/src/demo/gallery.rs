//! The page that shows it all: one file of HTML beside the pictures, without scripts, and without anything from elsewhere.

use std::fmt::Write;

use marey::measure::card::QualityCard;

use super::motion::Shown;

/// A heading, and under it each exhibit's name, what it is, and its motions.
type Section<'a> = (&'a str, Vec<(String, String, Vec<Shown>)>);

const STYLE: &str = "
:root { color-scheme: light dark; --paper: #fafaf8; --card: #ffffff; --ink: #22262b; --faint: #6b7178; --line: #e2e3e0;
  --good: #2c7a5b; --bad: #b4451b; }
@media (prefers-color-scheme: dark) { :root { --paper: #1b1e22; --card: #24282e; --ink: #eceef0; --faint: #9aa1aa;
  --line: #363b43; --good: #6fc9a8; --bad: #f0915f; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 1180px; margin: 0 auto; padding: 3rem 1.5rem 5rem; }
h1 { font-size: 2.4rem; letter-spacing: -0.02em; margin: 0; }
h1 + p { color: var(--faint); margin: 0.3rem 0 0; max-width: 46rem; }
h2 { font-size: 1rem; font-weight: 600; text-transform: uppercase; letter-spacing: 0.12em; color: var(--faint);
  margin: 3.5rem 0 1rem; border-bottom: 1px solid var(--line); padding-bottom: 0.4rem; }
h3 { font-size: 1.35rem; margin: 2.5rem 0 0; }
h3 + p { color: var(--faint); margin: 0 0 1rem; }
.row { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 26rem), 1fr)); gap: 1.25rem; }
figure { margin: 0; background: var(--card); border: 1px solid var(--line); border-radius: 10px; overflow: hidden;
  display: flex; flex-direction: column; }
figure img { display: block; width: 100%; height: auto; background: #fafaf8; }
@media (min-width: 56rem) { .row figure:only-child { grid-column: 1 / -1; display: grid; grid-template-columns: 1fr 1fr; }
  .row figure:only-child figcaption { grid-column: 2; grid-row: 1; }
  .row figure:only-child a.sheet { grid-column: 1 / -1; } }
figure a.sheet { border-top: 1px solid var(--line); }
figcaption { padding: 0.9rem 1.1rem 1.1rem; font-size: 0.92rem; }
figcaption strong { font-size: 1.02rem; }
figcaption .facts { color: var(--faint); float: right; }
table { width: 100%; border-collapse: collapse; margin: 0.7rem 0; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--faint); }
td { padding: 0.14rem 0; border-top: 1px solid var(--line); }
td + td { text-align: right; padding-left: 0.8rem; }
td:last-child { width: 4.5rem; color: var(--faint); }
td.ok { color: var(--good); } td.missed { color: var(--bad); font-weight: 600; }
nav a { color: inherit; margin-right: 0.9rem; text-underline-offset: 0.2em; }
nav a:hover { color: var(--good); }
";

/// The whole page.
pub(super) fn page(sections: &[Section<'_>]) -> String {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<title>Marey: a demo</title>\n<style>{STYLE}</style>\n\
         <main>\n<h1>Marey</h1>\n<p>New human motion from examples. Everything here was made by <code>marey demo</code>: the \
         motion is generated, drawn and judged on this machine.</p>\n"
    );
    for (heading, exhibits) in sections {
        let _ = writeln!(page, "<h2>{}</h2>", escaped(heading));
        for (name, about, motions) in exhibits {
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

fn figure(exhibit: &str, shown: &Shown) -> String {
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
    for (actor, card) in &shown.cards {
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

fn facts(shown: &Shown) -> String {
    let actors = if shown.actors == 1 { String::new() } else { format!("{} actors · ", shown.actors) };
    format!("{actors}{} frames · {:.1} s · {} Hz", shown.frames, shown.secs, shown.rate_hz)
}

/// A card's numbers, each beside what it may be.
fn lines(card: &QualityCard) -> String {
    let line = |line: &marey::measure::card::CardLine| {
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

/// Text as HTML has it.
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
        let shown = Shown {
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
        let page = page(&[("Examples", vec![("x".into(), "y & z".into(), vec![shown])])]);
        assert!(!page.contains("<b>") && page.contains("&lt;b&gt;") && page.contains("y &amp; z"));
        assert!(page.contains("<a href=\"a.truth.json\">truth.json</a>"));
        assert!(!page.contains("http"), "nothing from elsewhere");
    }
}
