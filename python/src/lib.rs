//! The native module of the Python package `marey`.
//!
//! Clips, takes and points are classes, and numpy reads their arrays without a copy. Verbs are functions that the package's typed
//! functions call. They receive keyword arguments as JSON and deserialise them into the library's requests, so that a result is
//! equal to the command's, byte for byte. Long calls run on their own threads ([`work`]).

mod arrays;
mod cast;
mod clip;
mod cluster;
mod corpus;
mod engines;
mod error;
mod files;
mod points;
mod session;
mod shared_methods;
mod skeleton;
mod take;
mod work;

use pyo3::prelude::*;

/// The native part of the package. Use ``marey`` instead.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::cast::PyCast;
    #[pymodule_export]
    use crate::clip::PyClip;
    #[pymodule_export]
    use crate::cluster::{clouds, distance_block, file_groups, is_whole, level, moments, read_shard};
    #[pymodule_export]
    use crate::corpus::PyCorpus;
    #[pymodule_export]
    use crate::engines::check::check;
    #[pymodule_export]
    use crate::engines::duet::{duet_island, duet_label, duet_run, duet_settle, duet_train};
    #[pymodule_export]
    use crate::engines::follow::{follow, transcribe};
    #[pymodule_export]
    use crate::engines::perform::perform;
    #[pymodule_export]
    use crate::engines::realise::realise;
    #[pymodule_export]
    use crate::engines::traverse::traverse;
    #[pymodule_export]
    use crate::engines::tween::PyStyle;
    #[pymodule_export]
    use crate::engines::vary::vary;
    #[pymodule_export]
    use crate::files::load;
    #[pymodule_export]
    use crate::points::PyPoints;
    #[pymodule_export]
    use crate::session::{PyRecording, PySession};
    #[pymodule_export]
    use crate::skeleton::PySkeleton;
    #[pymodule_export]
    use crate::take::PyTake;

    #[pymodule_init]
    fn init(module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        use pyo3::types::PyModuleMethods;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
