"""Events as sentences: every event has one, no id or key shows through, and the report says what to carry back."""

from __future__ import annotations

import re
from random import Random

import pytest

from flagplot.bots.bot import play_out
from flagplot.bots.random_bot import RandomBot
from flagplot.core.events import Modifiers
from flagplot.core.sides import Audience, Side
from flagplot.editions.options import OPTIONS
from flagplot.model import events as ev
from flagplot.model.forces import CombatGroup, Shot
from flagplot.model.ships import Ship
from flagplot.play.game import Game
from flagplot.play.report import damaged, report, results
from flagplot.play.transcript import SENTENCES, Storyteller, sentence, transcript
from flagplot.play.wording import Names, breakdown, listed
from flagplot.scenarios.loader import list_scenarios, load_scenario

EVERYONE = Audience.EVERYONE
BATTLES = [scenario.name for scenario in list_scenarios()]
BISMARCK = Ship("bismarck", "Bismarck", "Germany", "BB", 4)
HOOD = Ship("hood", "Hood", "Britain", "BC", 3)


def game_of(name: str, seed: int = 1, options: dict[str, str] | None = None) -> Game:
    scenario = load_scenario(name)
    game = Game.new(scenario.setup, scenario=name, options=options or scenario.options)
    play_out(game, {side: RandomBot(Random(seed)) for side in Side})
    return game


def fired(**changes: object) -> ev.Fired:
    facts: dict[str, object] = {
        "rule": "22.55",
        "to": EVERYONE,
        "side": Side.AXIS,
        "shot": Shot(("bismarck",), {"Germany/DD": 4}, "hood"),
        "factors": 8,
        "modifiers": Modifiers().plus("22.552A", "Germany", 2),
        "dice": (4, 3),
        "roll": 9,
        "hits": 2,
    }
    return ev.Fired(**{**facts, **changes})  # type: ignore[arg-type]


def test_every_event_has_a_sentence() -> None:
    assert set(SENTENCES) == set(ev.EVENTS)


def test_fire_is_told_in_one_line_with_dice_modifier_and_rule() -> None:
    assert sentence(fired()) == "Bismarck and 4 DD fire 8 factors at Hood: 4+3, +2 = 9, 2 hits (22.55)"


def test_the_fleet_combat_of_2008_is_told() -> None:
    common = {"rule": "22.54B", "to": EVERYONE, "side": Side.AXIS}
    names = Names()
    names.sides = {Side.AXIS: "Germany", Side.ALLIES: "Britain"}
    attacks = ev.AttackerNamed(**{**common, "rule": "22.54"}, why="2 unscreened heavy ships to 1")  # type: ignore[arg-type]
    assert sentence(attacks, names) == "Germany attacks: 2 unscreened heavy ships to 1 (22.54)"
    shots = (Shot(("bismarck", "tirpitz"), {}, "ark-royal", True), Shot(("scharnhorst",), {}, "light", True))
    assert sentence(ev.FireReserved(**common, shots=shots), names) == (  # type: ignore[arg-type]
        "Germany, should the screen open: Bismarck and Tirpitz wait for Ark Royal; "
        "Scharnhorst waits for Britain's screened light ships (22.54B)"
    )
    with_air = fired(shot=Shot(("bismarck",), {"Germany/NAS": 2}, "hood"), factors=10)
    assert sentence(with_air).startswith("Bismarck and 2 NAS fire 10 factors at Hood")


def test_a_single_ship_fires_and_may_miss() -> None:
    event = fired(shot=Shot(("bismarck",), {}, "light"), factors=1, modifiers=Modifiers(), roll=7, hits=0)
    names = Names([_joined()])
    assert sentence(event, names) == "Bismarck fires 1 factor at Britain's light ships: 4+3 = 7, no hits (22.55)"


def test_light_ships_that_fire_alone_say_whose_they_are() -> None:
    event = fired(shot=Shot((), {"Germany/CA": 1}, "light", screened=True), modifiers=Modifiers(), roll=7, hits=1)
    told = sentence(event, Names([_joined()]))
    assert told.startswith("Germany's 1 CA fires 8 factors at Britain's screened light ships")


