//! Real motion capture, where it is at hand.

use std::path::{Path, PathBuf};

use marey_corpus::{Corpus, Provenance};
use marey_formats::ReadOptions;
use marey_formats::file::read_file;

use crate::support::{Folder, farthest_m};

/// `MAREY_DATA`, or `../shared/data` beside the project.
fn data() -> Option<PathBuf> {
    let told = std::env::var_os("MAREY_DATA").map(PathBuf::from);
    let folder = told.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"));
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: no motion capture at ../shared/data or MAREY_DATA");
    None
}

fn bvh_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            bvh_files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "bvh") {
            found.push(path);
        }
    }
}

#[test]
fn joints_of_real_motion_stay_within_a_tenth_of_a_millimetre() {
    let Some(data) = data() else { return };
    let folder = Folder::new("real");
    let mut corpus = Corpus::create(&folder.path("a.marey")).unwrap();
    let mut files = Vec::new();
    bvh_files(&data.join("cmu"), &mut files);
    bvh_files(&data.join("bandai"), &mut files);
    files.sort();
    let (mut farthest, mut takes, mut units) = (0f32, 0, 0);
    for path in files.iter().step_by(8) {
        let Ok(import) = read_file(path, &ReadOptions::default()) else { continue };
        let take = import.take().unwrap();
        let id = corpus.add(take, &Provenance::default()).unwrap().id();
        farthest = farthest.max(farthest_m(take, &corpus.take(id).unwrap()));
        takes += 1;
        units += take.actors().iter().map(|actor| actor.clip.rotations().len()).sum::<usize>();
    }
    let found = corpus.check().unwrap();
    println!("{takes} takes, farthest {:.1} µm, {} plain chunks", farthest * 1e6, found.plain_chunks);
    println!("{:.2} bytes a frame and joint", found.bytes as f64 / units as f64);
    assert!(takes > 0 && farthest <= 1e-4 && found.faults.is_empty(), "{:?}", found.faults);
}
