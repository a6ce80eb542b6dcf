//! Frames of takes that cannot be used.
//!
//! They are tags of a reserved name, so that a person can add, move and remove them like any other tag.

use std::ops::Range;

use marey_motion::Tag;
use marey_ops::cleaning::united;
use rusqlite::Transaction;

use crate::annotations::write;
use crate::corpus::Change;
use crate::{Annotation, AnnotationContent, Corpus, Maker, Result, TakeId};

/// The name of tags on frames that cannot be used: no segment is made of them, and no verb uses a segment over them.
pub const UNUSABLE_TAG: &str = "unusable";

impl Corpus {
    /// The frames of a take that cannot be used: those with the tag [`UNUSABLE_TAG`], in order.
    pub fn unusable(&self, take: TakeId) -> Result<Vec<Range<usize>>> {
        let tags = self.annotations(take)?.into_iter().filter_map(|annotation| match annotation.what {
            AnnotationContent::Tag(tag) if tag.name == UNUSABLE_TAG => Some(tag.start..tag.end),
            _ => None,
        });
        Ok(united(tags.collect()))
    }
}

/// Tags frames as unusable, as the import does.
pub(crate) fn mark(
    transaction: &Transaction<'_>,
    take: TakeId,
    ranges: &[Range<usize>],
) -> std::result::Result<(), Change> {
    for Range { start, end } in ranges.iter().cloned() {
        let what = AnnotationContent::Tag(Tag { start, end, name: UNUSABLE_TAG.into() });
        write(transaction, &Annotation { take, what, maker: Maker::method("import") })?;
    }
    Ok(())
}
