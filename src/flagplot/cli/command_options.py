"""Options that commands share: numbers, rulings to go by, typed dice, JSON; what a saved game keeps.

The law here: an option stands once, so that it is called, typed and explained alike in every command.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Any, NamedTuple

import typer

from flagplot.core.errors import PlayerError

RARE = "Now and then"
ENDING = ".flagplot"  # of saved games


class OrderOfBattle(StrEnum):
    """Whether each side knows at the start which ships the other brings."""

    OPEN = "open"
    HIDDEN = "hidden"


def a_number(help: str, panel: str | None = None) -> Any:
    """An option with a number, which need not be said."""
    return typer.Option(metavar="NUMBER", help=help, show_default=False, rich_help_panel=panel)


def rulings_option(panel: str | None = None) -> Any:
    """Rulings to go by, as NAME=VALUE."""
    help = "A ruling to go by; see flagplot options."
    return typer.Option(metavar="NAME=VALUE", help=help, rich_help_panel=panel)


def edition_option(
    help: str = "The edition of the rules: current or 2008.",
    panel: str | None = None,
    default: str = "the scenario's",
) -> Any:
    """The edition to go by."""
    return typer.Option(metavar="EDITION", help=help, rich_help_panel=panel, show_default=default)


def chosen_options(typed: Sequence[str] | None) -> dict[str, str]:
    """Rulings to go by, as NAME=VALUE."""
    chosen = {}
    for each in typed or []:
        name, equals, value = each.partition("=")
        if not equals:
            raise PlayerError(f"{each!r} is not an option: write --option NAME=VALUE; flagplot options lists them")
        chosen[name.strip()] = value.strip()
    return chosen


class Rules(NamedTuple):
    """What a step without a game is resolved by: an edition, and rulings to go by."""

    edition: str
    options: dict[str, str]

    def number(self, current: str) -> str:
        """What a rule of the current edition is numbered in this one."""
        from flagplot.editions.current import ruleset  # the rules of a game take their time to load

        return ruleset(*self).number(current)

    @property
    def words(self) -> str:
        """As a sentence."""
        from flagplot.play.report import rules_in_words

        return f"{rules_in_words(self.edition, self.options)}."

    @property
    def beside(self) -> dict[str, Any]:
        """As the public API takes it beside a question, and as an answer tells it."""
        return {"edition": self.edition, "options": self.options}


def rules_chosen(edition: str, option: Sequence[str] | None) -> Rules:
    """The rules that were typed; those that do not exist are refused."""
    from flagplot.editions.current import ruleset

    rules = Rules(edition, chosen_options(option))
    ruleset(*rules)
    return rules


def refuse_changes(order_of_battle: OrderOfBattle | None, option: list[str] | None, edition: str | None = None) -> None:
    """A game in progress keeps what it was begun with."""
    if order_of_battle is not None or option:
        raise PlayerError("a saved game goes on with the options and the order of battle it was begun with")
    if edition is not None:
        raise PlayerError("a saved game goes on with the edition it was begun with")


def dice_option(help: str) -> Any:
    """Dice that were thrown on the table: `--roll 4 3 2`."""
    return typer.Option("--roll", "--dice", metavar="DICE...", help=help)


More = Annotated[list[str] | None, typer.Argument(metavar="DICE", hidden=True)]  # the dice after the first
Edition = Annotated[str, edition_option(default="current")]  # of a step without a game
Option = Annotated[list[str] | None, rulings_option()]
RareEdition = Annotated[str, edition_option(panel=RARE, default="current")]
RareOption = Annotated[list[str] | None, rulings_option(RARE)]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