def test_a_ship_that_was_never_named_goes_by_her_id_written_as_a_name() -> None:
    assert "Prince of Wales" in sentence(fired(shot=Shot(("bismarck",), {}, "prince-of-wales")))


def test_names_are_those_the_audience_was_told() -> None:
    shown = CombatGroup(2, ships=(Ship("kgv", "King George V", "Britain", "BB", 4),))
    names = Names([ev.GroupRevealed(rule="22.423B", to=EVERYONE, side=Side.ALLIES, group=shown)])
    assert "King George V" in sentence(fired(shot=Shot(("bismarck",), {}, "kgv")), names)


@pytest.mark.parametrize(
    ("fate", "told"),
    [("hit", "takes 2 hits ("), ("damaged", "takes 2 hits and is damaged ("), ("sunk", "takes 2 hits and sinks (")],
)
def test_what_hits_did_is_told(fate: str, told: str) -> None:
    event = ev.ShipHit(
        rule="20.513", to=EVERYONE, side=Side.ALLIES, number=1, ship="hood", name="Hood", hits=2, fate=fate
    )
    assert told in sentence(event)


def test_light_losses_are_told() -> None:
    event = ev.LightShipsHit(
        rule="20.532",
        to=EVERYONE,
        side=Side.ALLIES,
        number=4,
        screened=False,
        sunk={"Britain/CA": 1, "Britain/DD": 2},
        damaged={"Britain/CA": 1},
        into_screen=True,
    )
    told = "Britain's CG4 loses 1 CA and 2 DD and has 1 CA damaged, now behind the screen (20.532)"
    assert sentence(event, Names([_joined()])) == told


def test_raiders_named_by_key_are_told_in_words() -> None:
    event = ev.TransportsExposed(rule="22.35E", to=EVERYONE, side=Side.AXIS, raiders=("2 Germany/CA", "Scheer"))
    assert sentence(event) == "2 CA and Scheer may attack transports (22.35E)"


def test_cargo_lost_and_stowed_are_told() -> None:
    lost = ev.CargoLost(rule="22.82A", to=EVERYONE, side=Side.AXIS, number=3, lost={"oil": 2})
    assert sentence(lost) == "Axis's CG3 loses cargo: oil (2) (22.82A)".replace("Axis's", "Axis'")
    stowed = ev.CargoStowed(
        rule="22.82A", to=EVERYONE, side=Side.AXIS, number=3, loaded={"Japan/DD": 2}, unloaded={"Japan/DD": 1}
    )
    assert "2 DD take over cargo and 1 DD carry cargo no longer" in sentence(stowed)


def test_ships_left_behind_or_abandoned_are_told() -> None:
    for abandoned, told in ((True, "abandons Hood and 1 CA damaged, lost"), (False, "leaves Hood and 1 CA damaged")):
        event = ev.Detached(
            rule="22.524",
            to=EVERYONE,
            side=Side.ALLIES,
            number=2,
            ships=(HOOD,),
            light={"Britain/CA/damaged": 1},
            abandoned=abandoned,
        )
        assert told in sentence(event)


def test_a_breakdown_is_its_lines() -> None:
    modifiers = Modifiers().plus("22.552A", "Germany", 2).plus("22.552B", "hampered", -1)
    assert breakdown(modifiers) == [("22.552A", "Germany", 2), ("22.552B", "hampered", -1)]
    assert sum(amount for _, _, amount in breakdown(modifiers)) == modifiers.total


def test_lists_read_as_english() -> None:
    assert [listed([]), listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])] == [
        "nothing",
        "a",
        "a and b",
        "a, b and c",
    ]


@pytest.mark.parametrize("name", BATTLES)
def test_no_id_and_no_key_shows_through(name: str) -> None:
    game = game_of(name)
    ids = [s.id for side in game.header.setup.sides.values() for f in side.forces for s in f.ships if "-" in s.id]
    for text in transcript(game.events()):
        assert not re.search(r"\w/(CA|DD|CVE|TR|SUB|NAS|AAS|AAF|JET|ATR|KAM)\b", text), text
        assert "@" not in text and "|" not in text, text
        assert not any(id in text for id in ids), text
        assert "_" not in text and "<" not in text and "Side." not in text, text


