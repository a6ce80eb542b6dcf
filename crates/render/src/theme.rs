//! The colours of a picture.
//!
//! Left limbs are blue and right limbs vermilion, a pair that can be distinguished under every common kind of colour
//! blindness (the set of Okabe & Ito, "Color Universal Design", 2008); torsos differ in lightness first.

use tiny_skia::Color;

use crate::Background;

/// A colour with channels from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rgb(pub [f32; 3]);

impl Rgb {
    pub(crate) const WHITE: Rgb = Rgb([1.0; 3]);
    pub(crate) const BLACK: Rgb = Rgb([0.0; 3]);

    /// A colour from channels from 0 to 255.
    const fn of(r: u8, g: u8, b: u8) -> Rgb {
        Rgb([r as f32 / 255.0, g as f32 / 255.0, b as f32 / 255.0])
    }

    /// Mixes this colour with a fraction of another.
    pub(crate) fn mix(self, other: Rgb, fraction: f32) -> Rgb {
        let fraction = fraction.clamp(0.0, 1.0);
        Rgb(std::array::from_fn(|i| self.0[i] + (other.0[i] - self.0[i]) * fraction))
    }

    /// The colour as the drawing library represents it.
    pub(crate) fn with_alpha(self, alpha: f32) -> Color {
        let [r, g, b] = self.0;
        Color::from_rgba(r, g, b, alpha.clamp(0.0, 1.0)).unwrap_or(Color::BLACK)
    }
}

/// The material of a piece of a figure, which determines its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Material {
    /// Chest, neck, head and bones without a side, by actor.
    Torso(usize),
    /// Pelvis, slightly darker than the chest, by actor.
    Pelvis(usize),
    /// Left limbs.
    Left,
    /// Right limbs.
    Right,
    /// Joints of a stick figure.
    Dot,
    /// Objects around figures.
    Prop,
}

/// The colours of everything drawn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Theme {
    pub(crate) background: Rgb,
    pub(crate) ink: Rgb,
    pub(crate) faint_ink: Rgb,
    pub(crate) grid: Rgb,
    trail: Rgb,
    pub(crate) outline: Rgb,
    /// Largest darkness of a shadow.
    pub(crate) shadow: f32,
    left: Rgb,
    right: Rgb,
    torsos: [Rgb; 4],
}

const LIGHT: Theme = Theme {
    background: Rgb::of(0xfa, 0xfa, 0xf8),
    ink: Rgb::of(0x22, 0x26, 0x2b),
    faint_ink: Rgb::of(0x6b, 0x71, 0x78),
    grid: Rgb::of(0x9a, 0xa1, 0xa9),
    trail: Rgb::of(0x4d, 0x90, 0x78),
    outline: Rgb::of(0x1b, 0x1e, 0x24),
    shadow: 0.42,
    left: Rgb::of(0x1f, 0x7f, 0xc4),
    right: Rgb::of(0xe0, 0x6a, 0x12),
    torsos: [
        Rgb::of(0xb4, 0xbc, 0xc6),
        Rgb::of(0x7a, 0x62, 0xa3),
        Rgb::of(0xe8, 0xd8, 0x4e),
        Rgb::of(0x3f, 0x9f, 0x7f),
    ],
};

const DARK: Theme = Theme {
    background: Rgb::of(0x28, 0x2c, 0x33),
    ink: Rgb::of(0xec, 0xee, 0xf0),
    faint_ink: Rgb::of(0x9a, 0xa1, 0xaa),
    grid: Rgb::of(0x78, 0x80, 0x8b),
    trail: Rgb::of(0x6f, 0xc9, 0xa8),
    outline: Rgb::of(0x0e, 0x10, 0x13),
    shadow: 0.62,
    left: Rgb::of(0x3d, 0x9b, 0xe0),
    right: Rgb::of(0xf0, 0x7f, 0x2b),
    torsos: [
        Rgb::of(0xc4, 0xcb, 0xd4),
        Rgb::of(0x8f, 0x74, 0xbd),
        Rgb::of(0xf0, 0xe2, 0x5c),
        Rgb::of(0x4f, 0xb8, 0x93),
    ],
};

impl Theme {
    pub(crate) fn of(background: Background) -> Theme {
        match background {
            Background::Light => LIGHT,
            Background::Dark => DARK,
        }
    }

    /// The colour of an actor's trail: that of its torso if there are several actors.
    pub(crate) fn trail(&self, actor: usize, actors: usize) -> Rgb {
        if actors > 1 { self.material(Material::Torso(actor)).mix(self.ink, 0.15) } else { self.trail }
    }

    pub(crate) fn material(&self, material: Material) -> Rgb {
        let torso = |actor: usize| self.torsos[actor % self.torsos.len()];
        match material {
            Material::Torso(actor) => torso(actor),
            Material::Pelvis(actor) => torso(actor).mix(Rgb::BLACK, 0.22),
            Material::Left => self.left,
            Material::Right => self.right,
            Material::Dot => self.faint_ink,
            Material::Prop => self.grid,
        }
    }
}
