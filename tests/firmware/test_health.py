"""Health tests: the standard's cutoffs, and sources that must not get through."""

from array import array

from noises import leaning, sticky, stuck

from firmware.faults import NOISE_UNHEALTHY, Fault
from firmware.rng import health, loops_plain
from firmware.rng.health import CUTOFFS, Health
from firmware.rng.sources import Source


def bits(text):
    return bytes([int(text[at : at + 8], 2) for at in range(0, len(text), 8)])


def test_cutoffs_are_those_of_the_standard():
    assert CUTOFFS[1000][:2] == (21, 589)
    assert CUTOFFS[500][:2] == (41, 793)


def test_a_run_of_the_cutoff_fails_and_one_less_does_not():
    assert Health(1000).problem(bits("1" * 20 + "0101")) is None
    assert Health(1000).problem(bits("0" + "1" * 21 + "01")) == "21 alike in a row"


def test_a_run_over_two_pieces_counts():
    found = Health(1000)
    assert found.problem(bits("0" + "1" * 15)) is None
    assert found.problem(bits("1" * 6 + "01")) == "21 alike in a row"


def test_one_value_too_often_in_a_window_fails_and_one_less_does_not():
    """588 of the first value in 1,024, spread so that no run is long; then 589."""
    even = "10" * 436 + "1110" * 38  # 436 + 114 = 550 ones of 1,024
    assert len(even) == 1024 and even.count("1") == 550
    for extra, why in ((38, None), (39, "589 alike of 1024")):
        text = even
        for _ in range(extra):
            text = text[:872].replace("1010", "1011", 1) + text[872:]
        assert text.count("1") == 550 + extra
        assert Health(1000).problem(bits(text)) == why


def refusal(read, entropy_milli=950, seed_bytes=512):
    try:
        Source("noise", read, entropy_milli, seed_bytes).start_up()
    except Fault as fault:
        assert fault.code == NOISE_UNHEALTHY
        return fault.detail
    return None


def test_a_fair_source_starts():
    for seed in range(1, 12):
        assert refusal(leaning(seed=seed)) is None


def test_a_stuck_source_is_refused():
    for byte in (0, 255, 0x55, 0xAA, 0x0F, 0x35):
        assert refusal(stuck(byte)), byte


def test_60_to_40_is_refused_where_95_hundredths_are_stated():
    """-log2(0.6) is 0.74 of a bit: less than stated, and found in the start-up samples whoever throws."""
    for seed in range(1, 12):
        assert refusal(leaning(0.6, seed)) and refusal(leaning(0.4, seed))


def test_60_to_40_starts_where_half_a_bit_is_stated():
    assert refusal(leaning(0.6), 500) is None


def test_a_sticky_source_is_refused_and_so_is_one_that_swaps():
    for seed in range(1, 12):
        assert refusal(sticky(0.9, seed)) and refusal(sticky(0.1, seed))
    assert "lag 1" in refusal(sticky(0.65))


def test_a_source_that_repeats_what_it_said_is_refused():
    fair = leaning(seed=5)
    for lag in (2, 7, 16):
        said = [fair(4)]

        def again(count, lag=lag, said=said):
            text = "".join(["{:08b}".format(byte) for byte in said[0]])
            while len(text) < count * 8:
                text += text[-lag] if fair(1)[0] > 40 else text[-1]
            return bits(text[: count * 8])

        assert refusal(again), lag


def test_short_pieces_are_judged_together():
    assert refusal(leaning(), 500, 32) is None
    assert refusal(leaning(0.8), 500, 32)
    try:
        Source("noise", leaning(), 500, 33)
        raise AssertionError("its pieces do not make up the span")
    except ValueError:
        pass


def test_what_failed_gives_nothing_until_it_has_started_anew():
    reads = [leaning(), stuck(), leaning()]
    source = Source("noise", lambda count: reads[0](count), 950, 512)
    assert refused(source.take)  # before its start-up tests
    source.start_up()
    assert len(source.take()) == 512
    reads.pop(0)
    assert refused(source.take)
    reads.pop(0)
    assert refused(source.take)
    source.start_up()
    assert source.take()


def test_a_failure_that_passes_is_thrown_away_and_counted():
    """A fair source has a run of 23 once in a thousand draws: no table closes for that."""
    said = [leaning()(512), leaning(seed=2)(512), bytes(3) + leaning(seed=3)(509), leaning(seed=4)(512)]
    later = leaning(seed=5)
    source = Source("noise", lambda count: said.pop(0) if said else later(count), 950, 512)
    source.start_up()
    source.take()
    wanted = said[1]
    assert source.take() != wanted and source.alarms == 1 and not said  # one start-up between, thrown away
    source.take()


def test_a_source_that_fails_after_every_start_is_refused():
    fair = leaning()
    turn = [0]

    def read(count):
        turn[0] += 1
        return fair(count) if turn[0] % 2 else bytes(count)

    source = Source("noise", read, 950, 512)
    source.start_up()
    assert refused(source.take) and refused(source.take) and source.alarms == 3


def test_a_pattern_is_found_later_too():
    """Periods that the two lags do not see show in a piece that is the one before again."""
    for byte in (0x55, 0x35, 0x1D):
        reads = [leaning(), stuck(byte)]
        source = Source("noise", lambda count, reads=reads: reads[0](count), 950, 512)
        source.start_up()
        reads.pop(0)
        assert refused(source.take) or refused(source.take)


def refused(act):
    try:
        act()
    except Fault:
        return True
    return False


def test_machine_code_and_plain_loops_say_the_same():
    for seed in range(1, 17):
        data = (sticky if seed % 2 else leaning)(0.5 + seed / 40, seed)(512)
        states = [array("i", [2, 0, 0, 0, 0, 20 + seed, 500 + 10 * seed]) for _ in range(2)]
        counts = [array("i", [0] * 17) for _ in range(2)]
        found = []
        for which, loops in enumerate((loops_plain, health.loops)):
            state, counted = states[which], counts[which]
            found.append([loops.scan(data[:100], state), loops.scan(data[100:], state)])
            loops.count(data, counted, 16)
        assert found[0] == found[1]
        assert list(states[0]) == list(states[1]) and list(counts[0]) == list(counts[1])


def test_the_lags_count_what_they_say():
    data = leaning(seed=3)(64)
    text = "".join(["{:08b}".format(byte) for byte in data])
    counts = array("i", [0] * 17)
    health.loops.count(data, counts, 16)
    assert counts[0] == text[16:].count("1")
    for lag in range(1, 17):
        assert counts[lag] == sum(text[at] != text[at - lag] for at in range(16, 512))
