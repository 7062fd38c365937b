"""Finding a Debian mirror on this machine, and the sentences when there is none."""

import os
import stat
from pathlib import Path

import pytest

from host_tools import debian, micropython
from host_tools.errors import CannotRun
from host_tools.programs import reason, run

STANZAS = """\
Types: deb
# the day's snapshot, unused
URIs: http://mirror.test/pool
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
URIs: http://mirror.test/pool-security
Suites: bookworm-security
Components: main

Enabled: no
Types: deb
URIs: http://off.test/pool
Suites: trixie
Components: main

Types: deb deb-src
URIs:
 http://folded.test/pool
Suites: trixie
Components: main contrib
"""
LINES = """\
# deb http://commented.test/pool bookworm main
deb [arch=amd64 signed-by=/k.gpg] http://line.test/pool bookworm main contrib
deb-src http://source.test/pool bookworm main
deb http://tools.test/apt cloud-sdk-bookworm main
deb http://docker.test/linux/pool bookworm stable
deb http://ubuntu.test/ubuntu noble main universe
"""


def write_sources(folder: Path) -> Path:
    (folder / "sources.list.d").mkdir()
    (folder / "sources.list").write_text(LINES)
    (folder / "sources.list.d" / "debian.sources").write_text(STANZAS)
    (folder / "sources.list.d" / "old.list.save").write_text("deb http://saved.test/pool bookworm main\n")
    return folder


def fake_program(folder: Path, name: str, script: str) -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_mirrors_are_read_from_both_kinds_of_sources_file(tmp_path):
    found = list(debian._written_mirrors(write_sources(tmp_path)))
    assert found == ["http://line.test/pool", "http://mirror.test/pool", "http://folded.test/pool"]


def test_a_named_mirror_is_the_only_one(monkeypatch):
    monkeypatch.setenv("PITKIT_DEBIAN_MIRROR", "http://named.test/pool/")
    assert debian.mirrors() == ["http://named.test/pool"]


def test_a_machine_without_a_debian_mirror_is_told_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setattr(debian, "mirrors", list)
    monkeypatch.setattr(debian, "_keyring", lambda: "/k.gpg")
    fake_program(tmp_path, "apt-get", "exit 0")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PITKIT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("PITKIT_MICROPYTHON", raising=False)
    with pytest.raises(CannotRun, match=r"names no Debian mirror.*install micropython 1\.24 or later"):
        micropython.find(say=lambda line: None)


def test_a_machine_without_apt_is_told_so(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PITKIT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("PITKIT_MICROPYTHON", raising=False)
    with pytest.raises(CannotRun, match=r"apt-get is needed .* install micropython"):
        micropython.find(say=lambda line: None)


def test_a_micropython_on_the_path_is_taken_if_new_enough(tmp_path, monkeypatch):
    monkeypatch.delenv("PITKIT_MICROPYTHON", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path) + os.pathsep + os.environ["PATH"])
    mine = fake_program(tmp_path, "micropython", "echo 1 24 0")
    assert micropython.find() == mine
    fake_program(tmp_path, "micropython", "echo 1 19 1")
    monkeypatch.setattr(micropython, "_fetched", lambda arch, say: Path("/fetched"))
    assert micropython.find() == Path("/fetched")


def test_a_named_micropython_must_be_new_enough_and_run(tmp_path, monkeypatch):
    monkeypatch.setenv("PITKIT_MICROPYTHON", str(fake_program(tmp_path, "old", "echo 1 19 1")))
    with pytest.raises(CannotRun, match=r"which is 1\.19\.1; 1\.24 or later is needed"):
        micropython.find()
    monkeypatch.setenv("PITKIT_MICROPYTHON", str(tmp_path / "none"))
    with pytest.raises(CannotRun, match="cannot be run"):
        micropython.find()
    monkeypatch.setenv("PITKIT_MICROPYTHON", str(fake_program(tmp_path, "other", "echo hello")))
    with pytest.raises(CannotRun, match="is not MicroPython"):
        micropython.find()


def test_the_micropython_found_here_runs():
    assert micropython.version(micropython.find()) >= micropython.OLDEST


def test_the_reason_is_the_line_that_says_error():
    assert reason("W: old\nE: Failed to fetch\nE: Some files\n") == "Failed to fetch"
    assert reason("one\ntwo\n") == "two"
    assert reason("") == "it said nothing"


def test_a_program_that_fails_is_quoted(tmp_path):
    program = fake_program(tmp_path, "tool", "echo 'E: no such thing' >&2; exit 7")
    with pytest.raises(CannotRun, match=r"^trying the tool failed: no such thing$"):
        run([program], "trying the tool")
