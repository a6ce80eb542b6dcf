//! `marey.Clip`.

use std::path::PathBuf;

use marey::codes;
use marey::motion::{Clip, ClipParts, Quat, Role, Take, Vec3};
use marey::ops::contacts;
use marey::ops::retarget::{Retarget, RetargetSettings, TravelScale};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PySlice};

use crate::body::PySkeleton;
use crate::error::{coded, options, refused};
use crate::points::PyPoints;
use crate::take::{self, PyTake};
use crate::view::{numbers, owned, shared};
use crate::work::quick;

/// One figure's motion at a uniform rate.
///
/// Its numbers are two arrays, ``rotations`` (frames × joints × 4, as x, y, z, w, each relative to the joint's parent) and ``positions``
/// (frames × movers × 3, in metres). Both are read-only views of the memory that Marey works on: nothing is copied. A clip never
/// changes; slices share its memory.
#[pyclass(name = "Clip", module = "marey", frozen, eq, from_py_object)]
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PyClip(pub(crate) Clip);

/// Any of a list of names, as a role.
pub(crate) fn role_of(py: Python<'_>, name: &str) -> PyResult<Role> {
    name.parse().map_err(|message: String| refused(py, &marey::motion::codes::NOT_A_ROLE, message))
}

impl PyClip {
    /// As a take of one.
    fn solo(&self, name: &str) -> Take {
        Take::solo(name, self.0.clone())
    }

    /// What is shown of it.
    pub(crate) fn to_show(&self) -> Take {
        self.solo("clip")
    }
}

