"""Mustering: each side in private, the battle when all are ready; and nothing of it to anybody else."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from flagplot.core.errors import PlayerError, ScenarioError
from flagplot.core.sides import SIDES, Side
from flagplot.play.game import Game
from flagplot.scenarios.loader import list_scenarios, parse_scenario, scenario_text
from flagplot.scenarios.ships import all_ships
from flagplot.web.limits import Buckets
from flagplot.web.muster import Muster, find
from flagplot.web.muster_text import Template, check_own, read_own, restored, scenario_of, stored, template_of
from flagplot.web.setup_outline import NOTHING, read
from tests.web.databases import KINDS, ready_database
from tests.web.faults import WAYS, House, Told, at_least, house

BOTH = ("axis", "allies")
ON_BOTH = pytest.mark.parametrize("home", KINDS, indirect=True)
SCALE = int(os.environ.get("SCALE", "1"))
MIDWAY = scenario_text("midway").decode()
BATTLES = [each.name for each in list_scenarios() if each.setup.public.kind != "war"]
SMALL = '[allies]\n[[allies.force]]\nname = "TF 1"\ndestroyers = 2\n'
LARGE = '[allies]\nsubmarines = { "United States" = 3 }\n' + "".join(
    f'[[allies.force]]\nname = "TF {n}"\nships = ["{name}"]\ndestroyers = 6\ncruisers = 4\n'
    for n, name in enumerate(("Enterprise", "Hornet", "Yorktown", "Washington", "North Carolina"))
)
JAPAN = '[axis]\n[[axis.force]]\nname = "First"\nships = ["Kongo"]\ndestroyers = 3\n'


def midway(people: tuple[str, ...] = BOTH, text: str = MIDWAY) -> Template:
    return template_of(text, people, "midway")[0]


def refusal(template: Template, side: str, text: str) -> ScenarioError:
    with pytest.raises(ScenarioError) as caught:
        check_own(template, side, text)
    return caught.value


# -- the text of one side ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BATTLES)
def test_what_the_host_wrote_for_a_side_is_what_it_begins_with(name: str) -> None:
    text = scenario_text(name).decode()
    template, texts = template_of(text, BOTH, name)
    assert restored(stored(template)) == template
    for side in BOTH:
        check_own(template, side, texts[side])
        assert read_own(template, side, texts[side])["ok"]
        settled = {"name", "nation", "port"} if name.startswith("operation-") else {"name", "nation"}
        assert set(template.sides[side]) == settled
    made = scenario_of(template, texts).setup
    assert made == parse_scenario(text, name).setup.with_order_of_battle("hidden")


def test_nobody_musters_for_a_war_in_private() -> None:
    with pytest.raises(ScenarioError, match="everything in the strategic war lies open"):
        template_of(scenario_text("war").decode(), BOTH, "war")


@pytest.mark.parametrize(
    ("text", "place", "rule", "words"),
    [
        ('title = "x"\n[axis]\n', "the text, line 1, title", "", "your own side and nothing else"),
        ('[axis]\n[allies]\nname = "x"\n', "the text, line 2, allies", "", "leave this out"),
        ('[axis]\nname = "x"\n', "the text, line 2, axis.name", "", "the host has settled the name"),
        ('[axis]\nnation = "Italy"\n', "the text, line 2, axis.nation", "", "the host has settled the nation"),
        ("", "the text, axis", "22.31", "has no forces"),
        ('[axis]\n[[axis.force]]\nname = "A"\nships = ["Kong"]\n', "the text, line 4, axis.force[1].ships[1]", "20.11", "Kongo"),
        (JAPAN.replace("Kongo", "Hood"), "the text, line 4, axis.force[1].ships[1]", "22.112", "Britain is not among"),
        (JAPAN + 'also = [{ nation = "Greece", destroyers = 1 }]\n', "the text, line 6, axis.force[1].also[1].nation", "22.112", "Greece"),
        (JAPAN.replace("[axis]\n", "[axis]\nsubmarines = { Britain = 1 }\n"), "the text, line 2, axis.submarines.Britain", "22.112", "its submarines"),
        (JAPAN + '[[axis.air_base]]\nname = "Truk"\ndistance = 1\naircraft = { "France AAF" = 1 }\n', "the text, line 9, axis.air_base[1].aircraft.France AAF", "22.112", "its aircraft"),
        (JAPAN.replace("destroyers = 3", "destroyers = 30"), "the text, line 2, axis.force[1]", "20.162", "at most 25 factors"),
        ("[axis\n", "the text, line 1", "", "not valid TOML"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_at_its_own_line_with_its_rule(text: str, place: str, rule: str, words: str) -> None:
    found = refusal(midway(), "axis", text)
    assert (found.place, found.rule) == (place, rule)
    assert words in found.reason
    assert not read_own(midway(), "axis", text)["ok"]


def test_nations_are_settled_by_the_host_and_else_as_they_stood() -> None:
    usual = midway().nations
    assert not set(usual["axis"]) & set(usual["allies"])
    assert {"Germany", "Italy", "Japan"} <= set(usual["axis"]) and {"Britain", "France"} <= set(usual["allies"])
    french = NOTHING.replace('mission = "raid"', 'mission = "raid"\nalso = [{ nation = "France", destroyers = 2 }]')
    assert "France" in midway(("allies",), french.replace("raid", "patrol") + "destroyers = 1\n").nations["axis"]
    other = NOTHING.replace('name = "Britain"\nnation = "Britain"', 'name = "Italy"\nnation = "Italy"')
    assert "Italy" in midway(BOTH, other).nations["allies"]


def test_any_two_texts_that_will_do_by_themselves_make_one_battle() -> None:
    """Whatever the one has, the other is never refused for it: air bases of one name, all nations, all ships."""
    random = Random(7)
    template = midway()
    ships = [ship for ship in all_ships().values() if ship.size <= 4]
    fields = ["Malta", "Truk", "Malta (Axis)", "M" * 80]
    made = 0
    for _ in range(90):
        texts = {}
        for side in BOTH:
            nations = template.nations[side]
            mine = [ship for ship in ships if ship.nation in nations and not ship.is_carrier]
            rows = [f"[{side}]", f'submarines = {{ "{random.choice(nations)}" = 2 }}']
            bases = random.sample(fields, random.randrange(4))
            if bases and random.random() < 0.5:
                rows.append(f'winter_air = ["{bases[0]}"]')
            for n, ship in enumerate(random.sample(mine, 3)):
                name = f'{{ name = "{ship.name}", nation = "{ship.nation}" }}'
                rows += [f"[[{side}.force]]", f'name = "Force {n}"', f"ships = [{name}]"]
            for name in bases:
                unit = f"{random.choice(nations)} AAF"
                rows += [f"[[{side}.air_base]]", f'name = "{name}"', "distance = 1", f'aircraft = {{ "{unit}" = 1 }}']
            texts[side] = "\n".join(rows)
        try:
            for side in BOTH:
                check_own(template, side, texts[side])
        except ScenarioError:
            continue  # by itself it will not do: a nation without naval units, say
        made += 1
        air = scenario_of(template, texts).setup.public.air
        names = [base.name for side in Side for base in air[side].bases]
        assert len(names) == len(set(names))
        for side in Side:
            assert set(air[side].winter) <= {base.name for base in air[side].bases}
    assert made > 30


def test_a_set_up_is_judged_without_what_the_sides_will_muster() -> None:
    assert not read(NOTHING)["ok"]
    assert read(NOTHING, BOTH)["ok"]
    one = read(NOTHING, ["axis"])
    assert (one["ok"], one["rule"], one["where"]) == (False, "22.421", "allies.force[1]")
    assert read(NOTHING.replace('theatre = "Europe"', 'theatre = "Mars"'), BOTH)["where"] == "theatre"
    ambush = NOTHING.replace('theatre = "Europe"', 'theatre = "Europe"\nkind = "submarine attack"')
    assert read(ambush, BOTH)["ok"]
    with pytest.raises(PlayerError):  # what no set-up can hold cannot be handed on either
        template_of(NOTHING.replace('mission = "raid"', "mission = 1.5"), BOTH, "")


def mutated(text: str, random: Random) -> str:
    """A text with something done to it."""
    pieces = ["axis = 3\n", "[axis]\n", "[[axis.force]]\n", "name = 1.5\n", "ships = [1]\n", "force = 3\n", "x = 1979-05-27\n", "{", "[", '"', "= nan", "also = [{}]\n", "[options]\n", 'air_base = [{ name = "A", distance = 1 }]\n', "é🚢"]  # fmt: skip
    for _ in range(random.choice((1, 2, 4, 8))):
        at = random.randrange(len(text) + 1)
        to = at + random.choice((1, 3, 20, 200))
        rows = text.split("\n")
        text = random.choice(
            (
                text[:at] + text[to:],
                text[:at] + text[at:to] + text[at:],
                text[:at] + random.choice(pieces) + text[at:],
                "\n".join(row for row in rows if row != random.choice(rows)),
                "\n".join(random.sample(rows, len(rows))),
            )
        )
    return text


def muster_mutated(seeds: range) -> None:
    """Texts of a side and of a host only give refusals, and what will do makes a battle."""
    template, texts = template_of(MIDWAY, BOTH, "midway")
    for seed in seeds:
        random = Random(seed)
        text = mutated(texts["axis"], random)
        told = read_own(template, "axis", text)
        assert told["ok"] or told["reason"], seed
        if told["ok"]:
            scenario_of(template, {"axis": text, "allies": LARGE})
        try:
            whole = mutated(scenario_text(random.choice(BATTLES)).decode(), random)
            found, begin = template_of(whole, random.choice((BOTH, ("axis",), ("allies",))), "")
        except (ScenarioError, PlayerError):
            continue
        assert restored(stored(found)) == found
        for side, first in begin.items():
            read_own(found, side, first)


def test_mutated_texts_are_refused_or_make_a_battle() -> None:
    muster_mutated(range(120))


@pytest.mark.long
def test_many_mutated_texts_are_refused_or_make_a_battle() -> None:
    muster_mutated(range(1_000, 1_000 + 4_000 * SCALE))


# -- the server ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=["sqlite"])
def home(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(ready_database(request.param, tmp_path_factory.mktemp("muster"))) as made:
        made.client.app.state.setups_read = Buckets(10**8)  # type: ignore[attr-defined]
        yield made


class Game_:
    """A game whose sides muster, with everybody in his seat."""

    def __init__(self, home: House, **wanted: Any) -> None:
        self.home = home
        body = {"scenario": "midway", "axis": "person", "allies": "person", "muster": True, **wanted}
        told = home.ask("POST", "/api/games", body)
        assert told.status == 201, told
        self.id = told.body["game"]
        self.path = f"/api/games/{self.id}"
        self.tokens = {}
        for seat, link in told.body["invitations"].items():
            claimed = home.ask("POST", "/api/claim", {"token": link.partition("#")[2]})
            self.tokens[seat] = claimed.body["token"]
        home.client.cookies.clear()

    def ask(self, seat: str, method: str, path: str, body: object = None) -> Told:
        return self.home.ask(method, f"{self.path}{path}", body, self.tokens.get(seat, ""))

    def keep(self, seat: str, text: str) -> Told:
        return self.ask(seat, "POST", "/muster", {"text": text})

    def ready(self, seat: str, text: str, *, ready: bool = True) -> Told:
        return self.ask(seat, "POST", "/muster/ready", {"text": text, "ready": ready})

    def state(self, seat: str = "host") -> dict[str, Any]:
        told = self.ask(seat, "GET", "/muster/state")
        assert told.status == 200, told
        return dict(told.body)

    def own(self, seat: str) -> str:
        return str(self.ask(seat, "GET", "/muster").body["own"]["text"])


def test_two_sides_muster_and_the_battle_is_what_they_mustered(home: House) -> None:
    game = Game_(home)
    assert game.state() == {"stage": "mustering", "state": {"axis": "not ready", "allies": "not ready"}, "closed": ""}
    assert game.keep("axis", "[axis]\n").body["rule"] == "22.31"
    assert game.own("axis") == "[axis]\n"
    assert game.keep("axis", JAPAN).body["ok"]
    changes = [{"path": ["axis", "force", 0, "destroyers"], "value": 5}]
    changed = game.ask("axis", "POST", "/muster/change", {"text": JAPAN, "changes": changes}).body
    assert changed["ok"] and changed["outline"]["sides"]["allies"]["forces"] == []
    assert game.own("axis") == changed["text"] == JAPAN.replace("destroyers = 3", "destroyers = 5")
    assert game.ready("axis", changed["text"]).body == {"ready": True, "stage": "mustering"}
    assert game.state()["state"] == {"axis": "ready", "allies": "not ready"}
    assert game.keep("axis", "[axis]\n").status == 409  # sealed
    assert game.ready("axis", changed["text"]).body == {"ready": True, "stage": "mustering"}  # sent again
    assert game.ready("axis", JAPAN).status == 409  # not the text that was sealed
    assert game.ready("axis", "", ready=False).body == {"ready": False, "stage": "mustering"}
    assert game.keep("axis", JAPAN).status == 200
    assert game.ready("axis", JAPAN).status == 200
    assert game.ready("allies", LARGE).body == {"ready": True, "stage": "playing"}
    assert game.ready("allies", LARGE).body == {"ready": True, "stage": "playing"}  # the answer was lost: sent again
    assert game.ready("axis", "", ready=False).status == 409
    assert game.keep("axis", JAPAN).status == 409
    assert game.ask("axis", "GET", "/muster").body == {"stage": "playing", "address": f"/games/{game.id}"}
    setup = home.hall.game(game.id).game.header.setup
    assert setup.public.order_of_battle == "hidden"
    assert [force.light for force in setup.sides[Side.AXIS].forces] == [{"Japan/DD": 3}]
    assert [force.name for force in setup.sides[Side.ALLIES].forces] == [f"TF {n}" for n in range(5)]
    assert game.ask("axis", "GET", "").body["question"] is not None
    with home.database.read() as connection:
        rows = connection.exec_driver_sql(f"select count(*) from musters where game = '{game.id}'").scalar_one()
        template = connection.exec_driver_sql(f"select template from games where id = '{game.id}'").scalar_one()
    assert (rows, template) == (0, None)  # what was mustered is kept in one place only


def test_what_will_not_do_is_not_sealed(home: House) -> None:
    game = Game_(home)
    told = game.ready("axis", JAPAN.replace("Kongo", "Hood"))
    assert told.status == 422 and told.body["rule"] == "22.112" and "line 4" in told.body["reason"]
    assert game.ready("axis", "format = 1").body["rule"] == "set-up"
    assert game.state()["state"]["axis"] == "not ready"


def test_a_bot_brings_what_the_set_up_gives_it(home: House) -> None:
    game = Game_(home, allies="admiral")
    assert game.state()["state"] == {"axis": "not ready", "allies": "ready"}
    assert game.ready("axis", JAPAN).body["stage"] == "playing"
    setup = home.hall.game(game.id).game.header.setup
    assert setup.sides[Side.ALLIES] == parse_scenario(MIDWAY, "midway").setup.sides[Side.ALLIES]


def test_options_are_kept_and_those_that_are_none_refused_at_once(home: House) -> None:
    game = Game_(home, allies="admiral", options={"evaded_engagement": "spent"})
    game.ready("axis", JAPAN)
    assert home.hall.game(game.id).game.header.options["evaded_engagement"] == "spent"
    body = {"scenario": "midway", "axis": "person", "muster": True, "options": {"nothing": "x"}}
    assert home.ask("POST", "/api/games", body).status == 422


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"axis": "admiral", "allies": "random"}, "at least one side must be a person's"),
        ({"order_of_battle": "open"}, "22.423B"),
        ({"text": NOTHING.replace("Germany", "Britain")}, "22.112"),
        ({"text": NOTHING, "allies": "admiral"}, "22.421"),
    ],
)
def test_a_muster_that_cannot_be_is_not_opened(home: House, more: dict[str, Any], words: str) -> None:
    body = {"scenario": "midway", "axis": "person", "allies": "person", "muster": True, **more}
    told = home.ask("POST", "/api/games", body)
    assert told.status == 422 and words in told.body["refused"]


def test_there_is_no_battle_to_look_at_before_it_has_begun(home: House) -> None:
    game = Game_(home, spectators=True, listed=True, referee=True)
    for seat in ("axis", "host", "referee", "nobody"):
        for path in ("", "/stream", "/report", "/download", "/replay", "/replay/0"):
            told = game.ask(seat, "GET", path)
            assert told.status == 409 and f"go to /games/{game.id}/muster" in told.body["refused"], (seat, path)
    id = {"id": "a" * 12}
    for path, body in (("/answers", {**id, "question": 0, "answer": {}}), ("/check", {"answer": {}}), ("/undo", id)):
        assert game.ask("axis", "POST", path, body).status == 409, path
    page = home.client.get(f"/games/{game.id}?as=axis", follow_redirects=False)
    assert (page.status_code, page.headers["location"]) == (303, f"/games/{game.id}/muster?as=axis")
    assert "mustering" in home.client.get("/").text
    assert [each["stage"] for each in home.ask("GET", "/api/games").body if each["id"] == game.id] == ["mustering"]


def test_strangers_see_nothing_and_a_seat_only_its_own(home: House) -> None:
    game = Game_(home, referee=True)
    unknown = home.ask("GET", f"/api/games/{'x' * 22}/muster")
    assert game.ask("nobody", "GET", "/muster") == unknown and unknown.status == 404
    for path, body in (("/muster", {"text": ""}), ("/muster/ready", {"text": "", "ready": True}), ("/muster/change", {"text": "", "changes": [{"path": ["x"]}]})):  # fmt: skip
        for seat in ("nobody", "host", "referee"):
            assert game.ask(seat, "POST", path, body).status == 404
    game.keep("axis", JAPAN)
    for seat in ("allies", "host", "referee"):
        assert "Kongo" not in json.dumps(game.ask(seat, "GET", "/muster").body)
    assert game.ask("host", "GET", "/muster").body["own"] is None


def test_a_muster_can_be_closed_and_resigned(home: House) -> None:
    for seat, words in (("host", "closed by the host: late"), ("axis", "Japan resigns: late")):
        game = Game_(home)
        assert game.ask(seat, "POST", "/close", {"why": "late"}).status == 200
        assert game.state()["closed"] == words
        assert game.keep("axis", JAPAN).status == game.ready("axis", JAPAN).status == 409
        assert game.ready("axis", "", ready=False).status == 409
        assert game.ask(seat, "POST", "/close", {}).status == 409
    assert game.ask("nobody", "POST", "/close", {}).status == 404


def test_the_host_seats_somebody_else_while_the_sides_muster(home: House) -> None:
    game = Game_(home)
    told = game.ask("host", "POST", "/reseat", {"name": "axis"})
    assert told.status == 200 and game.ask("axis", "GET", "/muster").status == 404
    assert [note["seat"] for note in game.ask("allies", "GET", "/muster").body["notes"]] == ["host"]


@pytest.mark.parametrize(
    ("home", "times"), [("sqlite", 8), pytest.param("postgresql", 40, marks=pytest.mark.long)], indirect=["home"]
)
def test_both_press_ready_at_once_and_the_battle_begins_once(home: House, times: int) -> None:
    press_at_once(home, times)


def press_at_once(home: House, times: int) -> None:
    for _ in range(times):
        game = Game_(home)
        told: dict[str, Told] = {}

        def press(seat: str, text: str, game: Game_ = game, told: dict[str, Told] = told) -> None:
            told[seat] = game.ready(seat, text)

        threads = [threading.Thread(target=press, args=each) for each in (("axis", JAPAN), ("allies", SMALL))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert sorted(each.body["stage"] for each in told.values()) == ["mustering", "playing"]
        assert game.state()["stage"] == "playing"


# -- secrets --------------------------------------------------------------------------------------------------

LOOKS = ("", "/muster", "/muster/state", "/seats", "/stream", "/report", "/download", "/replay", "/turn")


def everything(game: Game_, seat: str) -> list[tuple[str, int, bytes, dict[str, str]]]:
    """All that a seat receives, its own game's id masked."""
    received = []
    headers = {"authorization": f"Bearer {game.tokens[seat]}"} if seat in game.tokens else {}
    for path in [*(f"{game.path}{each}" for each in LOOKS), f"/games/{game.id}/muster", f"/games/{game.id}/seats", "/"]:
        told = game.home.client.get(path, headers=headers, follow_redirects=False)
        masked = told.content.replace(game.id.encode(), b"GAME")
        named = {name: value.replace(game.id, "GAME") for name, value in told.headers.items()}
        received.append((path.replace(game.id, "GAME"), told.status_code, masked, named))
    return received


