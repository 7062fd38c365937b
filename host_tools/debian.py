"""Fetches Debian packages into a folder as an ordinary user, whatever this machine has installed.

apt-get does the fetching, with an index of its own that touches nothing of the machine's; apt checks
every byte against Debian's keyring. The mirror is the one this machine's apt already uses: none is
written here. Each package names the version we built with; when mirrors no longer have that one,
the suite's own is taken, and what came is reported by version and hash.
"""

import hashlib
import os
import platform
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from host_tools import progress
from host_tools.errors import CannotRun
from host_tools.programs import Words, need, run
from host_tools.progress import Say

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64", "arm64": "arm64", "i686": "i386", "i386": "i386"}
KEYRINGS = [
    "/usr/share/keyrings/debian-archive-keyring.gpg",
    "/usr/share/keyrings/debian-archive-keyring.pgp",
]
SUITES = {
    "bullseye",
    "bookworm",
    "trixie",
    "forky",
    "sid",
    "oldoldstable",
    "oldstable",
    "stable",
    "testing",
    "unstable",
}


@dataclass(frozen=True)
class Package:
    name: str
    suite: str
    version: str  # the version we built with: what a mirror gives if it still has it
    source: bool = False


@dataclass(frozen=True)
class Fetched:
    name: str
    version: str
    sha256: str
    file: str

    def as_dict(self) -> dict[str, str]:
        return asdict(self)


def host_arch() -> str:
    """This machine's architecture in Debian's words."""
    arch = ARCHITECTURES.get(platform.machine(), platform.machine())
    if arch == "amd64" and sys.maxsize < 2**32:
        return "i386"  # a 32-bit system on a 64-bit kernel
    return arch


def fetch(
    packages: Sequence[Package], into: Path, arch: str | None = None, say: Say = progress.say
) -> list[Fetched]:
    """Puts the packages' files (.deb, or a source package's files) into a folder; says what came."""
    need("apt-get")
    with tempfile.TemporaryDirectory(prefix="apt-", dir=into) as work:
        apt = Apt(Path(work), arch or host_arch())
        say("reading Debian's package index")
        apt.open_index(packages)
        say(f"fetching from Debian: {', '.join(package.name for package in packages)}")
        binary = apt.download([package for package in packages if not package.source], into, say)
        source = apt.download([package for package in packages if package.source], into, say)
        return binary + source


def unpack(deb: Path, into: Path) -> None:
    run([need("dpkg-deb"), "-x", deb, into], f"unpacking {deb.name}")


class Apt:
    """apt-get with a state of its own, in a folder that is thrown away."""

    def __init__(self, work: Path, arch: str) -> None:
        self.work = work
        for folder in ("lists/partial", "cache/archives/partial", "sources", "preferences"):
            (work / folder).mkdir(parents=True)
        (work / "status").touch()
        # read after the machine's own settings, so that its proxies hold and its hooks do not
        (work / "apt.conf").write_text(_settings(work, arch))
        self.arch = arch

    def run(self, *words: str, what: str, program: str = "apt-get", **how: Any) -> str:
        line: Words = [need(program), "-q", "-c", self.work / "apt.conf", *words]
        return run(line, what, **how)

    def open_index(self, packages: Sequence[Package]) -> None:
        """The first mirror that has the suites under Debian's signature, else the last one's complaint."""
        keyring = _keyring()
        complaint = CannotRun("this machine's apt names no Debian mirror, nor does PITKIT_DEBIAN_MIRROR")
        for mirror in mirrors():
            (self.work / "sources" / "pitkit.sources").write_text(
                _sources(mirror, packages, self.arch, keyring)
            )
            try:
                self.run("update", what="reading Debian's package index")
                return
            except CannotRun as error:
                complaint = error
        raise complaint

    def download(self, packages: Sequence[Package], into: Path, say: Say) -> list[Fetched]:
        """Packages of one kind, all in one go: apt reads its whole index each time it starts."""
        if not packages:
            return []
        there = self.versions(packages)
        for package in packages:
            if package.version not in there[package.name]:
                say(f"{package.name} {package.version} has left the mirror; taking {package.suite}'s")
        names = [_request(package, there[package.name]) for package in packages]
        verb = ["source", "--download-only"] if packages[0].source else ["download"]
        self.run(*verb, *names, what="fetching from Debian", cwd=into, tick=lambda: _say_size(into, say))
        return [_what_came(package, into) for package in packages]

    def versions(self, packages: Sequence[Package]) -> dict[str, set[str]]:
        """The versions of each package that the index has."""
        names = [package.name for package in packages]
        kind = "Sources" if packages[0].source else "Packages"
        table: dict[str, set[str]] = {name: set() for name in names}
        answer = self.run("madison", *names, what="asking the package index", program="apt-cache")
        for line in answer.splitlines():
            cells = [cell.strip() for cell in line.split("|")]
            if len(cells) == 3 and cells[2].endswith(kind):
                table[cells[0]].add(cells[1])
        return table


