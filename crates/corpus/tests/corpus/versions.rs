//! Files of other versions, and files that are none of ours.

use std::fs;
use std::path::Path;

use marey_corpus::{AnnotationContent, Corpus, Maker, Span, TakeId};
use marey_motion::{Coded, Tag, Vec3};
use rusqlite::Connection;

use crate::support::Folder;

/// A corpus as the first version wrote it.
fn write_version_1(path: &Path) {
    Connection::open(path).unwrap().execute_batch(include_str!("version_1.sql")).unwrap();
}

#[test]
fn a_file_of_an_older_version_opens_and_is_brought_up_to_date() {
    let folder = Folder::new("old");
    for (name, open) in [("write", Corpus::open as fn(&Path) -> _), ("read", Corpus::open_read_only)] {
        let path = folder.path(name);
        write_version_1(&path);
        let corpus = open(&path).unwrap();
        let take = corpus.take(TakeId(7)).unwrap();
        assert_eq!(take.name(), "old");
        let places: Vec<Vec3> = take.first().root_positions().collect();
        assert_eq!(places, [Vec3::Y, Vec3::new(1.0, 1.0, 0.0)]);
        let said = corpus.annotations(TakeId(7)).unwrap();
        assert_eq!(said[0].what, AnnotationContent::Tag(Tag { start: 0, end: 2, name: "rolls".into() }));
        assert_eq!(said[1].maker, Maker::method("eye"));
        assert_eq!(corpus.check().unwrap().faults, [""; 0]);
        drop(corpus);
        // What came with later versions works.
        let mut corpus = Corpus::open(&path).unwrap();
        let whole = Span { start: 0, end: 2, actor: None, name: "all".into() };
        assert_eq!(corpus.cut(TakeId(7), &[whole], &Maker::Person).unwrap(), (1, 0));
    }
}

#[test]
fn an_index_that_was_kept_in_another_way_is_thrown_away_and_the_rest_stays() {
    let folder = Folder::new("old-index");
    let path = folder.path("a.marey");
    write_version_1(&path);
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch(include_str!("../../src/schema/2_segments.sql")).unwrap();
    connection.pragma_update(None, "user_version", 2).unwrap();
    let sql = "INSERT INTO derived VALUES ('index stretches', NULL, 0, 0, x'00'), ('index table', NULL, 0, 0, x'00'),
               ('features', 7, 0, 3523407757, x'00')";
    connection.execute_batch(sql).unwrap();
    drop(connection);
    let corpus = Corpus::open(&path).unwrap();
    assert_eq!(corpus.check().unwrap().faults, [""; 0]);
    // A ball has no feet; an index that is not understood would be damage.
    assert_eq!(corpus.moments().unwrap_err().code().id, "corpus/no-moments");
    let kinds = "SELECT group_concat(kind) FROM (SELECT kind FROM derived ORDER BY kind)";
    let kinds: String = Connection::open(&path).unwrap().query_row(kinds, [], |row| row.get(0)).unwrap();
    assert_eq!(kinds, "features,moments");
}

#[test]
fn a_new_file_and_one_brought_up_to_date_have_the_same_tables() {
    let folder = Folder::new("same-tables");
    let (old, new) = (folder.path("old.marey"), folder.path("new.marey"));
    write_version_1(&old);
    drop(Corpus::open(&old).unwrap());
    drop(Corpus::create(&new).unwrap());
    let tables = |path: &Path| -> Vec<(String, String)> {
        let connection = Connection::open(path).unwrap();
        let sql = "SELECT m.name, group_concat(c.name || c.type || c.pk) FROM sqlite_schema m, pragma_table_info(m.name) c
                   GROUP BY m.name ORDER BY m.name";
        let mut statement = connection.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        rows.map(Result::unwrap).collect()
    };
    assert_eq!(tables(&old), tables(&new));
}

#[test]
fn what_is_newer_or_not_ours_is_refused_and_left_alone() {
    let folder = Folder::new("refused");
    let newer = folder.path("newer.marey");
    drop(Corpus::create(&newer).unwrap());
    Connection::open(&newer).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let other = folder.path("other.sqlite");
    Connection::open(&other).unwrap().execute_batch("CREATE TABLE mine (x)").unwrap();
    let text = folder.path("text.marey");
    fs::write(&text, "not a database, but long enough to look like one to somebody in a hurry".repeat(20))
        .unwrap();
    let empty = folder.path("empty.marey");
    fs::write(&empty, "").unwrap();
    let missing = folder.path("missing.marey");
    let place = folder.path("");
    for (path, code) in [
        (&newer, "corpus/newer"),
        (&other, "corpus/not-a-corpus"),
        (&text, "corpus/not-a-corpus"),
        (&empty, "corpus/not-a-corpus"),
        (&missing, "file/not-found"),
        (&place, "file/is-folder"),
    ] {
        let before = fs::read(path).ok();
        for open in [Corpus::open as fn(&Path) -> _, Corpus::open_read_only] {
            assert_eq!(open(path).unwrap_err().code().id, code, "{}", path.display());
        }
        assert_eq!(fs::read(path).ok(), before);
    }
    assert!(!missing.exists());
}

#[test]
fn a_corpus_is_never_made_over_a_file() {
    let folder = Folder::new("over");
    let path = folder.path("mine.marey");
    fs::write(&path, "mine").unwrap();
    assert_eq!(Corpus::create(&path).unwrap_err().code().id, "file/exists");
    assert_eq!(fs::read(&path).unwrap(), b"mine");
    let nowhere = Corpus::create(&folder.path("no/such/a.marey")).unwrap_err();
    assert_eq!(nowhere.code().id, "file/not-found");
}
