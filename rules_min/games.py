"""The games there are rules for. PURE."""


class Games:
    """{game: its rules module}, imported when first asked for: a board holds the one it plays."""

    NAMES = (
        "craps",
        "keno",
        "mini_dice",
        "pai_gow_dice",
        "roulette",
        "sic_bo",
        "tri_chro",
        "triple_two_up",
        "two_up",
        "wheel",
    )

    def __contains__(self, game):
        return game in self.NAMES

    def __iter__(self):
        return iter(self.NAMES)

    def __getitem__(self, game):
        return __import__("rules_min." + game, None, None, (game,))


GAMES = Games()
