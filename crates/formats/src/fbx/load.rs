//! Loads a ufbx scene within limits, and maps ufbx errors and warnings to codes.

use marey_motion::{Code, Place, Report};
use ufbx::{AllocatorOpts, ErrorType, FileFormat, LoadOpts, PivotHandling, SceneRoot, WarningType};

use super::codes;
use crate::{FormatsError, Limits};

/// Bytes of memory that a file of any size may take. An empty scene takes some 100 kB.
const MEMORY_FLOOR_BYTES: usize = 64 << 20;

/// Bytes of memory that each byte of a file allows in addition. Compressed arrays grow to about ten times their size, and keys
/// take about ten times more as structs than as numbers.
const MEMORY_PER_BYTE: usize = 256;

/// The oldest version that ufbx knows.
const OLDEST_VERSION: u32 = 3000;

/// Largest number of nodes above a figure, including the scene.
const NODES_ABOVE: usize = 64;

/// Loads nodes and their animation in the file's own unit and axes. Meshes and pictures are skipped.
pub(super) fn load(bytes: &[u8], limits: Limits) -> Result<SceneRoot, FormatsError> {
    if !crate::signature::is_fbx(bytes) {
        let message = "the file does not start like an FBX file";
        return Err(FormatsError::refused(&codes::NOT_FBX, Place::default(), message));
    }
    let memory_bytes = bytes
        .len()
        .saturating_mul(MEMORY_PER_BYTE)
        .saturating_add(MEMORY_FLOOR_BYTES)
        .min(limits.memory_bytes)
        .max(1);
    let allocator = || AllocatorOpts { memory_limit: memory_bytes, ..AllocatorOpts::default() };
    let options = LoadOpts {
        temp_allocator: allocator(),
        result_allocator: allocator(),
        ignore_geometry: true,
        ignore_embedded: true,
        file_format: FileFormat::Fbx,
        no_format_from_extension: true,
        node_depth_limit: u32::try_from(limits.depth.saturating_add(NODES_ABOVE)).unwrap_or(u32::MAX),
        // The position of a joint is its pivot.
        pivot_handling: PivotHandling::AdjustToRotationPivot,
        ..LoadOpts::default()
    };
    let scene = ufbx::load_memory(bytes, options).map_err(|error| refusal(&error))?;
    if scene.nodes.len() > 1 && scene.connections_src.is_empty() {
        let message = "the connections between objects, the last part of a file, are missing";
        return Err(FormatsError::refused(&codes::TRUNCATED, Place::default(), message));
    }
    let version = scene.metadata.version;
    if version < OLDEST_VERSION {
        let message = format!("version {version}; the oldest supported version is {OLDEST_VERSION}");
        return Err(FormatsError::refused(&codes::UNSUPPORTED, Place::default(), message));
    }
    Ok(scene)
}

/// Converts an error of ufbx. Its message is used, but not its detail, which need not be text.
fn refusal(error: &ufbx::Error) -> FormatsError {
    let code: &'static Code = match error.type_ {
        ErrorType::UnrecognizedFileFormat => &codes::NOT_FBX,
        ErrorType::TruncatedFile | ErrorType::EmptyFile => &codes::TRUNCATED,
        ErrorType::UnsupportedVersion => &codes::UNSUPPORTED,
        ErrorType::MemoryLimit
        | ErrorType::AllocationLimit
        | ErrorType::OutOfMemory
        | ErrorType::NodeDepthLimit => &codes::LIMIT,
        _ => &codes::DAMAGED,
    };
    let message = match error.type_ {
        ErrorType::EmptyFile => "the file ends inside its first part".to_owned(),
        ErrorType::Unknown => "the content does not follow the format".to_owned(),
        ErrorType::NodeDepthLimit => "nodes are nested too deeply".to_owned(),
        _ => error.description.to_lowercase(),
    };
    FormatsError::refused(code, Place::default(), message)
}

/// Reports the repairs that ufbx made, except to shapes and pictures.
pub(super) fn report_repairs(scene: &ufbx::Scene, report: &mut Report) {
    for warning in &scene.metadata.warnings {
        let code = match warning.type_ {
            WarningType::UnsupportedVersion => &codes::UNKNOWN_VERSION,
            WarningType::TruncatedArray
            | WarningType::DuplicateConnection
            | WarningType::BadUnicode
            | WarningType::BadElementConnectedToRoot
            | WarningType::DuplicateObjectId => &codes::REPAIRED,
            _ => continue,
        };
        report.warn_many(code, Place::default(), warning.count.max(1), warning.description.to_lowercase());
    }
}
