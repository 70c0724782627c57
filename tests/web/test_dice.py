"""Fair and typed dice over HTTP and in real browsers: who does what in which order, what each seat is told, what is stored,
and that everything is opened at the end, however the game ends."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import select

from flagplot.core.sides import SIDES, Side
from flagplot.core.tape import Line, Opened, Revealed, Rolled
from flagplot.play import saves
from flagplot.play.dice_proof import examine
from flagplot.play.fair_dice import FairDice, Halves, Terms, bound_share, dice_key, die
from flagplot.scenarios.loader import shipped_scenario
from flagplot.web.backup import backup, restore
from flagplot.web.database import DICE, JOURNAL, Database
from flagplot.web.forks import fork
from flagplot.web.hall import Hall
from flagplot.web.migrate import migrate
from flagplot.web.settings import Settings
from tests.play import second_verifier
from tests.properties.test_swap import build, swapped
from tests.web.browsing import fine
from tests.web.databases import KINDS, new_database, ready_database
from tests.web.visitors import Server, Visitor, new_id, play_on, serving, words

SHARES = {"axis": "11" * 32, "allies": "22" * 32}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path) as running:
        yield running


def commit(who: Visitor, share: str | None = None, **more: Any) -> Any:
    share = share or SHARES[who.seat]
    made = bound_share(who.seat, who.game, bytes.fromhex(share))
    return who.post(who.at("/dice/commit"), {"id": new_id(), "commitment": made, **more})


def opens(who: Visitor, share: str | None = None) -> Any:
    return who.post(who.at("/dice/open"), {"id": new_id(), "share": share or SHARES[who.seat]})


def types(who: Visitor, *dice: int, **more: Any) -> Any:
    return who.post(who.at("/dice/typed"), {"id": new_id(), "dice": list(dice), **more})


def settled(server: Server, **wanted: Any) -> dict[str, Visitor]:
    """A game with fair dice, both shares open."""
    people = server.seated(scenario="river-plate", dice="fair", **wanted)
    for act in (commit, opens):
        for seat in SIDES:
            if seat in people:
                answer = act(people[seat])
                assert answer.status_code == 200, answer.text
    return people


def ended(server: Server, game: str) -> list[Any]:
    """The journal of a game as it is stored."""
    with server.hall.database.read() as connection:
        lines = connection.execute(select(JOURNAL.c.line).where(JOURNAL.c.game == game).order_by(JOURNAL.c.n)).scalars()
        return [msgspec.json.decode(line, type=Line) for line in lines]


# -- fair dice -------------------------------------------------------------------------------------------------


def test_a_game_with_fair_dice_waits_for_both_shares_and_is_proven_at_its_end(server: Server) -> None:
    people = server.seated(scenario="river-plate", dice="fair")
    axis, allies = people["axis"], people["allies"]
    assert axis.view()["dice"]["state"] == "commit"
    assert play_on(people) > 0
    assert axis.view()["dice"]["waiting"] == "The dice wait for Germany and Britain to draw its share."
    assert not axis.view()["over"]
    version = axis.view()["version"]
    assert commit(axis).status_code == 200
    assert "committed" in words(opens(axis))
    assert commit(allies).json()["ok"]
    told = axis.view()["dice"]
    assert (told["state"], told["missing"]) == ("open", ["axis", "allies"])
    assert told["start"] == allies.view()["dice"]["start"] != ""
    assert told["half"] == ""
    assert opens(allies).json()["ok"]
    assert opens(axis).json()["ok"]
    assert opens(axis).status_code == 200, "sent again, it is answered again"
    assert axis.view()["version"] != version
    play_on(people)
    told = axis.view()
    assert told["over"]
    halves = {seat: people[seat].view()["dice"]["half"] for seat in SIDES}
    assert told["dice"]["secret"] == halves
    data = axis.get(axis.at("/download")).content
    proof = examine(saves.parse(data), start=told["dice"]["start"], end=told["dice"]["end"])
    assert proof.findings == []
    assert proof.proven
    assert second_verifier.verify(data, told["dice"]["start"], told["dice"]["end"]) == []


def test_every_refusal_is_a_sentence_and_changes_nothing(server: Server) -> None:
    people = server.seated(scenario="river-plate", dice="fair")
    axis, allies = people["axis"], people["allies"]
    commit(axis)
    before = ended(server, axis.game)
    copied = bound_share("axis", axis.game, bytes.fromhex(SHARES["axis"]))
    assert "somebody else's" in words(allies.post(allies.at("/dice/commit"), {"id": new_id(), "commitment": copied}))
    assert allies.post(allies.at("/dice/commit"), {"id": new_id(), "commitment": "nothing"}).status_code == 422
    assert "not typed" in words(types(allies, 1, 2)) or "no dice" in words(types(allies, 1, 2))
    assert people["host"].post(axis.at("/dice/commit"), {"id": new_id()}).status_code == 404
    assert server.visitor().post(axis.at("/dice/open"), {"id": new_id(), "share": "0" * 64}).status_code == 404
    assert ended(server, axis.game) == before
    other = server.seated(scenario="river-plate")
    assert "nobody's share" in words(commit(other["axis"]))
    assert "nobody is bound" in words(other["axis"].get(other["axis"].at("/dice")))
    assert other["axis"].view()["dice"] == {
        "mode": "system",
        "words": "The server rolls, and nobody can check it afterwards.",
    }


def test_a_bots_share_and_one_that_is_asked_for_are_the_servers_and_it_says_so(server: Server) -> None:
    people = server.seated(scenario="river-plate", dice="fair", allies="admiral")
    axis = people["axis"]
    assert axis.view()["dice"]["commitments"]["allies"]["by"] == "server"
    assert axis.post(axis.at("/dice/commit"), {"id": new_id()}).json()["ok"]
    told = axis.view()["dice"]
    assert {each["by"] for each in told["commitments"].values()} == {"server"}
    assert told["state"] == "ready" or axis.view()["over"]
    assert "drawn by the server" in axis.get(f"/games/{axis.game}").text
    bots = server.new_game(scenario="river-plate", dice="fair", axis="random", allies="random")
    assert server.hall.game(bots["game"]).game.over


@pytest.mark.parametrize("way", ["resigns", "closed by the host", "cannot be replayed", "before it began"])
def test_everything_is_opened_however_a_game_ends(server: Server, way: str) -> None:
    people = server.seated(scenario="river-plate", dice="fair") if way == "before it began" else settled(server)
    axis, game = people["axis"], people["axis"].game
    if way == "cannot be replayed":
        server.hall.close_unread(game, "stopped")
        server.hall.forget(server.hall.game(game))
    else:
        who = people["host"] if "host" in way else axis
        assert who.post(axis.at("/close"), {"why": "enough"}).json()["ok"]
    last = ended(server, game)[-1]
    assert isinstance(last, Revealed)
    assert last.ended == "closed"
    told = people["allies"].get(axis.at("/dice")).json()
    assert told["halves"] == {"axis": last.axis, "allies": last.allies}
    proof = examine(saves.parse(saves.dump(server.hall.game(game).game)))
    assert proof.findings == []
    assert proof.proven
    assert commit(axis).status_code in (400, 403, 409, 410, 422)
    if way == "resigns":
        secret = server.hall.game(game).game.header.key
        for path in (axis.at(), axis.at("/dice"), axis.at("/download"), f"/games/{game}"):
            assert secret not in people["allies"].get(path).text, (
                "what the fleets hid cannot be guessed from the hashes"
            )
        key = dice_key(
            game,
            told["edition"],
            Halves(*(bytes.fromhex(last_half) for last_half in (last.axis, last.allies))).secret,
            {side: bytes.fromhex(share) for side, share in told["shares"].items()},
        )
        for roll in told["rolls"]:
            assert roll["dice"] == [die(key, roll["draw"] + place) for place in range(len(roll["dice"]))]


def test_nothing_secret_is_told_before_its_time(server: Server) -> None:
    """The host's halves, its own shares and a side's share before it is open are in no byte that anybody receives."""
    people = server.seated(scenario="denmark-strait", dice="fair", allies="person", spectators=True)
    game = people["axis"].game
    with server.hall.database.read() as connection:
        kept = json.loads(connection.execute(select(DICE.c.secrets).where(DICE.c.game == game)).scalar_one())

    def received(who: Visitor) -> str:
        paths = [who.at(), who.at("/dice"), f"/games/{game}", f"/games/{game}/board", "/dice", f"/games/{game}/replay"]
        paths += [f"/api/games/{game}{each}" for each in ("", "/dice", "/download", "/report", "/replay")]
        return "".join(who.get(path).text for path in paths if "//" not in path)

    everybody = [*people.values(), server.visitor()]
    for act in (None, commit, opens):
        for seat in SIDES:
            if act:
                act(people[seat])
            for who in everybody:
                text = received(who)
                for name, secret in kept.items():
                    own = name == f"half {who.seat}" and act is opens and seat == "allies"
                    assert (secret in text) is own, (name, who.seat, act)
                opened = [line.share for line in ended(server, game) if isinstance(line, Opened)]
                for share in SHARES.values():
                    assert share not in text or share in opened


def test_two_games_that_differ_in_what_is_hidden_look_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Swap test: with the same secrets, the enemy is told the same of the dice, but for hashes that the host's secret salts."""
    salted = ("bound", "start")
    setup, exchange = build(Random(4))
    source = {"halves": Halves(b"\x07" * 32, b"\x08" * 32), "own": dict.fromkeys(SIDES, b"\t" * 32)}
    monkeypatch.setattr("flagplot.web.hall.new_dice", lambda mode: FairDice("the-same-name", **source))
    seen: list[list[Any]] = []
    for number, each in enumerate((setup, swapped(setup, exchange))):
        (tmp_path / str(number)).mkdir()
        with serving(tmp_path / str(number)) as server:
            made = server.hall.create(each, players=dict.fromkeys(Side, "person"), dice="fair")
            people = {seat: server.visitor().claim(f"#{made.invitations[seat]}") for seat in SIDES}
            told = [people["allies"].view()]
            for act in (commit, opens):
                for who in people.values():
                    assert act(who).status_code == 200
                    told.append(people["allies"].view())
            for _ in range(6):
                for who in people.values():
                    who.take_default()
                    told.append(people["allies"].view())
            seen.append([each["dice"] | dict.fromkeys(salted, "") | {"version": each["version"]} for each in told])
    assert seen[0] == seen[1]
    assert seen[0][-1]["half"] == "08" * 32


