//! A rating study in a corpus: its takes are the clips, and the answers of raters are durable when they are acknowledged.

use rusqlite::{Connection, params};

use crate::corpus::Change;
use crate::{Corpus, CorpusError, Result, TakeId, codes};

/// Maximum number of raters of a study, so that a link that became public cannot fill the disk.
const MAX_RATERS: i64 = 100_000;

/// A study as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredStudy {
    /// The definition, in TOML.
    pub definition: String,
    /// The clips.
    pub clips: Vec<StoredClip>,
    /// The class and token of each link with which raters join.
    pub links: Vec<(usize, String)>,
    /// Everyone who joined.
    pub raters: Vec<StoredRater>,
}

/// A clip of a study.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredClip {
    /// Its take.
    pub take: TakeId,
    /// The index of its condition.
    pub condition: usize,
    /// Its number in the condition, from 0.
    pub sequence: usize,
    /// Its name, in results.
    pub name: String,
}

/// A rater of a study.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRater {
    /// The number, from 0, in the order in which raters joined.
    pub number: usize,
    /// The index of the class.
    pub class: usize,
    /// With which the rater answers.
    pub token: String,
}

/// What a rater answered to a trial.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredAnswer {
    /// The number of the rater.
    pub rater: usize,
    /// The index of the trial.
    pub trial: usize,
    /// A rating for each scale, or the chosen clip of a pair.
    pub values: Vec<u8>,
    /// How long the rater took, in seconds.
    pub secs: f64,
}

impl Corpus {
    /// Makes the corpus a study. Fails if it is one already.
    ///
    /// ```
    /// use marey_corpus::{Corpus, StoredAnswer};
    /// # let folder = std::env::temp_dir().join(format!("marey-study-doc-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder)?;
    /// # let path = folder.join("study.marey");
    /// let mut corpus = Corpus::create(&path)?;
    /// corpus.put_study("title = \"Walks\"", &[])?;
    /// let rater = corpus.add_study_rater(0, "secret")?;
    /// let answer = StoredAnswer { rater: rater.number, trial: 3, values: vec![4, 5], secs: 2.5 };
    /// corpus.put_study_answer(&answer)?;
    /// assert_eq!(corpus.study_answers(None)?, [answer]);
    /// assert_eq!(corpus.study()?.raters, [rater]);
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn put_study(&mut self, definition: &str, clips: &[StoredClip]) -> Result<()> {
        self.change(|transaction| -> std::result::Result<(), Change> {
            if has_study(transaction)? {
                return Err(CorpusError::refused(&codes::STUDY, "the corpus is a study already").into());
            }
            transaction.execute("INSERT INTO study (id, definition) VALUES (1, ?)", [definition])?;
            let sql =
                "INSERT INTO study_clips (number, take, condition, sequence, name) VALUES (?, ?, ?, ?, ?)";
            let mut insert = transaction.prepare(sql)?;
            for (number, clip) in clips.iter().enumerate() {
                let StoredClip { take, condition, sequence, name } = clip;
                insert.execute(params![
                    integer(number),
                    take.0,
                    integer(*condition),
                    integer(*sequence),
                    name
                ])?;
            }
            Ok(())
        })
    }

    /// The study, without its answers. Fails if the corpus is none.
    pub fn study(&self) -> Result<StoredStudy> {
        if !self.run(has_study)? {
            return Err(CorpusError::refused(&codes::STUDY, "the corpus contains no study"));
        }
        self.run(|connection| {
            let definition = connection.query_row("SELECT definition FROM study", [], |row| row.get(0))?;
            let sql = "SELECT take, condition, sequence, name FROM study_clips ORDER BY number";
            let mut clips = connection.prepare_cached(sql)?;
            let clips = clips.query_map([], |row| {
                Ok(StoredClip {
                    take: TakeId(row.get(0)?),
                    condition: index(row.get(1)?),
                    sequence: index(row.get(2)?),
                    name: row.get(3)?,
                })
            })?;
            let clips = clips.collect::<rusqlite::Result<_>>()?;
            let mut links =
                connection.prepare_cached("SELECT class, token FROM study_links ORDER BY class")?;
            let links = links.query_map([], |row| Ok((index(row.get(0)?), row.get(1)?)))?;
            let links = links.collect::<rusqlite::Result<_>>()?;
            let sql = "SELECT number, class, token FROM study_raters ORDER BY number";
            let mut raters = connection.prepare_cached(sql)?;
            let raters = raters.query_map([], |row| {
                Ok(StoredRater { number: index(row.get(0)?), class: index(row.get(1)?), token: row.get(2)? })
            })?;
            Ok(StoredStudy { definition, clips, links, raters: raters.collect::<rusqlite::Result<_>>()? })
        })
    }

    /// Stores the token with which raters of a class join, unless the class has one.
    pub fn add_study_link(&mut self, class: usize, token: &str) -> Result<()> {
        self.change(|transaction| {
            let sql = "INSERT OR IGNORE INTO study_links (class, token) VALUES (?, ?)";
            transaction.execute(sql, params![integer(class), token])
        })?;
        Ok(())
    }

