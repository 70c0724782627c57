"""The words sentences are made of: what sides, ships, squadrons and submarines are called, lists, numbers, dice.

No id and no key ever shows through. A nation is named with squadrons and submarines only where a side has several.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from flagplot.core.events import Event, Modifiers
from flagplot.core.sides import Side
from flagplot.model import air_events as air
from flagplot.model import events as ev
from flagplot.model.air_fold import INVERTED
from flagplot.model.amendments import Amended, ShipPutRight, ShipsAdded
from flagplot.model.forces import Engagement
from flagplot.model.operation_events import OperationOpened
from flagplot.model.ships import Counts, Ship, describe, light, minus, plus
from flagplot.model.squadrons import AirBase, squadron
from flagplot.model.war_events import WarOpened
from flagplot.scenarios.maps import load_map

TIMES = {1: "once", 2: "twice", 3: "three times", 4: "four times", 5: "five times", 6: "six times"}

# What one unit of a kind is called, and several; a kind that is not here is called by its letters.
SQUADRONS = {
    "JET": ("jet squadron", "jet squadrons"),
    "ATR": ("air transport squadron", "air transport squadrons"),
    "KAM": ("kamikaze squadron", "kamikaze squadrons"),
}
AIR_FACTORS = {"JET": ("jet factor", "jet factors"), "ATR": ("air transport factor", "air transport factors")}


# -- lists and numbers --------------------------------------------------------------------------


def light_parts(counts: Counts) -> list[str]:
    """Light ships in words, one entry a kind: 2 CA, 6 DD."""
    return describe((), counts).split(", ") if counts else []


def listed(parts: Sequence[str], nothing: str = "nothing") -> str:
    """A list in a sentence: a, b and c."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1]))) if parts else nothing


def counted(number: int, one: str) -> str:
    """A number with its noun: no hits, 1 hit, 2 hits."""
    return f"{number or 'no'} {one}" + ("" if number == 1 else "s")


def percent(chance: Fraction | float, digits: int = 0) -> str:
    """A chance in percent; what can happen is never rounded to nothing, nor what may fail to all."""
    least = Fraction(1, 2 * 10 ** (digits + 2))
    if 0 < chance < least:
        return f"under {10.0**-digits:.{digits}f} %"
    if 1 - least <= chance < 1:
        return f"over {100 - 10.0**-digits:.{digits}f} %"
    return f"{100 * float(chance):.{digits}f} %"


def percent_in_table(chance: Fraction | float, nothing: str = "-") -> str:
    """The same as short as it can be: <0.1%, 12.3%; for what cannot happen a dash."""
    if not chance:
        return nothing
    return percent(chance, 1).replace("under ", "<").replace("over ", ">").replace(" ", "")


def hexes(number: int) -> str:
    """A distance: 1 hex, 4 hexes."""
    return f"{number} {'hex' if number == 1 else 'hexes'}"


def signed(amount: int) -> str:
    """An amount with its sign, the minus as printed."""
    return f"{amount:+d}".replace("-", "−") if amount else "0"


def agreeing(parts: Sequence[str], one: str, several: str) -> str:
    """The verb for what is listed: Hood fires, 1 DD fires, 4 DD fire."""
    alone = len(parts) == 1 and (not parts[0][:1].isdigit() or parts[0].startswith("1 "))
    return one if alone else several


def does(name: str, verb: str) -> str:
    """A side and what it does: Japan wins, Germany and Italy win, The Allies win."""
    return f"{name} {verb}" if " and " in name or name.endswith("Allies") else f"{name} {verb}s"


def rolled(dice: Sequence[int], modifier: int = 0) -> str:
    """Dice as they add up: 4+3, +2 = 9."""
    thrown = "+".join(map(str, dice))
    if len(dice) == 1 and not modifier:
        return thrown
    whole = str(sum(dice) + modifier).replace("-", "−")
    return f"{thrown}{f', {signed(modifier)}' if modifier else ''} = {whole}"


