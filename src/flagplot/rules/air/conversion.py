"""23.13, 23.14, 23.16 to 23.18: air factors become squadrons and factors again, and what land-based air may still do.

A factor becomes one squadron of each role; three squadrons become a factor again, a last pair rounding up and a last
single squadron being lost (AN-01). Factors that were broken down wait in a holding area, so that factors in play, factors
unbuilt and factors in holding always add up to the force pool. Everything here holds for one owner and one kind of air
(AAF, jets or air transports): what belongs to different owners or kinds never merges. Everything is a pure function; an
owner's choice is a form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from flagplot.core.forms import AtLeast, AtMost, Form, Item, Place, pick
from flagplot.core.rulebook import rule
from flagplot.model.squadrons import ROLES

# -- what aircraft do ---------------------------------------------------------------------------

ROLE_OF = {"search": "search", "cover": "cover", "attack at sea": "attack"}  # the naval activities that commit (AM-23)
AT_SEA = ("spot", *ROLE_OF)
GROUND_OR_AIR = (
    "counterair",
    "ground support",
    "defensive air support",
    "interception of defensive air support",
    "airdrop protection",
    "airdrop interception",
    "interception of air transport",
    "counter-interception of air transport",
)
MISSIONS = ("attack in port", *GROUND_OR_AIR)  # an attack in port is an offensive mission too (23.51)
USES = (*AT_SEA, *MISSIONS)
ACTIVITIES = (*USES, "air combat", "base defense")

ARMY_SQUADRONS = tuple(f"{role} AAS" for role in ROLES)
EMPLOYMENT = {
    "spot": ("search AAS", "NAS"),
    "search": ("search AAS", "NAS"),
    "combat air patrol": ("carrier NAS",),
    "cover": ("cover AAS", "NAS"),
    "attack at sea": ("attack AAS", "NAS", "carrier NAS", "kamikaze"),
    "attack in port": ("AAF", "NAS", "carrier NAS", "kamikaze"),
}


def _known(activity: str, among: Sequence[str]) -> None:
    if activity not in among:
        raise ValueError(f"{str(activity)!r} is nothing aircraft do here; there are {', '.join(among)}")


@rule("23.11", "23.151")
def may_perform(unit: str, activity: str) -> bool:
    """23.11. Whether a unit is of a kind that carries out this naval activity at all; "NAS" is naval air ashore."""
    _known(activity, tuple(EMPLOYMENT))
    return unit in EMPLOYMENT[activity]


# -- factors to squadrons -----------------------------------------------------------------------


class BrokenDown(NamedTuple):
    """Squadrons by role, and the factors now in the holding area."""

    uninverted: dict[str, int]
    inverted: dict[str, int]
    holding: int


@rule("23.131", "23.131A", "23.131B", "23.131C", "23.131D", "23.131E", "23.152A", "23.17", "23.18.1")
def must_convert(activity: str, friendly_nas: int = 0, enemy_nas: int = 0) -> bool:
    """23.131. Whether factors must be broken down just before this: anything at sea, or air combat with or against NAS.

    Factors that go for ships in port do not count as fighting (AN-05).
    """
    _known(activity, ACTIVITIES)
    if activity in ("air combat", "counterair", "base defense"):
        return friendly_nas > 0 or enemy_nas > 0
    return activity in AT_SEA


@rule("23.131", "23.132", "23.132A", "23.132B", "23.132C", "23.133", "23.17", "23.18.1")
def break_down(factors: int, inverted: int = 0, holding: int = 0) -> BrokenDown:
    """23.132. Factors, uninverted and inverted, as squadrons: of each role one a factor, in the state of their factor.

    All three exist even if one is wanted; the factors go to the holding area.
    """
    return BrokenDown(dict.fromkeys(ROLES, factors), dict.fromkeys(ROLES, inverted), holding + factors + inverted)


# -- squadrons to factors -----------------------------------------------------------------------


class Recombined(NamedTuple):
    """Factors formed at one base, taken from the holding area, and squadrons left over and lost."""

    factors: int
    uninverted: int
    remnants: int

    @property
    def inverted(self) -> int:
        """Factors that fly no mission and go home."""
        return self.factors - self.uninverted


@rule("23.142A", "23.143", "23.17", "23.18.1")
def factors_from(squadrons: int) -> int:
    """23.142A. Factors formed by squadrons of one place: three to one, a last pair rounding up (AN-01)."""
    return (squadrons + 1) // 3


@rule("23.142A", "23.17", "23.18.1")
def remnant_of(squadrons: int) -> int:
    """23.142A. The single squadron that is left over and lost, if there is one."""
    return 1 if squadrons % 3 == 1 else 0


@rule("23.141A.1", "23.141A.2", "23.17", "23.18.1")
def must_revert(activity: str, friendly_nas: int = 0, enemy_nas: int = 0, *, between_rounds: bool = False) -> bool:
    """23.141A. Whether squadrons taking part must first become factors: for what squadrons may not fly, whether begun or
    resumed after air combat, and when their base is attacked without NAS on either side.

    Never between the rounds of one air combat, whoever is left.
    """
    _known(activity, ACTIVITIES)
    if between_rounds or activity in AT_SEA or activity == "air combat":
        return False
    return not must_convert(activity, friendly_nas, enemy_nas)


@rule("23.141A", "23.141A.1", "23.142A", "23.143", "23.144", "23.17", "23.18.1")
def recombine(uninverted: Mapping[str, int], inverted: Mapping[str, int] | None = None) -> Recombined:
    """23.144. Squadrons at one base that take part, by role, as factors: uninverted only if made of one uninverted
    squadron of each role, the owner grouping them as he likes (AN-04). Only these may fly the mission.

    A single squadron left over is lost and becomes an unbuilt squadron.
    """
    number = sum(uninverted.values()) + sum((inverted or {}).values())
    sets = min(uninverted.get(role, 0) for role in ROLES)
    return Recombined(factors_from(number), sets, remnant_of(number))


@rule("23.152D")
def recombine_after_counterair(squadrons: int) -> Recombined:
    """23.152D. Squadrons back at one base when all counterair of the phase is over: the factors formed are inverted."""
    return Recombined(factors_from(squadrons), 0, remnant_of(squadrons))


class PortRaiders(NamedTuple):
    """Factors that go on to the ships; squadrons lost, and squadrons that go home as such."""

    factors: int
    squadrons_lost: int
    squadrons_home: int


@rule("23.131A", "23.141A.1", "23.144.2")
def port_raiders(factors: int, eliminated: int, aborted: int) -> PortRaiders:
    """23.141A. Factors going for ships in port when a result against squadrons reaches them (AN-05): just enough of them
    are broken down to bear it, and as no complete set is left of those, only the others go on."""
    lost = min(eliminated, 3 * factors)
    struck = min(lost + aborted, 3 * factors)
    broken = -(-struck // 3)
    return PortRaiders(factors - broken, lost, 3 * broken - lost)


# -- the construction phase ---------------------------------------------------------------------


class UnbuiltConversion(NamedTuple):
    """Unbuilt factors formed, unbuilt squadrons kept as such, and squadrons in play the owner must give up."""

    factors: int
    kept: int
    given_up: int


@rule("23.141B", "23.17", "23.18.1")
def convert_unbuilt(unbuilt_squadrons: int, in_play: int) -> UnbuiltConversion:
    """23.141B. Unbuilt squadrons in their owner's construction phase: three make a factor; a pair makes one at the price
    of a squadron in play, and waits if there is none; a single one is kept and does not count now.

    Other squadrons in play are not touched (AN-02).
    """
    factors, left = divmod(unbuilt_squadrons, 3)
    if left == 2 and in_play > 0:
        return UnbuiltConversion(factors + 1, 0, 1)
    return UnbuiltConversion(factors, left, 0)


@rule("23.141B.2")
def giving_up_form(bases: Mapping[str, Mapping[str, int]]) -> Form:
    """23.141B. The owner says which squadron in play he gives up: any base, any role.

    Of each base the number by sort, such as a role; where the sort is not told it is "". The choice is a base, or base and
    sort: "Malta", "Malta/cover". By default it costs no factor at the end of the player turn, if that can be had.
    """
    options = {
        f"{base}/{sort}" if sort else base: f"{sort} squadron at {base}".strip()
        for base, sorts in bases.items()
        for sort, number in sorts.items()
        if number > 0
    }
    price = {1: 0, 0: 1, 2: 2}  # a single squadron is lost anyway; three still make a factor when one is gone
    sizes = {base: sum(sorts.values()) for base, sorts in bases.items()}
    base = min((base for base in sizes if sizes[base] > 0), key=lambda base: price[sizes[base] % 3])
    sort = max(bases[base], key=lambda sort: bases[base][sort])
    return pick(options, f"{base}/{sort}" if sort else base)


# -- the end of a player turn -------------------------------------------------------------------


class TurnEnd(NamedTuple):
    """What all squadrons became: unbuilt factors in all, factors formed and squadrons lost by base.

    `surplus` factors of those formed must still be removed; `shortfall` of the unbuilt ones made up the force pool.
    """

    unbuilt: int
    by_base: dict[str, int]
    remnants: dict[str, int]
    surplus: int
    shortfall: int


@rule("23.141C", "23.142A", "23.142B", "23.142C", "23.143", "23.17", "23.18.1")
def end_of_player_turn(
    *, pool: int, other_in_play: int, unbuilt: int, unbuilt_squadrons: int, bases: Mapping[str, int]
) -> TurnEnd:
    """23.142B. All squadrons become factors: the unbuilt ones first, then those in play, each base or box by itself.

    Factors in play and unbuilt then equal the force pool (AN-03). A surplus comes off the factors formed in play, and only
    if these do not suffice off the unbuilt ones; a shortfall is unbuilt.
    """
    unbuilt += factors_from(unbuilt_squadrons)
    by_base = {base: factors_from(number) for base, number in bases.items()}
    remnants = {base: 1 for base, number in bases.items() if remnant_of(number)}
    formed = sum(by_base.values())
    excess = other_in_play + formed + unbuilt - pool
    surplus = min(max(0, excess), formed)
    shortfall = max(0, -excess)
    unbuilt += shortfall + surplus - max(0, excess)
    if unbuilt < 0:
        raise ValueError(f"{other_in_play} factors in play are more than the force pool of {pool} allows")
    return TurnEnd(unbuilt, by_base, remnants, surplus, shortfall)


@rule("23.142C", "23.143")
def surplus_form(by_base: Mapping[str, int], surplus: int) -> Form:
    """23.142C. The owner says which of the factors just formed are removed, in any hexes (AN-03)."""
    why = f"Of the factors just formed {surplus} must be removed, no more and no fewer."
    formed = {base: number for base, number in by_base.items() if number > 0}
    cells = tuple((base, "removed", 1) for base in formed)
    default: dict[str, dict[str, int]] = {}
    left = surplus
    for base, number in formed.items():
        default[base] = {"removed": min(left, number)}
        left -= min(left, number)
    return Form(
        tuple(Item(base, f"factors formed at {base}", number) for base, number in formed.items()),
        (Place("stays", "stays in play"), Place("removed", "is removed")),
        (AtMost(cells, surplus, "23.142C", why), AtLeast(cells, surplus, "23.142C", why)),
        rest="stays",
        default=default,
    )


# -- air transports -----------------------------------------------------------------------------


class TransportFate(NamedTuple):
    """Air transport factors after one result."""

    eliminated: int
    inverted: int
    continuing: int


@rule("23.18")
def air_transport_fate(factors: int, eliminated: int, aborted: int) -> TransportFate:
    """23.18. Air transport factors after one result against their squadrons (AN-07): what is lost rounds as it does for
    all squadrons, a survivor that lost or aborted one is inverted and ends its mission, the owner concentrating it."""
    lost = min(eliminated, 3 * factors)
    struck = min(lost + aborted, 3 * factors)
    gone = factors - factors_from(3 * factors - lost)
    touched = -(-struck // 3)
    return TransportFate(gone, touched - gone, factors - touched)


# -- what land-based air may still do -----------------------------------------------------------


class Use(NamedTuple):
    """Something a unit did this player turn. `occasion` is the round of naval combat, or the hex outside it."""

    activity: str
    occasion: str = ""


class Bar(NamedTuple):
    """Why a unit may not do something."""

    rule: str
    why: str


@rule("23.162")
def is_committed(uses: Sequence[Use]) -> bool:
    """23.162. Whether naval use has committed a unit: searching, covering and attacking do, spotting does not (AM-23)."""
    return any(use.activity in ROLE_OF for use in uses)


@rule(
    "22.434",
    "22.442B",
    "22.442C",
    "23.11F",
    "23.151",
    "23.161",
    "23.162",
    "23.163",
    "23.462B",
    "23.51.1",
    "23.751B.1",
    "23.752A.1",
)
def bar_to(
    uses: Sequence[Use],
    activity: str,
    occasion: str = "",
    *,
    unit: str = "NAS",
    inverted: bool = False,
    operational: bool = True,
    fleeing: bool = False,
    turned_back: Sequence[str] = (),
    in_a_factor: bool = False,
) -> Bar | None:
    """23.161. What keeps a land-based squadron from doing this after what it did this player turn; None if nothing does.

    Only uninverted squadrons in operational bases act at sea, in one role a round or hex, attacking once in each, and not
    while on a mission; naval use bars missions on the ground or in the air (AN-08). Raiders of a port may go after ships that flee it: `fleeing`.
    Who was turned back by counterair sits out that round (`turned_back`, by occasion) and serves in later ones (22.434).
    An army squadron attacks no ships in port but `in_a_factor`, put together again (23.141A).
    Each squadron answers for itself, wherever the others of its factor are. Range and cost are judged elsewhere.
    """
    _known(activity, USES)
    at_sea = activity in AT_SEA
    if inverted:
        return Bar("23.161" if at_sea else "23.144", "it is inverted")
    if at_sea and not operational:
        return Bar("23.161", "its base is not operational")
    if at_sea and not may_perform(unit, activity):
        return Bar("23.151", f"{activity} is done by {' or '.join(EMPLOYMENT[activity][:2])}, not by {unit}")
    if activity == "attack in port" and not in_a_factor and not may_perform(unit, activity):
        return Bar("23.11F", "ships in port are attacked by whole factors of army air: put it together first (23.141A)")
    missions = [use.activity for use in uses if use.activity in MISSIONS]
    if at_sea and missions and not (fleeing and missions[-1] in ("attack in port", "counterair")):
        return Bar("23.162", f"it is on a mission this player turn ({missions[-1]})")
    if activity in GROUND_OR_AIR and is_committed(uses):
        return Bar("23.162", "it has searched, covered or attacked at sea this player turn")
    if activity in ROLE_OF and occasion and occasion in turned_back:
        return Bar("22.442C", "it was turned back by counterair in this round")
    if activity in ROLE_OF and occasion:
        roles = [ROLE_OF[use.activity] for use in uses if use.occasion == occasion and use.activity in ROLE_OF]
        if any(role != ROLE_OF[activity] for role in roles):
            return Bar("23.161", f"it has another role in this round or hex ({roles[0]})")
        if activity == "attack at sea" and roles:
            return Bar("23.751B", "it has attacked in this round or hex: it does so once in each (23.751B, 23.752A)")
    return None


def may_still_fly(uses: Sequence[Use], activity: str, occasion: str = "", *, unit: str = "NAS") -> bool:
    """Whether nothing bars an uninverted squadron in an operational base from doing this, in its factor if it takes one
    (23.161, 23.162)."""
    return bar_to(uses, activity, occasion, unit=unit, in_a_factor=True) is None


@rule("23.11A", "23.164")
def inversion(uses: Sequence[Use], *, redeploys: bool = False) -> str:
    """23.164. When naval use inverts a land-based squadron: "redeployment phase" (at its end), "at once" if it redeploys
    itself, "never" if it only spotted."""
    if not is_committed(uses):
        return "never"
    return "at once" if redeploys else "redeployment phase"


@rule("23.164.2")
def may_be_uninverted(*, redeployed: bool, own_player_turn: bool) -> bool:
    """23.164. Whether an inverted land-based squadron may be turned again when this player turn ends."""
    return own_player_turn and not redeployed


@rule("23.165")
def costs_nothing(activity: str) -> bool:
    """23.165. Whether an activity is no offensive operation and costs no BRPs: a role at sea. Others are judged by 18."""
    _known(activity, USES)
    return activity in ROLE_OF
