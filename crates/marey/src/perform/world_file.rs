//! A world and the example motions that it names.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

use super::{ADVENTURE, World, built_in_motions};
use crate::formats::ReadOptions;
use crate::formats::file::read_file;
use crate::motion::Clip;
use crate::{Error, inputs};

/// The name of the built-in world.
const ADVENTURE_NAME: &str = "adventure";

/// A world with the example motions that its features name, and the file it was read from.
#[derive(Debug, Clone)]
pub struct WorldFile {
    /// The world.
    pub world: World,
    /// Its example motions by name.
    pub motions: BTreeMap<String, Clip>,
    path: Option<PathBuf>,
    version: Option<(SystemTime, u64)>,
}

impl WorldFile {
    /// Reads a world file. `adventure` is the built-in world, unless a file has that name.
    ///
    /// Example motions are the [built-in ones](built_in_motions) and motion files in the folder of the world.
    pub fn open(path: &Path) -> Result<Self, Error> {
        if path == Path::new(ADVENTURE_NAME) && !path.exists() {
            return Self::adventure();
        }
        let version = version(path);
        let in_file = |error: Error| error.in_file(path);
        let world = World::from_toml(&inputs::text(path)?).map_err(|error| in_file(error.into()))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let motions = motions(&world, Some(folder)).map_err(in_file)?;
        Ok(Self { world, motions, path: Some(path.to_owned()), version })
    }

    /// The built-in world: a course with every kind of feature.
    pub fn adventure() -> Result<Self, Error> {
        let world = World::from_toml(ADVENTURE)?;
        let motions = motions(&world, None)?;
        Ok(Self { world, motions, path: None, version: None })
    }

    /// The same error with this file, if there is one.
    pub(super) fn in_file(&self, error: impl Into<Error>) -> Error {
        let error = error.into();
        match &self.path {
            Some(path) => error.in_file(path),
            None => error,
        }
    }

    /// Reads the file again if it has changed since the last time; `None` if it has not.
    pub(super) fn reread(&mut self) -> Option<Result<(), Error>> {
        let path = self.path.clone()?;
        let now = version(&path);
        if now == self.version {
            return None;
        }
        self.version = now;
        Some(Self::open(&path).map(|read| *self = read))
    }
}

/// The example motions of a world. A name that is neither built in nor a file is left out; the session reports it with its line.
fn motions(world: &World, folder: Option<&Path>) -> Result<BTreeMap<String, Clip>, Error> {
    let built_in = built_in_motions()?;
    let mut found = BTreeMap::new();
    for name in world.motions() {
        let file = folder.filter(|_| is_inside(name)).map(|folder| folder.join(name));
        let file = file.filter(|path| path.is_file());
        let clip = match (built_in.get(name), file) {
            (Some(clip), _) => clip.clone(),
            (None, Some(path)) => read_file(&path, &ReadOptions::default())?.take()?.first().clone(),
            (None, None) => continue,
        };
        found.insert(name.to_owned(), clip);
    }
    Ok(found)
}

/// Whether a relative path stays in its folder. A world from somewhere else must not make Marey read other files.
fn is_inside(name: &str) -> bool {
    Path::new(name).components().all(|part| matches!(part, Component::Normal(_)))
}

/// The modification time and length of a file.
fn version(path: &Path) -> Option<(SystemTime, u64)> {
    fs::metadata(path).and_then(|about| Ok((about.modified()?, about.len()))).ok()
}
