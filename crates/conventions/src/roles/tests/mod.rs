//! Behaviour of role detection, on skeletons described by text.

mod contradictions;
mod dialects;
mod drawing;
mod invariance;
mod role_map;
mod shape;