def test_after_a_restart_the_same_dice_fall(server: Server) -> None:
    people = settled(server)
    game = people["axis"].game
    one = server.hall.game(game).game
    again = Hall(server.hall.database, server.hall.settings).game(game).game
    assert one.dice.dice(50, 0) == again.dice.dice(50, 0)


def test_a_take_back_never_uses_a_draw_again(server: Server) -> None:
    people = settled(server, allies="random")
    axis = people["axis"]
    for _ in range(6):
        if axis.view()["over"]:
            break
        axis.take_default()
        if not axis.view()["over"]:
            axis.post(axis.at("/undo"), {"id": new_id()})
    used: list[int] = []
    for line in ended(server, axis.game):
        if isinstance(line, Rolled):
            used += range(line.draw, line.draw + len(line.dice))
    assert used == list(range(len(used)))


def test_a_battle_taken_up_again_has_other_dice(server: Server) -> None:
    people = settled(server)
    play_on(people)
    live = server.hall.game(people["axis"].game)
    made = fork(server.hall, live, 1, Side.AXIS, seat="referee")
    header = server.hall.game(made.id).game.header
    assert (header.dice, isinstance(header.fair, Terms)) == ("system", False)


def test_sides_that_muster_have_the_dice_that_were_asked_for(server: Server) -> None:
    made = server.new_game(
        scenario="denmark-strait", dice="fair", muster=True, order_of_battle="hidden", allies="admiral"
    )
    axis = server.visitor().claim(made["invitations"]["axis"])
    text = axis.get(axis.at("/muster")).json()["own"]["text"]
    answer = axis.post(axis.at("/muster/ready"), {"text": text, "ready": True})
    assert answer.status_code == 200, answer.text
    assert axis.view()["dice"]["mode"] == "fair"
    assert axis.view()["dice"]["bound"]["game"] == axis.game


