//! Draws solids: from the farthest to the nearest, each lit and outlined.

use glam::{Vec2, Vec3};
use tiny_skia::{
    FillRule, GradientStop, LinearGradient, Paint, Pixmap, Point, RadialGradient, Shader, SpreadMode,
    Transform,
};

use crate::camera::Camera;
use crate::hull::{self, Disc};
use crate::solid::{Ball, Solid};
use crate::theme::{Rgb, Theme};

/// Depth range of the haze, in metres. Parts farther than the target are paler.
const HAZE_REACH_M: f32 = 1.2;

/// Direction of the light in the axes of the camera: above, to the left, on the viewer's side.
const LIGHT: Vec3 = Vec3::new(-0.42, 0.72, 0.55);

/// A projected solid.
struct ProjectedSolid<'a> {
    solid: &'a Solid,
    discs: Vec<Disc>,
    depth_m: f32,
    /// The depth at which the outline is drawn: behind the pieces it joins seamlessly.
    outline_depth_m: f32,
}

/// Draws all solids onto a canvas, with outlines of a width in pixels.
pub(crate) fn draw(canvas: &mut Pixmap, camera: &Camera, theme: &Theme, solids: &[Solid], outline_px: f32) {
    let seen = project_all(camera, solids);
    for (index, is_fill) in farthest_first(&seen) {
        let piece = &seen[index];
        let base = haze(theme, camera, piece.depth_m, theme.material(piece.solid.material));
        let (grow_px, shader) = if is_fill {
            (0.0, shade(camera, piece, base))
        } else {
            (outline_px, Shader::SolidColor(base.mix(theme.outline, 0.72).with_alpha(1.0)))
        };
        if let Some(path) = hull::around(&piece.discs, grow_px) {
            let paint = Paint { shader, ..Paint::default() };
            canvas.fill_path(&path, &paint, FillRule::Winding, Transform::identity(), None);
        }
    }
}

/// Projects the solids. Solids that reach behind the camera are omitted.
fn project_all<'a>(camera: &Camera, solids: &'a [Solid]) -> Vec<ProjectedSolid<'a>> {
    let mut seen_index = vec![None; solids.len()];
    let mut seen: Vec<ProjectedSolid<'a>> = Vec::with_capacity(solids.len());
    for (index, solid) in solids.iter().enumerate() {
        let disc = |ball: &Ball| {
            let spot = camera.project(ball.at)?;
            Some(Disc { at: spot.at, radius_px: ball.radius_m * spot.px_per_m })
        };
        let Some(discs) = solid.balls.iter().map(disc).collect::<Option<Vec<_>>>() else { continue };
        let Some(anchor) = camera.project(solid.anchor) else { continue };
        let depth_m = anchor.depth_m - solid.lift_m;
        seen_index[index] = Some(seen.len());
        seen.push(ProjectedSolid { solid, discs, depth_m, outline_depth_m: depth_m });
    }
    for index in 0..seen.len() {
        if let Some(other) = seen[index].solid.continues.and_then(|piece| seen_index[piece]) {
            let behind = seen[index].depth_m.max(seen[other].depth_m);
            seen[index].outline_depth_m = seen[index].outline_depth_m.max(behind);
            seen[other].outline_depth_m = seen[other].outline_depth_m.max(behind);
        }
    }
    seen
}

