//! Renames takes and their actors.

use rusqlite::params;
use serde::{Deserialize, Serialize};

use crate::takes::{check_name, check_word};
use crate::{Corpus, CorpusError, Result, TakeId, codes};

/// Which takes to rename, and how. Names a take, its actors, or both.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RenameRequest {
    /// Takes, by name or # and number. Without any, all takes that have as many actors as there are names.
    pub takes: Vec<String>,
    /// The new name of a take; only for a single one.
    pub name: Option<String>,
    /// The new names of the actors, in order.
    pub actors: Vec<String>,
}

/// A take that was renamed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RenamedTake {
    /// Its id.
    pub id: TakeId,
    /// Its name now.
    pub name: String,
    /// The names of its actors now.
    pub actors: Vec<String>,
}

impl RenameRequest {
    /// Checks the names, and that the request names something.
    pub fn validate(&self) -> Result<()> {
        let wrong = |message: &str| Err(CorpusError::request(&codes::NAME, message));
        if self.name.is_none() && self.actors.is_empty() {
            return wrong("no new name is given");
        }
        if let Some(name) = &self.name {
            check_name(name)?;
            if self.takes.len() != 1 {
                return wrong("one name is given, so name one take");
            }
        }
        self.actors.iter().try_for_each(|name| check_word("an actor", name))?;
        let mut names: Vec<&String> = self.actors.iter().collect();
        names.sort();
        names.dedup();
        if names.len() < self.actors.len() { wrong("two actors would have the same name") } else { Ok(()) }
    }
}

impl Corpus {
    /// Renames takes and their actors in one transaction. Motion, annotations and segments stay. Fails, and changes nothing, if
    /// a name is taken or a named take has another number of actors.
    pub fn rename(&mut self, request: &RenameRequest) -> Result<Vec<RenamedTake>> {
        request.validate()?;
        let mut takes = self.select(&request.takes)?;
        if request.takes.is_empty() {
            takes.retain(|info| info.actors.len() == request.actors.len());
        }
        for info in takes.iter().filter(|_| !request.actors.is_empty()) {
            if info.actors.len() != request.actors.len() {
                let (has, names) = (info.actors.len(), request.actors.len());
                let message = format!("{} has {has} actors, but {names} names are given", info.name);
                return Err(CorpusError::refused(&codes::NO_ACTOR, message));
            }
        }
        if takes.is_empty() {
            let message = format!("no take has {} actors", request.actors.len());
            return Err(CorpusError::refused(&codes::NO_ACTOR, message));
        }
        if let Some(name) = &request.name {
            let is_free = |id: TakeId| takes.iter().any(|info| info.id == id);
            if self.find(name).is_ok_and(|other| !is_free(other)) {
                return Err(CorpusError::refused(&codes::NAME, format!("another take is named {name:?}")));
            }
        }
        self.change(|transaction| {
            for info in &takes {
                if let Some(name) = &request.name {
                    transaction
                        .execute("UPDATE takes SET name = ? WHERE id = ?", params![name, info.id.0])?;
                }
                for (actor, name) in (0i64..).zip(&request.actors) {
                    let sql = "UPDATE actors SET name = ? WHERE take = ? AND actor = ?";
                    transaction.execute(sql, params![name, info.id.0, actor])?;
                }
            }
            Ok::<_, rusqlite::Error>(())
        })?;
        takes.iter().map(|info| self.info(info.id).map(RenamedTake::from)).collect()
    }
}

impl From<crate::TakeInfo> for RenamedTake {
    fn from(info: crate::TakeInfo) -> Self {
        let actors = info.actors.into_iter().map(|actor| actor.name).collect();
        Self { id: info.id, name: info.name, actors }
    }
}
