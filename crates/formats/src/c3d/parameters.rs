//! The parameters of a C3D: groups of named arrays.

use std::collections::BTreeMap;

use super::codes;
use super::header::BLOCK;
use super::processor::Processor;
use marey_motion::{Place, Report};

/// Largest number of records: a hundred times more than any program writes.
const MOST_RECORDS: usize = 20_000;

/// One array.
#[derive(Debug)]
struct Parameter<'a> {
    kind: Kind,
    /// For texts, the first dimension is the length of each.
    dims: &'a [u8],
    data: &'a [u8],
}

/// The type of an array's elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Byte,
    Word,
    Float,
}

impl Kind {
    fn of(byte: i8) -> Option<Self> {
        match byte {
            -1 => Some(Self::Text),
            1 => Some(Self::Byte),
            2 => Some(Self::Word),
            4 => Some(Self::Float),
            _ => None,
        }
    }

    fn bytes(self) -> usize {
        match self {
            Self::Text | Self::Byte => 1,
            Self::Word => 2,
            Self::Float => 4,
        }
    }
}

/// All parameters of a file. Names are compared without case.
#[derive(Debug)]
pub(super) struct Parameters<'a> {
    processor: Processor,
    /// The number and name of each group, in the order of the file.
    groups: Vec<(i8, &'a [u8])>,
    /// By the number of the group and the name in upper case. The first of two duplicates is kept.
    arrays: BTreeMap<(i8, Vec<u8>), Parameter<'a>>,
}

impl<'a> Parameters<'a> {
    /// Reads records from a block on, up to the first invalid one. Each record points to the next; only forward pointers are valid,
    /// so that reading ends.
    pub(super) fn read(bytes: &'a [u8], block: usize, processor: Processor, report: &mut Report) -> Self {
        let mut found = Self { processor, groups: Vec::new(), arrays: BTreeMap::new() };
        let mut records = 0;
        let mut at = (block - 1) * BLOCK + 4;
        while let Some([length, group, ..]) = bytes.get(at..) {
            let (length, group) = (length.cast_signed(), group.cast_signed());
            if length == 0 || group == 0 {
                break;
            }
            records += 1;
            let record = found.record(bytes, at, usize::from(length.unsigned_abs()), group);
            match record.filter(|_| records <= MOST_RECORDS) {
                Some(0) => break,
                Some(next) => at = next,
                None => {
                    let message = format!("the parameter at byte {at} is invalid, or there are too many");
                    report.warn(&codes::PARAMETERS, Place::default(), message);
                    break;
                }
            }
        }
        found
    }

    /// Reads one record and returns the offset of the next one, or 0 if it is the last.
    fn record(&mut self, bytes: &'a [u8], at: usize, length: usize, group: i8) -> Option<usize> {
        let name = bytes.get(at + 2..at + 2 + length)?;
        let link = at + 2 + length;
        let step = usize::from(self.processor.word_at(bytes, link)?);
        if group < 0 {
            let group = group.checked_neg()?;
            if self.groups.iter().all(|(other, _)| *other != group) {
                self.groups.push((group, name));
            }
        } else {
            let body = bytes.get(link + 2..)?;
            let (&kind, body) = body.split_first()?;
            let (&count, body) = body.split_first()?;
            let (dims, body) = body.split_at_checked(count.into())?;
            let kind = Kind::of(kind.cast_signed())?;
            let items = dims.iter().fold(1usize, |items, &dim| items.saturating_mul(dim.into()));
            let data = body.get(..items.saturating_mul(kind.bytes()))?;
            let key = (group, name.trim_ascii().to_ascii_uppercase());
            self.arrays.entry(key).or_insert(Parameter { kind, dims, data });
        }
        match step {
            0 => Some(0),
            1 => None,
            step => Some(link + step),
        }
    }