SECRETS = {
    "nothing at all": ["[axis]\n"],
    "a few ships": [JAPAN],
    "a text that cannot be read": ["[axis", JAPAN],
    "many drafts": [JAPAN, "[axis]\n", "# " + "x" * 5_000, JAPAN.replace("Kongo", "Hood"), JAPAN + "# " + "y" * 900],
}


def mustered(home: House, drafts: list[str], *, seal: bool) -> Game_:
    """A game in which the axis has written these drafts, errs, and seals the last or does not."""
    game = Game_(home, spectators=True, referee=True)
    game.keep("allies", SMALL)
    for text in drafts:
        game.keep("axis", text)
        game.ready("axis", "[axis]\n")  # refused
    if seal:
        assert game.ready("axis", JAPAN.replace("destroyers = 3", f"destroyers = {len(drafts)}")).status == 200
    return game


@pytest.mark.parametrize("seal", [False, True])
def test_whatever_one_side_musters_the_others_receive_the_same_bytes(home: House, seal: bool) -> None:
    games = {name: mustered(home, drafts, seal=seal) for name, drafts in SECRETS.items()}
    for seat in ("allies", "host", "referee", "spectator"):
        received = {name: everything(game, seat) for name, game in games.items()}
        first = received["nothing at all"]
        assert any(path.endswith("/muster/state") and status == 200 for path, status, _, _ in first)
        for name, told in received.items():
            assert told == first, (seat, name)


