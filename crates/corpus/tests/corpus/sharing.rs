//! Several processes at one file.

use std::thread;
use std::time::Duration;

use marey_corpus::{Corpus, Provenance};
use marey_motion::Coded;

use crate::child::{said, start};
use crate::support::{Folder, little};

#[test]
fn two_processes_read_while_one_writes() {
    let folder = Folder::new("sharing");
    let path = folder.path("a.marey");
    drop(Corpus::create(&path).unwrap());
    let readers = [start("reader", &path), start("reader", &path)];
    thread::sleep(Duration::from_millis(30));
    let writer = start("adder", &path).wait_with_output().unwrap();
    assert!(writer.status.success(), "{}", String::from_utf8_lossy(&writer.stderr));
    for reader in readers {
        let output = reader.wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(said(&text), ["read 60 in several rounds"], "{}", String::from_utf8_lossy(&output.stderr));
    }
    let corpus = Corpus::open(&path).unwrap();
    assert_eq!(corpus.check().unwrap().faults, [""; 0]);
}

#[test]
fn two_writers_take_turns() {
    let folder = Folder::new("writers");
    let path = folder.path("a.marey");
    drop(Corpus::create(&path).unwrap());
    thread::scope(|scope| {
        for writer in 0..2u64 {
            let path = &path;
            scope.spawn(move || {
                let mut corpus = Corpus::open(path).unwrap();
                for i in 0..20 {
                    let take = little(&format!("{writer}-{i}"), writer * 100 + i, 30);
                    corpus.add(&take, &Provenance::default()).unwrap();
                }
            });
        }
    });
    let corpus = Corpus::open_read_only(&path).unwrap();
    assert_eq!(corpus.takes().unwrap().len(), 40);
    let refused = Corpus::open_read_only(&path).unwrap().add(&little("x", 777, 3), &Provenance::default());
    assert_eq!(refused.unwrap_err().code().id, "file/permission");
}
