"""Odds as a terminal tells them: bars, tables, and the sentence to paste.

The law here: how an answer looks on a terminal of any width from sixty columns on, and nothing of how it was come by.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich import box
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from flagplot.cli.page import Page
from flagplot.cli.terminal import console
from flagplot.core.sides import SIDES
from flagplot.model.squadrons import squadron_label
from flagplot.odds.answers import FATES, GROUPS, digits_for, in_percent, interval_words, sure_to
from flagplot.odds.breakdowns import DICE, LEVEL
from flagplot.play.wording import does, percent, signed

STYLES = {"axis": "foe", "allies": "own"}
NONE = "-"
NAMES = 16  # letters of a side's name beside a bar
MOST_POINTS = 10  # of a curve
HALF, TENTH = 0.5, 0.1


def tell(answer: Mapping[str, Any], before: Mapping[str, Any] | None = None) -> None:
    """An answer; with the one before lines were left out, what that changes."""
    page = Page(console())
    page.heading(answer["title"])
    whose = (
        f"As {does(answer['sides'][answer['side']]['name'], 'know')} it"
        if answer["side"]
        else "As it is, both sides' secrets"
    )
    page.say(f"{whose}; {answer['battles']:,} battles, seed {answer['seed']}; {answer['why']}.", style="quiet")
    page.say(f"{answer['rules']}. {answer['note']}".strip(), style="quiet")
    believed(page, answer["belief"])
    _winners(page, answer)
    for who in SIDES:
        _side(page, answer["sides"][who], STYLES[who])
    often = "half, 1 in 10: so many or more, in half of all battles and in one of ten"
    page.say(f"{often}. The chances of ships and groups are sure to ±{100 * _sureness(answer):.1f} %.", style="quiet")
    _curves(page, answer)
    _joint(page, answer)
    _behind(page, answer)
    _lines(page, answer)
    if before is not None:
        _difference(page, before, answer)
    page.heading("To paste")
    # One line, whatever the terminal's.
    page.out.print(answer["sentence"], soft_wrap=True, highlight=False, markup=False)


def believed(page: Page, groups: Sequence[Mapping[str, Any]]) -> None:
    """What hidden groups are taken to hold, and what that means."""
    for group in groups:
        what = f"enemy CG{group['number']} is" if group["number"] else f"in round {group['arrives']} come"
        page.say(f"Believed: {what} {group['holds']}.", style="quiet")
    if groups:
        caution = "Names stand for ships of their kind; nobody else is taken to arrive who is not listed"
        page.say(f"{caution}. --belief says otherwise.", style="quiet")


# -- tables -----------------------------------------------------------------------------------------


def _table(*columns: str) -> Table:
    """A table: what a line is about, and figures."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1), collapse_padding=True)
    table.add_column(columns[0])
    for name in columns[1:]:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def _brief(chance: float) -> str:
    """A chance in a table, in whole percent; a dash for what never happened."""
    return percent(chance).replace("under ", "<").replace("over ", ">") if chance else NONE


def _average(number: float) -> str:
    """An average; what happened at all is not rounded to nothing."""
    return "<0.1" if 0 < number < 0.05 else f"{number:.1f}"


def _reached(amount: Mapping[str, Any], share: float) -> str:
    """The number that this share of all battles reaches or exceeds."""
    return str(sum(each["chance"] >= share for each in amount["at_least"]))


def _sureness(answer: Mapping[str, Any]) -> float:
    rows = [(row, fates) for who in SIDES for row, fates in _fates_of(answer["sides"][who])]
    return sure_to(row[fate] for row, fates in rows for fate in fates)


def _fates_of(side: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], Sequence[str]]]:
    yield from ((ship, FATES) for ship in side["ships"])
    yield from ((group, GROUPS) for group in side["groups"])


# -- who wins ---------------------------------------------------------------------------------------


def _winners(page: Page, answer: Mapping[str, Any]) -> None:
    page.heading("Who wins" if answer["decisive"] else "How it goes")
    if not answer["decisive"]:
        page.say("An attack of this kind has no victor: what counts is what it costs.")
    for who, win in answer["win"].items() if answer["decisive"] else ():
        name = answer["sides"][who]["name"] if who in answer["sides"] else "nobody"
        if win["chance"] or who in answer["sides"]:
            page.out.print(_bar(name, win, STYLES.get(who, "quiet"), max(8, min(24, page.out.width - 44))))
    lasting = ", ".join(
        f"{number} in {percent(chance['chance'])}"
        for number, chance in answer["rounds"]["chances"].items()
        if chance["chance"] >= 0.005
    )
    page.say(f"After {answer['rounds']['average']:.1f} rounds on the average: {lasting}.")


def _bar(name: str, win: Mapping[str, float], style: str, bars: int) -> Text:
    share = round(bars * win["chance"])
    bar = Text("█" * share + "░" * (bars - share), style=style)
    told = in_percent(win).replace("under ", "<").replace("over ", ">")
    return Text.assemble(f"  {name:<{NAMES}.{NAMES}} ", bar, f"  {told}  ({interval_words(win)})")


# -- what becomes of a side -------------------------------------------------------------------------


