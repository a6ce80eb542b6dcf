//! Terrains as SVG drawings.
//!
//! Reads `polyline` and `line` elements, and `path` elements of straight segments (M, L, H, V, absolute or relative). Up in
//! the drawing is up. The leftmost point is at distance 0 and height 0. Curves, closed paths and transforms are refused.

use marey_motion::{Terrain, Vec2};

use super::{TerrainSettings, codes};
use crate::FormatsError;
use crate::text::{Notes, Text};
use crate::unique_labels::{decoded, short};

/// Bytes of memory that a byte of SVG may need: `0 ` becomes a number, then half a point.
const BYTES_PER_BYTE: usize = 8;

/// A problem in an element: the code and the message.
type Problem = (&'static marey_motion::Code, String);

/// Reads the straight lines of a drawing, from left to right.
pub fn read_svg(bytes: &[u8], settings: &TerrainSettings) -> Result<Terrain, FormatsError> {
    let text = Text::of(bytes);
    let notes = Notes::on(&text.bytes);
    if let Some(zero) = text.zero_byte() {
        return notes.refuse(&codes::NOT_TEXT, zero, "the file has zero bytes");
    }
    let max_bytes = settings.limits.memory_bytes / BYTES_PER_BYTE;
    if text.bytes.len() > max_bytes {
        return notes.refuse(&codes::LIMIT, 0, format!("more than {max_bytes} bytes"));
    }
    let mut lines = Vec::new();
    let mut offset = 0;
    for tag in text.bytes.split(|byte| *byte == b'<') {
        let start = offset;
        offset += tag.len() + 1;
        if start == 0 {
            // The text before the first element.
            continue;
        }
        let (tag, _) = decoded(tag.split(|byte| *byte == b'>').next().unwrap_or_default());
        let name = tag.split(|c: char| c.is_whitespace() || c == '/').next().unwrap_or_default();
        match element_lines(name, &tag) {
            Ok(found) => lines.extend(found),
            Err((code, problem)) => {
                return notes.refuse(code, start - 1, format!("<{}>: {problem}", short(name)));
            }
        }
    }
    lines.retain(|line| !line.is_empty());
    let start_x = |line: &Vec<Vec2>| line.first().map_or(0.0, |point| point.x);
    lines.sort_by(|a, b| start_x(a).total_cmp(&start_x(b)));
    let Some(first) = lines.first().and_then(|line| line.first()).copied() else {
        return notes.refuse(&codes::NO_GROUND, 0, "the drawing has no polyline");
    };
    let to_metres = |point: Vec2| settings.scale_m * Vec2::new(point.x - first.x, first.y - point.y);
    let pieces = lines.into_iter().map(|line| line.into_iter().map(to_metres).collect()).collect();
    Ok(Terrain::new(pieces)?)
}

/// The lines of one element, in drawing units. Elements other than lines have none.
fn element_lines(name: &str, tag: &str) -> Result<Vec<Vec<Vec2>>, Problem> {
    let is_group = matches!(name, "g" | "svg");
    let is_line = matches!(name, "polyline" | "line" | "path");
    if (is_group || is_line) && attribute(tag, "transform").is_some() {
        return Err((&codes::UNSUPPORTED_SVG, "transforms are not supported; apply them first".into()));
    }
    match name {
        "polyline" => Ok(vec![points(&numbers(attribute(tag, "points").unwrap_or_default())?)?]),
        "line" => {
            let coordinate = |name: &str| attribute(tag, name)?.trim().parse::<f32>().ok();
            let end = |x: &str, y: &str| Some(Vec2::new(coordinate(x)?, coordinate(y)?));
            match (end("x1", "y1"), end("x2", "y2")) {
                (Some(from), Some(to)) => Ok(vec![vec![from, to]]),
                _ => Err((&codes::BAD_SVG, "x1, y1, x2 and y2 must be numbers".into())),
            }
        }
        "path" => straight_lines(attribute(tag, "d").unwrap_or_default()),
        _ => Ok(Vec::new()),
    }
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
            return value.strip_prefix(quote)?.split(quote).next();
        }
        rest = after;
    }
}

/// Numbers separated by white space or commas.
fn numbers(text: &str) -> Result<Vec<f32>, Problem> {
    let words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    let number = |word: &str| {
        word.parse().map_err(|_| (&codes::BAD_SVG, format!("{:?} is not a number", short(word))))
    };
    words.map(number).collect()
}

fn points(numbers: &[f32]) -> Result<Vec<Vec2>, Problem> {
    match numbers.as_chunks() {
        (pairs, []) => Ok(pairs.iter().map(|&[x, y]| Vec2::new(x, y)).collect()),
        _ => Err((&codes::BAD_SVG, "an odd number of coordinates".into())),
    }
}

