//! `web/`: builds the studio's page and runs the browser tests.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{build_tested_programs, is_installed, root, run, target};

/// The path of Debian's Chromium.
const CHROMIUM: &str = "/usr/bin/chromium";

/// Builds the studio's page into the folder that the server embeds, unless its sources have not changed since the last build.
pub(crate) fn build() -> Result<(), String> {
    let stamp = target().join("page.stamp");
    let hash = source_hash()?;
    let exists = root().join("crates/studio/page/dist/index.html").exists();
    if exists && fs::read_to_string(&stamp).is_ok_and(|found| found == hash) {
        return Ok(());
    }
    install_packages()?;
    run(npm().args(["run", "build", "--silent"]))?;
    fs::create_dir_all(target()).map_err(|error| format!("{}: {error}", target().display()))?;
    fs::write(&stamp, hash).map_err(|error| format!("{}: {error}", stamp.display()))
}

/// Builds the page if Node is installed. Without it, Marey embeds a page that says how to build the studio.
pub(crate) fn build_if_possible() -> Result<(), String> {
    if is_installed("npm", "--version") {
        return build();
    }
    println!("Node 20 or later is not installed: `marey studio` will only show how to build its page");
    Ok(())
}

/// A hash of the names and contents of the page's sources.
fn source_hash() -> Result<String, String> {
    let web = root().join("web");
    let mut files =
        ["package-lock.json", "tsconfig.json", "vite.config.js"].map(|name| web.join(name)).to_vec();
    add_files(&web.join("studio"), &mut files).map_err(|error| format!("{}: {error}", web.display()))?;
    files.sort();
    let mut hash = DefaultHasher::new();
    for file in files {
        let bytes = fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        (file.strip_prefix(&web).unwrap_or(&file), bytes).hash(&mut hash);
    }
    Ok(hash.finish().to_string())
}

fn add_files(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { add_files(&path, files)? } else { files.push(path) }
    }
    Ok(())
}

fn npm() -> Command {
    let mut npm = Command::new("npm");
    npm.current_dir(root().join("web"));
    npm
}

/// Installs what the browser tests need and runs them on files that Marey writes and on the studio.
pub(crate) fn test() -> Result<(), String> {
    install_packages()?;
    let browser = browser()?;
    let programs = build_tested_programs()?;
    let marey = programs.join("marey");
    let samples = target().join("page-tests");
    run(Command::new(programs.join("examples/gltf_samples")).arg(&samples))?;
    let gallery = target().join("gallery");
    run(Command::new(&marey).arg("demo").arg(&gallery).args(["--force", "--quiet"]))?;
    let mut npm = npm();
    npm.env("MAREY_SAMPLES", &samples).env("MAREY_CHROMIUM", browser).env("MAREY_GALLERY", gallery);
    npm.env("MAREY_BINARY", marey).env("MAREY_SHOTS", target().join("studio-shots"));
    run(npm.args(["test", "--silent"]))
}

/// Installs the packages of `web/`, unless the installed ones match the lock file.
///
/// `npm ci` would reject the lock file, because it does not list the bundler's packages for other systems.
fn install_packages() -> Result<(), String> {
    let web = root().join("web");
    let (lock, installed) = (web.join("package-lock.json"), web.join("node_modules/.marey-lock"));
    let wanted = fs::read(&lock).map_err(|error| format!("{}: {error}", lock.display()))?;
    if fs::read(&installed).is_ok_and(|found| found == wanted) {
        return Ok(());
    }
    if !is_installed("npm", "--version") {
        return Err("the studio's page needs Node 20 or later: on Debian, apt-get install nodejs npm".into());
    }
    run(npm().args(["install", "--no-save", "--no-audit", "--no-fund"]))?;
    fs::write(&installed, wanted).map_err(|error| format!("{}: {error}", installed.display()))
}

/// The browser that `MAREY_CHROMIUM` names, or Debian's, which is installed if it is missing.
fn browser() -> Result<String, String> {
    if let Ok(path) = std::env::var("MAREY_CHROMIUM") {
        return Ok(path);
    }
    if !Path::new(CHROMIUM).exists() {
        println!("{CHROMIUM} is missing: trying to install it");
        let apt =
            |args: &[&str]| run(Command::new("apt-get").env("DEBIAN_FRONTEND", "noninteractive").args(args));
        let installed = apt(&["update", "-qq"]).and_then(|()| apt(&["install", "-y", "-qq", "chromium"]));
        installed.map_err(|error| {
            format!("the browser tests need Chromium: install it or set MAREY_CHROMIUM to its path ({error})")
        })?;
    }
    Ok(CHROMIUM.to_owned())
}