#[pymethods]
impl PyClip {
    /// A clip of arrays: rotations are frames × joints × 4, positions frames × movers × 3, or frames × 3 where only the root moves.
    /// The numbers are checked and copied once; quaternions are made of unit length and without sign flips.
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
        let wanted: &[Option<usize>] =
            if is_flat { &[Some(frames), Some(3)] } else { &[Some(frames), Some(movers), Some(3)] };
        let (positions, _) = numbers("positions", positions, wanted)?;
        let parts = ClipParts {
            rotations: rotations.chunks_exact(4).map(Quat::from_slice).collect(),
            positions: positions.chunks_exact(3).map(Vec3::from_slice).collect(),
        };
        quick(py, || Ok(Self(Clip::new(skeleton.0, rate_hz, parts)?)))
    }

    /// The one figure of a motion file with one take of one actor; ``marey.load`` takes the same keywords, and gives several.
    #[staticmethod]
    #[pyo3(signature = (path, **meaning))]
    fn load(py: Python<'_>, path: PathBuf, meaning: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let take = crate::files::one_take(py, path, &options(py, meaning)?)?;
        match take.actors() {
            [only] => Ok(Self(only.clip.clone())),
            several => {
                let names: Vec<&str> = several.iter().map(|actor| actor.name.as_str()).collect();
                Err(refused(py, &codes::PYTHON_VALUE, format!("the take has several actors: {names:?}")))
            }
        }
    }

    /// The body.
    #[getter]
    fn skeleton(&self) -> PySkeleton {
        PySkeleton(self.0.skeleton().clone())
    }

    /// How long it lasts, in seconds.
    #[getter]
    fn duration_secs(&self) -> f64 {
        self.0.duration_secs()
    }

    /// Local rotations as x, y, z, w: frames × joints × 4, a read-only view.
    #[getter]
    fn rotations<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let clip = &this.get().0;
        let shape = [clip.frames(), clip.skeleton().len(), 4];
        shared(this.clone().into_any(), bytemuck::cast_slice(clip.rotations()), shape)
    }

    /// Local translations of the joints that move, in metres: frames × movers × 3, a read-only view. The root is the first.
    #[getter]
    fn positions<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let clip = &this.get().0;
        let shape = [clip.frames(), clip.skeleton().movers().len(), 3];
        shared(this.clone().into_any(), bytemuck::cast_slice(clip.positions()), shape)
    }

    /// Where every joint is in the world, in metres: frames × joints × 3, a new array.
    fn world_positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let world = quick(py, || Ok(self.0.world()))?;
        let shape = [self.0.frames(), world.joints, 3];
        owned(py, bytemuck::cast_slice(&world.positions).to_vec(), &shape)
    }

    /// How every joint is turned in the world, as x, y, z, w: frames × joints × 4, a new array.
    fn world_rotations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let world = quick(py, || Ok(self.0.world()))?;
        let shape = [self.0.frames(), world.joints, 4];
        owned(py, bytemuck::cast_slice(&world.rotations).to_vec(), &shape)
    }

    /// The rotations (joints × 4) and positions (movers × 3) of one frame; negative frames count from the end.
    fn pose<'py>(this: &Bound<'py, Self>, frame: isize) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let frames = this.get().0.frames();
        let number = if frame < 0 { frame + frames as isize } else { frame };
        if number < 0 || number >= frames as isize {
            let message = format!("frame {frame} of {frames}");
            return Err(refused(this.py(), &codes::PYTHON_VALUE, message));
        }
        Ok((Self::rotations(this)?.get_item(number)?, Self::positions(this)?.get_item(number)?))
    }

    /// The paths of joints, by role, as points: ``clip.points(["LeftFoot", "RightFoot"])``.
    fn points(&self, py: Python<'_>, roles: Vec<String>) -> PyResult<PyPoints> {
        let roles = roles.iter().map(|role| role_of(py, role)).collect::<PyResult<Vec<Role>>>()?;
        self.0.points(&roles).map(PyPoints).map_err(|error| coded(py, error))
    }

    /// When feet stand, as seen in the motion: the role of each, its first frame and one past the last.
    fn contacts(&self, py: Python<'_>) -> PyResult<Vec<(&'static str, usize, usize)>> {
        let found =
            quick(py, || Ok(contacts::detect(&self.0, &contacts::ContactSettings::default())?.contacts))?;
        let one = |contact: &marey::motion::Contact| {
            (contact.role.name(), contact.frames.start, contact.frames.end)
        };
        Ok(found.all().iter().map(one).collect())
    }

    /// The same motion at another rate; it keeps its speed.
    fn resampled(&self, py: Python<'_>, rate_hz: f64) -> PyResult<Self> {
        quick(py, || Ok(Self(self.0.resampled(rate_hz)?)))
    }

    /// Left and right exchanged.
    fn mirrored(&self, py: Python<'_>) -> PyResult<Self> {
        quick(py, || Ok(Self(self.0.mirrored())))
    }

    /// The same motion on another body, joints paired by their roles, feet kept on the floor. It travels in proportion to its legs, or
    /// as far as before where ``keep_travel`` is true.
    #[pyo3(signature = (skeleton, keep_travel = false))]
    fn retargeted(&self, py: Python<'_>, skeleton: PySkeleton, keep_travel: bool) -> PyResult<Self> {
        let travel = if keep_travel { TravelScale::Kept } else { TravelScale::Scaled };
        let settings = RetargetSettings { travel, ..RetargetSettings::default() };
        quick(py, || {
            let retarget = Retarget::new(self.0.skeleton(), skeleton.0.clone(), &settings)?;
            Ok(Self(retarget.apply(&self.0)?))
        })
    }

    /// One clip after another, all of one body and rate.
    #[staticmethod]
    fn concat(py: Python<'_>, clips: Vec<PyClip>) -> PyResult<Self> {
        let clips: Vec<Clip> = clips.into_iter().map(|clip| clip.0).collect();
        Clip::concat(&clips).map(Self).map_err(|error| coded(py, error))
    }

    /// As a take of one actor.
    #[pyo3(signature = (name = "clip"))]
    fn take(&self, name: &str) -> PyTake {
        PyTake(self.solo(name))
    }

    /// Writes a file; the ending says the format: .bvh, .glb or .gltf. A file that exists is refused unless ``overwrite`` is true.
    #[pyo3(signature = (path, overwrite = false))]
    fn save(&self, py: Python<'_>, path: PathBuf, overwrite: bool) -> PyResult<()> {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        take::save(py, &self.solo(&name), &path, overwrite)
    }

    /// The bytes of a file in a format: "bvh", "glb" or "gltf".
    #[pyo3(signature = (format, name = "clip"))]
    fn to_bytes<'py>(&self, py: Python<'py>, format: &str, name: &str) -> PyResult<Bound<'py, PyBytes>> {
        take::to_bytes(py, &self.solo(name), format)
    }

    fn __len__(&self) -> usize {
        self.0.frames()
    }

    /// A range of frames, sharing this clip's memory.
    fn __getitem__(&self, py: Python<'_>, frames: &Bound<'_, PySlice>) -> PyResult<Self> {
        let range = frames.indices(self.0.frames() as isize)?;
        if range.step != 1 {
            return Err(refused(py, &codes::PYTHON_VALUE, "frames of a clip are cut out in steps of 1"));
        }
        let (start, stop) = (range.start.max(0) as usize, range.stop.max(0) as usize);
        self.0.slice(start..stop).map(Self).map_err(|error| coded(py, error))
    }

    fn __repr__(&self) -> String {
        let (frames, rate_hz) = (self.0.frames(), self.0.rate_hz());
        format!("<marey.Clip of {} joints, {frames} frames at {rate_hz} Hz>", self.0.skeleton().len())
    }
}
