//! Reads skeleton files: sections that start with a keyword, in any order.

use glam::DVec3;
use marey_motion::Place;

use super::bone::{self, Axes, Bone, Dropped, MAX_LENGTH};
use super::codes;
use super::dof::{Dof, Order};
use super::scan::{Scanner, is_gap, is_word, line_length, short};
use crate::FormatsError;
use crate::text::is_line_end;

/// The content of a skeleton file.
#[derive(Debug)]
pub(super) struct Asf<'a> {
    /// The skeleton's name; may be empty.
    pub(super) name: String,
    pub(super) root: Root,
    pub(super) bones: Vec<Bone>,
    pub(super) links: Vec<Link<'a>>,
    /// Radians per unit of angle.
    pub(super) radians_per_unit: f64,
}

/// The content of the section `:root`.
#[derive(Debug)]
pub(super) struct Root {
    /// The values of the root in every frame, in order.
    pub(super) order: Vec<Dof>,
    pub(super) position: DVec3,
    pub(super) orientation: Axes,
    /// Its offset in the text.
    pub(super) at: usize,
}

/// A parent-child relation between bones, or between the root and a bone.
#[derive(Debug)]
pub(super) struct Link<'a> {
    pub(super) parent: &'a [u8],
    pub(super) child: &'a [u8],
    /// Offset of the child's name in the text.
    pub(super) at: usize,
}

/// Radians per degree.
pub(super) const DEGREE: f64 = std::f64::consts::PI / 180.0;

struct Parser<'s, 'a> {
    scan: &'s mut Scanner<'a>,
    asf: Asf<'a>,
    has_order: bool,
    dropped: Dropped,
}

/// Reads a skeleton file.
pub(super) fn read<'a>(scan: &mut Scanner<'a>) -> Result<Asf<'a>, FormatsError> {
    check_lines(scan)?;
    let root = Root { order: Dof::OF_ROOT.into(), position: DVec3::ZERO, orientation: Axes::GLOBAL, at: 0 };
    let asf =
        Asf { name: String::new(), root, bones: Vec::new(), links: Vec::new(), radians_per_unit: DEGREE };
    let mut parser = Parser { scan, asf, has_order: false, dropped: Dropped::default() };
    parser.run()?;
    parser.finish()
}

fn check_lines(scan: &Scanner<'_>) -> Result<(), FormatsError> {
    let mut start = 0;
    for line in scan.text.split(|byte| is_line_end(*byte)) {
        scan.check_line(start, line.len())?;
        start += line.len() + 1;
    }
    Ok(())
}

