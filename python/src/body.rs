//! `marey.Skeleton`.

use std::sync::Arc;

use marey::codes;
use marey::motion::{Joint, Role, Skeleton, Vec3};
use pyo3::prelude::*;

use crate::error::{coded, refused};
use crate::view::{numbers, owned};

/// A body: joints, what each hangs from, where it is at rest, and what it is for.
///
/// Parents come before children; the first joint is the root, and its parent is -1. Lengths are metres, Y is up, and a figure at rest
/// faces +Z.
#[pyclass(name = "Skeleton", module = "marey", frozen, eq, from_py_object)]
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PySkeleton(pub(crate) Arc<Skeleton>);

#[pymethods]
impl PySkeleton {
    /// A body of joints: their names, the number of each one's parent (-1 for the root), where each is from its parent in metres
    /// (joints × 3), and the roles of those that have one, by joint name.
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
            // A negative parent is none; one that is too large is refused by the skeleton.
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
            return Err(refused(
                py,
                &marey::motion::codes::NOT_A_ROLE,
                format!("a role for {unknown:?}, which is no joint"),
            ));
        }
        Ok(Self(Arc::new(Skeleton::new(joints, vec![]).map_err(|error| coded(py, error))?)))
    }

    /// The joints' names.
    #[getter]
    fn names(&self) -> Vec<&str> {
        self.0.joints().iter().map(|joint| joint.name.as_str()).collect()
    }

    /// The number of each joint's parent; -1 for the root.
    #[getter]
    fn parents(&self) -> Vec<i64> {
        self.0.joints().iter().map(|joint| joint.parent.map_or(-1, |parent| parent as i64)).collect()
    }

    /// Where each joint is from its parent at rest, in metres: joints × 3.
    #[getter]
    fn offsets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        owned(py, bytemuck::cast_slice(self.0.offsets()).to_vec(), &[self.0.len(), 3])
    }

    /// The rotation of each joint at rest, as x, y, z, w: joints × 4.
    #[getter]
    fn rest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let rest: Vec<f32> =
            self.0.joints().iter().flat_map(|joint| joint.rest_rotation.to_array()).collect();
        owned(py, rest, &[self.0.len(), 4])
    }

    /// What joints are for: their numbers by role, as in ``skeleton.roles["LeftFoot"]``.
    #[getter]
    fn roles(&self) -> std::collections::BTreeMap<&'static str, usize> {
        self.0.roles().map(|(role, joint)| (role.name(), joint)).collect()
    }

    /// The joints with a translation of their own in every frame; the root is the first.
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
