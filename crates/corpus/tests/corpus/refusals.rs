//! Places that may not be written: a coded refusal, and the old state.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;

use marey_corpus::{Corpus, Provenance};

use crate::child::{command, said};
use crate::support::{Folder, little};

/// Nobody, on every Unix that has one.
const NOBODY: u32 = 65_534;

#[test]
fn a_folder_that_may_not_be_written_is_read_and_left_alone() {
    // Root may write anywhere, so that somebody else has to try: where that cannot be arranged, the test says so.
    let folder = Folder::new("read-only");
    let inner = folder.path("inner");
    fs::create_dir(&inner).unwrap();
    let path = inner.join("a.marey");
    let mut corpus = Corpus::create(&path).unwrap();
    corpus.add(&little("a", 1, 30), &Provenance::default()).unwrap();
    drop(corpus);
    let before = fs::read(&path).unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o444)).unwrap();
    fs::set_permissions(&inner, Permissions::from_mode(0o555)).unwrap();
    let am_root = fs::metadata("/proc/self").is_ok_and(|about| about.uid() == 0);
    let mut visitor = command("visitor", &path);
    if am_root {
        visitor.uid(NOBODY).gid(NOBODY);
    }
    let output = visitor.output();
    fs::set_permissions(&inner, Permissions::from_mode(0o755)).unwrap();
    let text = output.map(|output| String::from_utf8(output.stdout).unwrap()).unwrap_or_default();
    if am_root && said(&text).is_empty() {
        println!("skipped: as root, and nobody else may run this program");
        return;
    }
    assert_eq!(said(&text), ["read 30", "write file/permission", "make file/permission"]);
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(fs::read_dir(&inner).unwrap().count(), 1);
}
