"""How the admiral wages the strategic war: what he builds, where units serve, when submarines fight, what is bombed.

Each function answers one kind of decision from what lies open to everyone; doctrine/war.py weighs things.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flagplot.bots.flying import legal
from flagplot.core.asks import Decide
from flagplot.core.forms import Form, Item, Wire
from flagplot.core.sides import Side
from flagplot.doctrine import war as doctrine
from flagplot.model.picture import Picture
from flagplot.model.strategic_war import (
    ADVANCED_SUBMARINE,
    ASW,
    ATLANTIC,
    BOXES,
    INDIAN_OCEAN,
    PACIFIC,
    STRATEGIC_BOMBER,
    SUBMARINE,
    TRANSPORT,
)
from flagplot.model.war import CVE, War, kind_of, power_of, side_of, unit
from flagplot.rules.strategic.submarine_turn import DEFENDERS

SUBMARINES = (SUBMARINE, ADVANCED_SUBMARINE)


def build(picture: Picture, decision: Decide) -> Wire:
    """What is needed most first, as long as there is money: escorts against submarines, submarines, then the rest."""
    war, side = picture.war, decision.side
    wanted = {item.key: doctrine.worth_building(_kind(item), *_balance(war, side)) for item in decision.form.items}
    return _fill(decision, sorted(decision.form.items, key=lambda item: -wanted[item.key]), "build")


def _kind(item: Item) -> str:
    """The kind of unit a line of the construction question is about."""
    name = item.key.split(": ", 1)[1]
    return kind_of(f" {name}")


def _balance(war: War, side: Side) -> tuple[int, int, int]:
    """Enemy submarines, own ASW, own transports."""
    mine = [name for units in war.places.values() for name in units if side_of(power_of(name).split(",")[0]) is side]
    count = {name: sum(units.get(name, 0) for units in war.places.values()) for name in dict.fromkeys(mine)}
    theirs = sum(
        number
        for box in BOXES
        for name, number in war.places.get(box, {}).items()
        if kind_of(name) in SUBMARINES and side_of(power_of(name)) is not side
    )
    own = {kind: sum(n for name, n in count.items() if kind_of(name) == kind) for kind in (ASW, TRANSPORT)}
    return theirs, own[ASW], own[TRANSPORT]


def _fill(decision: Decide, items: list[Item], place: str) -> Wire:
    """As much of each item as the limits allow, one after the other."""
    told: dict[str, dict[str, int]] = {}
    for item in items:
        for amount in range(item.amount, 0, -1):
            trial = {**told, item.key: {place: amount}}
            if legal(decision, trial):
                told = trial
                break
    return told


def fight(picture: Picture, decision: Decide) -> Wire:
    """All submarines that may fight do, unless the odds in their box have turned against them."""
    odds = {box: _modifier_last(picture.war, decision.side, box) for box in BOXES}
    items = [item for item in decision.form.items if doctrine.submarines_fight(odds[item.key.rsplit(", ", 1)[1]])]
    items.sort(key=lambda item: ADVANCED_SUBMARINE not in item.key)
    return _fill(decision, items, "fight")


def _modifier_last(war: War, side: Side, box: str) -> int:
    """Escorts in a box against the submarines there: how much worse off the submarines are."""
    here = war.places.get(box, {})
    submarines = sum(n for name, n in here.items() if kind_of(name) in SUBMARINES and side_of(power_of(name)) is side)
    asw = sum(here.get(unit(power, ASW), 0) for power in DEFENDERS[side])
    return asw - submarines


def deploy(picture: Picture, decision: Decide) -> Wire:
    """Submarines go where they may fight, escorts and transports where submarines threaten them."""
    war, side = picture.war, decision.side
    told: dict[str, dict[str, int]] = {}
    shares = _shares(war, side)
    held = {kind: {box: _here(war, side, box, kind) for box in BOXES} for kind in (ASW, TRANSPORT, CVE)}
    for item in decision.form.items:
        kind = kind_of(item.key.rsplit(", ", 2 if item.key.endswith("inverted") else 1)[0])
        start = _place(item.key)
        boxes = [place for place in item.places if place in BOXES]
        if kind in SUBMARINES:
            told = _submarines(decision, told, item, start, boxes)
            continue
        if kind not in held or not boxes:
            continue
        placed: dict[str, int] = {}
        for _ in range(item.amount):
            end = max(boxes, key=lambda box: (shares[box] / (1 + held[kind][box]), box))
            trial = {**told, item.key: {**placed, end: placed.get(end, 0) + 1}}
            rest = item.amount - sum(trial[item.key].values())
            if start in BOXES or not legal(decision, _completed(trial, item, rest)):
                break
            placed = trial[item.key]
            held[kind][end] += 1
        if placed:
            told[item.key] = placed
    return told


def _completed(told: Mapping[str, Mapping[str, int]], item: Item, rest: int) -> dict[str, dict[str, int]]:
    """An answer with what is left of an item put at its first place."""
    whole = {key: dict(places) for key, places in told.items()}
    first = item.places[0]
    whole[item.key][first] = whole[item.key].get(first, 0) + rest
    return {key: {place: n for place, n in places.items() if n} for key, places in whole.items()}


def _submarines(
    decision: Decide, told: dict[str, dict[str, int]], item: Item, start: str, boxes: list[str]
) -> dict[str, dict[str, int]]:
    if start in BOXES:
        return told
    for box in boxes:
        for amount in range(item.amount, 0, -1):
            trial = {**told, item.key: {box: amount}}
            if legal(decision, trial):
                return trial
    return told


def _place(key: str) -> str:
    parts = key.removesuffix(", inverted").rsplit(", ", 1)
    return parts[1]


def _here(war: War, side: Side, box: str, kind: str) -> int:
    here = war.places.get(box, {})
    return sum(n for name, n in here.items() if kind_of(name) == kind and side_of(power_of(name)) is side)


def _shares(war: War, side: Side) -> dict[str, int]:
    """How much each box matters: what enemy submarines there threaten, and the trade that goes through it."""
    trade = (
        {ATLANTIC: 6, INDIAN_OCEAN: 1, PACIFIC: 2}
        if side is Side.ALLIES
        else {ATLANTIC: 0, INDIAN_OCEAN: 0, PACIFIC: 1}
    )
    return {
        box: trade[box]
        * (
            2
            + sum(
                n
                for name, n in war.places.get(box, {}).items()
                if kind_of(name) in SUBMARINES and side_of(power_of(name)) is not side
            )
        )
        for box in BOXES
    }


def bomb(picture: Picture, decision: Decide) -> Wire:
    """Everything that bombs goes for the most valuable target within its reach, with every escort that can follow."""
    told: dict[str, str] = {}
    form: Form = decision.form
    bombers = [item for item in form.items if kind_of(item.key.rsplit(", ", 1)[0]) == STRATEGIC_BOMBER]
    chosen = ""
    for item in bombers:
        chosen = max(item.places[1:], key=lambda name: doctrine.target_worth(picture.war.targets[name]))
        told[item.key] = chosen
    army = [item for item in form.items if kind_of(item.key.rsplit(", ", 1)[0]) == "AAF"]
    for item in army:
        target = chosen if chosen in item.places else item.places[1]
        if chosen in item.places or doctrine.army_air_bombs(item.amount):
            told[item.key] = target
    for item in form.items:
        if item.key not in told and chosen and chosen in item.places:
            trial = {**told, item.key: chosen}
            if legal(decision, trial):
                told = trial
    return told if legal(decision, told) else {}


def defend(picture: Picture, decision: Decide) -> Wire:
    """Every aircraft that can meets the raid on the most valuable target it reaches."""
    told: dict[str, str] = {}
    for item in decision.form.items:
        told[item.key] = max(item.places[1:], key=lambda name: doctrine.target_worth(picture.war.targets[name]))
    return told


def to_the_front(picture: Picture, decision: Decide) -> Wire:
    """Bombers and interceptors stand where there is something to bomb or to defend."""
    war = picture.war
    fronts = dict.fromkeys(target.front for target in war.targets.values())
    told: dict[str, str] = {}
    for item in decision.form.items:
        here = item.key.rsplit(", ", 1)[1]
        useful = [place for place in item.places if place in fronts]
        if here not in fronts and useful:
            told[item.key] = useful[0]
    return told


def fire(picture: Picture, decision: Decide) -> Wire:
    """Each rocket base fires at the most valuable target, rockets where it may, else flying bombs."""
    told: dict[str, str] = {}
    for item in decision.form.items:
        best = sorted(
            item.places[1:], key=lambda place: -doctrine.target_worth(picture.war.targets[place.split(" at ", 1)[1]])
        )
        for place in best:
            trial = {**told, item.key: place}
            if legal(decision, trial):
                told = trial
                break
    return told


WAR: dict[str, Callable[[Picture, Decide], Wire]] = {
    "SW construction": build,
    "SW movement": deploy,
    "SW redeployment": deploy,
    "submarine warfare": fight,
    "strategic bombing": bomb,
    "air defense of targets": defend,
    "air redeployment": to_the_front,
    "flying bombs": fire,
}
