"""Where everything lies in the two rows of whole numbers a compiled naval battle consists of (22.3 to 22.9, 23).

A battle is `s`, what changes, and `c`, what does not: two flat rows of 32-bit numbers. Every kernel takes (s, c) and
plain numbers, and nothing else. Offsets are the constants below; nothing is ever addressed in another way.

Sides: 0 is the intercepting side, 1 the other, so the order of play is always 0, 1 (22.31); the enemy of `side` is
`1 - side`. Things have one index for both sides, side by side, so that a field is `s[FIELD + index]`:

    ship   side * MOST_SHIPS + i      group  side * MOST_SLOTS + i     cargo  side * MOST_CARGO + i
    kind   side * MOST_LIGHT + i      base   side * MOST_BASES + i     key    side * MOST_KEYS + i
    sub    side * MOST_BOATS + i      place  side * MOST_PLACES + i (destroyers elsewhere, 22.9432)

A `group` is a slot, not a number: `s[GROUP_OF + side * NUMBERS + number]` is the slot with that number or NONE, and going
up the numbers 1 to 6 is going through `fleet.groups` in order. Pending groups are listed in `s[PENDING + side *
(MOST_SLOTS + 1)]`: how many, then their slots. The ships of a group are those of `s[GROUP_FIRST + group]` up to, not
including, `s[GROUP_END + group]` for which `s[SHIP_AT + ship] == group`, and that is their order too; its cargo likewise
(CARGO_FIRST, CARGO_END, CARGO_AT). A ship that is not in a group is at SUNK, WITHDRAWN or HOME.

Counts that the procedures hold in dicts are kept in maps, because the order of a dict decides between equals: at `at`
stands how many entries there are, then pairs (what, number) in the dict's order, none with number 0. `put` and `take` of
kernel_maps.py are the `plus` and `minus` of the procedures for one entry. Maps of light ships hold kinds, maps of
aircraft hold keys. A map's address is FIELD + index * its stride: GROUP_LIGHT + group * LIGHT_MAP, WING + ship *
WING_MAP, GROUP_PATROL + group * DECK_MAP, GROUP_COVER + group * COVER_MAP, BASE_SQUADRONS + base * BASE_MAP.

Kinds of light ships and keys of squadrons are numbered, per side, in the order of their texts, so what everyone is
`told` (counts sorted by key) is a map sorted by number. A key knows its base (`c[KEY_BASE + key]`, NONE aboard carriers):
"Japan/AAS/attack@Rabaul" and "Japan/AAS/attack@Truk" are two keys. What stands at a base is held under keys of that base.

Yes and no are 1 and 0. Overrides and other answers that may be missing are NONE.
"""

from __future__ import annotations

NONE = -1

# -- how much there may be ------------------------------------------------------------------------

SIDES = 2
NUMBERS = 8  # group numbers 0 to 6, and one word to make it even
MOST_GROUPS = 6  # in the battle, of a side (22.421C)
MOST_SLOTS = 10  # groups of a side, pending ones with them
MOST_SHIPS = 32  # named ships of a side
MOST_LIGHT = 16  # kinds of light ships of a side, with the states they may come to be in
MOST_CARGO = 12  # cargoes of a side
MOST_BASES = 6  # air bases of a side
MOST_KEYS = 40  # keys of squadrons of a side
MOST_DECK_KEYS = 6  # of them: aboard carriers
MOST_WING_KEYS = MOST_DECK_KEYS  # of them: aboard one carrier
MOST_BASE_KEYS = 12  # of them: at one base, what may come to be there with them
MOST_COVER_KEYS = 12  # of them: that may fly cover
MOST_STRIKE_KEYS = 12  # a strike has twelve squadrons at most (23.73)
MOST_SIZE = 8  # naval factors of a named ship
MOST_BOATS = 6  # kinds of submarines of a side
MOST_PLACES = 8  # kinds of destroyers elsewhere of a side
MOST_FACTORS = 400  # naval factors of a side: the largest row of the Naval Attack Table that is made
MOST_SQUADRONS = 120  # squadrons of a side: the largest row of the Air Combat Table that is made
MOST_ROUNDS = 60  # after which a battle is broken off, should it never end

LIGHT_MAP = 1 + 2 * MOST_LIGHT
WING_MAP = 1 + 2 * MOST_WING_KEYS
DECK_MAP = 1 + 2 * MOST_DECK_KEYS
COVER_MAP = 1 + 2 * MOST_COVER_KEYS
BASE_MAP = 1 + 2 * MOST_BASE_KEYS
STRIKE_MAP = 1 + 2 * MOST_STRIKE_KEYS
KEY_MAP = 1 + 2 * MOST_KEYS