def _side(page: Page, side: Mapping[str, Any], style: str) -> None:
    page.heading(side["name"])
    table = _table("", "average", "of", "half", "1 in 10")
    counted = [
        *((what, amount["of"], amount) for what, amount in side["losses"].items() if amount["of"]),
        *((f"{each['unit']} sunk", each["of"], each["sunk"]) for each in side["light"]),
        *((f"{squadron_label(each['unit'])} lost", each["of"], each["lost"]) for each in side["squadrons"]),
    ]
    for what, of, amount in counted:
        table.add_row(what, _average(amount["average"]), str(of), _reached(amount, HALF), _reached(amount, TENTH))
    page.out.print(Padding(table, (0, 0, 1, 1)))
    if side["supply line cut"]:
        page.say(f"Supply line cut: {in_percent(side['supply line cut'])}.", style)
    for what, rows, fates in (("ship", side["ships"], FATES), ("group", side["groups"], GROUPS)):
        if rows:
            page.out.print(Padding(_fates(what, rows, tuple(reversed(fates))), (0, 0, 1, 1)))


def _fates(what: str, rows: Sequence[Mapping[str, Any]], fates: tuple[str, ...]) -> Table:
    table = _table(what, *fates)
    for row in rows:
        table.add_row(row["name"], *(_brief(row[fate]["chance"]) for fate in fates))
    return table


# -- curves, both together, what stands behind --------------------------------------------------------


def _curves(page: Page, answer: Mapping[str, Any]) -> None:
    """Factors sunk as the chance of so many or more, at some of the numbers."""
    curves = {who: answer["sides"][who]["losses"]["factors sunk"]["at_least"] for who in SIDES}
    most = max(len(curve) for curve in curves.values())
    if not most:
        return
    page.heading("Factors sunk: the chance of so many or more")
    every = max(1, -(-most // min(MOST_POINTS, (page.out.width - NAMES) // 7)))
    numbers = range(every, most + 1, every)
    table = _table("", *map(str, numbers))
    for who, curve in curves.items():
        cells = [_brief(curve[number - 1]["chance"]) if number <= len(curve) else NONE for number in numbers]
        table.add_row(f"{answer['sides'][who]['name']:.{NAMES}}", *cells)
    page.out.print(Padding(table, (0, 0, 1, 1)))


def _joint(page: Page, answer: Mapping[str, Any]) -> None:
    joint, names = answer["joint"], {who: answer["sides"][who]["name"] for who in SIDES}
    prices = {who: answer["sides"][who]["price"] for who in SIDES}
    if len(set(prices.values())) == 1:
        told = (
            f"{prices['axis'].capitalize()}, in percent of all battles: {names['axis']} down, {names['allies']} across"
        )
    else:
        down, across = (f"{names[who]}, {prices[who]}," for who in SIDES)
        told = f"In percent of all battles: {down} down; {across} across"
    page.heading(told)
    table = _table("", *joint["allies"])
    table.columns[0].justify, table.columns[0].no_wrap = "right", True
    for band, row in zip(joint["axis"], joint["chances"], strict=True):
        table.add_row(band, *(_brief(chance).removesuffix(" %") for chance in row))
    page.out.print(Padding(table, (0, 0, 1, 1)))


def _behind(page: Page, answer: Mapping[str, Any]) -> None:
    if answer["behind"]:
        page.heading("Behind the dice, as it stands")
    for found in answer["behind"]:
        made_of = ", ".join(f"{line['reason']} {signed(line['amount'])}" for line in found["lines"])
        name, rule = answer["sides"][found["side"]]["name"], found["rule"]
        told = f"{name}, {found['what']}: {_total(found)}{f' = {made_of}' if made_of else ''} ({rule})"
        page.say(told, STYLES[found["side"]])


def _total(found: Mapping[str, Any]) -> str:
    """What the lines of a breakdown add up to: dice, a level, or a modifier."""
    if found["counts"] == DICE:
        return f"{found['total']} {'die' if found['total'] == 1 else 'dice'}"
    return f"level {found['total']}" if found["counts"] == LEVEL else signed(found["total"])


def _lines(page: Page, answer: Mapping[str, Any]) -> None:
    if answer["lines"]:
        page.heading("What if: leave a line out with --without")
    for line in answer["lines"]:
        gone = " (left out)" if line["key"] in answer["left_out"] else ""
        page.say(f"{line['key']}: {line['label']} {signed(line['amount'])} ({line['rule']}){gone}")


def _difference(page: Page, before: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
    """What leaving lines out changes."""
    page.heading("What that changes")
    table = _table("", "with", "without", "difference")
    for who in SIDES if answer["decisive"] else ():
        was, now = before["win"][who], answer["win"][who]
        digits = max(1, digits_for(was), digits_for(now))
        apart = 100 * (now["chance"] - was["chance"])
        sure = 100 * ((was["high"] - was["low"]) ** 2 + (now["high"] - now["low"]) ** 2) ** 0.5 / 2
        table.add_row(
            does(answer["sides"][who]["name"], "win"),
            in_percent(was),
            in_percent(now),
            f"{_signed(apart, digits)} ±{sure:.{digits}f}",
        )
    for who in SIDES:
        price = answer["sides"][who]["price"]
        lost = [each["sides"][who]["losses"][price]["average"] for each in (before, answer)]
        name = f"{answer['sides'][who]['name']}: {price}"
        table.add_row(name, *map(_average, lost), _signed(lost[1] - lost[0], 1))
    page.out.print(Padding(table, (0, 0, 1, 1)))


def _signed(number: float, digits: int) -> str:
    """A difference, the minus as printed."""
    return f"{number:+.{digits}f}".replace("-", "−")