/// The lines of a path of straight segments.
fn straight_lines(text: &str) -> Result<Vec<Vec<Vec2>>, Problem> {
    let (mut lines, mut pen): (Vec<Vec<Vec2>>, Vec2) = (Vec::new(), Vec2::ZERO);
    let mut rest = text.trim_start();
    while let Some(command) = rest.chars().next() {
        let arguments = rest.get(command.len_utf8()..).unwrap_or_default();
        let is_command = |c: char| c.is_ascii_alphabetic() && c != 'e' && c != 'E';
        let end = arguments.find(is_command).unwrap_or(arguments.len());
        let (arguments, following) = arguments.split_at_checked(end).unwrap_or((arguments, ""));
        rest = following;
        // 0 for absolute coordinates, 1 for relative ones.
        let from_pen = if command.is_uppercase() { 0.0 } else { 1.0 };
        let steps: Vec<Vec2> = match command.to_ascii_uppercase() {
            'M' | 'L' => points(&numbers(arguments)?)?,
            'H' => numbers(arguments)?.iter().map(|x| Vec2::new(*x, (1.0 - from_pen) * pen.y)).collect(),
            'V' => numbers(arguments)?.iter().map(|y| Vec2::new((1.0 - from_pen) * pen.x, *y)).collect(),
            _ => {
                let message =
                    format!("{command:?} is not a straight line; convert curves to polylines first");
                return Err((&codes::UNSUPPORTED_SVG, message));
            }
        };
        for (number, step) in steps.into_iter().enumerate() {
            pen = from_pen * pen + step;
            if matches!(command, 'M' | 'm') && number == 0 {
                lines.push(Vec::new());
            }
            let Some(line) = lines.last_mut() else {
                return Err((&codes::BAD_SVG, "the path starts without M".into()));
            };
            line.push(pen);
        }
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use marey_motion::Coded;

    use super::*;

    fn read(svg: &str, scale_m: f32) -> Result<Terrain, FormatsError> {
        read_svg(svg.as_bytes(), &TerrainSettings { scale_m, ..TerrainSettings::default() })
    }

    #[test]
    fn lines_and_straight_paths_are_read_with_y_flipped() {
        let svg = r#"<svg xmlns="http://www.w3.org/2000/svg"><path d="M 300,90 h 50 V 100 L4e2 100"/>
            <polyline fill="none" points="100,100 200,100 200,90 250,90"/></svg>"#;
        let terrain = read(svg, 0.01).unwrap();
        let points = |list: &[(f32, f32)]| list.iter().map(|&(x, y)| Vec2::new(x, y)).collect::<Vec<_>>();
        let expected = [
            points(&[(0.0, 0.0), (1.0, 0.0), (1.0, 0.1), (1.5, 0.1)]),
            points(&[(2.0, 0.1), (2.5, 0.1), (2.5, 0.0), (3.0, 0.0)]),
        ];
        assert_eq!(terrain.pieces().len(), 2);
        for (found, expected) in terrain.pieces().iter().flatten().zip(expected.iter().flatten()) {
            assert!(found.distance(*expected) < 1e-5, "{found} {expected}");
        }
    }

    #[test]
    fn unsupported_elements_are_refused_with_their_place() {
        for (svg, code, column) in [
            ("<svg/>", &codes::NO_GROUND, 1),
            ("<svg><path d='M0 0 C 1 1 2 2 3 3'/></svg>", &codes::UNSUPPORTED_SVG, 6),
            ("<svg><path d='M0 0 H 1 Z'/></svg>", &codes::UNSUPPORTED_SVG, 6),
            ("<svg><path d='L 1 1'/></svg>", &codes::BAD_SVG, 6),
            ("<svg><path d='1 1'/></svg>", &codes::UNSUPPORTED_SVG, 6),
            ("<svg><polyline points='1,2 3'/></svg>", &codes::BAD_SVG, 6),
            ("<svg><polyline points='1,two'/></svg>", &codes::BAD_SVG, 6),
            ("<svg><g transform='scale(2)'><line/></g></svg>", &codes::UNSUPPORTED_SVG, 6),
            ("<svg><path transform='scale(2)' d='M0 0 H 1'/></svg>", &codes::UNSUPPORTED_SVG, 6),
            ("<svg><line x1='1'/></svg>", &codes::BAD_SVG, 6),
            ("<svg>\0</svg>", &codes::NOT_TEXT, 6),
        ] {
            let error = read(svg, 1.0).unwrap_err();
            assert_eq!((error.code(), error.place().column), (code, Some(column)), "{svg}: {error}");
        }
    }
}