# Where a ship or cargo is that is in no group.
SUNK, WITHDRAWN, HOME = -1, -2, -3

# Segments, as far as they are compiled, and what follows.
COUNTERAIR, CARRIER_AIR, AIR_COVER, SEARCH, DISCLOSURE, AIR_STRIKES = range(6)
FLEET_COMBAT, SUBMARINES, WITHDRAWAL, REINFORCEMENT, RETURN, OVER = range(6, 12)
SEGMENT_NAMES = (
    "counterair",
    "carrier air",
    "air cover",
    "search",
    "disclosure",
    "air strikes",
    "fleet combat",
    "submarines",
    "withdrawal",
    "reinforcement",
    "return",
    "over",
)

# Kinds of ships, light ships and squadrons, as numbers.
BB, BC, PB, CVL, CV, CVB = range(6)
SHIP_KINDS = ("BB", "BC", "PB", "CVL", "CV", "CVB")
CA, DD, CVE, TR = range(4)
LIGHT_KINDS = ("CA", "DD", "CVE", "TR")
SOUND, LOADED, DAMAGED = range(3)  # states of light ships
LIGHT_STATES = ("", "loaded", "damaged")
NAS, AAS, JET, ATR, KAM = range(5)
AIR_KINDS = ("NAS", "AAS", "JET", "ATR", "KAM")
PLAIN, ELITE, FOR_SEARCH, FOR_COVER, FOR_ATTACK = range(5)  # states of squadrons
AIR_STATES = ("", "elite", "search", "cover", "attack")

# What an override of screening says.
SCREEN_NOTHING, SCREEN_ALL = range(2)

# -- the state ----------------------------------------------------------------------------------------

_taken = {"s": 0, "c": 0}


def _more(row: str, number: int) -> int:
    first = _taken[row]
    _taken[row] += number
    return first


def _words(number: int) -> int:
    """The address of so many more words of the state."""
    return _more("s", number)


def _fixed(number: int) -> int:
    """The address of so many more words of the constants."""
    return _more("c", number)


_SHIPS, _GROUPS, _KINDS = SIDES * MOST_SHIPS, SIDES * MOST_SLOTS, SIDES * MOST_LIGHT
_CARGO, _BASES, _KEYS = SIDES * MOST_CARGO, SIDES * MOST_BASES, SIDES * MOST_KEYS
_BOATS, _PLACES = SIDES * MOST_BOATS, SIDES * MOST_PLACES

# What came of it.
DICE_USED = _words(1)
ROUND = _words(1)
SEGMENT = _words(1)
VICTOR = _words(1)  # a side, or NONE
LOSERS = _words(1)  # 1 for side 0, 2 for side 1, added
GOES_ON = _words(1)  # the intercepted activity (22.81A)
BROKEN_OFF = _words(1)  # it went beyond MOST_ROUNDS
LINE_CUT = _words(SIDES)
SUNK_LIGHT = _words(_KINDS)  # light ships, s[... + kind]
WITHDRAWN_LIGHT = _words(_KINDS)
AIR_LOST = _words(_KEYS)  # squadrons, s[... + key]
BOATS = _words(_BOATS)  # submarines that have not attacked, s[... + sub]
BOATS_SPENT = _words(_BOATS)
BOATS_LOST = _words(_BOATS)
ELSEWHERE = _words(_PLACES)  # destroyers, s[... + place]
GROUP_NUMBER = _words(_GROUPS)  # its last one, when it is gone; 0 while pending, s[... + group]
GROUP_HERE = _words(_GROUPS)  # whether it is in the battle
SHIP_AT = _words(_SHIPS)  # its group, or SUNK, WITHDRAWN, HOME, s[... + ship]
SHIP_HITS = _words(_SHIPS)
SHIP_DAMAGED = _words(_SHIPS)
CARGO_AT = _words(_CARGO)  # its group, or SUNK, WITHDRAWN, s[... + cargo]
CARGO_NEEDS = _words(_CARGO)

# Dice (kernel_dice.py): the first of the window, and what makes them.
WINDOW_DICE = 64
NO_WINDOW = -WINDOW_DICE
WINDOW_FIRST = _words(1)  # a multiple of 64, or NO_WINDOW: nothing filled yet
SEED_LOW, SEED_HIGH = _words(1), _words(1)
BATTLE_LOW, BATTLE_HIGH = _words(1), _words(1)
STREAM = _words(1)

