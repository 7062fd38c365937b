"""Bad lines to the fixture: each is answered with one sentence, and the connection stays."""

import json
import socket

import pytest

BAD = [
    "no json",
    "[]",
    "null",
    "{}",
    '{"op":"fly"}',
    '{"op":"constructor"}',
    '{"op":"set"}',
    '{"op":"set","pin":"nobody","level":1}',
    '{"op":"set","pin":"__proto__","level":1}',
    '{"op":"set","pin":["key1"],"level":1}',
    '{"op":"set","pin":"key1"}',
    '{"op":"set","pin":"key1","level":2}',
    '{"op":"set","pin":"key1","level":true}',
    '{"op":"set","pin":"key1","level":"1"}',
    '{"op":"read","pin":7}',
    '{"op":"when"}',
    '{"op":"run"}',
    '{"op":"run","us":-1}',
    '{"op":"run","us":1.5}',
    '{"op":"run","us":"10"}',
    '{"op":"schedule"}',
    '{"op":"schedule","edges":{}}',
    '{"op":"schedule","edges":[[1]]}',
    '{"op":"schedule","edges":[["soon","key1",1]]}',
    '{"op":"schedule","edges":[[9000000000,"key1",5]]}',
    '{"op":"schedule","edges":[[9000000000,"motor",1]]}',
    '{"op":"adc","pin":"analog","value":65536}',
    '{"op":"adc","pin":"analog","value":-1}',
]


@pytest.fixture(scope="module")
def line(bench):
    with socket.create_connection(bench.emulator.fixture_address, timeout=10) as connection:
        yield connection.makefile("rw")


def ask(line, text):
    line.write(text + "\n")
    line.flush()
    return json.loads(line.readline())


@pytest.mark.parametrize("text", BAD)
def test_a_bad_line_is_answered(line, text):
    answer = ask(line, text)
    assert answer["ok"] is False
    assert answer["error"] and "\n" not in answer["error"]
    assert ask(line, '{"op":"now"}')["ok"] is True


def test_lines_are_answered_in_order(line):
    line.write('{"op":"run","us":20000}\n\n{"op":"read","pin":"key1"}\n{"op":"now"}\n')
    line.flush()
    keys = [sorted(json.loads(line.readline())) for _ in range(3)]
    assert keys == [["ok", "us"], ["level", "ok"], ["ok", "us"]]


def test_a_client_that_leaves_in_mid_run_disturbs_nobody(bench, line):
    bench.start_python("while True: pass")
    with socket.create_connection(bench.emulator.fixture_address) as leaver:
        leaver.sendall(b'{"op":"run","us":3600000000}\n{"op":')
    assert ask(line, '{"op":"run","us":1000}')["us"] < 3_600_000_000
    assert ask(line, '{"op":"now"}')["us"] < 3_600_000_000


def test_stats(line):
    answer = ask(line, '{"op":"stats"}')
    fields = {"ok", "instructions", "chip_us", "boots", "flash_erases", "flash_programs", "first_output_us"}
    fields |= {"mode", "halted"}
    assert set(answer) == fields
