//! Embeds the page that `cargo xtask web` builds, if it was built.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    // The folder always exists, so that cargo notices when the page is built.
    println!("cargo::rerun-if-changed=page");
    let manifest_folder = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?);
    let folder = manifest_folder.join("page/dist");
    let mut files = Vec::new();
    if folder.is_dir() {
        collect_files(&folder, &mut files)?;
    }
    files.sort();
    let mut table = String::from("&[\n");
    for path in files {
        let name = path.strip_prefix(&folder).map_err(io::Error::other)?.display().to_string();
        // Writing to a string cannot fail.
        let _ = writeln!(table, "    (\"/{}\", include_bytes!({:?})),", name.replace('\\', "/"), path);
    }
    table.push_str("]\n");
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    fs::write(out.join("page.rs"), table)
}

fn collect_files(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect_files(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