# Sides: s[... + side].
ROUND_SUNK = _words(SIDES)
WITHDREW = _words(SIDES)
SIDE_FOUND = _words(SIDES)  # `fleet.found`
SEARCHING = _words(SIDES)  # land-based squadrons that search, this round
STRIKES = _words(SIDES)  # flown this round
CARRIERS_SEEN = _words(SIDES)  # of this side, by its enemy (doctrine/sight.py)
GROUP_OF = _words(SIDES * NUMBERS)
PENDING = _words(SIDES * (MOST_SLOTS + 1))
ALOFT = _words(SIDES * DECK_MAP)  # naval air that must land; map of keys, like the next
PATROL_LEFT = _words(SIDES * DECK_MAP)  # on patrol over groups that are gone

# Damage of this round, still afloat (`newly_damaged`): factors by light kind, yes or no by ship.
NEWLY_LIGHT = _words(_KINDS)
SHIP_NEWLY = _words(_SHIPS)

# Groups: s[... + group].
GROUP_FIRST, GROUP_END = _words(_GROUPS), _words(_GROUPS)
CARGO_FIRST, CARGO_END = _words(_GROUPS), _words(_GROUPS)
GROUP_SUPPLY = _words(_GROUPS)
GROUP_UNLADEN = _words(_GROUPS)
GROUP_ARRIVES = _words(_GROUPS)
GROUP_TASK_FORCE = _words(_GROUPS)
GROUP_NEAR = _words(_GROUPS)  # which destroyers elsewhere may take its losses: bit i for place i of its side
GROUP_TAKES = _words(_GROUPS)  # 1 + the group that became one with it (22.421B), or 0
GROUP_LOST = _words(_GROUPS)  # factors sunk out of it, transports as one each
GROUP_REVEALED = _words(_GROUPS)
# What a group has, once it was counted (kernel_groups.py); NONE if its ships have changed since.
GROUP_GUNS = _words(_GROUPS)
GROUP_CARRIERS = _words(_GROUPS)
# Of the round; cleared when the next begins, SCOUTS set anew.
DISCLOSED = _words(_GROUPS)
DISCLOSED_UNDER_TEN = _words(_GROUPS)
DISCLOSED_CARRIERS = _words(_GROUPS)
DISCLOSED_CARGO = _words(_GROUPS)
FOUND = _words(_GROUPS)
SPENT = _words(_GROUPS)
MET = _words(_GROUPS)
VICTORIOUS = _words(_GROUPS)
ENGAGED = _words(_GROUPS)
EVADED = _words(_GROUPS)
STOOD = _words(_GROUPS)
ATTACKED = _words(_GROUPS)
FOUGHT = _words(_GROUPS)
SCOUTS = _words(_GROUPS)
SUBMARINE_ATTACKS = _words(_GROUPS)
# Maps, all of them from here on (but ALOFT and PATROL_LEFT). Of a group: LIGHT_MAP, DECK_MAP, COVER_MAP words each.
MAPS = _taken["s"]
GROUP_LIGHT = _words(_GROUPS * LIGHT_MAP)
GROUP_PATROL = _words(_GROUPS * DECK_MAP)
GROUP_COVER = _words(_GROUPS * COVER_MAP)

# Aircraft: wings of WING_MAP words by ship; at bases maps of BASE_MAP words, where factors are held under factor numbers
# (FACTOR_...) and all else under keys.
WING = _words(_SHIPS * WING_MAP)
BASE_SQUADRONS = _words(_BASES * BASE_MAP)
BASE_USED = _words(_BASES * BASE_MAP)
BASE_INVERTED = _words(_BASES * BASE_MAP)
BASE_ABORTED = _words(_BASES * BASE_MAP)  # by the latest counterair (22.435)
BASE_FACTORS = _words(_BASES * BASE_MAP)
BASE_INVERTED_FACTORS = _words(_BASES * BASE_MAP)

# Up to here a battle is copied from its template, as far as COPIES says. All that follows is written before it is read.
KEPT_WORDS = _taken["s"]

WINDOW = _words(WINDOW_DICE)  # dice

# Engagements declared and not yet fought: how many, then (number of side 0, number of side 1, initiator or NONE).
MOST_ENGAGEMENTS = 2 * MOST_GROUPS
ENGAGEMENTS = _words(1 + 3 * MOST_ENGAGEMENTS)
UNDECLARED = _words(1 + 2 * MOST_ENGAGEMENTS)  # how many, then (side, number)

