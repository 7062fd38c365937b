"""A slow line: what it carries of a file, there and back, and that it is as slow as it says."""

import random
import time

from host_tools import bulk
from host_tools.link import Link
from host_tools.paced_line import PacedLine
from host_tools.ports import open_port

BAUD = 115_200
DATA = random.Random(9).randbytes(24_000)


def test_most_of_a_slow_line_is_payload() -> None:
    with open_port("sim:sic_bo@act1999") as session:
        session.link.close()
        with PacedLine(session.port, BAUD) as line, Link.connect(line.port, "supervisor") as link:
            start = time.perf_counter()
            bulk.put(link, "file/a.bin", DATA)
            there = time.perf_counter()
            assert bulk.get(link, "file/a.bin") == DATA
            took = there - start, time.perf_counter() - there
            assert link.retries == 0, "a frame was sent again though none was lost"
    for seconds in took:
        share = len(DATA) / seconds / (BAUD / 10)
        assert 0.7 < share < 1, "busy machines are late; a line is never quicker than its baud"
