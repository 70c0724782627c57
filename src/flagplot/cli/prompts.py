"""Questions in words, and typed answers read into the JSON a form takes.

What is typed is only read here. Whether it is legal, the form alone says.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from flagplot.cli.terminal import Flow, say, with_rules
from flagplot.core.asks import Decide
from flagplot.core.errors import IllegalChoice, PlayerError
from flagplot.core.forms import Answer, AtMost, Form, Item, Limit, OneShort, OnlyIf, Place, Wire

EVERYTHING = ("all", "*")
ODD = re.compile(r"[,;=+]")
GROUP = re.compile(r"(CG\d+):? ")  # a label begins with the combat group it belongs to
MOST_SAMPLES = 4
MANY = 12  # items of a form; beyond it they stand side by side
MANY_LINES = 16  # of items, places and limits; beyond it they do, too, so that a question fits a small screen
MANY_WORDS = 36  # letters of places to choose from; beyond it they are not repeated with every item
FEW = 6  # items of a form; beyond it an answer names only what differs from the default
CHOICES = ("choice", "target")  # items whose place needs no item before it


# -- reading what was typed -------------------------------------------------------------------


def plain(text: str) -> str:
    """A name as it is compared: small letters, and nothing but letters, figures and single spaces."""
    return " ".join(re.findall(r"[^\W_]+", text.lower()))


def resolve(typed: str, names: Mapping[str, str], what: str) -> str:
    """The key meant: its number in the list, or an unambiguous beginning of its key, its label, or a word of them."""
    wanted = plain(typed)
    if wanted.isdigit() and wanted != typed.strip():
        wanted = ""  # -1 is not item 1
    keys = list(names)
    forms = {key: (plain(key), plain(label)) for key, label in names.items()}
    ways: tuple[Callable[[str], bool], ...] = (
        lambda key: wanted in forms[key],
        lambda key: wanted.isdigit() and not any(map(str.isdigit, keys)) and wanted == str(keys.index(key) + 1),
        lambda key: not wanted.isdigit() and any(name.startswith(wanted) for name in forms[key]),
        lambda key: not wanted.isdigit() and any(f" {wanted}" in f" {name}" for name in forms[key]),
    )
    for fits in ways if wanted else ():
        found = [key for key in keys if fits(key)]
        if len(found) == 1:
            return found[0]
        if found:
            several = ", ".join(names[key] for key in found)
            raise PlayerError(f"{typed.strip()!r} may mean {several}. Type more of it, or its number.")
    raise PlayerError(f"{typed.strip()!r} is not among the {what}: {', '.join(names.values()) or 'there are none'}.")


def read_answer(form: Form, typed: str) -> Wire:
    """What was typed as the JSON of an answer. Whatever is not named stays at the default."""
    typed = typed.strip()
    if not typed:
        return form.default
    if typed[0] in '{"':
        try:
            return json.loads(typed)
        except (ValueError, RecursionError):
            raise PlayerError("That looks like JSON but is none. Plain words will do: item=place.") from None
    told: dict[str, dict[str, int]] = {}
    in_passing: set[str] = set()  # told by `all` or a range, which a later word on one of them overrides
    parts = [part for part in re.split(r"[,;]", typed) if part.strip()]
    if not parts:
        raise PlayerError(f"{typed!r} names nothing. Press Enter alone to take what is shown.")
    for part in parts:
        name, is_placed, where = part.partition("=")
        if is_placed:
            items = _items(form, name, where)
        else:
            items, where = [_only_item(form, part)], part
        several = is_several(name) if is_placed else False
        for item in items:
            if item.key in in_passing:
                told.pop(item.key)
                in_passing.discard(item.key)
            if item.key in told and item.amount == 1:
                raise PlayerError(f"{item.label} is named twice; say once where it goes.")
            for piece in where.split("+"):
                place, amount = _place(form, item, piece)
                cells = told.setdefault(item.key, {})
                cells[place] = cells.get(place, 0) + (min(amount, item.amount) if several else amount)
            if several:
                in_passing.add(item.key)
    default = form.default if isinstance(form.default, Mapping) else {}
    return {**default, **{key: _filled(form, key, cells) for key, cells in told.items()}}


def _filled(form: Form, key: str, told: Mapping[str, int]) -> dict[str, int]:
    """What was said of an item, and for what was not said of it what is offered: it stays as shown."""
    item = next(item for item in form.items if item.key == key)
    cells, left = dict(told), item.amount - sum(told.values())
    if not form.rest_of(item):
        for place, amount in _default_places(form, item).items():
            more = max(0, min(left, amount if place not in told else 0))
            if more:
                cells[place] = cells.get(place, 0) + more
                left -= more
    return cells


def is_several(typed: str) -> bool:
    """Whether what is typed before the = means several items: all, all CG2, 2-5."""
    first = typed.lower().split()[:1]
    return bool(first) and (first[0] in EVERYTHING or _range(typed) is not None)


def _range(typed: str) -> tuple[int, int] | None:
    found = re.fullmatch(r"\s*(\d{1,3})\s*-\s*(\d{1,3})\s*", typed)
    return (int(found[1]), int(found[2])) if found else None


def _items(form: Form, typed: str, where: str) -> list[Item]:
    """The item meant; for `all` every item that can go there, for `all CG2` those of that name, for 2-5 those numbers."""
    names = {item.key: item.label for item in form.items}
    numbers = _range(typed)
    if numbers is not None and typed.strip() not in names:
        first, last = numbers
        if not 1 <= first <= last <= len(form.items):
            raise PlayerError(f"{typed.strip()!r} is no range of the {len(form.items)} things to be placed.")
        return list(form.items[first - 1 : last])
    if is_several(typed):
        wanted = plain(typed.strip().partition(" ")[2])
        called = [
            item for item in form.items if any(f" {wanted}" in f" {plain(name)}" for name in (item.key, item.label))
        ]
        if not called:
            raise PlayerError(f"{wanted!r} is not among the things to be placed: {', '.join(names.values())}.")
        items = [item for item in called if _fits(form, item, where)]
        if not items:
            _place(form, called[0], where)
        return items
    key = resolve(typed, names, "things to be placed")
    return [item for item in form.items if item.key == key]


def _only_item(form: Form, typed: str) -> Item:
    """The item meant when only a place is named: the one that can go there."""
    if len(form.items) == 1:
        return form.items[0]
    items = [item for item in form.items if _fits(form, item, typed)]
    if len(items) == 1:
        return items[0]
    example = example_of(form)
    raise PlayerError(f"Say what goes where, as item=place{f', for example {example}' if example else ''}.")


def _fits(form: Form, item: Item, where: str) -> bool:
    try:
        _place(form, item, where)
    except PlayerError:
        return False
    return True


def _place(form: Form, item: Item, typed: str) -> tuple[str, int]:
    """Place and amount: `screen` is all of it there, `2 screen` two."""
    places = {place.key: place.label for place in form.places if place.key in form.places_for(item)}
    if item.amount > 1 and typed.strip().isdigit() and not any(map(str.isdigit, places)):
        where = " or ".join(f"{typed.strip()} {place_name(form, item, key)}" for key in list(places)[:2])
        raise PlayerError(f"{typed.strip()} of {item.amount} {item.label}: say where they go, as {where}.")
    amount = re.fullmatch(r"\s*(\d{1,6})\s+(\S.*)", typed)
    if amount and (item.amount > 1 or not _known(typed, places)):
        return resolve(amount[2], places, f"places for {item.label}"), int(amount[1])
    return resolve(typed, places, f"places for {item.label}"), item.amount


def _known(typed: str, names: Mapping[str, str]) -> bool:
    try:
        return bool(resolve(typed, names, ""))
    except PlayerError:
        return False


# -- writing answers as they would be typed ---------------------------------------------------------


def item_name(form: Form, item: Item) -> str:
    """The shortest good name of an item that reads back as that item."""
    names = {each.key: each.label for each in form.items}
    short = item.key if item.label.startswith(item.key) else re.sub(r" \([^()]*\)$", "", item.label)
    owner = (
        item.key.partition("|")[0] if "|" in item.key else ""
    )  # of several things one owner has: a carrier's squadrons
    tries = (written_in(owner, item.label), short)
    return next((name for name in tries if name and _reads_back(name, item.key, names)), _number(form.items, item))


def place_name(form: Form, item: Item, key: str) -> str:
    """The name by which a place is typed: as its label writes it, if its label does."""
    places = {place.key: place.label for place in form.places if place.key in form.places_for(item)}
    short = shortest_in(key, places[key]) or key
    return short if _reads_back(short, key, places) else str(list(places).index(key) + 1)


def shortest_in(key: str, label: str) -> str:
    """How a label writes a key, or as many of its words as it can: "deck akagi" in "lands on Akagi" is "Akagi"."""
    words = re.findall(r"[^\W_]+", key)
    for length in range(len(words), 0, -1):
        for first in range(len(words) - length + 1):
            found = written_in(" ".join(words[first : first + length]), label)
            if found:
                return found
    return ""


def written_in(key: str, label: str) -> str:
    """How a label writes a key: "graf-spee" in "fire at Graf Spee" is "Graf Spee"; "" if it does not."""
    words = [re.escape(word) for word in re.findall(r"[^\W_]+", key)]
    found = re.search(r"(?<!\w)" + r"[\W_]+".join(words) + r"(?!\w)", label, re.IGNORECASE) if words else None
    return found[0] if found else ""


def _reads_back(short: str, key: str, names: Mapping[str, str]) -> bool:
    try:
        return not ODD.search(short) and resolve(short, names, "") == key
    except PlayerError:
        return False


def _number(items: Iterable[Item], item: Item) -> str:
    return str([each.key for each in items].index(item.key) + 1)


def _where(form: Form, item: Item, cells: Mapping[str, int]) -> str:
    """Where an item goes, as one would type it."""
    pieces = []
    for key, amount in cells.items():
        name = place_name(form, item, key)
        alone = len(cells) == 1 and not (item.amount > 1 and name.isdigit() and name != key)
        pieces.append(name if alone else f"{amount} {name}")
    return " + ".join(pieces)


def _said(form: Form, item: Item, where: str) -> str:
    """An item with its place, as one would type it; a choice goes without saying."""
    alone = len(form.items) == 1
    if item.key in CHOICES and not alone:
        alone = [each.key for each in form.items if _fits(form, each, where)] == [item.key]
    return where if alone else f"{item_name(form, item)}={where}"


def typed_answer(form: Form, answer: Answer) -> str:
    """An answer as one would type it; of more than a few items, only those that do not stay at the default."""
    items: Sequence[Item] = form.items
    if len(items) > FEW:
        moved = [item for item in items if answer.cells[item.key] != _default_places(form, item)]
        items = moved or items[:1]
    return ", ".join(_said(form, item, _where(form, item, answer.cells[item.key])) for item in items)


def in_words(form: Form, answer: Answer) -> str:
    """An answer as a reader wants it: each item with the label of its place."""
    labels = {place.key: place.label for place in form.places}
    parts = []
    for item in form.items:
        cells = answer.cells[item.key]
        where = " and ".join(labels[key] if len(cells) == 1 else f"{n} {labels[key]}" for key, n in cells.items())
        parts.append(where if len(form.items) == 1 else f"{item.label}: {where}")
    return "; ".join(parts)


def samples(decision: Decide) -> list[str]:
    """A few legal answers as one would type them, the default first."""
    random = Random()
    wires = [decision.form.default, *(decision.form.sample(random) for _ in range(5 * MOST_SAMPLES))]
    typed = dict.fromkeys(typed_answer(decision.form, decision.read(wire)) for wire in wires)
    return list(typed)[: MOST_SAMPLES + 1]


def example_of(form: Form) -> str:
    """A placement that differs from the default, to show how an answer is typed; "" if there is none.

    Where items have places of their own, not every one is legal by itself, and one may ask for another.
    """
    others = [
        (item, key)
        for item in form.items
        for key in form.places_for(item)
        if key not in _default_places(form, item) and key not in form.barred(item)
    ]
    if not others:
        return ""
    alone = [{item.key: cells} for item, key in others for cells in ({key: 1}, _one_moved(form, item, key))]
    legal = [_example(form, placed) for placed in alone if _legal(form, placed)]
    if legal:
        return min(legal[:1] if not any(item.places for item in form.items) else legal, key=len)
    first, key = others[0]
    pairs = ({first.key: {key: 1}, item.key: {where: 1}} for item, where in others if item.key != first.key)
    return next((_example(form, placed) for placed in pairs if _legal(form, placed)), "")


def _one_moved(form: Form, item: Item, key: str) -> dict[str, int]:
    """An item where it is by default, but for one of it."""
    cells = dict(_default_places(form, item))
    first = next(iter(cells), "")
    cells[first] = cells.get(first, 0) - 1
    return {place: number for place, number in {**cells, key: 1}.items() if number > 0}


def _example(form: Form, placed: Mapping[str, Mapping[str, int]]) -> str:
    parts = []
    for item in form.items:
        if item.key in placed:
            pieces = [(place_name(form, item, key), number) for key, number in placed[item.key].items()]
            where = " + ".join(f"{number} {name}" if item.amount > 1 else name for name, number in pieces)
            parts.append(_said(form, item, where))
    return ", ".join(parts)


def _legal(form: Form, placed: Mapping[str, Mapping[str, int]]) -> bool:
    default = form.default if isinstance(form.default, Mapping) else {}
    try:
        form.read({**default, **{key: _filled(form, key, cells) for key, cells in placed.items()}}, "")
    except IllegalChoice:
        return False
    return True


# -- showing a question -----------------------------------------------------------------------------


def show_question(out: Console, decision: Decide, who: str) -> None:
    """The question in words: its rule, what can be placed where, what is barred and why, and how to answer."""
    form = decision.form
    out.print()
    out.print(Text.assemble(("▌ ", "own"), (f"{who} decides", "own.mark"), (f"  {decision.rule}", "rule")))
    say(out, Text("▌", style="own"), Text(decision.question, style="heading"))
    closely = False
    parts: list[RenderableType] = []
    if not form.items:
        pass
    elif len(form.items) == 1 and form.items[0].amount == 1:
        label = [Text(form.items[0].label)] if form.items[0].key not in CHOICES else []
        parts = [*label, _choices(form, form.items[0]), *_limit_lines(form)]
    else:
        parts = [_items_table(form), *_places_lines(form), *_barred_lines(form), *_limit_lines(form)]
        closely = len(form.items) > MANY or _height(out, parts) > MANY_LINES
    if closely:
        parts = [*_many_items(form), _places_in_a_row(form), *_barred_lines(form), *_limits_in_a_row(form)]
    for part in (*parts, _how(form, closely)):
        out.print(Padding.indent(part, 2))


def _height(out: Console, parts: Iterable[RenderableType]) -> int:
    return sum(len(out.render_lines(Padding.indent(part, 2), pad=False)) for part in parts)


def _default_places(form: Form, item: Item) -> dict[str, int]:
    told = form.default.get(item.key) if isinstance(form.default, Mapping) else None
    if isinstance(told, str):
        return {told: item.amount}
    cells = dict(told or {})
    left, rest = item.amount - sum(cells.values()), form.rest_of(item)
    if left and rest:
        cells[rest] = cells.get(rest, 0) + left
    return cells


def _choices(form: Form, item: Item) -> Table:
    table = Table.grid(padding=(0, 2))
    barred = form.barred(item)
    usual = _default_places(form, item)
    labels = {place.key: place.label for place in form.places}
    numbered = not any(key.isdigit() for key in form.places_for(item))
    for number, key in enumerate(form.places_for(item), start=1):
        mark = "✕" if key in barred else "●" if key in usual else "○"
        label = labels[key] if shortest_in(key, labels[key]) else f"{key}: {labels[key]}"
        if key in barred:
            text = Text.assemble((label, "quiet"), ("  barred: ", "foe"), _because(barred[key]))
        else:
            text = Text.assemble(label, ("  ← Enter", "good") if key in usual else "")
        lead = Text(f"{mark}  {number}" if numbered else mark, style="foe" if key in barred else "own")
        table.add_row(lead, text)
    return table


def _because(limit: AtMost) -> Text:
    return Text.assemble(limit.why, (f" ({limit.rule})", "rule"))


def _items_table(form: Form) -> Table:
    table = Table.grid(padding=(0, 2))
    several = any(item.amount > 1 for item in form.items)
    own = len({form.places_for(item) for item in form.items}) > 1
    above = ""
    for number, item in enumerate(form.items, start=1):
        where = _where(form, item, _default_places(form, item))
        row = [Text(str(number), style="own")]
        row += [Text(f"{item.amount} ×" if item.amount > 1 else "")] if several else []
        row += [Text(item.label), Text(f"→ {where or '?'}", style="good")]
        if own:
            others = _other_places(form, item)
            row.append(Text("″" if others == above else others, style="quiet"))
            above = others
        table.add_row(*row)
    return table


def _many_items(form: Form) -> list[RenderableType]:
    """Many items: those that rest at the same place together, under that place, a line for each combat group."""
    groups: dict[tuple[str, str], list[tuple[int, Item]]] = {}
    for number, item in enumerate(form.items, start=1):
        where = _where(form, item, _default_places(form, item))
        groups.setdefault((where, _other_places(form, item)), []).append((number, item))
    parts: list[RenderableType] = []
    for (where, others), items in groups.items():
        shared = _shared_ending([item.label for _, item in items]) if len(items) > 1 else ""
        goes = [(f"→ {where or '?'}", "good"), (others, "quiet"), (shared.removeprefix(": "), "")]
        pieces = [Text(text, style=style) for text, style in goes if text]
        if len(items) == 1:
            parts.append(Text("  ").join([_piece(*items[0]), *pieces]))
        else:
            parts += [Text("  ").join(pieces), _by_group(items, shared)]
    return parts


def _piece(number: int, item: Item, label: str = "") -> Text:
    amount = f"{item.amount} × " if item.amount > 1 else ""
    return Text.assemble((f"{number} ", "own"), f"{amount}{label or item.label}")


def _shared_ending(labels: Iterable[str]) -> str:
    """What all labels say after a colon, if it is the same: of "CG1 Akagi: Japan NAS", ": Japan NAS"."""
    endings = {"".join(GROUP.sub("", label).rpartition(": ")[1:]) for label in labels}
    ending = endings.pop()
    return ending if not endings and ending.startswith(": ") else ""


def _by_group(items: Sequence[tuple[int, Item]], shared: str) -> RenderableType:
    """Items side by side, without what they share; a line for each combat group if most have several."""
    rows: dict[str, list[Text]] = {}
    for number, item in items:
        found = GROUP.match(item.label)
        label = item.label[found.end() if found else 0 :].removesuffix(shared)
        rows.setdefault(found[1] if found else "", []).append(_piece(number, item, label))
    if len(items) < 2 * len(rows):
        return Padding.indent(
            Flow([_piece(number, item, item.label.removesuffix(shared)) for number, item in items]), 2
        )
    table = Table.grid(padding=(0, 1))
    for group, pieces in rows.items():
        table.add_row(Text(group, style="quiet"), Flow(pieces))
    return table


def _other_places(form: Form, item: Item) -> str:
    """Where an item may go beside its default place, as one would type it."""
    usual, closed = _default_places(form, item), form.barred(item)
    names = [place_name(form, item, key) for key in form.places_for(item) if key not in usual and key not in closed]
    listed = ", ".join(names)
    return f"or {listed if len(listed) <= MANY_WORDS else 'another place'}" if names else ""


def _places_in_a_row(form: Form) -> Flow:
    """The places of a form with many items, the word that is typed for each picked out of what it means."""
    pieces: list[Text] = []
    for place in form.places:
        typed = _typed_place(form, place)
        if written_in(typed, place.label) == typed:
            before, _, after = place.label.partition(typed)
            pieces.append(Text.assemble(before, (typed, "own"), after))
        else:
            pieces.append(Text.assemble((typed, "own"), f" {place.label}"))
    return Flow([Text("places", style="quiet"), *pieces], gap=3)


def _places_lines(form: Form) -> list[Text]:
    """The places, each with the word that is typed for it; a run of numbers on one line."""
    lines: list[Text] = []
    numbered = [place for place in form.places if place.key.isdigit()]
    stems = {place.label.removesuffix(place.key) for place in numbered}
    if len(numbered) > 1 and len(stems) == 1:
        numbers = ", ".join(place.key for place in numbered)
        lines.append(Text.assemble(("place  ", "quiet"), (numbers, "own"), f"  {stems.pop().strip()} …"))
    else:
        numbered = []
    for place in form.places:
        if place not in numbered:
            lines.append(Text.assemble(("place  ", "quiet"), (_typed_place(form, place), "own"), f"  {place.label}"))
    return lines


def _typed_place(form: Form, place: Place) -> str:
    item = next((item for item in form.items if place.key in form.places_for(item)), None)
    return place_name(form, item, place.key) if item else place.key


def _barred_lines(form: Form) -> list[Text]:
    """What may not go where; what is barred for one reason stands together."""
    reasons: dict[tuple[str, str, str], list[str]] = {}
    for item in form.items:
        barred: dict[tuple[str, str], list[str]] = {}
        for key, limit in form.barred(item).items():
            barred.setdefault((limit.rule, limit.why), []).append(place_name(form, item, key))
        for (rule, why), places in barred.items():
            reasons.setdefault((", ".join(places), rule, why), []).append(item_name(form, item))
    return [
        Text.assemble(("✕ ", "foe"), f"{', '.join(items)} → {places}: {why}", (f" ({rule})", "rule"))
        for (places, rule, why), items in reasons.items()
    ]


def _limits(form: Form) -> list[tuple[str, str]]:
    """The limits that could be broken, each said once, those aside that bar a single cell."""
    amounts = {item.key: item.amount for item in form.items}
    barred = [limit for item in form.items for limit in form.barred(item).values()]
    said = [(limit.rule, limit.why) for limit in form.limits if limit not in barred and _could_bind(limit, amounts)]
    return list(dict.fromkeys(said))


def _limit_lines(form: Form) -> list[Text]:
    return [Text.assemble(("limit  ", "quiet"), why, (f" ({rule})", "rule")) for rule, why in _limits(form)]


def _limits_in_a_row(form: Form) -> list[Text]:
    limits = [Text.assemble(why, (f" ({rule})", "rule")) for rule, why in _limits(form)]
    return [Text.assemble(("limits  ", "quiet"), Text(" ").join(limits))] if limits else []


def _could_bind(limit: Limit, amounts: Mapping[str, int]) -> bool:
    if isinstance(limit, OneShort):
        return len(limit.needs) > 1
    if isinstance(limit, OnlyIf):
        return bool(limit.cells) and limit.at_least > 0
    most = sum(max(0, weight) * amounts[item] for item, _, weight in limit.cells)
    least = sum(min(0, weight) * amounts[item] for item, _, weight in limit.cells)
    return most > limit.limit if isinstance(limit, AtMost) else least < limit.limit


def _how(form: Form, closely: bool) -> Text:
    if not form.items:
        return Text("Nothing of yours is concerned. Press Enter.", "quiet")
    if len(form.items) == 1 and form.items[0].amount == 1:
        return with_rules("Type a number or a word; Enter takes the marked one. help lists the commands.", "quiet")
    example = example_of(form)
    what = "a place, or how many go there" if len(form.items) == 1 else "item=place"
    typed = f"Type {what}, for example {example}; " if example else f"Type {what}; "
    where = example.rpartition("=")[2]
    if example and closely and len(form.items) > FEW and "+" not in where:
        typed += f"2-5={where} or all={where} for several; "
    return Text(
        f"{typed}what you do not name stays as shown. Enter takes all as shown. help lists the commands.", "quiet"
    )
