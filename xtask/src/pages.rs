//! What is in `web/`: the studio's page and how it is built, the tests and how they are run.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::run::{root, run, starts, target, tested_command};

/// Where Debian puts its browser.
const CHROMIUM: &str = "/usr/bin/chromium";

/// Builds the studio's page into the folder that its server embeds, unless what is there was built from the same files.
pub(crate) fn build() -> Result<(), String> {
    let stamp = target().join("page.stamp");
    let wanted = sources()?;
    let built = root().join("crates/studio/page/dist/index.html").exists();
    if built && fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(());
    }
    install_packages()?;
    run(npm().args(["run", "build", "--silent"]))?;
    fs::create_dir_all(target()).map_err(|error| format!("{}: {error}", target().display()))?;
    fs::write(&stamp, wanted).map_err(|error| format!("{}: {error}", stamp.display()))
}

/// [`build`], where there is Node; without it, Marey is built with a page that says how to get the studio.
pub(crate) fn build_if_possible() -> Result<(), String> {
    if starts("npm", "--version") {
        return build();
    }
    println!("without Node 20 or later, `marey studio` will only say how its page is built");
    Ok(())
}

/// What the page is built from, as a number.
fn sources() -> Result<String, String> {
    let web = root().join("web");
    let mut files =
        ["package-lock.json", "tsconfig.json", "vite.config.js"].map(|name| web.join(name)).to_vec();
    gather(&web.join("studio"), &mut files).map_err(|error| format!("{}: {error}", web.display()))?;
    files.sort();
    let mut hash = DefaultHasher::new();
    for file in files {
        let bytes = fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        (file.strip_prefix(&web).unwrap_or(&file), bytes).hash(&mut hash);
    }
    Ok(hash.finish().to_string())
}

fn gather(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { gather(&path, files)? } else { files.push(path) }
    }
    Ok(())
}

fn npm() -> Command {
    let mut npm = Command::new("npm");
    npm.current_dir(root().join("web"));
    npm
}

/// Installs what the page tests need, and runs them on files that Marey writes and on the studio.
pub(crate) fn test() -> Result<(), String> {
    install_packages()?;
    let browser = browser()?;
    let command = tested_command()?;
    let samples = target().join("page-tests");
    run(Command::new(target().join("debug/examples/gltf_samples")).arg(&samples))?;
    let gallery = target().join("gallery");
    run(Command::new(&command).arg("demo").arg(&gallery).args(["--force", "--quiet"]))?;
    let mut npm = npm();
    npm.env("MAREY_SAMPLES", &samples).env("MAREY_CHROMIUM", browser).env("MAREY_GALLERY", gallery);
    npm.env("MAREY_BINARY", command).env("MAREY_SHOTS", target().join("studio-shots"));
    run(npm.args(["test", "--silent"]))
}

/// Installs the packages of `web/`, unless what is there is what the lock file asks for. Not by `npm ci`: it refuses a lock file that does not
/// list the packages that the bundler has for other systems.
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
    run(npm().args(["install", "--no-save", "--no-audit", "--no-fund"]))?;
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
