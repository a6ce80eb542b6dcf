//! Every warning and refusal of the glTF reader and writer.

marey_motion::codes! {
    // Refusals.
    NOT_GLTF = "gltf/not-gltf":
        "The file is neither glTF text nor a GLB."
        => "Check that the file is a .gltf, .glb or .vrm and was not damaged.";
    VERSION = "gltf/version":
        "The file is of another version of glTF than 2."
        => "Export it again as glTF 2.0, which every current tool writes.";
    CHUNK = "gltf/chunk":
        "A GLB's chunks are cut off or not in order."
        => "The file was cut off or damaged; get it again from its source.";
    JSON = "gltf/json":
        "The description is not JSON, or not of the form that glTF asks for."
        => "Look at the place; in a GLB it counts from the start of the JSON chunk.";
    HIERARCHY = "gltf/hierarchy":
        "The nodes do not form trees: one hangs below itself, or from two others."
        => "Export the scene again.";
    INDEX = "gltf/index":
        "The file speaks of a part by a number that no part has."
        => "The file is damaged, or its exporter is; export it again.";
    ACCESSOR = "gltf/accessor":
        "Numbers that are needed are of the wrong kind, or reach beyond their buffer."
        => "The file was cut off or damaged, or its exporter is wrong; export it again.";
    BUFFER = "gltf/buffer":
        "A buffer that is needed has no content, or less than it should."
        => "Export again with embedded buffers, or as GLB.";
    COMPRESSED = "gltf/compressed":
        "Motion or rest pose are compressed by an extension that Marey does not read."
        => "Export without compression; gltfpack writes plain files with -noq and without -c.";
    KEY_TIMES = "gltf/key-times":
        "The times of an animation's keys are not numbers, or do not ascend."
        => "Export the animation again.";
    KEY_COUNT = "gltf/key-count":
        "An animation has not as many values as times."
        => "The file was damaged, or its exporter is wrong; export it again.";
    NO_FIGURE = "gltf/no-figure":
        "The file has no skin, and nothing in it moves."
        => "Export the skeleton with its animation.";
    OUT_OF_RANGE = "gltf/out-of-range":
        "A number is too large to be a place or a size."
        => "Look at the node; the file may be damaged there.";
    LIMIT = "gltf/limit":
        "The file goes beyond a limit of the reader, or asks for far more than it holds."
        => "If the file is sound, raise the limit in the reader's options, or read it at a lower --rate.";
    TOO_LONG = "gltf/too-long":
        "The take is too long to be written: its times could not be told apart, or the file would pass 4 GiB."
        => "Write a part of it: --frames A..B; or fewer frames a second: --resample 30.";

    // Warnings.
    NO_MOTION = "gltf/no-motion":
        "The file holds no animation of a figure; the pose of its nodes stands for one frame."
        => "Use it as a skeleton only.";
    RESAMPLED = "gltf/resampled":
        "The keys of an animation are at no steady rate; it was sampled at 60 Hz."
        => "Nothing to do; --rate chooses another rate.";
    SCALE = "gltf/scale":
        "A node is scaled differently along its axes, mirrored, sheared, or scaled in motion, which a skeleton cannot be."
        => "Apply scales before exporting, where the figure looks wrong.";
    LEFT_OUT = "gltf/left-out":
        "Something is animated that has no place in a motion: morph targets, materials, or nodes outside any figure."
        => "Nothing to do, unless it was meant to be part of the figure.";
    EXTENSION = "gltf/extension":
        "The file requires an extension that Marey does not know; it was read without."
        => "Nothing to do where the figure moves well.";
    RENAMED = "gltf/renamed":
        "A joint has no name, or that of another; it was given one."
        => "Look the joint up by its new name.";
    HELD_VALUE = "gltf/held-value":
        "A key is not a number, infinite, or no rotation; the one before stands in."
        => "Export the animation again if it matters.";
    LENGTH = "gltf/length":
        "A GLB is not as long as it says; what is there was read."
        => "Check whether the file was cut off.";
    REPEATED_KEY = "gltf/repeated-key":
        "Two keys of an animation are at the same time; the later one goes."
        => "Nothing to do.";
    CHANNEL_TWICE = "gltf/channel-twice":
        "An animation moves the same property of a node twice; the first goes."
        => "Export the animation again if the figure moves wrongly.";
    HUMANOID = "gltf/humanoid":
        "A humanoid bone that the file states is unknown, stated twice, or on no joint."
        => "Nothing to do where the roles are right; a roles file can put them right.";
    NO_MESH = "gltf/no-mesh":
        "A figure has no size, or too many joints, and was written without a mesh."
        => "Nothing to do; the skeleton and its motion are in the file.";
}
