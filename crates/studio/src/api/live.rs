//! Motion that is watched while it is made, over a WebSocket.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::response::Response;
use serde_json::{Value, json};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};

use super::{AppState, JsonBody, Named, Numbered, answer};
use crate::live::{self, Show};
use crate::{Result, StudioError, codes, guard};

/// Has a panel begin to play; the number to watch it by.
pub(super) async fn play(
    State(studio): AppState,
    Named(panel): Named,
    JsonBody(wish): JsonBody<Value>,
) -> Result<Response> {
    studio.find_panel(&panel)?;
    let doer = studio.clone();
    let number = studio.shows.start(move |live| doer.play_panel(&panel, &wish, live))?;
    Ok(answer(&json!({ "live": number })))
}

/// A play is over.
pub(super) async fn end(State(studio): AppState, Numbered(number): Numbered) -> Result<Response> {
    studio.shows.find(number)?.end();
    Ok(answer(&json!({})))
}

/// Lets a window watch and speak.
pub(super) async fn watch(
    State(studio): AppState,
    Numbered(number): Numbered,
    upgrade: std::result::Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response> {
    let show = studio.shows.find(number)?;
    let upgrade =
        upgrade.map_err(|_| StudioError::new(&codes::REQUEST, "a play is watched over a WebSocket"))?;
    let full = |_| StudioError::new(&codes::CONNECTIONS, format!("{} windows watch", guard::MOST_VIEWERS));
    let seat = studio.seats.clone().try_acquire_owned().map_err(full)?;
    let upgrade = upgrade.max_message_size(guard::WORD_BYTES).max_frame_size(guard::WORD_BYTES);
    Ok(upgrade.on_upgrade(async move |socket| {
        watched(socket, &show).await;
        drop(seat);
    }))
}

/// One viewer to the end: of the play, or of their patience.
async fn watched(mut socket: WebSocket, show: &Arc<Show>) {
    let (mut state, mut frames) = show.join();
    state.mark_changed();
    let mut is_open = false;
    loop {
        let message = tokio::select! {
            changed = state.changed() => {
                if changed.is_err() {
                    return;
                }
                let now = state.borrow_and_update().clone();
                if let live::State::Open(first) = &now {
                    is_open = true;
                    Message::Binary(first.clone())
                } else {
                    let text = now.told().unwrap_or_default().to_string();
                    let is_last = matches!(now, live::State::Ended(_));
                    if is_last && is_open && !send_left(&mut socket, &mut frames).await {
                        return;
                    }
                    if !send(&mut socket, Message::Text(text.into())).await || is_last {
                        return close(socket, close_code::NORMAL, "it is over").await;
                    }
                    continue;
                }
            }
            frame = frames.recv(), if is_open => match frame {
                Ok(frame) => Message::Binary(frame),
                // Who was slow goes on with what is still there.
                Err(RecvError::Lagged(_)) => continue,
                Err(RecvError::Closed) => return,
            },
            heard = socket.recv() => match heard {
                Some(Ok(Message::Text(text))) => match serde_json::from_str(&text) {
                    Ok(word) => {
                        show.say(word);
                        continue;
                    }
                    Err(_) => return close(socket, close_code::INVALID, "words are JSON").await,
                },
                Some(Ok(Message::Binary(_))) => {
                    return close(socket, close_code::UNSUPPORTED, "words are text").await;
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                // It was closed, or what came was too long or no frame at all.
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
            },
        };
        if !send(&mut socket, message).await {
            return;
        }
    }
}

/// Sends the frames that were shown before the end and not yet seen; whether all were taken.
async fn send_left(socket: &mut WebSocket, frames: &mut Receiver<Bytes>) -> bool {
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

/// Sends, and says whether it was taken in time.
async fn send(socket: &mut WebSocket, message: Message) -> bool {
    let sent = tokio::time::timeout(Duration::from_secs(guard::SEND_SECS), socket.send(message)).await;
    sent.is_ok_and(|sent| sent.is_ok())
}

async fn close(mut socket: WebSocket, code: u16, reason: &'static str) {
    send(&mut socket, Message::Close(Some(CloseFrame { code, reason: reason.into() }))).await;
}
