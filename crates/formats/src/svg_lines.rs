//! The lines of SVG drawings, for terrains and paths.
//!
//! Reads `polyline`, `polygon` and `line` elements, and `path` elements of straight segments (M, L, H, V, Z) and Bézier
//! curves (C, S, Q, T), absolute or relative. Arcs and transforms are refused.

use marey_motion::Vec2;

use crate::unique_labels::{decoded, short};

/// Number of straight lines that a curve becomes.
const LINES_PER_CURVE: u32 = 16;

/// Bytes of memory that a byte of SVG may need: a short curve becomes many points.
pub(crate) const SVG_BYTES_PER_BYTE: usize = 64;

/// What may be drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SvgShapes {
    /// Open lines of straight segments.
    StraightLines,
    /// Lines, closed lines and curves.
    LinesAndCurves,
}

/// A problem in an element.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum SvgProblem {
    /// The drawing is not well formed.
    Bad(String),
    /// The drawing uses something that is not read.
    Unsupported(String),
}

/// The lines of a drawing in the order of its elements, in drawing units; y points down. An error names the offset of the
/// element.
pub(crate) fn svg_lines(text: &[u8], shapes: SvgShapes) -> Result<Vec<Vec<Vec2>>, (usize, SvgProblem)> {
    let mut lines = Vec::new();
    let mut offset = 0;
    for tag in text.split(|byte| *byte == b'<') {
        let start = offset;
        offset += tag.len() + 1;
        if start == 0 {
            // The text before the first element.
            continue;
        }
        let (tag, _) = decoded(tag.split(|byte| *byte == b'>').next().unwrap_or_default());
        let name = tag.split(|c: char| c.is_whitespace() || c == '/').next().unwrap_or_default();
        let found = element_lines(name, &tag, shapes).map_err(|problem| {
            let named = |text: String| format!("<{}>: {text}", short(name));
            let problem = match problem {
                SvgProblem::Bad(text) => SvgProblem::Bad(named(text)),
                SvgProblem::Unsupported(text) => SvgProblem::Unsupported(named(text)),
            };
            (start - 1, problem)
        })?;
        lines.extend(found);
    }
    lines.retain(|line| !line.is_empty());
    Ok(lines)
}

/// The lines of one element. Elements other than lines have none.
fn element_lines(name: &str, tag: &str, shapes: SvgShapes) -> Result<Vec<Vec<Vec2>>, SvgProblem> {
    let is_group = matches!(name, "g" | "svg");
    let is_line = matches!(name, "polyline" | "polygon" | "line" | "path");
    if (is_group || is_line) && attribute(tag, "transform").is_some() {
        return Err(SvgProblem::Unsupported("transforms are not supported; apply them first".into()));
    }
    match name {
        "polyline" => Ok(vec![points(&numbers(attribute(tag, "points").unwrap_or_default())?)?]),
        "polygon" if shapes == SvgShapes::LinesAndCurves => {
            let mut line = points(&numbers(attribute(tag, "points").unwrap_or_default())?)?;
            line.extend(line.first().copied());
            Ok(vec![line])
        }
        "line" => {
            let coordinate = |name: &str| attribute(tag, name)?.trim().parse::<f32>().ok();
            let end = |x: &str, y: &str| Some(Vec2::new(coordinate(x)?, coordinate(y)?));
            match (end("x1", "y1"), end("x2", "y2")) {
                (Some(from), Some(to)) => Ok(vec![vec![from, to]]),
                _ => Err(SvgProblem::Bad("x1, y1, x2 and y2 must be numbers".into())),
            }
        }
        "path" => path_lines(attribute(tag, "d").unwrap_or_default(), shapes),
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

/// Numbers separated by white space or commas, or by the sign of the next one.
fn numbers(text: &str) -> Result<Vec<f32>, SvgProblem> {
    let mut separated = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '-' | '+') && !separated.ends_with(['e', 'E']) {
            separated.push(' ');
        }
        separated.push(c);
    }
    let words = separated.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    let number =
        |word: &str| word.parse().map_err(|_| SvgProblem::Bad(format!("{:?} is not a number", short(word))));
    words.map(number).collect()
}

fn points(numbers: &[f32]) -> Result<Vec<Vec2>, SvgProblem> {
    match numbers.as_chunks() {
        (pairs, []) => Ok(pairs.iter().map(|&[x, y]| Vec2::new(x, y)).collect()),
        _ => Err(SvgProblem::Bad("an odd number of coordinates".into())),
    }
}

