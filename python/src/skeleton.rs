//! `marey.Skeleton`.

use std::sync::Arc;

use marey::codes;
use marey::motion::{Joint, Role, Skeleton, Vec3};
use pyo3::prelude::*;

use crate::arrays::{numbers, owned};
use crate::error::{coded, refused};

/// A skeleton: a tree of joints with names, rest pose and roles.
///
/// Parents come before children. The first joint is the root; its parent is -1. Lengths are in metres, Y is up, and the rest pose
/// faces +Z.
#[pyclass(name = "Skeleton", module = "marey", frozen, eq, from_py_object)]
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PySkeleton(pub(crate) Arc<Skeleton>);

#[pymethods]
impl PySkeleton {
    /// Creates a skeleton from the names of its joints, the index of each joint's parent (-1 for the root), the offset of each joint
    /// from its parent in metres (joints × 3), and roles by joint name.
    #[new]
    #[pyo3(signature = (names, parents, offsets, roles = None))]
    fn new(
        py: Python<'_>,
        names: Vec<String>,
        parents: Vec<i64>,
        offsets: &Bound<'_, PyAny>,
        roles: Option<std::collections::BTreeMap<String, String>>,
    ) -> PyResult<Self> {
        let (offsets, _) = numbers("offsets", offsets, &[Some(names.len()), Some(3)])?;
        if parents.len() != names.len() {
            let message = format!("{} parents for {} joints", parents.len(), names.len());
            return Err(refused(py, &codes::PYTHON_ARRAY, message));
        }
        let mut roles = roles.unwrap_or_default();
        let mut joints = Vec::new();
        for ((name, parent), offset) in names.into_iter().zip(parents).zip(offsets.chunks_exact(3)) {
            let role = roles.remove(&name);
            // `Skeleton::new` rejects an index that is too large.
            let parent = usize::try_from(parent).ok();
            let mut joint = Joint::new(name, parent, Vec3::from_slice(offset));
            if let Some(role) = role {
                let role: Role = role
                    .parse()
                    .map_err(|message: String| refused(py, &marey::motion::codes::NOT_A_ROLE, message))?;
                joint = joint.with_role(role);
            }
            joints.push(joint);
        }
        if let Some(unknown) = roles.keys().next() {
            let message = format!("roles names {unknown:?}, but no joint has that name");
            return Err(refused(py, &marey::motion::codes::NOT_A_ROLE, message));
        }
        Ok(Self(Arc::new(Skeleton::new(joints, vec![]).map_err(|error| coded(py, error))?)))
    }

    /// The names of the joints.
    #[getter]
    fn names(&self) -> Vec<&str> {
        self.0.joints().iter().map(|joint| joint.name.as_str()).collect()
    }

    /// The index of each joint's parent; -1 for the root.
    #[getter]
    fn parents(&self) -> Vec<i64> {
        self.0.joints().iter().map(|joint| joint.parent.map_or(-1, |parent| parent as i64)).collect()
    }

    /// The offset of each joint from its parent in the rest pose, in metres: joints × 3.
    #[getter]
    fn offsets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        owned(py, bytemuck::cast_slice(self.0.offsets()).to_vec(), &[self.0.len(), 3])
    }

    /// The rotation of each joint in the rest pose, as x, y, z, w: joints × 4.
    #[getter]
    fn rest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let rest: Vec<f32> =
            self.0.joints().iter().flat_map(|joint| joint.rest_rotation.to_array()).collect();
        owned(py, rest, &[self.0.len(), 4])
    }

    /// The index of the joint with each role, for example ``skeleton.roles["LeftFoot"]``.
    #[getter]
    fn roles(&self) -> std::collections::BTreeMap<&'static str, usize> {
        self.0.roles().map(|(role, joint)| (role.name(), joint)).collect()
    }

    /// The joints with an animated translation; the root is the first.
    #[getter]
    fn movers(&self) -> Vec<usize> {
        self.0.movers().to_vec()
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __repr__(&self) -> String {
        format!("<marey.Skeleton of {} joints>", self.0.len())
    }
}