    fn find(&self, group: &str, name: &str) -> Option<&Parameter<'a>> {
        let is_group = |text: &[u8]| text.trim_ascii().eq_ignore_ascii_case(group.as_bytes());
        let mut groups = self.groups.iter().filter(|(_, text)| is_group(text));
        groups.find_map(|(id, _)| self.arrays.get(&(*id, name.to_ascii_uppercase().into_bytes())))
    }

    /// The parameters NAME, NAME2, NAME3 …, because one parameter holds at most 255 items.
    fn find_all(&self, group: &str, name: &str) -> impl Iterator<Item = &Parameter<'a>> {
        let later = (2..).map_while(move |number| self.find(group, &format!("{name}{number}")));
        self.find(group, name).into_iter().chain(later)
    }

    /// The numbers of a parameter and its continuations. Empty if it does not exist.
    pub(super) fn numbers(&self, group: &str, name: &str) -> Vec<f64> {
        self.find_all(group, name).flat_map(|parameter| self.values(parameter)).collect()
    }

    /// The first number of a parameter.
    pub(super) fn number(&self, group: &str, name: &str) -> Option<f64> {
        self.values(self.find(group, name)?).next()
    }

    /// The first number of a parameter as an unsigned count, up to 65,535.
    pub(super) fn count(&self, group: &str, name: &str) -> Option<usize> {
        let value = self.number(group, name)?;
        let value = if (-32768.0..0.0).contains(&value) { value + 65536.0 } else { value };
        (0.0..1e15).contains(&value).then_some(value as usize)
    }

    /// Two words as one number, the lower word first.
    pub(super) fn long(&self, group: &str, name: &str) -> Option<usize> {
        let parameter = self.find(group, name).filter(|parameter| parameter.kind == Kind::Word)?;
        let low = self.processor.word_at(parameter.data, 0)?;
        let high = self.processor.word_at(parameter.data, 2).unwrap_or(0);
        Some(usize::from(high) << 16 | usize::from(low))
    }

    fn values(&self, parameter: &Parameter<'a>) -> impl Iterator<Item = f64> + use<'a> {
        let (processor, kind) = (self.processor, parameter.kind);
        parameter.data.chunks_exact(kind.bytes()).filter_map(move |chunk| match kind {
            Kind::Text => None,
            Kind::Byte => chunk.first().map(|byte| f64::from(*byte)),
            Kind::Word => processor.word_at(chunk, 0).map(|word| f64::from(word.cast_signed())),
            Kind::Float => processor.float_at(chunk, 0).map(f64::from),
        })
    }

    /// The trimmed texts of a parameter and its continuations. Empty if it does not exist.
    pub(super) fn texts(&self, group: &str, name: &str) -> Vec<&'a [u8]> {
        let texts = self.find_all(group, name).filter(|parameter| parameter.kind == Kind::Text);
        texts.flat_map(texts_of).collect()
    }

    /// The first text of a parameter, trimmed.
    pub(super) fn text(&self, group: &str, name: &str) -> Option<&'a [u8]> {
        self.texts(group, name).first().copied()
    }

    /// The groups with content, except the known ones, in the order of the file.
    pub(super) fn groups_except(&self, known: &[&str]) -> Vec<&'a [u8]> {
        let is_known = |name: &[u8]| known.iter().any(|known| name.eq_ignore_ascii_case(known.as_bytes()));
        let holds = |id: i8| self.arrays.keys().any(|(group, _)| *group == id);
        let groups = self.groups.iter().map(|(id, name)| (*id, name.trim_ascii()));
        groups.filter(|(id, name)| !is_known(name) && holds(*id)).map(|(_, name)| name).collect()
    }
}

/// The texts of an array. Zero bytes are blanks.
fn texts_of<'a>(parameter: &Parameter<'a>) -> impl Iterator<Item = &'a [u8]> + use<'a> {
    let letters = parameter.dims.first().copied().unwrap_or(1);
    parameter.data.chunks_exact(usize::from(letters).max(1)).map(|text| {
        let end = text.iter().position(|byte| *byte == 0).unwrap_or(text.len());
        text.get(..end).unwrap_or_default().trim_ascii()
    })
}
