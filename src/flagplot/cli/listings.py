"""Lists and look-ups: battles, options, and the questions of the public API."""

from __future__ import annotations

import inspect
import json as js
import sys
from importlib.resources import files
from typing import Annotated, Any

import typer
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from flagplot.cli.command_options import Json
from flagplot.cli.terminal import console, print_json, wants_json
from flagplot.core.errors import PlayerError, UnknownName
from flagplot.core.sides import Side
from flagplot.editions.options import OPTIONS, Option
from flagplot.model.setup import Secret
from flagplot.model.ships import describe


def _forces(secret: Secret) -> int:
    return len(secret.stations.forces) if secret.stations else len(secret.forces)


def scenarios(json: Json = False) -> None:
    """List the battles, operations and wars that come with the game.

    [bold]flagplot scenarios[/bold], then [bold]flagplot play river-plate[/bold]
    """
    from flagplot.scenarios.loader import list_scenarios

    found: list[dict[str, Any]] = []
    for scenario in list_scenarios():
        public = scenario.setup.public
        hidden = public.order_of_battle == "hidden"
        found.append(
            {
                "name": scenario.name,
                "title": public.title,
                "theatre": public.theatre,
                "kind": public.kind,
                "summary": public.summary,
                "interceptor": public.interceptor.value,
                "order_of_battle": public.order_of_battle,
                "forces": {side.value: _forces(scenario.setup.sides[side]) for side in Side},
                "sides": {side.value: public.names[side] for side in Side},
                # What a side brings is a secret where the order of battle is hidden.
                "ships": {}
                if hidden
                else {
                    side.value: {f.name: describe(f.ships, f.light) for f in scenario.setup.sides[side].forces}
                    for side in Side
                },
            }
        )
    if wants_json(json):
        print_json(found)
        return
    out = console()
    for battle in found:
        counted = {side: f" ({number})" if number else "" for side, number in battle["forces"].items()}
        sides = " against ".join(f"{name}{counted[side]}" for side, name in battle["sides"].items())
        out.print(Text.assemble((battle["name"], "own.mark"), f"  {battle['title']}"))
        out.print(
            Text(
                f"  {sides} · {battle['theatre']} · {battle['kind']} · {battle['order_of_battle']} order of battle",
                "quiet",
            )
        )
        out.print(Padding.indent(Text(f"{battle['summary']}\n"), 2))
    out.print(Text("In brackets the number of forces. flagplot play NAME begins one.", "quiet"))


def options(
    name: Annotated[str, typer.Argument(help="One option; without a name, all are explained.")] = "",
    json: Json = False,
) -> None:
    """Explain the rulings a group may choose: the rule, what is doubtful about it, and how each value reads it.

    [bold]flagplot options[/bold], then [bold]flagplot play --option evaded_engagement=spent[/bold]

    [bold]flagplot options evaded_engagement[/bold] adds the whole ruling.
    """
    if name and name not in OPTIONS:
        raise UnknownName(f"there is no option {name[:40]!r}; there are {', '.join(OPTIONS)}")
    chosen = [OPTIONS[name]] if name else list(OPTIONS.values())
    texts = _rulings()
    if wants_json(json):
        print_json([{**_explained(option), "decided": texts.get(option.ruling, [])} for option in chosen])
        return
    out = console()
    for option in chosen:
        out.print(
            Text.assemble(
                (option.name, "own.mark"), "  ", (option.rule, "rule"), ", ruling ", (option.ruling, "rule.mark")
            )
        )
        out.print(Padding.indent(Text(f"{option.about[0].upper()}{option.about[1:]}:"), 2))
        for value, reading in option.readings.items():
            usual = (" (usual)", "quiet") if value == option.default else ""
            out.print(Padding.indent(Text.assemble("· ", (value, "heading"), f": {reading}", usual), 4))
        for line in texts.get(option.ruling, []) if name else []:
            out.print(Padding.indent(Text(line.replace("*", ""), "quiet"), 2))
        out.print()
    out.print(Text(f"flagplot play --option {chosen[0].name}={list(chosen[0].values)[-1]} chooses one.", "quiet"))


def _explained(option: Option) -> dict[str, Any]:
    return {
        "name": option.name,
        "rule": option.rule,
        "ruling": option.ruling,
        "about": option.about,
        "values": list(option.values),
        "default": option.default,
        "readings": dict(option.readings),
        "edition": option.edition or None,
    }


def _rulings() -> dict[str, list[str]]:
    """What each ruling decides, in our words, by its id."""
    recorded = js.loads((files("flagplot") / "data" / "rulings.json").read_text("utf-8"))
    return {each["id"]: [part["text"] for part in each["text"] if part["kind"] == "text"] for each in recorded}


def call(
    name: Annotated[str, typer.Argument(help="The question; without one, all are listed.")] = "",
    request: Annotated[
        str,
        typer.Argument(
            metavar="[JSON]",
            help='What it is asked with, or a whole case {"with":…, "dice":…}; - reads it from the input.',
        ),
    ] = "{}",
    describe: Annotated[bool, typer.Option("--describe", help="Say what the question takes, with an example.")] = False,
) -> None:
    """Ask the public API one question: JSON in, JSON out.

    [bold]flagplot call[/bold] lists the questions, [bold]flagplot call naval_attack --describe[/bold] says what one takes.

    [bold]flagplot call naval_attack '{"with": {"fleet": 12}, "dice": [4, 3]}'[/bold]
    """
    from flagplot import api

    if not name:
        known = {key: (inspect.getdoc(function) or "").split("\n")[0] for key, function in sorted(api.CALLS.items())}
        if wants_json(False):
            print_json(known)
            return
        table = Table.grid(padding=(0, 2))
        for key, about in known.items():
            table.add_row(Text(key, style="own"), about)
        console().print(table)
        return
    if describe:
        from flagplot.cli.described import describe_question

        describe_question(name)
        return
    try:
        asked = js.loads(sys.stdin.read() if request == "-" else request)
    except (ValueError, RecursionError) as mistake:
        raise PlayerError(f"the question is not JSON: {mistake}") from None
    if not isinstance(asked, dict):
        raise PlayerError("a question is asked with a JSON object")
    if "with" not in asked:
        asked = {"with": asked}
    beside = {key: asked[key] for key in ("dice", "decisions", "edition", "options") if key in asked}
    print_json(api.call(name, asked["with"], **beside))
