"""Forces as players type them at the terminal: what is understood, and what is refused with what would do instead."""

from __future__ import annotations

import pytest

from flagplot.cli.typed import find_nation, read_ships, read_squadrons, read_submarines
from flagplot.core.errors import PlayerError
from tests.cli.conftest import Process, Run
from tests.cli.step_words import MIDWAY, STRAIT, refusal

# -- what is understood -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "nation"),
    [
        ("US", "United States"),
        ("U.S.", "United States"),
        ("usa", "United States"),
        ("UK", "Britain"),
        ("british", "Britain"),
        ("Jap", "Japan"),
        ("Germany", "Germany"),
        ("dutch", "Dutch East Indies"),
        ("Atlantis", None),
        ("", None),
        ("u", None),
    ],
)
def test_nations_may_be_shortened(typed: str, nation: str | None) -> None:
    assert find_nation(typed) == nation


def test_what_may_be_two_nations_is_refused() -> None:
    with pytest.raises(PlayerError, match="'Ru' may be Russia or Rumania; write it out"):
        find_nation("Ru")


def test_ships_are_read_as_a_player_types_them() -> None:
    typed = "hms hood (1 hit), US Enterprise (2 NAS); Hiryu (damaged) + 4 U.S. cruisers and 2 damaged CA, 1 CVE"
    ships = read_ships(typed, "--target", "Britain")
    assert [(each["id"], each["hits"], each["damaged"]) for each in ships.ships] == [
        ("hood", 1, False),
        ("enterprise", 0, False),
        ("hiryu", 0, True),
    ]
    assert [each.get("air") for each in ships.ships] == [None, 2, 0]
    assert ships.light == {"United States/CA": 4, "Britain/CA/damaged": 2, "Britain/CVE": 1}
    assert ships.assumed == () and ships.nation is None
    assert ships.words.startswith("Hood (1 hit), Enterprise, Hiryu (damaged), ")


@pytest.mark.parametrize(
    ("typed", "light", "nation"),
    [
        ("Enterprise, Hornet, 4 US CA, 3 DD", {"United States/CA": 4, "United States/DD": 3}, "United States"),
        ("Bismarck, 1 CA", {"Germany/CA": 1}, "Germany"),
        ("4 US CA, 3 DD", {"United States/CA": 4, "United States/DD": 3}, "United States"),
        ("2 DD, 1 destroyer, Hood", {"Britain/DD": 3}, "Britain"),
    ],
)
def test_light_ships_are_of_the_nation_of_the_ships_beside_them(typed: str, light: dict[str, int], nation: str) -> None:
    ships = read_ships(typed, "--target")
    assert (ships.light, ships.nation) == (light, nation)
    assert [text for text in ships.assumed if text.endswith(f"are of {nation}")]


def test_hits_that_damage_a_ship_damage_her(run: Run) -> None:
    ships = read_ships("Hiryu (2 hits), Hood (1 hit)", "--target")
    assert [(each["hits"], each["damaged"]) for each in ships.ships] == [(2, True), (1, False)]
    assert ships.assumed == ("Hiryu is damaged by her 2 hits (20.513)",)


def test_squadrons_are_read_as_a_player_types_them() -> None:
    found = read_squadrons("8 elite Japan NAS, 3 attack AAS from Rabaul", "--attackers", role="attack")
    assert found.counts == {"Japan/NAS/elite": 8, "Japan/AAS/attack@Rabaul": 3}
    assert found.assumed == ("the AAS of --attackers are of Japan",)
    found = read_squadrons("2 german squadrons AAS at catania, 1 JET and 2 NAS", "--cover", role="cover", ashore=True)
    assert found.counts == {"Germany/AAS/cover@Catania": 2, "Germany/JET@land": 1, "Germany/NAS@land": 2}
    assert (
        "the AAS of --cover are cover AAS" in found.assumed
        and "the JET and NAS of --cover fly from land" in found.assumed
    )


def test_submarines_are_read_as_a_player_types_them() -> None:
    found = read_submarines("2 Japan, 3 German subs, 1 advanced German submarine", "--submarines")
    assert found == {"Japan/SUB": 2, "Germany/SUB": 3, "Germany/SUB/advanced": 1}


