"""What holds of every submarine SW combat: nothing is made or lost twice, and a second reading agrees."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from flagplot.editions.current import ruleset
from flagplot.model.strategic_war import BOXES, Combat, Shipping, Turn
from flagplot.rules.strategic import submarine_warfare as warfare

RULES = ruleset()
LATER = ruleset("current", {"damaged_transports_leave": "after_advanced"})

counts = st.integers(0, 70)
rolls = st.integers(2, 12)
combats = st.builds(Combat, counts, counts, st.integers(-12, 12), rolls, rolls)
shippings = st.builds(Shipping, counts, counts, st.integers(0, 30))
turns = st.builds(Turn, st.integers(1940, 1946), st.integers(0, 3))


def second_reading(shipping: Shipping, combat: Combat) -> dict[str, int]:
    """The combat transport by transport, from the text: no formula is shared with the rules."""
    attack, defense = (0, 0), (0, 0)
    if combat.submarines:
        attack = RULES.sw_combat.result(combat.submarines, combat.attacker_roll + combat.modifier)
        defense = RULES.sw_combat.result(combat.asw, combat.defender_roll - combat.modifier)
    boats = ["ready"] * combat.submarines
    for fate, number in (("eliminated", defense[0]), ("aborted", defense[1])):
        for _ in range(number):
            if "ready" in boats:
                boats[boats.index("ready")] = fate
    afloat, damaged, asw, carriers = shipping.transports, 0, shipping.asw, shipping.escort_carriers
    for _ in range(attack[0]):
        if afloat:
            afloat -= 1
        elif asw:
            asw -= 1
        elif carriers:
            carriers -= 1
    for _ in range(attack[1]):
        if afloat:
            afloat, damaged = afloat - 1, damaged + 1
    extra = min(combat.modifier, combat.submarines) if combat.modifier > 0 else 0
    through = boats.count("ready") + min(0, combat.modifier)
    for _ in range(extra + max(0, through)):
        if afloat:
            afloat -= 1
        elif damaged:
            damaged -= 1
    return {
        "eliminated": boats.count("eliminated"),
        "aborted": boats.count("aborted"),
        "undamaged": afloat,
        "damaged": damaged,
        "asw": asw,
        "carriers": carriers,
    }


@given(shippings, combats)
def test_a_second_reading_of_the_combat_agrees(shipping: Shipping, combat: Combat) -> None:
    struck = warfare.strike(RULES, combat)
    toll = warfare.losses(shipping, [struck])
    assert second_reading(shipping, combat) == {
        "eliminated": struck.eliminated,
        "aborted": struck.aborted,
        "undamaged": toll.undamaged_left,
        "damaged": toll.damaged,
        "asw": shipping.asw - toll.asw_lost,
        "carriers": shipping.escort_carriers - toll.escort_carriers_lost,
    }


@given(shippings, st.lists(combats, max_size=2), st.integers(0, 8), rolls, st.booleans())
def test_transports_and_submarines_are_conserved(
    shipping: Shipping, fought: list[Combat], advanced: int, roll: int, stay: bool
) -> None:
    rules = LATER if stay else RULES
    strikes = [warfare.strike(rules, combat) for combat in fought]
    for combat, struck in zip(fought, strikes, strict=True):
        assert struck.eliminated + struck.aborted + struck.reaching == combat.submarines
        assert struck.additional_from_modifier <= combat.submarines
        assert struck.additional_from_reaching <= combat.submarines
    toll = warfare.losses(shipping, strikes)
    assert toll.sunk + toll.damaged + toll.undamaged_left == shipping.transports
    assert 0 <= toll.asw_lost <= shipping.asw and 0 <= toll.escort_carriers_lost <= shipping.escort_carriers
    due = sum(struck.attacker_result[0] + struck.additional for struck in strikes)
    assert toll.sunk + toll.asw_lost + toll.escort_carriers_lost + toll.wasted == due
    left = warfare.shipping_after(rules, shipping, toll)
    later = warfare.losses(left, [warfare.advanced_strike(rules, advanced, roll)])
    assert later.sunk + later.damaged + later.undamaged_left == left.transports + left.damaged
    assert min(later.sunk, later.damaged, later.undamaged_left) >= 0


@given(
    st.sampled_from(["Germany", "Japan", "United States", "Italy", "Britain"]), st.sampled_from(BOXES), turns, counts
)
def test_no_more_submarines_fight_than_their_limit_and_it_never_falls(
    nation: str, box: str, turn: Turn, in_box: int
) -> None:
    limit = RULES.submarine_limits.limit(nation, box, turn)
    assert warfare.engaged(RULES, nation, box, turn, in_box) == min(in_box, limit)
    assert limit <= RULES.submarine_limits.limit(nation, box, turn.following) <= limit + 2
    assert (limit > 0) == warfare.serves_in(nation, box).holds
