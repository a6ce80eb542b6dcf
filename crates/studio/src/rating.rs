//! The server of a rating study: shows clips to raters and stores their answers.
//!
//! A rater has no account: a link for a class makes a new rater, whose own link then identifies the rater. Addresses name what a
//! rater sees by its position in the rater's own order, so that they tell nothing about conditions; the motion has no names. An
//! answer is acknowledged after it is on disk.
//!
//! | address | response |
//! |---|---|
//! | `GET /join/TOKEN`, `GET /rate/TOKEN` | the page |
//! | `POST /api/join/TOKEN` | a new rater of the class: `{"rater": TOKEN}` |
//! | `GET /api/raters/TOKEN` | the texts of the study, and which positions are answered |
//! | `GET /api/raters/TOKEN/clips/N` | the poses of clip N: twice the position, plus 1 for the second of a pair |
//! | `POST /api/raters/TOKEN/answers/N` | stores the answer at position N: `{"values": […], "secs": 3.2}` |

use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex};

use axum::body::Body;
use axum::extract::{Extension, FromRequest, Path as UrlPath, Request, State};
use axum::http::{HeaderValue, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use marey::study::{ShownTrial, StudyDefinition, StudyDesign, StudyTrial};
use marey_corpus::{Corpus, CorpusFile, StoredAnswer, StoredRater, StoredStudy, TakeId};
use marey_motion::{Actor, Take};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::connections::Connection;
use crate::guard::{self, Guard};
use crate::{Listening, Motion, Result, StudioError, codes, lock, message, page, server};

/// Maximum number of open connections of raters: a class of a hundred, each with two.
const MAX_CONNECTIONS: usize = 200;
/// Maximum size of an answer, in bytes.
const ANSWER_BYTES: usize = 4 << 10;
/// Maximum number of clips that are read at once.
const MAX_READING: usize = 2;
/// Longest time that an answer can have taken, in seconds.
const MAX_SECS: f64 = 86_400.0;

/// The state that all requests of raters share.
#[derive(Debug)]
pub struct RatingServer {
    guard: Guard,
    file: CorpusFile,
    definition: StudyDefinition,
    trials: Vec<StudyTrial>,
    takes: Vec<TakeId>,
    links: Vec<(usize, String)>,
    raters: Mutex<Vec<StoredRater>>,
    reading: Semaphore,
}

impl RatingServer {
    /// Opens a study. Classes without a link get one, and so that each class has at least `raters` raters, new raters are added.
    pub fn open(path: &Path, guard: Guard, raters: usize) -> Result<Self> {
        let file = CorpusFile::open(path)?;
        let answered = marey::study::read(&file.read()?)?;
        let classes = answered.definition.classes.len();
        let stored: StoredStudy = file.change(|mut corpus| {
            let study = corpus.study()?;
            for class in (0..classes).filter(|class| !study.links.iter().any(|(of, _)| of == class)) {
                corpus.add_study_link(class, &guard::random()?)?;
            }
            for class in 0..classes {
                let known = study.raters.iter().filter(|rater| rater.class == class).count();
                for _ in known..raters {
                    corpus.add_study_rater(class, &guard::random()?)?;
                }
            }
            Ok::<_, StudioError>(corpus.study()?)
        })?;
        let trials = answered.trials();
        Ok(Self {
            guard,
            file,
            trials,
            definition: answered.definition,
            takes: stored.clips.iter().map(|clip| clip.take).collect(),
            links: stored.links,
            raters: Mutex::new(stored.raters),
            reading: Semaphore::new(MAX_READING),
        })
    }

    /// The links with which raters join: the name of the class, and the link.
    pub fn join_links(&self, address: SocketAddr) -> Vec<(String, String)> {
        let link = |(class, token): &(usize, String)| {
            (self.class_name(*class), format!("http://{address}/join/{token}"))
        };
        self.links.iter().map(link).collect()
    }

    /// The links of the raters: the name of the class, and the link.
    pub fn rater_links(&self, address: SocketAddr) -> Vec<(String, String)> {
        let link = |rater: &StoredRater| {
            (self.class_name(rater.class), format!("http://{address}/rate/{}", rater.token))
        };
        lock(&self.raters).iter().map(link).collect()
    }

    fn class_name(&self, class: usize) -> String {
        self.definition.classes.get(class).map_or_else(String::new, |class| class.name.clone())
    }

    fn rater(&self, token: &str) -> Result<usize> {
        let raters = lock(&self.raters);
        let found = raters.iter().find(|rater| guard::is_same(&rater.token, token));
        found.map(|rater| rater.number).ok_or_else(|| unknown("no rater has this link"))
    }

    /// Whether the address names a rater of this study.
    fn is_of_rater(&self, uri: &Uri) -> bool {
        let rest = uri.path().strip_prefix("/api/raters/");
        let token = rest.and_then(|rest| rest.split('/').next());
        token.is_some_and(|token| self.rater(token).is_ok())
    }

    fn join(&self, token: &str) -> Result<String> {
        let link = self.links.iter().find(|(_, own)| guard::is_same(own, token));
        let class = link.map(|(class, _)| *class).ok_or_else(|| unknown("no class has this link"))?;
        let token = guard::random()?;
        let rater = self.file.change(|mut corpus: Corpus| corpus.add_study_rater(class, &token))?;
        lock(&self.raters).push(rater);
        Ok(token)
    }

    fn shown(&self, rater: usize, position: usize) -> Result<(ShownTrial, StudyTrial)> {
        let order = self.definition.presentation(self.trials.len(), rater);
        let shown = order.get(position).copied();
        let trial = shown.and_then(|shown| Some((shown, *self.trials.get(shown.trial)?)));
        trial.ok_or_else(|| unknown("there is no trial at this position"))
    }

    /// What the page needs at its start.
    fn about(&self, token: &str) -> Result<Value> {
        let rater = self.rater(token)?;
        let answers = self.file.read()?.study_answers(Some(rater))?;
        let order = self.definition.presentation(self.trials.len(), rater);
        let is_answered = |shown: &ShownTrial| answers.iter().any(|answer| answer.trial == shown.trial);
        let scales = self.definition.scales.iter().map(|scale| {
            let question = if scale.question.is_empty() { &scale.name } else { &scale.question };
            json!({ "question": question, "low": scale.low, "high": scale.high, "points": scale.points })
        });
        let is_pair = self.definition.design != StudyDesign::Ratings;
        Ok(json!({
            "title": self.definition.title,
            "welcome": self.definition.welcome,
            "is_pair": is_pair,
            "question": is_pair.then(|| self.definition.question()),
            "scales": scales.collect::<Vec<_>>(),
            "answered": order.iter().map(is_answered).collect::<Vec<_>>(),
        }))
    }

    /// The poses of a clip, without names.
    fn clip(&self, token: &str, number: usize) -> Result<Vec<u8>> {
        let rater = self.rater(token)?;
        let (shown, StudyTrial { first, second }) = self.shown(rater, number / 2)?;
        let is_second = (number % 2 == 1) != (shown.is_swapped && second.is_some());
        let clip = if is_second { second } else { Some(first) };
        let take = clip.and_then(|clip| self.takes.get(clip));
        let take = *take.ok_or_else(|| unknown("the trial has one clip"))?;
        let take = self.file.read()?.take(take)?;
        let actors = take.into_actors().into_iter().zip(1..);
        let actors = actors.map(|(actor, number)| Actor { name: number.to_string(), clip: actor.clip });
        let take = Take::new("clip", actors.collect()).map_err(marey::Error::from)?;
        let floor_m = Motion::from_take(take.clone())?.floor_m;
        Ok(message::encode(&Motion { take, contacts: Vec::new(), floor_m }))
    }

    /// Stores an answer. After `Ok`, it is on disk.
    fn answer(&self, token: &str, position: usize, given: AnswerMessage) -> Result<()> {
        let rater = self.rater(token)?;
        let (shown, trial) = self.shown(rater, position)?;
        let AnswerMessage { mut values, secs } = given;
        if !self.definition.is_answer(&values) || !secs.is_finite() {
            return Err(StudioError::new(&codes::REQUEST, "the values do not answer the questions"));
        }
        if trial.second.is_some() && shown.is_swapped {
            values.iter_mut().for_each(|value| *value = 1 - *value);
        }
        let answer = StoredAnswer { rater, trial: shown.trial, values, secs: secs.clamp(0.0, MAX_SECS) };
        Ok(self.file.change(|mut corpus| corpus.put_study_answer(&answer))?)
    }
}

/// An answer as the page sends it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnswerMessage {
    /// One rating for each scale; of a pair, 0 for the clip on the left, 1 for the other.
    values: Vec<u8>,
    secs: f64,
}

