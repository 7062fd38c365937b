"""The loops of the health tests, in plain Python. PURE. loops_viper.py has them faster, and the same.

Data is packed, the first sample in the highest bit. Called by health.py.
"""

WINDOW = 1024
LAGS = 16
ONES = bytes([bin(byte).count("1") for byte in range(256)])  # in each byte


def scan(data, count, state):
    """SP 800-90B 4.4.1 and 4.4.2 over `count` samples: 1 a run too long, 2 one value too often."""
    last, run, first, seen, same, most_run, most_same = state
    failed = 0
    for at in range(count):
        bit = data[at >> 3] >> (7 - (at & 7)) & 1
        run = run + 1 if bit == last else 1
        last = bit
        if run >= most_run:
            failed |= 1
        if seen == 0:
            first, same = bit, 0
        if bit == first:
            same += 1
            if same >= most_same:
                failed |= 2
        seen = (seen + 1) % WINDOW
    for index, value in enumerate((last, run, first, seen, same)):
        state[index] = value
    return failed


def count(data, size, counts):
    """Adds up ones, and for each lag the bits unlike the one so many before; from the third byte on."""
    for at in range(2, size):
        word = data[at - 2] << 16 | data[at - 1] << 8 | data[at]
        counts[0] += ONES[word & 255]
        for lag in range(1, LAGS + 1):
            counts[lag] += ONES[(word ^ word >> lag) & 255]
