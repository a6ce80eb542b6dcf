//! The text of a layer.

use std::fmt::{self, Display, Write};

use glam::{DMat4, Quat, Vec3};

/// A layer that is being written.
#[derive(Debug, Default)]
pub(super) struct Layer {
    text: String,
    depth: usize,
}

impl Layer {
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.text.into_bytes()
    }

    pub(super) fn line(&mut self, line: &str) {
        self.indent();
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Indents what is written inside.
    pub(super) fn inside(&mut self, write: impl FnOnce(&mut Self)) {
        self.depth += 1;
        write(self);
        self.depth -= 1;
    }

    /// A prim with its type, name and metadata.
    pub(super) fn prim(
        &mut self,
        kind: &str,
        name: &str,
        metadata: &[String],
        content: impl FnOnce(&mut Self),
    ) {
        self.line(&format!("def {kind} \"{name}\" ("));
        self.inside(|layer| metadata.iter().for_each(|line| layer.line(line)));
        self.line(")");
        self.line("{");
        self.inside(content);
        self.line("}");
    }

    /// An attribute with a list of values.
    pub(super) fn list<T: Display>(&mut self, attribute: &str, values: impl Iterator<Item = T>) {
        self.start_list(attribute, values);
        self.text.push('\n');
    }

    /// An attribute with `size` values for each vertex.
    pub(super) fn vertex_list<T: Display>(
        &mut self,
        attribute: &str,
        size: usize,
        values: impl Iterator<Item = T>,
    ) {
        self.start_list(attribute, values);
        self.text.push_str(" (\n");
        self.inside(|layer| {
            if size > 1 {
                layer.line(&format!("elementSize = {size}"));
            }
            layer.line("interpolation = \"vertex\"");
        });
        self.line(")");
    }

    fn start_list<T: Display>(&mut self, attribute: &str, values: impl Iterator<Item = T>) {
        self.indent();
        self.text.push_str(attribute);
        self.text.push_str(" = ");
        self.values(values);
    }

    /// An attribute with a list of values at each time code from 0.
    pub(super) fn samples<T: Display, I: Iterator<Item = T>>(
        &mut self,
        attribute: &str,
        frames: impl Iterator<Item = I>,
    ) {
        self.line(&format!("{attribute}.timeSamples = {{"));
        for (frame, values) in frames.enumerate() {
            self.depth += 1;
            self.indent();
            self.depth -= 1;
            self.text.push_str(&format!("{frame}: "));
            self.values(values);
            self.text.push_str(",\n");
        }
        self.line("}");
    }

    fn values<T: Display>(&mut self, values: impl Iterator<Item = T>) {
        self.text.push('[');
        for (index, value) in values.enumerate() {
            let separator = if index > 0 { ", " } else { "" };
            // Writing to a string cannot fail.
            let _ = write!(self.text, "{separator}{value}");
        }
        self.text.push(']');
    }

    fn indent(&mut self) {
        self.text.extend(std::iter::repeat_n("    ", self.depth));
    }
}

/// Text in quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            // Neither line ends nor other control characters may stand in a string.
            letter if letter.is_control() => quoted.push('_'),
            letter => quoted.push(letter),
        }
    }
    quoted + "\""
}

/// A vector as text.
pub(super) struct Vector(pub(super) Vec3);

impl Display for Vector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Vec3 { x, y, z } = self.0;
        write!(f, "({x}, {y}, {z})")
    }
}

/// A rotation as text, the real part first.
pub(super) struct Rotation(pub(super) Quat);

impl Display for Rotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z, w] = self.0.to_array();
        write!(f, "({w}, {x}, {y}, {z})")
    }
}

/// A matrix as text. USD multiplies rows with matrices, so that its rows are our columns.
pub(super) struct Matrix(pub(super) DMat4);

impl Display for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |[x, y, z, w]: [f64; 4]| format!("({x}, {y}, {z}, {w})");
        write!(f, "({})", self.0.to_cols_array_2d().map(row).join(", "))
    }
}
