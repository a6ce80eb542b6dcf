//! Marey for Python: what `package/marey` calls.
//!
//! Clips, takes and points are classes here, whose arrays numpy sees without copies. Engines are functions that the package's own typed
//! functions call: keyword arguments come as JSON and are read by the same structs that the command fills from its flags; so a result
//! is the command's, bit for bit. Long calls run on threads of their own ([`work`]).

mod alike;
mod body;
mod clip;
mod corpus;
mod engines;
mod error;
mod files;
mod points;
mod session;
mod shares;
mod take;
mod view;
mod work;

use pyo3::prelude::*;

/// The part of the package that is written in Rust; ``marey`` itself has the names to use.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::body::PySkeleton;
    #[pymodule_export]
    use crate::clip::PyClip;
    #[pymodule_export]
    use crate::corpus::PyCorpus;
    #[pymodule_export]
    use crate::engines::{
        PyStyle, check, duet_island, duet_label, duet_run, duet_settle, duet_train, follow, perform,
        realised, transcribe, traverse, vary,
    };
    #[pymodule_export]
    use crate::files::load;
    #[pymodule_export]
    use crate::points::PyPoints;
    #[pymodule_export]
    use crate::session::{PyRecording, PySession};
    #[pymodule_export]
    use crate::shares::{clouds, distance_block, file_groups, is_whole, level, moments, read_shard};
    #[pymodule_export]
    use crate::take::PyTake;

    #[pymodule_init]
    fn init(module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        use pyo3::types::PyModuleMethods;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
