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

use crate::arrays::{copied, numbers, owned};
use crate::engines::{MotionInput, Source};
use crate::error::{refused, report_json};
use crate::skeleton::PySkeleton;
use crate::work::{OnCancel, quick, run};

/// Converts figures or markers to the recording of a performer.
pub(crate) fn recorded(input: &MotionInput) -> Result<Recording, Error> {
    Ok(match input {
        MotionInput::Points(points) => {
            Recording::of_points(points, &*BodyProportions::default().skeleton().map_err(Error::from)?)?
        }
        MotionInput::Take(take) => Recording::of_clip(take.first())?,
    })
}

/// A recorded performance: the frames for a session, and the calibration of the performer.
#[pyclass(name = "Recording", module = "marey.perform", frozen)]
pub(crate) struct PyRecording(Recording);

#[pymethods]
impl PyRecording {
    /// Creates a recording from a motion file, a take, or points of the reduced marker set.
    #[new]
    fn new(py: Python<'_>, source: Source) -> PyResult<Self> {
        run(py, None, OnCancel::Detach, move |_| Ok(Self(recorded(&source.read()?)?)))
    }

    /// The frame rate, in frames per second.
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

    /// Whether the left and the right hand are closed, for each frame; None if the capture does not show it.
    #[getter]
    fn closed(&self) -> Vec<(Option<bool>, Option<bool>)> {
        self.0.closed.iter().map(|&[left, right]| (left, right)).collect()
    }

    fn __len__(&self) -> usize {
        self.0.poses.len()
    }
}

/// A performer drives a character in a physical world: ``step`` takes the performer's pose and returns the character's.
///
/// The world is a TOML file (see docs/engines/perform.md), or "adventure", the built-in world. The first frames of a recording calibrate the
/// performer.
#[pyclass(name = "Session", module = "marey.perform", frozen)]
pub(crate) struct PySession {
    session: Mutex<PerformSession>,
    joints: usize,
    movers: usize,
}

/// The rotations and positions of a pose, as arrays.
type PyPose<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>);

impl PySession {
    /// Locks the session. A caller that holds the lock must not wait for the interpreter.
    fn lock(&self) -> MutexGuard<'_, PerformSession> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Copies a pose to arrays.
fn pose_arrays<'py>(py: Python<'py>, pose: &LocalPose) -> PyResult<PyPose<'py>> {
    Ok((
        copied(py, bytemuck::cast_slice(&pose.rotations), [pose.rotations.len(), 4])?,
        copied(py, bytemuck::cast_slice(&pose.positions), [pose.positions.len(), 3])?,
    ))
}

/// Appends the numbers of an array to `target`. Only an array of another type or layout is converted first.
fn append_rows(
    what: &str,
    object: &Bound<'_, PyAny>,
    shape: [usize; 2],
    target: &mut Vec<f32>,
) -> PyResult<()> {
    if let Ok(array) = object.extract::<PyReadonlyArray2<'_, f32>>()
        && array.shape() == shape
        && let Ok(slice) = array.as_slice()
    {
        target.extend_from_slice(slice);
        return Ok(());
    }
    target.extend(numbers(what, object, &shape.map(Some))?.0);
    Ok(())
}

#[pymethods]
impl PySession {
    /// Starts a session in a world, calibrated to the performer of a recording.
    #[new]
    fn new(py: Python<'_>, world: PathBuf, recording: &Bound<'_, PyRecording>) -> PyResult<Self> {
        let session = open_session(py, world, recording.get().0.calibration.clone())?;
        let first = recording.get().0.poses.first();
        let (joints, movers) = first.map_or((0, 0), |pose| (pose.rotations.len(), pose.positions.len()));
        Ok(Self { session: Mutex::new(session), joints, movers })
    }

    /// Simulates one frame. Takes the performer's pose ``secs`` after the previous one: rotations (joints × 4), positions (movers × 3),
    /// and whether the left and the right hand are closed, or None if the input does not show it. Returns the character's rotations and positions.
    #[pyo3(signature = (rotations, positions, closed = (None, None), secs = 1.0 / 60.0))]
    fn step<'py>(
        &self,
        py: Python<'py>,
        rotations: &Bound<'py, PyAny>,
        positions: &Bound<'py, PyAny>,
        closed: (Option<bool>, Option<bool>),
        secs: f32,
    ) -> PyResult<PyPose<'py>> {
        let (mut flat, mut places) =
            (Vec::with_capacity(4 * self.joints), Vec::with_capacity(3 * self.movers));
        append_rows("rotations", rotations, [self.joints, 4], &mut flat)?;
        append_rows("positions", positions, [self.movers, 3], &mut places)?;
        if !(secs.is_finite() && flat.iter().chain(&places).all(|number| number.is_finite())) {
            return Err(refused(py, &codes::PYTHON_ARRAY, "the pose or secs is not finite"));
        }
        let rotations: Vec<Quat> = flat.chunks_exact(4).map(Quat::from_slice).collect();
        let positions: Vec<Vec3> = places.chunks_exact(3).map(Vec3::from_slice).collect();
        let pose = LocalPoseRef { rotations: &rotations, positions: &positions };
        let pose = quick(py, || Ok(self.lock().step(pose, [closed.0, closed.1], secs).clone()))?;
        pose_arrays(py, &pose)
    }

    /// Simulates ``secs`` without a frame from the performer, who is assumed not to move.
    fn wait<'py>(&self, py: Python<'py>, secs: f32) -> PyResult<PyPose<'py>> {
        if !secs.is_finite() {
            return Err(refused(py, &codes::PYTHON_VALUE, "secs is not finite"));
        }
        let pose = quick(py, || Ok(self.lock().wait(secs).clone()))?;
        pose_arrays(py, &pose)
    }

    /// The character's skeleton.
    #[getter]
    fn skeleton(&self) -> PySkeleton {
        PySkeleton(self.lock().body().skeleton().clone())
    }

    /// The state of the simulation: position and velocity of the centre of mass, the name of what each hand and foot holds, the feature
    /// that is imitated, the water that the character is in, whether it flies, and whether it reached the end of the course.
    #[getter]
    fn now<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let session = self.lock();
        let (now, features) = (session.state(), &session.world().features);
        let name = |feature: usize| features.get(feature).map(|feature| feature.name.clone());
        let holds = PyDict::new(py);
        for (end, feature) in Effector::ALL.into_iter().zip(now.holds) {
            if let Some(feature) = feature {
                holds.set_item(end.role().name(), name(feature))?;
            }
        }
        let state = PyDict::new(py);
        state.set_item("centre", now.centre.to_array())?;
        state.set_item("velocity", now.velocity.to_array())?;
        state.set_item("holds", holds)?;
        state.set_item("imitates", now.imitated_feature.and_then(name))?;
        state.set_item("water", now.water.and_then(name))?;
        state.set_item("flies", now.is_flying)?;
        state.set_item("finished", now.has_finished)?;
        Ok(state)
    }

    /// The warnings about the input so far.
    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (report_json(self.lock().report()),))
    }
}

/// Reads a world and starts a session in it.
fn open_session(py: Python<'_>, path: PathBuf, calibration: Calibration) -> PyResult<PerformSession> {
    quick(py, || {
        let WorldFile { world, motions, .. } = WorldFile::open(&path)?;
        PerformSession::new(world, &motions, &calibration, PerformSettings::default())
            .map_err(|error| Error::from(error).in_file(&path))
    })
}
