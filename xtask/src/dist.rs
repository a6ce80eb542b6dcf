//! `cargo xtask dist`: the program for users, stripped and free of the paths of the machine that built it.
//!
//! `--check` builds the last commit twice, in two folders whose paths differ in length, and compares the bytes. Both builds use the
//! same compiler and the same lock file; another compiler gives other bytes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{cargo, root, run, target};

/// Builds `marey` into the folder `dist` of the target folder, with its notices and bill of materials.
pub(crate) fn dist(args: &[String]) -> Result<(), String> {
    match args {
        [] => {
            let built = build(&root(), &target())?;
            let folder = target().join("dist-files");
            fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
            let program = folder.join("marey");
            fs::copy(&built, &program).map_err(|error| format!("{}: {error}", built.display()))?;
            crate::supply::notices(&[folder.join("THIRD-PARTY.md").display().to_string()])?;
            crate::supply::sbom(&[folder.join("sbom.cdx.json").display().to_string()])?;
            println!("{}: {:.1} MB", program.display(), megabytes(&program)?);
            Ok(())
        }
        [flag] if flag == "--check" => check(),
        _ => Err("dist takes no argument but --check".into()),
    }
}

/// Builds the workspace in a folder. Returns the path of the program.
fn build(workspace: &Path, target: &Path) -> Result<PathBuf, String> {
    let home = std::env::var_os("CARGO_HOME")
        .map_or_else(|| std::env::home_dir().unwrap_or_default().join(".cargo"), PathBuf::from);
    // Compilers use the last prefix that fits, so the target folder, which can be inside the workspace, comes last.
    let remapped = [(workspace, "/marey"), (&home, "/cargo"), (target, "/target")];
    let for_rust = remapped.map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display()));
    let for_c = remapped.map(|(from, to)| format!("-ffile-prefix-map={}={to}", from.display()));
    let mut command = cargo();
    command.current_dir(workspace).env("CARGO_TARGET_DIR", target).env("CARGO_INCREMENTAL", "0");
    // Separated by the character that cargo asks for, since paths can contain blanks.
    command.env("CARGO_ENCODED_RUSTFLAGS", for_rust.join("\u{1f}")).env("CFLAGS", for_c.join(" "));
    run(command.args(["build", "--locked", "--profile", "dist", "-p", "marey-cli"]))?;
    Ok(target.join("dist/marey"))
}

/// Builds the last commit in two folders and compares the programs.
fn check() -> Result<(), String> {
    let base = target().join("dist-check");
    let mut programs = Vec::new();
    for name in ["a", "a-folder-with-a-longer-name"] {
        let folder = base.join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let source = folder.join("source");
        run(Command::new("git").args(["clone", "--quiet", "--shared"]).arg(root()).arg(&source))?;
        programs.push(build(&source, &folder.join("target"))?);
    }
    let bytes = programs.iter().map(fs::read).collect::<Result<Vec<_>, _>>();
    let bytes = bytes.map_err(|error| format!("{}: {error}", base.display()))?;
    let [one, other] = bytes.as_slice() else { return Err("two programs are compared".into()) };
    let path = base.display().to_string();
    if one.windows(path.len()).any(|window| window == path.as_bytes()) {
        return Err(format!("the program contains the path of the folder that it was built in: {path}"));
    }
    if one != other {
        let first = one.iter().zip(other).position(|(a, b)| a != b).unwrap_or(one.len().min(other.len()));
        return Err(format!(
            "the programs differ: {} and {} bytes, first at byte {first}",
            one.len(),
            other.len()
        ));
    }
    println!("two builds in two folders give the same {} bytes", one.len());
    let _ = fs::remove_dir_all(&base);
    Ok(())
}

fn megabytes(path: &Path) -> Result<f64, String> {
    let about = fs::metadata(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(about.len() as f64 / 1e6)
}
