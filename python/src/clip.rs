//! `marey.Clip`.

use std::path::PathBuf;

use marey::codes;
use marey::motion::{Clip, ClipParts, Quat, Role, Take, Vec3};
use marey::ops::contacts;
use marey::ops::retarget::{Retarget, RetargetSettings, TravelScale};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PySlice};

use crate::arrays::{numbers, owned, shared};
use crate::error::{coded, keywords_to_json, refused};
use crate::points::PyPoints;
use crate::skeleton::PySkeleton;
use crate::take::{self, PyTake};
use crate::work::quick;

/// The motion of one figure at a constant frame rate.
///
/// A clip has two arrays: ``rotations`` (frames × joints × 4, as x, y, z, w, relative to the parent joint) and ``positions``
/// (frames × movers × 3, in metres). Both are read-only views of Marey's own memory, without a copy. A clip is immutable; slices
/// share its memory.
#[pyclass(name = "Clip", module = "marey", frozen, eq, from_py_object)]
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PyClip(pub(crate) Clip);

/// Parses the name of a role.
fn parse_role(py: Python<'_>, name: &str) -> PyResult<Role> {
    name.parse().map_err(|message: String| refused(py, &marey::motion::codes::NOT_A_ROLE, message))
}

impl PyClip {
    /// Returns a take with this clip as its only actor.
    fn solo(&self, name: &str) -> Take {
        Take::solo(name, self.0.clone())
    }

    /// Returns the take to display.
    pub(crate) fn to_take(&self) -> Take {
        self.solo("clip")
    }
}

#[pymethods]
impl PyClip {
    /// Creates a clip from arrays: rotations are frames × joints × 4; positions are frames × movers × 3, or frames × 3 if only the
    /// root moves. The numbers are checked and copied once. Quaternions are normalised, and their signs made continuous.
    #[new]
    fn new(
        py: Python<'_>,
        skeleton: PySkeleton,
        rate_hz: f64,
        rotations: &Bound<'_, PyAny>,
        positions: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let (joints, movers) = (skeleton.0.len(), skeleton.0.movers().len());
        let (rotations, shape) = numbers("rotations", rotations, &[None, Some(joints), Some(4)])?;
        let frames = shape[0];
        let is_flat = movers == 1 && positions.getattr("ndim").is_ok_and(|n| n.eq(2).unwrap_or(false));
        let expected: &[Option<usize>] =
            if is_flat { &[Some(frames), Some(3)] } else { &[Some(frames), Some(movers), Some(3)] };
        let (positions, _) = numbers("positions", positions, expected)?;
        let parts = ClipParts {
            rotations: rotations.chunks_exact(4).map(Quat::from_slice).collect(),
            positions: positions.chunks_exact(3).map(Vec3::from_slice).collect(),
        };
        quick(py, || Ok(Self(Clip::new(skeleton.0, rate_hz, parts)?)))
    }

    /// Reads a motion file with one take of one actor. The keywords are those of ``marey.load``, which also reads other files.
    #[staticmethod]
    #[pyo3(signature = (path, **options))]
    fn load(py: Python<'_>, path: PathBuf, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let take = crate::files::one_take(py, path, &keywords_to_json(py, options)?)?;
        match take.actors() {
            [only] => Ok(Self(only.clip.clone())),
            several => {
                let names: Vec<&str> = several.iter().map(|actor| actor.name.as_str()).collect();
                Err(refused(py, &codes::PYTHON_VALUE, format!("the take has several actors: {names:?}")))
            }
        }
    }

    /// The skeleton.
    #[getter]
    fn skeleton(&self) -> PySkeleton {
        PySkeleton(self.0.skeleton().clone())
    }

    /// The duration in seconds.
    #[getter]
    fn duration_secs(&self) -> f64 {
        self.0.duration_secs()
    }

