"""Which of the squadrons that fly do what, as a player types it: those that fight, and what each of them attacks.

The law here: only what flies is given out, and never twice. When fewer come through than were planned, targets named
first are filled first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from flagplot.cli.typed import Ships, Unit, counted_from, items, read_unit
from flagplot.core.errors import PlayerError
from flagplot.model.forces import LIGHT
from flagplot.model.ships import plus
from flagplot.model.squadrons import describe_squadrons, squadron, squadron_label, total
from flagplot.play.wording import listed
from flagplot.scenarios.ships import slug, suggestions

LIGHT_SHIPS = ("light", "lights", "light-ships", "light-group")
REST = ("rest", "the rest", "all")
NOTHING = "none"


def fits(unit: Unit, key: str) -> bool:
    """Whether squadrons of this key are what was typed, as far as it goes."""
    nation, kind, state, base = squadron(key)
    pairs = ((unit.nation, nation), (unit.kind, kind), (unit.state, state), (unit.base, base))
    return all(said in (None, has) for said, has in pairs)


def fitting_keys(unit: Unit, keys: Iterable[str]) -> list[str]:
    """The squadrons that may be meant; beside elite NAS, plain NAS means those that are not elite."""
    found = [key for key in keys if fits(unit, key)]
    plain = [key for key in found if unit.kind and not unit.state and not squadron(key).state]
    return plain or found


def choose(text: str, option: str, pool: Mapping[str, int], whose: str) -> dict[str, int]:
    """Some of these squadrons: "2", "1 elite NAS", "all" or "none"."""
    word = " ".join(text.lower().split())
    if word in ("none", "nobody", "0"):
        return {}
    if word == "all":
        return dict(pool)
    chosen: dict[str, int] = {}
    for item in items(text, option, "2"):
        unit = read_unit(item, option)
        fitting = fitting_keys(unit, pool)
        there = sum(pool[key] - chosen.get(key, 0) for key in fitting)
        if there < unit.number:
            raise PlayerError(f"{option}: {item!r} are not there; {whose} are {describe_squadrons(pool)}")
        if there > unit.number and len(fitting) > 1:
            both = listed([squadron_label(key) for key in fitting])
            raise PlayerError(f"{option}: {item!r} may be {both}; say how many of each")
        taken = {key: min(unit.number, pool[key] - chosen.get(key, 0)) for key in fitting}
        chosen = plus(chosen, taken)
    return chosen


class Aim(NamedTuple):
    """A target, and what is to attack it; without units it shares what is left with others like it."""

    target: str
    units: tuple[Unit, ...]


def read_aims(text: str, option: str, ships: Ships) -> list[Aim]:
    """Targets with squadrons: "Enterprise=5, Yorktown=3", "Enterprise=4 elite NAS, light ships=rest", "Enterprise"."""
    aims: list[Aim] = []
    for part in filter(None, (each.strip() for each in re.split(r"[,;]", text))):
        name, _, how = part.partition("=" if "=" in part else ":")
        count, rest = counted_from(name)
        if count is not None and not how:  # 5 at Enterprise
            how, name = str(count), re.sub(r"^(?:at|on|against)\b", "", rest)
        target = _target(name.strip(), option, ships)
        if target in [aim.target for aim in aims]:
            raise PlayerError(f"{option} names {name.strip()!r} twice; give all its squadrons at once")
        words = " ".join(how.lower().split())
        units = (
            () if words in ("", *REST) else tuple(read_unit(item, option) for item in items(how, option, name + "=4"))
        )
        aims.append(Aim(target, units))
    if not aims:
        raise PlayerError(f'{option} names nothing; write for example {option} "{_known(ships)[0]}=4"')
    return aims


def _known(ships: Ships) -> list[str]:
    return [*ships.names.values(), *(["light ships"] if ships.light else [])]


def _target(name: str, option: str, ships: Ships) -> str:
    wanted = slug(name)
    if ships.light and wanted in LIGHT_SHIPS:
        return LIGHT
    for id, called in ships.names.items():
        if wanted in (id, slug(called)):
            return id
    near = suggestions(name, _known(ships))
    raise PlayerError(
        f"{option}: {name[:40]!r} is not among the targets, {listed(_known(ships))}" + (f"; {near}" * bool(near))
    )


def place(aims: Sequence[Aim], flying: Mapping[str, int], option: str = "") -> dict[str, dict[str, int]]:
    """What each squadron attacks. With an option, squadrons that do not fly are refused; without, they are missing."""
    left = dict(flying)
    placed: dict[str, dict[str, int]] = {key: {} for key in flying}

    def give(target: str, number: int, keys: Sequence[str]) -> int:
        for key in keys:
            some = min(number, left[key])
            if some:
                placed[key][target] = placed[key].get(target, 0) + some
                left[key] -= some
                number -= some
        return number

    for aim in aims:
        for unit in aim.units:
            missing = give(aim.target, unit.number, fitting_keys(unit, flying))
            if missing and option:
                raise PlayerError(f"{option} places {missing} more than fly: {describe_squadrons(flying)}; give fewer")
    sharing = [aim for aim in aims if not aim.units]
    rest = total(left)
    for index, aim in enumerate(sharing):
        give(aim.target, rest // len(sharing) + (index < rest % len(sharing)), list(flying))
    give(NOTHING, total(left), list(flying))
    return placed
