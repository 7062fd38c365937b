"""The cache: whole or absent, made once, and one clear sentence when it cannot be written."""

import multiprocessing
import time
from pathlib import Path

import pytest

from host_tools import cache
from host_tools.errors import CannotRun


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("PITKIT_CACHE", str(tmp_path / "cache"))


def write_hello(folder: Path) -> None:
    (folder / "hello").write_text("hello")


def test_a_thing_is_made_once():
    place = cache.made("things/one", write_hello)
    assert (place / "hello").read_text() == "hello"
    assert cache.made("things/one", lambda folder: pytest.fail("made twice")) == place


def test_a_failed_making_leaves_nothing():
    def fail(folder: Path) -> None:
        write_hello(folder)
        raise CannotRun("no network")

    with pytest.raises(CannotRun, match="no network"):
        cache.made("things/one", fail)
    assert list((cache.root() / "things").iterdir()) == []


def test_what_a_killed_run_left_is_swept_away():
    left = cache.root() / "things" / "one.part"
    left.mkdir(parents=True)
    (left / "half").touch()
    place = cache.made("things/one", write_hello)
    assert [path.name for path in place.iterdir()] == ["hello"]
    assert not left.exists()


def make_slowly(name: str) -> None:
    def make(folder: Path) -> None:
        time.sleep(0.2)
        (folder / "made").write_text("x")
        with (cache.root() / "count").open("a") as file:
            file.write("x")

    cache.made(name, make, say=lambda line: None)


def test_two_runs_make_it_once():
    processes = [multiprocessing.Process(target=make_slowly, args=("things/one",)) for _ in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0, 0]
    assert (cache.root() / "count").read_text() == "x"


def test_a_place_that_cannot_be_written_is_one_sentence(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("PITKIT_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.raises(CannotRun, match="PITKIT_CACHE can name another"):
        cache.made("things/one", write_hello)


def test_keys_do_not_run_together():
    assert cache.key("ab", "c") != cache.key("a", "bc")
    assert cache.key("ab", "c") == cache.key("ab", b"c")


def test_the_ones_not_used_lately_go():
    for name in ("one", "two", "three"):
        cache.made(f"things/{name}", write_hello)
        time.sleep(0.02)
    cache.made("things/one", write_hello)
    cache.keep_newest("things", 2)
    assert sorted(path.name for path in (cache.root() / "things").iterdir()) == ["one", "three"]
