//! Characters: motion on the user's own bodies.
//!
//! A [`Cast`] holds the characters of a result and writes motion onto them. A glTF, GLB or VRM character comes back as it was, with
//! the motion appended. Of a character in another format, such as FBX, the skeleton is used, with a mannequin that shows it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::formats::file::read_named;
use crate::formats::gltf::character::{GltfCharacter, animate};
use crate::formats::gltf::{self, GltfOptions, Shape};
use crate::formats::{
    Folder, Format, FormatsError, MotionFile, Neighbours, NoNeighbours, ReadOptions, ReadRequest,
    WriteOptions, write,
};
use crate::motion::{Actor, Clip, LocalPose, Report, Role, Skeleton, Take};
use crate::ops::retarget::{RetargetSettings, TravelScale, is_same_body, retarget_clips};
use crate::{Error, codes};

/// A character, as text `[ACTOR=]FILE[#FIGURE]`.
///
/// ```
/// use marey::character::CharacterRequest;
/// let request: CharacterRequest = "leader=ann.vrm#Armature".parse()?;
/// assert_eq!((request.actor.as_deref(), request.figure.as_deref()), (Some("leader"), Some("Armature")));
/// assert_eq!(request.to_string(), "leader=ann.vrm#Armature");
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CharacterRequest {
    /// The actor that it shows; `None` for every actor without a character of its own.
    pub actor: Option<String>,
    /// A .glb, .gltf, .vrm or .fbx file, or any motion file.
    pub file: PathBuf,
    /// One of several figures in the file, by name or number from 1; default the one that is most like a person.
    pub figure: Option<String>,
    /// How the file is read.
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

    /// A file whose name contains `=` or `#` is taken as a file if it exists.
    fn from_str(text: &str) -> Result<Self, String> {
        let is_file = |text: &str| Path::new(text).is_file();
        let (actor, rest) = match text.split_once('=') {
            Some((actor, rest)) if !is_file(text) => (Some(actor.to_owned()), rest),
            _ => (None, text),
        };
        let (file, figure) = match rest.rsplit_once('#') {
            Some((file, figure)) if !is_file(rest) => (file, Some(figure.to_owned())),
            _ => (rest, None),
        };
        if file.is_empty() || actor.as_deref() == Some("") || figure.as_deref() == Some("") {
            return Err("expected FILE, FILE#FIGURE or ACTOR=FILE".into());
        }
        Ok(Self { actor, file: file.into(), figure, read: ReadRequest::default() })
    }
}

impl fmt::Display for CharacterRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(actor) = &self.actor {
            write!(f, "{actor}=")?;
        }
        write!(f, "{}", self.file.display())?;
        self.figure.as_ref().map_or(Ok(()), |figure| write!(f, "#{figure}"))
    }
}

/// The characters of a result.
#[derive(Debug, Clone, Default)]
pub struct Cast {
    members: Vec<CastMember>,
}

#[derive(Debug, Clone)]
struct CastMember {
    file: PathBuf,
    actor: Option<String>,
    skeleton: Arc<Skeleton>,
    /// The whole file, if it is glTF.
    model: Option<Arc<GltfCharacter>>,
}

impl Cast {
    /// Reads characters. Warnings concern their files.
    pub fn load(requests: &[CharacterRequest]) -> Result<(Self, Report), Error> {
        let (mut members, mut report) = (Vec::new(), Report::default());
        for request in requests {
            request.validate()?;
            if requests.iter().filter(|other| other.actor == request.actor).count() > 1 {
                let who =
                    request.actor.as_deref().map_or("every actor".to_owned(), |name| format!("{name:?}"));
                return Err(Error::settings(format!("two characters for {who}")));
            }
            members
                .push(CastMember::load(request, &mut report).map_err(|error| error.in_file(&request.file))?);
        }
        Ok((Self { members }, report))
    }

    /// One character for every actor, from the bytes of its file and the files beside it.
    pub fn from_bytes(
        name: &str,
        bytes: &[u8],
        neighbours: &dyn Neighbours,
    ) -> Result<(Self, Report), Error> {
        let request = CharacterRequest { file: name.into(), ..CharacterRequest::default() };
        let mut report = Report::default();
        let member = CastMember::read(&request, bytes, neighbours, &mut report);
        let member = member.map_err(|error| error.in_file(&request.file))?;
        Ok((Self { members: vec![member] }, report))
    }

    /// The whole file of the character of every actor, if it is glTF.
    pub fn model(&self) -> Option<&GltfCharacter> {
        self.members.iter().find(|member| member.actor.is_none())?.model.as_deref()
    }

    /// Whether there is no character.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The take on the bodies of its characters. An actor that has the body of its character already stays as it is, to the bit.
    ///
    /// `travel` says how far bodies of another size travel; default in proportion to their legs, and as far as before for several actors.
    pub fn fit(&self, take: Take, travel: Option<TravelScale>) -> Result<Take, Error> {
        self.check_names(&take)?;
        let travel = travel.unwrap_or(TravelScale::for_actors(take.actors().len()));
        let settings = RetargetSettings { travel, ..RetargetSettings::default() };
        let mut bodies = Vec::new();
        for actor in take.actors() {
            let own = actor.clip.skeleton();
            bodies.push(match self.member(&actor.name) {
                Some(member) => member.body_for(own)?,
                None => own.clone(),
            });
        }
        let clips: Vec<&Clip> = take.actors().iter().map(|actor| &actor.clip).collect();
        let clips = retarget_clips(&clips, &bodies, &settings)?;
        Ok(take.with_clips(clips)?)
    }