    /// The local rotations as x, y, z, w: frames × joints × 4, a read-only view.
    #[getter]
    fn rotations<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let clip = &this.get().0;
        let shape = [clip.frames(), clip.skeleton().len(), 4];
        shared(this.clone().into_any(), bytemuck::cast_slice(clip.rotations()), shape)
    }

    /// The local translations of the movers in metres: frames × movers × 3, a read-only view. The root is the first mover.
    #[getter]
    fn positions<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let clip = &this.get().0;
        let shape = [clip.frames(), clip.skeleton().movers().len(), 3];
        shared(this.clone().into_any(), bytemuck::cast_slice(clip.positions()), shape)
    }

    /// Computes the world positions of all joints, in metres: frames × joints × 3, a new array.
    fn world_positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let world = quick(py, || Ok(self.0.world()))?;
        let shape = [self.0.frames(), world.joints, 3];
        owned(py, bytemuck::cast_slice(&world.positions).to_vec(), &shape)
    }

    /// Computes the world rotations of all joints, as x, y, z, w: frames × joints × 4, a new array.
    fn world_rotations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let world = quick(py, || Ok(self.0.world()))?;
        let shape = [self.0.frames(), world.joints, 4];
        owned(py, bytemuck::cast_slice(&world.rotations).to_vec(), &shape)
    }

    /// Returns the rotations (joints × 4) and positions (movers × 3) of one frame. Negative frames count from the end.
    fn pose<'py>(this: &Bound<'py, Self>, frame: isize) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let frames = this.get().0.frames();
        let index = if frame < 0 { frame + frames as isize } else { frame };
        if index < 0 || index >= frames as isize {
            let message = format!("there is no frame {frame} in a clip of {frames} frames");
            return Err(refused(this.py(), &codes::PYTHON_VALUE, message));
        }
        Ok((Self::rotations(this)?.get_item(index)?, Self::positions(this)?.get_item(index)?))
    }

    /// Returns the world positions of joints as points, by role: ``clip.points(["LeftFoot", "RightFoot"])``.
    fn points(&self, py: Python<'_>, roles: Vec<String>) -> PyResult<PyPoints> {
        let roles = roles.iter().map(|role| parse_role(py, role)).collect::<PyResult<Vec<Role>>>()?;
        self.0.points(&roles).map(PyPoints).map_err(|error| coded(py, error))
    }

    /// Detects foot contacts in the motion. Each is a role, the first frame and the frame after the last.
    fn contacts(&self, py: Python<'_>) -> PyResult<Vec<(&'static str, usize, usize)>> {
        let found =
            quick(py, || Ok(contacts::detect(&self.0, &contacts::ContactSettings::default())?.contacts))?;
        let row = |contact: &marey::motion::Contact| {
            (contact.role.name(), contact.frames.start, contact.frames.end)
        };
        Ok(found.all().iter().map(row).collect())
    }

    /// Returns the same motion at another frame rate. Its speed does not change.
    fn resampled(&self, py: Python<'_>, rate_hz: f64) -> PyResult<Self> {
        quick(py, || Ok(Self(self.0.resampled(rate_hz)?)))
    }

    /// Returns the motion with left and right exchanged.
    fn mirrored(&self, py: Python<'_>) -> PyResult<Self> {
        quick(py, || Ok(Self(self.0.mirrored())))
    }

    /// Retargets the motion to another skeleton. Joints are paired by role, and feet stay on the floor. The distance travelled scales
    /// with the length of the legs, or stays as it is if ``keep_travel`` is true.
    #[pyo3(signature = (skeleton, keep_travel = false))]
    fn retargeted(&self, py: Python<'_>, skeleton: PySkeleton, keep_travel: bool) -> PyResult<Self> {
        let travel = if keep_travel { TravelScale::Kept } else { TravelScale::Scaled };
        let settings = RetargetSettings { travel, ..RetargetSettings::default() };
        quick(py, || {
            let retarget = Retarget::new(self.0.skeleton(), skeleton.0.clone(), &settings)?;
            Ok(Self(retarget.apply(&self.0)?))
        })
    }

    /// Concatenates clips of one skeleton and frame rate.
    #[staticmethod]
    fn concat(py: Python<'_>, clips: Vec<PyClip>) -> PyResult<Self> {
        let clips: Vec<Clip> = clips.into_iter().map(|clip| clip.0).collect();
        Clip::concat(&clips).map(Self).map_err(|error| coded(py, error))
    }

    /// Returns a take with this clip as its only actor.
    #[pyo3(signature = (name = "clip"))]
    fn take(&self, name: &str) -> PyTake {
        PyTake(self.solo(name))
    }

    /// Writes a motion file. The format is given by the file extension: .bvh, .glb, .gltf, .fbx, .vrma,
    /// .usda or .npz. An existing file is an error unless ``overwrite`` is true.
    #[pyo3(signature = (path, overwrite = false))]
    fn save(&self, py: Python<'_>, path: PathBuf, overwrite: bool) -> PyResult<()> {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        take::save(py, &self.solo(&name), &path, overwrite)
    }

    /// Returns the bytes of a motion file in a format: "bvh", "glb", "gltf", "fbx", "vrma", "usda"
    /// or "npz".
    #[pyo3(signature = (format, name = "clip"))]
    fn to_bytes<'py>(&self, py: Python<'py>, format: &str, name: &str) -> PyResult<Bound<'py, PyBytes>> {
        take::to_bytes(py, &self.solo(name), format)
    }

    fn __len__(&self) -> usize {
        self.0.frames()
    }

    /// Returns a range of frames, which shares this clip's memory.
    fn __getitem__(&self, py: Python<'_>, frames: &Bound<'_, PySlice>) -> PyResult<Self> {
        let range = frames.indices(self.0.frames() as isize)?;
        if range.step != 1 {
            return Err(refused(py, &codes::PYTHON_VALUE, "the step of a slice of a clip must be 1"));
        }
        let (start, stop) = (range.start.max(0) as usize, range.stop.max(0) as usize);
        self.0.slice(start..stop).map(Self).map_err(|error| coded(py, error))
    }

    fn __repr__(&self) -> String {
        let (frames, rate_hz) = (self.0.frames(), self.0.rate_hz());
        format!("<marey.Clip of {} joints, {frames} frames at {rate_hz} Hz>", self.0.skeleton().len())
    }
}