fn unknown(message: &str) -> StudioError {
    StudioError::new(&codes::RATER, message)
}

type ServerState = State<Arc<RatingServer>>;

/// Serves raters until the future `end` is done.
pub async fn serve_raters(listening: Listening, server: Arc<RatingServer>, end: impl Future<Output = ()>) {
    let router = Router::new()
        .route("/api/join/{token}", post(join))
        .route("/api/raters/{token}", get(about))
        .route("/api/raters/{token}/clips/{number}", get(clip))
        .route("/api/raters/{token}/answers/{position}", post(answer))
        .fallback(get(async |uri: Uri| page::rater_file(uri.path()).into_response()))
        .method_not_allowed_fallback(async || {
            StudioError::new(&codes::METHOD, "the address does not support this method")
        })
        .layer(axum::middleware::from_fn_with_state(server.clone(), guarded))
        .with_state(server);
    server::accept(listening, router, MAX_CONNECTIONS, end).await;
}

/// Checks every request, and adds the security headers to every response.
async fn guarded(
    State(server): ServerState,
    Extension(connection): Extension<Arc<Connection>>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = match server.guard.check_form(request.method(), request.uri(), request.headers()) {
        Ok(()) if server.is_of_rater(request.uri()) && !connection.admit() => {
            server::too_many_connections(MAX_CONNECTIONS)
        }
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    };
    guard::add_security_headers(response.headers_mut());
    response
}

