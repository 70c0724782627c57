"""How the admiral wages the strategic war: what he builds, where units serve, when submarines fight, what is bombed.

Each function answers one kind of decision from what lies open to everyone; doctrine/war.py weighs things.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flagplot.bots.flying import legal
from flagplot.core.asks import Decide
from flagplot.core.forms import Item, Wire
from flagplot.core.sides import Side
from flagplot.doctrine import war as doctrine
from flagplot.model.picture import Picture
from flagplot.model.ships import light
from flagplot.model.strategic_war import (
    ADVANCED_SUBMARINE,
    ASW,
    ATLANTIC,
    BOXES,
    INDIAN_OCEAN,
    INTERCEPTOR,
    PACIFIC,
    STRATEGIC_BOMBER,
    SUBMARINES,
    TRANSPORT,
    WESTERN_ALLIES,
)
from flagplot.model.war import AAF, CVE, JET, TargetHex, War, kind_of, power_of, side_of, unit
from flagplot.rules.strategic.rocket_bases_turn import NEW, RETURNING
from flagplot.rules.strategic.submarine_turn import DEFENDERS


def build(picture: Picture, decision: Decide) -> Wire:
    """What is needed most first, as long as there is money: escorts against submarines, submarines, then the rest."""
    war, side = picture.war, decision.side
    wanted = {item.key: doctrine.worth_building(_kind(item), *_balance(war, side)) for item in decision.form.items}
    items = [item for item in decision.form.items if wanted[item.key]]
    return _fill(decision, sorted(items, key=lambda item: -wanted[item.key]), "build")


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
    """Everything that can goes for the target most worth it, if it is enough for the fighters that may meet it there."""
    told: dict[str, str] = {}
    tried: list[str] = []
    while True:
        free = [item for item in decision.form.items if item.key not in told]
        chosen = _worth_bombing(picture.war, decision.side, free, tried)
        if not chosen:
            return told
        tried.append(chosen)
        more = {item.key: chosen for item in free if chosen in item.places}
        while more and not legal(decision, {**told, **more}):
            more = _trimmed(told, more, decision)
        told |= more


def _worth_bombing(war: War, side: Side, free: list[Item], tried: list[str]) -> str:
    """The target most worth a raid of all that is free and reaches it; "" if there is none."""
    worth: dict[str, int] = {}
    for name in dict.fromkeys(place for item in free for place in item.places[1:] if place not in tried):
        going = {item.key: item.amount for item in free if name in item.places}
        if doctrine.raid_pays(*_strength(going), _fighters(war, side.enemy, war.targets[name].front)):
            worth[name] = doctrine.target_worth(war.targets[name]) + _escorts(going)
    return max(worth, key=lambda name: worth[name], default="")


def _strength(going: Mapping[str, int]) -> tuple[int, int]:
    """What bombs, and all that flies."""
    kinds = {key: kind_of(key.rsplit(", ", 1)[0]) for key in going}
    army = sum(number for key, number in going.items() if kinds[key] == AAF)
    heavy = sum(number for key, number in going.items() if kinds[key] == STRATEGIC_BOMBER)
    return heavy + army // 3, sum(going.values())


def _escorts(going: Mapping[str, int]) -> int:
    return sum(number for key, number in going.items() if kind_of(key.rsplit(", ", 1)[0]) != STRATEGIC_BOMBER)


def _fighters(war: War, side: Side, front: str) -> int:
    """Enemy fighters that may be met on a front."""
    return sum(
        number
        for name, number in war.ready(front).items()
        if kind_of(name) in (INTERCEPTOR, AAF, JET) and side_of(power_of(name).split(",")[0]) is side
    )


def _trimmed(told: Mapping[str, str], more: Mapping[str, str], decision: Decide) -> dict[str, str]:
    """A raid without the escorts of a power that has nothing to escort, or else without its last flight."""
    for key in list(more)[::-1]:
        fewer = {other: place for other, place in more.items() if other != key}
        if legal(decision, {**told, **fewer}):
            return fewer
    return dict(list(more.items())[:-1])


def defend(picture: Picture, decision: Decide) -> Wire:
    """Every aircraft that can meets the raid on the most valuable target it reaches; against flying bombs alone as many as
    these are worth, army air first."""
    war = picture.war
    told: dict[str, dict[str, int]] = {}
    needed = {name: _flying_bombs(war, name) for name in dict.fromkeys(salvo.target for salvo in war.salvos)}
    for item in sorted(decision.form.items, key=lambda item: kind_of(item.key.rsplit(", ", 1)[0]) == INTERCEPTOR):
        raided = [place for place in item.places[1:] if place not in needed]
        best = max(raided or item.places[1:], key=lambda name: doctrine.target_worth(_target(war, name)))
        number = item.amount if best in raided else min(item.amount, max(0, needed[best]))
        if number:
            told[item.key] = {best: number}
            needed[best] = needed.get(best, 0) - number
    return told


def oppose(picture: Picture, decision: Decide) -> Wire:
    """As many oppose flying bombs as can make a difference, army air first: interceptors are wanted as escorts."""
    target = decision.question.split(" over ", 1)[1].split(" oppose", 1)[0]
    left = _flying_bombs(picture.war, target)
    told: dict[str, dict[str, int]] = {}
    for item in sorted(decision.form.items, key=lambda item: kind_of(item.key.rsplit(", ", 1)[0]) == INTERCEPTOR):
        number = min(item.amount, max(0, left))
        left -= number
        told[item.key] = {"oppose": number}
    return told


def _flying_bombs(war: War, target: str) -> int:
    """About how many fighters it takes to stop all flying bombs at a target."""
    salvos = sum(salvo.number for salvo in war.salvos if (salvo.target, salvo.kind) == (target, "flying bombs"))
    return doctrine.fighters_for(salvos, war.targets[target])


def _target(war: War, station: str) -> TargetHex:
    """What is defended at a station."""
    return war.targets[station.split(" by way of ", 1)[0]]


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


def raid(picture: Picture, decision: Decide) -> Wire:
    """Raiders go out while not too much looks for them."""
    war = picture.war
    told: dict[str, str] = {}
    for item in decision.form.items:
        box = war.raider(item.key).box
        cves = sum(war.present(box, unit(power, CVE)) for power in DEFENDERS[decision.side])
        if doctrine.raiders_sail(war.levels(WESTERN_ALLIES).air_range, cves, len(told)):
            told[item.key] = "raid"
    return told


def convoy(picture: Picture, decision: Decide) -> Wire:
    """A convoy sails while there are transports enough, with as much as its destroyers guard; larger ships go with it where
    German ones wait for it."""
    war, form = picture.war, decision.form
    transports = war.present(ATLANTIC, unit(WESTERN_ALLIES, TRANSPORT))
    if not doctrine.convoy_sails(transports):
        return {}
    needed = bool(war.murmansk.ships.factors)
    told = {item.key: "sail" for item in form.items[1:] if needed or light_kind(item.key) in ("DD", "CVE")}
    brps = form.items[0]
    for amount in range(brps.amount, 0, -1):
        trial = {**told, brps.key: {"sail": amount}}
        if legal(decision, trial):
            return trial
    return {}


def light_kind(key: str) -> str:
    """The kind of light ships an item stands for; "" for a named ship."""
    return light(key).kind if "/" in key else ""


def attack_convoy(picture: Picture, decision: Decide) -> Wire:
    """All aircraft fly in one sortie; ships go out against a convoy that is no stronger than they."""
    war = picture.war
    assert war.convoy is not None
    out = doctrine.squadron_sails(war.murmansk.ships.factors, war.convoy.factors)
    told = {item.key: item.places[1] for item in decision.form.items if item.places[1] != "intercept"}
    return told | {item.key: "intercept" for item in decision.form.items if out and "intercept" in item.places}


def pay(picture: Picture, decision: Decide) -> Wire:
    """Small repairs are paid for."""
    price = int(next(place.label for place in decision.form.places if place.key == "pay").split()[1])
    return "pay" if doctrine.repair_pays(price) else "leave"


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


def place_bases(picture: Picture, decision: Decide) -> Wire:
    """New and eliminated rocket bases go to the first free place; those on the map stay where they are."""
    told: dict[str, str] = {}
    for item in decision.form.items:
        for place in item.places[1:]:
            if item.key in (NEW, RETURNING) and legal(decision, {**told, item.key: place}):
                told[item.key] = place
                break
    return told


def atomic_attacks(picture: Picture, decision: Decide) -> Wire:
    """Every atomic bomb goes with a raid, the most valuable targets first."""
    told: dict[str, dict[str, int]] = {}
    for item in decision.form.items:
        worth = {name: doctrine.target_worth(picture.war.targets[name.split(": ", 1)[1]]) for name in item.places[1:]}
        best = sorted(worth, key=lambda name: -worth[name])
        told[item.key] = dict.fromkeys(best[: item.amount], 1)
    return told


WAR: dict[str, Callable[[Picture, Decide], Wire]] = {
    "SW construction": build,
    "SW movement": deploy,
    "SW redeployment": deploy,
    "submarine warfare": fight,
    "strategic bombing": bomb,
    "air defense of targets": defend,
    "flying bomb defense": oppose,
    "air redeployment": to_the_front,
    "air placement": to_the_front,
    "raiders": raid,
    "Murmansk convoy": convoy,
    "Murmansk interception": attack_convoy,
    "emergency repair": pay,
    "rocket base repair": pay,
    "flying bombs": fire,
    "rocket bases": place_bases,
    "atomic attacks": atomic_attacks,
}