    /// Writes a take that [`Cast::fit`] returned. In glTF and GLB, characters are shown with their own meshes, and other actors
    /// with a mannequin; other formats have their skeletons.
    pub fn write(&self, take: &Take, options: &WriteOptions) -> Result<(Vec<u8>, Report), Error> {
        let has_model = |actor: &Actor| self.member(&actor.name).is_some_and(|member| member.model.is_some());
        let WriteOptions::Gltf(gltf) = options else { return Ok(write(take, options)?) };
        if !take.actors().iter().any(has_model) {
            return Ok(write(take, options)?);
        }
        let mut models = Vec::new();
        for actor in take.actors() {
            let model = self.member(&actor.name).and_then(|member| member.model.clone());
            models.push(model.map_or_else(|| mannequin(actor, gltf.shape), Ok)?);
        }
        let models: Vec<&GltfCharacter> = models.iter().map(|model| &**model).collect();
        Ok(animate(&models, &[take], gltf.root, gltf.form)?)
    }

    /// The character of an actor.
    fn member(&self, actor: &str) -> Option<&CastMember> {
        let own = self.members.iter().find(|member| member.actor.as_deref() == Some(actor));
        own.or_else(|| self.members.iter().find(|member| member.actor.is_none()))
    }

    /// Fails if a character belongs to an actor that the take does not have.
    fn check_names(&self, take: &Take) -> Result<(), Error> {
        for name in self.members.iter().filter_map(|member| member.actor.as_deref()) {
            if !take.actors().iter().any(|actor| actor.name == name) {
                let names: Vec<String> =
                    take.actors().iter().map(|actor| format!("{:?}", actor.name)).collect();
                let message = format!("no actor {name:?} among {}", names.join(", "));
                return Err(Error::new(&codes::CHARACTER_ACTOR, message));
            }
        }
        Ok(())
    }
}

impl CastMember {
    fn load(request: &CharacterRequest, report: &mut Report) -> Result<Self, Error> {
        let bytes = std::fs::read(&request.file).map_err(|error| FormatsError::file(&request.file, error))?;
        Self::read(request, &bytes, &Folder::around(&request.file), report)
    }

    fn read(
        request: &CharacterRequest,
        bytes: &[u8],
        neighbours: &dyn Neighbours,
        report: &mut Report,
    ) -> Result<Self, Error> {
        let options = request.read.options()?;
        let (file, actor) = (request.file.clone(), request.actor.clone());
        if matches!(Format::sniff(bytes), Some(Format::Glb | Format::Gltf)) {
            let (model, warnings) =
                GltfCharacter::read(bytes, request.figure.as_deref(), &options, neighbours)?;
            report.absorb(warnings);
            return Ok(Self { file, actor, skeleton: model.skeleton.clone(), model: Some(Arc::new(model)) });
        }
        let read = read_named(&request.file, bytes, &options, neighbours)?;
        let skeleton = figure(read, request.figure.as_deref())?;
        Ok(Self { file, actor, skeleton, model: None })
    }

    /// The skeleton of the character, if motion of `source` can be put on it.
    fn body_for(&self, source: &Skeleton) -> Result<Arc<Skeleton>, Error> {
        if self.skeleton.joint_of(Role::Hips).is_none() && !is_same_body(source, &self.skeleton) {
            let message = "none of the character's joints was recognised as its hips";
            return Err(Error::new(&codes::CHARACTER_ROLES, message).in_file(&self.file));
        }
        Ok(self.skeleton.clone())
    }
}

/// The skeleton of a figure by name or number, or of the one with most roles.
fn figure(file: MotionFile, wanted: Option<&str>) -> Result<Arc<Skeleton>, Error> {
    let actors = file.into_first()?.take.into_actors();
    let roles = |actor: &&Actor| actor.clip.skeleton().roles().count();
    let found = match wanted {
        Some(wanted) => {
            let number = wanted.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            actors.iter().find(|actor| actor.name == wanted).or(number.and_then(|number| actors.get(number)))
        }
        // The first of several that are equally human.
        None => actors.iter().rev().max_by_key(roles),
    };
    found.map(|actor| actor.clip.skeleton().clone()).ok_or_else(|| {
        let names: Vec<String> = actors.iter().map(|actor| format!("{:?}", actor.name)).collect();
        let message = format!("no figure {:?} among {}", wanted.unwrap_or_default(), names.join(", "));
        Error::new(&gltf::character::codes::NO_FIGURE, message)
    })
}

/// A mannequin as a character, for an actor without one.
fn mannequin(actor: &Actor, shape: Shape) -> Result<Arc<GltfCharacter>, Error> {
    let skeleton = actor.clip.skeleton();
    let still = Clip::still(skeleton.clone(), 1.0, LocalPose::rest(skeleton))?;
    let take = Take::new(actor.name.clone(), vec![Actor { name: actor.name.clone(), clip: still }])?;
    let bytes = gltf::write_model(&take, &GltfOptions { shape, ..GltfOptions::default() })?;
    let (model, _) = GltfCharacter::read(&bytes, None, &ReadOptions::default(), &NoNeighbours)?;
    Ok(Arc::new(model))
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
        for bad in ["", "=a.glb", "a=", "a.glb#"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