/// Runs work on a thread that may block.
async fn blocking<T: Send + 'static>(
    server: Arc<RatingServer>,
    work: impl FnOnce(&RatingServer) -> Result<T> + Send + 'static,
) -> Result<T> {
    let done = tokio::task::spawn_blocking(move || work(&server)).await;
    done.unwrap_or_else(|panic| Err(StudioError::new(&codes::BUG, panic.to_string())))
}

async fn join(State(server): ServerState, UrlPath(token): UrlPath<String>) -> Result<Json<Value>> {
    let rater = blocking(server, move |server| server.join(&token)).await?;
    Ok(Json(json!({ "rater": rater })))
}

async fn about(State(server): ServerState, UrlPath(token): UrlPath<String>) -> Result<Json<Value>> {
    Ok(Json(blocking(server, move |server| server.about(&token)).await?))
}

async fn clip(
    State(server): ServerState,
    UrlPath((token, number)): UrlPath<(String, usize)>,
) -> Result<Response> {
    let owned = server.clone();
    let _permit = server.reading.acquire().await;
    let bytes = blocking(owned, move |server| server.clip(&token, number)).await?;
    let mut response = Response::new(Body::from(bytes));
    let kind = HeaderValue::from_static("application/octet-stream");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    Ok(response)
}

async fn answer(
    State(server): ServerState,
    UrlPath((token, position)): UrlPath<(String, usize)>,
    JsonAnswer(given): JsonAnswer,
) -> Result<Json<Value>> {
    blocking(server, move |server| server.answer(&token, position, given)).await?;
    Ok(Json(json!({ "stored": true })))
}

/// The body of a request with an answer.
struct JsonAnswer(AnswerMessage);

impl<S: Send + Sync> FromRequest<S> for JsonAnswer {
    type Rejection = StudioError;

    async fn from_request(request: Request, _: &S) -> Result<Self> {
        let (parts, body) = request.into_parts();
        let bytes = guard::body(&parts.headers, body, "application/json", ANSWER_BYTES).await?;
        serde_json::from_slice(&bytes)
            .map(Self)
            .map_err(|error| StudioError::new(&codes::REQUEST, error.to_string()))
    }
}