impl<'a> Parser<'_, 'a> {
    /// Reads section by section.
    fn run(&mut self) -> Result<(), FormatsError> {
        loop {
            let word = self.scan.word();
            let at = self.scan.at - word.len();
            match word {
                b"" => return Ok(()),
                w if is_word(w, ":version") => self.scan.skip_line(),
                w if is_word(w, ":name") => self.name(),
                w if is_word(w, ":units") => self.units()?,
                w if is_word(w, ":documentation") => self.documentation(),
                w if is_word(w, ":root") => self.root(at)?,
                w if is_word(w, ":bonedata") => self.bones()?,
                w if is_word(w, ":hierarchy") => self.hierarchy(at),
                w if is_word(w, ":skin") => self.skins(),
                _ => self.scan.skip_unknown(word, at),
            }
        }
    }

    fn finish(mut self) -> Result<Asf<'a>, FormatsError> {
        let end = self.scan.text.len();
        if self.asf.bones.is_empty() {
            return self.scan.notes.refuse(&codes::NO_BONES, end, "the file has no bones");
        }
        if self.asf.links.is_empty() {
            return self.scan.notes.refuse(&codes::NO_HIERARCHY, end, "the file has no hierarchy");
        }
        if !self.has_order {
            let message = || "the root has no order; TX TY TZ RX RY RZ was assumed".into();
            self.scan.notes.warn(&codes::MISSING_FIELD, self.asf.root.at, message);
        }
        self.report_dropped();
        Ok(self.asf)
    }

    fn report_dropped(&mut self) {
        let Dropped { limits, masses, skins } = self.dropped;
        let parts = [(limits, "limits of bones"), (masses, "masses of bones"), (skins, "skin files")];
        let listed: Vec<String> = parts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{what} ({count})"))
            .collect();
        let message = listed.join(", ");
        self.scan.notes.report.warn_many(&codes::NOT_KEPT, Place::default(), listed.len().min(1), message);
    }

    fn name(&mut self) {
        let at = self.scan.at;
        let line = self.scan.rest();
        let line = line.get(..line_length(line)).unwrap_or_default();
        let text = line.split(|byte| *byte == b'#').next().unwrap_or_default();
        self.asf.name = self.scan.name(text.trim_ascii(), at);
        self.scan.skip_line();
    }

    fn units(&mut self) -> Result<(), FormatsError> {
        while let Some(word) = self.scan.word_in_section() {
            let at = self.scan.at - word.len();
            if is_word(word, "angle") {
                let unit = self.scan.word_in_line().unwrap_or_default();
                self.asf.radians_per_unit = match unit {
                    w if is_word(w, "deg") || is_word(w, "degrees") => DEGREE,
                    w if is_word(w, "rad") || is_word(w, "radians") => 1.0,
                    _ => {
                        let message = format!("the unit of angles is {:?}", short(unit));
                        return self.scan.notes.refuse(&codes::ANGLE_UNIT, at, message);
                    }
                };
            } else if is_word(word, "mass") || is_word(word, "length") {
                // Ignored: see the module documentation.
                self.scan.numbers::<1>("a unit")?;
            } else {
                self.scan.skip_unknown(word, at);
            }
        }
        Ok(())
    }

    /// Skips lines up to one that starts with a colon.
    fn documentation(&mut self) {
        loop {
            self.scan.skip_line();
            let rest = self.scan.rest();
            self.scan.at += rest.iter().take_while(|byte| is_gap(**byte)).count();
            if matches!(self.scan.rest().first(), None | Some(b':')) {
                return;
            }
        }
    }

    fn root(&mut self, at: usize) -> Result<(), FormatsError> {
        self.asf.root.at = at;
        while let Some(word) = self.scan.word_in_section() {
            let at = self.scan.at - word.len();
            match word {
                w if is_word(w, "order") => {
                    self.asf.root.order = bone::dofs_in_line(self.scan)?;
                    if self.asf.root.order.contains(&Dof::Length) {
                        return self.scan.notes.refuse(&codes::DOF, at, "the root cannot have a length");
                    }
                    self.has_order = true;
                }
                w if is_word(w, "axis") => {
                    let word = self.scan.word_in_line();
                    self.asf.root.orientation.order =
                        word.map_or(Ok(Order::XYZ), |word| bone::order_of(self.scan, word))?;
                }
                w if is_word(w, "position") => {
                    let position = DVec3::from(self.scan.numbers("a position")?);
                    if position.abs().max_element() > MAX_LENGTH {
                        return self.scan.notes.refuse(
                            &codes::OUT_OF_RANGE,
                            at,
                            format!("the position is {position}"),
                        );
                    }
                    self.asf.root.position = position;
                }
                w if is_word(w, "orientation") => {
                    self.asf.root.orientation.angles = self.scan.numbers("an orientation")?.into();
                }
                _ => self.scan.skip_unknown(word, at),
            }
        }
        Ok(())
    }

    fn bones(&mut self) -> Result<(), FormatsError> {
        while let Some(word) = self.scan.word_in_section() {
            let at = self.scan.at - word.len();
            if !is_word(word, "begin") {
                self.scan.skip_unknown(word, at);
                continue;
            }
            // The root is a joint too.
            let limit = self.scan.limits.joints;
            if self.asf.bones.len() + 1 >= limit {
                return self.scan.notes.refuse(&codes::LIMIT, at, format!("more than {limit} joints"));
            }
            self.asf.bones.push(bone::read(self.scan, at, &mut self.dropped)?);
        }
        Ok(())
    }

    /// Reads the hierarchy: each line names a parent and its children.
    fn hierarchy(&mut self, at: usize) {
        let mut is_open = false;
        while let Some(word) = self.scan.word_in_section() {
            if is_word(word, "begin") {
                is_open = true;
            } else if is_word(word, "end") {
                return;
            } else {
                while let Some(child) = self.scan.word_in_line() {
                    let at = self.scan.at - child.len();
                    self.asf.links.push(Link { parent: word, child, at });
                }
            }
        }
        if is_open {
            self.scan.notes.warn(&codes::UNCLOSED, at, || "the end of the hierarchy is missing".into());
        }
    }

    fn skins(&mut self) {
        while self.scan.word_in_section().is_some() {
            self.scan.skip_line();
            self.dropped.skins += 1;
        }
    }
}
