"""A board holds the game it plays and no other: importing one game imports no second one."""

import subprocess
import sys

import pytest

from rules_min.games import GAMES

ASK = "import sys, rules_min.{game}; print(*(n.split('.')[-1] for n in sys.modules if 'rules_min.' in n))"


@pytest.mark.parametrize("game", list(GAMES))
def test_a_game_comes_alone(game: str) -> None:
    asked = [sys.executable, "-c", ASK.format(game=game)]
    came = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.split()
    assert set(came) & set(GAMES) == {game}
    assert "settlement" not in came
