"""What the tutorial says, in our own words: the example that follows rule 22.524, page by page.

[[term]] and [[term|as shown]] show their line from the glossary; rule numbers become links.
"""

from __future__ import annotations

from typing import NamedTuple


class Choice(NamedTuple):
    """Something the reader may choose. `answer` is what the engine is told, where the rules put this very question."""

    text: str
    why: str
    right: bool = False
    legal: bool = False  # allowed by the rules, though not what the example does
    answer: str = ""


class Page(NamedTuple):
    """One step: how far the battle is played before it, what is told and asked, how far it is played after the answer."""

    title: str
    text: tuple[str, ...]
    until: tuple[str, ...] = ()
    question: str = ""
    choices: tuple[Choice, ...] = ()
    then: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    chair: str = "axis"
    dice: tuple[tuple[str, tuple[int, ...]], ...] = ()  # the printed dice the question is about, by side


CHAPTERS: tuple[Page, ...] = (
    Page(
        "Two fleets meet",
        (
            "You are Japan. Your ships have intercepted an American fleet on its way to an invasion. Each side has three bodies of ships: you have battlecruisers, their support, and carriers; the Americans have battleships, carriers, and the ships that carry the landing force.",
            "All of them are [[fast]] but one: ships with [[cargo]] make their group [[slow]] (22.422B). No aircraft ashore are within reach, and nobody reads the other's codes, so the fleets have only themselves.",
            "The Naval Combat Chart is still empty: first both sides form [[combat group|combat groups]].",
        ),
        rules=("22.421", "22.422"),
    ),
    Page(
        "Numbers",
        (
            "Each group gets a number from 1 to 6 of its own (22.423A). The number is a plan: a group is [[active]] once the round has reached its number, and [[distant]] before (22.425). Active groups search and seek battle; distant ones are out of reach of guns unless they are found.",
            "Your enemy will see your numbers, but not what stands behind them (22.423B).",
        ),
        ("ask", "number", "axis", ""),
        "How do you number your groups?",
        (
            Choice(
                "Vanguard 1, Support force 2, Carrier force 4",
                "So does the example. The battlecruisers fight from the first round, their support from the second, and the carriers keep their distance until the fourth while their aircraft look for the enemy.",
                right=True,
            ),
            Choice(
                "Vanguard 1, Support force 2, Carrier force 3",
                "The rules allow it. But in round 3 your carriers would be active, and active groups are drawn into fleet combat whether they were found or not (22.521). The example keeps them one round longer out of it.",
                legal=True,
            ),
            Choice(
                "Vanguard 4, Support force 5, Carrier force 6",
                "The rules allow it: any numbers from 1 to 6 will do. But then nobody of yours is active in the first rounds, you search with the carriers alone, and the invasion sails by.",
                legal=True,
            ),
        ),
        then=("ask", "patrol", "axis", ""),
        rules=("22.423A", "22.425"),
    ),
    Page(
        "The markers are down",
        (
            "The Americans have numbered theirs 1, 3 and 5. You see three markers and nothing else: which of them are carriers, and which the invasion force?",
            "It is round 1, so only the number 1 is boxed: your Vanguard and their group 1 are active, everybody else is distant. Two of your six squadrons now fly [[CAP|patrol]] over the carriers, as many as may (23.3); the other four stand ready to strike.",
        ),
        rules=("22.423B", "22.431"),
    ),
    Page(
        "Search dice, round 1",
        (
            "Now you search. How many dice you roll is added up from four sources (22.451): squadrons ashore that search; codebreaking; one for each round already fought; and your groups. An active group of at least ten undamaged factors gives one die, and so does each distant group with a [[fully operational]] fast carrier.",
        ),
        question="How many dice does Japan roll?",
        choices=(
            Choice(
                "One",
                "One for the active Vanguard, but the carriers of CG4 look about as well: that is one more (22.451D).",
            ),
            Choice(
                "Two",
                "Nothing for rounds already fought, one for the active CG1, one for the carriers in distant CG4. The Support force gives none: it is distant and has no carrier.",
                right=True,
            ),
            Choice(
                "Three",
                "The Support force is distant in round 1 and has no carrier, so it gives no die (22.451D). Two carriers in one group still give one die only.",
            ),
        ),
        then=("roll", "22.451"),
        after=(
            "The Americans count the same way: one for their active CG1, one for the carriers in CG3. Two dice as well.",
        ),
        rules=("22.451", "22.428"),
    ),
    Page(
        "The dice of round 1",
        (
            "These are the dice printed in the example: you roll 3 and 6, the Americans 1 and 2. A die that shows the number of an enemy group [[found|finds]] it (22.452).",
        ),
        question="Which American groups have you found?",
        choices=(
            Choice("CG1 and CG3", "No die of yours shows a 1. That CG1 is active does not make it found (22.452A)."),
            Choice(
                "CG3 only",
                "Your 3 finds CG3. Your 6 is wasted: there is no American group 6.",
                right=True,
            ),
            Choice(
                "CG3 and CG5",
                "A die must show the number itself (22.452). Your 6 is no 5, and no American group bears the 6.",
            ),
        ),
        then=("both roll",),
        after=("With 1 and 2 the Americans have found your CG1 and your CG2. Your carriers are still hidden.",),
        rules=("22.452",),
        dice=(("axis", (3, 6)), ("allies", (1, 2))),
    ),
    Page(
        "What must be told",
        (
            "Of a found group its owner must say four things: whether it has fewer than ten [[naval factor|naval factors]], how many [[fast carrier|fast carriers]], whether it is fast, and whether it carries cargo (22.452B). Look at the chart: CG3 is where the American carriers are.",
            "A search result also buys one air strike on that group (22.452C).",
        ),
        ("ask", "strike", "allies", ""),
        "You have four squadrons ready. What strike may you fly?",
        (
            Choice(
                "A surprise strike on CG3",
                "Only a side of which nothing was found can surprise the enemy (23.7411B), and the Americans have found two of your groups. Nor can they surprise you.",
            ),
            Choice(
                "An ordinary strike on CG3",
                "One strike, because you found it once. It is no surprise, since groups of both sides were found.",
                right=True,
            ),
            Choice(
                "A strike on CG1, which is active",
                "Aircraft attack only what was found, active or not (22.462A). CG1 is still hidden.",
            ),
        ),
        after=(
            "The Americans have two results against your one, so their strikes would come first (22.461B); they may go for CG1, CG2 or both. The example leaves open what the strikes do. Here nobody flies.",
        ),
        rules=("22.452B", "22.461", "23.7411"),
    ),
    Page(
        "Who fights?",
        (
            "After the air strikes comes [[fleet combat]]. First, active groups with the same number pair off (22.521A), then what active groups are left, from the lowest number up.",
        ),
        question="Which groups meet in round 1?",
        choices=(
            Choice(
                "Your CG1 and their CG1",
                "Both are active and bear the same number. They must fight: active groups cannot evade (22.523A).",
                right=True,
            ),
            Choice(
                "Your CG1 and CG2 against their CG1",
                "Your CG2 is distant in round 1. It could fight only if an enemy group came for it (22.425D).",
            ),
            Choice(
                "Your CG1 and their CG3, which you have found",
                "A found distant group can be attacked, but only by an active group that has no active enemy to fight (22.521D). Your CG1 has one.",
            ),
        ),
        then=("ask", "screen", "axis", "CG1"),
        rules=("22.521", "22.523A"),
    ),
    Page(
        "The guns of round 1",
        (
            "Before they open fire, both sides decide in secret which ships are [[screened]]; here nobody is. Then capital ships fire at capital ships, two against two, and the light ships at the light ships (22.54).",
            "The example does not print gunfire, so these dice are ours. Read the log: each line names its rule, and the lines of each roll say where its modifiers come from. Both groups come out of it with well over ten sound factors.",
        ),
        ("segment", "1", "withdrawal"),
        rules=("22.531", "22.54", "22.552A"),
    ),
    Page(
        "Round 2",
        (
            "Nobody withdraws, and a new round begins. Found groups are hidden again: a search result lasts for its round. But the round has now reached number 2, and with it your Support force is active.",
        ),
        ("ask", "patrol", "axis", ""),
        "How many dice does Japan roll now?",
        (
            Choice(
                "Three",
                "You have counted the groups: CG1, CG2, and the carriers of CG4. One more comes for the round already fought (22.451C).",
            ),
            Choice(
                "Four",
                "One for the round already fought, two for the active CG1 and CG2, one for the carriers in distant CG4.",
                right=True,
            ),
            Choice(
                "Five",
                "One die for the round already fought, not two: in round 2 one round has been resolved (22.451C).",
            ),
        ),
        then=("roll", "22.451"),
        after=(
            "The Americans roll three: one for the round, one for CG1, one for the carriers in CG3. Their CG5 is distant and has no carriers.",
        ),
        rules=("22.451C", "22.451D"),
    ),
    Page(
        "The dice of round 2",
        ("Again the dice are those the example prints: you roll 1, 4, 5 and 5, the Americans 2, 4 and 6.",),
        question="What have you found?",
        choices=(
            Choice(
                "CG1 once and CG5 twice",
                "The 1 finds CG1, both fives find CG5. The 4 is wasted. And CG3, found a round ago, is hidden again (22.452A).",
                right=True,
            ),
            Choice(
                "CG1, CG3 and CG5",
                "CG3 was found in round 1; that is over. No die shows a 3 now, so it is hidden (22.452A).",
            ),
            Choice(
                "CG1 and CG5, once each",
                "Two fives are two results: CG5 is found twice, and that is worth more (22.452C).",
            ),
        ),
        then=("both roll",),
        after=(
            "The Americans have found your CG2 and, this time, your carriers in CG4. Your CG1 is hidden again, though they have seen its ships.",
        ),
        rules=("22.452",),
        dice=(("axis", (1, 4, 5, 5)), ("allies", (2, 4, 6))),
    ),
    Page(
        "The invasion force",
        (
            "CG5 is slow and carries cargo: that is the landing force. You have three results against their two, so you may strike first.",
        ),
        ("ask", "strike", "axis", ""),
        "Which groups may your carriers strike?",
        (
            Choice(
                "CG1 or CG5",
                "Both were found, CG5 twice: it could be struck twice, or be struck once and attacked by ships besides (22.452C).",
                right=True,
            ),
            Choice(
                "CG3, where their carriers are",
                "You know what is there, but not where it is now: it is hidden (22.462A).",
            ),
            Choice(
                "CG5 only", "It is the better target. But CG1 was found too, so it may be struck as well (22.462A)."
            ),
        ),
        after=(
            "The Americans could strike CG2 or CG4 in turn. Again the example leaves the strikes open, and here nobody flies. The two CG1s pair off and fight once more.",
        ),
        rules=("22.452C", "22.462"),
    ),
    Page(
        "A group with nobody to fight",
        (
            "The second fight of the CG1s is over. Now comes what the example is about. Your CG2 is active and has met nobody. Such a group may engage an active enemy group; and if it is fast, a distant one that was found (22.521D).",
        ),
        ("ask", "engage", "axis", "CG2"),
        "What does your CG2 do?",
        (
            Choice(
                "It goes for CG5",
                "CG5 was found twice. Had your aircraft struck it, one result would still be left to bring the ships there (22.452C).",
                right=True,
                answer="CG5",
            ),
            Choice(
                "It joins against CG1",
                "The rules allow it: CG1 is active, and there is no limit on groups that engage an active one (22.522A). Sinking the landing force is worth more. Look at CG5.",
                answer="CG1",
            ),
            Choice("It goes for CG3", "CG3 is distant and hidden: ships cannot look for it (22.521D)."),
            Choice(
                "Nothing",
                "The rules allow it, nobody is compelled. But an invasion force in reach of battlecruisers is what you came for.",
                legal=True,
            ),
        ),
        rules=("22.521D", "22.522"),
    ),
    Page(
        "From the other chair",
        (
            "Change places for a moment: you are the American admiral, and this is your chart. Japanese CG2 has shown its ships and comes for your invasion force. A distant group may [[evasion|evade]] (22.523): it takes the next free higher number, and the enemy may not go for it again this round.",
        ),
        ("ask", "evade", "allies", "CG5"),
        "What does CG5 do?",
        (
            Choice(
                "It evades and becomes CG6",
                "Were it fast, it could, since number 6 is free. But with cargo aboard it is slow.",
                answer="evade",
            ),
            Choice(
                "It stands and fights",
                "It has to. The question is put all the same: whether a group is asked may not depend on what only its owner knows.",
                right=True,
                answer="fight",
            ),
        ),
        rules=("22.523B", "22.523C", "22.523E"),
        chair="allies",
    ),
    Page(
        "The guns reach the convoy",
        (
            "Back in your own chair. The loaded destroyers are behind the screen without being asked; two cruisers and four destroyers stand before them (22.531C). A group with cargo is [[hampered]]: it fires at -1, and is fired at with +1 (22.552B). You see both in the log.",
            "The cargo is safe for as long as a screen stands. But it has lost ships, and the battle goes on.",
        ),
        ("segment", "2", "withdrawal"),
        rules=("22.531C", "22.552B", "22.54"),
    ),
    Page(
        "What you have seen",
        (
            "A number is a plan: low numbers fight early and search, high ones hide. Search results are the coin of a round: each buys an air strike or, against a distant group, an engagement. A group with no active enemy to meet is free to hunt. And what carries cargo cannot run.",
            "This is where the example ends. The battle is yours to play on from the beginning, against the admiral, with real dice.",
        ),
        rules=("22.4", "22.5"),
    ),
)
