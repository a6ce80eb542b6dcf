//! Steps and beats of whole clips: generated ones with known cuts, and captured ones.

mod beats;
mod captured;
mod gait;