@pytest.mark.parametrize("name", BATTLES)
def test_the_report_of_a_whole_battle_has_heading_story_and_results(name: str) -> None:
    game = game_of(name)
    text = report(game)
    war = game.header.setup.public.kind == "war"
    assert text.startswith(f"# {game.header.setup.public.title}\n")
    assert "Edition current, no option changed, system dice" in text
    first = "Sortie 1" if game.header.setup.public.kind == "port attack" else f"Round {game.header.setup.public.round}"
    operates = war or game.header.setup.public.kind == "operation"  # it may end without a battle
    assert (operates or f"## {first}" in text) and "## Results" in text
    for fleet in game.battle.fleets.values():
        for ship in fleet.sunk:
            assert re.search(rf"^- Sunk: .*{ship.name}", text, re.MULTILINE)
        for home in fleet.returned:
            assert home.why in text
    assert operates or game.battle.reasons[0] in text


def test_options_that_were_changed_are_named() -> None:
    game = game_of("river-plate", options={"damaged_ship_sinks_on": "damage_again"})
    text = report(game)
    assert "option damaged_ship_sinks_on = damage_again" in text
    assert re.search(
        r"^- 20\.513 \(RC-10\), what sinks.*: only as many hits as would damage her again sink her\.$", text, re.M
    )
    assert "RC-46" not in text.partition("## ")[0], "what is as usual is not told"
    assert game.header.options["damaged_ship_sinks_on"] == "damage_again" and set(game.header.options) == set(OPTIONS)


def test_a_sides_report_holds_what_that_side_was_told() -> None:
    game = game_of("six-groups", seed=3)
    hidden = report(game.picture(Side.ALLIES), game.header)
    assert "As United States saw it." in hidden
    assert "Japan forms" not in hidden and "United States forms" in hidden
    spectator = report(game.picture(None), game.header)
    assert "As a spectator saw it." in spectator
    assert "forms CG" not in spectator


def test_a_report_without_a_header_says_nothing_of_the_rules() -> None:
    assert "Edition" not in report(game_of("river-plate").picture(None))


def test_an_unfinished_battle_says_so() -> None:
    scenario = load_scenario("denmark-strait")
    game = Game.new(scenario.setup)
    assert results(game.events())[0] == "The battle is not over yet."


def test_damage_is_counted_until_the_ship_sinks() -> None:
    def hit(fate: str) -> ev.ShipHit:
        return ev.ShipHit(
            rule="20.513", to=EVERYONE, side=Side.ALLIES, number=1, ship="hood", name="Hood", hits=1, fate=fate
        )

    assert damaged([hit("damaged")], Side.ALLIES) == (["Hood"], {})
    assert damaged([hit("damaged")], Side.AXIS) == ([], {})
    assert damaged([hit("damaged"), hit("sunk")], Side.ALLIES) == ([], {})


def test_headings_come_only_before_something_and_empty_segments_once() -> None:
    game = game_of("denmark-strait", seed=5)
    teller = Storyteller()
    told = [line for event in game.events() for line in teller.tell(event)]
    for line, following in zip(told, [*told[1:], None], strict=True):
        if line.level == 2:
            assert following is not None and following.level == 0
    empty = [line.text for line in told if isinstance(line.event, ev.SegmentEmpty)]
    assert len(empty) == len(set(empty)) > 0


def _joined() -> ev.BattleJoined:
    nothing = {Side.AXIS: 0, Side.ALLIES: 0}
    return ev.BattleJoined(
        rule="22.31",
        to=EVERYONE,
        title="Denmark Strait",
        theatre="Europe",
        kind="naval battle",
        interceptor=Side.ALLIES,
        round=1,
        names={Side.AXIS: "Germany", Side.ALLIES: "Britain"},
        tactical=nothing,
        search_advantage=nothing,
        aircraft=False,
        submarines=False,
        western_front=False,
        inputs="default",
    )
