//! Polylines of a drawing, as ground in profile.
//!
//! What is read: `polyline`, `line`, and `path` elements of straight parts (M, L, H, V, absolute or relative). Up in the drawing is
//! up. The leftmost point is at 0, at a height of 0. Everything that would be lost is refused: curves, closed paths, transforms.

use crate::motion::Vec2;

/// The lines of a drawing, from left to right, in metres.
pub(super) fn polylines(text: &str, scale: f32) -> Result<Vec<Vec<Vec2>>, String> {
    let mut lines = Vec::new();
    for (number, tag) in text.split('<').enumerate().skip(1) {
        let name = tag.split(|c: char| c.is_whitespace() || c == '/' || c == '>').next().unwrap_or_default();
        let tag = tag.split('>').next().unwrap_or_default();
        let at = |problem: &str| format!("<{name}>, element {number}: {problem}");
        let points = match name {
            "polyline" => pairs(&numbers(attribute(tag, "points").unwrap_or_default()).map_err(|p| at(&p))?)
                .ok_or_else(|| at("an odd number of coordinates"))?,
            "line" => {
                let end = |name: &str| attribute(tag, name).and_then(|text| text.trim().parse::<f32>().ok());
                let ends = [("x1", "y1"), ("x2", "y2")].map(|(x, y)| Some(Vec2::new(end(x)?, end(y)?)));
                ends.into_iter().collect::<Option<Vec<Vec2>>>().ok_or_else(|| at("has no ends"))?
            }
            "path" => {
                lines.extend(straight(attribute(tag, "d").unwrap_or_default()).map_err(|p| at(&p))?);
                continue;
            }
            "g" | "svg" if attribute(tag, "transform").is_some() => {
                return Err(at("transforms are not read; apply them first"));
            }
            _ => continue,
        };
        if attribute(tag, "transform").is_some() {
            return Err(at("transforms are not read; apply them first"));
        }
        lines.push(points);
    }
    lines.retain(|line| !line.is_empty());
    lines.sort_by(|a, b| a[0].x.total_cmp(&b[0].x));
    let first = lines.first().and_then(|line| line.first()).copied().ok_or("no polyline is in it")?;
    let metres = |point: Vec2| scale * Vec2::new(point.x - first.x, first.y - point.y);
    Ok(lines.into_iter().map(|line| line.into_iter().map(metres).collect()).collect())
}

/// The value of an attribute of a tag.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = tag;
    loop {
        let (before, after) = rest.split_once(name)?;
        let value = after.trim_start().strip_prefix('=').map(str::trim_start);
        if before.ends_with(char::is_whitespace)
            && let Some(value) = value
        {
            let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
            return value[1..].split(quote).next();
        }
        rest = after;
    }
}

/// Numbers with blanks or commas between.
fn numbers(text: &str) -> Result<Vec<f32>, String> {
    let words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    words.map(|word| word.parse().map_err(|_| format!("{word:?} is no number"))).collect()
}

fn pairs(numbers: &[f32]) -> Option<Vec<Vec2>> {
    numbers.len().is_multiple_of(2).then(|| numbers.chunks(2).map(|xy| Vec2::new(xy[0], xy[1])).collect())
}

/// The straight lines of a path.
fn straight(text: &str) -> Result<Vec<Vec<Vec2>>, String> {
    let (mut lines, mut at): (Vec<Vec<Vec2>>, Vec2) = (Vec::new(), Vec2::ZERO);
    let commands = text.match_indices(|c: char| c.is_ascii_alphabetic() && c != 'e' && c != 'E');
    let starts: Vec<usize> = commands.map(|(start, _)| start).chain([text.len()]).collect();
    for range in starts.windows(2) {
        let (command, rest) = text[range[0]..range[1]].split_at(1);
        let from = if command.chars().all(char::is_uppercase) { 0.0 } else { 1.0 };
        let numbers = numbers(rest)?;
        let steps: Vec<Vec2> = match command {
            "M" | "m" | "L" | "l" => pairs(&numbers).ok_or("an odd number of coordinates")?,
            "H" | "h" => numbers.iter().map(|x| Vec2::new(*x, (1.0 - from) * at.y)).collect(),
            "V" | "v" => numbers.iter().map(|y| Vec2::new((1.0 - from) * at.x, *y)).collect(),
            other => return Err(format!("{other:?} is no straight line; make curves polylines first")),
        };
        for (number, step) in steps.into_iter().enumerate() {
            at = from * at + step;
            if matches!(command, "M" | "m") && number == 0 {
                lines.push(Vec::new());
            }
            lines.last_mut().ok_or("begins without M")?.push(at);
        }
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_straight_paths_are_read_with_up_as_up() {
        let svg = r#"<svg xmlns="http://www.w3.org/2000/svg"><path d="M 300,90 h 50 V 100 L4e2 100"/>
            <polyline fill="none" points="100,100 200,100 200,90 250,90"/></svg>"#;
        let read = polylines(svg, 0.01).unwrap();
        let points = |list: &[(f32, f32)]| list.iter().map(|&(x, y)| Vec2::new(x, y)).collect::<Vec<_>>();
        let wanted = [
            points(&[(0.0, 0.0), (1.0, 0.0), (1.0, 0.1), (1.5, 0.1)]),
            points(&[(2.0, 0.1), (2.5, 0.1), (2.5, 0.0), (3.0, 0.0)]),
        ];
        for (read, wanted) in read.iter().flatten().zip(wanted.iter().flatten()) {
            assert!(read.distance(*wanted) < 1e-5, "{read} {wanted}");
        }
        assert_eq!(read.len(), 2);
    }

    #[test]
    fn what_would_be_lost_is_refused() {
        for (svg, problem) in [
            ("<svg/>", "no polyline"),
            ("<svg><path d='M0 0 C 1 1 2 2 3 3'/></svg>", "no straight line"),
            ("<svg><path d='L 1 1'/></svg>", "without M"),
            ("<svg><polyline points='1,2 3'/></svg>", "odd number"),
            ("<svg><polyline points='1,two'/></svg>", "no number"),
            ("<svg><g transform='scale(2)'><polyline points='1,2 3,4'/></g></svg>", "transforms"),
            ("<svg><line x1='1'/></svg>", "has no ends"),
        ] {
            let refused = polylines(svg, 1.0).unwrap_err();
            assert!(refused.contains(problem), "{svg}: {refused}");
        }
    }
}
