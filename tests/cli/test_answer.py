"""`flagplot turn`, `answer` and `take`: a game by letter, in the terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flagplot.core.sides import Side
from flagplot.play.correspondence import Own, head_of, name_of, read_reply, turn_file
from flagplot.play.game import Game
from flagplot.play.saves import load
from flagplot.play.saves import save as write
from flagplot.scenarios.loader import load_scenario
from tests.cli.conftest import Run


def hosted(path: Path, name: str = "denmark-strait") -> Game:
    """A game between two people that its host keeps in a file."""
    scenario = load_scenario(name)
    game = Game.new(
        scenario.setup, scenario=name, edition=scenario.edition, options=scenario.options, people=list(Side)
    )
    write(game, path)
    return game


def test_a_whole_battle_is_played_by_letter_without_a_server(run: Run, tmp_path: Path) -> None:
    game = tmp_path / "plate.flagplot"
    hosted(game, "river-plate")
    taken, answers = 0, 0
    while not load(game).over:
        for side in Side:
            if load(game).over or load(game).decision(side) is None:
                continue
            made = json.loads(run("turn", str(game), "--side", side.value, "--json").stdout)
            told = run("answer", made["file"], "--json", lines=[""])
            assert told.exit_code == 0, told.output
            lines = [json.loads(line) for line in told.stdout.splitlines()]
            assert lines[0]["type"] == "turn" and lines[-1]["type"] == "saved"
            took = run("take", lines[-1]["file"], str(game), "--json")
            assert took.exit_code == 0, took.output
            taken += 1
        answers += 1
        assert answers < 200
    assert taken >= 4
    over = run("turn", str(game), "--side", "axis", "--out", "last.turn")
    assert "Nothing is asked of that side now" in over.output
    assert "The game is over" in run("answer", "last.turn").output


def test_a_person_is_told_what_happened_asked_and_refused_in_words(run: Run, tmp_path: Path) -> None:
    hosted(tmp_path / "g.flagplot", "midway")
    run("turn", "g.flagplot", "--side", "axis", "--out", "a.turn")
    lines = [
        "help",
        "why",
        "chart",
        "log",
        "odds",
        "rule 22.421",
        "legal",
        "nonsense=7",
        "say good luck",
        "note watch CG3",
    ]
    lines += [
        "note",
        "orders",
        "orders battle",
        "orders gone.orders",
        "ahead number: default",
        "ahead dance: yes",
        "",
        "split: default",
        "hop: yes",
        "",
    ]
    told = run("answer", "a.turn", lines=lines)
    assert told.exit_code == 0, told.output
    for words in (
        "Midway",
        "turn 1 of Japan",
        "Japan decides",
        "an answer to a later question",
        "No chances go with this question",
        "Refused.",
        "Goes with your answer: good luck",
        "watch CG3",
        "You have no standing orders.",
        "number: doctrine",
        "gone.orders could not be read",
        "Answer ahead 1: number: default",
        "Answer ahead 2: split: default",
        "The reply is in a.reply: mail it to the player who hosts",
    ):
        assert words in told.output, words
    head, reply = read_reply(Path("a.reply").read_text("utf-8"))
    assert (head.seat, reply.question, reply.say) == (Side.AXIS, 0, "good luck")
    assert (reply.ahead, reply.notepad) == ("number: default\nsplit: default", "watch CG3")
    assert reply.orders is not None and "number: doctrine\n" in reply.orders
    took = run("take", "a.reply", "g.flagplot")
    assert "Taken: turn 1 of Japan." in took.output and "flagplot turn g.flagplot --side allies" in took.output
    assert "Not used, and asked again when it is time: number: default" in took.output
    again = run("take", "a.reply", "g.flagplot")
    assert again.exit_code == 2
    assert "this file is old: it is turn 1 of Japan" in again.output


def test_answers_ahead_are_given_when_their_question_comes(run: Run, tmp_path: Path) -> None:
    """The allies are the admiral here: it answers at once, and so the next questions come at once."""
    scenario = load_scenario("midway")
    game = Game.new(scenario.setup, scenario="midway", options=scenario.options, people=[Side.AXIS])
    write(game, tmp_path / "g.flagplot")
    run("turn", "g.flagplot", "--side", "axis", "--out", "a.turn")
    run("answer", "a.turn", lines=["", "number: default", "split: default", ""])
    took = json.loads(run("take", "a.reply", "g.flagplot", "--json").stdout)
    assert took["left"] == [] and load(tmp_path / "g.flagplot").question_number(Side.AXIS) >= 3


def test_a_draft_is_the_answer_that_is_shown(run: Run, tmp_path: Path) -> None:
    game = hosted(tmp_path / "g.flagplot", "denmark-strait")
    while (asked := game.decision(Side.ALLIES)) is None or asked.kind != "number":
        side = next(side for side in Side if game.decision(side))
        decision = game.decision(side)
        assert decision
        game.submit(side, decision.form.default)
    items = [item.key for item in asked.form.items]
    numbers = [str(number) for number in range(len(items), 0, -1)]
    draft = {key: {number: 1} for key, number in zip(items, numbers, strict=True)}
    Path("a.turn").write_text(turn_file(game, Side.ALLIES, id=name_of(game), own=Own(draft=draft)), "utf-8")
    told = run("answer", "a.turn", lines=["", ""])
    assert "The answer shown is your draft" in told.output
    _, reply = read_reply(Path("a.reply").read_text("utf-8"))
    assert reply.answer == dict(zip(items, numbers, strict=True))
    Path("b.turn").write_text(turn_file(game, Side.ALLIES, own=Own(draft={"x": "y"})), "utf-8")
    assert "your draft" not in run("answer", "b.turn", lines=["", ""]).output  # one that is illegal is left aside


def test_odds_go_with_a_question_about_interceptions(run: Run, tmp_path: Path) -> None:
    scenario = load_scenario("operation-rendezvous")
    game = Game.new(scenario.setup, scenario="x", options=scenario.options, people=list(Side))
    from flagplot.bots.admiral import AdmiralBot

    bot = AdmiralBot()
    while not game.over:
        if game.roll_due():
            game.roll()
            continue
        side = next(side for side in Side if game.decision(side))
        decision = game.decision(side)
        assert decision
        if decision.kind == "interception" and len(decision.form.places) > 1:
            break
        game.submit(side, bot.choose(game.picture(side), decision))
    write(game, tmp_path / "g.flagplot")
    run("turn", "g.flagplot", "--side", side.value, "--out", "a.turn")
    told = run("answer", "a.turn", lines=["odds", "", ""])
    assert "odds shows the chances" in told.output and "round 1" in told.output and " %" in told.output
    assert run("take", "a.reply", "g.flagplot").exit_code == 0  # the chances are part of what is sealed


@pytest.mark.parametrize("typed", [[], ["quit"]])
def test_leaving_writes_nothing(run: Run, tmp_path: Path, typed: list[str]) -> None:
    hosted(tmp_path / "g.flagplot")
    run("turn", "g.flagplot", "--side", "axis", "--out", "a.turn")
    told = run("answer", "a.turn", lines=typed)
    assert told.exit_code == 1 and "No reply was written" in told.output and not Path("a.reply").exists()


def test_what_cannot_be_used_is_refused_in_a_sentence(run: Run, tmp_path: Path) -> None:
    game = hosted(tmp_path / "g.flagplot")
    Path("bytes.turn").write_bytes(b"\xff\xfe\x00")
    Path("short.turn").write_text("hello")
    for name, words in (("gone.turn", "No such file"), ("bytes.turn", "it is not text"), ("short.turn", "line 1")):
        told = run("answer", name)
        assert told.exit_code == 2 and words in told.output and "Traceback" not in told.output
    run("turn", "g.flagplot", "--side", "axis", "--out", "a.turn")
    told = run("take", "a.turn", "g.flagplot")
    assert told.exit_code == 2 and "nobody has answered it yet" in told.output
    text = Path("a.turn").read_text("utf-8").replace('"to":"everyone"', '"to":"axis"', 1)
    Path("altered.turn").write_text(text, "utf-8")
    assert "get turn 1 of" in run("answer", "altered.turn").output
    run("answer", "a.turn", lines=["", ""])
    reply = Path("a.reply").read_text("utf-8")
    head = head_of(game, Side.AXIS, id=name_of(game))
    Path("a.reply").write_text(reply.replace(head.seal, "0" * 32), "utf-8")
    before = (tmp_path / "g.flagplot").read_bytes()
    assert "this file was altered" in run("take", "a.reply", "g.flagplot").output
    assert (tmp_path / "g.flagplot").read_bytes() == before
