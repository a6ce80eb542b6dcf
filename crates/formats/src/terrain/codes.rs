//! Errors of the terrain readers.

marey_motion::codes! {
    NOT_TEXT = "terrain/not-text":
        "The file is not text."
        => "Save the terrain as JSON or SVG, or use a .png height map.";
    BAD_JSON = "terrain/bad-json" alias "command/not-a-terrain":
        "The JSON is not a terrain."
        => "Write {\"pieces\": [[[along, height], …], …]} in metres, from left to right.";
    BAD_SVG = "terrain/bad-svg":
        "A line of the drawing cannot be read."
        => "Check the element at the place in the message; coordinates come in pairs of numbers.";
    UNSUPPORTED_SVG = "terrain/unsupported-svg":
        "The drawing uses curves, closed paths or transforms, which would be lost."
        => "Convert curves to polylines and apply transforms in the drawing program, then save again.";
    BAD_PNG = "terrain/bad-png":
        "The height map is not a readable PNG."
        => "Export the height map again as PNG.";
    NO_GROUND = "terrain/no-ground":
        "The file contains no ground along the profile."
        => "Draw at least one polyline; in a height map, leave at least two adjacent pixels opaque.";
    OFF_MAP = "terrain/off-map":
        "The path leaves the height map."
        => "Paths are in metres from the lower left corner of the map; check --scale.";
    SETTINGS = "terrain/settings":
        "The scale or relief of a terrain is out of range."
        => "Both are in metres, above 0 and at most 1000.";
    LIMIT = "terrain/limit":
        "The terrain exceeds a limit of the reader."
        => "Reduce the size of the height map, or simplify the drawing.";
}
