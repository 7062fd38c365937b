"""Every test here gets `board`: a script put on a simulated board, its clock frozen unless said."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from simulated import Bench


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Callable[..., Bench]]:
    benches: list[Bench] = []

    def start(*pieces: str, **options: Any) -> Bench:
        benches.append(Bench(tmp_path, *pieces, **options))
        return benches[-1]

    yield start
    for bench in benches:
        bench.close()
