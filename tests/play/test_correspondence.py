"""Turn files: they hold what a side knows, byte for byte, and are refused when they are old, altered or another game's."""

from __future__ import annotations

import json
from random import Random

import msgspec
import pytest

import flagplot.play.correspondence as correspondence
from flagplot.bots.admiral import AdmiralBot
from flagplot.core.errors import PlayerError
from flagplot.core.sides import Side
from flagplot.play.catch_up import caught_up
from flagplot.play.correspondence import (
    Own,
    Reply,
    TurnRefused,
    answer_ahead,
    file_name,
    head_of,
    must_be_the_one,
    name_of,
    read_reply,
    read_turn,
    reply_file,
    struck_out,
    turn_file,
)
from flagplot.play.game import Game
from flagplot.play.transcript import Storyteller
from flagplot.scenarios.loader import shipped_scenario
from tests.properties.random_battles import KEY, SeededDice
from tests.properties.test_swap import TAKEN_AS_OFFERED, build, shows_exchanged, swapped, translate

BOT = AdmiralBot()


def begun(name: str = "coral-sea", answers: int = 0, seed: int = 3) -> Game:
    """A game that two admirals have played for a while, up to a question to the allies."""
    scenario = shipped_scenario(name)
    dice = SeededDice(Random(seed))
    game = Game.new(scenario.setup, edition=scenario.edition, options=scenario.options, dice=dice, key=KEY)
    while not game.over and (answers > 0 or game.decision(Side.ALLIES) is None):
        step(game)
        answers -= 1
    return game


def step(game: Game) -> None:
    """Roll, or let the admiral decide for whoever is asked."""
    if game.roll_due():
        game.roll()
        return
    side = next(side for side in Side if game.decision(side))
    decision = game.decision(side)
    assert decision
    game.submit(side, BOT.choose(game.picture(side), decision))


# -- what a file holds ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["coral-sea", "operation-rendezvous", "war"])
def test_a_file_holds_all_its_side_knows_and_the_question_as_it_was_put(name: str) -> None:
    game = begun(name)
    looked = 0
    for number in range(240):
        if game.over:
            break
        decision = game.decision(Side.ALLIES)
        if decision is not None and not game.roll_due() and number % 3 == 0:
            turn = read_turn(turn_file(game, Side.ALLIES, id="g"))
            known = game.picture(Side.ALLIES)
            read = turn.picture()
            assert (read.battle, read.operation, read.war) == (known.battle, known.operation, known.war)
            assert turn.decision is not None and turn.decision.form == decision.form
            assert (turn.decision.kind, turn.decision.tag) == (decision.kind, decision.tag)
            assert BOT.choose(read, turn.decision) == BOT.choose(known, decision)
            looked += 1
        step(game)
    assert looked > 8


def test_no_key_and_nothing_of_the_enemy_is_in_a_file() -> None:
    game = begun("midway", 12)
    for side in Side:
        text = turn_file(game, side, id="g")
        assert game.header.key not in text and game.header.setup_hash not in text
        told = [json.loads(line) for line in text.splitlines() if line.startswith('{"event"')]
        assert {each["to"] for each in told} == {"everyone", side.value}
        assert len(told) == len(game.picture(side).events)


def test_the_enemys_file_is_the_same_byte_for_byte_until_an_exchanged_ship_is_shown() -> None:
    compared = 0
    for seed in range(8):
        random = Random(seed)
        setup, exchange = build(random)
        one = Game.new(setup, dice=SeededDice(Random(seed)), key=KEY)
        two = Game.new(swapped(setup, exchange), dice=SeededDice(Random(seed)), key=KEY)
        while not one.over and one.battle.round <= 2:
            files = [turn_file(game, Side.ALLIES, id="g", own=Own(notepad="mine")) for game in (one, two)]
            if files[0] != files[1]:
                events = [game.picture(Side.ALLIES).events for game in (one, two)]
                differing = next(a for a, b in zip(*events, strict=False) if a != b)
                assert shows_exchanged(differing, exchange)
                break
            compared += 1
            if one.roll_due():
                assert one.roll() == two.roll()
                continue
            side = next(side for side in Side if one.decision(side))
            decision = one.decision(side)
            assert decision
            answer = decision.form.default if decision.kind in TAKEN_AS_OFFERED else decision.form.sample(random)
            one.submit(side, answer)
            two.submit(side, translate(answer, exchange) if side is Side.AXIS else answer)
    assert compared > 200


