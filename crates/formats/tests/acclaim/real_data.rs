//! CMU's archive, if it is available.

/// Motions that are available in both formats, and the folder of the BVH.
pub(crate) const PAIRS: [(&str, &str); 11] = [
    ("07_01", "walk_path"),
    ("16_11", "walk_path"),
    ("16_17", "walk_path"),
    ("18_01", "two_person"),
    ("19_01", "two_person"),
    ("36_01", "uneven_terrain"),
    ("43_02", "playground_climb"),
    ("49_06", "dance_gymnastics"),
    ("55_01", "dance_gymnastics"),
    ("60_01", "salsa_60_61"),
    ("61_01", "salsa_60_61"),
];