def test_every_start_is_listed_also_those_that_came_to_nothing(server: Server) -> None:
    links = server.new_game(scenario="river-plate", dice="fair")["invitations"]
    server.visitor().claim(links["axis"], name="Ada")
    other = server.visitor().claim(links["allies"], name="Bea")
    other.post(other.at("/close"), {"why": "the server failed"})
    page = server.visitor().get("/dice").text
    assert "Ada and Bea" in page
    assert "closed" in page
    assert other.game not in page


@pytest.mark.parametrize("kind", KINDS)
def test_both_databases_keep_the_secrets_and_backups_hold_them(kind: str, tmp_path: Path) -> None:
    url = ready_database(kind, tmp_path)
    database = Database(url)
    migrate(database)
    hall = Hall(database, Settings(url))
    players = dict.fromkeys(Side, "person") | {Side.ALLIES: "random"}
    made = hall.create(shipped_scenario("river-plate").setup, players=players, dice="fair")
    typed = hall.create(shipped_scenario("river-plate").setup, players=players, dice="typed")
    with database.read() as connection:
        assert connection.execute(select(DICE.c.game)).scalars().all() == [made.id]
    halves = hall.game(made.id).game.dice.halves  # type: ignore[attr-defined]
    hall.close(made.id, "enough")
    hall.close(typed.id, "enough")
    again = Hall(database, Settings(url))
    assert isinstance(again.game(made.id).game.dice_lines[-1], Revealed)
    assert again.game(made.id).game.dice.halves == halves  # type: ignore[attr-defined]
    copy = tmp_path / "copy"
    backup(database, copy)
    database.close()
    (tmp_path / "new").mkdir()
    other = new_database(kind, tmp_path / "new")
    restore(Database(other), copy)
    restored = Hall(Database(other), Settings(other))
    assert restored.game(made.id).game.dice.halves == halves  # type: ignore[attr-defined]


