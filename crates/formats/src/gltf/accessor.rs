//! Reads numbers from buffers through accessors.

use marey_motion::Place;

use super::budget::Budget;
use super::buffers::Buffers;
use super::codes;
use super::document::{Accessor, Document, Sparse};
use crate::FormatsError;

/// The component type of an accessor.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn of(code: u32) -> Option<Self> {
        Some(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    fn bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// The number, and the largest number of the type.
    fn number(self, bytes: &[u8]) -> Option<(f64, f64)> {
        Some(match self {
            Self::I8 => (i8::from_le_bytes(bytes.try_into().ok()?).into(), i8::MAX.into()),
            Self::U8 => (u8::from_le_bytes(bytes.try_into().ok()?).into(), u8::MAX.into()),
            Self::I16 => (i16::from_le_bytes(bytes.try_into().ok()?).into(), i16::MAX.into()),
            Self::U16 => (u16::from_le_bytes(bytes.try_into().ok()?).into(), u16::MAX.into()),
            Self::U32 => (u32::from_le_bytes(bytes.try_into().ok()?).into(), u32::MAX.into()),
            Self::F32 => (f32::from_le_bytes(bytes.try_into().ok()?).into(), 1.0),
        })
    }

    /// The number as a float. Normalised integers are divided by the largest one, and are at least −1.
    fn value(self, bytes: &[u8], normalised: bool) -> Option<f32> {
        let (number, largest) = self.number(bytes)?;
        let is_fraction = normalised && self != Self::F32;
        Some(if is_fraction { (number / largest).max(-1.0) as f32 } else { number as f32 })
    }
}

/// Reads accessors of one file.
pub(super) struct Numbers<'a> {
    pub(super) document: &'a Document,
    pub(super) buffers: Buffers<'a>,
    pub(super) budget: Budget,
}

/// The required type of an accessor's elements.
#[derive(Debug, Clone, Copy)]
pub(super) struct ElementType {
    pub(super) kind: &'static str,
    pub(super) components: usize,
    /// Whether integers are normalised regardless of the file, as in rotations.
    pub(super) is_normalised: bool,
}

pub(super) const SCALARS: ElementType = ElementType { kind: "SCALAR", components: 1, is_normalised: false };
pub(super) const VECTORS: ElementType = ElementType { kind: "VEC3", components: 3, is_normalised: false };
pub(super) const ROTATIONS: ElementType = ElementType { kind: "VEC4", components: 4, is_normalised: true };
/// Joints of vertices, as indices into their skin.
pub(super) const JOINTS: ElementType = ElementType { kind: "VEC4", components: 4, is_normalised: false };
/// Weights of these joints.
pub(super) const WEIGHTS: ElementType = ElementType { kind: "VEC4", components: 4, is_normalised: true };
pub(super) const MATRICES: ElementType = ElementType { kind: "MAT4", components: 16, is_normalised: false };

