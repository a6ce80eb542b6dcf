//! Behaviour of role finding, on skeletons drawn as text.

mod contradictions;
mod dialects;
mod drawing;
mod invariance;
mod role_map;
mod shape;
