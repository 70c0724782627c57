"""40.451: attacks on Murmansk convoys, stage by stage."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from flagplot.editions.current import ruleset
from flagplot.model.ships import Ship
from flagplot.rules.strategic import murmansk
from flagplot.rules.strategic.murmansk import Attack, Stage

RULES = ruleset()
DUKE = Ship("duke-of-york", "Duke of York", "Britain", "BB", 4)
AIR, NAVAL, SUBMARINES = Stage.AIR, Stage.NAVAL, Stage.SUBMARINES


@pytest.mark.ledger("40.451A", "40.451A.1", "40.451A.2")
def test_germans_in_the_murmansk_box_intercept_without_dice() -> None:
    assert murmansk.may_intercept("Germany", "Murmansk box").holds
    assert not murmansk.may_intercept("Germany", "Bergen").holds
    assert not murmansk.may_intercept("Italy", "Murmansk box").holds


@pytest.mark.ledger("40.451", "40.451B.1", "40.451B.2", "40.451C", "40.451C.1", "40.451D.1")
def test_air_comes_first_then_ships_then_submarines_and_air_may_join_the_ships() -> None:
    assert murmansk.stages(air=True, ships=True, submarines=2) == ((AIR,), (NAVAL,), (SUBMARINES,))
    folded = murmansk.stages(air=True, ships=True, submarines=2, air_within_naval=True)
    assert folded == ((AIR, NAVAL), (SUBMARINES,))
    assert murmansk.stages(air=True, ships=False, submarines=0, air_within_naval=True) == ((AIR,),)
    assert murmansk.stages(air=False, ships=True, submarines=0, air_within_naval=True) == ((NAVAL,),)


@pytest.mark.ledger("40.451B.1", "20.512D", "20.512D.2")
def test_hits_of_one_air_sortie_are_gone_before_the_next() -> None:
    assert murmansk.after_attack(RULES, DUKE, Attack(AIR, (2, 2, 2))) == DUKE
    hurt = murmansk.after_attack(RULES, DUKE, Attack(AIR, (2, 3)))
    assert hurt is not None and hurt.damaged
    assert murmansk.after_attack(RULES, DUKE, Attack(AIR, (3, 1))) is None


@pytest.mark.ledger("40.451C", "40.451C.2", "20.512D", "20.512D.1")
def test_hits_of_naval_combat_add_up_and_vanish_at_its_end() -> None:
    hurt = murmansk.after_attack(RULES, DUKE, Attack(NAVAL, (2, 1)))
    assert hurt is not None and hurt.damaged
    assert murmansk.after_attack(RULES, DUKE, Attack(NAVAL, (1, 1))) == DUKE


@pytest.mark.ledger("40.451D.2", "20.512D.2")
def test_hits_of_all_submarines_add_up_and_vanish_once_all_have_attacked() -> None:
    assert murmansk.after_attack(RULES, DUKE, Attack(SUBMARINES, (2, 2))) is None
    assert murmansk.after_attack(RULES, DUKE, Attack(SUBMARINES, (1, 1))) == DUKE


@pytest.mark.ledger("40.451", "20.512D.2")
def test_no_hit_carries_from_one_stage_to_the_next_but_damage_does() -> None:
    attacks = [Attack(AIR, (2,)), Attack(NAVAL, (2,)), Attack(SUBMARINES, (2,))]
    assert murmansk.after_convoy(RULES, DUKE, attacks) == DUKE
    attacks = [Attack(AIR, (3,)), Attack(NAVAL, (1,)), Attack(SUBMARINES)]
    assert murmansk.after_convoy(RULES, DUKE, attacks) is None
    damaged = replace(DUKE, damaged=True)
    assert murmansk.after_convoy(RULES, damaged, [Attack(SUBMARINES, (0,))]) == damaged