impl Numbers<'_> {
    /// All numbers of an accessor, element by element.
    pub(super) fn read(&mut self, index: usize, wanted: ElementType) -> Result<Vec<f32>, FormatsError> {
        let Some(accessor) = self.document.accessors.get(index) else {
            let message = format!("accessor {index} does not exist");
            return Err(FormatsError::refused(&codes::INDEX, Place::default(), message));
        };
        let wrong = |problem: String| {
            FormatsError::refused(&codes::ACCESSOR, Place::default(), format!("accessor {index}: {problem}"))
        };
        let component = Component::of(accessor.component_type).filter(|_| accessor.kind == wanted.kind);
        let Some(component) = component else {
            let (found, code) = (&accessor.kind, accessor.component_type);
            return Err(wrong(format!("{found} of {code}; {} expected", wanted.kind)));
        };
        self.budget.take(accessor.count, wanted.components * size_of::<f32>(), "an accessor")?;
        let layout = Layout {
            component,
            components: wanted.components,
            normalised: accessor.normalized || wanted.is_normalised,
        };
        let mut values = match accessor.buffer_view {
            None => vec![0.0; accessor.count * wanted.components],
            Some(view) => {
                let (bytes, stride) = self.buffers.view(view, &mut self.budget)?;
                let stride = stride.unwrap_or(layout.bytes());
                layout.read(bytes, accessor.byte_offset, stride, accessor.count).ok_or_else(|| {
                    let (count, bytes) = (accessor.count, bytes.len());
                    wrong(format!("{count} elements exceed the {bytes} bytes of its buffer view"))
                })?
            }
        };
        if let Some(sparse) = &accessor.sparse {
            let filled = self.fill(accessor, sparse, layout, &mut values)?;
            filled.ok_or_else(|| wrong("its sparse values exceed their buffer view".into()))?;
        }
        Ok(values)
    }

    /// Applies the values of a sparse accessor. `None` if they do not fit.
    fn fill(
        &mut self,
        accessor: &Accessor,
        sparse: &Sparse,
        layout: Layout,
        values: &mut [f32],
    ) -> Result<Option<()>, FormatsError> {
        if sparse.count > accessor.count {
            return Ok(None);
        }
        self.budget.take(sparse.count, (layout.components + 1) * size_of::<f32>(), "a sparse accessor")?;
        let Some(kind) = Component::of(sparse.indices.component_type) else { return Ok(None) };
        let index = Layout { component: kind, components: 1, normalised: false };
        let (bytes, _) = self.buffers.view(sparse.indices.buffer_view, &mut self.budget)?;
        let whole = |bytes: &[u8]| Some(kind.number(bytes)?.0 as usize);
        let places = index.each(bytes, sparse.indices.byte_offset, index.bytes(), sparse.count, whole);
        let Some(places) = places else { return Ok(None) };
        let (bytes, _) = self.buffers.view(sparse.values.buffer_view, &mut self.budget)?;
        let read = layout.read(bytes, sparse.values.byte_offset, layout.bytes(), sparse.count);
        let Some(others) = read else { return Ok(None) };
        for (place, other) in places.into_iter().zip(others.chunks_exact(layout.components)) {
            let Some(slot) = values.chunks_exact_mut(layout.components).nth(place) else { return Ok(None) };
            slot.copy_from_slice(other);
        }
        Ok(Some(()))
    }
}

/// The layout of elements in a buffer.
#[derive(Debug, Clone, Copy)]
struct Layout {
    component: Component,
    components: usize,
    normalised: bool,
}

impl Layout {
    fn bytes(self) -> usize {
        self.component.bytes() * self.components
    }

    /// Reads elements with a stride. `None` if they do not fit.
    fn read(self, bytes: &[u8], offset: usize, stride: usize, count: usize) -> Option<Vec<f32>> {
        self.each(bytes, offset, stride, count, |number| self.component.value(number, self.normalised))
    }

    /// The same, with a conversion for each number.
    fn each<T>(
        self,
        bytes: &[u8],
        offset: usize,
        stride: usize,
        count: usize,
        value: impl Fn(&[u8]) -> Option<T>,
    ) -> Option<Vec<T>> {
        let last = count.saturating_sub(1).checked_mul(stride)?.checked_add(offset)?;
        let end = last.checked_add(self.bytes())?;
        if count > 0 && (end > bytes.len() || stride == 0) {
            return None;
        }
        let mut values = Vec::with_capacity(count * self.components);
        for element in 0..count {
            let start = offset + element * stride;
            let element = bytes.get(start..start + self.bytes())?;
            for number in element.chunks_exact(self.component.bytes()) {
                values.push(value(number)?);
            }
        }
        Some(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_normalised_by_their_largest() {
        assert_eq!(Component::I8.value(&[0x80], true), Some(-1.0));
        assert_eq!(Component::I16.value(&32767i16.to_le_bytes(), true), Some(1.0));
        assert_eq!(Component::U8.value(&[51], true), Some(0.2));
        assert_eq!(Component::U16.value(&[1, 0], false), Some(1.0));
        assert_eq!(Component::F32.value(&2.5f32.to_le_bytes(), true), Some(2.5));
        assert_eq!(Component::F32.value(&[0], true), None);
    }

    #[test]
    fn strides_and_bounds_are_checked() {
        let layout = Layout { component: Component::U8, components: 2, normalised: false };
        let bytes = [9, 1, 2, 9, 3, 4];
        assert_eq!(layout.read(&bytes, 1, 3, 2), Some(vec![1.0, 2.0, 3.0, 4.0]));
        assert_eq!(layout.read(&bytes, 1, 3, 3), None);
        assert_eq!(layout.read(&bytes, 1, 0, 2), None);
        assert_eq!(layout.read(&bytes, usize::MAX, 3, 2), None);
        assert_eq!(layout.read(&bytes, 0, 2, 0), Some(vec![]));
    }
}
