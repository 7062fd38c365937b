"""Nothing hangs for ever: a run that does not end in time fails, and says where the chip was."""

import json
import socket

import pytest

from host_tools.errors import PitkitError


def test_a_run_that_takes_too_long_says_where_the_chip_was(bench):
    bench.start_python("while True: pass")
    said = r"did not end within 0\.5 s: PC 0x1\w{7}, LR 0x\w+, running, interrupts on, at \d+ us; flash: \w+"
    with pytest.raises(PitkitError, match=said):
        bench.fixture.run(3_600_000_000, run_limit_s=0.5)
    assert bench.fixture.run(1000) > 0, "the board lives on, and so does the fixture"
    bench.hang_up()


def test_the_answer_has_the_place_in_fields_too(bench):
    bench.start_python("import machine\nmachine.disable_irq()\nwhile True: pass")
    bench.fixture.run(10_000)
    with socket.create_connection(bench.emulator.fixture_address, timeout=10) as connection:
        line = connection.makefile("rw")
        line.write('{"op":"run","us":3600000000,"limit_s":0.3}\n')
        line.flush()
        answer = json.loads(line.readline())
    assert answer["ok"] is False
    assert answer["where"]["interrupts_masked"] is True
    assert answer["where"]["waiting"] is False
    assert answer["where"]["pc"].startswith("0x1")
    bench.hang_up()
    bench.fixture.cut()
    bench.fixture.power()


@pytest.mark.parametrize("limit", ["0", "-1", '"5"', "null"])
def test_a_bad_limit_is_refused(bench, limit):
    with pytest.raises(PitkitError, match="limit_s must be"):
        bench.fixture._ask(f'{{"op":"run","us":1,"limit_s":{limit}}}', 5)