# The fleet combat being fought: s[... + side], rows of ships (how many, then ships), maps of light ships.
FIGHTING = _words(SIDES)  # the groups
HAMPERED = _words(SIDES)
GUNNERY = _words(SIDES)  # what modifies every roll of a side
SHIP_ROW = 1 + MOST_SHIPS
LINE_CAPITAL = _words(SIDES * SHIP_ROW)  # by rank
LINE_RANK = _words(SIDES * SHIP_ROW)  # what ranks them, side by side with them
LINE_SCREENED = _words(SIDES * SHIP_ROW)
LINE_HELD = _words(SIDES * SHIP_ROW)
LINE_LIGHT = _words(SIDES * LIGHT_MAP)
LINE_SCREENED_LIGHT = _words(SIDES * LIGHT_MAP)
LINE_HELD_LIGHT = _words(SIDES * LIGHT_MAP)
SHOT_LIGHT = _words(SIDES * LIGHT_MAP)  # light ships that fire at light ships
SHOT_ASIDE = _words(SIDES * LIGHT_MAP)  # surplus light ships that fire at a capital ship
SCORED = _words(SIDES * SHIP_ROW)  # hits by rank of the target, the light ships first

# Losses of light ships by one roll, maps of kinds; and room to work in, which nothing keeps.
LOST_SUNK = _words(LIGHT_MAP)
LOST_DAMAGED = _words(LIGHT_MAP)
SCRATCH = _words(8 * MOST_LIGHT)

# The strike under way (22.46): its side, its group, surprise, and its maps of keys, STRIKE_MAP or KEY_MAP words each.
STRIKE_SIDE = _words(1)
STRIKE_GROUP = _words(1)
STRIKE_SURPRISE = _words(1)
STRIKE_LEVEL = _words(1)
STRIKE_SQUADRONS = _words(KEY_MAP)
STRIKE_FIGHTING = _words(KEY_MAP)
STRIKE_DEFENDERS = _words(KEY_MAP)
STRIKE_TARGETS = _words((MOST_SHIPS + 2) * STRIKE_MAP)  # by ship of the side's row, then light ships, supply line
AIR_SCRATCH = _words(12 * KEY_MAP)

STATE_WORDS = _taken["s"]

# -- the constants -----------------------------------------------------------------------------------------

# The battle and the options of the rules.
AIRCRAFT = _fixed(1)
SUBMARINES_HERE = _fixed(1)
DAMAGED_AGAIN = _fixed(1)  # option damaged_ship_sinks_on
HELD_UNDAMAGED = _fixed(1)  # option damaged_may_fire_late: only undamaged ships use fire they held
HELD_CRUISERS = _fixed(1)  # and whether damaged cruisers do
TRIES = _fixed(1)  # option evaded_engagement
NAVAL_AIR_BONUS = _fixed(1)  # option naval_air_bonus_at_sea
WITHHELD_RETURNS = _fixed(1)  # option withheld_air_returns

# What a battle copies of its template: how many stretches, then (first word, end) of each. The maps of slots, ships and
# bases that are not there stay empty.
MOST_COPIES = 1 + 3 * _GROUPS + _SHIPS + 6 * _BASES
COPIES = _fixed(1 + 2 * MOST_COPIES)

# Sides: c[... + side].
TACTICAL = _fixed(SIDES)
SEARCH_ADVANTAGE = _fixed(SIDES)  # already between -1 and 1
RADAR = _fixed(SIDES)
AIR_DEFENSE_RESEARCH = _fixed(SIDES)
TORPEDO_RESEARCH = _fixed(SIDES)
ASW_RESEARCH = _fixed(SIDES)
SUBMARINE_CODEBREAKING = _fixed(SIDES)
GROUP_COUNT = _fixed(SIDES)  # how many there are of each
SHIP_COUNT = _fixed(SIDES)
LIGHT_COUNT = _fixed(SIDES)
CARGO_COUNT = _fixed(SIDES)
BASE_COUNT = _fixed(SIDES)
KEY_COUNT = _fixed(SIDES)
BOAT_COUNT = _fixed(SIDES)
PLACE_COUNT = _fixed(SIDES)
FACTOR_COUNT = _fixed(SIDES)
CARRIERS = _fixed(SIDES)  # whether it has carriers, or had some whose aircraft are still in the air
ELITE_KEYS = _fixed(SIDES)  # keys of elite squadrons
BOUND = _fixed(SIDES)  # whether it has ships that may not leave
LADEN = _fixed(SIDES)  # whether it has cargo or loaded destroyers

