//! The tests in `web/`: what they need, and how they are run.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::run::{root, run, run_cargo, target};

/// Where Debian puts its browser.
const CHROMIUM: &str = "/usr/bin/chromium";

/// Installs what the page tests need, and runs them on files that Marey writes.
pub(crate) fn test() -> Result<(), String> {
    install_packages()?;
    let browser = browser()?;
    let samples = target().join("page-tests");
    let folder = samples.display().to_string();
    run_cargo(["run", "--quiet", "--package", "marey-formats", "--example", "gltf_samples", "--", &folder])?;
    let gallery = target().join("gallery");
    let folder = gallery.display().to_string();
    run_cargo(["run", "--quiet", "--package", "marey", "--", "demo", &folder, "--force", "--quiet"])?;
    let mut npm = Command::new("npm");
    npm.current_dir(root().join("web")).env("MAREY_SAMPLES", &samples).env("MAREY_CHROMIUM", browser);
    npm.env("MAREY_GALLERY", gallery);
    run(npm.args(["test", "--silent"]))
}

/// Runs `npm ci` in `web/`, unless what is there is what the lock file asks for.
fn install_packages() -> Result<(), String> {
    let web = root().join("web");
    let (lock, done) = (web.join("package-lock.json"), web.join("node_modules/.marey-lock"));
    let wanted = fs::read(&lock).map_err(|error| format!("{}: {error}", lock.display()))?;
    if fs::read(&done).is_ok_and(|found| found == wanted) {
        return Ok(());
    }
    if !starts("npm", "--version") {
        return Err(
            "the page tests need Node 20 or later with npm: on Debian, apt-get install nodejs npm".into()
        );
    }
    run(Command::new("npm").current_dir(&web).args(["ci", "--no-audit", "--no-fund"]))?;
    fs::write(&done, wanted).map_err(|error| format!("{}: {error}", done.display()))
}

/// The browser: the one that `MAREY_CHROMIUM` names, or Debian's, installed where it is missing and may be.
fn browser() -> Result<String, String> {
    if let Ok(told) = std::env::var("MAREY_CHROMIUM") {
        return Ok(told);
    }
    if !Path::new(CHROMIUM).exists() {
        println!("{CHROMIUM} is missing: trying to install it");
        let apt =
            |args: &[&str]| run(Command::new("apt-get").env("DEBIAN_FRONTEND", "noninteractive").args(args));
        let installed = apt(&["update", "-qq"]).and_then(|()| apt(&["install", "-y", "-qq", "chromium"]));
        installed.map_err(|failed| {
            format!("the page tests need Chromium: install it, or name it in MAREY_CHROMIUM ({failed})")
        })?;
    }
    Ok(CHROMIUM.to_owned())
}

/// Whether a program can be started.
fn starts(program: &str, word: &str) -> bool {
    Command::new(program).arg(word).stdout(Stdio::null()).status().is_ok_and(|status| status.success())
}