# -- typed dice ------------------------------------------------------------------------------------------------


def test_real_dice_are_typed_by_one_side_and_confirmed_by_the_other(server: Server) -> None:
    people = server.seated(scenario="river-plate", dice="typed")
    axis, allies = people["axis"], people["allies"]
    assert "no dice are rolled" in words(types(axis, 1, 2))
    play_on(people)
    due = axis.view()["dice"]["due"]
    assert due == {"dice": 2, "side": "axis", "rule": "22.55", "number": "2 dice"}
    assert "2 dice" in words(types(axis, 1))
    id = new_id()
    assert types(axis, 3, 4, id=id).json()["ok"]
    assert types(axis, 3, 4, id=id).json()["ok"], "sent again, it counts once"
    assert allies.view()["dice"]["entered"] == {"axis": [3, 4]}
    assert not any(isinstance(line, Rolled) for line in ended(server, axis.game))
    types(allies, 3, 5)
    assert not any(isinstance(line, Rolled) for line in ended(server, axis.game))
    types(axis, 3, 5)
    assert [line.dice for line in ended(server, axis.game) if isinstance(line, Rolled)] == [[3, 5]]
    assert [line.source for line in ended(server, axis.game) if isinstance(line, Rolled)] == ["typed"]
    while not axis.view()["over"]:
        if not play_on(people):
            due = axis.view()["dice"]["due"]
            for who in (axis, allies):
                types(who, *[6] * due["dice"])
    proof = examine(saves.parse(axis.get(axis.at("/download")).content))
    assert proof.findings == []
    assert "battle is over" in words(types(axis, 1, 2))


def test_at_one_screen_and_against_a_bot_typing_once_is_enough(server: Server) -> None:
    made = server.new_game(scenario="river-plate", dice="typed", hot_seat=True)
    both = server.visitor().claim(made["hot_seat"])
    while not server.hall.game(both.game).game.roll_due():
        for seat in SIDES:
            asked = both.get(f"{both.at()}?as={seat}").json()["question"]
            if asked:
                body = {"id": new_id(), "question": asked["number"], "answer": asked["form"]["default"]}
                both.post(f"{both.at('/answers')}?as={seat}", body)
    both.post(f"{both.at('/dice/typed')}?as=allies", {"id": new_id(), "dice": [2, 2]})
    rolled = [line for line in ended(server, both.game) if isinstance(line, Rolled)]
    assert [line.dice for line in rolled] == [[2, 2]]
    alone = server.seated(scenario="river-plate", dice="typed", allies="random")["axis"]
    while not alone.view()["dice"]["due"]:
        alone.take_default()
    types(alone, *[1] * alone.view()["dice"]["due"]["dice"])
    assert any(isinstance(line, Rolled) for line in ended(server, alone.game))


# -- luck ------------------------------------------------------------------------------------------------------


def test_luck_is_on_the_page_of_a_finished_game_and_on_its_replay(server: Server) -> None:
    people = settled(server)
    axis = people["axis"]
    assert "luck-table" not in axis.get(f"/games/{axis.game}").text
    play_on(people)
    for path in (f"/games/{axis.game}", f"/games/{axis.game}/replay"):
        page = axis.get(path).text
        assert "hits by gunfire" in page
        assert "as bad or worse" in page


# -- in browsers -----------------------------------------------------------------------------------------------


