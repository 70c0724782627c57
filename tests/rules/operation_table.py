"""A table for small operations: set-ups written in a few words, dice chosen by what they are rolled for, answers by kind.

The sea is a row of hexes s0, s1, s2 and so on, with a second row n0, n1, n2 beside it; ports lie in hexes of it. Germany
is the axis and Britain the allies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from flagplot.core.asks import Decide
from flagplot.core.events import Event
from flagplot.core.sides import Side
from flagplot.model.events import BattleJoined, FleetMustered
from flagplot.model.operation import NavalForce, Operation
from flagplot.model.operation_events import ContactsSought, InterceptionDiceCounted
from flagplot.model.setup import Setup
from flagplot.play.game import Game
from flagplot.scenarios.loader import parse_scenario
from tests.rules.groups_table import ThrownDice
from tests.rules.war_table import toml

AXIS, ALLIES = Side.AXIS, Side.ALLIES
NATIONS = {"axis": "Germany", "allies": "Britain"}
SomeEvent = TypeVar("SomeEvent", bound=Event)


def port(name: str, hex: str, **extra: Any) -> dict[str, Any]:
    return {"port": {"name": name, "hex": hex, **extra}}


def force(name: str, base: str, ships: Sequence[str] = (), **extra: Any) -> dict[str, Any]:
    given = {"name": name, "base": base, "ships": list(ships), **extra}
    if not ships and not any(key in extra for key in ("cruisers", "destroyers", "escort_carriers", "transports")):
        given["destroyers"] = 4
    return {"force": given}


def activity(name: str, kind: str, to: str, **extra: Any) -> dict[str, Any]:
    return {"activity": {"name": name, "kind": kind, "to": to, **extra}}


def boats(where: str, number: int, nation: str = "Germany") -> dict[str, Any]:
    return {"boats": {"port": where, "submarines": {nation: number}}}


def air_base(name: str, hex: str, **aircraft: int) -> dict[str, Any]:
    return {
        "air_base": {"name": name, "hex": hex, "aircraft": {key.replace("_", " "): n for key, n in aircraft.items()}}
    }


def setup(
    axis: Sequence[Mapping[str, Any]],
    allies: Sequence[Mapping[str, Any]],
    phases: Sequence[str] = ("redeployment",),
    mover: str = "axis",
    theatre: str = "Europe",
    length: int = 16,
    straits: Sequence[Sequence[str]] = (),
    order_of_battle: str = "open",
    air_range: int = 1,
    inputs: Mapping[str, Any] | None = None,
) -> Setup:
    """An operation on a sea of two rows."""
    south, north = [f"s{n}" for n in range(length)], [f"n{n}" for n in range(length)]
    lanes = [south, north, *([one, two] for one, two in zip(south, north, strict=True))]
    lines = ["format = 1", 'title = "A test"', f'theatre = "{theatre}"', 'kind = "operation"', f'mover = "{mover}"']
    lines += [f"phases = {toml(list(phases))}", f'order_of_battle = "{order_of_battle}"']
    lines += ["[inputs]", *(f"{key} = {toml(value)}" for key, value in (inputs or {}).items())]
    lines += ["[sea]", f"lanes = {toml(lanes)}", f"straits = {toml(list(straits))}"]
    for side, parts in (("axis", axis), ("allies", allies)):
        lines += [f"[{side}]", f'nation = "{NATIONS[side]}"', f"air_range = {air_range}"]
        for part in parts:
            for key, values in part.items():
                lines += [f"[[{side}.{key}]]", *(f"{name} = {toml(value)}" for name, value in values.items())]
    return parse_scenario("\n".join(lines), "test.toml").setup


def all_withdraw(decision: Decide) -> Any:
    """Everything leaves the battle."""
    return {item.key: "withdraw" for item in decision.form.items}


Given = Any | Callable[[Decide], Any]


class OperationTable:
    """An operation in progress. Interception dice are given by force, others by rule, as totals; all else shows ones."""

    def __init__(
        self,
        given: Setup,
        answers: Mapping[tuple[str, str], Given] | None = None,
        dice: Mapping[str, Sequence[int]] | None = None,
        options: Mapping[str, str] | None = None,
        edition: str = "current",
    ) -> None:
        self.thrown = ThrownDice()
        self.game = Game.new(given, dice=self.thrown, key="00" * 16, edition=edition, options=options)
        self.answers = {
            key: list(value) if isinstance(value, list) else value for key, value in (answers or {}).items()
        }
        self.dice = {name: list(totals) for name, totals in (dice or {}).items()}
        self.asked: list[tuple[str, str, str]] = []
        self.rolled: dict[str, int] = {}  # how many dice each force rolled

    @property
    def operation(self) -> Operation:
        return self.game.table.operation

    def force(self, id: str) -> NavalForce:
        return next(each for side in Side for each in self.operation.forces[side] if each.id == id)

    def has(self, id: str) -> bool:
        return any(each.id == id for side in Side for each in self.operation.forces[side])

    def to(self, kind: str, side: Side | None = None) -> Decide:
        """Play on until a question of this kind is open, and return it unanswered."""
        while not self.game.over:
            for each in (side,) if side else Side:
                decision = self.game.decision(each)
                if decision and decision.kind == kind:
                    return decision
            self.step()
        raise AssertionError(f"nobody was asked about {kind}: {self.asked}")

    def to_end(self) -> OperationTable:
        while not self.game.over:
            self.step()
        return self

    def step(self) -> None:
        due = self.game.roll_due()
        if due:
            total = due.dice
            if due.why.partition(" tries to reach ")[2]:
                name = due.why.split(" tries to reach ")[0]
                self.rolled[name] = due.dice
                total = self.dice[name].pop(0) if self.dice.get(name) else due.dice
            elif self.dice.get(due.rule):
                total = self.dice[due.rule].pop(0)
            self.thrown.next = _dice(due.dice, total)
            self.game.roll()
            return
        for side in Side:
            decision = self.game.decision(side)
            if decision:
                self.asked.append((side.value, decision.kind, decision.about))
                self.game.submit(side, self._given(side, decision))
                return
        raise AssertionError("nobody is asked, and no dice are due")

    def _given(self, side: Side, decision: Decide) -> Any:
        for key in ((side.value, f"{decision.kind} {decision.about}"), (side.value, decision.kind)):
            if key in self.answers:
                given = self.answers[key]
                if isinstance(given, list):
                    given = given.pop(0) if given else decision.form.default
                return given(decision) if callable(given) else given
        if decision.kind == "withdraw" and side is ALLIES and ("axis", "withdraw") not in self.answers:
            return all_withdraw(decision)  # or the battle would never end: all dice show ones
        return decision.form.default

    def events(self, kind: type[SomeEvent]) -> list[SomeEvent]:
        return [event for event in self.game.events() if isinstance(event, kind)]

    def was_asked(self, side: str, kind: str) -> int:
        return sum((who, what) == (side, kind) for who, what, _ in self.asked)

    def battles(self) -> list[str]:
        """The hexes in which there was a battle or an attack, in order."""
        return [event.title.removeprefix("A test: ") for event in self.events(BattleJoined)]

    def mustered(self, battle: int = 0) -> dict[str, tuple[str, int]]:
        """The forces of a battle: their missions and the rounds they arrive in."""
        found: dict[str, tuple[str, int]] = {}
        number = -1
        for event in self.game.events():
            number += isinstance(event, BattleJoined)
            if isinstance(event, FleetMustered) and number == battle:
                found |= {each.name: (each.mission, each.arrives) for each in event.forces}
        return found


def _dice(count: int, total: int) -> list[int]:
    """So many dice with this sum."""
    shown = [1] * count
    for index in range(count):
        more = min(5, total - sum(shown))
        shown[index] += more
    assert sum(shown) == total, f"{count} dice cannot show {total}"
    return shown


# -- what several tests begin with ---------------------------------------------------------------------------------

PORTS = [port("Kiel", "s0"), port("Brest", "s8")]
SCAPA = [port("Scapa", "n4")]
ONE = force("One", "Kiel", ["Bismarck", "Tirpitz"])
HOME, SECOND = force("Home", "Scapa", ["Hood", "Renown"]), force("Second", "Scapa", ["Repulse"])
CORPS = [{"name": "a corps", "needs": 2}]
SHIFT = activity("Shift", "naval redeployment", "Brest")
SAILS = {("axis", "announce"): {"One": "Shift"}}
HUNT = {("allies", "interception"): {"Home": "A1"}, ("allies", "hex"): "s4"}  # Home seeks One on its way
LAND = activity("Land", "seaborne invasion", "s6")
SHELL = activity("Shell", "shore bombardment", "s6")
LANDS = {("axis", "announce"): {"Convoy": "Land"}}
BOTH = {("axis", "announce"): {"Convoy": "Land", "Guns": "Shell"}}
CONVOY, GUNS = force("Convoy", "Kiel"), force("Guns", "Kiel", ["Bismarck", "Tirpitz"])
JOINED_LATER = [  # One shells s6; Two and Three meet in n2 and then land in s6 too
    port("Kiel", "s0"),
    port("Brest", "n0"),
    force("One", "Kiel", ["Bismarck"]),
    force("Two", "Kiel"),
    force("Three", "Brest"),
    activity("Shell", "shore bombardment", "s6"),
    activity("Land", "seaborne invasion", "s6", meet="n2"),
]


def combat(
    axis: list[dict[str, Any]], allies: list[dict[str, Any]], answers: dict[tuple[str, str], Any], **more: Any
) -> OperationTable:
    """A combat phase; everything else as said."""
    dice = more.pop("dice", {})
    phases = more.pop("phases", ("combat",))
    given = setup([*PORTS, *axis], [*SCAPA, *allies], phases=phases, **more)
    return OperationTable(given, answers, dice)


def landing(
    axis: list[dict[str, Any]],
    allies: list[dict[str, Any]],
    answers: dict[tuple[str, str], Any],
    dice: dict[str, list[int]] | None = None,
    options: dict[str, str] | None = None,
    **more: Any,
) -> OperationTable:
    """A combat phase: the convoy lands in s6, or guns shell it, or both; everything else as said."""
    edition = more.pop("edition", "current")
    given = setup([*PORTS, LAND, SHELL, *axis], [*SCAPA, *allies], **{"phases": ("combat",), **more})
    return OperationTable(given, answers, dice or {}, options, edition)


def sailing(
    axis: list[dict[str, Any]],
    allies: list[dict[str, Any]],
    answers: dict[tuple[str, str], Any] | None = None,
    dice: dict[str, list[int]] | None = None,
    **more: Any,
) -> OperationTable:
    """One sails from Kiel to Brest; everything else as said."""
    edition = more.pop("edition", "current")
    given = setup([*PORTS, SHIFT, *axis], [*SCAPA, *allies], **more)
    return OperationTable(given, {**SAILS, **(answers or {})}, dice or {}, edition=edition)


def contacts(played: OperationTable) -> list[tuple[str, tuple[str, ...]]]:
    """The hexes in which somebody seeks a contact, with the voyages caught there."""
    return [(each.hex, each.legs) for event in played.events(ContactsSought) for each in event.contacts]


def dice_of(played: OperationTable) -> dict[str, dict[str, int]]:
    """By attempt: the amounts of each rule in its dice."""
    return {
        event.attempt: {line.rule: line.amount for line in event.dice.lines}
        for event in played.events(InterceptionDiceCounted)
    }
