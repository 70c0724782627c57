"""Questions in words, and typed answers read into the JSON a form takes.

What is typed is only read here. Whether it is legal, the form alone says.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from random import Random

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from flagplot.cli.terminal import say, with_rules
from flagplot.core.asks import Decide
from flagplot.core.errors import PlayerError
from flagplot.core.forms import Answer, AtMost, Form, Item, Limit, OneShort, Place, Wire

EVERYTHING = ("all", "*")
ODD = re.compile(r"[,;=+]")
MOST_SAMPLES = 4


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
    parts = [part for part in re.split(r"[,;]", typed) if part.strip()]
    if not parts:
        raise PlayerError(f"{typed!r} names nothing. Press Enter alone to take what is shown.")
    for part in parts:
        name, is_placed, where = part.partition("=")
        if is_placed:
            items = _items(form, name, where)
        else:
            items, where = [_only_item(form, part)], part
        for item in items:
            if item.key in told and item.amount == 1:
                raise PlayerError(f"{item.label} is named twice; say once where it goes.")
            for piece in where.split("+"):
                place, amount = _place(form, item, piece)
                cells = told.setdefault(item.key, {})
                cells[place] = cells.get(place, 0) + amount
    default = form.default if isinstance(form.default, Mapping) else {}
    return {**default, **told}


def _items(form: Form, typed: str, where: str) -> list[Item]:
    """The item meant, or for `all` every item that can go there."""
    if typed.strip().lower() in EVERYTHING:
        items = [item for item in form.items if _fits(form, item, where)]
        if not items:
            _place(form, form.items[0], where)
        return items
    key = resolve(typed, {item.key: item.label for item in form.items}, "things to be placed")
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
    amount = re.fullmatch(r"\s*(\d{1,6})\s+(\S.*)", typed)
    if amount and item.amount > 1:
        return resolve(amount[2], places, f"places for {item.label}"), int(amount[1])
    return resolve(typed, places, f"places for {item.label}"), item.amount


# -- writing answers as they would be typed ---------------------------------------------------------


def item_name(form: Form, item: Item) -> str:
    """The shortest good name of an item that reads back as that item."""
    short = item.key if item.label.startswith(item.key) else re.sub(r" \([^()]*\)$", "", item.label)
    return short if _reads_back(short, item.key, {i.key: i.label for i in form.items}) else _number(form.items, item)


def place_name(form: Form, item: Item, key: str) -> str:
    """The name by which a place is typed: as its label writes it, if its label does."""
    places = {place.key: place.label for place in form.places if place.key in form.places_for(item)}
    short = written_in(key, places[key]) or key
    return short if _reads_back(short, key, places) else str(list(places).index(key) + 1)


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


def typed_answer(form: Form, answer: Answer) -> str:
    """An answer as one would type it."""
    parts = []
    for item in form.items:
        cells = answer.cells[item.key]
        pieces = [
            place_name(form, item, key) if len(cells) == 1 else f"{amount} {place_name(form, item, key)}"
            for key, amount in cells.items()
        ]
        where = " + ".join(pieces)
        parts.append(where if len(form.items) == 1 else f"{item_name(form, item)}={where}")
    return ", ".join(parts)


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
    """One placement that differs from the default, to show how an answer is typed; "" if there is none."""
    for item in form.items:
        usual = _default_places(form, item)
        for key in form.places_for(item):
            if key not in usual and key not in form.barred(item):
                amount = "1 " if item.amount > 1 else ""
                where = f"{amount}{place_name(form, item, key)}"
                return where if len(form.items) == 1 else f"{item_name(form, item)}={where}"
    return ""


# -- showing a question -----------------------------------------------------------------------------


def show_question(out: Console, decision: Decide, who: str) -> None:
    """The question in words: its rule, what can be placed where, what is barred and why, and how to answer."""
    form = decision.form
    out.print()
    out.print(Text.assemble(("▌ ", "own"), (f"{who} decides", "own.mark"), (f"  {decision.rule}", "rule")))
    say(out, Text("▌", style="own"), Text(decision.question, style="heading"))
    parts: list[RenderableType] = []
    if len(form.items) == 1 and form.items[0].amount == 1:
        if form.items[0].key not in ("choice", "target"):
            parts.append(Text(form.items[0].label))
        parts.append(_choices(form, form.items[0]))
    else:
        parts += [_items_table(form), *_places_lines(form), *_barred_lines(form)]
    for rule, why in _limits(form):
        parts.append(Text.assemble(("limit  ", "quiet"), why, (f" ({rule})", "rule")))
    for part in (*parts, _how(form)):
        out.print(Padding.indent(part, 2))


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
        label = labels[key] if written_in(key, labels[key]) else f"{key}: {labels[key]}"
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
    common = tuple(place.key for place in form.places)
    labels = {place.key: place.label for place in form.places}
    several = any(item.amount > 1 for item in form.items)
    own = any(item.places and item.places != common for item in form.items)
    for number, item in enumerate(form.items, start=1):
        cells = _default_places(form, item)
        where = " + ".join(
            place_name(form, item, key) if len(cells) == 1 else f"{n} {place_name(form, item, key)}"
            for key, n in cells.items()
        )
        row = [Text(str(number), style="own")]
        row += [Text(f"{item.amount} ×" if item.amount > 1 else "")] if several else []
        row += [Text(item.label), Text(f"→ {where or '?'}", style="good", no_wrap=True)]
        row += [Text(", ".join(labels[key] for key in form.places_for(item)), style="quiet")] if own else []
        table.add_row(*row)
    return table


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
    """What may not go where; places barred for one reason stand together."""
    reasons: dict[tuple[str, str, str], list[str]] = {}
    for item in form.items:
        for key, limit in form.barred(item).items():
            place = place_name(form, item, key)
            reasons.setdefault((item_name(form, item), limit.rule, limit.why), []).append(place)
    return [
        Text.assemble(("✕ ", "foe"), f"{item} → {', '.join(places)}: {why}", (f" ({rule})", "rule"))
        for (item, rule, why), places in reasons.items()
    ]


def _limits(form: Form) -> list[tuple[str, str]]:
    """The limits that could be broken, each said once, those aside that bar a single cell."""
    amounts = {item.key: item.amount for item in form.items}
    barred = [limit for item in form.items for limit in form.barred(item).values()]
    said = [(limit.rule, limit.why) for limit in form.limits if limit not in barred and _could_bind(limit, amounts)]
    return list(dict.fromkeys(said))


def _could_bind(limit: Limit, amounts: Mapping[str, int]) -> bool:
    if isinstance(limit, OneShort):
        return len(limit.needs) > 1
    most = sum(max(0, weight) * amounts[item] for item, _, weight in limit.cells)
    least = sum(min(0, weight) * amounts[item] for item, _, weight in limit.cells)
    return most > limit.limit if isinstance(limit, AtMost) else least < limit.limit


def _how(form: Form) -> Text:
    if len(form.items) == 1 and form.items[0].amount == 1:
        return with_rules("Type a number or a word; Enter takes the marked one. help lists the commands.", "quiet")
    example = example_of(form)
    what = "a place, or how many go there" if len(form.items) == 1 else "item=place"
    typed = f"Type {what}, for example {example}; " if example else ""
    return Text(
        f"{typed}what you do not name stays as shown. Enter takes all as shown. help lists the commands.", "quiet"
    )
