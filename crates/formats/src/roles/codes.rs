//! The codes that role files can be refused with.

marey_motion::codes! {
    SYNTAX = "roles/syntax":
        "The roles file is not TOML with one table [roles] of role = \"joint name\"."
        => "Write [roles] and below it lines such as LeftFoot = \"foot.L\".";
    UNKNOWN_ROLE = "roles/unknown-role":
        "The roles file names a role that does not exist."
        => "Roles are named as in LeftFoot; the message lists near ones.";
    UNKNOWN_JOINT = "roles/unknown-joint":
        "The roles file names a joint that the skeleton does not have."
        => "Copy the joint's name from the file, case included; the message lists near ones.";
    TWICE = "roles/twice":
        "The roles file names a role twice, or gives one joint two roles."
        => "Keep one of the two lines.";
}
