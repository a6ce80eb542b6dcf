//! Real motion capture, where it is at hand.

use marey_corpus::{Corpus, Provenance};
use marey_formats::ReadOptions;
use marey_formats::file::read_file;

use crate::support::{Folder, farthest_m};

#[test]
fn joints_of_real_motion_stay_within_a_tenth_of_a_millimetre() {
    let Some(data) = marey_capture::folder("") else { return };
    let folder = Folder::new("real");
    let mut corpus = Corpus::create(&folder.path("a.marey")).unwrap();
    let files = ["cmu", "bandai"].map(|name| marey_capture::files(&data.join(name), "bvh")).concat();
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
    println!("{:.2} bytes a frame and joint", found.motion_bytes as f64 / units as f64);
    assert!(takes > 0 && farthest <= 1e-4 && found.faults.is_empty(), "{:?}", found.faults);
}
