"""A table for the strategic war: set-ups in a few words, answers by player turn and kind, dice by what they are rolled for.

What is not told is answered with its default, and dice that are not told show ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from flagplot.core.asks import Decide
from flagplot.core.events import Event
from flagplot.core.sides import Side
from flagplot.model.setup import Setup
from flagplot.model.war import War
from flagplot.model.war_events import PlayerTurnBegan
from flagplot.model.war_fold import apply_war
from flagplot.play.game import Game
from flagplot.scenarios.loader import parse_scenario
from tests.rules.groups_table import ThrownDice

AXIS, ALLIES = Side.AXIS, Side.ALLIES
SomeEvent = TypeVar("SomeEvent", bound=Event)
KIEL = {"name": "Kiel", "holder": "Germany", "front": "western"}
SCAPA = {"name": "Scapa Flow", "holder": "Britain", "front": "western"}
TOKYO = {"name": "Tokyo", "holder": "Japan", "front": "Pacific"}
WAR = {
    "germany_us_war": True,
    "japan_us_war": True,
    "japan_britain_war": True,
    "germany_russia_war": True,
    "japan_russia_war": True,
    "usat": 50,
    "usjt": 50,
}


def toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "{ " + ", ".join(f'"{key}" = {toml(each)}' for key, each in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml, value)) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def text(
    *dispatches: Mapping[str, Any],
    begin: str = "Spring 1942",
    end: str = "",
    places: Mapping[str, Mapping[str, int]] | None = None,
    pools: Mapping[str, Mapping[str, tuple[int, int]]] | None = None,
    **top: Any,
) -> str:
    """A war as a text. Pools are given as built and allowable."""
    lines = ["format = 1", 'title = "A test"', 'kind = "war"', f'from = "{begin}"', f'to = "{end or begin}"']
    lines += [f"{key} = {toml(value)}" for key, value in top.items()]
    lines += ["[axis]", "[allies]"]
    if places is not None:
        lines += ["[start]", f"places = {toml(places)}"]
        told = {
            owner: {kind: {"built": built, "allowable": more} for kind, (built, more) in kinds.items()}
            for owner, kinds in (pools if pools is not None else built_in(places)).items()
        }
        lines.append(f"pools = {toml(told)}")
    for dispatch in dispatches:
        lines += ["[[dispatch]]", *(f"{key} = {toml(value)}" for key, value in dispatch.items())]
    return "\n".join(lines)


def built_in(places: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, tuple[int, int]]]:
    """Pools that hold what stands somewhere, and nothing more."""
    from flagplot.model.war import kind_of, pool_of

    pools: dict[str, dict[str, tuple[int, int]]] = {}
    for units in places.values():
        for name, number in units.items():
            if pool_of(name):
                mine = pools.setdefault(pool_of(name), {})
                mine[kind_of(name)] = (mine.get(kind_of(name), (0, 0))[0] + number, 0)
    return pools


def setup(*dispatches: Mapping[str, Any], **keys: Any) -> Setup:
    """A war of these dispatches. Russia is at war with Germany and Japan unless the first speaks of politics."""
    first, *others = dispatches or ({},)
    told = [{"politics": {"germany_russia_war": True, "japan_russia_war": True}, **first}, *others] if first else others
    return parse_scenario(text(*told, **keys), "test.toml").setup


def target(name: str, country: str, front: str = "western", value: int = 20, **keys: Any) -> dict[str, Any]:
    defences = keys.pop("defences", {"flak": 2, "objectives": 1, "cities_or_ports": 1})
    distances = keys.pop("distances", {})
    outer = {key: keys.pop(key) for key in ("markers", "burnt", "facility", "ic_loss") if key in keys}
    hex = {"name": name, "country": country, **keys}
    return {"target": hex, "front": front, "value": value, "defences": defences, "distances": distances, **outer}


LONDON = target(
    "London",
    "Britain",
    value=25,
    key_economic_area=True,
    defences={"flak": 2, "objectives": 1, "cities_or_ports": 1, "airbases": 1},
    distances={"Germany": 3, "Britain": 0, "United States": 0},
)
ESSEN = target(
    "Essen",
    "Germany",
    objective=True,
    key_economic_area=True,
    distances={"Britain": 4, "United States": 4, "Germany": 0},
)
BASES = {"western": ["Britain", "Germany", "United States"]}


# Who decides, as the rules say it: the moving side (24.41, 24.611, 25.12, 25.14, 26.41, 26.451B, 26.51, 26.61, 26.63, 26.72B,
# 26.76, 26.81A, and a convoy sails in its owner's turn) or the other (24.631A, 25.82, 26.441, 26.451, 26.62B, 26.662, 26.72D, 26.75,
# 40.451A to D, and the hunters of 21.5342). Questions of battles are none of these.
MOVER_DECIDES = (
    *("SW construction", "rocket bases", "air placement", "SW movement", "SW redeployment", "air redeployment"),
    *("raiders", "order of raiders", "submarine warfare", "strategic bombing", "order of raids", "atomic attacks"),
    *("engaging bombers", "flying bombs", "damaged industry", "ships in a yard", "damage marker", "firestorm marker"),
    "Murmansk convoy",
)
OTHER_DECIDES = (
    *("raider hunters", "ASW split", "escort losses", "air defense of targets", "meeting a later raid"),
    *("flying bomb defense", "emergency repair", "rocket base repair", "bombed IC"),
    *("Murmansk interception", "Murmansk air attacks", "Murmansk submarines"),
)


class WarTable:
    """A war in progress. Answers by (player turn, kind) or kind alone; dice as totals, or a list of them, by the words
    they are rolled for."""

    def __init__(
        self,
        given: Setup,
        answers: Mapping[Any, Any] | None = None,
        dice: Mapping[str, Any] | None = None,
        options: Mapping[str, str] | None = None,
    ) -> None:
        self.thrown = ThrownDice()
        self.game = Game.new(given, dice=self.thrown, key="00" * 16, options=options)
        self.answers = {key: list(v) if isinstance(v, list) else v for key, v in (answers or {}).items()}
        self.dice = {key: list(v) if isinstance(v, list) else v for key, v in (dice or {}).items()}
        self.asked: list[tuple[str, str]] = []
        self.rolled: list[str] = []

    @property
    def war(self) -> War:
        return self.game.table.war

    def to(self, kind: str, turn: str = "") -> Decide:
        """Play on until a question of this kind is open in a player turn, and return it unanswered."""
        while not self.game.over:
            for side in Side:
                decision = self.game.decision(side)
                if decision and decision.kind == kind and turn in str(self.war.now):
                    return decision
            self.step()
        raise AssertionError(f"nobody was asked about {kind}: {self.asked}")

    def at(self, turn: str) -> War:
        """The war as it was when a player turn began. It is played on to the end."""
        self.to_end()
        war = War()
        for event in self.game.events():
            war = apply_war(war, event)
            if isinstance(event, PlayerTurnBegan) and str(event.turn) == turn:
                return war
        raise AssertionError(f"{turn} never came")

    def to_end(self) -> WarTable:
        while not self.game.over:
            self.step()
        return self

    def step(self) -> None:
        due = self.game.roll_due()
        if due:
            self.rolled.append(due.why)
            self.thrown.next = _dice(due.dice, self._total(due.why, due.dice))
            self.game.roll()
            return
        for side in Side:
            decision = self.game.decision(side)
            if decision:
                self.asked.append((str(self.war.now), decision.kind))
                for kinds, decider in ((MOVER_DECIDES, self.war.now.side), (OTHER_DECIDES, self.war.now.side.enemy)):
                    assert decision.kind not in kinds or side is decider, f"{decision.kind} is not for {side} to say"
                self.game.submit(side, self._given(decision))
                return
        raise AssertionError("nobody is asked, and no dice are due")

    def _total(self, why: str, count: int) -> int:
        for words, given in self.dice.items():
            if words in why:
                if isinstance(given, list):
                    return int(given.pop(0)) if given else count
                return int(given)
        return count

    def _given(self, decision: Decide) -> Any:
        for key in ((str(self.war.now), decision.kind), decision.kind):
            if key in self.answers:
                given = self.answers[key]
                if isinstance(given, list):
                    given = given.pop(0) if given else decision.form.default
                return given(decision) if callable(given) else given
        return decision.form.default

    def events(self, kind: type[SomeEvent]) -> list[SomeEvent]:
        return [event for event in self.game.events() if isinstance(event, kind)]

    def kinds(self, turn: str = "") -> list[str]:
        """What was asked in a player turn."""
        return [kind for when, kind in self.asked if turn in when]


def items(decision: Decide) -> dict[str, tuple[str, ...]]:
    """Each thing a question is about, with its places."""
    return {item.key: item.places for item in decision.form.items}


def _dice(count: int, total: int) -> list[int]:
    shown = [1] * count
    for index in range(count):
        shown[index] += min(5, total - sum(shown))
    assert sum(shown) == total, f"{count} dice cannot show {total}"
    return shown


def refusal(decision: Decide, wire: Any) -> str:
    """The rule under which an answer is refused; "" if it is legal."""
    from flagplot.core.errors import IllegalChoice

    try:
        decision.read(wire)
    except IllegalChoice as no:
        return no.rule
    return ""
