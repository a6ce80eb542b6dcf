//! The header of a sheet: its content and colour legend.

use glam::Vec2;
use marey_motion::Take;
use tiny_skia::{FillRule, Paint, PathBuilder, Pixmap, Shader, Transform};

use crate::frame_renderer::FrameRenderer;
use crate::scene::Scene;
use crate::theme::{Material, Rgb};

/// Draws the header at the top of a sheet. If it does not fit, the legend is omitted first, then the end of the facts.
pub(crate) fn draw(sheet: &mut Pixmap, renderer: &FrameRenderer, scene: &Scene, take: &Take) {
    let (font, theme) = (renderer.font, &renderer.theme);
    let (pad, gap) = (font.capital_px, 1.6 * font.capital_px);
    let line = 1.9 * font.capital_px;
    let room = sheet.width() as f32 - 2.0 * pad;

    let name = font.cut(take.name(), room);
    let name_width = font.width_px(&name);
    font.draw(sheet, &name, Vec2::new(pad, line), theme.ink);
    let facts = font.cut(&facts(scene, take), room - name_width - gap);
    font.draw(sheet, &facts, Vec2::new(pad + name_width + gap, line), theme.faint_ink);

    let entries = legend(scene, take);
    let dot = 0.8 * font.capital_px;
    let entry_width = |text: &str| 1.8 * dot + font.width_px(text) + gap;
    let legend_width: f32 = entries.iter().map(|(text, _)| entry_width(text)).sum::<f32>() - gap;
    let mut x = sheet.width() as f32 - pad - legend_width;
    if x < pad + name_width + font.width_px(&facts) + 3.0 * gap {
        return;
    }
    for (text, material) in &entries {
        let middle = Vec2::new(x + 0.5 * dot, line - 0.5 * font.capital_px);
        draw_dot(sheet, middle, 0.55 * dot, theme.material(*material));
        font.draw(sheet, text, Vec2::new(x + 1.8 * dot, line), theme.faint_ink);
        x += entry_width(text);
    }
}

/// Joints, frames, rate and duration.
fn facts(scene: &Scene, take: &Take) -> String {
    let join = |parts: Vec<String>| parts.join(" + ");
    let mut facts = Vec::new();
    if take.actors().len() > 1 {
        facts.push(format!("{} actors", take.actors().len()));
    }
    facts.push(format!("{} joints", join(scene.joints().map(|joints| joints.to_string()).collect())));
    facts.push(format!("{} frames", scene.frames()));
    facts.push(format!("{} Hz", rounded(scene.rate_hz())));
    facts.push(format!("{:.2} s", scene.duration_secs()));
    facts.join("  ·  ")
}

/// A rate without redundant digits: 120, 29.97.
fn rounded(rate_hz: f64) -> String {
    let text = format!("{rate_hz:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The legend of the colours: sides if there are people, actors if there are several.
fn legend(scene: &Scene, take: &Take) -> Vec<(String, Material)> {
    let mut entries = Vec::new();
    if take.actors().len() > 1 {
        let actors = take.actors().iter().enumerate();
        entries.extend(actors.map(|(i, actor)| (actor.name.clone(), Material::Torso(i))));
    }
    if scene.has_people() {
        entries.extend([("left".to_owned(), Material::Left), ("right".to_owned(), Material::Right)]);
    }
    entries
}

fn draw_dot(sheet: &mut Pixmap, middle: Vec2, radius_px: f32, colour: Rgb) {
    let paint = Paint { shader: Shader::SolidColor(colour.with_alpha(1.0)), ..Paint::default() };
    if let Some(path) = PathBuilder::from_circle(middle.x, middle.y, radius_px) {
        sheet.fill_path(&path, &paint, FillRule::Winding, Transform::identity(), None);
    }
}