@pytest.mark.parametrize(
    ("ships", "why"),
    [
        ("Entreprise", "there is no ship 'Entreprise' in the list; did you mean Enterprise?"),
        ("US Entreprise", "there is no ship 'Entreprise' of United States in the list; did you mean Enterprise?"),
        ("British Enterprise", "Enterprise is a ship of United States, not of Britain"),
        ("Qqq", "flagplot ships lists those there are"),
        ("4 CA", "say whose the 4 CA are, as in 4 US CA"),
        ("Enterprise, Hood, 4 CA", "say whose the 4 CA are, as in 4 US CA"),
        ("2 Enterprise", "Enterprise is one ship; leave the number out"),
        ("4 US XX", "light ships are CA, DD, CVE and TR, as in 4 US CA"),
        ("4 Atlantis CA", "there is no nation 'Atlantis'; there are Japan, "),
        ("CA", "say how many CA there are, as in 2 CA"),
        ("0 US DD", "give numbers from 1 to 99"),
        (f"{'9' * 5000} US DD", "give numbers from 1 to 99"),
        ("3 damaged US DD", "of light ships only cruisers can be damaged"),
        ("3 loaded US DD", "leave loaded out"),
        ("Hood, hood", "names Hood twice; name her once"),
        ("Hood (3 hits)", "Hood has 3 factors, so 3 hits have sunk her; give fewer, or leave her out (20.513)"),
        ("Hood (damaged, 1 hit)", "Hood is damaged or has hits; write one of them"),
        ("Hood (2 NAS)", "says nothing of Hood; after her name write (damaged) or (1 hit)"),
        ("Akagi (sleepy)", "says nothing of Akagi; after her name write (damaged), (1 hit) or (2 NAS)"),
        ("Akagi (9 NAS)", "squadrons aboard Akagi: '9' will not do: give a number from 0 to"),
        (" , ", 'names nothing; write for example --target "Hood, 2 CA, 3 DD"'),
    ],
)
def test_ships_that_will_not_do_are_refused_with_what_would(run: Run, ships: str, why: str) -> None:
    told = refusal(run, "strike", "--attackers", "4 Japan NAS", "--target", ships, "--seed", "1")
    assert told.startswith("--target") and why in told


@pytest.mark.parametrize(
    ("squadrons", "why"),
    [
        ("8 NAS", "say whose the 8 NAS are, as in 8 Japan NAS"),
        ("Japan NAS", "say how many squadrons 'Japan NAS' are, as in 4 Japan NAS"),
        ("8 Japan", "say which squadrons the 8 are: NAS, AAS, JET, ATR or KAM"),
        ("8 elite US NAS", "only Japan has elite naval air, not United States; leave it out (17.3)"),
        ("8 US KAM", "only Japan has kamikazes, not United States; leave it out (17.4)"),
        ("8 elite Japan AAS", "there are no elite AAS; there are search AAS, cover AAS, attack AAS, NAS"),
        ("2 Japan AAF", "type squadrons, not factors; 2 AAF become 2 Japan search AAS, 2 Japan cover AAS"),
        ("2 Japan NAS from A|B", "is no name of a base; leave @ and | out of it"),
        ("100 Japan NAS", "give numbers from 1 to 99"),
    ],
)
def test_squadrons_that_will_not_do_are_refused_with_what_would(run: Run, squadrons: str, why: str) -> None:
    told = refusal(run, "strike", "--attackers", squadrons, "--target", "Hood")
    assert told.startswith("--attackers") and why in told


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--at", "Hood=3"], "--at: 'Hood' is not among the targets, Enterprise, Yorktown and light ships"),
        (["--at", "Yorktwn=3"], "did you mean Yorktown?"),
        (["--at", "Enterprise=9"], "--at places 1 more than fly: 8 elite Japan NAS; give fewer"),
        (["--at", "Enterprise=1 AAS"], "--at places 1 more than fly"),
        (["--at", "Enterprise=1, Enterprise=2"], "--at names 'Enterprise' twice; give all its squadrons at once"),
        (["--at", ","], '--at names nothing; write for example --at "Enterprise=4"'),
        (["--engaged", "3"], "--engaged: '3' are not there; the defenders are 2 United States NAS"),
        (["--engaged", "none", "--fighting", "1"], "--fighting settles nothing here, there is no choice; leave it out"),
        (["--fighting", "9"], "--fighting: '9' are not there; the attackers are 8 elite Japan NAS"),
        (["--radar", "many"], "--radar 'many' will not do: give a number from 0 to 9"),
        (["--results", "0"], "--results '0' will not do: give a number from 1 to 6"),
        (["--nation", "Mars"], "--nation: there is no nation 'Mars'"),
        (["--impaired", "Mars"], "--impaired: there is no nation 'Mars'"),
    ],
)
def test_what_else_is_typed_of_a_strike_is_refused_with_what_would_do(run: Run, words: list[str], why: str) -> None:
    assert why in refusal(run, "strike", *MIDWAY, *words, "--seed", "1")