/// The order of drawing: an index into `seen`, and whether the fill or the outline is drawn.
fn farthest_first(seen: &[ProjectedSolid<'_>]) -> Vec<(usize, bool)> {
    let mut order: Vec<(f32, bool, usize)> = Vec::with_capacity(2 * seen.len());
    for (index, piece) in seen.iter().enumerate() {
        order.push((piece.outline_depth_m, false, index));
        order.push((piece.depth_m, true, index));
    }
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
    order.into_iter().map(|(_, is_fill, index)| (index, is_fill)).collect()
}

/// The colour with the haze of a depth.
fn haze(theme: &Theme, camera: &Camera, depth_m: f32, colour: Rgb) -> Rgb {
    let beyond = (depth_m - camera.distance_m) / HAZE_REACH_M;
    colour.mix(theme.background, 0.22 * beyond.clamp(0.0, 1.0))
}

/// The colour of a lit surface with a normal in the axes of the camera.
fn lit(base: Rgb, normal: Vec3) -> Rgb {
    let light = 0.5 + 0.5 * normal.dot(LIGHT.normalize());
    base.mix(Rgb::BLACK, 0.52 * (1.0 - light).powf(1.2)).mix(Rgb::WHITE, 0.3 * light.powi(4))
}

fn shade(camera: &Camera, piece: &ProjectedSolid<'_>, base: Rgb) -> Shader<'static> {
    let toward = camera.axes.rotate(camera.direction_from(piece.solid.anchor));
    let grain = piece.solid.grain.map(|axis| camera.axes.rotate(axis));
    let across = grain.map(|axis| (axis, toward - axis * axis.dot(toward)));
    let shader = match across {
        Some((axis, front)) if front.length() > 0.25 => shade_long(piece, base, axis, front.normalize()),
        _ => shade_round(piece, base),
    };
    shader.unwrap_or(Shader::SolidColor(base.with_alpha(1.0)))
}

/// Shading of a cylinder: constant along its axis, varying across it.
fn shade_long(piece: &ProjectedSolid<'_>, base: Rgb, axis: Vec3, front: Vec3) -> Option<Shader<'static>> {
    let side = front.cross(axis);
    let direction = Vec2::new(side.x, -side.y).try_normalize()?;
    let reach = |sign: f32| {
        let rims = piece.discs.iter().map(|d| sign * direction.dot(d.at) + d.radius_px);
        sign * rims.fold(f32::NEG_INFINITY, f32::max)
    };
    let (low, high) = (reach(-1.0), reach(1.0));
    let foot = direction.perp() * direction.perp().dot(piece.discs[0].at);
    let stops = [-0.96f32, -0.7, -0.35, 0.0, 0.35, 0.7, 0.96].map(|t| {
        let normal = side * t + front * (1.0 - t * t).sqrt();
        GradientStop::new(0.5 + 0.5 * t, lit(base, normal).with_alpha(1.0))
    });
    let [from, to] = [low, high].map(|along| point(foot + direction * along));
    LinearGradient::new(from, to, stops.to_vec(), SpreadMode::Pad, Transform::identity())
}

/// Shading of a ball.
fn shade_round(piece: &ProjectedSolid<'_>, base: Rgb) -> Option<Shader<'static>> {
    let (low, high) = piece.discs.iter().fold((Vec2::INFINITY, Vec2::NEG_INFINITY), |(low, high), disc| {
        (low.min(disc.at - disc.radius_px), high.max(disc.at + disc.radius_px))
    });
    let (middle, radius) = (0.5 * (low + high), 0.5 * (high - low).max_element());
    let light = LIGHT.normalize();
    let bright = middle + radius * 0.55 * Vec2::new(light.x, -light.y);
    let across = Vec3::new(light.x, light.y, 0.0).normalize();
    let stops = [0.0f32, 0.25, 0.5, 0.75, 1.0].map(|t| {
        // From the brightest spot to the rim on the opposite side.
        let (sin, cos) = (t * std::f32::consts::FRAC_PI_2).sin_cos();
        let normal = light * cos - across * sin;
        GradientStop::new(t, lit(base, normal.normalize()).with_alpha(1.0))
    });
    RadialGradient::new(
        point(bright),
        0.0,
        point(bright),
        1.6 * radius,
        stops.to_vec(),
        SpreadMode::Pad,
        Transform::identity(),
    )
}

fn point(p: Vec2) -> Point {
    Point::from_xy(p.x, p.y)
}

#[cfg(test)]
mod tests {
    use tiny_skia::Color;

    use super::*;
    use crate::camera::{CameraAxes, Viewport};
    use crate::theme::Material;
    use crate::{Background, View};

    const SIDE_PX: u32 = 100;

    /// Draws solids from a distance of 5 m in front. Returns the colour at a pixel.
    fn drawn(solids: &[Solid]) -> impl Fn(u32, u32) -> [f32; 3] + use<> {
        let viewport = Viewport { width_px: SIDE_PX as f32, height_px: SIDE_PX as f32 };
        let camera = Camera::new(CameraAxes::of(View::Front, Vec3::Z), Vec3::ZERO, 5.0, viewport);
        let mut canvas = Pixmap::new(SIDE_PX, SIDE_PX).unwrap();
        canvas.fill(Color::WHITE);
        draw(&mut canvas, &camera, &Theme::of(Background::Light), solids, 1.0);
        move |x, y| {
            let p = canvas.pixel(x, y).unwrap();
            [p.red(), p.green(), p.blue()].map(f32::from)
        }
    }

    fn ball(z: f32, material: Material) -> Solid {
        Solid::hull(vec![Ball::new(Vec3::Z * z, 0.4)], material)
    }

    #[test]
    fn nearer_solids_cover_farther_ones_in_any_order() {
        let (near, far) = (ball(0.5, Material::Left), ball(-0.5, Material::Right));
        for solids in [[near.clone(), far.clone()], [far, near]] {
            let [red, _, blue] = drawn(&solids)(50, 50);
            assert!(blue > red + 50.0);
        }
    }

    #[test]
    fn a_lifted_solid_is_drawn_in_front() {
        let solids = [ball(0.1, Material::Left), ball(0.0, Material::Right).lifted(0.2)];
        let [red, _, blue] = drawn(&solids)(50, 50);
        assert!(red > blue + 50.0);
    }

    #[test]
    fn light_comes_from_above_and_the_left() {
        let bone =
            |along: Vec3| Solid::capsule(Ball::new(-along, 0.3), Ball::new(along, 0.3), Material::Left);
        let upright = drawn(&[bone(Vec3::Y)]);
        assert!(upright(42, 50)[2] > upright(58, 50)[2] + 5.0);
        let lying = drawn(&[bone(Vec3::X)]);
        assert!(lying(50, 42)[2] > lying(50, 58)[2] + 5.0);
        let round = drawn(&[ball(0.0, Material::Left)]);
        assert!(round(44, 44)[2] > round(57, 57)[2] + 5.0);
    }

    #[test]
    fn pieces_of_one_limb_have_no_line_between_them() {
        let at = |x: f32| Ball::new(Vec3::new(x, 0.0, 0.3 * x), 0.3);
        let upper = Solid::capsule(at(-0.8), at(0.0), Material::Left);
        let lower = Solid::capsule(at(0.0), at(0.8), Material::Left);
        let darkest = |solids: &[Solid]| {
            let picture = drawn(solids);
            (20..80).map(|x| picture(x, 50)[2]).fold(f32::INFINITY, f32::min)
        };
        let joined = darkest(&[upper.clone(), lower.clone().continuing(0)]);
        assert!(joined > darkest(&[upper, lower]) + 30.0);
    }
}
