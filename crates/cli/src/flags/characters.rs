//! The flag of characters.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use clap::Args;
use marey::Error;
use marey::character::{Cast, CharacterRequest};
use marey::conventions::Unit;
use marey::convert::write_options;
use marey::formats::ReadRequest;
use marey::motion::{Report, Take};

use super::ForceFlag;

/// The characters that motion is put on.
#[derive(Debug, Default, Args)]
pub(crate) struct CharacterFlags {
    /// Put the motion on a character: a .glb, .gltf, .vrm or .fbx file, which is not changed. A .glb or .gltf output is that file with the
    /// motion added. ACTOR=FILE for one of several actors, FILE#FIGURE for one of several figures; can be repeated
    #[arg(long = "character", value_name = "[ACTOR=]FILE")]
    characters: Vec<CharacterRequest>,

    /// Joint roles of the characters, as written by `marey inspect --save-roles`, instead of the detected ones
    #[arg(long, value_name = "FILE.toml", requires = "characters")]
    character_roles: Option<PathBuf>,

    /// Unit of length of the characters: m, dm, cm, mm, in, ft, cmu, or a number of metres, instead of the detected one
    #[arg(long, value_name = "UNIT", requires = "characters")]
    character_unit: Option<Unit>,

    #[arg(skip)]
    loaded: OnceLock<(Cast, Report)>,
}

impl CharacterFlags {
    /// The characters to read.
    pub(crate) fn requests(&self) -> Vec<CharacterRequest> {
        let with_flags = |request: &CharacterRequest| {
            let read = ReadRequest {
                roles: self.character_roles.clone(),
                unit: self.character_unit,
                ..request.read.clone()
            };
            CharacterRequest { read, ..request.clone() }
        };
        self.characters.iter().map(with_flags).collect()
    }

    /// Reads the characters, once. The report lists warnings about their files.
    pub(crate) fn load(&self) -> Result<&(Cast, Report), Error> {
        match self.loaded.get() {
            Some(loaded) => Ok(loaded),
            None => {
                let loaded = Cast::load(&self.requests())?;
                Ok(self.loaded.get_or_init(|| loaded))
            }
        }
    }

    /// Writes motion on the characters, in the format of the file's ending. The report lists warnings about the characters, and what the
    /// format cannot represent.
    pub(crate) fn write(&self, path: &Path, take: &Take, force: &ForceFlag) -> Result<Report, Error> {
        let (cast, warnings) = self.load()?;
        let take = cast.fit(take.clone(), None)?;
        let (bytes, report) = cast.write(&take, &write_options(path)?)?;
        force.write(path, &bytes)?;
        let mut all = warnings.clone();
        all.absorb(report);
        Ok(all)
    }
}