def mirrors() -> list[str]:
    """Addresses that may be a Debian mirror: what apt has an index of, then what its sources files say."""
    named = os.environ.get("PITKIT_DEBIAN_MIRROR")
    found = [named] if named else [*_indexed_mirrors(), *_written_mirrors(Path("/etc/apt"))]
    return list(dict.fromkeys(mirror.rstrip("/") for mirror in found))


def _indexed_mirrors() -> list[str]:
    wanted = ["Created-By: Packages", "Origin: Debian", "Label: Debian"]
    words: Words = [need("apt-get"), "indextargets", "--format", "$(REPO_URI)", *wanted]
    return sorted(set(run(words, "asking apt for its mirrors").split()))


def _written_mirrors(folder: Path) -> Iterator[str]:
    """For a machine where apt-get update was never run."""
    for path in [folder / "sources.list", *sorted(folder.glob("sources.list.d/*"))]:
        if path.suffix in (".list", ".sources") and path.is_file():
            text = re.sub(r"(?m)^\s*#.*\n?", "", path.read_text(errors="replace"))
            yield from _from_stanzas(text) if path.suffix == ".sources" else _from_lines(text)


def _from_lines(text: str) -> Iterator[str]:
    for line in text.splitlines():
        match = re.match(r"deb\s+(?:\[[^\]]*\]\s+)?(\S+)\s+(\S+)\s+(.+)", line.strip())
        if match and match[2] in SUITES and "main" in match[3].split():
            yield match[1]


def _from_stanzas(text: str) -> Iterator[str]:
    for stanza in re.split(r"\n\s*\n", text):
        rows = re.findall(r"(?m)^([\w-]+):((?:.*\n?)(?:[ \t]+.*\n?)*)", stanza)
        fields = {name.lower(): value.split() for name, value in rows}
        on = fields.get("enabled", ["yes"]) != ["no"] and "deb" in fields.get("types", [])
        if on and SUITES & set(fields.get("suites", [])) and "main" in fields.get("components", []):
            yield from fields.get("uris", [])


def _request(package: Package, there: set[str]) -> str:
    pinned = package.version in there
    return f"{package.name}={package.version}" if pinned else f"{package.name}/{package.suite}"


def _say_size(folder: Path, say: Say) -> None:
    so_far = sum(path.stat().st_size for path in folder.iterdir() if path.is_file())
    say(f"fetched {so_far // 1_000_000} MB so far")


def _what_came(package: Package, into: Path) -> Fetched:
    file = next(into.glob(f"{package.name}_*.dsc" if package.source else f"{package.name}_*.deb"))
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    return Fetched(package.name, file.stem.split("_")[1].replace("%3a", ":"), digest, file.name)


def _keyring() -> str:
    for keyring in KEYRINGS:
        if Path(keyring).is_file():
            return keyring
    raise CannotRun("Debian's keyring is not on this machine: install the package debian-archive-keyring")


def _sources(mirror: str, packages: Sequence[Package], arch: str, keyring: str) -> str:
    def stanza(kind: str, suites: set[str]) -> str:
        return (
            f"Types: {kind}\nURIs: {mirror}\nSuites: {' '.join(sorted(suites))}\nComponents: main\n"
            f"Architectures: {arch}\nSigned-By: {keyring}\n"
        )

    binary = {package.suite for package in packages if not package.source}
    source = {package.suite for package in packages if package.source}
    return "\n".join(
        stanza(kind, suites) for kind, suites in (("deb", binary), ("deb-src", source)) if suites
    )


def _settings(work: Path, arch: str) -> str:
    return f"""#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear APT::Architectures;
APT::Architecture "{arch}";
APT::Architectures {{ "{arch}"; }};
APT::Sandbox::User "root";
APT::Update::Error-Mode "any";
Acquire::Languages "none";
Acquire::Retries "2";
Acquire::http::Timeout "30";
Acquire::https::Timeout "30";
Dir::State "{work}";
Dir::State::lists "{work}/lists";
Dir::State::status "{work}/status";
Dir::Cache "{work}/cache";
Dir::Log "{work}";
Dir::Etc::SourceList "/dev/null";
Dir::Etc::SourceParts "{work}/sources";
Dir::Etc::Preferences "/dev/null";
Dir::Etc::PreferencesParts "{work}/preferences";
"""
