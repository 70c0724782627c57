"""The swap test over HTTP: two games whose secrets differ look the same, byte for byte, to all but their owner.

What is sent and compared is in swapping.py. Planted leaks, each of which must be found, are at the end.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

import flagplot.web.app as app_module
import flagplot.web.asking as asking_module
import flagplot.web.battle_page as battle_module
import flagplot.web.hall as hall_module
import flagplot.web.refusals as refusals_module
import flagplot.web.replays as replays_module
import flagplot.web.views as views_module
from flagplot.core.errors import IllegalChoice, UndoRefused
from flagplot.core.sides import Side
from flagplot.editions.current import EDITIONS
from flagplot.play.game import Game
from flagplot.web.asking import hall_of
from flagplot.web.hall import Hall, LiveGame, UnknownGame
from tests.properties.any_rules import any_rules
from tests.properties.random_battles import KEY, SeededDice
from tests.properties.test_swap import TAKEN_AS_OFFERED, build
from tests.web.swapping import Difference, SeededGame, ask_back, play_pair
from tests.web.visitors import Server, serving

SCALE = int(os.environ.get("SCALE", "1"))
PAIRS = 3  # one of each kind
MOST = 16  # decisions


@contextmanager
def seeded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(hall_module, "Game", SeededGame)
    with serving(folder) as server:
        yield server


def test_nobody_receives_a_byte_of_what_was_exchanged_until_it_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One pair of each kind: watched, private, watched later. The enemy, the host, a spectator or stranger, half a screen.
    The first is by the rules nobody has chosen from, the others by any options of either edition."""
    rules = ({}, any_rules(1, "2008"), any_rules(2, "current"))
    with seeded(tmp_path, monkeypatch) as server:
        played = [play_pair(server, seed, most=MOST, **rules[seed]) for seed in range(PAIRS)]
    assert sum(given for _, given in played) > 10 * PAIRS, "too few decisions before something was shown"


