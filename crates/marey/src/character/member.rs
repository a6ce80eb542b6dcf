//! One character: its skeleton, how sure its roles are, and its file.

use std::path::PathBuf;
use std::sync::Arc;

use super::CharacterRequest;
use crate::check::is_corpus;
use crate::conventions::DetectedConventions;
use crate::conventions::roles::LEAST_CONFIDENCE;
use crate::corpus::Corpus;
use crate::formats::file::read_named;
use crate::formats::gltf::character::{self as gltf_character, GltfCharacter};
use crate::formats::{Folder, Format, FormatsError, MotionFile, Neighbours, NoNeighbours, ReadRequest};
use crate::motion::{Actor, Report, Role, Skeleton};
use crate::{Error, codes};

/// Warnings about a motion file that do not concern the body in it.
const ABOUT_MOTION: [&str; 2] = ["conventions/rest-frame", "conventions/rate-doubtful"];

/// A character of a [`Cast`](super::Cast).
#[derive(Debug, Clone)]
pub(super) struct CastMember {
    pub(super) file: PathBuf,
    /// The actor that it shows; `None` for all others.
    pub(super) actor: Option<String>,
    pub(super) skeleton: Arc<Skeleton>,
    /// The whole file, if it is glTF.
    pub(super) model: Option<Arc<GltfCharacter>>,
    /// Confidence in the roles of its joints, from 0 to 1.
    pub(super) role_confidence: f32,
}

impl CastMember {
    pub(super) fn load(request: &CharacterRequest, report: &mut Report) -> Result<Self, Error> {
        let (file, actor) = (request.file.clone(), request.actor.clone());
        if is_corpus(&file) {
            let corpus = Corpus::open_read_only(&file)?;
            if let Some((stored, bytes)) = stored_character(&corpus, request)? {
                return Self::read(&stored, &bytes, &NoNeighbours, report);
            }
            let skeleton = of_take(&corpus, request)?;
            return Ok(Self { file, actor, skeleton, model: None, role_confidence: 1.0 });
        }
        let bytes = std::fs::read(&file).map_err(|error| FormatsError::file(&file, error))?;
        Self::read(request, &bytes, &Folder::around(&file), report)
    }

    /// Reads a file from its bytes and the files beside it.
    pub(super) fn read(
        request: &CharacterRequest,
        bytes: &[u8],
        neighbours: &dyn Neighbours,
        report: &mut Report,
    ) -> Result<Self, Error> {
        let (file, actor) = (request.file.clone(), request.actor.clone());
        let options = request.read.options()?;
        // The body is the same in all takes of a glTF file.
        if matches!(Format::sniff(bytes), Some(Format::Glb | Format::Gltf)) {
            let (model, warnings) =
                GltfCharacter::read(bytes, request.figure.as_deref(), &options, neighbours)?;
            report.absorb(warnings);
            let role_confidence = model.detected.role_confidence();
            let skeleton = model.skeleton.clone();
            return Ok(Self { file, actor, skeleton, model: Some(Arc::new(model)), role_confidence });
        }
        let read = read_named(&file, bytes, &options, neighbours)?;
        for warning in read.report.warnings() {
            if warning.code.id.starts_with("conventions/") && !ABOUT_MOTION.contains(&warning.code.id) {
                report.warn_many(warning.code, warning.place.clone(), warning.count, warning.message.clone());
            }
        }
        let (skeleton, detected) = of_motion_file(read, request.figure.as_deref())?;
        Ok(Self { file, actor, skeleton, model: None, role_confidence: detected.role_confidence() })
    }

    /// Fails if the roles are too uncertain to move motion onto it.
    pub(super) fn check_roles(&self) -> Result<(), Error> {
        check_roles(&self.skeleton, self.role_confidence).map_err(|error| error.in_file(&self.file))
    }
}

