"""The kinds of questions there are, for those who answer them beforehand: what each is about and its rule, and where they
are always the same ones, the words it can be answered with."""

from __future__ import annotations

import difflib
from typing import NamedTuple

from flagplot.model.interception import Level

TRY, BEST = "try", "best"  # answers that are worked out when the question is put
ANYTHING = "anything"  # of whatever kind a question is
LEVELS = tuple(str(level) for level in Level)
OPERATIONS, BATTLES, AIR, WARS = "an operation", "a battle", "aircraft", "the strategic war"


class Kind(NamedTuple):
    """A kind of question. `answers`: the only words that can ever be meant; none = it depends."""

    rule: str
    part: str
    about: str
    answers: tuple[str, ...] = ()


KINDS: dict[str, Kind] = {
    # an operation
    "announce": Kind("22.15", OPERATIONS, "which forces sail, on what activity"),
    "demand": Kind("22.12", OPERATIONS, "whose exact path you want to know", ("demand", "waive")),
    "path": Kind("22.12", OPERATIONS, "which path your ships take"),
    "interception": Kind("22.14", OPERATIONS, "which of your forces intercept, and whom"),
    "counter-interception": Kind("22.16", OPERATIONS, "which of your forces counter-intercept, and whom"),
    "counter-counter-interception": Kind("22.17", OPERATIONS, "which of them meet those that counter-intercept"),
    "hex": Kind("22.12", OPERATIONS, "in which hex you intercept"),
    "loose ships": Kind("22.14C", OPERATIONS, "which ships outside task forces go, where too many were named"),
    "support": Kind("22.163", OPERATIONS, "which patrols support"),
    "reconstitute": Kind("22.14B", OPERATIONS, "how task forces in port are made up anew"),
    "order": Kind("22.19", OPERATIONS, "which contact is resolved next"),
    "air attacks": Kind("23.752A", OPERATIONS, "which ships on passage your aircraft attack", ("none", "attack")),
    "carrier raid": Kind("23.61", OPERATIONS, "which bases your carriers attack"),
    "submarine patrol": Kind(
        "21.4184C", OPERATIONS, "what air attacks did to submarine patrols, where it is entered by hand"
    ),
    "abort": Kind(
        "22.28A", OPERATIONS, "whether an activity that was attacked goes on", ("go on", "abort", "stays", "leaves")
    ),
    "partner": Kind("22.28B", OPERATIONS, "whether it goes on when others did not come", ("go on", "abort")),
    "mission": Kind("22.81C", OPERATIONS, "whose mission those take over who helped to win"),
    "overstacking": Kind("22.63D", OPERATIONS, "what is eliminated in a port that holds too much"),
    # a battle
    "strengthen": Kind("22.421A", BATTLES, "which forces combine into groups"),
    "split": Kind("22.421A", BATTLES, "how groups that are too large are divided"),
    "number": Kind("22.423", BATTLES, "which number each group has"),
    "reinforce": Kind("22.411B", BATTLES, "which pending groups join, and as what"),
    "recombine": Kind("22.54G", BATTLES, "which ships change group, where two fought the same enemy group"),
    "renumber": Kind("22.54G", BATTLES, "which number each group has in the next round"),
    "engage": Kind("22.521D", BATTLES, "which enemy group a group seeks"),
    "evade": Kind("22.523", BATTLES, "whether a group slips away", ("fight", "evade")),
    "screen": Kind("22.531C", BATTLES, "which ships are screened", ("screen", "line")),
    "rank": Kind("22.54A", BATTLES, "in which order capital ships stand"),
    "surplus capital": Kind("22.54B", BATTLES, "whom capital ships without an opponent join"),
    "reply": Kind("22.54C", BATTLES, "at whom a ship fires that several fire at"),
    "heavy targets": Kind(
        "22.54B", BATTLES, "what the heavy ships of the side that attacks fire at, by the rules of 2008"
    ),
    "answering fire": Kind(
        "22.54C", BATTLES, "what the heavy ships of the side that defends fire at, by the same rules"
    ),
    "surplus light": Kind("22.54E", BATTLES, "what light ships fire at"),
    "screened fire capital": Kind("22.54G", BATTLES, "what capital ships fire at behind the screen"),
    "screened fire light": Kind("22.54G", BATTLES, "what light ships fire at behind the screen"),
    "loss order": Kind("20.57", BATTLES, "in which order ships take hits"),
    "withdraw": Kind("22.61", BATTLES, "who leaves the battle", ("stay", "withdraw")),
    "continue": Kind("22.71C", BATTLES, "whether the battle goes on", ("continue", "end")),
    "cargo": Kind("22.82A", BATTLES, "which cargo is lost", ("saved", "lost")),
    "activity": Kind("22.81A", BATTLES, "whether the activity goes on after a victory", ("go on", "abort")),
    "return": Kind("22.63", BATTLES, "to which bases ships return"),
    "submarines": Kind("22.93", BATTLES, "which submarines attack, and which group"),
    "submarine order": Kind("22.93D", BATTLES, "in which order submarines attack"),
    "submarine target": Kind("22.93E", BATTLES, "which ship a submarine attacks"),
    "submarine rank": Kind("22.93E", BATTLES, "in which order equal ships stand before submarines"),
    "shift losses": Kind("22.9432", BATTLES, "which destroyers are lost to submarines"),
    # aircraft
    "break down": Kind("23.131", AIR, "which army air factors are broken down", ("break", "keep")),
    "cover": Kind("22.4421", AIR, "which groups land-based aircraft cover"),
    "force cover": Kind("23.23", AIR, "which aircraft cover ships on passage", ("cover", "base")),
    "cover shares": Kind("23.23D", AIR, "which groups on passage they cover"),
    "air search": Kind("22.4422", AIR, "which aircraft search", ("base", "search")),
    "patrol": Kind("22.431", AIR, "which carrier aircraft fly combat air patrol"),
    "strike": Kind("22.461", AIR, "which aircraft strike, and whom"),
    "defend": Kind("23.415A", AIR, "which aircraft fight the raid", ("hold", "engage", "surprised")),
    "fight": Kind("23.415B", AIR, "which raiders fight the defenders", ("fight", "pass")),
    "air targets": Kind("23.43", AIR, "what each squadron attacks"),
    "kamikaze rank": Kind("17.475F", AIR, "which ship kamikazes find first"),
    "air loss order": Kind("19.6", AIR, "in which order squadrons are lost"),
    "air losses": Kind("19.65", AIR, "which squadrons are lost and which turn back", ("stays", "aborts", "lost")),
    "landing": Kind("22.463", AIR, "where aircraft land"),
    "back on deck": Kind("22.433", AIR, "on which deck patrols land"),
    "sortie": Kind("23.411", AIR, "which aircraft attack a port, and what"),
    "deck losses": Kind("23.412", AIR, "from which decks aircraft were lost in port"),
    "escape": Kind("23.46", AIR, "which ships and aircraft leave a port under attack"),
    "critical hit": Kind("20.524", BATTLES, "what came of a critical hit, where it is entered by hand"),
    "supply line hit": Kind("30.374", BATTLES, "what air hits did to a supply line, where it is entered by hand"),
    # the strategic war
    "SW construction": Kind("24.41", WARS, "which strategic warfare units are built", ("wait", "build")),
    "SW movement": Kind("25.31", WARS, "which escorts and transports change place before combat"),
    "SW redeployment": Kind("25.31", WARS, "which units change place after combat"),
    "raiders": Kind("24.611", WARS, "which groups raid the convoys"),
    "order of raiders": Kind("21.5342", WARS, "in which order they raid"),
    "raider hunters": Kind("21.5342", WARS, "which ship meets them"),
    "submarine warfare": Kind("25.14", WARS, "which submarines fight", ("decline", "fight")),
    "ASW split": Kind("25.82", WARS, "against whom ASW fight, where two attack"),
    "escort losses": Kind("24.631A", WARS, "which escorts are lost when transports run out"),
    "strategic bombing": Kind("26.41", WARS, "what is bombed, and with what"),
    "order of raids": Kind("26.51", WARS, "in which order raids fly"),
    "air defense of targets": Kind("26.441", WARS, "which aircraft meet them"),
    "engaging bombers": Kind("26.451B", WARS, "which factors of a raid engage the defenders", ("behind", "engage")),
    "meeting a later raid": Kind("26.451", WARS, "which aircraft engage the next raid", ("let pass", "engage")),
    "flying bombs": Kind("26.63", WARS, "at what rocket bases fire"),
    "flying bomb defense": Kind("26.662", WARS, "which aircraft oppose flying bombs"),
    "emergency repair": Kind("26.72D", WARS, "whether BRPs are paid to prevent a marker", ("pay", "leave")),
    "rocket base repair": Kind("26.62B", WARS, "whether a bombed rocket base is kept working", ("pay", "leave")),
    "bombed IC": Kind("26.75", WARS, "whether a bombed IC is given up"),
    "damaged industry": Kind("26.72B", WARS, "which industry in a bombed hex bears the damage markers"),
    "damage marker": Kind("26.81", WARS, "which damage marker is removed"),
    "firestorm marker": Kind("26.95", WARS, "which firestorm marker is removed"),
    "atomic attacks": Kind("26.33", WARS, "which raids carry an atomic bomb"),
    "rocket bases": Kind("26.61", WARS, "where rocket bases are placed, moved or put back"),
    "ships in a yard": Kind("26.76", WARS, "which ships in a bombed yard suffer"),
    "Murmansk convoy": Kind("40.451", WARS, "what sails for Murmansk", ("home", "sail")),
    "Murmansk interception": Kind("40.451A", WARS, "who of the Murmansk box attacks a convoy"),
    "Murmansk air attacks": Kind("40.451B", WARS, "when aircraft attack it", ("before", "within")),
    "Murmansk submarines": Kind("40.451D", WARS, "how many submarines attack it", ("stay", "attack")),
    "air placement": Kind("26.22", WARS, "where new bombers and interceptors appear"),
    "air redeployment": Kind("26.21", WARS, "where bombers and interceptors serve"),
    "confirm input": Kind("20.524", BATTLES, "whether what the other side entered is right", ("yes", "no")),
}


def kind_at(words: str) -> tuple[str, str] | None:
    """The kind of question that stands at the beginning of some words, and what follows it; None if none does."""
    found = [kind for kind in (*KINDS, ANYTHING) if words == kind or words.startswith(f"{kind} ")]
    if not found:
        return None
    kind = max(found, key=len)
    return kind, words[len(kind) :].strip()


def nearest_kinds(words: str) -> list[str]:
    """Kinds that may have been meant."""
    return difflib.get_close_matches(words, KINDS, n=3)


def fixed_answers(kind: str) -> tuple[str, ...]:
    """The only words a question of this kind can be answered with; none if it depends."""
    return KINDS[kind].answers if kind in KINDS else ()


def computed_answers(kind: str) -> tuple[str, ...]:
    """The words an answer of this kind can be worked out from when the question is put."""
    if kind in LEVELS or kind == "support":
        return (TRY,)
    return (BEST,) if kind == "hex" else ()
