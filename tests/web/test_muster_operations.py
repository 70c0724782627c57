"""Mustering an operation, and battles from the air: the host settles sea and ports, each side the rest in private."""

from __future__ import annotations

from random import Random

import pytest
from msgspec import UNSET

from flagplot.core.errors import EngineError, PlayerError, ScenarioError
from flagplot.core.sides import SIDES, Side
from flagplot.play.game import Game
from flagplot.scenarios.loader import scenario_text
from flagplot.web.muster_text import Template, check_own, read_own, scenario_of, template_of
from flagplot.web.setup_outline import NO_OPERATION, read
from tests.web.test_muster import Game_, House, home, mutated

__all__ = ["home"]

BOTH = ("axis", "allies")
MALTA = scenario_text("operation-malta").decode()
ITALY = '[axis]\n[[axis.force]]\nname = "Mine"\nbase = "Taranto"\nships = ["Littorio"]\ndestroyers = 3\n'


def malta() -> Template:
    return template_of(MALTA, BOTH, "operation-malta")[0]


def refusal(template: Template, text: str) -> ScenarioError:
    with pytest.raises(ScenarioError) as caught:
        check_own(template, "axis", text)
    return caught.value


@pytest.mark.parametrize(
    ("text", "place", "rule", "words"),
    [
        ('[axis]\n[[axis.port]]\nname = "Bari"\n', "the text, line 2, axis.port", "", "the host has settled the ports of this side; leave them out"),
        ('[sea]\nmap = "pacific"\n[axis]\n', "the text, line 1, sea", "", "your own side and nothing else"),
        (ITALY.replace("Taranto", "Gibraltar"), "the text, line 4, axis.force[1].base", "22.63", "'Taranto', 'Palermo' or 'Naples'"),
        (ITALY + 'at = "Kiel"\npatrol = "offensive"\n', "the text, line 7, axis.force[1].at", "22.12", "no part of the sea here"),
        (ITALY.replace("Littorio", "Hood"), "the text, line 5, axis.force[1].ships[1]", "22.112", "Britain is not among"),
        (ITALY + 'mission = "patrol"\n', "the text, line 7, axis.force[1].mission", "", "there is no such key"),
        (ITALY + 'nation = "Britain"\n', "the text, line 7, axis.force[1].nation", "22.112", "Britain"),
        (ITALY.replace("[axis]\n", "[axis]\nsubmarines = { Italy = 1 }\n"), "the text, line 2, axis.submarines", "", "there is no such key"),
        (ITALY + '[[axis.boats]]\nport = "Naples"\nsubmarines = { Britain = 1 }\n', "the text, line 9, axis.boats[1].submarines.Britain", "22.112", "its submarines"),
        (ITALY + '[[axis.air_base]]\nname = "Bari"\naircraft = { "France AAF" = 1 }\n', "the text, line 9, axis.air_base[1].aircraft.France AAF", "22.112", "its aircraft"),
        (ITALY + '[[axis.activity]]\nname = "Go"\nkind = "seaborne invasion"\nto = "Kiel"\n', "the text, line 10, axis.activity[1].to", "22.12", "no part of the sea here"),
    ],
)  # fmt: skip
def test_a_mistake_in_an_operation_is_told_at_its_own_line_with_its_rule(text: str, place: str, rule: str, words: str) -> None:  # fmt: skip
    found = refusal(malta(), text)
    assert (found.place, found.rule) == (place, rule)
    assert words in found.reason


def test_any_two_sides_that_will_do_by_themselves_make_one_operation() -> None:
    """Forces and air bases of one name are told apart. Activities, and forces called like the other's ships, are called as
    their owner called them: he would learn of those otherwise."""
    template = malta()
    texts = {}
    for side, port, ships, other in (("axis", "Taranto", "Littorio", "hood"), ("allies", "Malta", "Hood", "littorio")):
        texts[side] = (
            f'[{side}]\n[[{side}.force]]\nname = "Force"\nbase = "{port}"\nships = ["{ships}"]\n'
            f'destroyers = 3\n[[{side}.force]]\nname = "{other}"\nbase = "{port}"\ndestroyers = 2\n[[{side}.air_base]]\n'
            f'name = "Field"\nhex = "{port}"\naircraft = {{ "{"Italy" if side == "axis" else "Britain"} AAF" = 1 }}\n'
            f'[[{side}.activity]]\nname = "Go"\nkind = "seaborne invasion"\nto = "{port}"\nforces = ["Force"]\n'
        )
        check_own(template, side, texts[side])
    setup = scenario_of(template, texts).setup
    for side, other in ((Side.AXIS, "hood"), (Side.ALLIES, "littorio")):
        stations = setup.sides[side].stations
        assert stations is not UNSET
        mine = [force.id for force in stations.forces]
        assert mine == [f"Force ({side.capitalize()})", other]
        assert stations.orders[0].forces == (mine[0],) and stations.orders[0].name == "Go"
    waters = setup.public.operation
    assert waters is not UNSET and [field.base.name for field in waters.airfields[Side.AXIS]] == ["Field (Axis)"]
    assert Game.new(setup).decision(Side.AXIS) is not None