/// Fails if the roles of a skeleton are too uncertain to move motion between bodies. The message lists them as in a roles file.
pub(super) fn check_roles(skeleton: &Skeleton, confidence: f32) -> Result<(), Error> {
    if confidence >= LEAST_CONFIDENCE && skeleton.joint_of(Role::Hips).is_some() {
        return Ok(());
    }
    let line = |role: Role| {
        let name = skeleton.joint_of(role).and_then(|joint| skeleton.joints().get(joint));
        let name = name.map_or("", |joint| joint.name.as_str());
        format!("{role} = {name:?}")
    };
    let message = format!(
        "the roles are {:.0} % sure; correct those that are wrong or empty: [roles] {}",
        100.0 * confidence,
        Role::CORE.map(line).join(", ")
    );
    Err(Error::new(&codes::CHARACTER_ROLES, message))
}

/// A request for the file of a character that a corpus keeps under the name of the request, and its bytes. A name may contain `#`.
fn stored_character(
    corpus: &Corpus,
    request: &CharacterRequest,
) -> Result<Option<(CharacterRequest, Vec<u8>)>, Error> {
    let Some(name) = &request.read.take else { return Ok(None) };
    let whole = request.figure.as_ref().map(|figure| format!("{name}#{figure}"));
    for info in corpus.characters()? {
        let is_whole = whole.as_ref() == Some(&info.name);
        if is_whole || *name == info.name {
            let figure = request.figure.clone().filter(|_| !is_whole);
            let read = ReadRequest { take: None, ..request.read.clone() };
            let stored =
                CharacterRequest { actor: request.actor.clone(), file: info.name.into(), figure, read };
            return Ok(Some((stored, corpus.character_file(info.id)?)));
        }
    }
    Ok(None)
}

/// The skeleton of an actor of a take of a corpus.
fn of_take(corpus: &Corpus, request: &CharacterRequest) -> Result<Arc<Skeleton>, Error> {
    let info = match &request.read.take {
        Some(take) => corpus.info(corpus.find(take)?)?,
        None => {
            let message = format!(
                "{}@NAME names a character that is kept in the corpus, or the body of a take",
                request.file.display()
            );
            return Err(Error::usage(&codes::CHARACTER_TAKE, message));
        }
    };
    let mut bodies = Vec::new();
    for (number, actor) in info.actors.iter().enumerate() {
        bodies.push((actor.name.clone(), corpus.skeleton(info.id, number)?));
    }
    let index = choose(&bodies, request.figure.as_deref())?;
    Ok(bodies.swap_remove(index).1)
}

/// The skeleton and conventions of a figure of a motion file.
fn of_motion_file(
    file: MotionFile,
    wanted: Option<&str>,
) -> Result<(Arc<Skeleton>, DetectedConventions), Error> {
    let mut first = file.into_first()?;
    let body = |actor: &Actor| (actor.name.clone(), actor.clip.skeleton().clone());
    let mut bodies: Vec<(String, Arc<Skeleton>)> = first.take.actors().iter().map(body).collect();
    let index = choose(&bodies, wanted)?;
    Ok((bodies.swap_remove(index).1, first.detected.swap_remove(index)))
}

/// The index of a body by name or number, or of the one with most roles: the first of several that have equally many.
fn choose(bodies: &[(String, Arc<Skeleton>)], wanted: Option<&str>) -> Result<usize, Error> {
    let Some(wanted) = wanted else {
        let roles = bodies.iter().map(|(_, body)| body.roles().count()).enumerate().rev();
        return Ok(roles.max_by_key(|(_, roles)| *roles).map_or(0, |(index, _)| index));
    };
    let number = wanted.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    let named = bodies.iter().position(|(name, _)| name == wanted);
    named.or(number.filter(|number| *number < bodies.len())).ok_or_else(|| {
        let names: Vec<String> = bodies.iter().map(|(name, _)| format!("{name:?}")).collect();
        let message = format!("no figure {wanted:?} among {}", names.join(", "));
        Error::new(&gltf_character::codes::NO_FIGURE, message)
    })
}
