//! The BVH reader and writer, shown from outside: damaged and misleading text, and files that are written and read again.

mod little_data;
mod round_trip;
mod tolerance;