def test_a_leak_into_files_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted fault: a file that sums up everything that happened, and not what its side was told."""
    honest = correspondence._sum
    random = Random(1)
    setup, exchange = build(random)
    games = [Game.new(each, dice=SeededDice(Random(1)), key=KEY) for each in (setup, swapped(setup, exchange))]
    files = []
    for game in games:
        truth = msgspec.json.encode(game.events())
        monkeypatch.setattr(correspondence, "_sum", lambda lines, truth=truth: honest([*lines, truth]))
        files.append(turn_file(game, Side.ALLIES, id="g"))
    assert files[0] != files[1]


# -- which file is taken ----------------------------------------------------------------------------------------


def answered(game: Game, side: Side = Side.ALLIES, id: str = "g") -> str:
    """The reply of somebody who takes what his form offers."""
    turn = read_turn(turn_file(game, side, id=id))
    assert turn.question is not None and turn.decision is not None
    return reply_file(
        turn.head, Reply(id="reply-001", question=turn.question.number, answer=turn.decision.form.default)
    )


def refusal(game: Game, text: str, id: str = "g", *, told: bool = True) -> str:
    head, _ = read_reply(text)
    with pytest.raises(TurnRefused) as refused:
        must_be_the_one(game, head, head_of(game, head.seat, id=id), told=told)
    return str(refused.value)


def test_the_file_that_is_needed_is_taken_and_an_old_one_is_refused_with_the_one_that_is() -> None:
    game = begun(answers=20)
    text = answered(game)
    head, reply = read_reply(text)
    must_be_the_one(game, head, head_of(game, Side.ALLIES, id="g"))
    game.submit(Side.ALLIES, reply.answer, reply.question)
    while game.decision(Side.ALLIES) is None:
        step(game)
    said = refusal(game, text)
    assert said.startswith(f"this file is old: it is turn {head.turn} of The Allies.")
    assert f"The one that is needed is turn {head.turn + 1} of The Allies" in said
    hidden = refusal(game, text, told=False)  # whoever carries it is not told how far the other side has come
    assert str(head.turn + 1) not in hidden and "The newest turn file of The Allies is needed" in hidden


def test_what_happened_meanwhile_makes_a_file_old_though_the_same_question_is_open() -> None:
    game = begun(answers=20)
    head, _ = read_reply(answered(game))
    other = msgspec.structs.replace(head, sum="0" * 32, seal="")
    sealed = msgspec.structs.replace(other, seal=correspondence.seal_of(game, other))
    said = refusal(game, reply_file(sealed, Reply(id="reply-001")))
    assert said.startswith("something has happened since this file was made.") and f"turn {head.turn} of" in said


def test_nothing_is_asked_and_the_game_is_over_are_said_so() -> None:
    game = begun(answers=20)
    text = answered(game)
    _, reply = read_reply(text)
    game.submit(Side.ALLIES, reply.answer, reply.question)
    while game.roll_due() or game.decision(Side.ALLIES) is not None:
        step(game)
    assert "Nothing is asked of The Allies now; the next will be turn" in refusal(game, text)
    while not game.over:
        step(game)
    assert "The game is over: no answer is needed any more" in refusal(game, text)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"seat":"allies"', '"seat":"axis"'),
        ('"turn":', '"turn":1'),
        ('"sum":"', '"sum":"0'),
        ('"edition":"', '"edition":"x'),
    ],
)
def test_a_first_line_that_was_altered_is_refused(old: str, new: str) -> None:
    game = begun(answers=20)
    said = refusal(game, answered(game).replace(old, new, 1))
    assert said.startswith("this file was altered:") and " of " in said


def test_a_file_of_another_game_is_sent_there() -> None:
    game, other = begun(answers=20), begun(answers=20)
    assert "belongs to another game (Coral Sea, May 1942)" in refusal(game, answered(other, id="h"))
    altered = Game.new(game.header.setup, dice=SeededDice(Random(1)), key="11" * 16)
    assert "was altered" in refusal(altered, answered(game))
    assert name_of(game) != name_of(altered) and game.header.key not in name_of(game)


def test_every_byte_of_what_was_told_counts() -> None:
    game = begun(answers=20)
    text = turn_file(game, Side.ALLIES, id="g")
    lines = text.splitlines()
    told = [number for number, line in enumerate(lines) if line.startswith(('{"event"', '{"line":"question"'))]
    random = Random(7)
    for _ in range(60):
        number = random.choice(told)
        at = random.randrange(len(lines[number]))
        changed = lines[number][:at] + ("x" if lines[number][at] != "x" else "y") + lines[number][at + 1 :]
        with pytest.raises(TurnRefused, match="not as it was written"):
            read_turn("\n".join([*lines[:number], changed, *lines[number + 1 :]]))
    for number in told[:5]:  # a line that is lost
        with pytest.raises(TurnRefused, match="get turn .* again"):
            read_turn("\n".join([*lines[:number], *lines[number + 1 :]]))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "dear friend",
        "{}",
        "[" * 100_000,
        '{"line":"turn"}',
        '{"line":"reply","id":"x"}',
        '{"line":"turn","format":NaN}',
        "\ud800",
        '{"line":"own","seen":1e999}',
        "x" * (correspondence.MOST_BYTES + 1),
    ],
)
def test_what_is_no_turn_file_is_refused_in_a_sentence(text: str) -> None:
    for read in (read_turn, read_reply):
        with pytest.raises(PlayerError, match="turn file|line 1|reply"):
            read(text)


def test_line_ends_and_quoted_comments_of_mail_do_no_harm() -> None:
    game = begun(answers=20)
    text = answered(game).replace("\n", "\r\n\r\n")
    head, _ = read_reply("# greetings\r\n" + text)
    must_be_the_one(game, head, head_of(game, Side.ALLIES, id="g"))
    turn = read_turn(turn_file(game, Side.ALLIES, id="g").replace("\n", "\r\n"))
    assert turn.head == head


def test_a_reply_at_the_end_of_its_turn_file_is_a_reply() -> None:
    game = begun(answers=20)
    text = turn_file(game, Side.ALLIES, id="g")
    reply = msgspec.json.encode(Reply(id="reply-001", question=4, answer="x", say="so be it")).decode()
    assert read_reply(text + reply)[1].say == "so be it"
    with pytest.raises(TurnRefused, match="nobody has answered it yet"):
        read_reply(text)
    for wrong in (Reply(id="no"), Reply(id="reply-001", say="x" * 501), Reply(id="reply-001", notepad="x" * 20_001)):
        with pytest.raises(TurnRefused, match="reply in this file"):
            read_reply(text + msgspec.json.encode(wrong).decode())


def test_a_file_of_another_format_or_version_says_so() -> None:
    game = begun(answers=20)
    text = turn_file(game, Side.ALLIES, id="g")
    with pytest.raises(TurnRefused, match="format 2"):
        read_turn(text.replace('"format":1', '"format":2', 1))
    lines = text.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith('{"event"'))
    lines[at] = lines[at].replace('"event":"', '"event":"New', 1)
    told = [line.encode() for line in lines if line.startswith(('{"event"', '{"line":"question"'))]
    head = head_of(game, Side.ALLIES, id="g")
    changed = "\n".join(lines).replace(head.sum, correspondence._sum(told))
    with pytest.raises(TurnRefused, match="bring both to the same version"):
        read_turn(changed)


def test_names_of_files_are_plain() -> None:
    head = msgspec.structs.replace(head_of(begun(), Side.ALLIES), title="../../etc/passwd\n\u202e")
    assert file_name(head) == f"etc-passwd-allies-{head.turn}.turn"


# -- answers ahead -----------------------------------------------------------------------------------------------


def test_an_answer_ahead_is_used_once_and_what_does_not_fit_stays() -> None:
    game = begun("midway")
    decision = game.decision(Side.ALLIES)
    assert decision is not None and decision.kind == "strengthen"
    text = "evade: fight\nstrengthen: default\nstrengthen: ask"
    ahead = answer_ahead(text, game.picture(Side.ALLIES), decision, BOT.choose, game.table.rules)
    assert ahead is not None and ahead.given.answer == decision.form.default and ahead.line == "strengthen: default"
    assert ahead.left == "evade: fight\n# answered: strengthen: default\nstrengthen: ask"
    assert answer_ahead(ahead.left, game.picture(Side.ALLIES), decision, BOT.choose) is None
    illegal = 'strengthen: {"nobody": "nowhere"}'
    assert answer_ahead(illegal, game.picture(Side.ALLIES), decision, BOT.choose) is None
    assert struck_out(ahead.left) == "# evade: fight\n# answered: strengthen: default\n# strengthen: ask"


# -- catching up --------------------------------------------------------------------------------------------------


def test_what_is_new_is_told_under_its_heading_and_formal_steps_are_folded() -> None:
    game = begun(answers=60)
    events = game.picture(Side.ALLIES).events
    teller = Storyteller()
    lines = [line.text for event in events for line in teller.tell(event) if not line.level]
    parts = caught_up(events, 0)
    told = [news.text for part in parts for news in part.news]
    formal = [text for part in parts for text in part.formal]
    assert sorted(told + [text for text in formal if text in lines]) == sorted(lines)  # nothing is lost
    assert len(formal) > 5 and any(news.rolled for part in parts for news in part.news)
    assert all(part.news for part in parts[1:])  # a heading under which nothing happened is folded
    assert caught_up(events, len(events)) == []
    later = caught_up(events, len(events) - 5)
    assert 1 <= sum(len(part.news) + len(part.formal) for part in later) <= 10
