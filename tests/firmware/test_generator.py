"""The generator: nothing from bad noise, nothing twice; draws even and repeatable; seeds that are kept."""

from fakes import FakeFlash, PowerCut
from noises import leaning, stuck

from firmware.faults import COUNTER_BACK, NOISE_UNHEALTHY, Fault
from firmware.rng import verifiable
from firmware.rng.conditioning import LEAST_BITS, condition
from firmware.rng.draws import Draws
from firmware.rng.drbg import HmacDrbg
from firmware.rng.generator import Generator
from firmware.rng.seed_store import SeedStore
from firmware.rng.sources import Source


class Board:
    """Two sources and a flash; the same noise at every start, which is what must not matter."""

    def __init__(self, flash=None, unique_id="e661", seed=1):
        self.flash = flash or FakeFlash(2)
        self.reads = {"ring": leaning(seed=seed), "adc": leaning(seed=seed + 100)}
        sources = [
            Source("ring", lambda count: self.reads["ring"](count), 950, 512),
            Source("adc", lambda count: self.reads["adc"](count), 500, 32),
        ]
        self.generator = Generator(sources, unique_id, SeedStore(self.flash))

    def started(self, boot=1):
        self.generator.start(boot)
        return self.generator


def fault_of(act):
    try:
        act()
    except Fault as fault:
        return fault.code
    return None


def test_a_seed_takes_more_entropy_than_it_has():
    ring, adc = Board().generator.sources
    assert ring.seed_entropy() >= 10 * LEAST_BITS and adc.seed_entropy() == 128


def test_nothing_leaves_before_the_start_or_after_a_failure():
    board = Board()
    assert fault_of(lambda: board.generator.seed(1)) == NOISE_UNHEALTHY
    generator = board.started()
    assert len(generator.seed(1)) == 32 and len(generator.bytes(5)) == 5
    for name in ("ring", "adc"):
        good, board.reads[name] = board.reads[name], stuck()
        drbg = generator.drbg
        assert fault_of(lambda: generator.seed(2)) == NOISE_UNHEALTHY
        assert drbg.counter == 0  # wiped
        board.reads[name] = good
        assert fault_of(lambda: generator.bytes(1)) == NOISE_UNHEALTHY  # it stays so until it is started
        assert fault_of(lambda: generator.start(1)) is None


def test_60_to_40_is_found_before_the_next_seed_leaves():
    for seed in range(1, 6):
        board = Board(seed=seed)
        generator = board.started()
        board.reads["ring"] = leaning(0.6, seed)
        assert fault_of(lambda: generator.seed(1)) == NOISE_UNHEALTHY


def test_no_start_repeats_another_even_with_the_same_noise():
    flash, seen = FakeFlash(2), set()
    for boot in range(1, 41):
        seen.add(Board(flash).started(boot).seed(1))
    assert len(seen) == 40


def test_nor_does_another_board_another_count_or_another_game():
    first = Board().started().seed(1)
    others = [
        Board(unique_id="e662").started().seed(1),
        Board().started(2).seed(1),
        Board().started().seed(2),
    ]
    assert len(set(others + [first])) == 4
    assert Board().started().seed(1) == first  # all else being equal it is a function


def test_the_kept_seed_goes_into_the_next_start():
    seeds = []
    for kept in (b"a" * 32, b"b" * 32):
        flash = FakeFlash(2)
        SeedStore(flash).keep(1, kept)
        seeds.append(Board(flash).started(2).seed(1))  # all else is the same
    assert seeds[0] != seeds[1]


def test_a_count_of_starts_that_went_back_is_refused():
    flash = FakeFlash(2)
    Board(flash).started(7)
    for boot in (6, 7):
        assert fault_of(lambda: Board(flash).started(boot)) == COUNTER_BACK
    board = Board(flash)
    board.started(8)
    board.started(8)  # the same start, its fault cleared


