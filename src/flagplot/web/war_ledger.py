"""Every combat of the strategic war in figures: who fought, each modifier with its rule, the dice, what it cost (24.6, 25, 26).

The law here: what is shown is what an event says. Combats of this turn and of the one before it are kept, by player turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from flagplot.core.events import Event, Modifiers
from flagplot.model import war_events as ev
from flagplot.model.strategic_bombing import AirToll, group_name
from flagplot.model.war import side_of
from flagplot.play.war_transcript import WAR_SENTENCES
from flagplot.play.wording import Names, counted, listed

MOST_TURNS = 4  # player turns: this turn's and the last one's
Combat = dict[str, Any]


def ledger_of(events: Iterable[Event]) -> list[dict[str, Any]]:
    """The combats by player turn, the latest first; a player turn without any is left out unless it is the latest."""
    events = list(events)
    names = Names(events)
    turns: list[_Turn] = []
    for event in events:
        if isinstance(event, ev.PlayerTurnBegan):
            turns.append(_Turn(str(event.turn), event.side.value, names))
        elif turns and isinstance(event, ev.WarEvent):
            turns[-1].take(event)
    kept = turns[-MOST_TURNS:]
    return [
        {"when": turn.when, "side": turn.side, "combats": turn.combats}
        for turn in reversed(kept)
        if turn.combats or turn is kept[-1]
    ]


def units(counts: Mapping[str, int], nothing: str = "nothing") -> str:
    """Units and how many, in words."""
    return listed([f"{number} {name.replace('_', ' ')}" for name, number in counts.items() if number], nothing)


class _Turn:
    """One player turn as its combats are told."""

    def __init__(self, when: str, side: str, names: Names) -> None:
        self.when = when
        self.side = side
        self.names = names
        self.combats: list[Combat] = []
        self.open: dict[tuple[str, str], Combat] = {}
        self.modifiers: dict[tuple[str, str], Modifiers] = {}

    def take(self, event: ev.WarEvent) -> None:
        """Add what an event says."""
        told = TELLS.get(type(event))
        if told is not None:
            told(self, event)
        elif isinstance(getattr(event, "modifier", None), Modifiers):
            self.other(event)

    def add(self, title: str, rule: str, power: str, about: str = "") -> Combat:
        """A new combat."""
        combat: Combat = {"title": title, "rule": rule, "about": about, "rounds": [], "outcome": []}
        combat["side"] = side_of(power.split(",")[0]).value if power else self.side
        self.combats.append(combat)
        return combat

    def other(self, event: ev.WarEvent) -> None:
        """A combat without words of its own here: its sentence, and what it was made of."""
        text = WAR_SENTENCES[type(event)](event, self.names)
        combat = self.add(text.split(":")[0], event.rule, "")
        modifier: Modifiers = event.modifier  # type: ignore[attr-defined]
        rolls = [
            roll(word, dice)
            for word, dice in (
                ("die", (getattr(event, "die", 0),) if getattr(event, "die", 0) else ()),
                ("types", getattr(event, "types", ())),
                ("dice", getattr(event, "dice", ())),
            )
            if dice
        ]
        combat["rounds"].append(a_round("", event.rule, modifier, rolls))
        combat["outcome"].append(text)


def roll(who: str, dice: Iterable[int], modifier: int | None = None, result: str = "") -> dict[str, Any]:
    """Dice of one side, what the modifier makes of them, and the result read."""
    thrown = list(dice)
    return {
        "who": who,
        "dice": thrown,
        "modifier": modifier,
        "total": None if modifier is None else sum(thrown) + modifier,
        "result": result,
    }


def a_round(label: str, rule: str, modifier: Modifiers, rolls: list[dict[str, Any]]) -> dict[str, Any]:
    """One round of a combat: modifier line by line, and the dice."""
    return {
        "label": label,
        "rule": rule,
        "lines": [[line.rule, line.reason, line.amount] for line in modifier.lines],
        "total": modifier.total,
        "rolls": rolls,
    }


def dice_of_war(event: ev.WarEvent) -> dict[str, Any]:
    """The dice of an event of the war by side, and whose it is: for the log and the replay."""
    power = getattr(event, "power", "")
    if not power:
        return {}
    side = side_of(power.split(",")[0])
    thrown = {
        side.value: list(getattr(event, "attacker_dice", ())),
        side.enemy.value: list(getattr(event, "defender_dice", ())),
    }
    thrown = {who: dice for who, dice in thrown.items() if dice}
    return {"side": side.value, **({"dice_of": thrown} if thrown else {})}


# -- submarines -------------------------------------------------------------------------------------


def _committed(turn: _Turn, event: ev.SubmarinesCommitted) -> None:
    parts = [counted(event.submarines, "submarine factor")]
    parts += [counted(event.advanced, "advanced submarine")] if event.advanced else []
    about = f"{listed(parts)} against {event.asw or 'no'} ASW"
    turn.open[event.power, event.box] = turn.add(
        f"{event.box}: submarines of {event.power}", "25.4", event.power, about
    )


def _counted(turn: _Turn, event: ev.SubmarineWarfareCounted) -> None:
    turn.modifiers[event.power, event.box] = event.modifier


def _rolled(turn: _Turn, event: ev.SubmarineWarfareRolled) -> None:
    key = (event.power, event.box)
    struck = event.struck
    if event.rule == ev.ADVANCED_RULE:
        combat = turn.add(f"{event.box}: advanced submarines of {event.power}", event.rule, event.power)
        dice = roll(event.power, event.attacker_dice, 0, _result(struck.attacker_result))
        combat["rounds"].append(a_round("no modifier", event.rule, Modifiers(()), [dice]))
        combat["outcome"].append(f"{struck.additional} additional, one for each of them (25.73)")
        return
    combat = turn.open.pop(key)
    modifier = turn.modifiers.pop(key, Modifiers(()))
    rolls = [roll(event.power, event.attacker_dice, modifier.total, _result(struck.attacker_result))]
    if event.defender_dice:
        rolls.append(roll("ASW", event.defender_dice, -modifier.total, _result(struck.defender_result)))
    combat["rounds"].append(a_round("net modifier", "25.61", modifier, rolls))
    fate = f"{struck.eliminated or 'no'} submarines lost, {struck.aborted or 'none'} turned back, {struck.reaching} reach the convoys"
    combat["outcome"].append(fate)
    if struck.additional:
        from_modifier, from_reaching = struck.additional_from_modifier, struck.additional_from_reaching
        combat["outcome"].append(
            f"{struck.additional} additional: {from_modifier} for the modifier, {from_reaching} for those that got through (24.64)"
        )


def _result(result: tuple[int, int]) -> str:
    return f"{result[0]}/{result[1]}"


def _struck(turn: _Turn, event: ev.ShippingStruck) -> None:
    toll = event.toll
    combat = turn.add(f"{event.box}: what it cost", "24.64", "")
    combat["outcome"].append(
        f"{counted(toll.sunk, 'transport')} of {event.owner} sunk, {toll.damaged or 'none'} damaged, {toll.undamaged_left} left"
    )
    escorts = [(toll.asw_lost, "ASW"), (toll.escort_carriers_lost, "CVE")]
    lost = [f"{number} {what}" for number, what in escorts if number]
    combat["outcome"] += [f"{listed(lost)} lost"] if lost else []
    combat["outcome"] += [f"{units(event.submarines)} lost"] if event.submarines else []


# -- bombing ----------------------------------------------------------------------------------------


def _raid(turn: _Turn, event: ev.RaidAnnounced) -> None:
    about = f"{units(event.force)} front" + (", with an atomic bomb" if event.atomic else "")
    turn.open[event.power, event.target] = turn.add(
        f"{event.target}: raid of {event.power}", "26.41", event.power, about
    )


def _met(turn: _Turn, event: ev.RaidIntercepted) -> None:
    for (_, target), combat in turn.open.items():
        if target == event.target:
            combat["about"] += f"; met by {units(event.defenders)} front"


def _met_again(turn: _Turn, event: ev.LaterRaidMet) -> None:
    _of_raid(turn, event.power, event.target)["outcome"].append(WAR_SENTENCES[ev.LaterRaidMet](event, turn.names))


def _of_raid(turn: _Turn, power: str, target: str) -> Combat:
    return turn.open.get((power, target)) or turn.add(f"{target}: raid of {power}", "26.41", power)


def _air_combat(turn: _Turn, event: ev.RaidAirCombat) -> None:
    combat, net = _of_raid(turn, event.power, event.target), event.modifier.total
    rolls = [roll("the raid", event.attacker_dice, net), roll("the defenders", event.defender_dice, -net)]
    combat["rounds"].append(a_round("air combat", "26.45", event.modifier, rolls))
    combat["outcome"] += [
        f"in the air, the raid: {_toll(event.attacker)}",
        f"the defenders: {_toll(event.defender)}",
    ]


def _bombed(turn: _Turn, event: ev.RaidBombed) -> None:
    combat, net = _of_raid(turn, event.power, event.target), event.modifier.total
    rolls = [roll("the bombers", event.attacker_dice, net)]
    rolls += [roll("the defences", event.defender_dice, -net)] if event.defender_dice else []
    combat["rounds"].append(a_round("over the target", "26.461", event.modifier, rolls))
    yard = f"{event.yard[0]}/{event.yard[1]} against the ships there (26.76)"
    done = yard if event.yard != (0, 0) else f"{event.damage} BRPs of damage"
    combat["outcome"] += [done, f"the bombers: {_toll(event.toll)}"]


def _toll(toll: AirToll) -> str:
    lost = {group_name(group, number): number for group, number in toll.eliminated.items()}
    back = {group_name(group, number): number for group, number in toll.aborted.items()}
    return f"{units(lost, 'none')} lost, {units(back, 'none')} turned back"


def _salvos(turn: _Turn, event: ev.SalvosFired) -> None:
    combat = turn.add(f"{event.target}: {event.kind} of {event.power}", "26.65", event.power)
    combat["about"] = counted(event.salvos, "salvo")
    modifier = getattr(event, "modifier", None)
    if isinstance(modifier, Modifiers) and modifier.lines:
        combat["rounds"].append(a_round("each salvo", "26.65", modifier, []))
    combat["outcome"].append(f"{event.damage} BRPs of damage")


def _atomic(turn: _Turn, event: ev.AtomicBombFlown) -> None:
    combat = turn.add(f"{event.target}: atomic attack of {event.power}", event.rule, event.power)
    combat["outcome"].append(WAR_SENTENCES[ev.AtomicBombFlown](event, turn.names))


def _told(turn: _Turn, event: ev.BombingTold) -> None:
    combat = turn.add("What the bombing did", "26.71", "")
    combat["outcome"] += WAR_SENTENCES[ev.BombingTold](event, turn.names).split("; ")


# -- Murmansk convoys -------------------------------------------------------------------------------


def _convoy(turn: _Turn, event: ev.WarEvent) -> None:
    key = ("Western Allies", "Murmansk")
    text = WAR_SENTENCES[type(event)](event, turn.names)
    if key not in turn.open:
        turn.open[key] = turn.add("The convoy to Murmansk", "40.451", "Britain", text)
    else:
        turn.open[key]["outcome"] += text.split("; ")


TELLS: dict[type[Event], Callable[[_Turn, Any], None]] = {
    ev.SubmarinesCommitted: _committed,
    ev.SubmarineWarfareCounted: _counted,
    ev.SubmarineWarfareRolled: _rolled,
    ev.ShippingStruck: _struck,
    ev.ConvoySailed: _convoy,
    ev.ConvoyIntercepted: _convoy,
    ev.ConvoyStalked: _convoy,
    ev.ConvoyOver: _convoy,
    ev.RaidAnnounced: _raid,
    ev.RaidIntercepted: _met,
    ev.LaterRaidMet: _met_again,
    ev.RaidAirCombat: _air_combat,
    ev.RaidBombed: _bombed,
    ev.SalvosFired: _salvos,
    ev.AtomicBombFlown: _atomic,
    ev.BombingTold: _told,
}
