//! What goes where, in which colours, and how a run ends.

use std::fs::OpenOptions;
use std::process::Stdio;

use crate::motion_files::{BAD, calibrated, standing};
use crate::sandbox::{Sandbox, assert_snapshot};

#[test]
fn errors_name_code_message_place_and_hint() {
    let sandbox = Sandbox::new("error-style").with("bad.bvh", BAD);
    assert_snapshot("error", &sandbox.run(&["inspect", "bad.bvh"]).screen());
}

#[test]
fn exit_codes_tell_done_from_failed_from_misused() {
    let sandbox = Sandbox::new("exit-codes").with("good.bvh", standing(3)).with("bad.bvh", BAD);
    let code = |args: &[&str]| sandbox.run(args).code;
    assert_eq!(code(&["inspect", "good.bvh"]), 0);
    assert_eq!(code(&["inspect", "bad.bvh"]), 1);
    assert_eq!(code(&["inspect", "absent.bvh"]), 1);
    assert_eq!(code(&["inspect", "good.bvh", "bad.bvh"]), 1);
    assert_eq!(code(&["inspect", "good.bvh", "--roles", "absent.toml"]), 1);
    for misuse in [
        &["inspect"][..],
        &["juggle"],
        &["inspect", "good.bvh", "--unit", "furlong"],
        &["inspect", "good.bvh", "--rate", "0"],
        &["inspect", "good.bvh", "--limit", "toes=10"],
        &["inspect", "[.bvh"],
        &["convert", "good.bvh", "out.bvh", "--frames", "3..1"],
        &["convert", "good.bvh", "out.c3d"],
    ] {
        assert_eq!(code(misuse), 2, "{misuse:?}");
    }
}

#[test]
fn colours_are_for_terminals_unless_told_otherwise() {
    let sandbox = Sandbox::new("colours").with("good.bvh", standing(3)).with("bad.bvh", BAD);
    let coloured = |args: &[&str]| {
        let run = sandbox.run(args);
        (run.out + &run.err).contains('\x1b')
    };
    assert!(!coloured(&["inspect", "good.bvh", "bad.bvh"]));
    assert!(!coloured(&["inspect", "bad.bvh", "--color", "never"]));
    assert!(!coloured(&["--help"]));
    assert!(coloured(&["inspect", "good.bvh", "--color", "always"]));
    assert!(coloured(&["inspect", "bad.bvh", "--color", "always"]));
    assert!(coloured(&["--help", "--color", "always"]));
    let output = sandbox.command(&["inspect", "bad.bvh", "--help"]).env("NO_COLOR", "1").output().unwrap();
    assert!(!output.stdout.contains(&0x1b));
}

#[test]
fn names_in_files_cannot_colour_the_screen() {
    let text = standing(3).replace("LeftHand", "Left\x1b[31mHand");
    let sandbox = Sandbox::new("escape").with("evil\x1b[2J.bvh", text);
    let run = sandbox.ok(&["inspect", "evil\x1b[2J.bvh"]);
    assert!(run.out.contains("Hand") && !(run.out + &run.err).contains('\x1b'));
}

#[test]
fn data_goes_to_stdout_and_the_rest_to_stderr_unless_quiet() {
    let sandbox = Sandbox::new("streams").with("a.bvh", calibrated(5)).with("b.bvh", calibrated(5));
    let loud = sandbox.ok(&["inspect", "a.bvh", "b.bvh"]);
    assert!(loud.out.contains("a.bvh") && !loud.out.contains("2 of 2 files read"));
    assert!(loud.err.contains("2 of 2 files read") && loud.err.contains("warning[conventions/rest-frame]"));
    let quiet = sandbox.ok(&["inspect", "a.bvh", "b.bvh", "-q"]);
    assert_eq!((quiet.out, quiet.err.as_str()), (loud.out, ""));
    let converted = sandbox.ok(&["convert", "a.bvh", "c.bvh"]);
    assert_eq!(converted.out, "");
    assert!(converted.err.ends_with("wrote c.bvh\n"));
    assert_eq!(sandbox.ok(&["convert", "a.bvh", "d.bvh", "--quiet"]).err, "");
    assert!(sandbox.run(&["convert", "a.bvh", "d.bvh", "--quiet"]).err.contains("error[file/exists]"));
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let sandbox = Sandbox::new("pipe").with("good.bvh", standing(3));
    for args in [&["inspect", "good.bvh"][..], &["completions", "zsh"], &["render", "--help"]] {
        let mut child = sandbox.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]), "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_under_stdout_is_told() {
    let sandbox = Sandbox::new("full").with("good.bvh", standing(3));
    let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = sandbox.command(&["inspect", "good.bvh", "--json"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("error[file/full]"));
}

/// What a run prints on a terminal of its own, both streams together; `None`, with a word, where none can be had.
#[cfg(target_os = "linux")]
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn on_a_terminal(sandbox: &Sandbox, args: &str, no_color: bool) -> Option<String> {
    let mut script = std::process::Command::new("script");
    let line = format!("'{}' {args}", env!("CARGO_BIN_EXE_marey"));
    script.args(["-qec", &line, "/dev/null"]).current_dir(sandbox.path("")).stdin(Stdio::null());
    script.env("TERM", "xterm").env_remove("NO_COLOR");
    if no_color {
        script.env("NO_COLOR", "1");
    }
    match script.output() {
        Ok(output) => Some(String::from_utf8_lossy(&output.stdout).into_owned()),
        Err(_) => {
            eprintln!("skipped: no `script` to give the command a terminal");
            None
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn on_a_terminal_there_are_colours_and_progress_unless_unwanted() {
    let sandbox = Sandbox::new("terminal").with("good.bvh", standing(3)).with("bad.bvh", BAD);
    let Some(seen) = on_a_terminal(&sandbox, "inspect bad.bvh", false) else { return };
    assert!(seen.contains("\x1b[1;31merror[bvh/bad-number]\x1b[0m"), "{seen:?}");
    let plain = on_a_terminal(&sandbox, "inspect bad.bvh", true).unwrap();
    assert!(plain.contains("error[bvh/bad-number]") && !plain.contains('\x1b'), "{plain:?}");
    let several = on_a_terminal(&sandbox, "inspect good.bvh bad.bvh", false).unwrap();
    assert!(several.contains("/2, inspecting"), "{several:?}");
    let quiet = on_a_terminal(&sandbox, "inspect good.bvh bad.bvh -q", false).unwrap();
    assert!(!quiet.contains("/2, inspecting"), "{quiet:?}");
}