def test_the_seed_before_is_wiped_and_the_newest_found_after_a_cut_anywhere():
    for cut in range(8):
        flash = FakeFlash(2)
        for boot in range(1, 17 if cut % 2 else 4):
            SeedStore(flash).keep(boot, bytes([boot]) * 32)
        flash.cut_after, flash.keep = cut // 2, 20
        try:
            SeedStore(flash).keep(99, b"n" * 32)
        except PowerCut:
            pass
        flash.cut_after = None
        store = SeedStore(flash)
        assert store.take(100) in (b"n" * 32, bytes([16 if cut % 2 else 3]) * 32)
        store.keep(100, b"m" * 32)
        assert SeedStore(flash).take(101) == b"m" * 32
        assert b"n" * 32 not in flash.memory and bytes([3]) * 32 not in flash.memory


def test_two_ways_of_cutting_the_same_samples_do_not_agree():
    assert condition([b"ab", b"c"]) != condition([b"a", b"bc"]) != condition([b"abc"])


# -- draws


class Bytes:
    """A generator that says what it is told."""

    def __init__(self, *said):
        self.said = bytes(said)

    def generate(self, count):
        return self.said


def test_values_past_the_last_whole_multiple_are_thrown_away():
    assert Draws(Bytes(240, 255, 239)).below(80) == 239 % 80
    assert Draws(Bytes(255, 7)).below(256) == 255
    assert Draws(Bytes(0xFF, 0xFF, 1, 44)).below(300) == 0  # 65,535 is past 218 times 300
    assert Draws(Bytes(9)).below(1) == 0


def test_every_number_is_as_likely_over_all_bytes():
    for n in (1, 2, 3, 54, 63, 80, 256):
        counts = [0] * n
        for byte in range(256):
            draws = Draws(Bytes(byte, 0))
            value = draws.below(n)
            if draws.at < 2:
                counts[value] += 1
        assert len(set(counts)) == 1 and counts[0] == (256 // n if n > 1 else 256)


def test_a_sample_has_no_number_twice_and_keeps_its_order():
    draws = Draws(HmacDrbg(bytes(32)))
    seen = [0] * 81
    for _ in range(400):
        drawn = draws.sample(20, 80)
        assert len(set(drawn)) == 20 and min(drawn) >= 1 and max(drawn) <= 80
        for number in drawn:
            seen[number] += 1
    assert min(seen[1:]) > 50 and max(seen[1:]) < 160
    assert sorted(draws.sample(7, 7)) == [1, 2, 3, 4, 5, 6, 7]
    assert Draws(Bytes(79, 0, 0)).sample(3, 80) == [80, 2, 3]


def test_a_verifiable_draw_hangs_on_all_that_goes_in_and_is_fixed_for_ever():
    seed, pool, nonce = bytes(32), b"p" * 32, b"n" * 32
    drawn = verifiable.numbers(seed, 7, pool, nonce, 20, 80)
    assert drawn == [17, 15, 18, 74, 46, 35, 26, 56, 25, 65, 23, 61, 44, 63, 33, 72, 66, 41, 71, 3]
    assert verifiable.numbers(bytes(range(32)), 1, pool, nonce, 2, 54) == [50, 16]
    assert verifiable.commitment("a", 1, seed)[:4] == b"\x0a\x4e\xcb\x53"
    others = [
        verifiable.numbers(b"\x01" + bytes(31), 7, pool, nonce, 20, 80),
        verifiable.numbers(seed, 8, pool, nonce, 20, 80),
        verifiable.numbers(seed, 7, nonce, nonce, 20, 80),
        verifiable.numbers(seed, 7, pool, pool, 20, 80),
    ]
    assert drawn not in others and len({tuple(other) for other in others}) == 4
    assert verifiable.commitment("a", 1, seed) != verifiable.commitment("b", 1, seed)
    assert verifiable.commitment("a", 1, seed) != verifiable.commitment("a", 2, seed)


def test_two_of_54_may_come_twice_running_and_20_of_80_may_not():
    assert verifiable.is_guarded(20, 80)
    assert not verifiable.is_guarded(2, 54) and not verifiable.is_guarded(2, 63)
