//! Separators of fields in tables.

use crate::number::{Comma, Token, general, is_blank};

/// The separator of fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Separator {
    Byte(u8),
    Blanks,
}

impl Separator {
    /// The separator in a line: the first of semicolon, tab and comma that it contains, or blanks.
    pub(crate) fn of(line: &[u8]) -> Self {
        let found = [b';', b'\t', b','].into_iter().find(|byte| line.contains(byte));
        found.map_or(Self::Blanks, Self::Byte)
    }

    /// The fields of a line, without blanks around them.
    pub(crate) fn split(self, line: &[u8]) -> Vec<&[u8]> {
        match self {
            Self::Byte(byte) => {
                let mut fields: Vec<&[u8]> =
                    line.split(|other| *other == byte).map(<[u8]>::trim_ascii).collect();
                // A trailing separator does not start another field.
                fields.pop_if(|last| last.is_empty());
                fields
            }
            Self::Blanks => line.split(|byte| is_blank(*byte)).filter(|field| !field.is_empty()).collect(),
        }
    }

    /// The value of a field that is a number.
    pub(crate) fn number(self, field: &[u8]) -> Option<f64> {
        let comma = if self == Self::Byte(b',') { Comma::Separator } else { Comma::Decimal };
        match general(field, comma) {
            Token::Number(value, length) if length == field.len() => Some(value),
            _ => None,
        }
    }
}
