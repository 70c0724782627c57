"""Every defence is taken away once: the test that watches over it must notice (trust.md, decision 14)."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from flagplot.core.sides import SIDES
from flagplot.web import asking, expiry, limits, pages, seats, seats_api, streams
from flagplot.web.hall import Hall
from tests.web import (
    test_links_and_logs,
    test_many_seats,
    test_strangers,
    test_threats,
)
from tests.web.visitors import Server, serving

Patch = pytest.MonkeyPatch


class Planted(NamedTuple):
    """A fault, and the check that must notice it."""

    threat: str
    plant: Callable[[Patch], None]
    check: Callable[..., None]
    given: tuple[Any, ...] = ()  # besides what it asks for by name


def tokens_are_short(patch: Patch) -> None:
    patch.setattr(seats, "new_token", lambda: seats.secrets.token_urlsafe(6))


def guesses_are_not_counted(patch: Patch) -> None:
    for module in (asking, seats_api):
        patch.setattr(module, "slow_down", lambda request: None)


def every_site_is_ours(patch: Patch) -> None:
    patch.setattr(limits, "_from_our_site", lambda headers, settings: True)


def every_name_is_ours(patch: Patch) -> None:
    patch.setattr(limits, "host_in", lambda said: "127.0.0.1")


def there_is_always_room(patch: Patch) -> None:
    patch.setattr(expiry.Room, "take", lambda room: None)


def nothing_expires(patch: Patch) -> None:
    patch.setattr(test_strangers, "expire", lambda database: expiry.Expired(1, 0))


def forwarded_addresses_are_believed(patch: Patch) -> None:
    honest = limits.address_of

    def believing(scope: Any) -> str:
        told = dict(scope["headers"]).get(b"x-forwarded-for", b"").decode()
        return told or honest(scope)

    patch.setattr(asking, "address_of", believing)


def errors_are_told(patch: Patch) -> None:
    patch.setattr(limits, "report_error", str)


def an_invitation_stays_good(patch: Patch) -> None:
    honest = seats.claim

    def generous(connection: Any, token: str, name: str, label: str) -> Any:
        claimed = honest(connection, token, name, label)
        connection.exec_driver_sql(
            "update seats set invitation = ? where game = ? and seat = ?",
            (seats.hashed(token), claimed.seat.game, claimed.seat.seat),
        )
        return claimed

    patch.setattr(seats, "claim", generous)


def a_revoked_device_is_let_in(patch: Patch) -> None:
    patch.setattr(seats, "revoke", lambda connection, game, seat, device: None)


def tokens_are_stored_as_they_are(patch: Patch) -> None:
    patch.setattr(seats, "hashed", lambda token: token)


def tokens_are_logged(patch: Patch) -> None:
    honest = seats.claim_all

    def chatty(connection: Any, tokens: str, *rest: Any) -> Any:
        logging.getLogger("flagplot").info("somebody claims %s", tokens)
        return honest(connection, tokens, *rest)

    patch.setattr(seats, "claim_all", chatty)


def answers_have_no_headers(patch: Patch) -> None:
    patch.setattr(limits, "_with_headers", lambda send, scope, **_: send)


def a_token_opens_every_game(patch: Patch) -> None:
    honest = seats.seat_of

    def careless(connection: Any, token: str, game: str) -> Any:
        row = connection.exec_driver_sql(
            "select game from devices where token = ? and not revoked", (seats.hashed(token),)
        ).one_or_none()
        found = honest(connection, token, row[0]) if row else None
        return found._replace(game=game) if found else None

    patch.setattr(seats, "seat_of", careless)


def the_key_of_one_seat_opens_another(patch: Patch) -> None:
    honest = seats.seat_of
    patch.setattr(
        seats,
        "seat_of",
        lambda connection, token, game: (found := honest(connection, token, game)) and found._replace(seat="axis"),
    )


def text_is_markup(patch: Patch) -> None:
    patch.setattr(pages.TEMPLATES, "autoescape", False)
    patch.setattr(pages.TEMPLATES, "cache", None)


def everybody_may_watch(patch: Patch) -> None:
    patch.setattr(Hall, "watchable", lambda hall, id: True)
    patch.setattr(Hall, "spectators", lambda hall, id: 0)


def nobody_sees_later(patch: Patch) -> None:
    patch.setattr(asking, "delayed", lambda hall, id, seconds: hall.game(id))


def players_see_what_the_referee_sees(patch: Patch) -> None:
    honest = asking.Shown
    patch.setattr(asking, "Shown", lambda live, side, sees_all, seat: honest(live, side, True, seat))


def names_of_games_are_counted(patch: Patch) -> None:
    numbers = iter(range(10**9))
    patch.setattr("flagplot.web.dice_keeping.new_id", lambda: f"{next(numbers):022}")


def the_enemy_acts_for_me(patch: Patch) -> None:
    honest = asking.player
    patch.setattr("flagplot.web.app.player", lambda request, game: honest(request, game) and SIDES["allies"])


def heartbeats_wait_for_silence(patch: Patch) -> None:
    class Never:
        @staticmethod
        def monotonic() -> float:
            return 0.0  # every wait is as long as the first, from whenever it begins

    patch.setattr(streams, "time", Never)


def requests_to_take_back_are_not_counted(patch: Patch) -> None:
    patch.setattr(limits.Buckets, "take", lambda buckets, address, cost=1.0: 0.0)


def a_failing_rule_holds_everybody(patch: Patch) -> None:
    patch.delattr(Hall, "close_unread")


S, L, T, M = test_strangers, test_links_and_logs, test_threats, test_many_seats
PLANTED = (
    Planted("str-1", tokens_are_short, S.test_str_1_tokens_cannot_be_guessed),
    Planted(
        "str-1", guesses_are_not_counted, S.test_str_1_after_twenty_wrong_tokens_a_minute_one_must_wait, ("claim",)
    ),
    Planted("str-2", every_site_is_ours, S.test_str_2_no_unsafe_request_comes_from_another_site, ("another site",)),
    Planted("str-2", answers_have_no_headers, S.test_str_2_pages_cannot_be_framed_and_cookies_stay_at_home),
    Planted("str-3", every_name_is_ours, S.test_str_3_a_request_under_another_name_is_refused, ("evil.example",)),
    Planted("str-4", there_is_always_room, S.test_str_4_only_so_many_games_are_open_on_one_server),
    Planted("str-4", nothing_expires, S.test_str_4_a_game_to_which_nobody_came_is_not_kept),
    Planted("str-5", forwarded_addresses_are_believed, S.test_str_5_a_forged_address_is_not_believed),
    Planted("str-7", errors_are_told, S.test_str_7_a_rule_that_fails_has_a_number_too),
    Planted("link-1", an_invitation_stays_good, L.test_link_1_who_made_the_game_cannot_use_a_link_that_was_used),
    Planted("link-3", a_revoked_device_is_let_in, L.test_link_3_one_sees_ones_devices_and_sends_them_away),
    Planted("link-4", tokens_are_stored_as_they_are, L.test_link_4_a_stolen_database_opens_no_seat),
    Planted("log-1", tokens_are_logged, L.test_log_1_no_token_is_logged_or_shown_again),
    Planted("log-2", answers_have_no_headers, L.test_log_2_nothing_is_told_to_other_sites),
    Planted("log-3", answers_have_no_headers, L.test_log_3_nothing_is_kept_in_caches),
    Planted("opp-2", names_of_games_are_counted, T.test_opp_2_public_names_are_long_and_in_no_order),
    Planted("opp-4", heartbeats_wait_for_silence, T.test_opp_4_the_heartbeat_of_a_stream_has_a_rhythm_of_its_own),
    Planted("opp-7", requests_to_take_back_are_not_counted, T.test_opp_7_one_does_not_pester_the_enemy_with_requests),
    Planted("opp-8", a_token_opens_every_game, T.test_opp_8_nobody_acts_in_a_game_that_is_not_his),
    Planted("opp-8", the_key_of_one_seat_opens_another, M.test_cookies_are_one_for_each_seat),
    Planted("opp-8", the_enemy_acts_for_me, T.test_opp_8_one_side_does_not_act_for_the_other),
    Planted(
        "opp-9", a_failing_rule_holds_everybody, T.test_opp_9_one_can_always_leave_also_when_the_rules_fail, ("axis",)
    ),
    Planted("opp-10", text_is_markup, T.test_opp_10_text_from_players_is_never_markup),
    Planted(
        "spec-1", everybody_may_watch, T.test_spec_1_spectators_are_off_unless_the_maker_lets_them_in_everywhere_alike
    ),
    Planted("spec-1", nobody_sees_later, M.test_spectators_who_see_later_see_everything_later),
    Planted("opp-1", players_see_what_the_referee_sees, M.test_a_referee_sees_everything_decides_nothing_and_is_seen),
)


@pytest.mark.parametrize("planted", PLANTED, ids=lambda each: f"{each.threat}-{each.plant.__name__}")
def test_a_planted_fault_is_noticed(
    planted: Planted, tmp_path: Path, monkeypatch: Patch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    planted.plant(monkeypatch)
    wanted = planted.check.__code__.co_varnames[: planted.check.__code__.co_argcount]
    with serving(tmp_path / "one") as server:
        offered: dict[str, Any] = {
            "server": server,
            "tmp_path": tmp_path / "two",
            "monkeypatch": pytest.MonkeyPatch(),
            "caplog": caplog,
        }
        by_name = {name: offered[name] for name in wanted if name in offered}
        others = dict(zip((name for name in wanted if name not in offered), planted.given, strict=True))
        noticed = False
        try:
            planted.check(**by_name, **others)
        except (AssertionError, KeyError):
            noticed = True
        finally:
            offered["monkeypatch"].undo()
    assert noticed, f"{planted.check.__name__} does not notice that {planted.plant.__name__.replace('_', ' ')}"


def test_the_checks_pass_where_nothing_is_planted(tmp_path: Path) -> None:
    """They are the tests of the other files, called by the same way once."""
    with serving(tmp_path) as server:
        assert isinstance(server, Server)
        S.test_str_1_tokens_cannot_be_guessed(server)
        M.test_cookies_are_one_for_each_seat(server)


def test_every_test_that_the_page_on_security_names_exists() -> None:
    here = Path(__file__).parent
    page = (here.parent.parent / "docs" / "security.md").read_text("utf-8")
    named = set(re.findall(r"`(test_\w+)`", page))
    written = {
        name
        for path in here.parent.rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text(), re.M)
    }
    assert len(named) > 50
    assert sorted(named - written) == []
    for threat in {each.threat for each in PLANTED}:
        assert f"| {threat} |" in page
