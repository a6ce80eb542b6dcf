//! The peak memory of reading a file, measured in a new process.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use marey_formats::{ReadOptions, read};

use crate::row::{Aim, Row};

/// The first argument of the child process.
pub(crate) const VERB: &str = "peak-memory";

/// Reads a file and prints the peak memory of the process, in bytes.
pub(crate) fn child(file: &str) -> ExitCode {
    let Ok(bytes) = fs::read(file) else { return ExitCode::FAILURE };
    let import = read(&bytes, None, &ReadOptions::default());
    std::hint::black_box(&import);
    match (import.is_ok(), peak_bytes()) {
        (true, Some(peak)) => {
            println!("{peak}");
            ExitCode::SUCCESS
        }
        _ => ExitCode::FAILURE,
    }
}

/// The peak resident memory of this process, on systems that report it.
fn peak_bytes() -> Option<usize> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<usize>().ok()? * 1024)
}

/// Peak memory as a multiple of the file's size.
pub(crate) fn row(file: &Path) -> Option<Row> {
    let size = fs::metadata(file).ok()?.len() as f64;
    let output = Command::new(std::env::current_exe().ok()?).arg(VERB).arg(file).output().ok()?;
    let peak: f64 = String::from_utf8(output.stdout).ok()?.trim().parse().ok()?;
    let subject = format!("generated walk, {:.0} MB", size / 1e6);
    Some(
        Row::new("peak memory of reading, file included", subject, peak / size, "file sizes")
            .against("the file itself", 1.0)
            .aim(Aim::AtMost(4.0)),
    )
}