    /// Adds a rater.
    pub fn add_study_rater(&mut self, class: usize, token: &str) -> Result<StoredRater> {
        self.change(|transaction| -> std::result::Result<StoredRater, Change> {
            let number: i64 =
                transaction.query_row("SELECT count(*) FROM study_raters", [], |row| row.get(0))?;
            if number >= MAX_RATERS {
                let message = format!("the study has {number} raters; that is the most it can have");
                return Err(CorpusError::refused(&codes::STUDY, message).into());
            }
            let sql = "INSERT INTO study_raters (number, class, token) VALUES (?, ?, ?)";
            transaction.execute(sql, params![number, integer(class), token])?;
            Ok(StoredRater { number: index(number), class, token: token.to_owned() })
        })
    }

    /// Stores an answer, which replaces an earlier one of the rater to the same trial. After `Ok`, it is on disk.
    pub fn put_study_answer(&mut self, answer: &StoredAnswer) -> Result<()> {
        let StoredAnswer { rater, trial, values, secs } = answer;
        self.change(|transaction| {
            let sql = "INSERT OR REPLACE INTO study_answers (rater, trial, scale, value, secs) VALUES (?, ?, ?, ?, ?)";
            let mut insert = transaction.prepare_cached(sql)?;
            for (scale, value) in values.iter().enumerate() {
                insert.execute(params![integer(*rater), integer(*trial), integer(scale), value, secs])?;
            }
            Ok::<_, rusqlite::Error>(())
        })
    }

    /// The answers of one rater, or of all, in the order of raters and trials.
    pub fn study_answers(&self, rater: Option<usize>) -> Result<Vec<StoredAnswer>> {
        self.run(|connection| {
            let sql = "SELECT rater, trial, value, secs FROM study_answers
                WHERE ?1 IS NULL OR rater = ?1 ORDER BY rater, trial, scale";
            let mut statement = connection.prepare_cached(sql)?;
            let mut rows = statement.query([rater.map(integer)])?;
            let mut answers: Vec<StoredAnswer> = Vec::new();
            while let Some(row) = rows.next()? {
                let (rater, trial) = (index(row.get(0)?), index(row.get(1)?));
                let value = row.get(2)?;
                match answers.last_mut() {
                    Some(last) if (last.rater, last.trial) == (rater, trial) => last.values.push(value),
                    _ => answers.push(StoredAnswer { rater, trial, values: vec![value], secs: row.get(3)? }),
                }
            }
            Ok(answers)
        })
    }
}

fn has_study(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row("SELECT count(*) FROM study", [], |row| row.get::<_, i64>(0)).map(|count| count > 0)
}

fn integer(index: usize) -> i64 {
    i64::try_from(index).unwrap_or(i64::MAX)
}

fn index(integer: i64) -> usize {
    usize::try_from(integer).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use marey_motion::Coded;

    use super::*;

    #[test]
    fn a_study_and_its_answers_are_read_as_they_were_written() {
        let path = std::env::temp_dir().join(format!("marey-study-{}.marey", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let mut corpus = Corpus::create(&path).unwrap();
        assert_eq!(corpus.study().unwrap_err().code().id, "corpus/study");
        corpus.put_study("a", &[]).unwrap();
        assert_eq!(corpus.put_study("b", &[]).unwrap_err().code().id, "corpus/study");
        corpus.add_study_link(0, "x").unwrap();
        corpus.add_study_link(0, "y").unwrap();
        let raters =
            [("one", 0), ("two", 1)].map(|(token, class)| corpus.add_study_rater(class, token).unwrap());
        assert!(corpus.add_study_rater(0, "two").is_err(), "a token belongs to one rater");
        let answer =
            |rater, trial, values: &[u8]| StoredAnswer { rater, trial, values: values.to_vec(), secs: 1.5 };
        for wanted in [answer(1, 0, &[1, 2]), answer(0, 7, &[5, 5]), answer(1, 0, &[3, 4])] {
            corpus.put_study_answer(&wanted).unwrap();
        }
        assert!(corpus.put_study_answer(&answer(9, 0, &[1])).is_err(), "there is no such rater");
        drop(corpus);
        let corpus = Corpus::open_read_only(&path).unwrap();
        let study = corpus.study().unwrap();
        assert_eq!((study.definition.as_str(), study.raters), ("a", raters.to_vec()));
        assert_eq!(study.links, [(0, "x".to_owned())]);
        assert_eq!(corpus.study_answers(None).unwrap(), [answer(0, 7, &[5, 5]), answer(1, 0, &[3, 4])]);
        assert_eq!(corpus.study_answers(Some(0)).unwrap(), [answer(0, 7, &[5, 5])]);
        drop(corpus);
        std::fs::remove_file(&path).unwrap();
    }
}