def test_what_one_side_musters_leaves_everything_public_as_it_was() -> None:
    """A patrol somewhere, an activity to somewhere: neither the sea nor anything else that all can see is another."""
    template, texts = template_of(MALTA, BOTH, "operation-malta")
    before = scenario_of(template, texts).setup.public
    more = '\n[[axis.activity]]\nname = "Secret"\nkind = "shore bombardment"\nto = "Alexandria"\nmeet = "Naples"\n'
    assert scenario_of(template, {**texts, "axis": texts["axis"] + more}).setup.public == before


def test_whoever_attacks_from_the_air_may_call_his_air_bases_as_he_likes() -> None:
    for name in ("force-z", "taranto", "pearl-harbor", "grand-harbour", "excess"):
        template, texts = template_of(scenario_text(name).decode(), BOTH, name)
        for side in BOTH:
            for word in ("Field 0", "Field 1"):
                base = f'\n[[{side}.air_base]]\nname = "{word}"\ndistance = 1\n'
                check_own(template, side, texts[side] + base)
            assert read_own(template, side, texts[side])["outline"]["sides"][SIDES[side].enemy.value]["air_bases"] == []


def test_mutated_sides_of_an_operation_are_refused_or_make_one() -> None:
    template, texts = template_of(MALTA, BOTH, "operation-malta")
    made = 0
    for seed in range(60):
        random = Random(seed)
        side = random.choice(BOTH)
        text = mutated(texts[side], random)
        told = read_own(template, side, text)
        assert told["ok"] or told["reason"], seed
        if told["ok"]:
            made += 1
            try:
                scenario_of(template, {**texts, side: text})
            except EngineError as clash:
                raise AssertionError(f"seed {seed}") from clash
    assert made > 3
    for seed in range(40):
        try:
            template_of(mutated(MALTA, Random(seed)), BOTH, "")
        except (ScenarioError, PlayerError):
            continue


def test_an_operation_begins_with_what_both_sides_mustered(home: House) -> None:
    game = Game_(home, scenario="operation-malta")
    told = game.ask("allies", "GET", "/muster").body
    assert (told["kind"], told["mover"], told["interceptor"]) == ("operation", "axis", "allies")
    assert told["ports"]["axis"] == ["Taranto", "Palermo", "Naples"]
    assert "Battle fleet" not in str(told) and "Littorio" not in str(told)
    first = game.own("axis")
    assert "port]]" not in first and "[[axis.activity]]" in first
    mine = first.replace("Battle fleet", "Iron fleet").replace('"Littorio", ', "")
    assert game.keep("axis", mine).body["ok"]
    assert game.ready("axis", mine).body == {"ready": True, "stage": "mustering"}
    assert game.ready("allies", game.own("allies")).body == {"ready": True, "stage": "playing"}
    stations = home.hall.game(game.id).game.header.setup.sides[Side.AXIS].stations
    assert stations is not UNSET and "Iron fleet" in [force.id for force in stations.forces]
    assert game.ask("axis", "GET", "").body["question"] is not None
    assert "Vittorio Veneto" not in str(game.ask("allies", "GET", "").body)


def test_an_operation_is_judged_without_what_the_sides_will_muster() -> None:
    assert read(NO_OPERATION)["ok"] and read(NO_OPERATION, BOTH)["ok"]
    bare = NO_OPERATION.replace("destroyers = 4\n", "")
    assert read(bare)["rule"] == "22.82A" and read(bare, BOTH)["ok"]
    assert read(bare, ["axis"])["rule"] == "22.421"
    assert read(NO_OPERATION.replace('name = "Malta"', 'name = "Moon"'), BOTH)["where"] == "allies.port[1].name"
