"""Seven-segment digits, as a bench would read them: segments a to g are bits 0 to 6."""

# fmt: off
# A shape that is both a digit and a letter reads as the digit.
GLYPHS = {
    0x00: " ", 0x3F: "0", 0x06: "1", 0x5B: "2", 0x4F: "3", 0x66: "4", 0x6D: "5", 0x7D: "6", 0x07: "7",
    0x7F: "8", 0x6F: "9", 0x40: "-", 0x08: "_", 0x77: "A", 0x7C: "b", 0x39: "C", 0x58: "c", 0x5E: "d",
    0x79: "E", 0x71: "F", 0x3D: "G", 0x76: "H", 0x74: "h", 0x1E: "J", 0x38: "L", 0x54: "n", 0x5C: "o",
    0x73: "P", 0x67: "q", 0x50: "r", 0x78: "t", 0x3E: "U", 0x1C: "u", 0x6E: "y", 0x63: "°",
}
# fmt: on


def read(shapes):
    """A character a digit; bit 7 is the colon or the point, a pattern that is no character is "?"."""
    return "".join(GLYPHS.get(shape & 0x7F, "?") for shape in shapes)
