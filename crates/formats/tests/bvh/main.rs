//! The BVH reader and writer, shown from outside: files that are written and read again.

mod round_trip;
