"""What is taken back is noticed by those who had been told of it, and by nobody else."""

from __future__ import annotations

from flagplot.core.errors import UndoRefused
from flagplot.core.sides import Side
from flagplot.play.game import AUDIENCES, Game
from flagplot.scenarios.loader import shipped_scenario


def test_an_undo_names_exactly_those_who_now_know_less() -> None:
    noticed = set()
    for name in ("midway", "denmark-strait"):
        game = Game.new(shipped_scenario(name).setup)
        for _ in range(60):
            if game.over:
                break
            if game.roll_due():
                game.roll()
                continue
            side = next(side for side in Side if game.decision(side))
            decision = game.decision(side)
            assert decision is not None
            game.submit(side, decision.form.default)
            before = {who: len(game.picture(audience).events) for who, audience in AUDIENCES.items()}
            again = Game(game.header, game.journal[:])
            try:
                again.undo(side)
            except UndoRefused:
                continue
            less = [who for who, audience in AUDIENCES.items() if len(again.picture(audience).events) < before[who]]
            assert list(again.taken_back[-1].shown) == less
            assert Game(again.header, again.journal[:]).taken_back == again.taken_back
            noticed.update(less)
    assert noticed >= {"axis", "allies"}
