//! Access to neighbouring files on disk.

use std::fs;
use std::path::PathBuf;

use marey_formats::{Folder, Neighbours};
use marey_motion::Coded;

/// Creates an empty folder.
fn fresh(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("inside/below")).unwrap();
    fs::write(folder.join("inside/walk.amc"), "walk").unwrap();
    fs::write(folder.join("inside/b.asf"), "b").unwrap();
    fs::write(folder.join("inside/A.ASF"), "a").unwrap();
    fs::write(folder.join("inside/._a.asf"), "hidden").unwrap();
    fs::write(folder.join("inside/below/c.asf"), "c").unwrap();
    fs::write(folder.join("secret.asf"), "secret").unwrap();
    fs::create_dir(folder.join("inside/folder.asf")).unwrap();
    folder
}

fn code(folder: &Folder, name: &str) -> &'static str {
    folder.open(name).unwrap_err().code().id
}

#[test]
fn files_below_are_served_and_others_are_not() {
    let root = fresh("files-below");
    let folder = Folder::around(&root.join("inside/walk.amc"));
    assert_eq!(folder.own_name(), Some("walk.amc"));
    assert_eq!(folder.names("asf").unwrap(), ["A.ASF", "b.asf"]);
    assert_eq!(folder.open("b.asf").unwrap(), b"b");
    assert_eq!(folder.open("below/c.asf").unwrap(), b"c");
    assert_eq!(code(&folder, "../secret.asf"), "beside/not-plain");
    assert_eq!(code(&folder, root.join("secret.asf").to_str().unwrap()), "beside/not-plain");
    assert_eq!(code(&folder, "none.asf"), "beside/not-found");
    assert_eq!(code(&folder, "b.asf/none"), "beside/not-found");
    assert_eq!(code(&folder, "folder.asf"), "beside/unreadable");
    let nowhere = Folder::around(&root.join("nowhere/walk.amc"));
    assert_eq!(nowhere.names("asf").unwrap_err().code().id, "beside/unreadable");
}

#[test]
fn large_files_are_refused() {
    let root = fresh("large-files");
    let folder = Folder::around(&root.join("inside/walk.amc"));
    assert_eq!(folder.clone().with_max_bytes(4).open("walk.amc").unwrap(), b"walk");
    assert_eq!(code(&folder.with_max_bytes(3), "walk.amc"), "beside/too-large");
}

#[cfg(unix)]
#[test]
fn links_are_followed_inside_only() {
    use std::os::unix::fs::symlink;
    let root = fresh("links");
    symlink(root.join("secret.asf"), root.join("inside/out.asf")).unwrap();
    symlink("..", root.join("inside/up")).unwrap();
    symlink("below/c.asf", root.join("inside/in.asf")).unwrap();
    symlink("inside", root.join("door")).unwrap();
    for path in ["inside/walk.amc", "door/walk.amc"] {
        let folder = Folder::around(&root.join(path));
        assert_eq!(folder.open("in.asf").unwrap(), b"c");
        assert_eq!(code(&folder, "out.asf"), "beside/not-plain");
        assert_eq!(code(&folder, "up/secret.asf"), "beside/not-plain");
    }
}