/// The lines of a path.
fn path_lines(text: &str, shapes: SvgShapes) -> Result<Vec<Vec<Vec2>>, SvgProblem> {
    let (mut lines, mut pen): (Vec<Vec<Vec2>>, Vec2) = (Vec::new(), Vec2::ZERO);
    // The last control point of the curve before, which S and T reflect.
    let mut control: Option<Vec2> = None;
    let mut rest = text.trim_start();
    while let Some(command) = rest.chars().next() {
        let arguments = rest.get(command.len_utf8()..).unwrap_or_default();
        let is_command = |c: char| c.is_ascii_alphabetic() && c != 'e' && c != 'E';
        let end = arguments.find(is_command).unwrap_or(arguments.len());
        let (arguments, following) = arguments.split_at_checked(end).unwrap_or((arguments, ""));
        rest = following;
        // 0 for absolute coordinates, 1 for relative ones.
        let from_pen = if command.is_uppercase() { 0.0 } else { 1.0 };
        let kind = command.to_ascii_uppercase();
        let is_curve = matches!(kind, 'C' | 'S' | 'Q' | 'T' | 'Z');
        if is_curve && shapes == SvgShapes::StraightLines
            || !(is_curve || matches!(kind, 'M' | 'L' | 'H' | 'V'))
        {
            return Err(SvgProblem::Unsupported(match kind {
                'Z' => format!("{command:?} closes the path; draw an open line"),
                _ => format!("{command:?} is not a straight line; convert curves to polylines first"),
            }));
        }
        if kind == 'M' {
            lines.push(Vec::new());
        }
        let Some(line) = lines.last_mut() else {
            return Err(SvgProblem::Bad("the path starts without M".into()));
        };
        match kind {
            'Z' => {
                pen = line.first().copied().unwrap_or(pen);
                line.push(pen);
                control = None;
            }
            'C' | 'S' | 'Q' | 'T' => {
                let given = points(&numbers(arguments)?)?;
                let per_curve = match kind {
                    'C' => 3,
                    'T' => 1,
                    _ => 2,
                };
                if !given.len().is_multiple_of(per_curve) {
                    return Err(SvgProblem::Bad(format!("{command:?} lacks coordinates")));
                }
                for curve in given.chunks_exact(per_curve) {
                    let at = |point: &Vec2| from_pen * pen + *point;
                    let mirrored = control.map_or(pen, |control| 2.0 * pen - control);
                    let (first, second, to, last_control) = match (kind, curve) {
                        ('C', [first, second, to]) => (at(first), at(second), at(to), at(second)),
                        ('S', [second, to]) => (mirrored, at(second), at(to), at(second)),
                        ('Q', [middle, to]) => {
                            let (middle, to) = (at(middle), at(to));
                            (pen.lerp(middle, 2.0 / 3.0), to.lerp(middle, 2.0 / 3.0), to, middle)
                        }
                        (_, [to, ..]) => {
                            let to = at(to);
                            (pen.lerp(mirrored, 2.0 / 3.0), to.lerp(mirrored, 2.0 / 3.0), to, mirrored)
                        }
                        _ => continue,
                    };
                    for step in 1..=LINES_PER_CURVE {
                        let u = step as f32 / LINES_PER_CURVE as f32;
                        let (a, b, c) = (pen.lerp(first, u), first.lerp(second, u), second.lerp(to, u));
                        line.push(a.lerp(b, u).lerp(b.lerp(c, u), u));
                    }
                    (pen, control) = (to, Some(last_control));
                }
            }
            _ => {
                let steps: Vec<Vec2> = match kind {
                    'H' => {
                        numbers(arguments)?.iter().map(|x| Vec2::new(*x, (1.0 - from_pen) * pen.y)).collect()
                    }
                    'V' => {
                        numbers(arguments)?.iter().map(|y| Vec2::new((1.0 - from_pen) * pen.x, *y)).collect()
                    }
                    _ => points(&numbers(arguments)?)?,
                };
                for step in steps {
                    pen = from_pen * pen + step;
                    line.push(pen);
                }
                control = None;
            }
        }
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(svg: &str) -> Result<Vec<Vec<Vec2>>, SvgProblem> {
        svg_lines(svg.as_bytes(), SvgShapes::LinesAndCurves).map_err(|(_, problem)| problem)
    }

    #[test]
    fn curves_become_lines_and_closed_paths_return() {
        let curves =
            read("<svg><path d='M0 0C0,10 10,20 20,20s20-10 20-20Q50-20 60 0t20 0z'/></svg>").unwrap();
        let line = &curves[0];
        assert_eq!(line.len(), 2 + 4 * LINES_PER_CURVE as usize);
        assert_eq!(line[16], Vec2::new(20.0, 20.0));
        assert_eq!(line[32], Vec2::new(40.0, 0.0));
        assert_eq!(line[48], Vec2::new(60.0, 0.0));
        // T reflects the control point: below the axis instead of above.
        assert!((line[56].x - 70.0).abs() < 1e-3 && line[56].y > 5.0, "{}", line[56]);
        assert_eq!(line.last(), line.first());
        let closed = read("<svg><polygon points='0,0 1,0 1,1'/></svg>").unwrap();
        assert_eq!(closed[0].len(), 4);
    }

    #[test]
    fn what_is_not_read_is_refused() {
        assert!(matches!(
            read("<svg><path d='M0 0 A 1 1 0 0 0 2 2'/></svg>"),
            Err(SvgProblem::Unsupported(_))
        ));
        assert!(matches!(read("<svg><path d='M0 0 C 1 1'/></svg>"), Err(SvgProblem::Bad(_))));
        let closed = svg_lines(b"<svg><path d='M0 0 L1 0 z'/></svg>", SvgShapes::StraightLines);
        assert!(matches!(closed, Err((_, SvgProblem::Unsupported(why))) if why.contains("closes the path")));
        assert!(matches!(read("<svg transform='scale(2)'/>"), Err(SvgProblem::Unsupported(_))));
    }
}