def test_more_refusals_of_strikes(run: Run) -> None:
    told = refusal(run, "strike", "--attackers", "13 Japan NAS", "--target", "Hood")
    assert told.startswith("23.73: ") and "at most 4" in told
    mixed = ["--attackers", "3 Japan NAS, 3 elite NAS", "--target", "Hood", "--patrol", "2 UK NAS"]
    assert "'2' may be Japan NAS and elite Japan NAS; say how many of each" in refusal(
        run, "strike", *mixed, "--fighting", "2"
    )
    falling = ["--attackers", "2 Japan KAM", "--target", "Hood", "--at", "Hood=2"]
    assert "kamikazes fall where their dice say (17.475F)" in refusal(run, "strike", *falling)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--screen-axis", "2 CA"], "--screen-axis: 2 CA are not all there; the group is Bismarck and 1 CA"),
        (["--screen-allies", "Rodney"], "--screen-allies: Rodney are not all there"),
        (["--tactical-allies", "x"], "--tactical-allies 'x' will not do: give a number from 0 to 9"),
        (["--nation-axis", "Mars"], "--nation-axis: there is no nation 'Mars'"),
    ],
)
def test_what_is_typed_of_an_engagement_is_refused_with_what_would_do(run: Run, words: list[str], why: str) -> None:
    assert why in refusal(run, "engage", *STRAIT, *words)


def test_more_refusals_of_engagements(run: Run) -> None:
    assert "Hood cannot fight on both sides" in refusal(run, "engage", "--axis", "Hood", "--allies", "Hood")
    told = refusal(run, "engage", "--axis", "Akagi, 2 CA", "--allies", "Hood", "--screen-axis", "Akagi")
    assert told == "22.531C: 'akagi' has no choice here; leave it out"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--submarines", "Japan"], "say how many submarines of 'Japan' there are, as in 2 Japan"),
        (["--submarines", "2"], "say whose the 2 submarines are, as in 2 Japan"),
        (["--submarines", "2 Atlantis"], "there is no nation 'Atlantis'"),
        (["--submarines", "2 advanced Japan"], "only Germany and Italy have advanced submarines, not Japan"),
        (["--submarines", "2 Japan", "--advanced"], "only Germany and Italy have advanced submarines, not Japan"),
        (["--submarines", "2 Japan", "--theatre", "Mars"], "there is no theatre 'Mars'; there are Europe and Pacific"),
        (["--submarines", "2 Japan", "--codebreaking", "2"], "give a number from -1 to 1"),
    ],
)
def test_what_is_typed_of_submarines_is_refused_with_what_would_do(run: Run, words: list[str], why: str) -> None:
    assert why in refusal(run, "submarine", *words, "--target", "Wasp")


def test_a_refusal_in_a_process_of_its_own_is_one_sentence(process: Process) -> None:
    done = process("engage", "--axis", "Bismark", "--allies", "Hood")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "flagplot: --axis: there is no ship 'Bismark' in the list; did you mean Bismarck?\n"
