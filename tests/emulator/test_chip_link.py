"""The USB serial port on TCP: one client at a time, packets, a host that is not there or does not read."""

import hashlib
import random
import socket
import time

import pytest

ECHO = """
import sys, micropython
micropython.kbd_intr(-1)
got = bytearray()
while len(got) < {size}: got += sys.stdin.buffer.read(min(512, {size} - len(got)))
micropython.kbd_intr(3)
import hashlib
print(hashlib.sha256(got).digest().hex())
"""


def dial(bench) -> socket.socket:
    host, port = bench.emulator.port.removeprefix("socket://").split(":")
    return socket.create_connection((host, int(port)), timeout=5)


def hear_until(line: socket.socket, end: bytes) -> bytes:
    heard = b""
    while not heard.endswith(end):
        heard += line.recv(4096)
    return heard


def test_a_second_client_is_closed_at_once(bench):
    bench.python("")
    with dial(bench) as second:
        assert second.recv(1) == b""
    assert bench.python("print('still here')") == "still here"


def test_clients_follow_one_another(bench):
    for turn in range(5):
        assert bench.python(f"print({turn})") == str(turn)
        bench.hang_up()


def test_any_bytes_go_in_and_none_is_lost(bench):
    sent = random.Random(7).randbytes(20_000)
    bench.start_python(ECHO.format(size=len(sent)))
    transport = bench._transport
    transport.serial.write(sent)
    told, _ = transport.follow(timeout=20)
    assert told.decode().strip() == hashlib.sha256(sent).hexdigest()


def test_a_long_answer_comes_whole(bench):
    told = bench.python("for i in range(2000): print('%06d' % i)")
    assert told.split() == [f"{i:06d}" for i in range(2000)]


def test_a_closed_port_is_told_to_the_chip_and_keeps_the_newest(bench):
    bench.python("import machine, sys")
    bench.start_python(
        "import time\ntime.sleep_ms(200)\nstart = time.ticks_ms()\n"
        "for i in range(500): print('%06d' % i)\ntook = time.ticks_diff(time.ticks_ms(), start)"
    )
    bench.hang_up()
    bench.fixture.run(3_000_000)
    with dial(bench) as line:
        heard = hear_until(line, b"000499\r\n\x04\x04>")
    assert len(heard) < 400, "one packet and MicroPython's buffer, nothing more"
    assert int(bench.python("print(took)")) < 1000, "with DTR off nobody is waited for"


def test_a_client_that_does_not_read_stops_the_chip_not_the_emulator(bench):
    bench.hang_up()
    with dial(bench) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.sendall(b"\r\x03for i in range(20000): print('x' * 60)\r\r")
        time.sleep(0.5)
        before = bench.fixture.now()
        time.sleep(0.2)
        assert bench.fixture.now() > before
    bench.fixture.run(100_000)
    bench.start_python("")
    assert bench.python("print('back')") == "back"


def test_an_opened_port_is_sent_what_waited(bench):
    bench.hang_up()
    bench.fixture.cut()
    bench.fixture.power()
    bench.fixture.run(400_000)
    with dial(bench) as line:
        assert hear_until(line, b">>> ").startswith(b"MicroPython")


def test_bytes_sent_without_power_go_nowhere(bench):
    bench.hang_up()
    with dial(bench) as line:
        bench.fixture.cut()
        line.sendall(b"print('lost')\r")
        time.sleep(0.1)
        bench.fixture.power()
        bench.fixture.run(400_000)
        line.sendall(b"\rprint('fou' 'nd')\r")
        heard = hear_until(line, b"found\r\n>>> ")
    assert b"lost" not in heard


@pytest.mark.parametrize("size", [1, 63, 64, 65, 128, 1000])
def test_packets_of_every_size(bench, size):
    sent = bytes(range(256)) * 4
    bench.start_python(ECHO.format(size=size))
    bench._transport.serial.write(sent[:size])
    told, _ = bench._transport.follow(timeout=20)
    assert told.decode().strip() == hashlib.sha256(sent[:size]).hexdigest()