# Ships: c[... + ship].
SHIP_SIZE = _fixed(_SHIPS)
SHIP_KIND = _fixed(_SHIPS)
SHIP_CARRIER = _fixed(_SHIPS)
SHIP_FAST = _fixed(_SHIPS)
SHIP_BOUND = _fixed(_SHIPS)
SHIP_DRM = _fixed(_SHIPS)  # Naval Nationality, supply and oil counted
SHIP_PLAIN_DRM = _fixed(_SHIPS)  # as the admiral reckons: supply and oil not counted

# Light kinds: c[... + kind].
LIGHT_TYPE = _fixed(_KINDS)  # CA, DD, CVE, TR
LIGHT_STATE = _fixed(_KINDS)
LIGHT_FACTORS = _fixed(_KINDS)
LIGHT_NATION = _fixed(_KINDS)
LIGHT_DRM = _fixed(_KINDS)
LIGHT_PLAIN_DRM = _fixed(_KINDS)
LIGHT_HURT = _fixed(_KINDS)  # the kind a cruiser becomes that is damaged, or NONE
LIGHT_WELL = _fixed(_KINDS)  # the kind a damaged cruiser was, or NONE
LIGHT_LADEN = _fixed(_KINDS)  # the kind a destroyer becomes that is loaded, or NONE
LIGHT_EMPTY = _fixed(_KINDS)  # the kind a loaded destroyer becomes, or NONE

# Cargo: c[... + cargo].
CARGO_BY = _fixed(_CARGO)  # DD or TR
CARGO_DIVISIBLE = _fixed(_CARGO)

# Submarines: c[... + sub]; destroyers elsewhere: c[... + place].
BOAT_ADVANCED = _fixed(_BOATS)
BOAT_DRM = _fixed(_BOATS)
BOAT_ASW = _fixed(_BOATS)  # the enemy's excess ASW that counts against it
PLACE_KIND = _fixed(_PLACES)  # of light ships

# Air bases: c[... + base].
BASE_REACH = _fixed(_BASES)  # operational, and within range of the battle (22.442)
BASE_OPERATIONAL = _fixed(_BASES)
BASE_NEAR = _fixed(_BASES)  # within three hexes: patrols may land there (22.463B)
BASE_CAPACITY = _fixed(_BASES)

# Keys of squadrons: c[... + key].
KEY_KIND = _fixed(_KEYS)  # NAS, AAS, JET, ATR, KAM
KEY_STATE = _fixed(_KEYS)  # PLAIN, ELITE, FOR_SEARCH, FOR_COVER, FOR_ATTACK
KEY_BASE = _fixed(_KEYS)  # a base, or NONE aboard carriers
KEY_TYPE = _fixed(_KEYS)  # the same number for keys that take losses as one type (AN-19)
KEY_DRM = _fixed(_KEYS)  # Air Nationality, supply, oil and winter counted
KEY_PLAIN_DRM = _fixed(_KEYS)  # as the admiral reckons
KEY_ASHORE = _fixed(_KEYS * MOST_BASES)  # of a key aboard carriers: the key it has at base i of its side, or NONE

# Factors of army air, jets and transports: c[... + factor], factor = side * MOST_FACTOR_KINDS + i.
MOST_FACTOR_KINDS = 6
_FACTORS = SIDES * MOST_FACTOR_KINDS
FACTOR_ARMY = _fixed(_FACTORS)  # AAF, the only ones that are broken down for a battle
FACTOR_KEYS = _fixed(_FACTORS * MOST_BASES * 3)  # at base i: the keys its squadrons to search, cover and attack have

# Doctrines: c[DOCTRINE + side * DOCTRINE_WORDS + place of the number in doctrine.Doctrine].
DOCTRINE_WORDS = 32
DOCTRINE = _fixed(SIDES * DOCTRINE_WORDS)

# Overrides: NONE lets the policy decide. c[... + side], and for patrol c[... + group].
FORCED_EVADE = _fixed(SIDES)
FORCED_WITHDRAW = _fixed(SIDES)
FORCED_COVER = _fixed(SIDES)  # the number of the group all cover flies over
FORCED_SCREEN = _fixed(SIDES)  # SCREEN_NOTHING, SCREEN_ALL
FORCED_PATROL = _fixed(_GROUPS)  # squadrons on patrol over the group
FORCED_ROUND = _fixed(SIDES)  # overrides hold in this round only; NONE: in every round

CONSTANT_WORDS = _taken["c"]