def air_result(eliminated: int, aborted: int) -> str:
    """What a roll on a table of air fighting says."""
    parts = [f"{number} {what}" for number, what in ((eliminated, "eliminated"), (aborted, "aborted")) if number]
    return ", ".join(parts) or "no effect"


def breakdown(modifiers: Modifiers) -> list[tuple[str, str, int]]:
    """The lines of a breakdown: rule, reason, amount."""
    return [(line.rule, line.reason, line.amount) for line in modifiers.lines]


def reasons(modifiers: Modifiers) -> str:
    """The lines of a breakdown in a row, after a colon; "" if there are none."""
    lines = [f"{reason} {signed(amount)}" for _, reason, amount in breakdown(modifiers)]
    return f": {', '.join(lines)}" if lines else ""


# -- squadrons and submarines ----------------------------------------------------------------------


def squadron_parts(
    counts: Counts, *, nations: bool = False, where: str = "from", home: str = "", factors: bool = False
) -> list[str]:
    """Squadrons in words, one entry a kind: 4 elite NAS, 2 attack AAS from Rabaul.

    Their base follows `where`, once if it is the same for all, and not at all if it is `home`. `factors` have not been
    broken down.
    """
    called = [_squadrons(key, number, nations=nations, factors=factors) for key, number in counts.items() if number]
    bases = [base for _, base in called]
    if len(set(bases)) == 1:
        parts = [part for part, _ in called]
        if bases[0] not in ("", home):
            parts[-1] += f" {where} {bases[0]}"
        return parts
    return [f"{part} {where} {base}" if base not in ("", home) else part for part, base in called]


def _squadrons(key: str, number: int, *, nations: bool, factors: bool) -> tuple[str, str]:
    """So many squadrons of one key, and their base."""
    nation, kind, state, base = squadron(key)
    names = (AIR_FACTORS if factors else SQUADRONS).get(kind, (kind, kind))
    inverted = "inverted" if base.endswith(INVERTED) else ""
    of = nation if nations else ""
    words = [inverted, state, of] if state == "elite" else [inverted, of, state]
    noun = names[0] if number == 1 else names[1]
    return " ".join(word for word in (str(number), *words, noun) if word), base.removesuffix(INVERTED)


def submarine_parts(counts: Counts, *, nations: bool = False) -> list[str]:
    """Submarines in words: 3 submarines, 1 advanced submarine."""
    parts = []
    for key, number in counts.items():
        nation, _, state = light(key)
        words = [str(number), state, nation if nations else "", "submarine" if number == 1 else "submarines"]
        parts.append(" ".join(word for word in words if word))
    return parts


def base_contents(base: AirBase) -> Iterable[tuple[Counts, bool, bool]]:
    """What stands at an air base: counts, whether they are factors, whether inverted."""
    yield base.factors, True, False
    yield base.squadrons, False, False
    yield base.inverted_factors, True, True
    yield base.inverted, False, True


def nations_of(counts: Iterable[str]) -> list[str]:
    """The nations named in squadron or submarine keys."""
    return list(dict.fromkeys(key.partition("/")[0] for key in counts))


# -- names ----------------------------------------------------------------------------------------------


