"""Where everything lies in the two rows of whole numbers a compiled naval battle consists of (22.3 to 22.9, 23).

A battle is `s`, what changes, and `c`, what does not: two flat rows of 32-bit numbers. Every kernel takes (s, c) and
plain numbers, and nothing else. Offsets are the constants below; nothing is ever addressed in another way.

Sides: 0 is the intercepting side, 1 the other, so the order of play is always 0, 1 (22.31); the enemy of `side` is
`1 - side`. Things have one index for both sides, side by side, so that a field is `s[FIELD + index]`:

    ship   side * MOST_SHIPS + i      kind   side * MOST_LIGHT + i     cargo  side * MOST_CARGO + i
    base   side * MOST_BASES + i      key    side * MOST_KEYS + i      sub    side * MOST_BOATS + i
    place  side * MOST_PLACES + i (destroyers elsewhere, 22.9432)

A `group` is where its words begin, GROUPS + slot * GROUP_WORDS, so that what one group has stands side by side and a field
is `s[FIELD + group]` again; slots are numbered side * MOST_SLOTS + i. `s[GROUP_OF + side * NUMBERS + number]` is the group
with that number or NONE; bit n of `s[NUMBERS_USED + side]` says whether there is one, and going up the bits is going
through `fleet.groups` in order. Pending groups are listed in `s[PENDING + side * (MOST_SLOTS + 1)]`: how many, then which.

Ships and cargo are held in sets: bit i of a word is the ship side * MOST_SHIPS + i (kernel_sets.py). Every ship is in the
set of one group, `s[GROUP_SHIPS + group]`, or in SUNK_SHIPS, WITHDRAWN_SHIPS or HOME_SHIPS of its side; going up the bits is
the order of the ships in the group. Cargo likewise: GROUP_CARGO, WITHDRAWN_CARGO; what is in neither is lost.

Counts that the procedures hold in dicts are kept in maps, because the order of a dict decides between equals: at `at`
stands how many entries there are, then pairs (what, number) in the dict's order, none with number 0. `put` and `take` of
kernel_maps.py are the `plus` and `minus` of the procedures for one entry. Maps of light ships hold kinds, maps of
aircraft hold keys. Maps stand at GROUP_LIGHT + group, GROUP_PATROL + group, GROUP_COVER + group, WING + ship * WING_MAP,
BASE_SQUADRONS + base * BASE_WORDS and so on.

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
MOST_SHIPS = 31  # named ships of a side: a set of them is a word that is never negative
MOST_LIGHT = 16  # kinds of light ships of a side, with the states they may come to be in
MOST_CARGO = 12  # cargoes of a side
MOST_BASES = 6  # air bases of a side
MOST_KEYS = 40  # keys of squadrons of a side
MOST_DECK_KEYS = 6  # of them: aboard carriers
MOST_WING_KEYS = MOST_DECK_KEYS  # of them: aboard one carrier
MOST_BASE_KEYS = 12  # of them: at one base, what may come to be there with them
MOST_COVER_KEYS = 12  # of them: that may fly cover
MOST_SIZE = 8  # naval factors of a named ship
SIZE_BITS = 4  # which take so many bits
HITS_IN_RANK = 100  # what a hit counts in the rank of a ship (22.54A)
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
KEY_MAP = 1 + 2 * MOST_KEYS

# Segments, as far as they are compiled, and what follows.
COUNTERAIR, CARRIER_AIR, AIR_COVER, SEARCH, DISCLOSURE, AIR_STRIKES = range(6)
FLEET_COMBAT, SUBMARINES, WITHDRAWAL, REINFORCEMENT, RETURN, OVER = range(6, 12)
# Steps of fleet combat (22.521): those of model/state.py, and EVADE where engagements are declared and a target has evaded.
PAIR, FIRST, DECLARE, EVADE, SECOND = range(5)
STEP_NAMES = ("pair", "first", "declare", "evade", "second")
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

_taken = {"s": 0, "c": 0, "group": 0}


def _more(row: str, number: int) -> int:
    first = _taken[row]
    _taken[row] += number
    return first


def _words(number: int) -> int:
    """The address of so many more words of the state."""
    return _more("s", number)


def _of_group(number: int) -> int:
    """Where in the words of a group so many more stand."""
    return _more("group", number)


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
STEP = _words(1)  # of fleet combat, in which a battle may be taken up; else PAIR
VICTOR = _words(1)  # a side, or NONE
LOSERS = _words(1)  # 1 for side 0, 2 for side 1, added
GOES_ON = _words(1)  # the intercepted activity (22.81A)
BROKEN_OFF = _words(1)  # it went beyond MOST_ROUNDS

# Dice (kernel_dice.py): the first of the window, and what makes them.
WINDOW_DICE = 64
NO_WINDOW = -WINDOW_DICE
WINDOW_FIRST = _words(1)  # a multiple of 64, or NO_WINDOW: nothing filled yet
SEED_LOW, SEED_HIGH = _words(1), _words(1)
BATTLE_LOW, BATTLE_HIGH = _words(1), _words(1)
STREAM = _words(1)

# Sides: s[... + side].
LINE_CUT = _words(SIDES)
ROUND_SUNK = _words(SIDES)
WITHDREW = _words(SIDES)
SIDE_FOUND = _words(SIDES)  # `fleet.found`
SEARCHING = _words(SIDES)  # land-based squadrons that search, this round
STRIKES = _words(SIDES)  # flown this round
CARRIERS_SEEN = _words(SIDES)  # of this side, by its enemy (doctrine/sight.py)
# Sets of ships, of cargo, of numbers of groups.
DAMAGED_SHIPS = _words(SIDES)
NEWLY_SHIPS = _words(SIDES)  # damaged this round, still afloat (`newly_damaged`)
READY_CARRIERS = _words(SIDES)  # with naval air on deck, damaged or not
HIT_SHIPS = _words(SIDES)  # hit since the battle was encoded
SUNK_SHIPS = _words(SIDES)
WITHDRAWN_SHIPS = _words(SIDES)
HOME_SHIPS = _words(SIDES)
WITHDRAWN_CARGO = _words(SIDES)
NUMBERS_USED = _words(SIDES)
GROUP_OF = _words(SIDES * NUMBERS)
PENDING = _words(SIDES * (MOST_SLOTS + 1))

SHIP_HITS = _words(_SHIPS)  # s[... + ship]
CARGO_NEEDS = _words(_CARGO)  # s[... + cargo]
SUNK_LIGHT = _words(_KINDS)  # light ships, s[... + kind]
WITHDRAWN_LIGHT = _words(_KINDS)
HURT_LIGHT = _words(_KINDS)  # that came to be of this kind by damage, since the battle was encoded
NEWLY_LIGHT = _words(_KINDS)  # factors damaged this round, still afloat (`newly_damaged`)
BOATS = _words(_BOATS)  # submarines that have not attacked, s[... + sub]
BOATS_SPENT = _words(_BOATS)
BOATS_LOST = _words(_BOATS)
ELSEWHERE = _words(_PLACES)  # destroyers, s[... + place]

# Aircraft that are nowhere else.
AIR_LOST = _words(_KEYS)  # squadrons, s[... + key]
ALOFT = _words(SIDES * DECK_MAP)  # naval air that must land; map of keys, like the next
PATROL_LEFT = _words(SIDES * DECK_MAP)  # on patrol over groups that are gone

# Groups: s[... + group].
GROUP_SHIPS = _of_group(1)  # set of ships
GROUP_CARGO = _of_group(1)  # set of cargo
GROUP_NUMBER = _of_group(1)  # its last one, when it is gone; 0 while pending
GROUP_HERE = _of_group(1)  # whether it is in the battle
GROUP_SUPPLY = _of_group(1)
GROUP_UNLADEN = _of_group(1)
GROUP_ARRIVES = _of_group(1)
GROUP_TASK_FORCE = _of_group(1)
GROUP_NEAR = _of_group(1)  # which destroyers elsewhere may take its losses: bit i for place i of its side
GROUP_TAKES = _of_group(1)  # the group that became one with it (22.421B), or 0
GROUP_TAKEN = _of_group(1)  # the group it became one with, or 0
GROUP_LOST = _of_group(1)  # factors sunk out of it, transports as one each
GROUP_HURT = _of_group(1)  # whether cruisers in it were damaged, since the battle was encoded
GROUP_REVEALED = _of_group(1)
# What its light ships come to (kernel_groups.py).
LIGHT_FACTORS_ALL = _of_group(1)
LIGHT_FACTORS_UNDAMAGED = _of_group(1)
LIGHT_GUNS = _of_group(1)
LIGHT_SLOW = _of_group(1)  # whether any makes the group slow
LIGHT_SOUND = _of_group(1)  # whether any is undamaged, transports too
# Of the round; cleared when the next begins, SCOUTS set anew.
MARKS = _taken["group"]
DISCLOSED = _of_group(1)
DISCLOSED_UNDER_TEN = _of_group(1)
DISCLOSED_CARRIERS = _of_group(1)
DISCLOSED_CARGO = _of_group(1)
FOUND = _of_group(1)
SPENT = _of_group(1)
MET = _of_group(1)
VICTORIOUS = _of_group(1)
ENGAGED = _of_group(1)
EVADED = _of_group(1)
STOOD = _of_group(1)
ATTACKED = _of_group(1)
FOUGHT = _of_group(1)
SCOUTS = _of_group(1)
SUBMARINE_ATTACKS = _of_group(1)
END_OF_MARKS = _taken["group"]
# Maps.
GROUP_PATROL = _of_group(DECK_MAP)
GROUP_COVER = _of_group(COVER_MAP)
GROUP_LIGHT = _of_group(LIGHT_MAP)

GROUP_WORDS = _taken["group"]
GROUPS = _words(_GROUPS * GROUP_WORDS)
SECOND_GROUPS = GROUPS + MOST_SLOTS * GROUP_WORDS  # where those of side 1 begin

# Aircraft: wings of WING_MAP words by ship; at bases BASE_WORDS words each, maps of BASE_MAP words, where factors are held
# under factor numbers (FACTOR_...) and all else under keys.
WING = _words(_SHIPS * WING_MAP)
BASE_MAPS = 6
BASE_WORDS = BASE_MAPS * BASE_MAP
BASES = _words(_BASES * BASE_WORDS)
BASE_SQUADRONS, BASE_USED, BASE_INVERTED, BASE_ABORTED, BASE_FACTORS, BASE_INVERTED_FACTORS = (
    BASES + i * BASE_MAP for i in range(BASE_MAPS)
)  # BASE_ABORTED: by the latest counterair (22.435)

# Up to here a battle is copied from its template (kernel_begin.py). All that follows is written before it is read, but for
# the engagements of a battle that is taken up in the middle of fleet combat, which are copied, too.

WINDOW = _words(WINDOW_DICE)  # dice

# Engagements declared and not yet fought: how many, then (number of side 0, number of side 1, initiator or NONE).
MOST_ENGAGEMENTS = 2 * MOST_GROUPS
ENGAGEMENTS = _words(1 + 3 * MOST_ENGAGEMENTS)
UNDECLARED = _words(1 + 2 * MOST_ENGAGEMENTS)  # who may seek one, or another: how many, then (side, number)
ENGAGEMENT_WORDS = _taken["s"] - ENGAGEMENTS  # of both

# The fleet combat being fought: s[... + side], rows of ships (how many, then ships), maps of light ships.
FIGHTING = _words(SIDES)  # the groups
HAMPERED = _words(SIDES)
GUNNERY = _words(SIDES)  # what modifies every roll of a side
SHIP_ROW = 1 + MOST_SHIPS
LINE_CAPITAL = _words(SIDES * SHIP_ROW)  # by rank
LINE_RANK = _words(SIDES * SHIP_ROW)  # what ranks them, side by side with them
LINE_SHIPS = _words(SIDES)  # the same ships as a set, like the next two
LINE_SCREENED = _words(SIDES)
LINE_HELD = _words(SIDES)
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

# The strike under way (22.46): its side, its group, surprise, and its maps of keys.
STRIKE_SIDE = _words(1)
STRIKE_GROUP = _words(1)
STRIKE_SURPRISE = _words(1)
STRIKE_LEVEL = _words(1)
STRIKE_SQUADRONS = _words(KEY_MAP)
STRIKE_FIGHTING = _words(KEY_MAP)
STRIKE_DEFENDERS = _words(KEY_MAP)
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
LADEN = _fixed(SIDES)  # whether it has cargo or loaded destroyers
# Sets of ships.
CARRIER_SHIPS = _fixed(SIDES)
FAST_SHIPS = _fixed(SIDES)
BOUND_SHIPS = _fixed(SIDES)  # that may not leave
LARGE_BATTLESHIPS = _fixed(SIDES)  # battleships of five factors, and the next: what makes air defense stronger (23.421)
LARGE_CARRIERS = _fixed(SIDES)
SIZES = _fixed(SIDES * SIZE_BITS)  # c[... + side * SIZE_BITS + bit]: ships in whose size this bit is set

# Ships: c[... + ship].
SHIP_SIZE = _fixed(_SHIPS)
SHIP_CARRIER = _fixed(_SHIPS)
SHIP_FAST = _fixed(_SHIPS)
SHIP_RANK = _fixed(_SHIPS)  # 22.54A: the lower, the earlier in the line, but for hits
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
