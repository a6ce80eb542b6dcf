//! Panics: bugs in Marey.

use std::any::Any;
use std::io::Write;
use std::panic::{self, PanicHookInfo};
use std::process::ExitCode;

/// The exit code of an internal error, as in BSD's `sysexits.h`.
const OUR_BUG: u8 = 70;

/// Runs the command. A panic prints a request to report it, and becomes exit code 70. Destructors run.
pub(crate) fn guard(command: impl FnOnce() -> ExitCode + panic::UnwindSafe) -> ExitCode {
    panic::set_hook(Box::new(|info| {
        // An error of stderr cannot be reported.
        let _ = writeln!(std::io::stderr().lock(), "{}", notice(info));
    }));
    panic::catch_unwind(command).unwrap_or(ExitCode::from(OUR_BUG))
}

fn notice(info: &PanicHookInfo<'_>) -> String {
    let place = info.location().map(|at| format!("\n --> {at}")).unwrap_or_default();
    format!(
        "error[bug]: {}{place}\n = hint: This is a bug in Marey {}, not in your file. Please report it, with the command \
         and, if you can, the file.",
        message(info.payload()),
        env!("CARGO_PKG_VERSION"),
    )
}

fn message(payload: &dyn Any) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a message")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_exit_code_70() {
        // Exit codes cannot be compared but by how they print.
        let shown = |code: ExitCode| format!("{code:?}");
        assert_eq!(shown(guard(|| panic!("for a test"))), shown(ExitCode::from(70)));
        assert_eq!(shown(guard(|| ExitCode::SUCCESS)), shown(ExitCode::SUCCESS));
        let _ = panic::take_hook();
    }

    #[test]
    fn the_message_of_a_panic_is_found() {
        assert_eq!(message(&"plain"), "plain");
        assert_eq!(message(&String::from("made")), "made");
        assert_eq!(message(&7), "a panic without a message");
    }
}
