"""NIST's answers for HMAC_DRBG, asked of ours. Runs under CPython, MicroPython and on the chip alike."""

from binascii import unhexlify

from firmware.rng.drbg import HmacDrbg

NONCE_END, SEED_BYTES = 48, 32


def wrong(lines):
    """(how many were asked, the numbers of the lines whose answer is another)."""
    asked, failed = 0, []
    for number, line in enumerate(lines):
        if line.strip() and not line.startswith("#"):
            asked += 1
            kind, entropy, personalisation, *more = [_bytes(word) for word in line.split()]
            if ANSWER[kind](_seeds(entropy), personalisation, more[:-1], len(more[-1])) != more[-1]:
                failed.append(number + 1)
    return asked, failed


def _bytes(word):
    if word in ANSWER:
        return word
    return b"" if word == "-" else unhexlify(word)


def _seeds(entropy):
    """What each seeding takes: the first with its nonce."""
    rest = range(NONCE_END, len(entropy), SEED_BYTES)
    return [entropy[:NONCE_END]] + [entropy[at : at + SEED_BYTES] for at in rest]


def _no_reseed(seeds, personalisation, additional, count):
    drbg = HmacDrbg(seeds[0], b"", personalisation)
    drbg.generate(count, additional[0])
    return drbg.generate(count, additional[1])


def _reseed(seeds, personalisation, additional, count):
    drbg = HmacDrbg(seeds[0], b"", personalisation)
    drbg.reseed(seeds[1], additional[0])
    drbg.generate(count, additional[1])
    return drbg.generate(count, additional[2])


def _pr(seeds, personalisation, additional, count):
    drbg = HmacDrbg(seeds[0], b"", personalisation)
    drbg.generate(count, additional[0], seeds[1])
    return drbg.generate(count, additional[1], seeds[2])


ANSWER = {"no_reseed": _no_reseed, "reseed": _reseed, "pr": _pr}
