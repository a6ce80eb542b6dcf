//! Steps and beats of whole clips: generated ones, whose cuts are known, and captured ones.

mod beats;
mod captured;
mod gait;
