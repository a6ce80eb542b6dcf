//! Characters: motion on the user's own bodies.
//!
//! A [`Cast`] holds the characters of a result. Verbs make motion for their bodies ([`Cast::bodies`]), and the cast writes it onto
//! them. A glTF, GLB or VRM character comes back as it was, with
//! the motion appended. Of a character in another format, such as FBX, the skeleton is used, with a mannequin that shows it.

mod member;
mod request;

use std::sync::Arc;

use member::CastMember;
pub use request::CharacterRequest;

use crate::bodies::can_be_asked_for;
use crate::formats::gltf::character::{GltfCharacter, animate};
use crate::formats::gltf::{self, GltfOptions, Shape};
use crate::formats::{FileTake, Neighbours, NoNeighbours, ReadOptions, WriteOptions, write};
use crate::motion::{Actor, Clip, LocalPose, Observer, Report, Skeleton, Take};
use crate::ops::retarget::{RetargetSettings, TravelScale, is_same_body, retarget_clips_observed};
use crate::{ActorBodies, Error, codes};

/// The characters of a result.
#[derive(Debug, Clone, Default)]
pub struct Cast {
    members: Vec<CastMember>,
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

    /// The same characters, and that of another cast for one actor.
    pub fn with_actor(mut self, actor: &str, other: &Cast) -> Self {
        let own = other.members.iter().find(|member| member.actor.is_none());
        self.members.extend(own.map(|member| CastMember { actor: Some(actor.into()), ..member.clone() }));
        self
    }

    /// The characters of the actors of a take, without those of other actors.
    pub fn among(&self, take: &Take) -> Self {
        let is_there = |name: &str| take.actors().iter().any(|actor| actor.name == name);
        let is_kept = |member: &&CastMember| member.actor.as_deref().is_none_or(is_there);
        Self { members: self.members.iter().filter(is_kept).cloned().collect() }
    }

    /// The whole file of the character of every actor, if it is glTF.
    pub fn model(&self) -> Option<&GltfCharacter> {
        self.members.iter().find(|member| member.actor.is_none())?.model.as_deref()
    }

    /// Whether there is no character.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The bodies of the characters, for [`Context::with_bodies`](crate::Context::with_bodies): a verb then works on the bodies that
    /// are seen. A character whose roles are too few or too uncertain for that is left out: [`Cast::fit`] puts the finished motion on
    /// it, or refuses it.
    pub fn bodies(&self) -> ActorBodies {
        let is_usable =
            |member: &&CastMember| member.check_roles().is_ok() && can_be_asked_for(&member.skeleton);
        let usable = self.members.iter().filter(is_usable);
        let (named, every): (Vec<&CastMember>, Vec<&CastMember>) =
            usable.partition(|member| member.actor.is_some());
        let every = every.first().map(|member| ActorBodies::for_every(member.skeleton.clone()));
        named.into_iter().fold(every.unwrap_or_default(), |bodies, member| {
            bodies.with_actor(member.actor.clone().unwrap_or_default(), member.skeleton.clone())
        })
    }

    /// Fails if the roles of an actor that would be retargeted are too uncertain. The message lists them.
    pub fn check_source(&self, source: &FileTake) -> Result<(), Error> {
        for (actor, detected) in source.take.actors().iter().zip(&source.detected) {
            let skeleton = actor.clip.skeleton();
            if self.member(&actor.name).is_some_and(|member| !is_same_body(skeleton, &member.skeleton)) {
                member::check_roles(skeleton, detected.role_confidence())?;
            }
        }
        Ok(())
    }

    /// The take on the bodies of its characters. An actor that has the body of its character already stays as it is, to the bit.
    /// Hands keep what they touch, also on other actors.
    ///
    /// `travel` says how far bodies of another size travel; default in proportion to their legs.
    pub fn fit(&self, take: Take, travel: Option<TravelScale>) -> Result<Take, Error> {
        self.fit_observed(take, travel, Observer::ignore())
    }

    /// [`Cast::fit`], which can be cancelled by an observer.
    pub fn fit_observed(
        &self,
        take: Take,
        travel: Option<TravelScale>,
        observer: Observer<'_>,
    ) -> Result<Take, Error> {
        self.check_names(&take)?;
        let targets: Vec<Arc<Skeleton>> =
            take.actors().iter().map(|actor| self.skeleton_for(actor)).collect();
        if take.actors().iter().zip(&targets).all(|(actor, target)| actor.clip.skeleton() == target) {
            return Ok(take);
        }
        for (actor, target) in take.actors().iter().zip(&targets) {
            match self.member(&actor.name) {
                Some(member) if !is_same_body(actor.clip.skeleton(), target) => member.check_roles()?,
                _ => {}
            }
        }
        let settings = RetargetSettings { travel: travel.unwrap_or_default(), ..RetargetSettings::default() };
        let clips: Vec<&Clip> = take.actors().iter().map(|actor| &actor.clip).collect();
        let clips = retarget_clips_observed(&clips, &targets, &settings, observer)?;
        Ok(take.with_clips(clips)?)
    }

    /// Writes takes that [`Cast::fit`] returned. In glTF and GLB, characters are shown with their own meshes, and other actors
    /// with a mannequin; other formats have their skeletons, and the first take only.
    pub fn write(&self, takes: &[&Take], options: &WriteOptions) -> Result<(Vec<u8>, Report), Error> {
        let Some(&first) = takes.first() else { return Err(Error::settings("there is no take to write")) };
        let WriteOptions::Gltf(gltf) = options else { return Ok(write(first, options)?) };
        let has_model = |actor: &Actor| self.member(&actor.name).is_some_and(|member| member.model.is_some());
        if takes.len() == 1 && !first.actors().iter().any(has_model) {
            return Ok(write(first, options)?);
        }
        let mut models = Vec::new();
        for actor in first.actors() {
            let model = self.member(&actor.name).and_then(|member| member.model.clone());
            models.push(model.map_or_else(|| mannequin(actor, gltf.shape), Ok)?);
        }
        let models: Vec<&GltfCharacter> = models.iter().map(|model| &**model).collect();
        Ok(animate(&models, takes, gltf.reduce, gltf.form)?)
    }

    /// The body of an actor's character, or its own.
    fn skeleton_for(&self, actor: &Actor) -> Arc<Skeleton> {
        self.member(&actor.name).map_or_else(|| actor.clip.skeleton(), |member| &member.skeleton).clone()
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

/// A mannequin as a character, for an actor without one.
fn mannequin(actor: &Actor, shape: Shape) -> Result<Arc<GltfCharacter>, Error> {
    let skeleton = actor.clip.skeleton();
    let still = Clip::still(skeleton.clone(), 1.0, LocalPose::rest(skeleton))?;
    let take = Take::new(actor.name.clone(), vec![Actor { name: actor.name.clone(), clip: still }])?;
    let bytes = gltf::write_model(&take, &GltfOptions { shape, ..GltfOptions::default() })?;
    let (model, _) = GltfCharacter::read(&bytes, None, &ReadOptions::default(), &NoNeighbours)?;
    Ok(Arc::new(model))
}