def make_game(page: Page, **wanted: Any) -> dict[str, Any]:
    page.goto("/new?scenario=river-plate")
    body = {"scenario": "river-plate", "axis": "person", "allies": "person"} | wanted
    script = """async (body) => (await fetch('/api/games', {method: 'POST',
        headers: {'content-type': 'application/json'}, body: JSON.stringify(body)})).json()"""
    made: dict[str, Any] = page.evaluate(script, body)
    return made


def sit(page: Page, link: str) -> None:
    page.goto("/")
    script = """async (token) => (await fetch('/api/claim', {method: 'POST',
        headers: {'content-type': 'application/json'}, body: JSON.stringify({token})})).json()"""
    page.evaluate(script, link.partition("#")[2])


def test_two_browsers_settle_fair_dice_by_themselves_and_see_the_same_code(people: Any) -> None:
    axis, allies = people(), people()
    made = make_game(axis, dice="fair")
    for page, side in ((axis, "axis"), (allies, "allies")):
        sit(page, made["invitations"][side])
    axis.goto(f"/games/{made['game']}")
    expect(axis.locator("#part-dice")).to_contain_text("Still to come: Britain")
    allies.goto(f"/games/{made['game']}")
    for page in (axis, allies):
        expect(page.locator("#part-dice h2")).to_contain_text("settled")
        expect(page.locator("#start-code")).to_be_visible()
    assert axis.locator("#start-code").inner_text() == allies.locator("#start-code").inner_text()
    kept = "Object.keys(localStorage).filter((name) => name.startsWith('flagplot-dice')).map((n) => n.split('-')[2]).sort()"
    until = time.monotonic() + 10
    while axis.evaluate(kept) != ["half", "start"]:  # the share is forgotten once it is open
        assert time.monotonic() < until
        time.sleep(0.05)
    axis.locator("#dice-fold summary").click()
    expect(axis.locator("#part-dice")).to_contain_text("It does not prevent that the host looks ahead")
    fine(axis, "fair dice", "#part-dice")
    told = axis.evaluate(f"fetch('/api/games/{made['game']}').then((answer) => answer.json())")["dice"]
    assert {each["by"] for each in told["commitments"].values()} == {"page"}


def test_a_changed_start_code_is_told_and_a_share_of_another_browser_is_asked_for(people: Any) -> None:
    axis, allies = people(), people()
    made = make_game(axis, dice="fair")
    sit(axis, made["invitations"]["axis"])
    axis.goto(f"/games/{made['game']}")
    expect(axis.locator("#part-dice")).to_contain_text("Still to come: Britain")
    axis.evaluate("localStorage.clear()")  # as if it had been drawn elsewhere
    sit(allies, made["invitations"]["allies"])
    allies.goto(f"/games/{made['game']}")
    expect(axis.locator("#dice-said")).to_contain_text("drawn in another browser")
    assert not allies.evaluate("fetch(location.pathname.replace('/games', '/api/games')).then((a) => a.json())")["over"]


def test_real_dice_are_typed_and_confirmed_on_the_page(people: Any) -> None:
    axis, allies = people(), people()
    made = make_game(axis, dice="typed")
    for page, side in ((axis, "axis"), (allies, "allies")):
        sit(page, made["invitations"][side])
        page.goto(f"/games/{made['game']}")
    for _ in range(8):
        for page in (axis, allies):
            if page.locator("#commit").is_visible():
                before = page.locator("#board").get_attribute("data-seen")
                page.locator("#commit").click()
                expect(page.locator("#board")).not_to_have_attribute("data-seen", before or "")
        if axis.locator("#real-dice").is_visible():
            break
    expect(axis.locator("#question")).to_contain_text("Germany rolls 2 dice")
    axis.locator("#typed-dice").fill("7")
    axis.locator("#real-dice button[type=submit]").click()
    expect(axis.locator("#dice-said")).to_contain_text("Dice show 1 to 6")
    axis.locator("#typed-dice").fill("3, 4")
    axis.locator("#typed-dice").press("Enter")
    expect(axis.locator("#part-dice")).to_contain_text("You read")
    expect(allies.locator("#confirm-dice")).to_have_text("Confirm: 3, 4")
    fine(allies, "typed dice", "#part-dice")
    allies.locator("#confirm-dice").click()
    expect(allies.locator("#part-dice")).to_contain_text("No dice are due")


def test_the_set_up_page_offers_dice_and_the_list_is_readable(people: Any) -> None:
    page = people()
    page.goto("/new?scenario=river-plate")
    page.locator("input[name=dice][value=fair]").check()
    fine(page, "the choice of dice", ".dice-choice")
    page.goto("/dice")
    fine(page, "the list of starts")
