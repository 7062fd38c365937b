"""Every way the host can fail, each with the exit code INTERFACES promises for it.

Raised anywhere in host_tools with one plain sentence as the message; only the command
line turns them into words on standard error. Nobody branches on a message's text.
"""


class PitkitError(Exception):
    """It ran and something failed: a case, a verify, an assessment."""

    exit_code = 1


class CannotRun(PitkitError):
    """Bad arguments, configuration or input file; a tool that is missing; nothing matched."""

    exit_code = 2


class NoBoard(PitkitError):
    """No board, port busy, or the link was lost."""

    exit_code = 3


class Refused(PitkitError):
    """The board refused: authority or state. `code` is for programs, `rule` the clause it cites."""

    exit_code = 4

    def __init__(self, message: str, code: str = "", rule: str = "") -> None:
        words = message if message.endswith(".") else message + "."
        super().__init__(f"{words[:-1]} ({rule})." if rule else words)
        self.message = message
        self.code = code
        self.rule = rule


class BoardFault(PitkitError):
    """The board reported a fault."""

    exit_code = 5
