"""Seven-segment shapes of the digits: segments a to g are bits 0 to 6. What every display here sends."""

DIGITS = (0x3F, 0x06, 0x5B, 0x4F, 0x66, 0x6D, 0x7D, 0x07, 0x7F, 0x6F)
BLANK = 0


def shapes(numbers, count):
    """These digits from the left, None for a dark one; the rest blank."""
    found = [BLANK if number is None else DIGITS[number] for number in numbers][:count]
    return found + [BLANK] * (count - len(found))
