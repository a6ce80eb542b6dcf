//! Errors and warnings of the glTF reader and writer.

marey_motion::codes! {
    // Errors.
    NOT_GLTF = "gltf/not-gltf":
        "The file is neither glTF JSON nor GLB."
        => "Check that the file is a .gltf, .glb or .vrm and was not damaged.";
    VERSION = "gltf/version":
        "The file is not glTF version 2."
        => "Export it again as glTF 2.0, which every current tool writes.";
    CHUNK = "gltf/chunk":
        "The chunks of a GLB are truncated or out of order."
        => "The file is truncated or damaged; get it again from its source.";
    JSON = "gltf/json":
        "The description is not valid JSON, or not valid glTF."
        => "Check the file at the reported place; in a GLB it counts from the start of the JSON chunk.";
    HIERARCHY = "gltf/hierarchy":
        "The nodes do not form trees: a node is its own ancestor or has two parents."
        => "Export the scene again.";
    INDEX = "gltf/index":
        "The file refers to an element by an index that does not exist."
        => "The file is damaged, or its exporter is faulty; export it again.";
    ACCESSOR = "gltf/accessor":
        "An accessor has the wrong type, or extends beyond its buffer."
        => "The file is truncated or damaged, or its exporter is faulty; export it again.";
    BUFFER = "gltf/buffer":
        "A required buffer has no content, or less than declared."
        => "Export again with embedded buffers, or as GLB.";
    COMPRESSED = "gltf/compressed":
        "The motion or the rest pose is compressed by an extension that Marey does not read."
        => "Export without compression; gltfpack writes plain files with -noq and without -c.";
    KEY_TIMES = "gltf/key-times":
        "The key times of an animation are not numbers, or do not increase."
        => "Export the animation again.";
    KEY_COUNT = "gltf/key-count":
        "An animation has a different number of values than key times."
        => "The file is damaged, or its exporter is faulty; export it again.";
    NO_FIGURE = "gltf/no-figure":
        "The file has no skin and no animation."
        => "Export the skeleton with its animation.";
    OUT_OF_RANGE = "gltf/out-of-range":
        "A number is too large for a position or a size."
        => "Check the node in the message; the file may be damaged.";
    LIMIT = "gltf/limit":
        "The file exceeds a limit of the reader, or requests far more than it contains."
        => "If the file is valid, raise the limit in the reader's options, or read it at a lower --rate.";
    TOO_LONG = "gltf/too-long":
        "The take is too long to write: its times would not be distinct, or the file would exceed 4 GiB."
        => "Write a part of it: --frames A..B; or reduce the frame rate: --resample 30.";
    NOT_HUMANOID = "gltf/not-humanoid":
        "The figure lacks bones that every VRM character has, so it cannot be written as a VRM animation."
        => "If the figure has these bones, assign their roles with a roles file; otherwise write a .glb.";

    // Warnings.
    NO_MOTION = "gltf/no-motion":
        "The file contains no animation of a figure; the pose of its nodes is used as the only frame."
        => "Use it as a skeleton only.";
    RESAMPLED = "gltf/resampled":
        "The keys of an animation have no uniform rate; it was sampled at 60 Hz."
        => "Nothing to do; --rate chooses another rate.";
    SCALE = "gltf/scale":
        "A node has a non-uniform, mirrored, sheared or animated scale, which Marey's skeletons do not support."
        => "If the figure looks wrong, apply scales before exporting.";
    LEFT_OUT = "gltf/left-out":
        "The file animates something that Marey does not keep: morph targets, materials, or nodes outside every figure."
        => "Nothing to do, unless it should be part of the figure.";
    EXTENSION = "gltf/extension":
        "The file requires an extension that Marey does not know; it was read without it."
        => "Nothing to do if the figure moves correctly.";
    RENAMED = "gltf/renamed":
        "A joint has no name or a duplicate name; it was renamed."
        => "Look the joint up by its new name.";
    HELD_VALUE = "gltf/held-value":
        "A key is NaN, infinite or not a rotation; the previous key replaces it."
        => "Export the animation again if it matters.";
    LENGTH = "gltf/length":
        "A GLB does not have its declared length; everything present was read."
        => "Check whether the file is truncated.";
    REPEATED_KEY = "gltf/repeated-key":
        "Two keys of an animation have the same time; the later one was used."
        => "Nothing to do.";
    CHANNEL_TWICE = "gltf/channel-twice":
        "An animation has two channels for the same property of a node; the first was used."
        => "Export the animation again if the figure moves wrongly.";
    HUMANOID = "gltf/humanoid":
        "A humanoid bone in the file is unknown, listed twice, or not on a joint."
        => "Nothing to do if the roles are right; a roles file can correct them.";
    REDUCED = "gltf/reduced":
        "Keyframes were removed within the error that was asked for."
        => "Nothing to do; a smaller error keeps more keyframes.";
}
