//! Errors and warnings about characters.

marey_motion::codes! {
    // Errors.
    NO_FIGURE = "character/no-figure":
        "The character's file has no figure of this name or number."
        => "Use a name that the message lists, as in hero.glb#Armature.";
    MIRRORED = "character/mirrored":
        "A joint of the character, or a node above it, has a negative or zero scale."
        => "Apply the scale in the program that the character was made in, and export it again.";
    SHEARED = "character/sheared":
        "A joint of the character has a matrix that is no translation, rotation and scale."
        => "Export the character again with translations, rotations and scales instead of matrices.";
    ACTORS = "character/actors":
        "Takes with different actors cannot be animations of the same characters."
        => "Write them to separate files.";

    // Warnings.
    SEVERAL_FIGURES = "character/several-figures":
        "The character's file has several figures; the one that is most like a person moves, the others stand still."
        => "Choose another one with # and its name, as in hero.glb#Armature.";
    OWN_ANIMATIONS = "character/own-animations":
        "The character's file has animations of its own, which are kept; the new ones come after them."
        => "Choose the new animation by its name; most viewers show the first one.";
    MATRIX = "character/matrix":
        "Joints of the character have matrices, which cannot be animated; they were replaced by equal translations, rotations and scales."
        => "Nothing to do.";
    IMAGE = "character/image":
        "An image of the character could not be embedded; its address is kept."
        => "Put the image beside the character's file, or keep the output beside the image.";
    SOLES = "character/soles":
        "The soles of the character could not be found in its mesh, and are estimated from its joints."
        => "If its feet sink into the floor or hover, export the mesh without compression.";
    UNKNOWN_EXTENSION = "character/unknown-extension":
        "A character that was merged with others uses an extension that Marey does not know; references in it are not renumbered."
        => "Check that part of the character, or write each actor to a file of its own.";
    NOT_MERGED = "character/not-merged":
        "A file can hold a property of a character only once; that of a further character was put into the file's extras."
        => "Write each actor to a file of its own if a program needs it, such as one that loads VRM.";
}
