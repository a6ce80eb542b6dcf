//! Buffers: in the GLB, in a data URI, or in a file beside it. They are opened on demand.

use std::borrow::Cow;
use std::collections::BTreeMap;

use marey_motion::{Code, Place};

use super::budget::Budget;
use super::document::{Buffer, BufferView, Document};
use super::{base64, codes};
use crate::{FormatsError, Neighbours};

/// All buffers of a file.
pub(super) struct Buffers<'a> {
    document: &'a Document,
    bin: Option<&'a [u8]>,
    neighbours: &'a dyn Neighbours,
    open: BTreeMap<usize, Cow<'a, [u8]>>,
}

impl<'a> Buffers<'a> {
    pub(super) fn new(document: &'a Document, bin: Option<&'a [u8]>, neighbours: &'a dyn Neighbours) -> Self {
        Self { document, bin, neighbours, open: BTreeMap::new() }
    }

    /// The bytes of a buffer view, and its stride.
    pub(super) fn view(
        &mut self,
        index: usize,
        budget: &mut Budget,
    ) -> Result<(&[u8], Option<usize>), FormatsError> {
        let Some(view) = self.document.buffer_views.get(index) else {
            return refuse(&codes::INDEX, format!("buffer view {index} does not exist"));
        };
        let whole = self.buffer(view, budget)?;
        let end = view.byte_offset.checked_add(view.byte_length);
        match end.and_then(|end| whole.get(view.byte_offset..end)) {
            Some(bytes) => Ok((bytes, view.byte_stride)),
            None => {
                let (from, length, all) = (view.byte_offset, view.byte_length, whole.len());
                let message =
                    format!("buffer view {index}: {length} bytes from {from} exceed its buffer of {all}");
                refuse(&codes::ACCESSOR, message)
            }
        }
    }

    fn buffer(&mut self, view: &BufferView, budget: &mut Budget) -> Result<&[u8], FormatsError> {
        let index = view.buffer;
        if !self.open.contains_key(&index) {
            let Some(buffer) = self.document.buffers.get(index) else {
                return refuse(&codes::INDEX, format!("buffer {index} does not exist"));
            };
            let content = self.load(index, buffer, budget)?;
            match content {
                Some(content) => self.open.insert(index, content),
                None if view.extensions.meshopt.is_some() => {
                    return refuse(
                        &codes::COMPRESSED,
                        "compressed by EXT_meshopt_compression, without an uncompressed copy",
                    );
                }
                None => return refuse(&codes::BUFFER, format!("buffer {index} has no content")),
            };
        }
        Ok(self.open.get(&index).map_or(&[], |content| content))
    }

    /// The content of a buffer, if it has one.
    fn load(
        &self,
        index: usize,
        buffer: &Buffer,
        budget: &mut Budget,
    ) -> Result<Option<Cow<'a, [u8]>>, FormatsError> {
        let content = match &buffer.uri {
            None => match self.bin.filter(|_| index == 0) {
                Some(bin) => Cow::Borrowed(bin),
                None => return Ok(None),
            },
            Some(uri) => match uri.strip_prefix("data:") {
                Some(data) => {
                    budget.take(data.len(), 1, "a data URI")?;
                    Cow::Owned(data_of(data).ok_or_else(|| {
                        refusal(&codes::BUFFER, format!("the data URI of buffer {index} is not base64"))
                    })?)
                }
                None => {
                    let Some(name) = percent_decoded(uri) else {
                        return refuse(
                            &codes::BUFFER,
                            format!("the URI of buffer {index} is not a file name"),
                        );
                    };
                    Cow::Owned(self.neighbours.open(&name)?)
                }
            },
        };
        // Bytes beyond the declared length are padding. A few missing bytes may be unused.
        match content {
            Cow::Borrowed(bytes) => Ok(Some(Cow::Borrowed(bytes.get(..buffer.byte_length).unwrap_or(bytes)))),
            Cow::Owned(mut bytes) => {
                bytes.truncate(buffer.byte_length);
                Ok(Some(Cow::Owned(bytes)))
            }
        }
    }
}

/// The content of a data URI, after its `data:`.
pub(super) fn data_of(uri: &str) -> Option<Vec<u8>> {
    let (header, data) = uri.split_once(',')?;
    header.ends_with(";base64").then(|| base64::decode(data.trim_ascii().as_bytes()))?
}

/// Decodes percent-encoding in a URI.
pub(super) fn percent_decoded(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut parts = uri.split('%');
    bytes.extend_from_slice(parts.next()?.as_bytes());
    for part in parts {
        let digits = part.get(..2).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        bytes.extend_from_slice(part.get(2..)?.as_bytes());
    }
    String::from_utf8(bytes).ok()
}

fn refusal(code: &'static Code, message: impl Into<String>) -> FormatsError {
    FormatsError::refused(code, Place::default(), message)
}

fn refuse<T>(code: &'static Code, message: impl Into<String>) -> Result<T, FormatsError> {
    Err(refusal(code, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_encoding_is_decoded() {
        assert_eq!(percent_decoded("a%20b%C3%BC.bin").as_deref(), Some("a bü.bin"));
        for bad in ["%", "%2", "%zz", "%+1", "%ff"] {
            assert_eq!(percent_decoded(bad), None, "{bad}");
        }
    }
}
