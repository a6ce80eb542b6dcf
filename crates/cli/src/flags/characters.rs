//! The flag of characters.

use std::path::Path;
use std::sync::OnceLock;

use clap::Args;
use marey::character::{Cast, CharacterRequest};
use marey::convert::write_options;
use marey::motion::{Report, Take};
use marey::{Context, Error};

use super::ForceFlag;
use super::body_conventions::CharacterConventionFlags;

/// The characters that motion is put on.
#[derive(Debug, Default, Args)]
pub(crate) struct CharacterFlags {
    /// Put the motion on a character: a .glb, .gltf, .vrm or .fbx file, which is not changed. A .glb or .gltf output is that file with the
    /// motion added. ACTOR=FILE for one of several actors, FILE#FIGURE for one of several figures, CORPUS.marey@NAME for a character that the corpus keeps or the body of a take; can be repeated
    #[arg(long = "character", value_name = "[ACTOR=]FILE[@TAKE][#FIGURE]")]
    characters: Vec<CharacterRequest>,

    #[command(flatten)]
    conventions: CharacterConventionFlags,

    #[arg(skip)]
    loaded: OnceLock<(Cast, Report)>,
}

impl CharacterFlags {
    /// The characters to read.
    pub(crate) fn requests(&self) -> Vec<CharacterRequest> {
        self.conventions.apply(&self.characters)
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

    /// The context of a verb whose results have the bodies of the characters.
    pub(crate) fn context<'a>(&self, context: Context<'a>) -> Result<Context<'a>, Error> {
        Ok(context.with_bodies(self.load()?.0.bodies()))
    }

    /// Writes motion on the characters, in the format of the file's ending. The report lists warnings about the characters, and what the
    /// format cannot represent.
    pub(crate) fn write(&self, path: &Path, take: &Take, force: &ForceFlag) -> Result<Report, Error> {
        let (cast, warnings) = self.load()?;
        let take = cast.fit(take.clone(), None)?;
        let (bytes, report) = cast.write(&[&take], &write_options(path)?)?;
        force.write(path, &bytes)?;
        let mut all = warnings.clone();
        all.absorb(report);
        Ok(all)
    }
}
