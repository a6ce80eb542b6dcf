//! Errors in roles files.

marey_motion::codes! {
    SYNTAX = "roles/syntax":
        "The roles file is not TOML with one table [roles] of role = \"joint name\"."
        => "Write [roles] and below it lines such as LeftFoot = \"foot.L\".";
    UNKNOWN_ROLE = "roles/unknown-role":
        "The roles file names a role that does not exist."
        => "Roles are written as in LeftFoot; the message lists similar names.";
    UNKNOWN_JOINT = "roles/unknown-joint":
        "The roles file names a joint that the skeleton does not have."
        => "Copy the joint's name from the file, including case; the message lists similar names.";
    TWICE = "roles/twice":
        "The roles file lists a role twice, or gives one joint two roles."
        => "Keep one of the two lines.";
}
