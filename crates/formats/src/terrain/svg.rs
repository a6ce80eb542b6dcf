//! Terrains as SVG drawings.
//!
//! Reads `polyline` and `line` elements, and `path` elements of straight segments (M, L, H, V, absolute or relative). Up in
//! the drawing is up. The leftmost point is at distance 0 and height 0. Curves, closed paths and transforms are refused.

use marey_motion::{Terrain, Vec2};

use super::{TerrainSettings, codes};
use crate::FormatsError;
use crate::svg_lines::{SVG_BYTES_PER_BYTE, SvgProblem, SvgShapes, svg_lines};
use crate::text::{Notes, Text};

/// Reads the straight lines of a drawing, from left to right.
pub fn read_svg(bytes: &[u8], settings: &TerrainSettings) -> Result<Terrain, FormatsError> {
    let text = Text::of(bytes);
    let notes = Notes::on(&text.bytes);
    if let Some(zero) = text.zero_byte() {
        return notes.refuse(&codes::NOT_TEXT, zero, "the file has zero bytes");
    }
    let max_bytes = settings.limits.memory_bytes / SVG_BYTES_PER_BYTE;
    if text.bytes.len() > max_bytes {
        return notes.refuse(&codes::LIMIT, 0, format!("more than {max_bytes} bytes"));
    }
    let mut lines = match svg_lines(&text.bytes, SvgShapes::StraightLines) {
        Ok(lines) => lines,
        Err((at, SvgProblem::Bad(problem))) => return notes.refuse(&codes::BAD_SVG, at, problem),
        Err((at, SvgProblem::Unsupported(problem))) => {
            return notes.refuse(&codes::UNSUPPORTED_SVG, at, problem);
        }
    };
    let start_x = |line: &Vec<Vec2>| line.first().map_or(0.0, |point| point.x);
    lines.sort_by(|a, b| start_x(a).total_cmp(&start_x(b)));
    let Some(first) = lines.first().and_then(|line| line.first()).copied() else {
        return notes.refuse(&codes::NO_GROUND, 0, "the drawing has no polyline");
    };
    let to_metres = |point: Vec2| settings.scale_m * Vec2::new(point.x - first.x, first.y - point.y);
    let pieces = lines.into_iter().map(|line| line.into_iter().map(to_metres).collect()).collect();
    Ok(Terrain::new(pieces)?)
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
