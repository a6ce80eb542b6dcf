//! Annotations on the time line of a clip: contacts, named ranges, named instants.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::{MotionError, Result, Role};

/// A range of frames in which a foot stands or a hand holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contact {
    /// The part of the body: a foot, toes, a hand.
    pub role: Role,
    /// The frames of the contact.
    pub frames: Range<usize>,
}

/// The contacts of a clip, sorted by start, then role. Invariants: within the clip; not empty; those of one
/// role do not overlap.
///
/// ```
/// use marey_motion::{Contact, Contacts, Role};
/// let contacts = Contacts::new(vec![
///     Contact { role: Role::RightFoot, frames: 8..20 },
///     Contact { role: Role::LeftFoot, frames: 0..10 },
/// ], 20)?;
/// assert_eq!(contacts.all()[0].role, Role::LeftFoot);
/// assert!(contacts.touches(Role::RightFoot, 8) && !contacts.touches(Role::RightFoot, 7));
/// # Ok::<(), marey_motion::MotionError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Contacts {
    contacts: Vec<Contact>,
}

impl Contacts {
    /// Sorts and checks contacts for a clip of `frames` frames.
    pub fn new(mut contacts: Vec<Contact>, frames: usize) -> Result<Self> {
        contacts.sort_by_key(|c| (c.frames.start, c.role, c.frames.end));
        let mut ends = vec![0; Role::ALL.len()];
        for contact in &contacts {
            check_range(&contact.frames, frames)?;
            let end = &mut ends[contact.role.index()];
            if contact.frames.start < *end {
                return Err(MotionError::Range { start: contact.frames.start, end: *end, frames });
            }
            *end = contact.frames.end;
        }
        Ok(Self { contacts })
    }

    /// All contacts, sorted by start, then role.
    pub fn all(&self) -> &[Contact] {
        &self.contacts
    }

    /// The contacts of one role, in time order.
    pub fn of(&self, role: Role) -> impl Iterator<Item = &Range<usize>> {
        self.contacts.iter().filter(move |c| c.role == role).map(|c| &c.frames)
    }

    /// Whether a role is in contact in a frame.
    pub fn touches(&self, role: Role, frame: usize) -> bool {
        self.of(role).any(|range| range.contains(&frame))
    }
}

/// A named range of frames.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Tag {
    /// First frame.
    pub start: usize,
    /// One past the last.
    pub end: usize,
    /// Name of the range.
    pub name: String,
}

impl Tag {
    /// A tag on a clip of `frames` frames.
    pub fn new(name: impl Into<String>, range: Range<usize>, frames: usize) -> Result<Self> {
        check_range(&range, frames)?;
        Ok(Self { start: range.start, end: range.end, name: name.into() })
    }
}

/// A named instant.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Marker {
    /// The frame.
    pub frame: usize,
    /// Name of the instant.
    pub name: String,
}

impl Marker {
    /// A marker on a clip of `frames` frames.
    pub fn new(name: impl Into<String>, frame: usize, frames: usize) -> Result<Self> {
        check_range(&(frame..frame + 1), frames)?;
        Ok(Self { frame, name: name.into() })
    }
}

/// Checks that a range is not empty and within the clip.
fn check_range(range: &Range<usize>, frames: usize) -> Result<()> {
    if range.is_empty() || range.end > frames {
        return Err(MotionError::Range { start: range.start, end: range.end, frames });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_must_be_within_the_clip_and_disjoint() {
        let left = |frames| Contact { role: Role::LeftFoot, frames };
        assert!(Contacts::new(vec![left(0..3), left(3..5)], 5).is_ok());
        assert!(Contacts::new(vec![left(0..4), left(3..5)], 5).is_err());
        assert!(Contacts::new(vec![left(0..6)], 5).is_err());
        assert!(Contacts::new(vec![left(2..2)], 5).is_err());
        assert!(Tag::new("step", 0..5, 5).is_ok() && Tag::new("step", 5..5, 5).is_err());
        assert!(Marker::new("hit", 4, 5).is_ok() && Marker::new("hit", 5, 5).is_err());
    }
}
