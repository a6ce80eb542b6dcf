//! Numbers that were learned from takes, kept so that they are not learned again. Deleted when takes are removed.

use crate::derived::{WHOLE, put};
use crate::prepared_take::sha256;
use crate::{Corpus, Result};

/// Number of models that are kept, by what they were learned from.
const MOST_KEPT: i64 = 4;

impl Corpus {
    /// The numbers that [`Corpus::keep_learned`] stored for a description; `None` if there are none, or if takes were removed since.
    ///
    /// ```
    /// use marey_corpus::Corpus;
    /// # let folder = std::env::temp_dir().join(format!("marey-learned-doc-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder)?;
    /// # let path = folder.join("walks.marey");
    /// let corpus = Corpus::create(&path)?;
    /// assert_eq!(corpus.learned("style of take 1")?, None);
    /// corpus.keep_learned("style of take 1", &[1, 2, 3]);
    /// assert_eq!(corpus.learned("style of take 1")?, Some(vec![1, 2, 3]));
    /// assert_eq!(corpus.learned("style of take 2")?, None);
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn learned(&self, description: &str) -> Result<Option<Vec<u32>>> {
        self.derived::<u32>(&kind(description), None)
    }

    /// Stores numbers that were learned, if that is possible. The description names everything that they depend on, takes by their
    /// content ([`TakeInfo::content`](crate::TakeInfo::content)). The oldest are deleted if there are too many.
    pub fn keep_learned(&self, description: &str, numbers: &[u32]) {
        self.keep_derived(|transaction| {
            put(transaction, &kind(description), None, numbers, WHOLE)?;
            let sql =
                "DELETE FROM derived WHERE kind LIKE 'learned %' AND kind NOT IN (SELECT kind FROM derived
                       WHERE kind LIKE 'learned %' GROUP BY kind ORDER BY max(rowid) DESC LIMIT ?)";
            transaction.execute(sql, [MOST_KEPT])?;
            Ok(())
        });
    }
}

fn kind(description: &str) -> String {
    format!("learned {}", sha256(description.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_models_are_kept() {
        let path = std::env::temp_dir().join(format!("marey-learned-{}.marey", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let corpus = Corpus::create(&path).unwrap();
        for number in 0..7u32 {
            corpus.keep_learned(&format!("model {number}"), &[number]);
        }
        let kept = |number: &u32| corpus.learned(&format!("model {number}")).unwrap() == Some(vec![*number]);
        assert_eq!((0..7).filter(kept).collect::<Vec<_>>(), [3, 4, 5, 6]);
        drop(corpus);
        std::fs::remove_file(&path).unwrap();
    }
}
