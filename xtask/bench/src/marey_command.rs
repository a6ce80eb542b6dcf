//! Runs the `marey` command, which `cargo xtask` builds beside this program.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::BoxError;

/// How often the memory of a command is read.
const INTERVAL: Duration = Duration::from_millis(5);

/// What a command took.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CommandCost {
    pub(crate) secs: f64,
    /// Processor time of all threads, in seconds, without the last few milliseconds; 0 on systems that do not report it.
    pub(crate) cpu_secs: f64,
    /// Peak resident memory in bytes; 0 on systems that do not report it.
    pub(crate) peak_bytes: u64,
}

/// Runs the command with a cache folder of its own. Fails with what it printed if it does not succeed.
pub(crate) fn run<A: AsRef<OsStr>>(
    args: impl IntoIterator<Item = A>,
    cache: &Path,
) -> Result<CommandCost, BoxError> {
    let log = cache.join("stderr.txt");
    fs::create_dir_all(cache)?;
    let start = Instant::now();
    let mut child = Command::new(program()?)
        .args(args)
        .env("MAREY_CACHE", cache)
        .stdout(Stdio::null())
        .stderr(fs::File::create(&log)?)
        .spawn()?;
    let (mut peak_bytes, mut cpu_secs) = (0, 0.0);
    let status = loop {
        cpu_secs = cpu_of(&child).unwrap_or(cpu_secs);
        peak_bytes = peak_of(&child).unwrap_or(0).max(peak_bytes);
        if let Some(status) = child.try_wait()? {
            break status;
        }
        std::thread::sleep(INTERVAL);
    };
    let secs = start.elapsed().as_secs_f64();
    if status.success() {
        Ok(CommandCost { secs, cpu_secs, peak_bytes })
    } else {
        Err(fs::read_to_string(log)?.into())
    }
}

fn program() -> Result<PathBuf, BoxError> {
    let program = std::env::current_exe()?.with_file_name(format!("marey{}", std::env::consts::EXE_SUFFIX));
    if program.is_file() {
        return Ok(program);
    }
    Err("the command is not built: run `cargo xtask eval archive` or `cargo xtask bench archive`".into())
}

/// User and system time, which Linux counts in hundredths of a second.
fn cpu_of(child: &Child) -> Option<f64> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
    // The name of the program, in parentheses, can contain blanks. User time is the 14th field of the line.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |index: usize| fields.get(index)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / 100.0).filter(|secs| *secs > 0.0)
}

fn peak_of(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}
