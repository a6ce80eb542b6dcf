//! A request for a character: a file, and which of its bodies.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::formats::ReadRequest;

/// A character or skeleton, as text `[ACTOR=]FILE[@TAKE][#FIGURE]`.
///
/// ```
/// use marey::character::CharacterRequest;
/// let request: CharacterRequest = "leader=ann.vrm#Armature".parse()?;
/// assert_eq!((request.actor.as_deref(), request.figure.as_deref()), (Some("leader"), Some("Armature")));
/// assert_eq!(request.to_string(), "leader=ann.vrm#Armature");
/// let request: CharacterRequest = "walks.marey@walk 3#2".parse()?;
/// assert_eq!((request.read.take.as_deref(), request.figure.as_deref()), (Some("walk 3"), Some("2")));
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CharacterRequest {
    /// The actor that it shows; `None` for every actor without a character of its own.
    pub actor: Option<String>,
    /// A .glb, .gltf, .vrm or .fbx file, any motion file, or a corpus.
    pub file: PathBuf,
    /// One of several figures in the file, or of several actors of a take, by name or number from 1; default the one that is most
    /// like a person.
    pub figure: Option<String>,
    /// How the file is read. Of a corpus, the take is the name of a character that is kept in it, or else the name of a take, or `#` and the
    /// number of one.
    pub read: ReadRequest,
}

impl CharacterRequest {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<(), Error> {
        if self.file.as_os_str().is_empty() {
            return Err(Error::settings("a character has no file"));
        }
        Ok(self.read.validate()?)
    }
}

impl FromStr for CharacterRequest {
    type Err = String;

    /// A file whose name contains `=`, `@` or `#` is taken as a file if it exists.
    fn from_str(text: &str) -> Result<Self, String> {
        let is_file = |text: &str| Path::new(text).is_file();
        let starts = |text: &str, at: usize| text.get(..at).is_some_and(is_file);
        let starts_with_file =
            |text: &str| is_file(text) || text.match_indices(['@', '#']).any(|(at, _)| starts(text, at));
        let (actor, rest) = match text.split_once('=') {
            Some((actor, rest)) if !starts_with_file(text) => (Some(actor.to_owned()), rest),
            _ => (None, text),
        };
        let (rest, figure) = match rest.rsplit_once('#') {
            // A corpus names takes without a name by number: `walks.marey@#3`.
            Some((file, figure)) if !is_file(rest) && !file.ends_with('@') => (file, Some(figure.to_owned())),
            _ => (rest, None),
        };
        let after_file = rest.match_indices('@').map(|(at, _)| at).find(|&at| starts(rest, at));
        let halves = after_file.or_else(|| rest.rfind('@')).and_then(|at| rest.split_at_checked(at));
        let (file, take) = match halves {
            Some((file, take)) if !is_file(rest) => {
                (file, Some(take.strip_prefix('@').unwrap_or(take).to_owned()))
            }
            _ => (rest, None),
        };
        if file.is_empty() || [&actor, &figure, &take].into_iter().flatten().any(String::is_empty) {
            return Err("expected FILE, with ACTOR= before it, and @TAKE and #FIGURE after it".into());
        }
        let read = ReadRequest { take, ..ReadRequest::default() };
        Ok(Self { actor, file: file.into(), figure, read })
    }
}

impl fmt::Display for CharacterRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(actor) = &self.actor {
            write!(f, "{actor}=")?;
        }
        write!(f, "{}", self.file.display())?;
        self.read.take.as_ref().map_or(Ok(()), |take| write!(f, "@{take}"))?;
        self.figure.as_ref().map_or(Ok(()), |figure| write!(f, "#{figure}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_parsed() {
        let parse = |text: &str| text.parse::<CharacterRequest>();
        let plain = parse("a/hero.glb").unwrap();
        assert_eq!((plain.actor, plain.file, plain.figure), (None, "a/hero.glb".into(), None));
        let both = parse("lead=x.fbx#2").unwrap();
        assert_eq!((both.actor.as_deref(), both.figure.as_deref()), (Some("lead"), Some("2")));
        for text in ["a.marey@walk#2", "a.marey@#3", "one=a.glb@run"] {
            assert_eq!(parse(text).unwrap().to_string(), text);
        }
        assert_eq!(parse("a.marey@#3").unwrap().read.take.as_deref(), Some("#3"));
        for bad in ["", "=a.glb", "a=", "a.glb#", "a.glb@", "@walk"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
