"""The loops of the health tests, in plain Python. PURE. loops_viper.py has them faster, and the same.

Data is packed, the first sample in the highest bit, and an even number of bytes. Called by health.py.
"""

WINDOW = 1024


def _ones():
    counts = [0]
    while len(counts) < 256:
        counts += [count + 1 for count in counts]
    return bytes(counts)


ONES = _ones()  # in each byte


def scan(data, state):
    """SP 800-90B 4.4.1 and 4.4.2 over every sample: 1 a run too long, 2 one value too often."""
    last, run, first, seen, same, most_run, most_same = state
    failed = 0
    for at in range(len(data) * 8):
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


def count(data, counts, lags):
    """Adds up ones, and for each lag the bits unlike the one so many before; from the third byte on."""
    for at in range(2, len(data)):
        word = data[at - 2] << 16 | data[at - 1] << 8 | data[at]
        counts[0] += ONES[word & 255]
        for lag in range(1, lags + 1):
            counts[lag] += ONES[(word ^ word >> lag) & 255]
