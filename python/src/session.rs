//! `marey.perform.Session`: a live performance, frame by frame.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use marey::Error;
use marey::body::BodyProportions;
use marey::codes;
use marey::motion::{LocalPose, LocalPoseRef, Quat, Vec3};
use marey::perform::{Calibration, Effector, PerformSession, PerformSettings, Recording, WorldFile};
use numpy::{PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::skeleton::PySkeleton;
use crate::engines::{MotionInput, Source};
use crate::error::{refused, report_json};
use crate::arrays::{copied, numbers, owned};
use crate::work::{Ending, quick, run};

/// What a performer did, from figures or markers.
pub(crate) fn recorded(given: &MotionInput) -> Result<Recording, Error> {
    Ok(match given {
        MotionInput::Points(points) => {
            Recording::of_points(points, &*BodyProportions::default().skeleton().map_err(Error::from)?)?
        }
        MotionInput::Take(take) => Recording::of_clip(take.first())?,
    })
}

/// A performance that was recorded: what a session is given frame by frame, and whom it is calibrated by.
#[pyclass(name = "Recording", module = "marey.perform", frozen)]
pub(crate) struct PyRecording(Recording);

#[pymethods]
impl PyRecording {
    /// Of a motion file, a take, or points with the reduced set of markers.
    #[new]
    fn new(py: Python<'_>, source: Source) -> PyResult<Self> {
        run(py, None, Ending::Left, move |_| Ok(Self(recorded(&source.read()?)?)))
    }

    /// Frames a second.
    #[getter]
    fn rate_hz(&self) -> f64 {
        self.0.rate_hz
    }

    /// The performer's rotations: frames × joints × 4.
    #[getter]
    fn rotations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let poses = &self.0.poses;
        let joints = poses.first().map_or(0, |pose| pose.rotations.len());
        let flat: Vec<f32> =
            poses.iter().flat_map(|pose| &pose.rotations).flat_map(|q| q.to_array()).collect();
        owned(py, flat, &[poses.len(), joints, 4])
    }

    /// The performer's positions: frames × movers × 3.
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let poses = &self.0.poses;
        let movers = poses.first().map_or(0, |pose| pose.positions.len());
        let flat: Vec<f32> =
            poses.iter().flat_map(|pose| &pose.positions).flat_map(|p| p.to_array()).collect();
        owned(py, flat, &[poses.len(), movers, 3])
    }

    /// Whether the left and the right hand are closed, frame by frame.
    #[getter]
    fn closed(&self) -> Vec<(bool, bool)> {
        self.0.closed.iter().map(|&[left, right]| (left, right)).collect()
    }

    fn __len__(&self) -> usize {
        self.0.poses.len()
    }
}

/// A performer drives a character in a physical world: ``step`` takes a pose and gives one.
///
/// The world is a TOML file as docs/perform.md describes it, or "adventure", which comes along. The performer is calibrated by the first
/// frames of a recording.
#[pyclass(name = "Session", module = "marey.perform", frozen)]
pub(crate) struct PySession {
    session: Mutex<PerformSession>,
    joints: usize,
    movers: usize,
}

/// A pose as arrays: rotations and positions.
type PyPose<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>);

impl PySession {
    /// Held only by who does not wait for the interpreter meanwhile.
    fn lock(&self) -> MutexGuard<'_, PerformSession> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A pose as arrays.
fn arrays<'py>(py: Python<'py>, pose: &LocalPose) -> PyResult<PyPose<'py>> {
    Ok((
        copied(py, bytemuck::cast_slice(&pose.rotations), [pose.rotations.len(), 4])?,
        copied(py, bytemuck::cast_slice(&pose.positions), [pose.positions.len(), 3])?,
    ))
}

/// An array's numbers where it is what is wanted as it is; else what numpy makes of it.
fn rows(what: &str, given: &Bound<'_, PyAny>, shape: [usize; 2], into: &mut Vec<f32>) -> PyResult<()> {
    if let Ok(array) = given.extract::<PyReadonlyArray2<'_, f32>>()
        && array.shape() == shape
        && let Ok(slice) = array.as_slice()
    {
        into.extend_from_slice(slice);
        return Ok(());
    }
    into.extend(numbers(what, given, &shape.map(Some))?.0);
    Ok(())
}

