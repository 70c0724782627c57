"""Every error raised on purpose.

GameError
  PlayerError            the sender can put this right; nothing changed
    IllegalChoice          rule, reason, what would do instead
    NotYourDecision        the game waits for someone else, or for dice
    UndoRefused            taking this back would use what was revealed since
    StaleRequest           an answer to a question that is closed
    DiceAwaited            dice are due, but nobody can give them yet
  TapeError              a recording and the rules disagree
    TapeMismatch           the rules now ask something else at this entry
    HistoryChanged         the rules now give another result before this entry
    SaveError              the file is cut short, altered, or not a save of ours
  ScenarioError          a set-up breaks a rule, and says which, and where in the file
    RuleNotImplemented     the set-up needs a rule that is not built yet
  UnknownName            a table, rule, scenario or call that does not exist
  EngineError            our bug: the game stops, the tape is kept

Contract: whatever comes in, only PlayerError comes out of `Game.submit`; anything else is our bug.
"""

from __future__ import annotations


class GameError(Exception):
    """Base of every deliberate error."""


class PlayerError(GameError):
    """The sender can put this right. The game has not changed."""


class IllegalChoice(PlayerError):
    """The answer breaks a rule, and says which."""

    def __init__(self, rule: str, reason: str, instead: str = "") -> None:
        super().__init__(f"{rule}: {reason}" + (f" {instead}" if instead else ""))
        self.rule = rule
        self.reason = reason
        self.instead = instead


class NotYourDecision(PlayerError):
    """The game waits for someone else."""


class UndoRefused(PlayerError):
    """Undoing would let a player act on what has been revealed since."""


class StaleRequest(PlayerError):
    """The question this answers is no longer open."""


class DiceAwaited(PlayerError):
    """Dice are due, and somebody must first do his part: give his share of them, or roll and type them."""


class TapeError(GameError):
    """A recording and the rules disagree."""


class TapeMismatch(TapeError):
    """Replaying, the rules asked for something other than what was recorded."""

    def __init__(self, index: int, recorded: str, asked: str) -> None:
        super().__init__(f"entry {index} of the tape answers {recorded!r}, but the rules now ask {asked!r}")
        self.index = index
        self.recorded = recorded
        self.asked = asked


class HistoryChanged(TapeError):
    """Replaying, the rules asked the same question after a different history."""

    def __init__(self, index: int, tag: str) -> None:
        super().__init__(
            f"before entry {index} of the tape ({tag}) the rules now give another result than was recorded"
        )
        self.index = index
        self.tag = tag


class SaveError(TapeError):
    """A save file cannot be read."""


class ScenarioError(GameError):
    """A set-up breaks a rule: which one, and where in the file."""

    def __init__(self, place: str, rule: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}" + (f" ({rule})" if rule else ""))
        self.place = place
        self.rule = rule
        self.reason = reason


class RuleNotImplemented(ScenarioError):
    """The set-up needs a rule that is not built yet."""


class UnknownName(GameError):
    """A table, rule, scenario or call that does not exist."""


class EngineError(GameError):
    """A rule procedure broke its own contract."""
