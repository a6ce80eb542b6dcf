//! Live sessions over a WebSocket.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::Bytes;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{RawQuery, State};
use axum::response::Response;
use serde_json::{Value, json};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};

use super::{AppState, CharacterChoice, JsonBody, JsonResult, PathName, PathNumber};
use crate::live_session::LiveSession;
use crate::work::WorkState;
use crate::{Result, StudioError, codes, guard};

/// Starts a live session of a panel and returns its number. With `character=2` in the query, viewers see it on that character, and with
/// `character=3:red` the actor `red`.
pub(super) async fn play(
    State(studio): AppState,
    PathName(panel): PathName,
    RawQuery(query): RawQuery,
    JsonBody(message): JsonBody<Value>,
) -> JsonResult {
    studio.panel(&panel)?;
    let choice = CharacterChoice::of_query(query.as_deref())?;
    let runner = studio.clone();
    let number = studio.live.start(move |live| runner.play_panel(&panel, &message, &choice, live))?;
    Ok(Json(json!({ "live": number })))
}

/// Ends a live session.
pub(super) async fn end(State(studio): AppState, PathNumber(number): PathNumber) -> JsonResult {
    studio.live.find(number)?.end();
    Ok(Json(json!({})))
}

/// Connects a window to a live session.
pub(super) async fn watch(
    State(studio): AppState,
    PathNumber(number): PathNumber,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response> {
    let session = studio.live.find(number)?;
    let upgrade =
        upgrade.map_err(|_| StudioError::new(&codes::REQUEST, "a live session needs a WebSocket"))?;
    let full =
        |_| StudioError::new(&codes::CONNECTIONS, format!("{} windows are watching", guard::MAX_VIEWERS));
    let permit = studio.viewers.clone().try_acquire_owned().map_err(full)?;
    let upgrade = upgrade.max_message_size(guard::MESSAGE_BYTES).max_frame_size(guard::MESSAGE_BYTES);
    Ok(upgrade.on_upgrade(async move |socket| {
        serve_viewer(socket, &session).await;
        drop(permit);
    }))
}

/// Serves one viewer until the session or the connection ends.
async fn serve_viewer(mut socket: WebSocket, session: &Arc<LiveSession>) {
    let (mut state, mut frames) = session.subscribe();
    state.mark_changed();
    let mut is_open = false;
    loop {
        let message = tokio::select! {
            changed = state.changed() => {
                if changed.is_err() {
                    return;
                }
                let now = state.borrow_and_update().clone();
                if let WorkState::Open(first) = &now {
                    is_open = true;
                    Message::Binary(first.clone())
                } else {
                    let text = now.to_json("preparing").to_string();
                    let is_last = matches!(now, WorkState::Ended(_));
                    if is_last && is_open && !send_remaining(&mut socket, &mut frames).await {
                        return;
                    }
                    if !send(&mut socket, Message::Text(text.into())).await || is_last {
                        return close(socket, close_code::NORMAL, "the session is over").await;
                    }
                    continue;
                }
            }
            frame = frames.recv(), if is_open => match frame {
                Ok(frame) => Message::Binary(frame),
                // A slow viewer continues with the frames that are left.
                Err(RecvError::Lagged(_)) => continue,
                Err(RecvError::Closed) => return,
            },
            received = socket.recv() => match received {
                Some(Ok(Message::Text(text))) => match serde_json::from_str(&text) {
                    Ok(message) => {
                        session.send(message);
                        continue;
                    }
                    Err(_) => return close(socket, close_code::INVALID, "messages are JSON").await,
                },
                Some(Ok(Message::Binary(_))) => {
                    return close(socket, close_code::UNSUPPORTED, "messages are text").await;
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                // The connection was closed, or a message was too long or malformed.
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
            },
        };
        if !send(&mut socket, message).await {
            return;
        }
    }
}

/// Sends the frames that are still in the ring. Returns false if the viewer does not receive them.
async fn send_remaining(socket: &mut WebSocket, frames: &mut Receiver<Bytes>) -> bool {
    loop {
        match frames.try_recv() {
            Ok(frame) => {
                if !send(socket, Message::Binary(frame)).await {
                    return false;
                }
            }
            Err(TryRecvError::Lagged(_)) => {}
            Err(TryRecvError::Empty | TryRecvError::Closed) => return true,
        }
    }
}

/// Sends a message. Returns false if the viewer does not receive it in time.
async fn send(socket: &mut WebSocket, message: Message) -> bool {
    let sent = tokio::time::timeout(Duration::from_secs(guard::SEND_SECS), socket.send(message)).await;
    sent.is_ok_and(|sent| sent.is_ok())
}

async fn close(mut socket: WebSocket, code: u16, reason: &'static str) {
    send(&mut socket, Message::Close(Some(CloseFrame { code, reason: reason.into() }))).await;
}
