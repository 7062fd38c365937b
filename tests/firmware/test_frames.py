"""Frames and their stuffing: whole in, whole out; garbage never gets through and never eats a frame."""

from firmware.protocol import cobs, frames


def noise(seed, count):
    """Bytes that look random and repeat with the seed."""
    out, state = bytearray(), seed
    for _ in range(count):
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        out.append(state >> 16 & 255)
    return bytes(out)


def test_stuffing_holds_no_zero_and_comes_back():
    for length in (0, 1, 2, 253, 254, 255, 256, 508, 509, 700):
        for data in (bytes(length), b"\x01" * length, noise(length, length), bytes(range(1, 255)) * 3):
            stuffed = cobs.encode(data)
            assert 0 not in stuffed
            assert cobs.decode(stuffed) == data


def test_stuffing_matches_published_examples():
    # the examples of Cheshire and Baker's encoding that implementations are compared by
    run = bytes(range(1, 255))
    assert cobs.encode(b"") == b"\x01"
    assert cobs.encode(b"\0") == b"\x01\x01"
    assert cobs.encode(b"\0\0") == b"\x01\x01\x01"
    assert cobs.encode(b"\x11\x22\0\x33") == b"\x03\x11\x22\x02\x33"
    assert cobs.encode(b"\x11\0\0\0") == b"\x02\x11\x01\x01\x01"
    assert cobs.encode(b"\0" + run) == b"\x01\xff" + run or cobs.decode(b"\x01\xff" + run) == b"\0" + run
    assert cobs.decode(b"\xff" + run) == run


def test_bad_stuffing_is_nothing():
    for bad in (b"\x05\x01", b"\x00", b"\x02\x11\x00", b"\xff\x01"):
        assert cobs.decode(bad) is None


def test_a_frame_comes_back():
    body = noise(7, frames.MAX_BODY)
    frame = frames.encode(frames.COMMAND, 4000000000, 9, body)
    assert len(frame) <= frames.MAX_FRAME + 2
    assert frames.Deframer().feed(frame) == [(frames.COMMAND, 4000000000, 9, body)]


def test_a_body_too_long_is_refused_at_the_sender():
    try:
        frames.encode(frames.EVENT, 1, 1, bytes(frames.MAX_BODY + 1))
    except ValueError:
        return
    raise AssertionError("a frame longer than the line's buffers was made")


def test_every_single_bit_flip_is_noticed():
    frame = frames.encode(frames.EVENT, 77, 3, b"\x01\x02small")
    for bit in range(8, (len(frame) - 1) * 8):
        hurt = bytearray(frame)
        hurt[bit // 8] ^= 1 << bit % 8
        assert frames.Deframer().feed(hurt) == [], bit


def test_garbage_between_frames_costs_no_frame():
    deframer = frames.Deframer()
    got = []
    for number in range(200):
        data = noise(number, number % 50)
        data += frames.encode(frames.EVENT, number, 1, noise(number, number % 200))
        for at in range(0, len(data), 7):
            got += deframer.feed(data[at : at + 7])
    assert [frame[1] for frame in got if frame[2] == 1 and frame[0] == frames.EVENT] == list(range(200))
    assert deframer.bad > 0


def test_a_line_that_never_ends_takes_no_memory():
    deframer = frames.Deframer()
    for _ in range(100):
        assert deframer.feed(b"\x55" * 1000) == []
    assert len(deframer.buffer) <= frames.MAX_FRAME
    assert len(deframer.feed(frames.encode(frames.ACK, 5, 0))) == 1