@pytest.mark.long
@pytest.mark.parametrize("edition", EDITIONS)
def test_many_pairs_under_any_options_receive_the_same_bytes(
    edition: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with seeded(tmp_path, monkeypatch) as server:
        for seed in range(5_000, 5_000 + 8 * SCALE):
            play_pair(server, seed, most=60, **any_rules(seed, edition))


@pytest.mark.long
@pytest.mark.parametrize("batch", range(2))
def test_many_pairs_receive_the_same_bytes(batch: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At SCALE=100 these are 2,000 pairs; each takes about ten seconds of a processor."""
    pairs = 10 * SCALE
    with seeded(tmp_path, monkeypatch) as server:
        played = [play_pair(server, seed, rounds=2) for seed in range(100 + batch * pairs, 100 + (batch + 1) * pairs)]
    assert sum(round > 2 for round, _ in played) * 3 >= pairs


def test_asking_the_server_to_take_back_tells_nothing_of_the_enemy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with seeded(tmp_path, monkeypatch) as server:
        assert sum(ask_back(server, seed) for seed in range(4)) >= 2, "too few came to the point"


@pytest.mark.long
def test_asking_many_times_to_take_back_tells_nothing_of_the_enemy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with seeded(tmp_path, monkeypatch) as server:
        assert sum(ask_back(server, seed) for seed in range(1_000, 1_000 + 100 * SCALE)) >= 40 * SCALE


def may_take_back(game: Game, side: Side, lines: int) -> str:
    """What the server would say to a side that asks, after so many lines of the journal, to take its decision back."""
    copy = Game(game.header, game.journal[:lines])
    try:
        copy.undo(side)
    except UndoRefused as refusal:
        return "asked" if "agree" in str(refusal) else "refused"
    return "free"


def test_asking_to_take_back_does_not_tell_whether_the_enemy_has_decided() -> None:
    """Whether that is free may depend on what was put to the enemy, which is public, not on his having answered it."""
    told = []
    for seed in (3, 5):
        random = Random(seed)
        setup, _ = build(random)
        game = Game.new(setup, dice=SeededDice(random), key=KEY)
        while not game.over and game.battle.round < 3 and len(game.journal) < 150:
            if game.roll_due():
                game.roll()
                continue
            side = next(side for side in random.sample(list(Side), 2) if game.decision(side))
            decision, other = game.decision(side), side.enemy
            assert decision
            lines, known = len(game.journal), (len(game.picture(other).events), game.question_number(other))
            game.submit(
                side, decision.form.default if decision.kind in TAKEN_AS_OFFERED else decision.form.sample(random)
            )
            if known == (len(game.picture(other).events), game.question_number(other)) and not game.roll_due():
                before, after = may_take_back(game, other, lines), may_take_back(game, other, lines + 1)
                if before != after:
                    told.append(f"seed {seed}, {decision.kind} of {side}: {other} was {before}, is {after}")
    assert told == []


# -- planted leaks: each must be found ----------------------------------------------------------------------


def leak_journal_length_in_the_version(patch: pytest.MonkeyPatch) -> None:
    honest = hall_module.version

    def leaky(live: LiveGame, side: Side | None, **wanted: Any) -> str:
        return f"{honest(live, side, **wanted)}.{len(live.game.journal)}"

    for module in (hall_module, views_module, asking_module):
        patch.setattr(module, "version", leaky)


def leak_the_enemys_question(patch: pytest.MonkeyPatch) -> None:
    honest = views_module.view

    def leaky(live: LiveGame, side: Side | None, **wanted: Any) -> dict[str, Any]:
        decision = live.game.decision(side.enemy) if side else None
        told = honest(live, side, **wanted)
        return told | {"theirs": views_module.form(decision.form) if decision else None}

    patch.setattr(app_module, "view", leaky)


def leak_whether_the_enemy_has_decided(patch: pytest.MonkeyPatch) -> None:
    def leaky(live: LiveGame, side: Side | None) -> str:
        return "The enemy decides." if live.game.decision(Side.AXIS) else "Nobody decides."

    patch.setattr(views_module, "waiting", leaky)


def leak_the_set_ups_hash_in_the_report(patch: pytest.MonkeyPatch) -> None:
    honest = app_module.report
    patch.setattr(app_module, "report", lambda source, header: honest(source, header) + header.setup_hash)


def leak_a_hash_of_the_log_in_the_view(patch: pytest.MonkeyPatch) -> None:
    honest = views_module.view

    def leaky(live: LiveGame, side: Side | None, **wanted: Any) -> dict[str, Any]:
        return honest(live, side, **wanted) | {"check": live.game.table.check()}

    patch.setattr(app_module, "view", leaky)


def leak_every_step_in_the_replay(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(replays_module, "is_told", lambda side, event: True)


def leak_the_owners_picture_to_spectators(patch: pytest.MonkeyPatch) -> None:
    honest = Game.picture
    patch.setattr(Game, "picture", lambda game, side: honest(game, side or Side.AXIS))


def leak_the_number_of_devices(patch: pytest.MonkeyPatch) -> None:
    honest = Hall.seats

    def leaky(hall: Hall, id: str) -> list[dict[str, Any]]:
        with hall.database.read() as connection:
            counts = connection.exec_driver_sql(f"select count(*) from devices where game = '{id}'").scalar_one()
        return [*honest(hall, id), {"devices": counts}]

    patch.setattr(Hall, "seats", leaky)


def leak_the_journals_length_beside_a_note(patch: pytest.MonkeyPatch) -> None:
    honest = Hall.notes
    patch.setattr(
        Hall,
        "notes",
        lambda hall, id, *until: [note | {"at": len(hall.game(id).game.journal)} for note in honest(hall, id, *until)],
    )


def leak_how_often_the_enemy_was_refused(patch: pytest.MonkeyPatch) -> None:
    honest, counted = refusals_module.refusal_of, {"refusals": 0}

    def leaky(request: Any, error: Exception) -> Any:
        answer = honest(request, error)
        game = request.path_params.get("game", "")
        counted[game] = counted.get(game, 0) + 1
        answer.headers["x-refusals"] = str(counted[game])
        return answer

    patch.setattr(refusals_module, "refusal_of", leaky)


def leak_every_decision_into_the_stream(patch: pytest.MonkeyPatch) -> None:
    """The stream alone, not the view, counts the journal."""
    honest = hall_module.version
    patch.setattr(
        asking_module,
        "version",
        lambda live, side, **wanted: f"{honest(live, side, **wanted)}+{len(live.game.journal)}",
    )


def leak_whose_turn_it_is(patch: pytest.MonkeyPatch) -> None:
    honest = battle_module.turn_of

    def leaky(request: Any, game: str) -> Any:
        told = honest(request, game)
        pending = hall_of(request).game(game).game
        return told._replace(asked=[side.value for side in Side if pending.decision(side)])

    patch.setattr(battle_module, "turn_of", leaky)


def leak_through_the_referees_eyes(patch: pytest.MonkeyPatch) -> None:
    honest = asking_module.Shown
    patch.setattr(asking_module, "Shown", lambda live, side, sees_all, seat: honest(live, side, True, seat))


def leak_the_enemys_board_where_the_screen_is_passed_on(patch: pytest.MonkeyPatch) -> None:
    honest = battle_module.pages.page

    def leaky(name: str, **facts: Any) -> Any:
        answer = honest(name, **facts)
        if name == "battle_pass.html":
            answer.headers["x-board"] = leaky.hall.game(facts["game"]).game.header.setup_hash  # type: ignore[attr-defined]
        return answer

    class Kept(Hall):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            leaky.hall = self  # type: ignore[attr-defined]

    patch.setattr(app_module, "Hall", Kept)
    patch.setattr(battle_module.pages, "page", leaky)


def leak_by_the_length_of_the_report(patch: pytest.MonkeyPatch) -> None:
    honest = app_module.report
    patch.setattr(
        app_module, "report", lambda source, header: honest(source, header) + " " * (int(header.setup_hash, 16) % 997)
    )


def leak_the_forces_in_a_file_name(patch: pytest.MonkeyPatch) -> None:
    honest = app_module.PlainTextResponse

    def leaky(text: str, headers: dict[str, str]) -> Any:
        return honest(text, headers=headers | {"content-disposition": f'attachment; filename="{leaky.now}.md"'})

    whole = app_module.report

    def seen(source: Any, header: Any) -> Any:
        leaky.now = header.setup_hash  # type: ignore[attr-defined]
        return whole(source, header)

    patch.setattr(app_module, "report", seen)
    patch.setattr(app_module, "PlainTextResponse", leaky)


def leak_the_forces_in_a_refusal(patch: pytest.MonkeyPatch) -> None:
    honest = refusals_module.refusal_of

    def leaky(request: Any, error: Exception) -> Any:
        game = request.path_params.get("game", "")
        if isinstance(error, IllegalChoice):
            error.args = (f"{error} ({hall_of(request).game(game).game.header.setup_hash[:4]})",)
        return honest(request, error)

    patch.setattr(refusals_module, "refusal_of", leaky)


def leak_to_strangers_that_a_game_is_under_way(patch: pytest.MonkeyPatch) -> None:
    """What a stranger is refused with counts what was decided."""
    honest = Hall.spectators

    def leaky(hall: Hall, id: str) -> int | None:
        told = honest(hall, id)
        if told is None:
            raise UnknownGame(f"there is no such game here, or it is not yours: {len(hall.game(id).game.journal)}")
        return told

    patch.setattr(Hall, "spectators", leaky)


LEAKS: tuple[Callable[[pytest.MonkeyPatch], None], ...] = (
    leak_journal_length_in_the_version,
    leak_the_enemys_question,
    leak_whether_the_enemy_has_decided,
    leak_the_set_ups_hash_in_the_report,
    leak_a_hash_of_the_log_in_the_view,
    leak_every_step_in_the_replay,
    leak_the_owners_picture_to_spectators,
    leak_the_number_of_devices,
    leak_the_journals_length_beside_a_note,
    leak_how_often_the_enemy_was_refused,
    leak_every_decision_into_the_stream,
    leak_whose_turn_it_is,
    leak_through_the_referees_eyes,
    leak_the_enemys_board_where_the_screen_is_passed_on,
    leak_by_the_length_of_the_report,
    leak_the_forces_in_a_file_name,
    leak_the_forces_in_a_refusal,
    leak_to_strangers_that_a_game_is_under_way,
)


@pytest.mark.parametrize("plant", LEAKS, ids=lambda plant: plant.__name__)
def test_a_planted_leak_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    first = int(plant is leak_to_strangers_that_a_game_is_under_way)  # 1: nobody watches, and strangers are refused
    with seeded(tmp_path, monkeypatch) as server, pytest.raises(Difference):
        for seed in range(first, first + 6):
            play_pair(server, seed, most=20)