#[pymethods]
impl PySession {
    /// Puts the performer of a recording into a world.
    #[new]
    fn new(py: Python<'_>, world: PathBuf, recording: &Bound<'_, PyRecording>) -> PyResult<Self> {
        let made = begun(py, world, recording.get().0.calibration.clone())?;
        let first = recording.get().0.poses.first();
        let (joints, movers) = first.map_or((0, 0), |pose| (pose.rotations.len(), pose.positions.len()));
        Ok(Self { session: Mutex::new(made), joints, movers })
    }

    /// Another frame of the performer, ``secs`` after the last: rotations (joints × 4), positions (movers × 3), and whether the left and
    /// the right hand are closed. Gives the character's rotations and positions.
    #[pyo3(signature = (rotations, positions, closed = (false, false), secs = 1.0 / 60.0))]
    fn step<'py>(
        &self,
        py: Python<'py>,
        rotations: &Bound<'py, PyAny>,
        positions: &Bound<'py, PyAny>,
        closed: (bool, bool),
        secs: f32,
    ) -> PyResult<PyPose<'py>> {
        let (mut flat, mut places) =
            (Vec::with_capacity(4 * self.joints), Vec::with_capacity(3 * self.movers));
        rows("rotations", rotations, [self.joints, 4], &mut flat)?;
        rows("positions", positions, [self.movers, 3], &mut places)?;
        if !(secs.is_finite() && flat.iter().chain(&places).all(|number| number.is_finite())) {
            return Err(refused(py, &codes::PYTHON_ARRAY, "a pose has numbers that are none"));
        }
        let rotations: Vec<Quat> = flat.chunks_exact(4).map(Quat::from_slice).collect();
        let positions: Vec<Vec3> = places.chunks_exact(3).map(Vec3::from_slice).collect();
        let pose = LocalPoseRef { rotations: &rotations, positions: &positions };
        let shown = quick(py, || Ok(self.lock().step(pose, [closed.0, closed.1], secs).clone()))?;
        arrays(py, &shown)
    }

    /// No frame came for a while: the performer is taken to stay as before.
    fn wait<'py>(&self, py: Python<'py>, secs: f32) -> PyResult<PyPose<'py>> {
        if !secs.is_finite() {
            return Err(refused(py, &codes::PYTHON_VALUE, "secs is not a number"));
        }
        let shown = quick(py, || Ok(self.lock().wait(secs).clone()))?;
        arrays(py, &shown)
    }

    /// The character's body.
    #[getter]
    fn skeleton(&self) -> PySkeleton {
        PySkeleton(self.lock().body().skeleton().clone())
    }

    /// What goes on: where the centre of mass is and how fast it goes, what each end of a limb holds by name, what is imitated, the water
    /// that the character is in, whether it flies, and whether the end of the course was reached.
    #[getter]
    fn now<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let session = self.lock();
        let (now, features) = (session.now(), &session.world().features);
        let name = |feature: usize| features.get(feature).map(|feature| feature.name.clone());
        let holds = PyDict::new(py);
        for (end, feature) in Effector::ALL.into_iter().zip(now.holds) {
            if let Some(feature) = feature {
                holds.set_item(end.role().name(), name(feature))?;
            }
        }
        let about = PyDict::new(py);
        about.set_item("centre", now.centre.to_array())?;
        about.set_item("velocity", now.velocity.to_array())?;
        about.set_item("holds", holds)?;
        about.set_item("imitates", now.imitates.and_then(name))?;
        about.set_item("water", now.water.and_then(name))?;
        about.set_item("flies", now.flies)?;
        about.set_item("finished", now.finished)?;
        Ok(about)
    }

    /// What was wrong with the stream so far.
    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (report_json(self.lock().report()),))
    }
}

/// A session in a world.
fn begun(py: Python<'_>, path: PathBuf, calibration: Calibration) -> PyResult<PerformSession> {
    quick(py, || {
        let WorldFile { world, motions, .. } = WorldFile::open(&path)?;
        PerformSession::new(world, &motions, &calibration, PerformSettings::default())
            .map_err(|error| Error::from(error).in_file(&path))
    })
}