@pytest.mark.parametrize("leak", ["length", "drafts", "wrong"])
def test_the_comparison_finds_leaks_that_were_planted(home: House, leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    state = Muster.state

    def leaking(muster: Muster) -> dict[str, str]:
        with home.database.read() as connection:
            found = find(connection, muster.id, SIDES)
        assert found is not None and set(muster.texts) <= {"allies"}  # the other's text is not even read
        text = found.texts["axis"]
        wrong = not read_own(muster.template, "axis", text)["ok"]
        return state(muster) | {"x": {"length": str(len(text)), "drafts": text[:1], "wrong": str(wrong)}[leak]}

    monkeypatch.setattr(Muster, "state", leaking)
    one, other = (everything(mustered(home, drafts, seal=False), "allies") for drafts in ([JAPAN], ["# x"]))
    assert one != other


def test_what_the_other_side_is_told_when_it_presses_ready_does_not_depend_on_mine(home: House) -> None:
    """Its refusals and answers come from its own text alone, even where the two clash."""
    clashing = SMALL + '[[allies.air_base]]\nname = "Truk"\ndistance = 1\naircraft = { "Britain AAF" = 1 }\n'
    answers = []
    for mine in (JAPAN, JAPAN + '[[axis.air_base]]\nname = "Truk"\ndistance = 2\naircraft = { "Japan AAF" = 2 }\n'):
        game = Game_(home)
        assert game.ready("axis", mine).status == 200
        answers.append(
            [
                game.keep("allies", clashing),
                game.ready("allies", clashing.replace("Britain", "Italy")),
                game.ready("allies", clashing),
            ]
        )
    assert answers[0] == answers[1]
    bases = home.hall.game(game.id).game.header.setup.public.air
    assert {base.name for side in Side for base in bases[side].bases} == {"Truk (Axis)", "Truk (Allies)"}


# -- faults ---------------------------------------------------------------------------------------------------


def stored_rows(home: House, id: str) -> list[Any]:
    with home.database.read() as connection:
        return [
            connection.exec_driver_sql(f"select {what} = '{id}'").all()
            for what in (
                "seat, text, ready from musters where game",
                "stage, template, header, lines, closed from games where id",
                "count(*) from journal where game",
            )
        ]


@ON_BOTH
@pytest.mark.parametrize("way", WAYS)
def test_a_failing_call_when_the_battle_begins_leaves_the_muster_or_the_battle(home: House, way: str) -> None:
    number, more = 0, True
    while more:
        number += 1
        game = Game_(home)
        game.keep("allies", SMALL)
        game.ready("axis", JAPAN)
        before = stored_rows(home, game.id)
        home.faults.arm(number, way)
        told = game.ready("allies", SMALL)
        more = home.faults.made >= number
        home.faults.heal()
        assert told.status in ((200, 503) if home.faults.failed else (200,)), (number, told)
        if told.status == 503 and game.state()["stage"] == "mustering":
            assert stored_rows(home, game.id) == before, number
        again = game.ready("allies", SMALL)
        assert again.body == {"ready": True, "stage": "playing"}, (number, told, again)
        begun = home.hall.game(game.id).game
        assert Game(begun.header, begun.journal).battle == begun.battle
        assert game.ask("axis", "GET", "").body["question"] is not None
    assert number > at_least(6, way)


@ON_BOTH
@pytest.mark.parametrize("way", WAYS)
def test_a_failing_call_while_a_muster_is_opened_or_kept_leaves_the_old_or_the_new(home: House, way: str) -> None:
    body = {"scenario": "midway", "axis": "person", "allies": "person", "muster": True}
    number, more = 0, True
    while more:
        number += 1
        home.faults.arm(number, way)
        told = home.ask("POST", "/api/games", body)
        more = home.faults.made >= number
        home.faults.heal()
        assert told.status in (201, 503)
    game = Game_(home)
    for place, text in enumerate((JAPAN, "[axis]\n")):
        old = game.own("axis")
        number, more = 0, True
        while more:
            number += 1
            home.faults.arm(number, way)
            told = game.keep("axis", text)
            more = home.faults.made >= number
            home.faults.heal()
            assert told.status in (200, 503) and game.own("axis") in (old, text), (place, number)
            assert told.status != 200 or game.own("axis") == text
    with home.database.read() as connection:
        assert connection.exec_driver_sql("select count(*) from musters m left join games g on g.id = m.game where g.id is null").scalar_one() == 0  # fmt: skip


def test_a_muster_outlives_the_server(tmp_path: Path) -> None:
    url = ready_database("sqlite", tmp_path)
    with house(url) as first:
        game = Game_(first)
        game.keep("allies", SMALL)
        game.ready("axis", JAPAN)
    with house(url) as second:
        game.home = second
        assert game.state()["state"] == {"axis": "ready", "allies": "not ready"} and game.own("allies") == SMALL
        assert game.ready("allies", SMALL).body["stage"] == "playing"
        assert set(SIDES) == {"axis", "allies"}