class Names:
    """What sides and ships are called, learnt from the events an audience was sent.

    It also remembers which nations a side's aircraft and submarines are of, and what is left of the strike in the air.
    """

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self.sides = {side: side.value.title() for side in Side}
        self.ships: dict[str, str] = {}
        self.air: dict[Side, list[str]] = {side: [] for side in Side}  # nations
        self.submarine: dict[Side, list[str]] = {side: [] for side in Side}
        self.strike: dict[str, int] = {}
        self.port = ""  # the port under attack
        self.places: dict[str, str] = {}  # names of hexes, in an operation
        self.known: dict[str, tuple[bool, str]] = {}  # of each naval force: whether it is a marker, and what was told
        for event in events:
            self.learn(event)

    def learn(self, event: Event) -> None:
        """Remember the names an event tells."""
        match event:
            case ev.BattleJoined():
                self.sides.update(event.names)
                self.port = ""
            case WarOpened():
                self.sides.update(event.war.names)
            case OperationOpened():
                self.sides.update(event.names)
                chart = load_map(event.waters.map) if event.waters.map else None
                self.places = {place.hex: place.name for place in chart.places} if chart else {}
                self.places |= {each.hex: each.name for side in Side for each in event.waters.harbours[side]}
            case ev.FleetMustered():
                self._meet(event.side, (ship for force in event.forces for ship in force.ships))
            case ev.GroupsFormed():
                groups = (*event.groups, *event.pending, *event.home)
                self._meet(event.side, (ship for group in groups for ship in group.ships))
            case ev.GroupRevealed():
                self._meet(event.side, event.group.ships)
            case ev.ShipHit():
                self.ships[event.ship] = event.name
            case Amended():
                change = event.amendment.change
                if isinstance(change, ShipPutRight):
                    self.ships[change.ship.id] = change.ship.name
                elif isinstance(change, ShipsAdded):
                    self._meet(change.side, change.ships)
            case air.AirBasesListed():
                for base in event.air_bases:
                    for counts, _, _ in base_contents(base):
                        self._count(self.air, event.side, counts)
            case air.SubmarinesMustered() | air.SubmarinesSpentBefore():
                self._count(self.submarine, event.side, event.submarines)
            case air.PortListed():
                self.port = event.port.name
            case air.ShipHitInPort():
                self.ships[event.ship] = event.name
            case air.StrikeAnnounced() | air.DeclaredStrikeFlown():
                self.strike = dict(event.squadrons)
            case air.SortieAnnounced():
                self.strike = dict(event.ships)
            case air.PortAirEnded():
                self.strike = dict(event.going_on)
            case air.StrikersLost():
                self.strike = minus(self.strike, plus(event.lost, event.aborted))
            case _:
                pass

    def _meet(self, side: Side, ships: Iterable[Ship]) -> None:
        for ship in ships:
            self.ships[ship.id] = ship.name
            if ship.is_carrier:
                self._count(self.air, side, ship.wing or (ship.nation,))

    @staticmethod
    def _count(known: dict[Side, list[str]], side: Side, keys: Iterable[str]) -> None:
        known[side] = nations_of((*known[side], *keys))

    def ship(self, id: str) -> str:
        """A ship's name; one never heard of goes by her id, written as a name."""
        return self.ships.get(id) or id.replace("-", " ").title().replace(" Of ", " of ")

    def of(self, side: Side) -> str:
        """Whose: Britain's, United States'."""
        return self.sides[side] + ("'" if self.sides[side].endswith("s") else "'s")

    def group(self, side: Side, number: int) -> str:
        """A combat group: Britain's CG3; in port all ships are one."""
        if self.port:
            return f"{self.of(side)} force at {self.port}"
        return f"{self.of(side)} CG{number}"

    def pair(self, engagement: Engagement, between: str) -> str:
        """Both groups of an engagement."""
        axis, allies = self.group(Side.AXIS, engagement.axis), self.group(Side.ALLIES, engagement.allies)
        one, two = (allies, axis) if engagement.initiator == Side.ALLIES else (axis, allies)
        return f"{one} {between} {two}"

    def units(self, ids: Iterable[str], counts: Counts) -> list[str]:
        """Ships and light ships, each in words."""
        return [self.ship(id) for id in ids] + light_parts(counts)

    def squadrons(self, side: Side, counts: Counts, *, where: str = "from", home: str = "") -> list[str]:
        """A side's squadrons, each kind in words."""
        self._count(self.air, side, counts)
        return squadron_parts(counts, nations=len(self.air[side]) > 1, where=where, home=home)

    def air_factors(self, side: Side, counts: Counts) -> list[str]:
        """A side's air factors that have not been broken down."""
        self._count(self.air, side, counts)
        return squadron_parts(counts, nations=len(self.air[side]) > 1, factors=True)

    def submarines(self, side: Side, counts: Counts) -> list[str]:
        """A side's submarines, each kind in words."""
        self._count(self.submarine, side, counts)
        return submarine_parts(counts, nations=len(self.submarine[side]) > 1)
